//! Journal files: finished tasks are stored, and a run that is started again resumes there.

use std::fs::{File, OpenOptions};
use std::io::{BufReader, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use super::Error;
use crate::VERSION;
use crate::experiment::journal::{Journal, JournalError, JournalHeader, MAGIC, TaskRecord, TaskResults, encode_frame};
use crate::experiment::{Experiment, Shard};

/// Interval between two syncs to disk. A machine failure loses the results of this time at most.
const SYNC: Duration = Duration::from_secs(2);

/// Open journal, with the results that the file contained when it was opened.
#[derive(Clone, Debug)]
pub struct JournalWriter(Arc<JournalState>);

#[derive(Debug)]
struct JournalState {
    known: TaskResults,
    /// Note that a stored run resumes; `None` for a new journal.
    note: Option<String>,
    file: Mutex<OpenJournal>,
}

/// Open journal file.
#[derive(Debug)]
struct OpenJournal {
    path: PathBuf,
    file: File,
    synced: Instant,
}

impl JournalWriter {
    /// Opens the journal at `path` to resume it, or creates it.
    ///
    /// # Errors
    /// Returns an error if the file is no journal of this run, or if another process has it open.
    pub fn at(path: &Path, head: &JournalHeader) -> Result<Self, Error> {
        let cannot = |why: String| Error::System(format!("journal {}: {why}", path.display()));
        // Opening a named pipe would block until its other end is opened.
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            let why = "it is not a regular file; accepted: a journal of this run, or a file that does not exist yet";
            return Err(Error::BadInput(format!("journal {}: {why}", path.display())));
        }
        let file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path);
        let mut file = file.map_err(|error| cannot(error.to_string()))?;
        file.try_lock().map_err(|_| cannot("another process is writing to it".into()))?;
        let length = file.metadata().map_err(|error| cannot(error.to_string()))?.len();
        let beginning = [MAGIC.to_vec(), encode_frame(head)].concat();
        let found = Journal::read(BufReader::new(&file));
        let found = found.map_err(|why| Error::BadInput(format!("journal {}: {why}", path.display())))?;
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
                    return Err(Error::BadInput(format!("journal {}: {}", path.display(), JournalError::Head)));
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
        let note = (!known.is_empty()).then(|| {
            let torn = length - whole;
            let dropped =
                if torn > 0 { format!("; {torn} incomplete bytes at its end are dropped") } else { String::new() };
            format!("journal {}: resumes after {} tasks{dropped}", path.display(), known.len())
        });
        let open = OpenJournal { path: path.to_owned(), file, synced: Instant::now() };
        Ok(Self(Arc::new(JournalState { known, note, file: Mutex::new(open) })))
    }

    /// Returns the note that a stored run resumes; `None` for a new journal.
    pub fn note(&self) -> Option<&str> {
        self.0.note.as_deref()
    }

    /// Calls `use_results` with the results that the file contained when the journal was opened.
    pub fn with_results<T>(&self, use_results: impl FnOnce(&TaskResults) -> T) -> T {
        use_results(&self.0.known)
    }

    /// Appends the result of a task.
    ///
    /// # Errors
    /// Returns a sentence if the file cannot be written.
    pub fn add(&self, record: &TaskRecord) -> Result<(), String> {
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
pub fn header_for(experiment: &Experiment, shard: Option<Shard>) -> JournalHeader {
    JournalHeader::from_experiment(experiment, shard.unwrap_or(Shard::WHOLE))
}

/// Reads a journal that another process may be writing.
///
/// # Errors
/// Returns an error if the file cannot be read, or is no journal.
pub fn read_journal(path: &Path) -> Result<Journal, Error> {
    let bad = |why: String| Error::BadInput(format!("journal {}: {why}", path.display()));
    let file = File::open(path).map_err(|error| bad(error.to_string()))?;
    let found = Journal::read(BufReader::new(file)).map_err(|why| bad(why.to_string()))?;
    found.ok_or_else(|| bad("it is empty".into()))
}

/// Checks that the journal at `path`, whose header is `found`, is the journal of `wanted`.
fn check_head(path: &Path, found: &JournalHeader, wanted: &JournalHeader) -> Result<(), Error> {
    let other = |found: &str, wanted: &str| {
        let why = format!("it was recorded for {found}, but this run is {wanted}; use a different file");
        Err(Error::BadInput(format!("journal {}: {why}", path.display())))
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
///
/// # Errors
/// Returns an error if the journal is of another version.
pub fn check_version(path: &Path, found: &JournalHeader) -> Result<(), Error> {
    if found.version != VERSION {
        let why = format!("it was recorded by Faultlab {}, but this is {VERSION}; use a different file", found.version);
        return Err(Error::BadInput(format!("journal {}: {why}", path.display())));
    }
    Ok(())
}
