//! The size budgets: what a visitor downloads before the page works, what is fetched after that, what before the first sweep, and what the reader of a lesson does
//! before its first figure is seen.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;

/// Bytes of WebAssembly, JavaScript and style sheets together, each compressed by gzip. The first paper had 500,000 to fit
/// in, and did; every further one brings an engine, its views and its theorems: with the fifth one it is 770,000, with
/// the rest of the mesh paper 827,000, with what a researcher asked for (reasons of every end, premises of every claim, checks whose
/// files say all that their text says, message sets and options of fat-trees, adversaries that search) 854,000, with the search for
/// the worst faults in the page and exact probabilities over all fault sets 878,000, and with the stories of presets, openings of kinds,
/// moments in links, events to go to and charts that answer by pointing 916,000, and with Papers that opens with answers (which are
/// no part of it: 270,000 bytes fetched when somebody looks at them), errata and formulas 940,000, and with words,
/// routings and nodes that explain themselves 969,000, with curves that are kept 980,000, with links, channels and messages that light up,
/// errata with their experiments and charts of Papers to be saved 986,000, and with figures in other people's pages, frames and one file
/// 1,012,000 (they share all of the page's views; `faultlab.js`, 10,000, is fetched by those pages only and not counted), and with Share as a builder
/// 1,035,000: texts, options and preview of figures 15,000, the QR code 7,000 (the crate that weighs least of four; others 14,000), and with examples as tiles, grouped, as links and gone
/// through by arrow keys 1,039,000 (their pictures, 370,000 as they are, are fetched one by one as they come into sight and not counted), and with wires of fat-trees broken by hand,
/// what they cut off told, and times on marks 1,047,000, and with tips that keep off the picture, a focus that is kept, first stops of the Tab key
/// and one network at a time on a phone 1,064,000, and with workers that are watched and replaced, and sweeps that go on after the page was closed,
/// 1,075,000 (the database by web-sys; one path for all that is asked of it, one kind of timer and no sort of its own saved 3,400), and with
/// routings of one's own 1,110,000: of 35,000 the grammar 10,000 (winnow as little of it as a parser by hand; chumsky and pest 14,000 more), names,
/// bounds and messages 5,000, operations and table 5,000, rules written again 2,000, the rest what runs them and the key. Tried before it was raised: files of checks that
/// say less than the command line's (4,000, and they would not be the same); a page without the texts that only a terminal prints
/// (4,400, and conditions in fifteen places); more of wasm-opt (`-Oz` 600, `--converge` 2,200 and a build that takes 40 s longer,
/// `--merge-similar-functions` 800, `--gufa-optimizing` 800); plain functions in the place of
/// Share's components (4,000, done). Comparisons and `activity` are not in it.
/// With the editor of rules, their verdict by the search for what refutes them, their turns, the examples and the exercises 1,154,000: the
/// editor is a plain text area over its own numbered lines (no editor library), the verdict comes as sentences (the worker has the words), the
/// turns are read from the dependency graph that Check has, and the search is the one of the command line without its files.
/// The still that Share saves for a tag weighs 1,200 (one copy of what writes shapes for both kinds of colours, and no comments in style sheets, saved 900).
/// With circuits by rules, and the search for what refutes circuits, 1,162,000: rules that are asked in one place each, not written out at every
/// place where a circuit or message asks, saved 1,700. Since workers run a program of their own, without what they alone do, 1,129,000.
/// With what a counterexample has changed and the way back from it, how rules are written, and exercises that are found and solved,
/// 1,140,000: how rules are written is plain text with code in back quotes, not markup, and editor and examples share one list of exercises.
/// Since workers prove what Check shows, 1,069,000: pictures of a cycle come in seven sizes instead of with what draws them. With
/// the rule MSER-5 and the flat tables behind dependency graphs 1,071,100; nothing was tried to save that. Routes that are counted in slices, ways that
/// are worked out when they are asked for and the way to the book were 1,300 too many: wasm-opt goes over the program twice (`-Os`, then `-Oz`), which takes
/// 15 s of a build and saves 2,400.
/// In two parts, of which the first look waits for one (see [`START`]), all of it is 1,097,000: jumps from one part to the other, and what each
/// exports to and imports from the other; that the rest does not fill the program's own table of functions saved 14,000.
const BUDGET: usize = 1_100_000;

/// The same of what is fetched before somebody who opens the page without an experiment in the address sees the first picture and can use it: all but the
/// second part of the program, which comes when that is painted.
const START: usize = 400_000;

/// The same of the workers' program, which is fetched when something is first measured, searched or computed anew. It is compiled for speed:
/// for size it would weigh 447,000 without checks, and run at 0.55 to 0.95 of its speed (`docs/speed.md`). Checks, which the page does not
/// carry any more, brought it from 658,000 to 827,000. Not tried: a program of their own for them, compiled for size.
/// With the same rule and tables 828,800.
const WORKERS: usize = 830_000;

/// The same of the tag's script, the styles and the first still of a lesson. They are far below it: the program, which stays away until
/// somebody wants a figure, would not be.
const FIRST_FIGURE: usize = 400_000;

/// Prints what each file weighs and fails when all together exceed [`BUDGET`], or a first figure [`FIRST_FIGURE`]; returns the totals in words.
pub(crate) fn check(site: &Path) -> Result<String> {
    ensure!(site.join("index.html").is_file(), "there is no page in {}/ yet: run `cargo xtask build`", site.display());
    let mut files = Vec::new();
    collect(site, &mut files)?;
    files.sort();
    let (mut total, mut workers, mut rest) = (0, 0, 0);
    println!("{:>12} {:>12}  file", "bytes", "gzip");
    for file in &files {
        let bytes = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
        let packed = gzip_length(&bytes)?;
        let is = |stem: &str| file.file_name().is_some_and(|name| name.to_string_lossy().starts_with(stem));
        *(if is("worker-") { &mut workers } else { &mut total }) += packed;
        rest += if is("rest-") { packed } else { 0 };
        println!("{:>12} {packed:>12}  {}", bytes.len(), file.display());
    }
    println!("{:>12} {total:>12}  of {BUDGET} allowed: the page", "");
    let start = total - rest;
    println!("{:>12} {start:>12}  of {START} allowed: what it starts with", "");
    println!("{:>12} {workers:>12}  of {WORKERS} allowed: its workers", "");
    ensure!(!files.is_empty(), "{} holds nothing to weigh", site.display());
    ensure!(total <= BUDGET, "the page is {} bytes over its budget of {BUDGET} (xtask/src/size.rs)", total - BUDGET);
    ensure!(start <= START, "what the page starts with is {} bytes over its budget of {START}", start - START);
    ensure!(workers <= WORKERS, "the workers' program is {} bytes over its budget of {WORKERS}", workers - WORKERS);
    let first = first_figure(site)?;
    println!(
        "{:>12} {first:>12}  of {FIRST_FIGURE} allowed: faultlab.js, styles and first still of the heaviest lesson",
        ""
    );
    ensure!(first <= FIRST_FIGURE, "a lesson's first figure is {} bytes over its budget", first - FIRST_FIGURE);
    Ok(format!(
        "{} of {} kB, of which {} of {} at first; workers {} of {} kB; a first figure {} of {} kB",
        total / 1000,
        BUDGET / 1000,
        start / 1000,
        START / 1000,
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
