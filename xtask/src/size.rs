//! The size budgets: what a visitor downloads before the page works, what is fetched before the first sweep, and what the reader of a lesson does
//! before its first figure is seen.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;

/// The most bytes that WebAssembly, JavaScript and style sheets may have together, each compressed by gzip.
const BUDGET: usize = 1_150_000;

/// The most bytes of the workers' program, compressed likewise. It is compiled for speed, and fetched when something is first measured,
/// searched or proved.
const WORKERS: usize = 930_000;

/// The same of the tag's script, the styles and the first still of a lesson. They are far below it: the program, which stays away until
/// somebody wants a figure, would not be.
const FIRST_FIGURE: usize = 400_000;

/// Prints what each file weighs and fails when all together exceed [`BUDGET`], or a first figure [`FIRST_FIGURE`]; returns the totals in words.
pub(crate) fn check(site: &Path) -> Result<String> {
    ensure!(site.join("index.html").is_file(), "there is no page in {}/ yet: run `cargo xtask build`", site.display());
    let mut files = Vec::new();
    collect(site, &mut files)?;
    files.sort();
    let (mut total, mut workers) = (0, 0);
    println!("{:>12} {:>12}  file", "bytes", "gzip");
    for file in &files {
        let bytes = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
        let packed = gzip_length(&bytes)?;
        let is = |stem: &str| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(stem));
        *(if is("worker-") { &mut workers } else { &mut total }) += packed;
        println!("{:>12} {packed:>12}  {}", bytes.len(), file.display());
    }
    println!("{:>12} {total:>12}  of {BUDGET} allowed: the page", "");
    println!("{:>12} {workers:>12}  of {WORKERS} allowed: its workers", "");
    ensure!(!files.is_empty(), "{} holds nothing to weigh", site.display());
    ensure!(total <= BUDGET, "the page is {} bytes over its budget of {BUDGET} (xtask/src/size.rs)", total - BUDGET);
    ensure!(workers <= WORKERS, "the workers' program is {} bytes over its budget of {WORKERS}", workers - WORKERS);
    let first = first_figure(site)?;
    println!(
        "{:>12} {first:>12}  of {FIRST_FIGURE} allowed: faultlab.js, styles and first still of the heaviest lesson",
        ""
    );
    ensure!(first <= FIRST_FIGURE, "a lesson's first figure is {} bytes over its budget", first - FIRST_FIGURE);
    Ok(format!(
        "{} of {} kB; workers {} of {} kB; a first figure {} of {} kB",
        total / 1000,
        BUDGET / 1000,
        workers / 1000,
        WORKERS / 1000,
        first / 1000,
        FIRST_FIGURE / 1000
    ))
}

/// What is fetched before the first figure of a lesson is seen: the most of all lessons. One without a still would fetch the program too.
fn first_figure(site: &Path) -> Result<usize> {
    let folder = site.join("lessons");
    let weigh = |path: &Path| -> Result<usize> {
        gzip_length(&fs::read(path).with_context(|| format!("reading {}", path.display()))?)
    };
    let script = weigh(&site.join("faultlab.js"))?;
    let mut most = 0;
    for entry in fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.extension().is_none_or(|end| end != "html") {
            continue;
        }
        let html = fs::read_to_string(&path).with_context(|| format!("reading {}", path.display()))?;
        let Some(first) = first_tag(&html) else { continue };
        let still = named_in(first, "<img src=\"./")
            .with_context(|| format!("{}: a figure without a still", path.display()))?;
        let sheet = named_in(&html, "<link rel=\"stylesheet\" href=\"./").context("a lesson without styles")?;
        most = most.max(script + weigh(&folder.join(sheet))? + weigh(&folder.join(still))?);
    }
    ensure!(most > 0, "there are no lessons with figures in {}/", folder.display());
    Ok(most)
}

/// The first figure of a page.
fn first_tag(html: &str) -> Option<&str> {
    let (_, rest) = html.split_once("<fault-lab")?;
    Some(rest.split_once("</fault-lab>")?.0)
}

/// The name of a file that follows on `before`.
fn named_in<'h>(html: &'h str, before: &str) -> Option<&'h str> {
    Some(html.split_once(before)?.1.split_once('"')?.0)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        // Lessons and the book are pages of their own, other people's pages fetch `faultlab.js`, and `offline.js` comes after all: whoever opens
        // the laboratory does not wait for them.
        if ["lessons", "docs", "faultlab.js", "offline.js"].iter().any(|name| path.ends_with(name)) {
            continue;
        }
        if path.is_dir() {
            collect(&path, files)?;
        } else if path.extension().is_some_and(|extension| ["wasm", "js", "css"].iter().any(|kind| extension == *kind))
        {
            files.push(path);
        }
    }
    Ok(())
}

fn gzip_length(bytes: &[u8]) -> Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_still_is_found() {
        let html =
            "<p><fault-lab a=\"b\"><img src=\"./one.svg\"></fault-lab><fault-lab><img src=\"./two.svg\"></fault-lab>";
        assert_eq!(first_tag(html).and_then(|tag| named_in(tag, "<img src=\"./")), Some("one.svg"));
        assert_eq!(first_tag("<p>"), None);
    }

    #[test]
    fn repetition_compresses() {
        assert!(gzip_length(&[b'a'; 10_000]).unwrap() < 100);
    }
}
