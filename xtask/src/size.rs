//! Size budgets: for the download before the page works, before the first sweep, and before the
//! first figure of a lesson is shown.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Maximum number of bytes of WebAssembly, JavaScript and style sheets together, each compressed by
/// gzip.
const PAGE_BUDGET: usize = 1_530_000;

/// Maximum number of bytes of the workers' program, compressed by gzip. It is compiled for speed,
/// and loaded for the first measurement, search or analysis.
const WORKER_BUDGET: usize = 1_340_000;

/// Maximum number of bytes of the figure script, the styles and the first still of a lesson,
/// compressed by gzip. The files are far smaller than the budget. The program, which loads only
/// when a reader starts a figure, would exceed it.
const FIGURE_BUDGET: usize = 400_000;

/// Prints the size of each file and fails if a total exceeds its budget. Returns the totals in
/// words.
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
    println!("{:>12} {total:>12}  of {PAGE_BUDGET} allowed: the page", "");
    println!("{:>12} {workers:>12}  of {WORKER_BUDGET} allowed: the workers' program", "");
    ensure!(!files.is_empty(), "{} contains no files", site.display());
    ensure!(
        total <= PAGE_BUDGET,
        "the page is {} bytes over its budget of {PAGE_BUDGET} (xtask/src/size.rs)",
        total - PAGE_BUDGET
    );
    ensure!(
        workers <= WORKER_BUDGET,
        "the workers' program is {} bytes over its budget of {WORKER_BUDGET}",
        workers - WORKER_BUDGET
    );
    let first = first_figure_bytes(site)?;
    println!(
        "{:>12} {first:>12}  of {FIGURE_BUDGET} allowed: faultlab.js, styles and first still of the heaviest lesson",
        ""
    );
    ensure!(first <= FIGURE_BUDGET, "a lesson's first figure is {} bytes over its budget", first - FIGURE_BUDGET);
    Ok(format!(
        "{} of {} kB; workers {} of {} kB; a first figure {} of {} kB",
        total / 1000,
        PAGE_BUDGET / 1000,
        workers / 1000,
        WORKER_BUDGET / 1000,
        first / 1000,
        FIGURE_BUDGET / 1000
    ))
}

/// Returns the number of bytes that are loaded before the first figure is shown, for the largest
/// lesson. Without a still, a figure would also load the program.
fn first_figure_bytes(site: &Path) -> Result<usize> {
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

/// Returns the first figure element of a page.
fn first_tag(html: &str) -> Option<&str> {
    let (_, rest) = html.split_once("<fault-lab")?;
    Some(rest.split_once("</fault-lab>")?.0)
}

/// Returns the name of a file that follows `before`.
fn named_in<'h>(html: &'h str, before: &str) -> Option<&'h str> {
    Some(html.split_once(before)?.1.split_once('"')?.0)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        // Not counted, because the startup of the page does not load them: lessons and the book are
        // separate pages, the first two scripts are for embedded figures, and `offline.js` is loaded
        // last.
        if ["lessons", "docs", "faultlab.js", "faultlab-figures.js", "offline.js"]
            .iter()
            .any(|name| path.ends_with(name))
        {
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
    fn finds_the_first_still() {
        let html =
            "<p><fault-lab a=\"b\"><img src=\"./one.svg\"></fault-lab><fault-lab><img src=\"./two.svg\"></fault-lab>";
        assert_eq!(first_tag(html).and_then(|tag| named_in(tag, "<img src=\"./")), Some("one.svg"));
        assert_eq!(first_tag("<p>"), None);
    }

    #[test]
    fn gzip_length_is_small_for_repetitive_data() {
        assert!(gzip_length(&[b'a'; 10_000]).unwrap() < 100);
    }
}
