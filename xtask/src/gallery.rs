//! Pictures of the examples: drawn by `examples/gallery` with the library, and stored in the site's
//! folder `gallery`.

use std::fs;
use std::path::{Path, PathBuf};
use std::thread::{self, JoinHandle};

use anyhow::{Context, Result, anyhow};

use crate::file_hash::{files, hash_files};
use crate::run;

/// Folder of the pictures between builds; Trunk empties its own folder.
const CACHE: &str = "target/gallery";
/// Files that the pictures depend on. The style sheet defines their colours.
const SOURCES: [&str; 5] = ["Cargo.toml", "Cargo.lock", "crates", "examples/gallery", "styles/main.css"];

/// Handle of a thread that draws the pictures.
pub(crate) struct GalleryThread(JoinHandle<Result<()>>);

impl GalleryThread {
    /// Starts to draw in parallel with the build, if any dependency of the pictures has changed.
    pub(crate) fn begin() -> Self {
        Self(thread::spawn(draw))
    }

    /// Waits until all pictures are drawn, and copies them into the site.
    pub(crate) fn end(self, site: &Path) -> Result<()> {
        self.0.join().map_err(|_| anyhow!("the thread that draws the examples panicked"))??;
        let folder = site.join("gallery");
        fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
        let pictures = files(Path::new(CACHE))?;
        let pictures: Vec<_> =
            pictures.iter().filter(|file| file.extension().is_some_and(|end| end == "svg")).collect();
        for picture in &pictures {
            let name = picture.file_name().unwrap_or_default();
            fs::copy(picture, folder.join(name)).with_context(|| format!("copying {}", picture.display()))?;
        }
        println!("{} pictures of examples are in {}/.", pictures.len(), folder.display());
        Ok(())
    }
}

fn draw() -> Result<()> {
    let stamp = hash_files(&SOURCES)?;
    if fs::read_to_string(stamp_file()).is_ok_and(|kept| kept == stamp) {
        return Ok(());
    }
    if Path::new(CACHE).exists() {
        fs::remove_dir_all(CACHE).context("clearing the previous gallery")?;
    }
    fs::create_dir_all(CACHE).with_context(|| format!("creating {CACHE}"))?;
    run::run(run::program(run::build_for_tests()?.gallery).arg(CACHE)).context("drawing the examples")?;
    fs::write(stamp_file(), &stamp).context("writing the stamp of the gallery")
}

fn stamp_file() -> PathBuf {
    Path::new(CACHE).join("stamp")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_source_exists() {
        let top = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..");
        assert!(SOURCES.iter().all(|source| top.join(source).exists()));
    }
}
