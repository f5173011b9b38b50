//! Journals: the results of a sweep as an append-only file with a header, then a record for each
//! completed task. Incomplete and modified records are detected.
//!
//! A file begins with [`MAGIC`]. The header and every record follow as their length in bytes, the
//! CRC-32 of their bytes (both 32 bits, little endian) and the bytes, in the postcard format.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::checksum::crc32;
use super::{Shard, Sweep, Task};
use crate::{Experiment, Tally};
use faultlab_core::VERSION;

/// First bytes of every journal; the last one is the number of the format.
///
/// Format 2 has other tallies of circuits, of pairs and of worms than format 1.
pub const MAGIC: [u8; 16] = *b"faultlab journ 2";

/// Maximum length of a record: the largest tallies, of wormhole experiments with thousands of runs,
/// have some megabytes.
const MAX_RECORD: u32 = 1 << 28;

/// Header of a journal. A run continues only a journal with the same header.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct JournalHeader {
    /// Version of Faultlab: other versions may produce other numbers.
    pub version: String,
    /// Identification of the run: the text of an experiment without its view, or a command.
    pub about: String,
    /// Text in its original form.
    pub text: String,
    /// Shard of the sweep in this journal.
    pub shard: Shard,
}

impl JournalHeader {
    /// Creates the header for a sweep of `experiment`.
    pub fn from_experiment(experiment: &Experiment, shard: Shard) -> Self {
        Self { about: Sweep::cache_key(experiment), text: experiment.to_string(), ..Self::about(String::new(), shard) }
    }

    /// Creates the header for the run that `about` identifies.
    pub fn about(about: String, shard: Shard) -> Self {
        Self { version: VERSION.into(), text: about.clone(), about, shard }
    }
}

/// Identifier of a sweep, a hash of its experiment, which assigns records to one of several sweeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SweepId(u64);

impl SweepId {
    /// Returns the identifier of the sweep of `experiment`.
    pub fn from_experiment(experiment: &Experiment) -> Self {
        let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(Sweep::cache_key(experiment).bytes().fold(0xcbf2_9ce4_8422_2325, step))
    }
}

/// Result of one task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskRecord {
    /// Sweep of the task.
    pub sweep: SweepId,
    /// Task that was completed.
    pub task: Task,
    /// Tally of the task.
    pub tally: Tally,
}

/// Encodes a header or a record as the bytes to append.
pub fn encode_frame(part: &impl Serialize) -> Vec<u8> {
    let bytes = postcard::to_allocvec(part).unwrap_or_default();
    let mut frame = Vec::with_capacity(bytes.len() + 8);
    frame.extend((bytes.len() as u32).to_le_bytes());
    frame.extend(crc32(&bytes).to_le_bytes());
    frame.extend(bytes);
    frame
}

/// Error of reading a journal.
#[derive(Debug)]
#[non_exhaustive]
pub enum JournalError {
    /// I/O error.
    Io(io::Error),
    /// The data does not begin like a journal.
    NoJournal,
    /// The journal has another format, with this number.
    OtherFormat(char),
    /// The header is damaged, or of another version.
    Head,
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NoJournal => f.write_str("it is not a Faultlab journal"),
            Self::OtherFormat(number) => {
                let [.., here] = MAGIC.map(char::from);
                write!(
                    f,
                    "it has format {number} of journals, but this version of Faultlab reads and writes format {here}; \
                     continue it with the version that wrote it, or give another file to start again"
                )
            }
            Self::Head => f.write_str("its header is damaged, or of another version of Faultlab"),
        }
    }
}

impl std::error::Error for JournalError {}

impl From<io::Error> for JournalError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// Content of a journal.
#[derive(Clone, Debug)]
pub struct Journal {
    /// Header of the journal.
    pub head: JournalHeader,
    /// Results of the tasks in the journal.
    pub known: TaskResults,
    /// Length of the valid part in bytes. Bytes after it are incomplete or were modified.
    pub whole: u64,
}

