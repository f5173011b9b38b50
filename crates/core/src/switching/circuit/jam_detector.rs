//! Detection of jams: the backlog grows because fewer messages are transmitted than generated.

/// A detector of jams that watches the backlog of waiting messages.
///
/// A backlog alone is weak evidence: a queue that is busy 99% of the time sometimes holds hundreds
/// of messages, and all of them proceed. A network jams if, since it was last calm, significantly
/// fewer transmissions have ended than messages were generated. The start of the jam is the end of
/// the last calm period, whatever the backlog at the time of detection.
#[derive(Clone, Debug)]
pub(super) struct JamDetector {
    /// Largest backlog of a calm network: one message for each node, at most the cap.
    pub(super) calm_backlog: u64,
    /// Backlog beyond which the next check takes place.
    pub(super) next_check: u64,
    /// Backlog beyond which the network counts as jammed without a test.
    max_backlog: u64,
    /// End of the last calm period, and the number of transmissions up to then.
    since: (f64, u64),
}

/// Number of standard deviations by which transmissions must fall short of messages. By chance,
/// this happens once in three million times.
const JAM_SIGMAS: f64 = 5.0;

impl JamDetector {
    /// Creates a detector whose first check takes place when more than `cap` messages wait among
    /// `nodes` nodes.
    pub(super) fn new(cap: u64, nodes: u64) -> Self {
        Self {
            calm_backlog: nodes.min(cap),
            next_check: cap,
            max_backlog: cap.saturating_mul(2).max(MIN_JAM_BACKLOG),
            since: (0.0, 0),
        }
    }

    /// Records that the calm ends at `time`, after `transmitted` transmissions.
    #[cold]
    pub(super) fn calm_ended(&mut self, time: f64, transmitted: u64) {
        self.since = (time, transmitted);
    }

    /// Returns the start of the jam and the transmissions per unit of time since then, `None`
    /// without a jam.
    ///
    /// At `time`, `backlog` messages wait and `transmitted` transmissions have ended. `rate` is the
    /// number of messages generated per unit of time. Without a jam, the next check takes place
    /// when a quarter more messages wait.
    pub(super) fn check(&mut self, backlog: u64, time: f64, transmitted: u64, rate: f64) -> Option<(f64, f64)> {
        let (since, before) = self.since;
        let (span, ended) = (time - since, (transmitted - before) as f64);
        let expected = rate * span;
        if backlog > self.max_backlog || ended < expected - JAM_SIGMAS * expected.sqrt() {
            return Some((since, if span > 0.0 { ended / span } else { 0.0 }));
        }
        self.next_check = (self.next_check + self.next_check / 4).max(self.next_check + 1).min(self.max_backlog);
        None
    }
}

/// Lower bound of the backlog beyond which a network counts as jammed without a test.
const MIN_JAM_BACKLOG: u64 = 1 << 16;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reports_jam_for_low_throughput_or_excessive_backlog() {
        let mut jam = JamDetector::new(1000, 8);
        jam.calm_ended(10.0, 40);
        // 9,900 transmissions are within one standard deviation of 10,000 messages.
        assert_eq!(jam.check(1001, 1010.0, 40 + 9_900, 10.0), None);
        assert_eq!(jam.next_check, 1250);
        assert_eq!(jam.check(1251, 1010.0, 40 + 9_000, 10.0), Some((10.0, 9.0)));
        // The largest backlog that is not a jam by itself is checked again.
        jam.next_check = MIN_JAM_BACKLOG;
        assert_eq!(jam.check(MIN_JAM_BACKLOG, 1010.0, 40 + 10_000, 10.0), None);
        assert_eq!(jam.next_check, MIN_JAM_BACKLOG);
        assert_eq!(jam.check(70_000, 1010.0, 40 + 10_000, 10.0), Some((10.0, 10.0)));
    }
}
