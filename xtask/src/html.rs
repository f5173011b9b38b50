//! Common parts of the static pages of lessons and book: plain HTML with a header, navigation,
//! headings with ids, and scrollable tables.

use anyhow::{Context, Result};
use pulldown_cmark::{CowStr, Event, Tag, TagEnd, html};

/// Sections of the site with static pages: folder and name.
pub(crate) const SECTIONS: [(&str, &str); 2] = [("lessons", "Lessons"), ("docs", "Book")];

/// Common parts of all pages of a section.
pub(crate) struct PageFrame {
    /// Lines of the head.
    head: String,
    /// Section, one of [`SECTIONS`].
    section: &'static str,
    /// Text below every page.
    foot: &'static str,
}

/// Content of a page.
pub(crate) struct PageContent<'t> {
    pub(crate) title: &'t str,
    pub(crate) about: &'t str,
    /// True for the table of contents.
    pub(crate) is_contents: bool,
    /// Number of folders between the page and its section.
    pub(crate) depth: usize,
    pub(crate) main: &'t str,
}

impl PageFrame {
    /// Creates the frame of a section. The security policy and the icon come from `index`, the text
    /// of the page's `index.html`; `scripts` are lines of the head.
    pub(crate) fn new(index: &str, place: &'static str, scripts: &str, foot: &'static str) -> Result<Self> {
        let line = |begin: &str| {
            let found = index.lines().map(str::trim).find(|line| line.starts_with(begin));
            found.with_context(|| format!("index.html has no line {begin}"))
        };
        let policy = line("<meta http-equiv=\"Content-Security-Policy\"")?;
        let icon = line("<link rel=\"icon\"")?;
        let head = [
            "<meta charset=\"utf-8\">",
            policy,
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">",
            "<meta name=\"color-scheme\" content=\"light dark\">",
            icon,
            scripts,
        ];
        Ok(Self { head: head.join("\n  "), section: place, foot })
    }

    /// Returns the HTML of a page. Addresses in `scripts` that begin with `./` are relative to the
    /// section.
    pub(crate) fn page(&self, sheet: &PageContent<'_>) -> String {
        let &PageContent { title, about, is_contents, depth, main } = sheet;
        let up = "../".repeat(depth);
        let head = if depth == 0 { self.head.clone() } else { self.head.replace("href=\"./", &format!("href=\"{up}")) };
        let way = |(place, name): &(&str, &str)| {
            let current = if is_contents && *place == self.section { " aria-current=\"page\"" } else { "" };
            let address = if *place == self.section && depth == 0 {
                "./".into()
            } else if *place == self.section {
                up.clone()
            } else {
                format!("{up}../{place}/")
            };
            format!(" <a href=\"{address}\"{current}>{name}</a>")
        };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n  {head}\n  <meta name=\"description\" content=\"{}\">\n  <title>{}</title>\n</head>\n\
             <body>\n<header>\n<nav aria-label=\"Faultlab\"><a class=\"brand\" href=\"{up}../\">Fault<b>lab</b></a>{}</nav>\n\
             </header>\n<main>\n{main}\n</main>\n<footer><p>{}</p></footer>\n</body>\n</html>\n",
            escaped(about),
            escaped(title),
            SECTIONS.iter().map(way).collect::<String>(),
            self.foot,
        )
    }
}

/// Returns the navigation to the previous and the next page, each given by address and title.
pub(crate) fn prev_next_nav(before: Option<(&str, &str)>, after: Option<(&str, &str)>, what: &str) -> String {
    let beside = |page: Option<(&str, &str)>, rel: &str, word: &str| {
        page.map_or(String::new(), |(address, title)| {
            format!("<a rel=\"{rel}\" href=\"{address}\"><span>{word} {what}:</span> {}</a>\n", escaped(title))
        })
    };
    let both = [beside(before, "prev", "Previous"), beside(after, "next", "Next")].concat();
    format!("<nav class=\"pager\" aria-label=\"Previous and next {what}\">\n{both}</nav>")
}

/// Renders Markdown as HTML, with ids for its headings.
pub(crate) fn render_markdown(mut events: Vec<Event<'_>>) -> String {
    name_headings(&mut events);
    let mut written = String::new();
    html::push_html(&mut written, events.into_iter());
    // Wide tables scroll separately, and can have the focus so that the keyboard can scroll them.
    let open = "<div class=\"scroll\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table>";
    written.replace("<table>", open).replace("</table>", "</table></div>")
}

fn name_headings(events: &mut [Event<'_>]) {
    let mut heading = None;
    for at in 0..events.len() {
        match &mut events[at] {
            Event::Start(Tag::Heading { .. }) => heading = Some((at, String::new())),
            Event::Text(text) | Event::Code(text) => {
                if let Some((_, words)) = &mut heading {
                    words.push_str(text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                if let Some((start, words)) = heading.take()
                    && let Event::Start(Tag::Heading { id, .. }) = &mut events[start]
                {
                    *id = Some(CowStr::from(slug(&words)));
                }
            }
            _ => {}
        }
    }
}

/// Returns the id of a heading.
pub(crate) fn slug(words: &str) -> String {
    let plain = words.to_lowercase();
    plain.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// Escapes a text for HTML, also within quotes.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
