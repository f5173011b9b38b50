//! Records of the messages of one run of worms.

use super::trial::{self, counted};
use crate::PointResult;
use faultlab_core::switching::{WormArrival, WormDelivery, WormObserver, WormRun};
use faultlab_core::topology::NodeId;

/// Message of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MessageRecord {
    /// Number of the message, in the order of generation.
    pub number: u64,
    /// Source.
    pub from: NodeId,
    /// Destination; `None` if the pattern has only a faulty one.
    pub to: Option<NodeId>,
    /// Cycle in which the message was generated.
    pub generated: u64,
    /// Length in flits.
    pub length: u16,
    /// Outcome.
    pub outcome: MessageOutcome,
}

/// Outcome of a message of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MessageOutcome {
    /// The tail was consumed.
    Delivered {
        /// Cycle from which the message contended for channels.
        injected: u64,
        /// Cycle after the one in which the tail was consumed.
        finished: u64,
        /// Number of channels that the message took.
        hops: u32,
        /// True if the metrics count the message: its tail was consumed after the warm-up.
        is_counted: bool,
    },
    /// The source was above its injection limit.
    Discarded,
    /// Faults left the message no route.
    Lost,
    /// The message was in the network or in a queue when the run ended.
    InFlight,
}

/// Messages of one run, and its results.
#[derive(Clone, Debug)]
pub struct RunRecords {
    /// Number of the run.
    pub run: u64,
    /// Messages, in the order of generation.
    pub messages: Vec<MessageRecord>,
    /// Results of the run, from which the metrics of the point are computed.
    pub result: WormRun,
}

/// Maximum number of messages of a run that is recorded.
const MAX_MESSAGES: u64 = 1 << 21;

/// Simulates the first counted run of a finished point again, and records its messages.
///
/// # Errors
/// Returns the reason if the point has no run of worms, or if the run has too many messages.
pub fn message_records(point: &PointResult) -> Result<RunRecords, String> {
    let none = || "the point has no run of worms to record; accepted: switch=wormhole".to_owned();
    let (run, counts) = counted(&point.tally).first().ok_or_else(none)?;
    if counts.run.generated > MAX_MESSAGES {
        return Err(format!(
            "run {run} counts {} messages; at most {MAX_MESSAGES} are recorded: use a smaller load or network, or set warmup",
            counts.run.generated
        ));
    }
    let mut measurement = trial::measurement(&point.config, &point.algorithm, *run).ok_or_else(none)?;
    let mut log = Log::default();
    let result = measurement.run_observed(&mut log);
    let from = measurement.window_start();
    for message in &mut log.0 {
        if let MessageOutcome::Delivered { finished, is_counted, .. } = &mut message.outcome {
            *is_counted = from.is_some_and(|from| *finished > from);
        }
    }
    Ok(RunRecords { run: *run, messages: log.0, result })
}

/// Messages of a run; the index of a message is its number.
#[derive(Default)]
struct Log(Vec<MessageRecord>);

impl Log {
    fn end(&mut self, number: u64, outcome: MessageOutcome) {
        if let Some(message) = self.0.get_mut(number as usize) {
            message.outcome = outcome;
        }
    }
}

impl WormObserver for Log {
    fn generated(&mut self, message: &WormArrival) {
        let WormArrival { number, from, to, cycle, length } = *message;
        self.0.push(MessageRecord { number, from, to, generated: cycle, length, outcome: MessageOutcome::InFlight });
    }

    fn discarded(&mut self, message: &WormArrival) {
        self.end(message.number, MessageOutcome::Discarded);
    }

    fn delivered(&mut self, message: &WormDelivery) {
        let WormDelivery { injected, finished, hops, .. } = *message;
        self.end(message.number, MessageOutcome::Delivered { injected, finished, hops, is_counted: false });
    }

    fn lost(&mut self, number: u64) {
        self.end(number, MessageOutcome::Lost);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Sweep, run};

    /// Sums over records equal the counts of the run, which the metrics use.
    #[test]
    fn records_add_up_to_the_counts_of_their_run() {
        for (keys, ends) in [
            ("faults=none&load=0.3&inject=16", "delivered"),
            ("faults=none&load=0.9&policy=discard&inject=1", "discarded"),
            ("faults=none&break=0.1&load=0.3&inject=16&traffic=transpose", "lost"),
            ("faults=none&traffic=0.0-3.3,1.1-2.2", "delivered"),
        ] {
            let text = format!("v=2&net=mesh:4x4&switch=wormhole&route=e-cube&{keys}&length=4&within=0.3&trials=20000");
            let mut sweep = Sweep::new(&text.parse().unwrap());
            run(&mut sweep);
            let point = &sweep.points()[0];
            let RunRecords { run, messages, result } = message_records(point).unwrap();
            let (number, counts) = counted(&point.tally).first().unwrap();
            assert_eq!(run, *number, "{keys}");
            assert_eq!(
                (result.delivered, result.latency, result.hops),
                (counts.run.delivered, counts.run.latency, counts.run.hops)
            );
            let (mut delivered, mut latency, mut all_hops, mut others) = (0, 0, 0, 0);
            for (index, message) in messages.iter().enumerate() {
                assert_eq!(message.number, index as u64);
                match message.outcome {
                    MessageOutcome::Delivered { finished, hops, is_counted: true, .. } => {
                        delivered += 1;
                        latency += finished - message.generated;
                        all_hops += u64::from(hops);
                    }
                    MessageOutcome::Discarded | MessageOutcome::Lost => others += 1,
                    _ => {}
                }
            }
            assert_eq!((delivered, latency, all_hops), (result.delivered, result.latency, result.hops), "{keys}");
            assert_eq!(others > 0, ends != "delivered", "{keys}");
        }
    }

    /// Nodes send to the nodes of their rows only, and node 3, whose row is 0, not at all.
    #[test]
    fn a_matrix_decides_who_sends_to_whom() {
        let text = "v=2&net=mesh:2x2&switch=wormhole&route=e-cube&traffic=matrix:0,1,0,0/0,0,1,0/1,0,0,1/0,0,0,0&load=0.2\
                    &length=4&within=0.3";
        let mut sweep = Sweep::new(&text.parse().unwrap());
        assert_eq!(sweep.experiment().to_string(), text);
        run(&mut sweep);
        let messages = message_records(&sweep.points()[0]).unwrap().messages;
        assert!(messages.len() > 300, "{}", messages.len());
        for message in messages {
            let pair = (message.from.0, message.to.unwrap().0);
            assert!([(0, 1), (1, 2), (2, 0), (2, 3)].contains(&pair), "{pair:?}");
        }
    }

    #[test]
    fn other_kinds_have_no_records() {
        let mut sweep = Sweep::new(&"net=cube:3&trials=100".parse().unwrap());
        run(&mut sweep);
        assert!(message_records(&sweep.points()[0]).unwrap_err().contains("switch=wormhole"));
    }
}
