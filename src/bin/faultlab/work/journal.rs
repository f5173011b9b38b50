//! Journals as files.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use faultlab::VERSION;
use faultlab::experiment::Experiment;
use faultlab::experiment::journal::{Head, Journal, JournalError, Known, MAGIC, Record, framed};

use crate::output::{Failure, note};

/// Between two times at which what was written is made to reach the disk: a machine that fails loses so much at most.
const SYNC: Duration = Duration::from_secs(2);

/// What is known, and where more is kept.
#[derive(Clone)]
pub(crate) struct Keeping(Arc<Inner>);

struct Inner {
    known: Known,
    file: Mutex<Open>,
}

/// A journal that is open.
struct Open {
    path: PathBuf,
    file: File,
    synced: Instant,
}

impl Keeping {
    /// Opens the journal at `path` to go on with it, or begins one there. Nobody else may have it open.
    pub(crate) fn at(path: &Path, head: &Head) -> Result<Self, Failure> {
        let cannot = |why: String| Failure::System(format!("journal {}: {why}", path.display()));
        // Opening a named pipe would wait for its other end.
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            let why = "it is not a regular file; accepted: a journal of this run, or a file that does not exist yet";
            return Err(Failure::BadInput(format!("journal {}: {why}", path.display())));
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.map_err(|error| cannot(error.to_string()))?;
        file.try_lock().map_err(|_| cannot("another process writes it".into()))?;
        let length = file.metadata().map_err(|error| cannot(error.to_string()))?.len();
        let beginning = [MAGIC.to_vec(), framed(head)].concat();
        let found = Journal::read(BufReader::new(&file));
        let found = found.map_err(|why| Failure::BadInput(format!("journal {}: {why}", path.display())))?;
        let (whole, known) = match found {
            Some(journal) => {
                check_head(path, &journal.head, head)?;
                (journal.whole, journal.known)
            }
            None => {
                // What was not written to its end is the beginning of what is written now; anything else is somebody's.
                let mut there = Vec::new();
                let again = file.rewind().and_then(|()| (&file).take(1 << 20).read_to_end(&mut there));
                again.map_err(|error| cannot(error.to_string()))?;
                if !beginning.starts_with(&there) {
                    return Err(Failure::BadInput(format!("journal {}: {}", path.display(), JournalError::Head)));
                }
                (0, Known::default())
            }
        };
        let mut begin = || {
            file.set_len(whole)?;
            file.seek(SeekFrom::Start(whole))?;
            if whole == 0 {
                file.write_all(&beginning)?;
            }
            file.sync_data()
        };
        begin().map_err(|error| cannot(error.to_string()))?;
        if !known.is_empty() {
            let torn = length - whole;
            let dropped = if torn > 0 {
                format!("; {torn} bytes at its end were not whole and are dropped")
            } else {
                String::new()
            };
            note(&format!("journal {}: goes on after {} tasks{dropped}", path.display(), known.len()));
        }
        let open = Open { path: path.to_owned(), file, synced: Instant::now() };
        Ok(Self(Arc::new(Inner { known, file: Mutex::new(open) })))
    }

    /// What was known when it was opened.
    pub(crate) fn known<T>(&self, ask: impl FnOnce(&Known) -> T) -> T {
        ask(&self.0.known)
    }

    /// Adds what a task came to.
    pub(crate) fn add(&self, record: &Record) -> Result<(), String> {
        let bytes = framed(record);
        let mut open = self.0.file.lock().unwrap_or_else(PoisonError::into_inner);
        let mut written = open.file.write_all(&bytes);
        if open.synced.elapsed() >= SYNC {
            written = written.and_then(|()| open.file.sync_data());
            open.synced = Instant::now();
        }
        written.map_err(|error| format!("cannot write journal {}: {error}", open.path.display()))
    }
}

/// The head of the journal of an experiment.
pub(crate) fn head_of(experiment: &Experiment, shard: Option<(u32, u32)>) -> Head {
    Head::of(experiment, shard.unwrap_or((1, 1)))
}

/// Reads a journal that somebody else may be writing.
pub(crate) fn read(path: &Path) -> Result<Journal, Failure> {
    let bad = |why: String| Failure::BadInput(format!("journal {}: {why}", path.display()));
    let file = File::open(path).map_err(|error| bad(error.to_string()))?;
    let found = Journal::read(BufReader::new(file)).map_err(|why| bad(why.to_string()))?;
    found.ok_or_else(|| bad("there is nothing in it yet".into()))
}

/// Checks that the journal at `path`, which begins with `found`, is the journal of `wanted`.
fn check_head(path: &Path, found: &Head, wanted: &Head) -> Result<(), Failure> {
    let other = |found: &str, wanted: &str| {
        let why = format!("it is that of {found}, not of {wanted}; take another file");
        Err(Failure::BadInput(format!("journal {}: {why}", path.display())))
    };
    if found.about != wanted.about {
        return other(&found.about, &wanted.about);
    }
    check_version(path, found)?;
    let share = |(share, of): (u32, u32)| if of == 1 { "all points".to_owned() } else { format!("shard {share}/{of}") };
    if found.shard != wanted.shard {
        return other(&share(found.shard), &share(wanted.shard));
    }
    Ok(())
}

/// Checks that the journal at `path`, which begins with `found`, is of this version of Faultlab.
/// Another version may come to other numbers.
pub(crate) fn check_version(path: &Path, found: &Head) -> Result<(), Failure> {
    if found.version != VERSION {
        let why = format!("it was begun by Faultlab {}, and this is {VERSION}; take another file", found.version);
        return Err(Failure::BadInput(format!("journal {}: {why}", path.display())));
    }
    Ok(())
}
