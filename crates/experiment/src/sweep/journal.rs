//! What a sweep has come to so far, as bytes that grow: a head, then a record for each task that has been run. A record that was not
//! written to its end is recognised, and so is one that was changed.
//!
//! A file begins with [`MAGIC`]. The head and every record follow as their length in bytes, the CRC-32 of their bytes (both 32 bits, the
//! lowest first) and the bytes, in the postcard format.

use std::collections::HashMap;
use std::fmt;
use std::io::{self, Read};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::checksum::crc32;
use super::{Sweep, Task};
use crate::{Experiment, Tally};
use faultlab_core::VERSION;

/// The first bytes of every journal, with the number of the format.
pub const MAGIC: [u8; 16] = *b"faultlab journ 1";

/// A longer record is none: the largest tallies, of worms with thousands of runs, have some megabytes.
const MAX_RECORD: u32 = 1 << 28;

/// What a journal belongs to. Only with the same head is it gone on with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The version of Faultlab: another one may come to other numbers.
    pub version: String,
    /// What is run: the text of an experiment without what only decides how it is looked at, or a command.
    pub about: String,
    /// The text as it was given first.
    pub text: String,
    /// The share of the points that it has, the first of how many; (1, 1) where it has all.
    pub shard: (u32, u32),
}

impl Head {
    /// That of a sweep of `experiment`.
    pub fn of(experiment: &Experiment, shard: (u32, u32)) -> Self {
        Self { about: Sweep::question(experiment), text: experiment.to_string(), ..Self::about(String::new(), shard) }
    }

    /// That of what `about` says.
    pub fn about(about: String, shard: (u32, u32)) -> Self {
        Self { version: VERSION.into(), text: about.clone(), about, shard }
    }
}

/// Of which of several sweeps a record is: a number that follows from its experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
pub struct SweepId(u64);

impl SweepId {
    /// That of the sweep of `experiment`.
    pub fn of(experiment: &Experiment) -> Self {
        let step = |hash: u64, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        Self(Sweep::question(experiment).bytes().fold(0xcbf2_9ce4_8422_2325, step))
    }
}

/// What one task came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The sweep of which it is.
    pub sweep: SweepId,
    /// The task.
    pub task: Task,
    /// Its tally.
    pub tally: Tally,
}

/// The bytes of a head or a record, as they are appended.
pub fn framed(part: &impl Serialize) -> Vec<u8> {
    let bytes = postcard::to_allocvec(part).unwrap_or_default();
    let mut frame = Vec::with_capacity(bytes.len() + 8);
    frame.extend((bytes.len() as u32).to_le_bytes());
    frame.extend(crc32(&bytes).to_le_bytes());
    frame.extend(bytes);
    frame
}

/// Why there is no journal in what was read.
#[derive(Debug)]
#[non_exhaustive]
pub enum JournalError {
    /// It cannot be read.
    Io(io::Error),
    /// It begins as no journal does.
    NoJournal,
    /// Its head is damaged, or that of a later version.
    Head,
}

impl fmt::Display for JournalError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::NoJournal => f.write_str("it is no journal of Faultlab"),
            Self::Head => f.write_str("its beginning is damaged, or of another version of Faultlab"),
        }
    }
}

impl std::error::Error for JournalError {}

impl From<io::Error> for JournalError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

/// What was read of a journal.
#[derive(Clone, Debug)]
pub struct Journal {
    /// Its head.
    pub head: Head,
    /// What its tasks came to.
    pub known: Known,
    /// Its length as far as it is whole, in bytes: what comes behind, if anything, was not written to its end, or was changed.
    pub whole: u64,
}

impl Journal {
    /// Reads a journal, as far as it is whole; `None` where there is nothing, or no more than a part of a head.
    ///
    /// # Errors
    /// It is no journal, or cannot be read.
    pub fn read(mut source: impl Read) -> Result<Option<Self>, JournalError> {
        let mut magic = Vec::new();
        source.by_ref().take(MAGIC.len() as u64).read_to_end(&mut magic)?;
        if !MAGIC.starts_with(&magic) {
            return Err(JournalError::NoJournal);
        }
        let mut whole = MAGIC.len() as u64;
        let head = match frame(&mut source)? {
            Frame::Cut => return Ok(None),
            Frame::Damaged => return Err(JournalError::Head),
            Frame::Whole(bytes) => bytes,
        };
        whole += head.len() as u64 + 8;
        let head: Head = parsed(&head).ok_or(JournalError::Head)?;
        let mut known = Known::default();
        while let Frame::Whole(bytes) = frame(&mut source)? {
            let Some(record) = parsed::<Record>(&bytes).filter(|record| record.tally.trials == record.task.count)
            else {
                break;
            };
            whole += bytes.len() as u64 + 8;
            known.add(record);
        }
        Ok(Some(Self { head, known, whole }))
    }
}

