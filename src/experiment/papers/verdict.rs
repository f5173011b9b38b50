//! How a measured number compares with a printed one, given what chance and rounding do to both.

use serde::{Deserialize, Serialize};

use super::Printed;
use super::gordon_stout::published::TRIALS;
use crate::experiment::stats::student::Z;
use crate::experiment::{Estimate, proportion};

/// How a measured number compares with the published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// They differ by at most 3 standard errors; a claim holds.
    Reproduced,
    /// They differ by 3 to 5 standard errors.
    Close,
    /// They differ by more than 5 standard errors; a claim fails.
    NotReproduced,
    /// The paper has no number here.
    NoNumber,
    /// Too few messages tell, so far.
    Undecided,
}

impl Verdict {
    /// Its name in exported files and on the page.
    pub fn id(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::Close => "close",
            Self::NotReproduced => "not reproduced",
            Self::NoNumber => "no number",
            Self::Undecided => "undecided",
        }
    }

    /// The verdict on a difference of `z` standard errors.
    pub(super) fn of(z: f64) -> Self {
        match z.abs() {
            z if z <= 3.0 => Self::Reproduced,
            z if z <= 5.0 => Self::Close,
            _ => Self::NotReproduced,
        }
    }
}

/// Below so few messages a mean length says nothing.
const FEWEST: u64 = 8;

/// A measured percentage beside a printed one. The paper cuts percentages off, so the printed digits stand for the
/// middle of the unit above them.
pub(super) fn percentage(measured: Option<Estimate>, printed: Printed) -> Verdict {
    let Some(measured) = measured else { return Verdict::Undecided };
    let expected = (printed.value() + printed.digit() / 2.0).min(100.0);
    // Wilson's interval of the paper's own sample, which is not empty at 0 and 100 either.
    let paper = proportion((expected / 100.0 * TRIALS) as u64, TRIALS as u64).map(|paper| paper.scaled(100.0, 0.0));
    let paper_error = paper.map_or(0.0, |paper| paper.half_width() / Z);
    Verdict::of(distance(&measured, expected, paper_error, printed.digit()))
}

/// A measured mean or deviation beside a printed one, which rests on `messages` messages and is rounded.
pub(super) fn moment(measured: Option<Estimate>, printed: Printed, messages: f64) -> Verdict {
    let Some(measured) = measured.filter(told) else { return Verdict::Undecided };
    let error = measured.half_width() / Z;
    let paper_error = error * (measured.n as f64 / messages.max(1.0)).sqrt();
    Verdict::of(distance(&measured, printed.value(), paper_error, printed.digit()))
}

/// A measured number beside an exact one.
pub(super) fn exact(measured: Option<Estimate>, expected: f64) -> Verdict {
    measured.map_or(Verdict::Undecided, |measured| Verdict::of(distance(&measured, expected, 0.0, 0.0)))
}

/// A measured number beside a printed one that is rounded to its last digit, and of whose precision nothing is known.
pub(super) fn rounded(measured: Option<Estimate>, printed: Printed) -> Verdict {
    let Some(measured) = measured.filter(|measured| measured.half_width().is_finite()) else {
        return Verdict::Undecided;
    };
    Verdict::of(distance(&measured, printed.value(), 0.0, printed.digit()))
}

/// A measured number beside a printed one whose own 95% interval is this wide, half of it, as a share of it.
pub(super) fn uncertain(measured: Option<Estimate>, printed: Printed, half_width: f64) -> Verdict {
    let Some(measured) = measured.filter(|measured| measured.half_width().is_finite()) else {
        return Verdict::Undecided;
    };
    let paper_error = half_width * printed.value() / Z;
    Verdict::of(distance(&measured, printed.value(), paper_error, printed.digit()))
}

/// A measured mean beside a printed one that rests on fewer independent samples: ours are `times` as many.
pub(super) fn of_samples(measured: Option<Estimate>, printed: Printed, times: f64) -> Verdict {
    let Some(measured) = measured.filter(|measured| measured.half_width().is_finite()) else {
        return Verdict::Undecided;
    };
    let paper_error = measured.half_width() / Z * times.sqrt();
    Verdict::of(distance(&measured, printed.value(), paper_error, printed.digit()))
}

/// A claim that a number is at least `bound`.
pub(super) fn at_least(measured: Option<Estimate>, bound: f64) -> Verdict {
    let mirrored =
        |measured: Estimate| Estimate { mean: -measured.mean, low: -measured.high, high: -measured.low, ..measured };
    at_most(measured.map(mirrored), -bound)
}

/// A claim that a number is at most `bound`.
pub(super) fn at_most(measured: Option<Estimate>, bound: f64) -> Verdict {
    let Some(measured) = measured.filter(told) else { return Verdict::Undecided };
    Verdict::of(distance(&measured, bound, 0.0, 0.0).max(0.0))
}

/// Whether enough messages are behind it, or it is exact.
fn told(measured: &Estimate) -> bool {
    measured.is_exact() || (measured.n >= FEWEST && measured.half_width().is_finite())
}

/// The difference in standard errors: ours, the paper's, and the rounding of the last digit.
fn distance(measured: &Estimate, expected: f64, paper_error: f64, digit: f64) -> f64 {
    let error = measured.half_width() / Z;
    let difference = measured.mean - expected;
    // No difference is none, even where nothing varies and no error is left to divide by.
    if difference == 0.0 {
        return 0.0;
    }
    difference / (error * error + paper_error * paper_error + digit * digit / 12.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(hits: u64) -> Option<Estimate> {
        proportion(hits, 9604).map(|share| share.scaled(100.0, 0.0))
    }

    #[test]
    fn percentages_are_cut_off_not_rounded() {
        assert_eq!(percentage(share(9604), Printed("100.0")), Verdict::Reproduced);
        assert_eq!(percentage(share(9599), Printed("99.9")), Verdict::Reproduced);
        assert_eq!(percentage(share(0), Printed("0.0")), Verdict::Reproduced);
        assert_eq!(percentage(share(4802), Printed("50.0")), Verdict::Reproduced);
        // At 50% three standard errors of the difference of two such samples are 2.2 points, five are 3.6.
        assert_eq!(percentage(share(5090), Printed("50.0")), Verdict::Close);
        assert_eq!(percentage(share(5200), Printed("50.0")), Verdict::NotReproduced);
        assert_eq!(percentage(None, Printed("50.0")), Verdict::Undecided);
    }

    #[test]
    fn moments_need_messages() {
        let length = |n| Some(Estimate { mean: 24.0, low: 23.8, high: 24.2, n, runs: n });
        assert_eq!(moment(length(9604), Printed("23.99"), 9604.0), Verdict::Reproduced);
        assert_eq!(moment(length(9604), Printed("25.00"), 9604.0), Verdict::NotReproduced);
        // Three messages behind the printed number could have been anything.
        assert_eq!(moment(length(9604), Printed("25.00"), 3.0), Verdict::Reproduced);
        assert_eq!(moment(length(3), Printed("23.99"), 9604.0), Verdict::Undecided);
    }
}
