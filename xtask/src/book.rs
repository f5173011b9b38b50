//! Book: `docs/*.md` become static pages in `dist/docs/`. `docs/README.md` is its table of
//! contents, and defines the order of its chapters.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, Result, ensure};
use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

use crate::content_name::named;
use crate::html::{PageContent, PageFrame, prev_next_nav, render_markdown, slug};

/// Source folder of the book, whose pages go to the folder of the same name in the site.
const SOURCE: &str = "docs";
/// Table of contents of the book.
const CONTENTS: &str = "README.md";
/// Style sheet of the book, which the lessons share.
const STYLES: &str = "styles/lessons.css";
/// Text below every page.
const FOOTER: &str = "Tables and outputs below a command were printed by that command.";

/// Files of the repository with another path in the site, relative to its root.
const ELSEWHERE: [(&str, &str); 3] = [
    ("lessons/README.md", "lessons/"),
    ("docs/figures/linked.html", "figures/linked.html"),
    ("docs/figures/slider.html", "figures/slider.html"),
];

/// Renders the book into the folder `docs` of the site.
pub(crate) fn render(site: &Path) -> Result<()> {
    let chapters = Chapters::read(Path::new(SOURCE))?;
    let folder = site.join("docs");
    // Pages of deleted chapters and old style sheets are removed first.
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("clearing {}", folder.display()))?;
    }
    let write = |name: &str, text: &str| {
        let path = folder.join(name);
        let into = path.parent().unwrap_or(&folder);
        fs::create_dir_all(into).with_context(|| format!("creating {}", into.display()))?;
        fs::write(&path, text).with_context(|| format!("writing {}", path.display()))
    };
    let styles = fs::read_to_string(STYLES).with_context(|| format!("reading {STYLES}"))?;
    let sheet = named("book", "css", styles.as_bytes());
    write(&sheet, &styles)?;
    for name in &chapters.files() {
        let from = Path::new(SOURCE).join(name);
        let text = fs::read(&from).with_context(|| format!("reading {}", from.display()))?;
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap_or(&folder))
            .with_context(|| format!("creating the folder of {name}"))?;
        fs::write(&path, text).with_context(|| format!("copying {name}"))?;
    }
    let index = fs::read_to_string("index.html").context("reading index.html")?;
    for (name, html) in chapters.pages(&index, &sheet)? {
        write(&name, &html)?;
    }
    println!("The book's {} pages are in {}/.", chapters.texts.len(), folder.display());
    Ok(())
}

/// Texts of the book by their names below [`SOURCE`], and their order.
struct Chapters {
    texts: BTreeMap<String, String>,
    order: Vec<String>,
}

impl Chapters {
    fn read(source: &Path) -> Result<Self> {
        let mut texts = BTreeMap::new();
        for folder in ["", "models"] {
            for entry in fs::read_dir(source.join(folder)).with_context(|| format!("reading {}", source.display()))? {
                let name = Path::new(folder).join(entry?.file_name()).to_string_lossy().into_owned();
                if name.ends_with(".md") {
                    let text = fs::read_to_string(source.join(&name)).with_context(|| format!("reading {name}"))?;
                    texts.insert(name, text);
                }
            }
        }
        let contents = texts.get(CONTENTS).with_context(|| format!("{SOURCE}/{CONTENTS} is missing"))?;
        let listed: Vec<_> = links(contents).into_iter().filter(|link| texts.contains_key(link)).collect();
        let mut order = vec![CONTENTS.to_owned()];
        order.extend(listed);
        let forgotten: Vec<_> = texts.keys().filter(|name| !order.contains(name)).map(String::as_str).collect();
        ensure!(forgotten.is_empty(), "{SOURCE}/{CONTENTS} has no link to {}", forgotten.join(", "));
        Ok(Self { texts, order })
    }

