//! Journal files of the command line.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use faultlab::VERSION;
use faultlab::experiment::journal::{Journal, JournalError, JournalHeader, MAGIC, Record, TaskResults, encode_frame};
use faultlab::experiment::{Experiment, Shard};

use crate::output::{CliError, note};

/// Interval between two syncs to disk: the most that a machine failure can lose.
const SYNC: Duration = Duration::from_secs(2);

/// Open journal, with the results that were known when it was opened.
#[derive(Clone)]
pub(crate) struct JournalWriter(Arc<Inner>);

struct Inner {
    known: TaskResults,
    file: Mutex<OpenJournal>,
}

/// Open journal file.
struct OpenJournal {
    path: PathBuf,
    file: File,
    synced: Instant,
}

impl JournalWriter {
    /// Opens the journal at `path` to resume it, or creates it. Fails if another process has it
    /// open.
    pub(crate) fn at(path: &Path, head: &JournalHeader) -> Result<Self, CliError> {
        let cannot = |why: String| CliError::System(format!("journal {}: {why}", path.display()));
        // Opening a named pipe would block until its other end is opened.
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            let why = "it is not a regular file; accepted: a journal of this run, or a file that does not exist yet";
            return Err(CliError::BadInput(format!("journal {}: {why}", path.display())));
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.map_err(|error| cannot(error.to_string()))?;
        file.try_lock().map_err(|_| cannot("another process writes it".into()))?;
        let length = file.metadata().map_err(|error| cannot(error.to_string()))?.len();
        let beginning = [MAGIC.to_vec(), encode_frame(head)].concat();
        let found = Journal::read(BufReader::new(&file));
        let found = found.map_err(|why| CliError::BadInput(format!("journal {}: {why}", path.display())))?;
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
                    return Err(CliError::BadInput(format!("journal {}: {}", path.display(), JournalError::Head)));
                }
                (0, TaskResults::default())
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
        let open = OpenJournal { path: path.to_owned(), file, synced: Instant::now() };
        Ok(Self(Arc::new(Inner { known, file: Mutex::new(open) })))
    }

    /// Passes the results that were known when the journal was opened to `ask`.
    pub(crate) fn known<T>(&self, ask: impl FnOnce(&TaskResults) -> T) -> T {
        ask(&self.0.known)
    }

    /// Appends the result of a task.
    pub(crate) fn add(&self, record: &Record) -> Result<(), String> {
        let bytes = encode_frame(record);
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
pub(crate) fn header_for(experiment: &Experiment, shard: Option<Shard>) -> JournalHeader {
    JournalHeader::of(experiment, shard.unwrap_or(Shard::WHOLE))
}

/// Reads a journal that another process may be writing.
pub(crate) fn read_journal(path: &Path) -> Result<Journal, CliError> {
    let bad = |why: String| CliError::BadInput(format!("journal {}: {why}", path.display()));
    let file = File::open(path).map_err(|error| bad(error.to_string()))?;
    let found = Journal::read(BufReader::new(file)).map_err(|why| bad(why.to_string()))?;
    found.ok_or_else(|| bad("there is nothing in it yet".into()))
}

/// Checks that the journal at `path`, whose header is `found`, is the journal of `wanted`.
fn check_head(path: &Path, found: &JournalHeader, wanted: &JournalHeader) -> Result<(), CliError> {
    let other = |found: &str, wanted: &str| {
        let why = format!("it is that of {found}, not of {wanted}; take another file");
        Err(CliError::BadInput(format!("journal {}: {why}", path.display())))
    };
    if found.about != wanted.about {
        return other(&found.about, &wanted.about);
    }
    check_version(path, found)?;
    let share = |shard: Shard| if shard == Shard::WHOLE { "all points".to_owned() } else { format!("shard {shard}") };
    if found.shard != wanted.shard {
        return other(&share(found.shard), &share(wanted.shard));
    }
    Ok(())
}

/// Checks that the journal at `path`, whose header is `found`, is of this version of Faultlab.
/// Another version may give other results.
pub(crate) fn check_version(path: &Path, found: &JournalHeader) -> Result<(), CliError> {
    if found.version != VERSION {
        let why = format!("it was begun by Faultlab {}, and this is {VERSION}; take another file", found.version);
        return Err(CliError::BadInput(format!("journal {}: {why}", path.display())));
    }
    Ok(())
}
