//! Files that are written: whole, or not at all.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::output::{Failure, print};

/// Where something is to be written. A file is written beside its place and takes it when it is whole: what was there before stays
/// until then, also where the disk is full.
#[derive(Debug)]
pub(crate) enum Place {
    /// Standard output, `-`.
    Out,
    /// What is no file and cannot be replaced, such as a named pipe: it is written as it is.
    Stream(PathBuf),
    /// A file.
    File(PathBuf),
}

impl Place {
    /// Tries the place, before anything is computed for it.
    pub(crate) fn at(path: &Path) -> Result<Self, Failure> {
        if path == Path::new("-") {
            return Ok(Self::Out);
        }
        let cannot = |why: String| Failure::System(format!("cannot write {}: {why}", path.display()));
        if path.is_dir() {
            return Err(cannot("it is a folder".into()));
        }
        // Through a link, what it points to is replaced.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Ok(Self::Stream(path));
        }
        // It goes again at once: whoever is killed while computing leaves nothing behind.
        beside(&path).map_err(|error| cannot(error.to_string()))?;
        Ok(Self::File(path))
    }

    /// Whether it is standard output.
    pub(crate) fn is_out(&self) -> bool {
        matches!(self, Self::Out)
    }

    /// Writes `text` there.
    pub(crate) fn write(self, text: &str) -> Result<(), Failure> {
        let (path, written) = match self {
            Self::Out => return print(text),
            Self::Stream(path) => {
                let written = fs::write(&path, text);
                (path, written)
            }
            Self::File(path) => {
                let written = replaced(&path, text);
                (path, written)
            }
        };
        written.map_err(|error| Failure::System(format!("cannot write {}: {error}", path.display())))
    }
}

/// Refuses two arguments that name one file, of which at least one is written.
///
/// # Errors
/// If they do, however they are spelled.
pub(crate) fn refuse_same(one: (&str, &Path), other: (&str, &Path)) -> Result<(), Failure> {
    let is_stream = |path: &Path| path == Path::new("-") || path.metadata().is_ok_and(|found| !found.is_file());
    if is_stream(one.1) || is_stream(other.1) || resolved(one.1) != resolved(other.1) {
        return Ok(());
    }
    Err(Failure::BadInput(format!(
        "{} {} and {} {} are one file, which would be overwritten; give two files",
        one.0,
        one.1.display(),
        other.0,
        other.1.display()
    )))
}

/// The path without links, `.` and `..`, as far as it exists.
fn resolved(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(beside).unwrap_or_else(|| path.to_owned())
}

/// A file in the folder of `path` that takes its place when it is whole, and goes if it does not come to that.
fn beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".faultlab-");
    // Files made in passing are for their owner alone; this one becomes a file as any other.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Writes a file whole.
fn replaced(path: &Path, text: &str) -> io::Result<()> {
    let mut file = beside(path)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path).map(drop).map_err(|error| error.error)
}
