//! Files that are written: whole, or not at all.

use std::fs;
use std::io::Write as _;
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
    File {
        /// Its place.
        path: PathBuf,
        /// What takes it.
        beside: NamedTempFile,
    },
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
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut builder = tempfile::Builder::new();
        builder.prefix(".faultlab-");
        // Files made in passing are for their owner alone; this one becomes a file as any other.
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        match builder.tempfile_in(folder) {
            Ok(beside) => Ok(Self::File { path, beside }),
            Err(error) => Err(Failure::System(format!("cannot write {}: {error}", path.display()))),
        }
    }

    /// Whether it is standard output.
    pub(crate) fn is_out(&self) -> bool {
        matches!(self, Self::Out)
    }

    /// Writes `text` there.
    pub(crate) fn write(self, text: &str) -> Result<(), Failure> {
        let cannot = |path: &Path, why| Failure::System(format!("cannot write {}: {why}", path.display()));
        let (path, mut beside) = match self {
            Self::Out => return print(text),
            Self::Stream(path) => return fs::write(&path, text).map_err(|error| cannot(&path, error)),
            Self::File { path, beside } => (path, beside),
        };
        let written = beside.write_all(text.as_bytes()).and_then(|()| beside.as_file().sync_all());
        let placed = written.and_then(|()| beside.persist(&path).map_err(|error| error.error));
        placed.map(drop).map_err(|error| cannot(&path, error))
    }
}
