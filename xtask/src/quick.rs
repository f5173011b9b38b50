//! The page that `cargo xtask serve` shows while it is changed: compiled quickly and put together without Trunk and wasm-opt,
//! which take minutes to compile and to run. It has a folder of its own: sizes are weighed, pages tested and published in `dist/`.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};

use crate::build::{self, TARGET_FLAGS, source_names};
use crate::finish::{self, Files, Parts, named};
use crate::gallery::Drawing;
use crate::program::{Made, TARGET, bindgen};
use crate::steps::{self, Step};
use crate::{lessons, run, tools};

/// Where it is.
pub(crate) const SITE: &str = "target/quick-site";
/// Where it is put together; a server may be at work on the one of before.
const DRAFT: &str = "target/quick-draft";
/// What wasm-bindgen makes of the programs.
const PROGRAMS: &str = "target/quick-programs";
/// One build of the library serves the page and its workers.
const COMPILE: &str =
    "build --package faultlab --no-default-features --features web,worker --bin app --bin worker --profile quick";
/// Where Trunk would add its own lines.
const HEAD_END: &str = "</head>";

/// A page that works, and what is still to be added to it.
pub(crate) struct Page {
    files: Files,
    worker: Made,
}

/// Installs what is missing and builds the page into [`SITE`].
pub(crate) fn build() -> Result<Page> {
    let mut page = None;
    let mut steps = tools::missing_for_wasm()?;
    steps.push(Step::new(
        "compiling the page and its workers' program, some three minutes on two cores the first time",
        compile,
    ));
    steps.push(Step::new("putting the page together, a few seconds", || {
        page = Some(assemble()?);
        Ok(())
    }));
    steps::run(steps)?;
    page.context("the page was not put together")
}

impl Page {
    /// Adds what the page works without, while it is served.
    pub(crate) fn complete(&self) -> Result<()> {
        let site = Path::new(SITE);
        steps::run(vec![
            Step::new(
                "adding the pictures of examples; where the core has changed, it is compiled for that, two minutes on two cores",
                || Drawing::begin()?.end(site),
            ),
            Step::new("adding the lessons, with stills that are drawn by the command line", || lessons::render(site)),
            Step::new("adding the edition in one file, faultlab.html", || {
                finish::add_single_file(site, &self.files, &self.worker)
            }),
        ])?;
        println!("\nAll of it is there. Ctrl-C stops the server.");
        Ok(())
    }
}

fn compile() -> Result<()> {
    let mut cargo = run::cargo(COMPILE);
    run::run(cargo.args(["--target", TARGET, "--target-dir", "target"]).env(TARGET_FLAGS, source_names()))
}

fn assemble() -> Result<Page> {
    let draft = Path::new(DRAFT);
    clear(draft)?;
    make_scripts()?;
    let index = gather(draft)?;
    fs::write(draft.join("index.html"), index).context("writing index.html")?;
    let worker = Made::read(Path::new(PROGRAMS), "worker.js", "worker_bg.wasm")?;
    let files = finish::finish(draft, &worker, Parts::One)?;
    build::add_texts(draft)?;
    if Path::new(SITE).exists() {
        fs::remove_dir_all(SITE).with_context(|| format!("clearing {SITE}"))?;
    }
    fs::rename(draft, SITE).with_context(|| format!("naming {SITE}"))?;
    Ok(Page { files, worker })
}

/// Makes an empty folder.
fn clear(folder: &Path) -> Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder).with_context(|| format!("clearing {}", folder.display()))?;
    }
    fs::create_dir_all(folder).with_context(|| format!("making {}", folder.display()))
}

/// Has wasm-bindgen write the scripts of both programs, at once: each keeps one thread busy.
fn make_scripts() -> Result<()> {
    let mut at_work = Vec::new();
    for name in ["app", "worker"] {
        let compiled = Path::new("target").join(TARGET).join("quick").join(format!("{name}.wasm"));
        at_work.push((name, run::start(&mut bindgen(name, &compiled, Path::new(PROGRAMS)))?));
    }
    // Nobody is left behind: all are waited for before one is asked how it went.
    let ended: Vec<_> = at_work.into_iter().map(|(name, mut child)| (name, child.wait())).collect();
    for (name, status) in ended {
        let status = status?;
        if !status.success() {
            bail!("wasm-bindgen failed on the program {name} ({status})");
        }
    }
    Ok(())
}

