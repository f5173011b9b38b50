//! `cargo xtask build`: the page, ready to copy to any static host.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::gallery::Drawing;
use crate::program::WORKER;
use crate::steps::{self, Step};
use crate::target::{DIST, TARGET_FLAGS, source_names};
use crate::{book, lessons, notices, run, tools};

/// Pages that show how figures are used (see `docs/figures.md`).
const EXAMPLES: &str = "docs/figures";

/// Installs what is missing and builds the page into [`DIST`].
pub(crate) fn build() -> Result<()> {
    let mut steps = tools::missing_for_page()?;
    let about = "compiling the page, for its size, its workers' program, for speed, and the pictures of its examples; some nine \
                 minutes on two cores the first time";
    steps.push(Step::new(about, build_with_tools));
    steps::run(steps)?;
    println!("The page is in {DIST}/: copy the folder to any static host, under any path.");
    Ok(())
}

fn build_with_tools() -> Result<()> {
    // Trunk stays offline, so the crates must be here before.
    run::run(&mut run::cargo("fetch"))?;
    // While the page is compiled: the last step of that keeps a single thread busy.
    let gallery = Drawing::begin();
    let mut workers = WORKER.begin()?;
    let built = run::run(trunk("build").arg("--release").env(TARGET_FLAGS, page_flags()));
    // By then the page's last step has waited for it.
    workers.wait().context("waiting for the workers' program")?;
    built?;
    gallery.end(Path::new(DIST))?;
    lessons::render(Path::new(DIST))?;
    notices::write(Path::new(DIST))?;
    add_texts(Path::new(DIST))
}

/// Trunk with a subcommand, told to stay offline: it would download tools of its own choice.
pub(crate) fn trunk(subcommand: &str) -> Command {
    let mut trunk = run::program("trunk");
    trunk.args([subcommand, "--offline=true"]);
    // Trunk takes NO_COLOR for a flag of its own and rejects every value but true and false.
    if env::var_os("NO_COLOR").is_some() {
        trunk.env_remove("NO_COLOR").arg("--color=never");
    }
    trunk
}

/// Puts the book and the examples of figures into the site, for which nothing is compiled.
fn add_texts(site: &Path) -> Result<()> {
    book::render(site)?;
    copy_examples(&site.join("figures"))
}

/// Builds the page, and says where the edition in one file is.
pub(crate) fn single_file() -> Result<()> {
    build()?;
    let file = Path::new(DIST).join("faultlab.html");
    let bytes = fs::metadata(&file).with_context(|| format!("reading {}", file.display()))?.len();
    println!("{} is all of it in one file of {} kB, to be opened from a disk or sent.", file.display(), bytes / 1000);
    Ok(())
}

/// Copies the examples of figures, which load the program from beside them.
fn copy_examples(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))?;
    for entry in fs::read_dir(EXAMPLES).with_context(|| format!("reading {EXAMPLES}"))? {
        let entry = entry?;
        fs::copy(entry.path(), folder.join(entry.file_name()))
            .with_context(|| format!("copying {}", entry.path().display()))?;
    }
    Ok(())
}

/// Functions are merged into their callers where that makes the page no larger, and where `#[inline]` asks for it: without
/// this flag the size level ignores that, and the engines would fall below half of the native speed.
const INLINE: &str = " -Cllvm-args=-inline-threshold=5";

/// The caller's flags, [`INLINE`] and [`source_names`].
fn page_flags() -> OsString {
    let mut flags = env::var_os(TARGET_FLAGS).unwrap_or_default();
    flags.push(INLINE);
    flags.push(source_names());
    flags
}
