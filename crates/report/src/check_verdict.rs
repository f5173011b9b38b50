//! Verdict of a check on one algorithm: a mark and one sentence.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::wording::count;
use faultlab_experiment::deadlock::DeadlockVerdict;

/// Mark of a verdict, from the best to the worst.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum VerdictMark {
    /// Everything that was checked holds.
    Holds,
    /// Something holds for a part of the messages, or is undecided.
    Partly,
    /// Something fails.
    Fails,
}

impl VerdictMark {
    /// Every mark, the best one first.
    pub const ALL: [Self; 3] = [Self::Holds, Self::Partly, Self::Fails];

    /// Returns the sign of the mark, the same as in the rule editor.
    pub fn sign(self) -> &'static str {
        match self {
            Self::Holds => "✓",
            Self::Partly => "!",
            Self::Fails => "✕",
        }
    }

    /// Returns the meaning of the mark in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Partly => "holds in part, or is undecided",
            Self::Fails => "fails",
        }
    }

    /// Returns the identifier of the mark.
    pub fn id(self) -> &'static str {
        match self {
            Self::Holds => "holds",
            Self::Partly => "partly",
            Self::Fails => "fails",
        }
    }
}

/// Result of a check on one algorithm, in one sentence that names the algorithm.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckVerdict {
    /// Mark of the sentence.
    pub mark: VerdictMark,
    /// Sentence, with its full stop.
    pub sentence: String,
}

impl fmt::Display for CheckVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.mark.sign(), self.sentence)
    }
}

/// Clause of a verdict's sentence, with its mark.
pub(crate) type Clause = (VerdictMark, String);

impl CheckVerdict {
    /// Joins clauses to the sentence; the worst mark is the mark of the verdict.
    pub(crate) fn from_clauses(clauses: impl IntoIterator<Item = Clause>) -> Self {
        let (marks, words): (Vec<_>, Vec<_>) = clauses.into_iter().unzip();
        Self { mark: marks.into_iter().max().unwrap_or(VerdictMark::Partly), sentence: words.join("; ") + "." }
    }
}

/// Returns the clause on deadlocks under the algorithm called `name`.
pub(crate) fn deadlock_clause(name: &str, verdict: &DeadlockVerdict) -> Clause {
    match verdict {
        DeadlockVerdict::ProvedFree { .. } => (VerdictMark::Holds, format!("{name} is proved free of deadlock")),
        DeadlockVerdict::Deadlocks(seen) => (VerdictMark::Fails, deadlocks(name, seen.messages.len())),
        DeadlockVerdict::Undecided { .. } => {
            (VerdictMark::Partly, format!("{name} is neither proved free of deadlock nor seen to deadlock"))
        }
    }
}

/// Returns the clause that `messages` messages deadlock under the algorithm called `name`.
fn deadlocks(name: &str, messages: usize) -> String {
    match messages {
        1 => format!("{name} can deadlock: a message can wait for itself"),
        _ => format!("{name} can deadlock: {} can wait for each other", count(messages as u32, "message")),
    }
}

#[cfg(test)]
mod tests {
    use crate::kinds::proved;

    /// Returns the verdicts on the algorithms of an experiment.
    fn verdicts(text: &str) -> Vec<String> {
        let checked = proved(&text.parse().unwrap(), false).unwrap();
        (0..checked.names().len()).map(|number| checked.verdict(number).to_string()).collect()
    }

    #[test]
    fn worms_are_judged_by_deadlock_and_arrivals() {
        let found = verdicts("net=mesh:4x4&switch=wormhole&faults=none&break=1.1&route=f-cube2,west-first");
        assert!(found[0].ends_with(" is proved free of deadlock; the messages of all 210 pairs arrive."), "{found:?}");
        assert!(found[1].starts_with("✕ ") && found[1].ends_with(" pairs can be lost."), "{found:?}");
    }

    #[test]
    fn single_messages_are_judged_by_their_probability_of_arrival() {
        let found = verdicts("net=cube:3&faults=none&break=1,2,4&route=sidetracking");
        assert_eq!(found, ["✕ No live path leads from the source to the destination: no algorithm can deliver."]);
        assert!(verdicts("net=cube:3&faults=none&route=sidetracking")[0].starts_with("✓ Under sidetracking the "));
    }

    #[test]
    fn circuits_are_judged_by_deadlock_and_pairs_cut_off() {
        let found = verdicts("v=2&net=cube:4&switch=circuit&route=e-cube,minimal&faults=none");
        assert_eq!(found[0], "✓ e-cube is proved free of deadlock; the faults cut off none of 240 pairs.");
        assert!(found[1].starts_with("✕ any minimal path can deadlock: 4 messages can wait for each other; "));
        let found = verdicts("v=2&switch=pairs&break=24_1&route=e-cube");
        assert!(found[0].starts_with("! ") && found[0].contains("cut off 16 of 992 pairs"), "{found:?}");
    }

    #[test]
    fn permutations_are_judged_by_their_claims() {
        let found = verdicts("v=2&switch=batch&net=cube:4&route=algorithm-a,algorithm-b");
        assert!(found[0].starts_with("✕ ") && found[0].contains("can deadlock: 2 messages"), "{found:?}");
        assert!(found[1].starts_with("✓ ") && found[1].contains("applicable bounds hold"), "{found:?}");
    }

    #[test]
    fn delivery_cycles_are_judged_by_their_end() {
        let found = verdicts("v=2&switch=delivery&route=greedy");
        assert_eq!(found, ["✓ GREEDY delivers all messages in 7 cycles, and at least 5 are needed."]);
    }
}