    /// Returns the files that pages show or link to, such as schemas and pictures.
    fn files(&self) -> BTreeSet<String> {
        let all = self.texts.iter().flat_map(|(name, text)| {
            let here = name.clone();
            links(text).into_iter().filter_map(move |link| within(&here, link.split('#').next()?))
        });
        all.filter(|path| !path.ends_with(".md"))
            .filter_map(|path| path.strip_prefix("docs/").map(str::to_owned))
            .filter(|path| ELSEWHERE.iter().all(|(from, _)| from.strip_prefix("docs/") != Some(path)))
            .filter(|path| Path::new(SOURCE).join(path).is_file())
            .collect()
    }

    /// Returns the name and the HTML of every page.
    fn pages(&self, index: &str, sheet: &str) -> Result<Vec<(String, String)>> {
        let head = format!("<link rel=\"stylesheet\" href=\"./{sheet}\">");
        let frame = PageFrame::new(index, "docs", &head, FOOTER)?;
        let titles: Vec<_> = self.order.iter().map(|name| title(&self.texts[name])).collect();
        let page = |(at, name): (usize, &String)| {
            let depth = name.matches('/').count();
            let beside = |at: usize| {
                let other = self.order.get(at)?;
                Some((format!("{}{}", "../".repeat(depth), page_of(other)), titles[at].clone()))
            };
            let (before, after) = (at.checked_sub(1).and_then(beside), beside(at + 1));
            fn link((address, title): &(String, String)) -> (&str, &str) {
                (address, title)
            }
            let nav = prev_next_nav(before.as_ref().map(link), after.as_ref().map(link), "page");
            let main = format!("<article>\n{}</article>\n{nav}", self.body(name)?);
            let title = format!("{} · Faultlab", titles[at]);
            let sheet =
                PageContent { title: &title, about: &titles[at], is_contents: name == CONTENTS, depth, main: &main };
            Ok((page_of(name), frame.page(&sheet)))
        };
        self.order.iter().enumerate().map(page).collect()
    }

    /// Renders the body of a text, with the links of the site.
    fn body(&self, name: &str) -> Result<String> {
        let mut events = Vec::new();
        let mut is_plain = false;
        for mut event in parse(&self.texts[name]) {
            match &mut event {
                Event::Start(Tag::Link { dest_url, .. }) => match self.address(name, dest_url)? {
                    Some(address) => *dest_url = CowStr::from(address),
                    None => {
                        is_plain = true;
                        continue;
                    }
                },
                Event::End(TagEnd::Link) if std::mem::take(&mut is_plain) => continue,
                _ => {}
            }
            events.push(event);
        }
        Ok(render_markdown(events))
    }

    /// Returns the address of a link of `name` in the site; `None` for files of the repository that
    /// the site does not contain.
    fn address(&self, name: &str, link: &str) -> Result<Option<String>> {
        if link.starts_with("http") || link.contains("../#") {
            // The link of an experiment is relative to the root of the book; pages in subfolders
            // need a longer prefix.
            return Ok(Some(format!(
                "{}{link}",
                if link.starts_with("../#") { "../".repeat(name.matches('/').count()) } else { String::new() }
            )));
        }
        let (path, heading) = link.split_once('#').map_or((link, None), |(path, heading)| (path, Some(heading)));
        let target = if path.is_empty() { Some(format!("{SOURCE}/{name}")) } else { within(name, path) };
        let target = target.with_context(|| format!("{SOURCE}/{name}: {link} leads out of the repository"))?;
        if let Some((_, place)) = ELSEWHERE.iter().find(|(from, _)| *from == target) {
            return Ok(Some(format!("{}../{place}", "../".repeat(name.matches('/').count()))));
        }
        let Some(text) = target.strip_prefix("docs/").and_then(|target| self.texts.get(target)) else {
            ensure!(Path::new(&target).exists() || cfg!(test), "{SOURCE}/{name}: {link} does not exist");
            return Ok((target.starts_with("docs/")).then(|| link.to_owned()));
        };
        if let Some(heading) = heading {
            ensure!(headings(text).contains(heading), "{SOURCE}/{name}: {link} names no heading of {target}");
        }
        let page = if path.is_empty() { String::new() } else { page_of(path) };
        Ok(Some(heading.map_or(page.clone(), |heading| format!("{page}#{heading}"))))
    }
}

