//! Command `cargo xtask finish`: Trunk's `post_build` hook, which creates all editions of Faultlab
//! from Trunk's output.
//!
//! Trunk starts the app by an inline script in `index.html`, which a strict content security policy
//! forbids. Files from `src/web/boot/` replace it; they also report problems when the program
//! cannot start. The other files are the program of the workers, a script for embedded figures
//! (`faultlab.js`), the service worker (`offline.js`), and the single-file editions of the page
//! (`faultlab.html`) and of figures (`faultlab-figures.js`). All files but the last four and the
//! picture of the first example are named by their contents, so that an old cached file is never
//! used with a new page.

mod figure_script;
mod scripts;
mod single_file;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use scripts::{Files, fill_placeholders};

use crate::content_name::named;
use crate::wasm_program::{CompiledProgram, WORKER};

/// Script of figures in one file.
pub(crate) const FIGURE_SCRIPT: &str = "faultlab-figures.js";
/// Picture of the first example, which `index.html` shows until the program has loaded.
const PICTURE: &str = "first-example.svg";
/// Start of the element with the security policy of the page.
const POLICY: &str = "<meta http-equiv=\"Content-Security-Policy\"";

/// Finishes the page in Trunk's staging folder.
pub(crate) fn command() -> Result<()> {
    let Some(staging) = env::var_os("TRUNK_STAGING_DIR") else {
        bail!("finish is run by Trunk during a build: use `cargo xtask build`");
    };
    let site = PathBuf::from(staging);
    if env::var_os("TRUNK_PROFILE").is_some_and(|profile| profile == "release") {
        let worker = WORKER.build()?;
        let files = finish(&site, &worker, PageEdition::Release)?;
        write(&site, FIGURE_SCRIPT, &figure_script::render(&site, &files, &worker)?)?;
        return write(&site, "faultlab.html", &single_file::render(&site, &files, &worker)?);
    }
    finish(&site, &WORKER.build_for_development()?, PageEdition::Development).map(|_| ())
}

/// Edition of the page: for publication, or for development.
#[derive(Clone, Copy, PartialEq)]
enum PageEdition {
    Release,
    /// `trunk serve` adds an inline script, which reloads the page after a change, and which the
    /// page's policy would forbid.
    Development,
}

/// Finishes the page in the folder `site`, with the program of its workers, except for the
/// single-file edition.
fn finish(site: &Path, worker: &CompiledProgram, edition: PageEdition) -> Result<Files> {
    let html = read(site, "index.html")?;
    check_policy_first(&html)?;
    let html =
        if edition == PageEdition::Development { html.replace(POLICY, "<meta data-policy-of-releases") } else { html };
    let start = inline_script(&html)?;
    let more = &html[html.find(start.whole).unwrap_or_default() + start.whole.len()..];
    ensure!(edition == PageEdition::Development || !more.contains("<script"), "index.html has a second script");
    let mut files = Files::from_start_script(start.text)?;
    let built = (files.glue.clone(), files.wasm.clone());
    name_program(site, &mut files)?;
    files.sheets = scripts::sheets(site)?;
    let answers =
        fs::read(site.join("answers.bin")).context("reading answers.bin, which `cargo xtask answers` computes")?;
    files.answers = named("answers", "bin", &answers);
    fs::rename(site.join("answers.bin"), site.join(&files.answers)).context("renaming answers.bin")?;
    let rows = rows();
    files.rows = named("rows", "json", rows.as_bytes());
    write(site, &files.rows, &rows)?;
    files.worker_wasm = named("worker", "wasm", &worker.wasm);
    fs::write(site.join(&files.worker_wasm), &worker.wasm).with_context(|| format!("writing {}", files.worker_wasm))?;
    files.worker = write_named(site, "worker", &[&worker.glue, &*fill_placeholders(scripts::WORKER, &files)].concat())?;
    let page = write_named(site, "start", &fill_placeholders(scripts::PAGE, &files))?;
    let boot = write_named(site, "boot", &fill_placeholders(scripts::BOOT, &files))?;
    write(site, "faultlab.js", &fill_placeholders(scripts::ELEMENT, &files))?;
    let sheets = scripts::sheet_names(site)?;
    let mut names = vec!["./", PICTURE, &files.glue, &files.wasm, &page, &boot, &files.worker, &files.worker_wasm];
    names.extend([&*files.answers, &files.rows]);
    names.extend(sheets.iter().map(String::as_str));
    write(site, "offline.js", &scripts::offline(&names))?;
    // Trunk preloads both parts of the program under the names that it gave them.
    let html = html.replace(start.whole, &format!("<script type=\"module\" src=\"./{page}\"></script>"));
    let html = html.replace(&built.0, &files.glue).replace(&built.1, &files.wasm);
    let (before, after) = html.split_once("<title>").context("index.html has no <title>")?;
    write(site, "index.html", &format!("{before}<script src=\"./{boot}\"></script>\n  <title>{after}"))?;
    Ok(files)
}

