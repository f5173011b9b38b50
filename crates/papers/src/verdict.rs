//! Comparison of a measured number with a printed one, in view of their random and rounding errors.

use serde::{Deserialize, Serialize};

use super::PublishedNumber;
use super::gordon_stout::published::TRIALS;
use faultlab_experiment::{Estimate, proportion, stats};

/// Verdict on the comparison of a measured number with the published one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Verdict {
    /// Difference of at most 3 standard errors, which are small enough for a decision; or a
    /// confirmed claim.
    Reproduced,
    /// Difference of 3 to 5 standard errors; or a claim that fails by no more.
    Close,
    /// Difference of more than 5 standard errors; or a claim that fails by as much.
    NotReproduced,
    /// No number in the paper.
    NoNumber,
    /// Too few samples, measured or published: the comparison would also accept a quite different
    /// number.
    Undecided,
}

impl Verdict {
    /// Returns the name in exported files and on the page.
    pub fn id(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::Close => "close",
            Self::NotReproduced => "not reproduced",
            Self::NoNumber => "no number",
            Self::Undecided => "undecided",
        }
    }

    /// Returns the verdict on a difference of `z` standard errors.
    pub(super) fn from_standard_errors(z: f64) -> Self {
        match z.abs() {
            z if z <= 3.0 => Self::Reproduced,
            z if z <= 5.0 => Self::Close,
            _ => Self::NotReproduced,
        }
    }
}

/// Minimum number of messages for a meaningful mean length.
const FEWEST: u64 = 8;

/// Largest share of a printed number that 3 standard errors may reach for the verdict "reproduced".
///
/// A wider comparison would accept a number that is a third larger or smaller.
const COARSEST: f64 = 1.0 / 3.0;

/// Compares a measured percentage with a printed one, in percentage points.
///
/// The paper truncates percentages, so the true value is taken to be half a unit of the last digit
/// above the printed one.
pub(super) fn percentage(measured: Option<Estimate>, printed: PublishedNumber) -> Verdict {
    let Some(measured) = measured else { return Verdict::Undecided };
    let expected = (printed.value() + printed.digit() / 2.0).min(100.0);
    // Wilson's interval of the paper's own sample has a positive width even at 0 and 100.
    let paper = proportion((expected / 100.0 * TRIALS) as u64, TRIALS as u64).map(|paper| paper.scaled(100.0, 0.0));
    let paper_error = paper.map_or(0.0, |paper| paper.half_width() / stats::NORMAL_95);
    Verdict::from_standard_errors(distance(&measured, expected, paper_error, printed.digit()))
}

/// Compares a measured mean or deviation with a printed one, which is from `messages` messages and
/// rounded.
pub(super) fn moment(measured: Option<Estimate>, printed: PublishedNumber, messages: f64) -> Verdict {
    let Some(measured) = measured.filter(is_conclusive) else { return Verdict::Undecided };
    let error = measured.half_width() / stats::NORMAL_95;
    let paper_error = error * (measured.n as f64 / messages.max(1.0)).sqrt();
    number(&measured, printed, paper_error)
}

/// Compares a measured number with an exact one.
pub(super) fn exact(measured: Option<Estimate>, expected: f64) -> Verdict {
    measured
        .map_or(Verdict::Undecided, |measured| Verdict::from_standard_errors(distance(&measured, expected, 0.0, 0.0)))
}

/// Compares a measured number with a printed one that is rounded to its last digit, and whose
/// precision is unknown.
pub(super) fn compare_rounded(measured: Option<Estimate>, printed: PublishedNumber) -> Verdict {
    let Some(measured) = measured.filter(|measured| measured.half_width().is_finite()) else {
        return Verdict::Undecided;
    };
    number(&measured, printed, 0.0)
}

/// Compares a measured number with a printed one whose own 95% interval has this half-width, as a
/// share of the number.
pub(super) fn compare_with_interval(measured: Option<Estimate>, printed: PublishedNumber, half_width: f64) -> Verdict {
    let Some(measured) = measured.filter(|measured| measured.half_width().is_finite()) else {
        return Verdict::Undecided;
    };
    let paper_error = half_width * printed.value() / stats::NORMAL_95;
    number(&measured, printed, paper_error)
}

