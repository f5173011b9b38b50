//! Lessons: `lessons/*.md` become static pages in `dist/lessons/`. `lessons/README.md` describes
//! their format.

mod page;
mod stills;
mod text;

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::content_name::named;
use page::{Page, contents, frame, lesson};
use stills::StillRenderer;

/// Source folder of the lessons.
const SOURCE: &str = "lessons";
/// Style sheet of the pages.
const STYLES: &str = "styles/lessons.css";

/// Renders all lessons into the folder `lessons` of the site.
pub(crate) fn render(site: &Path) -> Result<()> {
    let files = sources(Path::new(SOURCE))?;
    let mut pages: Vec<Page<'_>> = Vec::new();
    let mut problems = Vec::new();
    for (name, text) in &files {
        match text::read(text) {
            Ok(lesson) => pages.push(Page { name, lesson, stills: Vec::new() }),
            Err(found) => {
                problems
                    .extend(found.iter().map(|problem| format!("{SOURCE}/{name}:{}: {}", problem.line, problem.about)));
            }
        }
    }
    ensure!(problems.is_empty(), "lessons:\n{}", problems.join("\n"));
    let drawing = StillRenderer::begin()?;
    for page in &mut pages {
        page.stills = drawing.all(&page.lesson)?;
    }
    let folder = site.join("lessons");
    // Pages of deleted lessons and old style sheets are removed first.
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("clearing {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    let write = |name: &str, text: &str| fs::write(folder.join(name), text).with_context(|| format!("writing {name}"));
    let styles = fs::read_to_string(STYLES).with_context(|| format!("reading {STYLES}"))?;
    let sheet = named("lessons", "css", styles.as_bytes());
    write(&sheet, &styles)?;
    stills::write(&folder, pages.iter().flat_map(|page| &page.stills))?;
    let index = fs::read_to_string("index.html").context("reading index.html")?;
    let frame = frame(&index, &sheet)?;
    write("index.html", &contents(&frame, &pages))?;
    for (at, page) in pages.iter().enumerate() {
        let (before, after) = (at.checked_sub(1).and_then(|at| pages.get(at)), pages.get(at + 1));
        write(&format!("{}.html", page.address()), &lesson(&frame, page, before, after))?;
    }
    println!("{} lessons are in {}/.", pages.len(), folder.display());
    Ok(())
}

/// Returns the names and texts of all lessons, in their order.
fn sources(folder: &Path) -> Result<Vec<(String, String)>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        match name.strip_suffix(".md") {
            None | Some("README") => {}
            Some(stem) if text::address(stem).is_none() => {
                bail!(
                    "{SOURCE}/{name}: the name of a lesson has two digits and lower-case letters, such as 02-deadlock.md"
                );
            }
            Some(_) => {
                let text = fs::read_to_string(folder.join(&name)).with_context(|| format!("reading {name}"))?;
                files.push((name, text));
            }
        }
    }
    files.sort();
    Ok(files)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::path::PathBuf;

    use super::*;

    /// Returns the root of the checkout that contains this crate.
    fn top() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    #[test]
    fn every_lesson_becomes_a_page() {
        let files = sources(&top().join(SOURCE)).expect("lessons");
        let index = fs::read_to_string(top().join("index.html")).expect("the page");
        let frame = frame(&index, "lessons.css").expect("a frame");
        let mut addresses = HashSet::new();
        for (name, text) in &files {
            let read = text::read(text).unwrap_or_else(|problems| panic!("{name}: {problems:?}"));
            let page = Page { name, lesson: read, stills: Vec::new() };
            assert!(addresses.insert(page.address().to_owned()), "two lessons have the page {}", page.address());
            let html = lesson(&frame, &page, None, None);
            let ids: Vec<_> = html.split(" id=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
            assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "{name}: {ids:?}");
            for tag in ["h1", "main", "article", "figure", "details", "table", "fault-lab"] {
                let (opened, closed) =
                    (html.matches(&format!("<{tag}")).count(), html.matches(&format!("</{tag}>")).count());
                assert_eq!(opened, closed, "{name}: {tag}");
            }
            assert!(!html.contains("lab:"), "{name}: a link was left as it is written");
        }
    }
}