/// Does what Trunk is asked for in `index.html`: copies what that names under names by content, and returns it with these and
/// the script that starts the page.
fn gather(site: &Path) -> Result<String> {
    let source = fs::read_to_string("index.html").context("reading index.html")?;
    let index = replace_links(&source, |link| match (attribute(link, "rel"), attribute(link, "href")) {
        (Some("rust"), _) => Ok(String::new()),
        (Some("copy-file"), Some(file)) => copy_file(file, site).map(|()| String::new()),
        (Some("css"), Some(file)) => copy_sheet(file, site),
        _ => bail!("index.html asks Trunk for something that `cargo xtask serve` does not know: {link}"),
    })?;
    let script = start_script(site)?;
    let (before, after) = index.split_once(HEAD_END).context("index.html has no </head>")?;
    Ok([before, &script, HEAD_END, after].concat())
}

/// The page with every link that is meant for Trunk replaced.
fn replace_links(page: &str, replace: impl Fn(&str) -> Result<String>) -> Result<String> {
    let mut parts = page.split("<link data-trunk");
    let mut replaced = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let (link, rest) = part.split_once('>').context("index.html has an unclosed <link")?;
        replaced.push_str(&replace(link)?);
        replaced.push_str(rest);
    }
    Ok(replaced)
}

/// The value of an attribute.
fn attribute<'l>(link: &'l str, name: &str) -> Option<&'l str> {
    let (_, rest) = link.split_once(&format!(" {name}=\""))?;
    Some(rest.split_once('"')?.0)
}

fn copy_file(file: &str, site: &Path) -> Result<()> {
    let name = Path::new(file).file_name().context("a link without a file")?;
    fs::copy(file, site.join(name)).with_context(|| format!("copying {file}"))?;
    Ok(())
}

/// Copies a style sheet; the link to it.
fn copy_sheet(file: &str, site: &Path) -> Result<String> {
    let text = fs::read(file).with_context(|| format!("reading {file}"))?;
    let stem = Path::new(file).file_stem().context("a style sheet without a name")?.to_string_lossy();
    let name = named(&stem, "css", &text);
    fs::write(site.join(&name), text).with_context(|| format!("writing {name}"))?;
    Ok(format!("<link rel=\"stylesheet\" href=\"./{name}\">"))
}

/// Copies the page's program; the script that starts it, as Trunk writes it.
fn start_script(site: &Path) -> Result<String> {
    let Made { glue, wasm } = Made::read(Path::new(PROGRAMS), "app.js", "app_bg.wasm")?;
    let (script, program) = (named("app", "js", glue.as_bytes()), named("app", "wasm", &wasm));
    fs::write(site.join(&script), glue).with_context(|| format!("writing {script}"))?;
    fs::write(site.join(&program), wasm).with_context(|| format!("writing {program}"))?;
    Ok(format!(
        "<script type=\"module\">\nimport init, * as bindings from './{script}';\n\
         const wasm = await init({{ module_or_path: './{program}' }});\n</script>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_for_trunk_are_replaced_and_others_are_not() {
        let page =
            "a<link rel=\"icon\" href=\"b\">c<link data-trunk rel=\"css\" href=\"d.css\" data-integrity=\"none\">e";
        let replaced =
            replace_links(page, |link| Ok(format!("[{:?} {:?}]", attribute(link, "rel"), attribute(link, "href"))));
        assert_eq!(replaced.unwrap(), "a<link rel=\"icon\" href=\"b\">c[Some(\"css\") Some(\"d.css\")]e");
        assert!(replace_links("<link data-trunk rel=\"css\"", |_| Ok(String::new())).is_err());
    }

    #[test]
    fn the_page_asks_for_nothing_unknown() {
        let page = include_str!("../../index.html");
        let replaced = replace_links(page, |link| {
            assert!(["rust", "copy-file", "css"].contains(&attribute(link, "rel").unwrap_or_default()), "{link}");
            Ok(String::new())
        });
        assert!(!replaced.unwrap().contains("data-trunk"));
    }
}
