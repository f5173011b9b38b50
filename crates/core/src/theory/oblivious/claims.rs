//! The lemmas and theorems of the thesis on one instance: each bound beside what is measured.

use std::fmt;

use super::bounds::{congestion_whp, faulty_paths_bound, lemma_2_faults, load_whp, theorem_3_faults};
use super::expected::ExpectedCongestion;
use crate::fault::{ActiveSet, Tolerance};
use crate::routing::oblivious::{ObliviousRouting, length_cap};
use crate::switching::StaticPaths;

/// What is claimed of Algorithm A or B.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Statement {
    /// Lemma 1: the number of faulty bit-fixing paths, under Algorithm B in the cube of squares.
    FaultyPaths,
    /// Lemma 2, part 1: the number of active nodes.
    ActiveNodes,
    /// Lemma 2, part 2: the size of the smallest set I_sd of the messages.
    SmallestChoice,
    /// Theorem 1, part 1: the expected congestion, N h/I with the I of these messages; under Algorithm B, where N and h
    /// stand for N/4 and 4h, at least 3h.
    ExpectedCongestion,
    /// Theorem 1, part 2: the congestion of all channels, with high probability.
    Congestion,
    /// Theorem 1, part 3: the expected load.
    ExpectedLoad,
    /// Theorem 1, part 4: the load of all nodes, with high probability.
    Load,
    /// Theorem 2, part 1, and Theorem 3, part 3: the expected congestion, with the I of Lemma 2: h/(1-1/n), or
    /// 4h/(1-1/(n-2)).
    TheoremCongestion,
    /// Theorem 2, part 5, and Theorem 3, part 2: the length of the longest route.
    Length,
}

/// On which side of its bound a measured value is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Not above it.
    AtMost,
    /// Not below it.
    AtLeast,
}

impl Side {
    /// Whether `measured` is on this side of `bound`. Rounding is forgiven.
    pub fn keeps(self, measured: f64, bound: f64) -> bool {
        let slack = 1e-9 * bound.abs();
        match self {
            Self::AtMost => measured <= bound + slack,
            Self::AtLeast => measured >= bound - slack,
        }
    }
}

/// What a claim supposes and an instance does not have: why it does not apply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Premise {
    /// As few faulty nodes as `most`.
    Faults {
        /// The most that the theorem supposes.
        most: u32,
        /// The number of faulty nodes.
        faults: u32,
    },
    /// The thesis' tolerance, 1/(3n).
    Tolerance,
    /// A cube of so many dimensions at least: of fewer it promises nothing, or divides by 0.
    Dimensions {
        /// The fewest.
        least: u8,
        /// Those of the cube.
        dimensions: u8,
    },
    /// That every message has an intermediate node to choose, I > 0.
    Choice,
    /// Intermediate nodes that are drawn, not given.
    Drawn,
    /// That there is a message.
    Message,
}

impl fmt::Display for Premise {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Faults { most, faults: 1 } => write!(f, "it supposes F <= {most}, and there is 1 fault"),
            Self::Faults { most, faults } => write!(f, "it supposes F <= {most}, and there are {faults} faults"),
            Self::Tolerance => f.write_str("it supposes the thesis' tolerance of 1/(3n), and here is another"),
            Self::Dimensions { least, dimensions } => {
                write!(f, "it supposes n >= {least}, and here is n = {dimensions}")
            }
            Self::Choice => f.write_str("it supposes I > 0, and a message has no intermediate node that is valid"),
            Self::Drawn => f.write_str("it supposes that intermediate nodes are drawn, and here they are given"),
            Self::Message => f.write_str("it is about messages, and there is none"),
        }
    }
}

/// What becomes of a claim on an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// It holds.
    Yes,
    /// It does not.
    No,
    /// The instance has not what it supposes.
    NotApplicable,
}

impl fmt::Display for Holds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Yes => "holds",
            Self::No => "does not hold",
            Self::NotApplicable => "not applicable",
        })
    }
}

/// One claim on one instance.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claim {
    /// What is claimed.
    pub statement: Statement,
    /// What the claim supposes and is not so here; `None` if it applies.
    pub fails: Option<Premise>,
    /// The bound; where the claim does not apply perhaps infinite.
    pub bound: f64,
    /// The side of the bound.
    pub side: Side,
    /// What the instance has; `None` if it was not computed, or there is nothing to measure.
    pub measured: Option<f64>,
}

impl Claim {
    /// What becomes of it; `None` if it applies and nothing was measured.
    pub fn holds(&self) -> Option<Holds> {
        match self.fails {
            Some(_) => Some(Holds::NotApplicable),
            None => self.keeps().map(|kept| if kept { Holds::Yes } else { Holds::No }),
        }
    }

    /// Whether the instance keeps the bound, be it claimed or not; `None` if nothing was measured.
    pub fn keeps(&self) -> Option<bool> {
        self.measured.map(|measured| self.side.keeps(measured, self.bound))
    }
}

/// The claims of the thesis of Algorithm A or B with its active set, for messages whose routes are `paths`, of which every
/// node sends and receives `h` at most; with `expected` of the same messages also those that need it. Nothing for other
/// schemes. Cost: a pass over the channels.
pub fn oblivious_claims(
    routing: &dyn ObliviousRouting,
    h: u32,
    paths: &StaticPaths,
    expected: Option<&ExpectedCongestion>,
) -> Vec<Claim> {
    routing.active_set().map_or_else(Vec::new, |active| claims(active, h, paths, expected))
}

fn claims(active: &ActiveSet, h: u32, paths: &StaticPaths, expected: Option<&ExpectedCongestion>) -> Vec<Claim> {
    let (n, core) = (active.cube().dimension(), active.core());
    let m = core.cube().dimension();
    let nodes = (core.cube().mask() + 1) as f64;
    // Under Algorithm B the middle phases route a 4h-relation on the cube of squares.
    let (copies, faults, extra) =
        if active.has_squares() { (4.0, theorem_3_faults(n), 7) } else { (1.0, lemma_2_faults(n), 0) };
    let h = copies * f64::from(h);
    let faulty = active.faulty().count();
    let few = if active.limit() != Tolerance::Thesis.limit(core.cube()) {
        Some(Premise::Tolerance)
    } else if faulty > faults {
        Some(Premise::Faults { most: faults, faults: faulty })
    } else if m < 2 {
        // 1-1/m is 0: nothing is promised of the sets, and the congestion that follows is infinite.
        Some(Premise::Dimensions { least: n - m + 2, dimensions: n })
    } else {
        None
    };
    let share = 1.0 - 1.0 / f64::from(m);
    let smallest = expected.and_then(ExpectedCongestion::smallest_choice);
    // Without an exact I, what the definition of the sets guarantees is used.
    let mean = smallest.map_or(h / share, |smallest| nodes * h / (smallest as f64));
    let given = match smallest {
        None => few,
        Some(0) => Some(Premise::Choice),
        Some(_) => None,
    };
    let at_most = |statement, fails, bound, measured| Claim { statement, fails, bound, side: Side::AtMost, measured };
    let at_least = |statement, fails, bound, measured| Claim { statement, fails, bound, side: Side::AtLeast, measured };
    let congestion = expected.map(ExpectedCongestion::max_congestion);
    let any = (paths.delivered() > 0).then_some(());
    vec![
        at_most(
            Statement::FaultyPaths,
            None,
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