/// Compares a measured mean with a printed one from fewer independent samples.
///
/// The measurement has `times` as many samples as the paper.
pub(super) fn compare_samples(measured: Option<Estimate>, printed: PublishedNumber, times: f64) -> Verdict {
    let Some(measured) = measured.filter(|measured| measured.half_width().is_finite()) else {
        return Verdict::Undecided;
    };
    let paper_error = measured.half_width() / stats::NORMAL_95 * times.sqrt();
    number(&measured, printed, paper_error)
}

/// Returns the verdict on the claim that a number is at least `bound`.
pub(super) fn at_least(measured: Option<Estimate>, bound: f64) -> Verdict {
    let mirrored =
        |measured: Estimate| Estimate { mean: -measured.mean, low: -measured.high, high: -measured.low, ..measured };
    at_most(measured.map(mirrored), -bound)
}

/// Returns the verdict on the claim that a number is at most `bound`.
///
/// The claim is confirmed if no value of the 95% interval exceeds the bound, and undecided if the
/// interval contains the bound.
pub(super) fn at_most(measured: Option<Estimate>, bound: f64) -> Verdict {
    let Some(measured) = measured.filter(is_conclusive) else { return Verdict::Undecided };
    let beyond = distance(&measured, bound, 0.0, 0.0);
    if measured.high <= bound || measured.mean == bound {
        Verdict::Reproduced
    } else if measured.low <= bound {
        Verdict::Undecided
    } else if beyond <= 5.0 {
        Verdict::Close
    } else {
        Verdict::NotReproduced
    }
}

/// Returns the verdict on the claim that a number is between `low` and `high`.
///
/// A number outside this range is compared with the nearer bound.
pub(super) fn between(measured: Option<Estimate>, low: f64, high: f64) -> Verdict {
    let Some(measured) = measured.filter(is_conclusive) else { return Verdict::Undecided };
    let nearest = measured.mean.clamp(low, high);
    compare_precise(&measured, nearest, 0.0, 0.0)
}

/// Compares a measured number with a printed one whose mean has the standard error `paper_error`.
fn number(measured: &Estimate, printed: PublishedNumber, paper_error: f64) -> Verdict {
    compare_precise(measured, printed.value(), paper_error, printed.digit())
}

/// Returns the verdict on the difference: [`Verdict::Undecided`] instead of reproduced if it is too
/// imprecise for a decision.
fn compare_precise(measured: &Estimate, expected: f64, paper_error: f64, digit: f64) -> Verdict {
    let error = standard_error(measured, paper_error, digit);
    match Verdict::from_standard_errors(distance(measured, expected, paper_error, digit)) {
        Verdict::Reproduced if 3.0 * error > COARSEST * expected.abs() => Verdict::Undecided,
        verdict => verdict,
    }
}

/// Returns the half-width of the interval that contains, in 95 of 100 cases, the mean of a sample
/// as small as the paper's.
///
/// The measurement has `times` as many samples as the paper.
pub(super) fn sample_half_width(measured: &Estimate, times: f64) -> f64 {
    stats::NORMAL_95 * standard_error(measured, measured.half_width() / stats::NORMAL_95 * times.sqrt(), 0.0)
}

/// Returns whether the estimate is exact, or computed from enough messages.
fn is_conclusive(measured: &Estimate) -> bool {
    measured.is_exact() || (measured.n >= FEWEST && measured.half_width().is_finite())
}

/// Returns the difference in units of its standard error, see [`standard_error`].
fn distance(measured: &Estimate, expected: f64, paper_error: f64, digit: f64) -> f64 {
    let difference = measured.mean - expected;
    // A difference of 0 is 0 even if the standard error is 0 too.
    if difference == 0.0 {
        return 0.0;
    }
    difference / standard_error(measured, paper_error, digit)
}

