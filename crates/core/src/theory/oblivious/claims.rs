//! Lemmas and theorems of the thesis on one instance: each bound beside the measured value.

use std::fmt;

use super::bounds::{congestion_whp, faulty_paths_bound, lemma_2_faults, load_whp, theorem_3_faults};
use super::expected::ExpectedCongestion;
use crate::fault::{ActiveSet, Tolerance};
use crate::routing::oblivious::{ObliviousRouting, length_cap};
use crate::switching::StaticCongestion;

/// Claim about Algorithm A or B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Statement {
    /// Lemma 1: the number of faulty bit-fixing paths, under Algorithm B in the cube of squares.
    FaultyPaths,
    /// Lemma 2, part 1: the number of active nodes.
    ActiveNodes,
    /// Lemma 2, part 2: the size of the smallest set I_sd of the messages.
    SmallestChoice,
    /// Theorem 1, part 1: the expected congestion, N h/I with the I of the messages. Under
    /// Algorithm B, where N/4 and 4h replace N and h, at least 3h.
    ExpectedCongestion,
    /// Theorem 1, part 2: the congestion of all channels, with high probability.
    Congestion,
    /// Theorem 1, part 3: the expected load.
    ExpectedLoad,
    /// Theorem 1, part 4: the load of all nodes, with high probability.
    Load,
    /// Theorem 2, part 1, and Theorem 3, part 3: the expected congestion, with the I of Lemma 2:
    /// h/(1-1/n), or 4h/(1-1/(n-2)).
    TheoremCongestion,
    /// Theorem 2, part 5, and Theorem 3, part 2: the length of the longest route.
    Length,
}

/// Side of its bound on which a measured value must lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundSide {
    /// At or below the bound.
    AtMost,
    /// At or above the bound.
    AtLeast,
}

impl BoundSide {
    /// Returns whether `measured` is on this side of `bound`, up to a relative rounding error of
    /// 1e-9.
    pub fn is_met(self, measured: f64, bound: f64) -> bool {
        let slack = 1e-9 * bound.abs();
        match self {
            Self::AtMost => measured <= bound + slack,
            Self::AtLeast => measured >= bound - slack,
        }
    }
}

/// Premise of a claim that an instance does not meet, so that the claim does not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Premise {
    /// At most `most` faulty nodes.
    Faults {
        /// Maximum that the theorem assumes.
        most: u32,
        /// Number of faulty nodes.
        faults: u32,
    },
    /// Faulty nodes only: links alone do not fail (thesis section 1.1).
    NodeFaults,
    /// The tolerance of the thesis, 1/(3n).
    Tolerance,
    /// A minimum number of dimensions. For fewer dimensions, the claim is empty or divides by 0.
    Dimensions {
        /// Minimum number of dimensions.
        least: u8,
        /// Number of dimensions of the cube.
        dimensions: u8,
    },
    /// A valid intermediate node for every message, I > 0.
    ValidIntermediate,
    /// Random intermediate nodes instead of preset ones.
    RandomIntermediates,
    /// At least one message.
    AnyMessage,
}

impl fmt::Display for Premise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Faults { most, faults: 1 } => write!(f, "it assumes F <= {most}, but there is 1 fault"),
            Self::Faults { most, faults } => write!(f, "it assumes F <= {most}, but there are {faults} faults"),
            Self::NodeFaults => f.write_str("it assumes that only nodes fail, but links are faulty"),
            Self::Tolerance => f.write_str("it assumes the thesis' tolerance of 1/(3n), but another one is set"),
            Self::Dimensions { least, dimensions } => {
                write!(f, "it assumes n >= {least}, but n = {dimensions}")
            }
            Self::ValidIntermediate => f.write_str("it assumes I > 0, but a message has no valid intermediate node"),
            Self::RandomIntermediates => f.write_str("it assumes random intermediate nodes, but they are given"),
            Self::AnyMessage => f.write_str("it is about messages, but there are none"),
        }
    }
}

/// Outcome of a claim on an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimOutcome {
    /// The claim holds.
    Yes,
    /// The claim does not hold.
    No,
    /// The instance does not meet the premises.
    NotApplicable,
}

impl fmt::Display for ClaimOutcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Yes => "holds",
            Self::No => "does not hold",
            Self::NotApplicable => "not applicable",
        })
    }
}

/// Claim evaluated on one instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim {
    /// Statement of the claim.
    pub statement: Statement,
    /// Premise that the instance does not meet; `None` if the claim applies.
    pub unmet_premise: Option<Premise>,
    /// Bound; may be infinite if the claim does not apply.
    pub bound: f64,
    /// Side of the bound.
    pub side: BoundSide,
    /// Measured value; `None` if it was not computed, or there is nothing to measure.
    pub measured: Option<f64>,
}