enum Frame {
    Whole(Vec<u8>),
    /// It ends before its end.
    Cut,
    /// It is not what was written.
    Damaged,
}

fn frame(source: &mut impl Read) -> io::Result<Frame> {
    let mut numbers = Vec::new();
    source.by_ref().take(8).read_to_end(&mut numbers)?;
    let (Some(length), Some(sum)) = (word(&numbers, 0), word(&numbers, 4)) else { return Ok(Frame::Cut) };
    if length > MAX_RECORD {
        return Ok(Frame::Damaged);
    }
    let mut bytes = Vec::new();
    source.by_ref().take(length.into()).read_to_end(&mut bytes)?;
    Ok(match bytes.len() as u64 == u64::from(length) {
        false => Frame::Cut,
        true if crc32(&bytes) == sum => Frame::Whole(bytes),
        true => Frame::Damaged,
    })
}

fn word(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

/// All of `bytes` is one value.
fn parsed<T: DeserializeOwned>(bytes: &[u8]) -> Option<T> {
    postcard::take_from_bytes(bytes).ok().filter(|(_, rest)| rest.is_empty()).map(|(value, _)| value)
}

/// What tasks came to, by sweep and task.
#[derive(Clone, Debug, Default)]
pub struct Known {
    tallies: HashMap<(SweepId, u32, u64), Tally>,
}

impl Known {
    /// Adds what a task came to; whether it was not known to come to something else.
    pub fn add(&mut self, record: Record) -> bool {
        let place = (record.sweep, record.task.slot, record.task.first);
        match self.tallies.get(&place) {
            Some(before) => *before == record.tally,
            None => {
                self.tallies.insert(place, record.tally);
                true
            }
        }
    }

    /// Adds all of `other`; `None` if all went well, or the slot of a task that came to something else there.
    pub fn merge(&mut self, other: Self) -> Option<u32> {
        let mut differing = None;
        for ((sweep, slot, first), tally) in other.tallies {
            let task = Task { slot, first, count: tally.trials };
            if !self.add(Record { sweep, task, tally }) {
                differing = Some(slot);
            }
        }
        differing
    }

    /// What `task` came to.
    pub fn get(&self, sweep: SweepId, task: Task) -> Option<&Tally> {
        self.tallies.get(&(sweep, task.slot, task.first)).filter(|tally| tally.trials == task.count)
    }

    /// How many tasks are known.
    pub fn len(&self) -> usize {
        self.tallies.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.tallies.is_empty()
    }

    /// Goes on with `sweep` as far as all is known, without running anything.
    pub fn replay(&self, sweep: &mut Sweep) {
        let id = SweepId::of(sweep.experiment());
        let mut unknown = Vec::new();
        while let Some(task) = sweep.next_task() {
            match self.get(id, task) {
                Some(tally) => sweep.finish(task, tally),
                None => unknown.push(task),
            }
        }
        unknown.into_iter().rev().for_each(|task| sweep.give_back(task));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run;

    fn experiment() -> Experiment {
        "net=cube:5&faults=nodes:0.3&vary=p:0.1..0.7:4&route=sidetracking,backtracking&within=0.05".parse().unwrap()
    }

    /// A whole journal, and where its records end.
    fn written() -> (Vec<u8>, Vec<usize>) {
        let experiment = experiment();
        let (mut sweep, mut bytes, mut ends) = (Sweep::new(&experiment), MAGIC.to_vec(), Vec::new());
        bytes.extend(framed(&Head::of(&experiment, (1, 1))));
        while let Some(task) = sweep.next_task() {
            ends.push(bytes.len());
            let tally = Sweep::sampler(&experiment, task.slot).unwrap().run(task.first, task.count);
            bytes.extend(framed(&Record { sweep: SweepId::of(&experiment), task, tally: tally.clone() }));
            sweep.finish(task, &tally);
        }
        ends.push(bytes.len());
        (bytes, ends)
    }

    #[test]
    fn what_is_cut_anywhere_is_whole_up_to_its_last_record() {
        let (bytes, ends) = written();
        assert!(ends.len() > 8, "{ends:?}");
        for cut in 0..=bytes.len() {
            match Journal::read(&bytes[..cut]).unwrap() {
                None => assert!(cut < ends[0], "{cut}"),
                Some(journal) => {
                    let whole = ends.iter().copied().filter(|&end| end <= cut).max().unwrap();
                    assert_eq!((journal.whole, journal.head), (whole as u64, Head::of(&experiment(), (1, 1))));
                    assert_eq!(journal.known.len(), ends.iter().filter(|&&end| end <= cut).count() - 1);
                }
            }
        }
    }

    #[test]
    fn a_bit_that_flips_is_noticed() {
        let (bytes, ends) = written();
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
    fn what_is_known_is_not_run_again() {
        let (bytes, ends) = written();
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