/// Returns the standard error of a difference, combined from the errors of the measurement, of the
/// paper, and of the rounding to the last digit.
fn standard_error(measured: &Estimate, paper_error: f64, digit: f64) -> f64 {
    let error = measured.half_width() / stats::NORMAL_95;
    (error * error + paper_error * paper_error + digit * digit / 12.0).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(hits: u64) -> Option<Estimate> {
        proportion(hits, 9604).map(|share| share.scaled(100.0, 0.0))
    }

    #[test]
    fn percentages_are_truncated_not_rounded() {
        assert_eq!(percentage(share(9604), PublishedNumber("100.0")), Verdict::Reproduced);
        assert_eq!(percentage(share(9599), PublishedNumber("99.9")), Verdict::Reproduced);
        assert_eq!(percentage(share(0), PublishedNumber("0.0")), Verdict::Reproduced);
        assert_eq!(percentage(share(4802), PublishedNumber("50.0")), Verdict::Reproduced);
        // At 50% three standard errors of the difference of two such samples are 2.2 points, five
        // are 3.6.
        assert_eq!(percentage(share(5090), PublishedNumber("50.0")), Verdict::Close);
        assert_eq!(percentage(share(5200), PublishedNumber("50.0")), Verdict::NotReproduced);
        assert_eq!(percentage(None, PublishedNumber("50.0")), Verdict::Undecided);
    }

    #[test]
    fn moments_of_too_few_messages_are_undecided() {
        let length = |n| Some(Estimate { mean: 24.0, low: 23.8, high: 24.2, n, runs: n });
        assert_eq!(moment(length(9604), PublishedNumber("23.99"), 9604.0), Verdict::Reproduced);
        assert_eq!(moment(length(9604), PublishedNumber("25.00"), 9604.0), Verdict::NotReproduced);
        // The mean of three messages is too imprecise for a decision.
        assert_eq!(moment(length(9604), PublishedNumber("25.00"), 3.0), Verdict::Undecided);
        assert_eq!(moment(length(3), PublishedNumber("23.99"), 9604.0), Verdict::Undecided);
    }

    fn mean(mean: f64, half_width: f64) -> Option<Estimate> {
        Some(Estimate { mean, low: mean - half_width, high: mean + half_width, n: 9604, runs: 100 })
    }

    /// Figure 15 with 1% faults: 15.4 is measured and 21 printed. Ten sets cannot separate them,
    /// and would accept 10 as well.
    #[test]
    fn imprecise_comparisons_are_undecided() {
        assert_eq!(compare_samples(mean(15.44, 1.575), PublishedNumber("21"), 10.0), Verdict::Undecided);
        assert_eq!(compare_samples(mean(15.44, 1.575), PublishedNumber("10"), 10.0), Verdict::Undecided);
        // If the printed number were from as many sets as the measured one, the difference would
        // count.
        assert_eq!(compare_samples(mean(15.44, 1.575), PublishedNumber("21"), 1.0), Verdict::Close);
        assert_eq!(compare_samples(mean(34.26, 1.2), PublishedNumber("34"), 6.0), Verdict::Reproduced);
        assert_eq!(compare_rounded(mean(0.5, 0.2), PublishedNumber("0.5")), Verdict::Undecided);
    }

    /// Restricting UP: a gain of -2.48 with the interval [-4.11, -0.857] is no gain, and an
    /// interval around 0 decides nothing.
    #[test]
    fn bounds_are_judged_by_the_interval() {
        assert_eq!(at_least(mean(-2.48, 1.63), 0.0), Verdict::Close);
        assert_eq!(at_least(mean(-9.0, 1.63), 0.0), Verdict::NotReproduced);
        assert_eq!(at_least(mean(1.0, 1.63), 0.0), Verdict::Undecided);
        assert_eq!(at_least(mean(-1.0, 1.63), 0.0), Verdict::Undecided);
        assert_eq!(at_least(mean(2.0, 1.63), 0.0), Verdict::Reproduced);
        assert_eq!(at_most(mean(4.0, 0.5), 5.0), Verdict::Reproduced);
        let exact = Some(Estimate { mean: 1.0, low: 1.0, high: 1.0, n: 1, runs: 1 });
        assert_eq!((at_least(exact, 1.0), at_most(exact, 1.0)), (Verdict::Reproduced, Verdict::Reproduced));
    }

    #[test]
    fn ranges_are_undecided_for_wide_intervals() {
        assert_eq!(between(mean(14.89, 7.4), 18.0, 22.0), Verdict::Undecided);
        assert_eq!(between(mean(20.9, 2.2), 18.0, 22.0), Verdict::Reproduced);
        assert_eq!(between(mean(30.0, 2.2), 18.0, 22.0), Verdict::NotReproduced);
    }
}
