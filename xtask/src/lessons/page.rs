//! The pages of lessons: plain HTML with figures, no script but the figures' own.

use std::fmt::Write as _;

use anyhow::{Context, Result};
use pulldown_cmark::{CowStr, Event, Tag, TagEnd, html};

use super::stills::Still;
use super::text::figure::Figure;
use super::text::link::Source;
use super::text::{Claim, Lesson, Part, address};

/// A lesson and its file.
pub(super) struct Page<'t> {
    /// The name of the file.
    pub(super) name: &'t str,
    /// What it says.
    pub(super) lesson: Lesson<'t>,
    /// The pictures of its figures, in their order; none where nobody has drawn them.
    pub(super) stills: Vec<Still>,
}

impl Page<'_> {
    /// The name of its page, without `.html`.
    pub(super) fn address(&self) -> &str {
        self.name.strip_suffix(".md").and_then(address).unwrap_or(self.name)
    }
}

/// What all pages have in common.
pub(super) struct Frame {
    /// Lines of the head.
    head: String,
}

impl Frame {
    /// The security policy and the icon are those of the page itself, whose `index.html` this is.
    pub(super) fn of(index: &str, sheet: &str) -> Result<Self> {
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
            &format!("<link rel=\"stylesheet\" href=\"./{sheet}\">"),
            "<script type=\"module\" src=\"../faultlab.js\"></script>",
        ];
        Ok(Self { head: head.join("\n  ") })
    }

    /// The page of a lesson, between those before and after it.
    pub(super) fn lesson(&self, page: &Page<'_>, before: Option<&Page<'_>>, after: Option<&Page<'_>>) -> String {
        let Lesson { title, minutes, about, parts } = &page.lesson;
        let beside = |page: Option<&Page<'_>>, rel: &str, word: &str| {
            page.map_or(String::new(), |page| {
                let title = escaped(&page.lesson.title);
                format!("<a rel=\"{rel}\" href=\"./{}.html\"><span>{word}</span> {title}</a>\n", page.address())
            })
        };
        let around = [beside(before, "prev", "Previous lesson:"), beside(after, "next", "Next lesson:")].concat();
        let main = format!(
            "<article>\n<h1>{}</h1>\n<p class=\"about\">{} <span class=\"time\">{minutes} minutes</span></p>\n{}</article>\n\
             <nav class=\"around\" aria-label=\"Previous and next lesson\">\n{around}</nav>",
            escaped(title),
            escaped(about),
            body(parts, &page.stills),
        );
        self.page(&format!("{title} · Faultlab lessons"), about, false, &main)
    }

    /// The page that lists them all.
    pub(super) fn contents(&self, pages: &[Page<'_>]) -> String {
        let about =
            "Lessons about routing around faults: predict, watch, explain, measure, and an exercise with its answer.";
        let mut main = format!("<h1>Lessons</h1>\n<p class=\"about\">{about}</p>\n<ol class=\"lessons\">\n");
        for page in pages {
            let Lesson { title, minutes, about, .. } = &page.lesson;
            let (address, title, about) = (page.address(), escaped(title), escaped(about));
            let _ = writeln!(
                main,
                "<li><a href=\"./{address}.html\">{title}</a> <span class=\"time\">{minutes} minutes</span><p>{about}</p></li>"
            );
        }
        main.push_str("</ol>");
        self.page("Faultlab lessons", about, true, &main)
    }

    fn page(&self, title: &str, about: &str, is_contents: bool, main: &str) -> String {
        let current = if is_contents { " aria-current=\"page\"" } else { "" };
        format!(
            "<!doctype html>\n<html lang=\"en\">\n<head>\n  {}\n  <meta name=\"description\" content=\"{}\">\n  <title>{}</title>\n</head>\n\
             <body>\n<header>\n<nav aria-label=\"Faultlab\"><a class=\"brand\" href=\"../\">Fault<b>lab</b></a> <a href=\"./\"{current}>Lessons</a></nav>\n\
             </header>\n<main>\n{main}\n</main>\n<footer><p>Every number with a dotted line is computed by the experiment behind it: \
             follow the link to see it, and to change it.</p></footer>\n</body>\n</html>\n",
            self.head,
            escaped(about),
            escaped(title),
        )
    }
}

