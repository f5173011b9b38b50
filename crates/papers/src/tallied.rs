//! How many verdicts of each sort there are, in words.

use super::Verdict;

/// How many published numbers and claims came to which verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tallied {
    /// Come out again.
    pub reproduced: usize,
    /// Come close.
    pub close: usize,
    /// Do not come out again.
    pub failed: usize,
    /// Too little tells, so far.
    pub undecided: usize,
}

impl Tallied {
    /// The counts of `verdicts`. What has no number in the paper is no verdict.
    pub fn of(verdicts: impl Iterator<Item = Verdict>) -> Self {
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

    /// All that are compared.
    pub fn all(self) -> usize {
        self.reproduced + self.close + self.failed + self.undecided
    }

    /// Such as "623 of 672 reproduced, 4 close, 38 not reproduced, 7 undecided".
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
