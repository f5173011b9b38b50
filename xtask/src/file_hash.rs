//! Hashes of files and folders, by which builds find out that nothing has changed.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::content_name::named;

/// Returns a hash of the names and contents of all files in `paths`, which are files or folders.
pub(crate) fn hash_files(paths: &[&str]) -> Result<String> {
    let mut contents = Vec::new();
    for path in paths {
        for file in files(Path::new(path))? {
            contents.extend_from_slice(file.to_string_lossy().as_bytes());
            contents.extend(fs::read(&file).with_context(|| format!("reading {}", file.display()))?);
        }
    }
    Ok(named("files", "hash", &contents))
}

/// Returns a file, or all files in a folder and its subfolders, in order.
pub(crate) fn files(path: &Path) -> Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut entries = Vec::new();
    for entry in fs::read_dir(path).with_context(|| format!("reading {}", path.display()))? {
        entries.push(entry?.path());
    }
    entries.sort();
    let mut found = Vec::new();
    for entry in entries {
        found.extend(files(&entry)?);
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_listed_in_order() {
        let all = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")).expect("sources");
        assert!(all.iter().any(|file| file.ends_with("finish/mod.rs")) && all.is_sorted());
    }
}