impl Claim {
    /// Returns the outcome, or `None` if the claim applies and nothing was measured.
    pub fn holds(&self) -> Option<ClaimOutcome> {
        match self.unmet_premise {
            Some(_) => Some(ClaimOutcome::NotApplicable),
            None => self.meets_bound().map(|kept| if kept { ClaimOutcome::Yes } else { ClaimOutcome::No }),
        }
    }

    /// Returns whether the measured value meets the bound, even if the claim does not apply; `None`
    /// if nothing was measured.
    pub fn meets_bound(&self) -> Option<bool> {
        self.measured.map(|measured| self.side.is_met(measured, self.bound))
    }
}

/// Evaluates the claims of the thesis about Algorithm A or B with its active set, for messages
/// whose routes are `paths`.
///
/// Every node sends and receives at most `h` messages. With `expected` for the same messages, the
/// claims about expected values are measured too. Returns an empty list for other schemes. Cost: a
/// pass over the channels.
pub fn oblivious_claims(
    routing: &dyn ObliviousRouting,
    h: u32,
    paths: &StaticCongestion,
    expected: Option<&ExpectedCongestion>,
) -> Vec<Claim> {
    routing.active_set().map_or_else(Vec::new, |active| claims(active, h, paths, expected))
}

fn claims(active: &ActiveSet, h: u32, paths: &StaticCongestion, expected: Option<&ExpectedCongestion>) -> Vec<Claim> {
    let (n, core) = (active.cube().dimension(), active.core());
    let m = core.cube().dimension();
    let nodes = (core.cube().mask() + 1) as f64;
    // Under Algorithm B the middle phases route a 4h-relation on the cube of squares.
    let (copies, faults, extra) =
        if active.has_squares() { (4.0, theorem_3_faults(n), 7) } else { (1.0, lemma_2_faults(n), 0) };
    let h = copies * f64::from(h);
    let faulty = active.faulty().count();
    let links = active.faulty().has_faulty_links().then_some(Premise::NodeFaults);
    let few = if links.is_some() {
        links
    } else if active.limit() != Tolerance::Thesis.limit(core.cube()) {
        Some(Premise::Tolerance)
    } else if faulty > faults {
        Some(Premise::Faults { most: faults, faults: faulty })
    } else if m < 2 {
        // 1-1/m is 0: the claims about the sets are empty, and the resulting congestion is
        // infinite.
        Some(Premise::Dimensions { least: n - m + 2, dimensions: n })
    } else {
        None
    };
    let share = 1.0 - 1.0 / f64::from(m);
    let smallest = expected.and_then(ExpectedCongestion::smallest_choice);
    // Without an exact I, use the minimum that the definition of the sets guarantees.
    let mean = smallest.map_or(h / share, |smallest| nodes * h / (smallest as f64));
    let given = match smallest {
        None => few,
        Some(0) => Some(Premise::ValidIntermediate),
        Some(_) => None,
    };
    let at_most = |statement, fails, bound, measured| Claim {
        statement,
        unmet_premise: fails,
        bound,
        side: BoundSide::AtMost,
        measured,
    };
    let at_least = |statement, fails, bound, measured| Claim {
        statement,
        unmet_premise: fails,
        bound,
        side: BoundSide::AtLeast,
        measured,
    };
    let congestion = expected.map(ExpectedCongestion::max_congestion);
    let any = (paths.delivered() > 0).then_some(());
    vec![
        at_most(
            Statement::FaultyPaths,
            links,
            faulty_paths_bound(m, core.count()) as f64,
            Some(active.faulty_paths() as f64),
        ),
        at_least(Statement::ActiveNodes, few, share * nodes * copies, Some(f64::from(active.count()))),
        at_least(Statement::SmallestChoice, few, share * nodes, smallest.map(|smallest| smallest as f64)),
        at_most(Statement::ExpectedCongestion, given, mean.max(0.75 * h), congestion),
        at_most(Statement::Congestion, given, congestion_whp(m, mean), any.map(|()| f64::from(paths.max_congestion()))),
        at_most(Statement::ExpectedLoad, given, mean, expected.map(ExpectedCongestion::max_load)),
        at_most(Statement::Load, given, load_whp(m, mean), any.map(|()| f64::from(paths.max_load()))),
        at_most(Statement::TheoremCongestion, few, h / share, congestion),
        at_most(Statement::Length, None, f64::from(length_cap(core.cube()) + extra), paths.max_length().map(f64::from)),
    ]
}
