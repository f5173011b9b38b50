//! Schedulers of delivery cycles of a fat-tree (Greenberg & Leiserson): GREEDY, RANDOM with
//! TRY-GUESS, RANDOM interleaved with single messages, RANDOM', the modified RANDOM', and Valiant's
//! detour, which the paper avoids.
//!
//! The only information of a scheduler is which messages have arrived. The load factor and the
//! places of losses are unknown to it. The engine calls the scheduler while undelivered messages
//! remain.

mod constants;
pub(super) mod greedy;
pub(super) mod interleaved;
mod pending;
pub(super) mod random;
pub(super) mod random_prime;
pub(super) mod valiant;

pub use constants::{ConstantsError, ScheduleConstants};
pub use greedy::Greedy;
pub use interleaved::Interleaved;
pub use pending::Pending;
pub use random::Random;
pub use random_prime::RandomPrime;

use std::fmt;

use crate::random::Generator;

/// The reason why messages are sent in a cycle: the position in the pseudo-code.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum CycleRule {
    /// All undelivered messages: GREEDY (Fig. 5), line 1 of RANDOM (Fig. 2).
    All,
    /// A p-subset in TRY-GUESS (Fig. 3, lines 3 to 6).
    Subset {
        /// The guess of the load factor.
        guess: f64,
        /// The remaining guess, lambda.
        lambda: f64,
        /// The probability with which each message is sent, min(1, 1/(r lambda)).
        probability: f64,
        /// The number of the cycle with this lambda, from 1.
        cycle: u64,
        /// The number of cycles with this lambda.
        of: u64,
    },
    /// All remaining messages at the end of TRY-GUESS (Fig. 3, line 9).
    Rest {
        /// The guess of the load factor.
        guess: f64,
    },
    /// The messages that drew this cycle in a pass of RANDOM' (Fig. 7).
    Drawn {
        /// The cycle, 1 to z.
        cycle: u64,
        /// The number of cycles from which each message draws one.
        z: u64,
        /// The number of the pass with this z, from 1.
        pass: u64,
        /// The number of passes with this z.
        of: u64,
    },
    /// A single message, which arrives if its path has live wires (end of section 4).
    Single,
    /// All messages not yet at the goal of the current phase of Valiant's detour (section 1).
    Detour {
        /// `true` in the second phase, from the intermediate processors to the destinations.
        second_phase: bool,
    },
}

impl fmt::Display for CycleRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str("all remaining messages are sent"),
            Self::Subset { guess, lambda, probability, cycle, of } => write!(
                f,
                "guess {guess:.4}, now {lambda:.4}: each message is sent with probability {probability:.4}, cycle {cycle} of \
                 {of}"
            ),
            Self::Rest { guess } => write!(f, "guess {guess:.4} ends: all remaining messages are sent"),
            Self::Drawn { cycle, z, of: 1, .. } => write!(f, "messages that drew cycle {cycle} of {z} are sent"),
            Self::Drawn { cycle, z, pass, of } => {
                write!(f, "messages that drew cycle {cycle} of {z} are sent, pass {pass} of {of}")
            }
            Self::Single => f.write_str("a single message is sent: no other can block it"),
            Self::Detour { second_phase: false } => {
                f.write_str("to random intermediate processors: all remaining messages are sent")
            }
            Self::Detour { second_phase: true } => {
                f.write_str("from there to the destinations: all remaining messages are sent")
            }
        }
    }
}

/// A scheduler that runs on one message set.
pub trait CycleScheduler: fmt::Debug + Send {
    /// Adds the messages of the next cycle to `sent`, ascending, and returns the reason.
    fn next(&mut self, pending: &mut Pending, generator: &mut Generator, sent: &mut Vec<u32>) -> CycleRule;

    /// Returns the number of cycles that the pseudo-code still executes, idle, after the last
    /// arrival.
    fn idle_rest(&self) -> u64 {
        0
    }

    /// Returns whether the scheduler always sends all remaining messages. If the network is
    /// deterministic too, a cycle without arrivals then repeats endlessly.
    fn sends_all(&self) -> bool {
        false
    }

    /// Returns whether messages are routed through random intermediate processors: in the first
    /// phase to the intermediate processors, in the second phase to the destinations.
    fn detours(&self) -> bool {
        false
    }

    /// Starts the second phase, once all messages are at their intermediate processors.
    fn start_second_phase(&mut self) {}
}

/// The result that the paper proves about an algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleProof {
    /// RANDOM with suitable constants needs O(lambda + lg n lg lg n) cycles.
    Theorem8,
    /// RANDOM interleaved with single messages ends within 2|M| cycles (end of section 4).
    Section4,
    /// A message set exists on which GREEDY needs Omega(lambda lg n) cycles.
    Theorem9,
    /// RANDOM' needs O(lambda) cycles if channels are wide.
    Theorem11,
    /// The modified RANDOM' needs O(lambda lg^2 n) cycles on the second network.
    Section6,
    /// Half of all messages are expected to cross the middle in each phase of Valiant's detour.
    Section1,
}

impl fmt::Display for CycleProof {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Theorem8 => "Theorem 8",
            Self::Section4 => "Section 4",
            Self::Theorem9 => "Theorem 9",
            Self::Theorem11 => "Theorem 11",
            Self::Section6 => "Section 6",
            Self::Section1 => "Section 1",
        })
    }
}

/// A constructor of a scheduler for a number of processors.
type Start = fn(&ScheduleConstants, processors: u32) -> Box<dyn CycleScheduler>;

/// The scheduler of an entry of [`crate::routing::ALGORITHMS`].
#[derive(Clone, Copy)]
pub struct CycleAlgorithm {
    /// `true` if the scheduler uses k1, k2 and r.
    pub uses_constants: bool,
    /// `true` if the scheduler draws random numbers.
    pub is_random: bool,
    /// The proved result.
    pub proof: CycleProof,
    /// The constructor of the scheduler.
    pub start: Start,
}

/// Name of the paper in lists.
const PAPER: &str = "Greenberg & Leiserson";
