//! Whether a network has jammed: more and more messages wait, because fewer are transmitted than come.

/// Keeps an eye on the messages that wait.
///
/// A backlog alone says little: in a queue that is busy 99% of the time hundreds wait now and then, and all go on. What tells a jam is
/// that since the network was last calm fewer transmissions have ended than messages come in so much time, beyond chance. So the
/// jam has begun when the calm ended, whatever the backlog at which it is noticed.
#[derive(Clone, Debug)]
pub(super) struct Jam {
    /// Where no more messages wait than this, one for each node, the network is calm.
    pub(super) calm: u64,
    /// The backlog at which it is asked next.
    pub(super) next: u64,
    /// The backlog at which it counts as jammed without being asked.
    most: u64,
    /// When the calm ended last, and the transmissions up to then.
    since: (f64, u64),
}

/// By how many standard deviations fewer transmissions than messages count as a jam: by chance once in three million times.
const BEYOND_CHANCE: f64 = 5.0;

impl Jam {
    /// Asked for the first time when more than `cap` messages wait in a network of so many `nodes`.
    pub(super) fn new(cap: u64, nodes: u64) -> Self {
        Self { calm: nodes.min(cap), next: cap, most: cap.saturating_mul(2).max(MOST), since: (0.0, 0) }
    }

    /// The calm ends at `time`, after so many transmissions.
    #[cold]
    pub(super) fn stir(&mut self, time: f64, transmitted: u64) {
        self.since = (time, transmitted);
    }

    /// Whether the network has jammed, in which `backlog` messages wait at `time` after so many transmissions, where messages
    /// come at the given rate: since when, and the transmissions in a unit of time from then on. If not, it is asked again when a
    /// quarter more wait.
    pub(super) fn ask(&mut self, backlog: u64, time: f64, transmitted: u64, rate: f64) -> Option<(f64, f64)> {
        let (since, before) = self.since;
        let (span, ended) = (time - since, (transmitted - before) as f64);
        let expected = rate * span;
        if backlog > self.most || ended < expected - BEYOND_CHANCE * expected.sqrt() {
            return Some((since, if span > 0.0 { ended / span } else { 0.0 }));
        }
        self.next = (self.next + self.next / 4).max(self.next + 1).min(self.most);
        None
    }
}

/// More than so many messages are not kept waiting, if that is more than twice the cap.
const MOST: u64 = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backlog_is_a_jam_if_too_little_is_transmitted() {
        let mut jam = Jam::new(1000, 8);
        jam.stir(10.0, 40);
        // As many as come, to a standard deviation: 1000 more waited before.
        assert_eq!(jam.ask(1001, 1010.0, 40 + 9_900, 10.0), None);
        assert_eq!(jam.next, 1250);
        assert_eq!(jam.ask(1251, 1010.0, 40 + 9_000, 10.0), Some((10.0, 9.0)));
        // Asked again at the largest backlog that is no jam by itself.
        jam.next = MOST;
        assert_eq!(jam.ask(MOST, 1010.0, 40 + 10_000, 10.0), None);
        assert_eq!(jam.next, MOST);
        assert_eq!(jam.ask(70_000, 1010.0, 40 + 10_000, 10.0), Some((10.0, 10.0)));
    }
}
