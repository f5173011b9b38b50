//! Output files that are written atomically: whole or not at all.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::output::{CliError, print};

/// Target of an output.
///
/// A file is written to a temporary file beside it, which replaces it when complete. The old
/// contents stay until then, even if the disk is full.
#[derive(Debug)]
pub(crate) enum OutputTarget {
    /// Standard output, `-`.
    Out,
    /// A special file that cannot be replaced, such as a named pipe. It is written directly.
    Stream(PathBuf),
    /// A regular file.
    File(PathBuf),
}

impl OutputTarget {
    /// Checks that the path can be written, before anything is computed for it.
    pub(crate) fn at(path: &Path) -> Result<Self, CliError> {
        if path == Path::new("-") {
            return Ok(Self::Out);
        }
        let cannot = |why: String| CliError::System(format!("cannot write {}: {why}", path.display()));
        if path.is_dir() {
            return Err(cannot("it is a folder".into()));
        }
        // Replace the target of a symbolic link, not the link.
        let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        if path.metadata().is_ok_and(|found| !found.is_file()) {
            return Ok(Self::Stream(path));
        }
        // The temporary file is deleted at once, so that none remains if the process is killed
        // while computing.
        create_temporary_beside(&path).map_err(|error| cannot(error.to_string()))?;
        Ok(Self::File(path))
    }

    /// Returns whether the target is standard output.
    pub(crate) fn is_out(&self) -> bool {
        matches!(self, Self::Out)
    }

    /// Writes `text` to the target.
    pub(crate) fn write(self, text: &str) -> Result<(), CliError> {
        let (path, written) = match self {
            Self::Out => return print(text),
            Self::Stream(path) => {
                let written = fs::write(&path, text);
                (path, written)
            }
            Self::File(path) => {
                let written = replace_atomically(&path, text);
                (path, written)
            }
        };
        written.map_err(|error| CliError::System(format!("cannot write {}: {error}", path.display())))
    }
}

/// Refuses two arguments that name the same file, at least one of which is written.
///
/// # Errors
/// Returns an error if both paths resolve to one file, however they are spelled.
pub(crate) fn check_distinct_files(one: (&str, &Path), other: (&str, &Path)) -> Result<(), CliError> {
    let is_stream = |path: &Path| path == Path::new("-") || path.metadata().is_ok_and(|found| !found.is_file());
    if is_stream(one.1) || is_stream(other.1) || resolve_path(one.1) != resolve_path(other.1) {
        return Ok(());
    }
    Err(CliError::BadInput(format!(
        "{} {} and {} {} are the same file, which would be overwritten; give two files",
        one.0,
        one.1.display(),
        other.0,
        other.1.display()
    )))
}

/// Returns the path without links, `.` and `..`, as far as it exists.
fn resolve_path(path: &Path) -> PathBuf {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let beside = || Some(folder.canonicalize().ok()?.join(path.file_name()?));
    path.canonicalize().ok().or_else(beside).unwrap_or_else(|| path.to_owned())
}

/// Creates a temporary file in the folder of `path`. It is deleted unless it replaces `path`.
fn create_temporary_beside(path: &Path) -> io::Result<NamedTempFile> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let mut builder = tempfile::Builder::new();
    builder.prefix(".faultlab-");
    // Temporary files are readable by their owner only; this one becomes an ordinary file.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder.tempfile_in(folder)
}

/// Replaces a file atomically.
fn replace_atomically(path: &Path, text: &str) -> io::Result<()> {
    let mut file = create_temporary_beside(path)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path).map(drop).map_err(|error| error.error)
}