fn parse(text: &str) -> Parser<'_> {
    Parser::new_ext(text, Options::ENABLE_TABLES)
}

/// Returns the destinations of all links and pictures.
fn links(text: &str) -> Vec<String> {
    let link = |event| match event {
        Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => Some(dest_url.into_string()),
        _ => None,
    };
    parse(text).filter_map(link).collect()
}

/// Returns the slugs of all headings.
fn headings(text: &str) -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    let mut words: Option<String> = None;
    for event in parse(text) {
        match event {
            Event::Start(Tag::Heading { .. }) => words = Some(String::new()),
            Event::Text(text) | Event::Code(text) => words.iter_mut().for_each(|words| words.push_str(&text)),
            Event::End(TagEnd::Heading(_)) => all.extend(words.take().map(|words| slug(&words))),
            _ => {}
        }
    }
    all
}

/// Returns the first heading.
fn title(text: &str) -> String {
    let line = text.lines().find_map(|line| line.strip_prefix("# "));
    line.unwrap_or("Faultlab").replace('`', "")
}

/// Returns the file name of a text's page.
fn page_of(name: &str) -> String {
    let stem = name.strip_suffix(".md").unwrap_or(name);
    match stem.strip_suffix("README") {
        Some(folder) => format!("{folder}index.html"),
        None => format!("{stem}.html"),
    }
}

/// Returns the path in the repository that `link` in the text `name` means; `None` if it leads out
/// of the repository.
fn within(name: &str, link: &str) -> Option<String> {
    let mut path = PathBuf::from(SOURCE).join(name);
    path.pop();
    for part in Path::new(link).components() {
        match part {
            Component::Normal(part) => path.push(part),
            Component::ParentDir => path.pop().then_some(())?,
            Component::CurDir => {}
            Component::RootDir | Component::Prefix(_) => return None,
        }
    }
    Some(path.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn top() -> PathBuf {
        PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    #[test]
    fn chapters_become_pages_with_valid_links() {
        let chapters = Chapters::read(&top().join(SOURCE)).expect("the book");
        let index = fs::read_to_string(top().join("index.html")).expect("the page");
        let pages = chapters.pages(&index, "book.css").expect("pages");
        let names: BTreeSet<_> = pages.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names.len(), chapters.texts.len());
        for (name, html) in &pages {
            assert_eq!(html.matches("<h1").count(), 1, "{name}");
            assert!(!html.contains(".md\""), "{name}: a link was left as it is written");
            for link in html.split(" href=\"").skip(1).filter_map(|rest| rest.split('"').next()) {
                let page = link.split('#').next().unwrap_or_default();
                if page.ends_with(".html") && !page.contains("figures/") {
                    let target = within(name, page).expect("a page of the book");
                    assert!(names.contains(target.trim_start_matches("docs/")), "{name}: {link}");
                }
            }
        }
    }

    #[test]
    fn links_are_rewritten_to_site_addresses() {
        let texts = [
            ("README.md", "# A\n\n[b](models/b.md#c-d)"),
            ("models/b.md", "# B\n\n## C, d\n\n[a](../README.md) [out](../../Cargo.toml)"),
        ];
        let texts = texts.map(|(name, text)| (name.to_owned(), text.to_owned())).into();
        let chapters = Chapters { texts, order: vec!["README.md".into(), "models/b.md".into()] };
        assert!(chapters.body("README.md").expect("a page").contains("<a href=\"models/b.html#c-d\">b</a>"));
        let below = chapters.body("models/b.md").expect("a page");
        assert!(below.contains("<h2 id=\"c-d\">") && below.contains("<a href=\"../index.html\">a</a> out"), "{below}");
        assert!(chapters.address("README.md", "models/b.md#e").is_err());
        let link = chapters.address("models/b.md", "../#v=1&net=cube:3").expect("a link");
        assert_eq!(link.as_deref(), Some("../../#v=1&net=cube:3"));
    }
}
