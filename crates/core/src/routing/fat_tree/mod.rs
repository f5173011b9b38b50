//! Who is sent in which delivery cycle of a fat-tree (Greenberg & Leiserson): GREEDY, RANDOM with TRY-GUESS, RANDOM', the
//! modified RANDOM', and Valiant's detour, which the paper does without.
//!
//! They know which messages have arrived, and nothing else: neither the
//! load factor nor where a message was lost. They are called while there is somebody to send.

pub(super) mod greedy;
mod pending;
pub(super) mod random;
pub(super) mod random_prime;
mod terms;
pub(super) mod valiant;

pub use greedy::Greedy;
pub use pending::Pending;
pub use random::Random;
pub use random_prime::RandomPrime;
pub use terms::{ScheduleTerms, TermsError};

use std::fmt;

use crate::random::Generator;

/// Why somebody is sent in a cycle: the place in the pseudo-code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CycleRule {
    /// All undelivered messages: GREEDY (Fig. 5), line 1 of RANDOM (Fig. 2).
    All,
    /// A p-subset in TRY-GUESS (Fig. 3, lines 3 to 6).
    Subset {
        /// The guess of the load factor.
        guess: f64,
        /// What is left of it, lambda.
        lambda: f64,
        /// Each message is sent with this probability, min(1, 1/(r lambda)).
        probability: f64,
        /// Which cycle with this lambda, from 1,
        cycle: u64,
        /// out of so many.
        of: u64,
    },
    /// All that are left at the end of TRY-GUESS (Fig. 3, line 9).
    Rest {
        /// The guess of the load factor.
        guess: f64,
    },
    /// Those that drew this cycle of a pass of RANDOM' (Fig. 7).
    Drawn {
        /// The cycle, 1 to z.
        cycle: u64,
        /// The number of cycles from which each message draws one.
        z: u64,
        /// Which pass with this z, from 1,
        pass: u64,
        /// out of so many.
        of: u64,
    },
    /// All that have a way to go in a phase of Valiant's detour (section 1).
    Detour {
        /// Whether all are at their intermediate processors, and on their way to their destinations.
        there: bool,
    },
}

impl fmt::Display for CycleRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all that are left are sent"),
            Self::Subset { guess, lambda, probability, cycle, of } => write!(
                f,
                "guess {guess:.4}, now {lambda:.4}: each with probability {probability:.4}, cycle {cycle} of {of}"
            ),
            Self::Rest { guess } => write!(f, "guess {guess:.4} ends: all that are left are sent"),
            Self::Drawn { cycle, z, of: 1, .. } => write!(f, "those that drew cycle {cycle} of {z}"),
            Self::Drawn { cycle, z, pass, of } => {
                write!(f, "those that drew cycle {cycle} of {z}, pass {pass} of {of}")
            }
            Self::Detour { there: false } => {
                f.write_str("to random intermediate processors: all that are not there are sent")
            }
            Self::Detour { there: true } => f.write_str("from there to their destinations: all that are left are sent"),
        }
    }
}

/// An algorithm at work on one message set.
pub trait CycleScheduler: fmt::Debug + Send {
    /// Adds those that are sent in the next cycle to `sent`, ascending, and says why these.
    fn next(&mut self, pending: &mut Pending, generator: &mut Generator, sent: &mut Vec<u32>) -> CycleRule;

    /// The cycles that the pseudo-code still executes, idle, when the last message has arrived.
    fn idle_rest(&self) -> u64 {
        0
    }

    /// Whether it sends all that are left, always: where the network leaves nothing to chance either, a cycle in which
    /// nothing arrives repeats for ever.
    fn sends_all(&self) -> bool {
        false
    }

    /// Whether messages go by way of random intermediate processors: all of them there first, then all on from there.
    fn detours(&self) -> bool {
        false
    }

    /// All messages have come to their intermediate processors: from now on they go to their destinations.
    fn turn(&mut self) {}
}

/// What the paper proves of an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleProof {
    /// Of RANDOM with the right constants, O(lambda + lg n lg lg n) cycles.
    Theorem8,
    /// Of sending everything always, a message set that needs Omega(lambda lg n) cycles.
    Theorem9,
    /// Of RANDOM', O(lambda) cycles if channels are wide.
    Theorem11,
    /// Of the modified RANDOM', O(lambda lg^2 n) cycles on the second network.
    Section6,
    /// Of Valiant's detour, that half of all messages are expected to cross the middle in each phase.
    Section1,
}

impl fmt::Display for CycleProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Theorem8 => "Theorem 8",
            Self::Theorem9 => "Theorem 9",
            Self::Theorem11 => "Theorem 11",
            Self::Section6 => "Section 6",
            Self::Section1 => "Section 1",
        })
    }
}

/// What starts an algorithm on so many processors.
type Start = fn(&ScheduleTerms, processors: u32) -> Box<dyn CycleScheduler>;

/// What an entry of [`crate::routing::ALGORITHMS`] says of an algorithm that chooses delivery cycles.
#[derive(Clone, Copy)]
pub struct CycleAlgorithm {
    /// Whether it uses k1, k2 and r.
    pub has_terms: bool,
    /// Whether it draws which messages it sends.
    pub draws: bool,
    /// What is proved of it.
    pub proof: CycleProof,
    /// Starts it.
    pub start: Start,
}

/// The paper, as lists name it.
const PAPER: &str = "Greenberg & Leiserson";
