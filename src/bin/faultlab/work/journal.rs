//! Journal files of the command line.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use faultlab::VERSION;
use faultlab::experiment::Experiment;
use faultlab::experiment::journal::{Head, Journal, JournalError, Known, MAGIC, Record, framed};

use crate::output::{Failure, note};

/// Interval between two syncs to disk: the most that a machine failure can lose.
const SYNC: Duration = Duration::from_secs(2);

/// Open journal, with the results that were known when it was opened.
#[derive(Clone)]
pub(crate) struct Keeping(Arc<Inner>);

struct Inner {
    known: Known,
    file: Mutex<Open>,
}

/// Open journal file.
struct Open {
    path: PathBuf,
    file: File,
    synced: Instant,
}

impl Keeping {
    /// Opens the journal at `path` to resume it, or creates it. Fails if another process has it
    /// open.
    pub(crate) fn at(path: &Path, head: &Head) -> Result<Self, Failure> {
        let cannot = |why: String| Failure::System(format!("journal {}: {why}", path.display()));
        // Opening a named pipe would block until its other end is opened.
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
                // An incomplete header is overwritten if it is a prefix of this run's header. Any
                // other content belongs to another file.
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

    /// Passes the results that were known when the journal was opened to `ask`.
    pub(crate) fn known<T>(&self, ask: impl FnOnce(&Known) -> T) -> T {
        ask(&self.0.known)
    }

    /// Appends the result of a task.
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

/// Returns the journal header of an experiment.
pub(crate) fn head_of(experiment: &Experiment, shard: Option<(u32, u32)>) -> Head {
    Head::of(experiment, shard.unwrap_or((1, 1)))
}

/// Reads a journal that another process may be writing.
pub(crate) fn read(path: &Path) -> Result<Journal, Failure> {
    let bad = |why: String| Failure::BadInput(format!("journal {}: {why}", path.display()));
    let file = File::open(path).map_err(|error| bad(error.to_string()))?;
    let found = Journal::read(BufReader::new(file)).map_err(|why| bad(why.to_string()))?;
    found.ok_or_else(|| bad("there is nothing in it yet".into()))
}

/// Checks that the journal at `path`, whose header is `found`, is the journal of `wanted`.
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

/// Checks that the journal at `path`, whose header is `found`, is of this version of Faultlab.
/// Another version may give other results.
pub(crate) fn check_version(path: &Path, found: &Head) -> Result<(), Failure> {
    if found.version != VERSION {
        let why = format!("it was begun by Faultlab {}, and this is {VERSION}; take another file", found.version);
        return Err(Failure::BadInput(format!("journal {}: {why}", path.display())));
    }
    Ok(())
}