/// The HTML of what a lesson says.
fn body(parts: &[Part<'_>], stills: &[Still]) -> String {
    let mut heading = None;
    let mut stills = stills.iter();
    let events = parts.iter().map(|part| match part {
        Part::Figure(figure) => Event::Html(CowStr::from(tag(figure, stills.next()))),
        Part::Claim(claim) => Event::InlineHtml(CowStr::from(anchor(claim))),
        Part::Markdown(event) => event.clone(),
    });
    let mut events: Vec<Event<'_>> = events.collect();
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
            Event::Start(Tag::Link { dest_url, .. }) => {
                if let Some(name) = dest_url.strip_suffix(".md").and_then(address) {
                    *dest_url = CowStr::from(format!("./{name}.html"));
                }
            }
            _ => {}
        }
    }
    let mut written = String::new();
    html::push_html(&mut written, events.into_iter());
    // Wide tables scroll by themselves, and are reached by keyboard for that.
    let open = "<div class=\"scroll\" role=\"region\" aria-label=\"Table\" tabindex=\"0\"><table>";
    written.replace("<table>", open).replace("</table>", "</table></div>")
}

/// A figure, with its picture and what those read who have no scripts, and the experiment for those who have paper.
fn tag(figure: &Figure, still: Option<&Still>) -> String {
    let mut tag = String::from("<figure>\n<fault-lab");
    for (name, value) in &figure.attributes {
        let _ = write!(tag, " {name}=\"{}\"", escaped(value));
    }
    let caption = escaped(&figure.caption);
    let view = figure.attributes.iter().find(|(name, _)| *name == "view").map(|(_, view)| view.as_str());
    let link = escaped(&address_of(&figure.experiment, view));
    let _ = writeln!(
        tag,
        " caption=\"{caption}\">\n{}<p>{caption}</p>\n<p><a href=\"{link}\">Open in Faultlab</a></p>\n</fault-lab>\n\
         <figcaption class=\"paper\">Experiment: <code>{}</code></figcaption>\n</figure>",
        still.map_or(String::new(), picture),
        escaped(&figure.experiment)
    );
    tag
}

/// The widest windows in which the picture for phones is shown, in pixels.
const NARROW: u32 = 480;

/// What the figure shows until somebody wants more.
fn picture(Still { wide, narrow, words, size }: &Still) -> String {
    format!(
        "<picture slot=\"still\"><source media=\"(max-width: {NARROW}px)\" srcset=\"./{}\"><img src=\"./{}\" alt=\"{words}\" \
         width=\"{}\" height=\"{}\" loading=\"lazy\"></picture>\n",
        narrow.name, wide.name, size.0, size.1
    )
}

/// A link into the laboratory, to the view that shows what is claimed. A number that is computed looks different from what one only may
/// look at.
fn anchor(claim: &Claim) -> String {
    let (class, view) = match claim.reading.as_ref().map(|reading| reading.source) {
        None => ("", None),
        Some(Source::Run | Source::Compare) => (" class=\"number\"", Some("measure")),
        Some(Source::Check) => (" class=\"number\"", Some("check")),
        Some(Source::Route | Source::Watch) => (" class=\"number\"", None),
    };
    format!("<a{class} href=\"{}\">{}</a>", escaped(&address_of(&claim.experiment, view)), escaped(&claim.text))
}