impl Journal {
    /// Reads the valid part of a journal; `None` if the data is empty or ends within the header.
    ///
    /// # Errors
    /// Returns an error if the data is not a journal, or cannot be read.
    pub fn read(mut source: impl Read) -> Result<Option<Self>, JournalError> {
        let mut magic = Vec::new();
        source.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic)?;
        if !MAGIC.starts_with(&magic) {
            let number = magic.strip_prefix(&MAGIC[..MAGIC.len() - 1]);
            return Err(match number {
                Some(&[number]) if number.is_ascii_digit() => JournalError::OtherFormat(number.into()),
                _ => JournalError::NoJournal,
            });
        }
        let mut whole = MAGIC.len() as u64;
        let head = match frame(&mut source)? {
            JournalFrame::Truncated => return Ok(None),
            JournalFrame::Damaged => return Err(JournalError::Head),
            JournalFrame::Complete(bytes) => bytes,
        };
        whole += head.len() as u64 + 8;
        let head: JournalHeader = parsed(&head).ok_or(JournalError::Head)?;
        let mut known = TaskResults::default();
        while let JournalFrame::Complete(bytes) = frame(&mut source)? {
            let Some(record) = parsed::<TaskRecord>(&bytes).filter(|record| record.tally.trials == record.task.count)
            else {
                break;
            };
            whole += bytes.len() as u64 + 8;
            known.add(record);
        }
        Ok(Some(Self { head, known, whole }))
    }
}

enum JournalFrame {
    Complete(Vec<u8>),
    /// The data ends before the frame does.
    Truncated,
    /// The checksum or the length is invalid.
    Damaged,
}

fn frame(source: &mut impl Read) -> io::Result<JournalFrame> {
    let mut numbers = Vec::new();
    source.by_ref().take(8).read_to_end(&mut numbers)?;
    let (Some(length), Some(sum)) = (word(&numbers, 0), word(&numbers, 4)) else { return Ok(JournalFrame::Truncated) };
    if length > MAX_RECORD {
        return Ok(JournalFrame::Damaged);
    }
    let mut bytes = Vec::new();
    source.by_ref().take(length.into()).read_to_end(&mut bytes)?;
    Ok(match bytes.len() as u64 == u64::from(length) {
        false => JournalFrame::Truncated,
        true if crc32(&bytes) == sum => JournalFrame::Complete(bytes),
        true => JournalFrame::Damaged,
    })
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// Deserializes a value that must use all of `bytes`.
fn parsed<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::take_from_bytes(bytes).ok().filter(|(_, rest)| rest.is_empty()).map(|(value, _)| value)
}

/// Results of tasks, by sweep and task.
#[derive(Clone, Debug, Default)]
pub struct TaskResults {
    tallies: HashMap<(SweepId, u32, u64), Tally>,
}

impl TaskResults {
    /// Adds the result of a task. Returns `false` if a different result of the task is known.
    pub fn add(&mut self, record: TaskRecord) -> bool {
        let place = (record.sweep, record.task.slot, record.task.first);
        match self.tallies.get(&place) {
            Some(before) => *before == record.tally,
            None => {
                self.tallies.insert(place, record.tally);
                true
            }
        }
    }

    /// Adds all results of `other`. Returns the slot of a task with contradicting results, if there
    /// is one.
    pub fn merge(&mut self, other: Self) -> Option<u32> {
        let mut differing = None;
        for ((sweep, slot, first), tally) in other.tallies {
            let task = Task { slot, first, count: tally.trials };
            if !self.add(TaskRecord { sweep, task, tally }) {
                differing = Some(slot);
            }
        }
        differing
    }

    /// Returns the result of `task`.
    pub fn get(&self, sweep: SweepId, task: Task) -> Option<&Tally> {
        self.tallies.get(&(sweep, task.slot, task.first)).filter(|tally| tally.trials == task.count)
    }

    /// Returns the number of known tasks.
    pub fn len(&self) -> usize {
        self.tallies.len()
    }

