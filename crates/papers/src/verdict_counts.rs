//! Counts of verdicts, and their summary in words.

use super::Verdict;

/// Counts of published numbers and claims, by verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct VerdictCounts {
    /// Count of "reproduced".
    pub reproduced: usize,
    /// Count of "close".
    pub close: usize,
    /// Count of "not reproduced".
    pub failed: usize,
    /// Count of "undecided": too little data so far.
    pub undecided: usize,
}

impl VerdictCounts {
    /// Counts `verdicts`. Cells without a published number are ignored.
    pub fn from_verdicts(verdicts: impl Iterator<Item = Verdict>) -> Self {
        verdicts.fold(Self::default(), |mut counts, verdict| {
            match verdict {
                Verdict::Reproduced => counts.reproduced += 1,
                Verdict::Close => counts.close += 1,
                Verdict::NotReproduced => counts.failed += 1,
                Verdict::Undecided => counts.undecided += 1,
                Verdict::NoNumber => {}
            }
            counts
        })
    }

    /// Returns the number of all compared numbers and claims.
    pub fn all(self) -> usize {
        self.reproduced + self.close + self.failed + self.undecided
    }

    /// Summarizes the counts, such as "623 of 672 reproduced, 4 close, 38 not reproduced, 7
    /// undecided".
    pub fn words(self) -> String {
        if self.all() == 0 {
            return "no number to compare with".to_owned();
        }
        let others =
            [(self.close, Verdict::Close), (self.failed, Verdict::NotReproduced), (self.undecided, Verdict::Undecided)];
        let others =
            others.iter().filter(|(count, _)| *count > 0).map(|(count, verdict)| format!(", {count} {}", verdict.id()));
        format!("{} of {} reproduced{}", self.reproduced, self.all(), others.collect::<String>())
    }
}