/// Rows of the papers, a JSON list for each paper.
const ROWS: [&str; 5] = include!("../../../crates/papers/src/rows/texts.rs");

/// Returns the JSON list of the rows of all papers, which the page loads when Papers shows them.
fn rows() -> String {
    let entries = ROWS.map(|list| list.trim().trim_start_matches('[').trim_end_matches(']').trim().to_owned());
    format!("[{}]", entries.join(","))
}

/// Appends the guard to the script of the program, and names both files by their contents.
fn name_program(site: &Path, files: &mut Files) -> Result<()> {
    let glue = [&*read(site, &files.glue)?, scripts::GUARD].concat();
    fs::remove_file(site.join(&files.glue)).with_context(|| format!("removing {}", files.glue))?;
    files.glue = write_named(site, "app", &glue)?;
    let wasm = fs::read(site.join(&files.wasm)).with_context(|| format!("reading {}", files.wasm))?;
    let name = named("app", "wasm", &wasm);
    fs::rename(site.join(&files.wasm), site.join(&name)).with_context(|| format!("renaming {}", files.wasm))?;
    files.wasm = name;
    Ok(())
}

fn read(site: &Path, name: &str) -> Result<String> {
    fs::read_to_string(site.join(name)).with_context(|| format!("reading {name}"))
}

fn write(site: &Path, name: &str, text: &str) -> Result<()> {
    fs::write(site.join(name), text).with_context(|| format!("writing {name}"))
}

/// Writes a script under a name by its contents, and returns the name.
fn write_named(site: &Path, stem: &str, text: &str) -> Result<String> {
    let name = named(stem, "js", text.as_bytes());
    write(site, &name, text)?;
    Ok(name)
}

/// Checks that the content security policy precedes everything that loads, because it only applies
/// to what follows.
fn check_policy_first(html: &str) -> Result<()> {
    let policy = html.find(POLICY).with_context(|| format!("index.html has no {POLICY} …>"))?;
    for tag in ["<script", "<link", "<style"] {
        ensure!(html.find(tag).is_none_or(|at| at > policy), "index.html has a {tag}> before its security policy");
    }
    Ok(())
}

/// Inline script of the page: the whole element, and its text.
struct Inline<'a> {
    whole: &'a str,
    text: &'a str,
}

/// Returns the first inline script of the page.
fn inline_script(html: &str) -> Result<Inline<'_>> {
    let start =
        html.find("<script").context("index.html has no start script: has Trunk changed, or finish run twice?")?;
    let tag = start + html[start..].find('>').context("index.html has an unclosed <script")? + 1;
    let length = html[tag..].find("</script>").context("index.html has a <script> without </script>")?;
    ensure!(!html[start..tag].contains(" src="), "the start script is a file: has Trunk changed, or finish run twice?");
    let whole = &html[start..tag + length + "</script>".len()];
    Ok(Inline { whole, text: &html[tag..tag + length] })
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "<head><meta http-equiv=\"Content-Security-Policy\" content=\"…\">";

    #[test]
    fn policy_must_precede_scripts_and_links() {
        assert!(check_policy_first(&format!("{HEAD}<link><script></script>")).is_ok());
        assert!(check_policy_first(&format!("<script></script>{HEAD}")).is_err());
        assert!(check_policy_first(&format!("<link>{HEAD}")).is_err());
        assert!(check_policy_first("<head></head>").is_err());
    }

    #[test]
    fn rows_of_all_papers_form_one_list() {
        let rows = rows();
        let lists = ROWS.map(|list| list.matches("\"id\":").count());
        assert_eq!(rows.matches("\"id\":").count(), lists.iter().sum::<usize>());
        assert!(rows.starts_with("[{") && rows.ends_with("}]") && rows.matches("},{").count() == ROWS.len() - 1);
    }

    #[test]
    fn finds_the_inline_start_script() {
        let html = "a<script type=\"module\">\nstart();\n</script>b";
        let found = inline_script(html).unwrap();
        assert_eq!((found.whole, found.text), (&html[1..html.len() - 1], "\nstart();\n"));
        assert!(inline_script("a<script src=\"x.js\"></script>c").is_err());
        assert!(inline_script("a").is_err());
    }
}
