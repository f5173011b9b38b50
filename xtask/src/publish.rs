//! Command `cargo xtask publish FOLDER`: copies the built page into a folder for a host, as the
//! newest version and under its version number, which never changes.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::target::DIST;

/// Version of the page, which is the version of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Copies [`DIST`] to the root of `folder` and to its `v/VERSION/`. Older files stay at the root,
/// because open pages still load files that are named by their contents.
///
/// # Errors
/// Returns an error if there is no page, or if the version was published before with other
/// contents.
pub(crate) fn publish(folder: &Path) -> Result<()> {
    let site = Path::new(DIST);
    ensure!(site.join("index.html").is_file(), "there is no page in {DIST}/ yet: run `cargo xtask build`");
    let version = folder.join("v").join(short_version(VERSION));
    if version.exists() {
        ensure!(
            have_same_files(site, &version)?,
            "{} already exists and differs from {DIST}/: a published version never changes, so increase the version first",
            version.display()
        );
    }
    copy(site, &version)?;
    copy(site, folder)?;
    println!("Faultlab {VERSION} is at the top of {} and in {}.", folder.display(), version.display());
    Ok(())
}

/// Returns a version in the form for addresses: 1.0 for 1.0.0, but 1.0.1 unchanged.
fn short_version(version: &str) -> &str {
    version.strip_suffix(".0").unwrap_or(version)
}

fn copy(from: &Path, to: &Path) -> Result<()> {
    fs::create_dir_all(to).with_context(|| format!("creating {}", to.display()))?;
    for entry in fs::read_dir(from).with_context(|| format!("reading {}", from.display()))? {
        let entry = entry?;
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if entry.file_type()?.is_dir() {
            copy(&from, &to)?;
        } else {
            fs::copy(&from, &to).with_context(|| format!("copying {}", from.display()))?;
        }
    }
    Ok(())
}

/// Returns whether two folders have the same files with the same contents.
fn have_same_files(one: &Path, other: &Path) -> Result<bool> {
    let names = |folder: &Path| -> Result<Vec<_>> {
        let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
        let mut names = entries.map(|entry| Ok(entry?.file_name())).collect::<Result<Vec<_>>>()?;
        names.sort();
        Ok(names)
    };
    let all = names(one)?;
    if all != names(other)? {
        return Ok(false);
    }
    for name in all {
        let (one, other) = (one.join(&name), other.join(&name));
        let equal = match (one.is_dir(), other.is_dir()) {
            (true, true) => have_same_files(&one, &other)?,
            (false, false) => fs::read(&one)? == fs::read(&other)?,
            _ => false,
        };
        if !equal {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Publishes to the folder in the arguments.
pub(crate) fn command(options: &[&str]) -> Result<()> {
    match options {
        [folder] => publish(Path::new(folder)),
        _ => bail!("publish takes one argument: the folder that the host serves"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_version_omits_a_zero_patch() {
        assert_eq!(["1.0.0", "1.2.0", "1.0.1", "0.1.0"].map(short_version), ["1.0", "1.2", "1.0.1", "0.1"]);
    }

    #[test]
    fn have_same_files_compares_names_and_contents() {
        let top = std::env::temp_dir().join(format!("faultlab-publish-{}", std::process::id()));
        let (one, other) = (top.join("one"), top.join("other"));
        fs::create_dir_all(one.join("a")).expect("a folder");
        fs::write(one.join("a/b"), "c").expect("a file");
        copy(&one, &other).expect("a copy");
        assert!(have_same_files(&one, &other).expect("read"));
        fs::write(other.join("a/b"), "d").expect("a file");
        assert!(!have_same_files(&one, &other).expect("read"));
        fs::write(other.join("a/b"), "c").expect("a file");
        fs::write(other.join("e"), "").expect("a file");
        assert!(!have_same_files(&one, &other).expect("read"));
        fs::remove_dir_all(&top).expect("cleared");
    }
}