/// The address of an experiment in a view, if it names none itself, as Share makes it: its text behind `#`. What may not stand in an
/// address is encoded.
fn address_of(experiment: &str, view: Option<&str>) -> String {
    let mut address = String::from(if experiment.starts_with("v=") { "../#" } else { "../#v=1&" });
    for byte in experiment.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:@/?".contains(&byte) {
            address.push(char::from(byte));
        } else {
            let _ = write!(address, "%{byte:02X}");
        }
    }
    if let Some(view) = view.filter(|_| experiment.split('&').all(|pair| !pair.starts_with("view="))) {
        let _ = write!(address, "&view={view}");
    }
    address
}

/// The name of a heading in links.
fn slug(words: &str) -> String {
    let plain = words.to_lowercase();
    plain.split(|letter: char| !letter.is_alphanumeric()).filter(|word| !word.is_empty()).collect::<Vec<_>>().join("-")
}

/// Text in HTML, also inside of quotes.
fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lessons::text::read;

    const TEXT: &str = "# Title & more\n\n*20 minutes.* About.\n\n## Predict\n\nA [82.7%](lab:net=cube:5&faults=nodes:0.5 \"success\") and [the next](02-next.md).\n\n\
        ## Watch\n\n<fault-lab experiment=\"net=cube:3&amp;break=1\" show=\"network\">\nOne \"node\".\n</fault-lab>\n\n## Explain\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\
        ## Measure\n\n## Exercise\n\n<details><summary>Answer</summary>\n\nYes.\n\n</details>\n";

    fn written() -> String {
        let svg = |title: &str| format!("<svg width=\"720\" height=\"308\"><title>{title}</title></svg>");
        let still = Still::of(svg("A &amp; B"), svg("A")).expect("a still");
        let page = Page { name: "01-title.md", lesson: read(TEXT).expect("a lesson"), stills: vec![still] };
        let next = Page { name: "02-next.md", lesson: read(TEXT).expect("a lesson"), stills: Vec::new() };
        let index = "<meta http-equiv=\"Content-Security-Policy\" content=\"x\">\n<link rel=\"icon\" href=\"y\">";
        Frame::of(index, "s.css").expect("a frame").lesson(&page, None, Some(&next))
    }

    #[test]
    fn a_page_has_its_parts() {
        let html = written();
        for part in [
            "<html lang=\"en\">",
            "<title>Title &amp; more · Faultlab lessons</title>",
            "<meta name=\"description\" content=\"About.\">",
            "<h2 id=\"predict\">Predict</h2>",
            "<a class=\"number\" href=\"../#v=1&amp;net=cube:5&amp;faults=nodes:0.5&amp;view=measure\">82.7%</a>",
            "<a href=\"./next.html\">the next</a>",
            "<fault-lab experiment=\"net=cube:3&amp;break=1\" show=\"network\" caption=\"One &quot;node&quot;.\">",
            "<a href=\"../#v=1&amp;net=cube:3&amp;break=1\">Open in Faultlab</a>",
            "caption=\"One &quot;node&quot;.\">\n<picture slot=\"still\"><source media=\"(max-width: 480px)\" srcset=\"./still-",
            ".svg\" alt=\"A &amp; B\" width=\"720\" height=\"308\" loading=\"lazy\"></picture>\n<p>One",
            "tabindex=\"0\"><table>",
            "<details><summary>Answer</summary>\n<p>Yes.</p>\n</details>",
            "<a rel=\"next\" href=\"./next.html\"><span>Next lesson:</span> Title &amp; more</a>",
        ] {
            assert!(html.contains(part), "{part} is not in {html}");
        }
        assert_eq!(html.matches("<script").count(), 1);
        assert!(!html.contains("rel=\"prev\""));
    }

    #[test]
    fn addresses_have_what_may_stand_in_them() {
        assert_eq!(address_of("v=1&route=2f+3f", Some("check")), "../#v=1&route=2f+3f&view=check");
        assert_eq!(address_of("view=watch&a=\"<é 1%", Some("check")), "../#v=1&view=watch&a=%22%3C%C3%A9%201%25");
    }
}