    /// Returns whether no tasks are known.
    pub fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }

    /// Advances `sweep` with the known results, without running any task.
    pub fn replay(&self, sweep: &mut Sweep) {
        let id = SweepId::from_experiment(sweep.experiment());
        let mut unknown = Vec::new();
        while let Some(task) = sweep.next_task() {
            match self.get(id, task) {
                Some(tally) => sweep.submit(task, tally),
                None => unknown.push(task),
            }
        }
        unknown.into_iter().rev().for_each(|task| sweep.requeue(task));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run;

    fn experiment() -> Experiment {
        "net=cube:5&faults=nodes:0.3&vary=p:0.1..0.7:4&route=sidetracking,backtracking&within=0.05".parse().unwrap()
    }

    /// Returns a complete journal, and the positions at which its records end.
    fn complete_journal() -> (Vec<u8>, Vec<usize>) {
        let experiment = experiment();
        let (mut sweep, mut bytes, mut ends) = (Sweep::new(&experiment), MAGIC.to_vec(), Vec::new());
        bytes.extend(encode_frame(&JournalHeader::from_experiment(&experiment, Shard::WHOLE)));
        while let Some(task) = sweep.next_task() {
            ends.push(bytes.len());
            let tally = Sweep::sampler(&experiment, task.slot).unwrap().run(task.first, task.count);
            bytes.extend(encode_frame(&TaskRecord {
                sweep: SweepId::from_experiment(&experiment),
                task,
                tally: tally.clone(),
            }));
            sweep.submit(task, &tally);
        }
        ends.push(bytes.len());
        (bytes, ends)
    }

    #[test]
    fn recovers_to_last_record_after_truncation() {
        let (bytes, ends) = complete_journal();
        assert!(ends.len() > 8, "{ends:?}");
        for cut in 0..=bytes.len() {
            match Journal::read(&bytes[..cut]).unwrap() {
                None => assert!(cut < ends[0], "{cut}"),
                Some(journal) => {
                    let whole = ends.iter().copied().filter(|&end| end <= cut).max().unwrap();
                    assert_eq!(
                        (journal.whole, journal.head),
                        (whole as u64, JournalHeader::from_experiment(&experiment(), Shard::WHOLE))
                    );
                    assert_eq!(journal.known.len(), ends.iter().filter(|&&end| end <= cut).count() - 1);
                }
            }
        }
    }

    #[test]
    fn flipped_bits_are_detected() {
        let (bytes, ends) = complete_journal();
        for at in 0..bytes.len() {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << (at % 8);
            let Ok(Some(journal)) = Journal::read(changed.as_slice()) else {
                assert!(at < ends[0], "{at}");
                continue;
            };
            assert!(journal.whole as usize <= at, "{at}");
        }
    }

    #[test]
    fn other_formats_are_named() {
        let (mut bytes, _) = complete_journal();
        bytes[15] = b'1';
        let error = Journal::read(bytes.as_slice()).unwrap_err();
        assert!(matches!(error, JournalError::OtherFormat('1')), "{error}");
        let said = error.to_string();
        assert!(["format 1", "format 2", "the version that wrote it"].iter().all(|part| said.contains(part)), "{said}");
        bytes[15] = b'x';
        assert!(matches!(Journal::read(bytes.as_slice()), Err(JournalError::NoJournal)));
    }

    #[test]
    fn replayed_records_are_not_run_again() {
        let (bytes, ends) = complete_journal();
        let experiment = experiment();
        let mut whole = Sweep::new(&experiment);
        run(&mut whole);
        for &end in &ends {
            let known = Journal::read(&bytes[..end]).unwrap().unwrap().known;
            let mut sweep = Sweep::new(&experiment).in_turn();
            known.replay(&mut sweep);
            assert_eq!(sweep.is_done(), end == bytes.len());
            run(&mut sweep);
            for (one, other) in sweep.points().iter().zip(whole.points()) {
                assert_eq!((&one.tally, one.status), (&other.tally, other.status));
            }
        }
    }
}
