//! Command `cargo xtask build`: builds the page, ready to copy to any static host.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};

use crate::file_hash::hash_files;
use crate::gallery::GalleryThread;
use crate::steps::{self, Step};
use crate::target::{DIST, TARGET_FLAGS, source_names};
use crate::wasm_program::WORKER;
use crate::{book, lessons, notices, run, tools};

/// Example pages with embedded figures (see `docs/figures.md`).
const EXAMPLES: &str = "docs/figures";

/// Files that the page depends on, apart from the compiler and the flags of the caller.
const SOURCES: [&str; 14] = [
    ".cargo",
    "CHANGELOG.md",
    "Cargo.lock",
    "Cargo.toml",
    "README.md",
    "Trunk.toml",
    "crates",
    "docs",
    "examples",
    "index.html",
    "lessons",
    "src",
    "styles",
    "xtask",
];
/// File with the hashes of the sources and of the page after the last build.
const STAMP: &str = "target/page-stamp";

/// Installs missing tools and builds the page into [`DIST`], unless neither the sources nor the page
/// have changed since the last build.
pub(crate) fn build() -> Result<()> {
    let sources = source_hash()?;
    if is_current(&sources)? {
        println!("Nothing has changed since the last build of the page in {DIST}/.");
        return Ok(());
    }
    let mut steps = tools::missing_for_page()?;
    let about = "compiling the page (for size) and its workers (for speed), and drawing the pictures of its examples; \
                 about nine minutes on two cores the first time";
    steps.push(Step::new(about, build_with_tools));
    steps::run(steps)?;
    fs::write(STAMP, stamp(&sources)?).with_context(|| format!("writing {STAMP}"))?;
    println!("The page is in {DIST}/: copy the folder to any static host, under any path.");
    Ok(())
}

/// Returns a hash of the sources and of what else determines the page.
fn source_hash() -> Result<String> {
    let compiler = run::output(run::program("rustc").arg("--version"))?;
    let flags = [TARGET_FLAGS, "RUSTFLAGS"].map(|name| env::var_os(name).unwrap_or_default());
    Ok(format!("{} {} {flags:?}", hash_files(&SOURCES)?, compiler.trim()))
}

/// Returns whether the page in [`DIST`] is what the sources build.
fn is_current(sources: &str) -> Result<bool> {
    Ok(Path::new(DIST).is_dir() && fs::read_to_string(STAMP).ok() == Some(stamp(sources)?))
}

/// Returns the contents of [`STAMP`] for the current files in [`DIST`].
fn stamp(sources: &str) -> Result<String> {
    Ok(format!("{sources}\n{}\n", hash_files(&[DIST])?))
}

fn build_with_tools() -> Result<()> {
    // Trunk runs offline, so the crates are fetched first.
    run::run(&mut run::cargo("fetch"))?;
    // The pictures are drawn while the page is compiled, because the last step of the compilation
    // uses only one thread.
    let gallery = GalleryThread::begin();
    let mut workers = WORKER.start_build()?;
    let built = run::run(trunk("build").arg("--release").env(TARGET_FLAGS, page_flags()));
    // The last step of the page's build has waited for the program of the workers.
    workers.wait().context("waiting for the workers' program")?;
    built?;
    gallery.end(Path::new(DIST))?;
    lessons::render(Path::new(DIST))?;
    notices::write(Path::new(DIST))?;
    add_texts(Path::new(DIST))
}

/// Returns a Trunk command that stays offline: Trunk would otherwise download tools of its own
/// choice.
pub(crate) fn trunk(subcommand: &str) -> Command {
    let mut trunk = run::program("trunk");
    trunk.args([subcommand, "--offline=true"]);
    // Trunk parses NO_COLOR as a flag of its own and rejects every value but true and false.
    if env::var_os("NO_COLOR").is_some() {
        trunk.env_remove("NO_COLOR").arg("--color=never");
    }
    trunk
}

/// Adds the book and the figure examples to the site, which need no compilation.
fn add_texts(site: &Path) -> Result<()> {
    book::render(site)?;
    copy_examples(&site.join("figures"))
}

/// Builds the page, and prints the path of the single-file edition.
pub(crate) fn single_file() -> Result<()> {
    build()?;
    let file = Path::new(DIST).join("faultlab.html");
    let bytes = fs::metadata(&file).with_context(|| format!("reading {}", file.display()))?.len();
    println!("{} has the whole page in one file of {} kB, to open from disk or to send.", file.display(), bytes / 1000);
    Ok(())
}

/// Copies the figure examples, which load the program from the site.
fn copy_examples(folder: &Path) -> Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("creating {}", folder.display()))?;
    for entry in fs::read_dir(EXAMPLES).with_context(|| format!("reading {EXAMPLES}"))? {
        let entry = entry?;
        fs::copy(entry.path(), folder.join(entry.file_name()))
            .with_context(|| format!("copying {}", entry.path().display()))?;
    }
    Ok(())
}

/// Flag that inlines functions where that does not enlarge the page, and where `#[inline]` requests
/// it. Without the flag, the size level ignores `#[inline]`, and the engines would run at less than
/// half of the native speed.
const INLINE: &str = " -Cllvm-args=-inline-threshold=5";

/// Returns the flags of the caller, [`INLINE`] and [`source_names`].
fn page_flags() -> OsString {
    let mut flags = env::var_os(TARGET_FLAGS).unwrap_or_default();
    flags.push(INLINE);
    flags.push(source_names());
    flags
}
