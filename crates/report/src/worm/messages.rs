//! Files with the messages of a run of worms, a line for each.

use crate::files::record::{self, Record};
use faultlab_experiment::Sweep;
use faultlab_experiment::worm::{MessageOutcome, MessageRecord, message_records};

/// Columns of a message.
const COLUMNS: [&str; 14] = [
    "series",
    "x",
    "run",
    "message",
    "from",
    "to",
    "generated",
    "injected",
    "finished",
    "latency",
    "hops",
    "length",
    "outcome",
    "counted",
];

/// Returns the messages of the first counted run of every point as CSV:
/// `series,x,run,message,from,to,generated,injected,finished,latency,hops,length,outcome,counted`.
///
/// # Errors
/// As [`message_records`].
pub fn csv(sweep: &Sweep) -> Result<String, String> {
    let mesh = sweep.experiment().network.wormhole_mesh();
    let mut lines = Vec::new();
    for point in sweep.points() {
        let records = message_records(point)?;
        let node = |node| mesh.map_or_else(String::new, |mesh| mesh.format_node(node));
        let line = |message: &MessageRecord| {
            let record = Record::default().with("series", &*point.algorithm.id).with("x", point.x);
            let record = record.with("run", records.run).with("message", message.number);
            let record = record.with("from", node(message.from)).with("to", message.to.map(node));
            let record = record.with("generated", message.generated).with("length", u32::from(message.length));
            with_outcome(record, message)
        };
        lines.extend(records.messages.iter().map(line));
    }
    Ok(record::csv(sweep.experiment(), &COLUMNS, &lines))
}

fn with_outcome(record: Record, message: &MessageRecord) -> Record {
    match message.outcome {
        MessageOutcome::Delivered { injected, finished, hops, is_counted } => {
            let record = record.with("injected", injected).with("finished", finished);
            let record = record.with("latency", finished - message.generated).with("hops", hops);
            record.with("outcome", "delivered").with("counted", is_counted)
        }
        MessageOutcome::Discarded => record.with("outcome", "discarded").with("counted", false),
        MessageOutcome::Lost => record.with("outcome", "lost").with("counted", false),
        MessageOutcome::InFlight => record.with("outcome", "in-flight").with("counted", false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::run;

    #[test]
    fn every_message_has_a_line() {
        let text = "v=2&net=mesh:4x4&switch=wormhole&faults=none&route=e-cube,west-first&vary=load:0.1,0.3&length=4&within=0.3";
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        let csv = csv(&sweep).unwrap();
        let lines: Vec<_> = csv.lines().filter(|line| !line.starts_with('#')).collect();
        assert_eq!(lines[0], COLUMNS.join(","));
        for series in ["e-cube,0.1,", "e-cube,0.3,", "west-first,0.1,", "west-first,0.3,"] {
            let found: Vec<_> = lines.iter().filter(|line| line.starts_with(series)).collect();
            assert!(found.len() > 100 && found[0].split(',').nth(3) == Some("0"), "{series}: {}", found.len());
        }
        let fields: Vec<_> = lines[1].split(',').collect();
        let number = |column: usize| fields[column].parse::<u64>().unwrap();
        assert_eq!(number(9), number(8) - number(6), "{}", lines[1]);
    }
}
