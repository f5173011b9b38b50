//! Pages of lessons: plain HTML with figures, and no script except the script of the figures.

use std::fmt::Write as _;

use anyhow::Result;
use pulldown_cmark::{CowStr, Event, Tag};

use super::stills::LessonStill;
use super::text::figure::LessonFigure;
use super::text::link::SourceCommand;
use super::text::{Lesson, LessonClaim, LessonPart, address};
use crate::html::{PageContent, PageFrame, escaped, prev_next_nav, render_markdown};

/// Lesson with its file.
pub(super) struct Page<'t> {
    /// Name of the file.
    pub(super) name: &'t str,
    /// Parsed lesson.
    pub(super) lesson: Lesson<'t>,
    /// Stills of its figures, in order; empty if they have not been drawn.
    pub(super) stills: Vec<LessonStill>,
}

impl Page<'_> {
    /// Returns the name of the page, without `.html`.
    pub(super) fn address(&self) -> &str {
        self.name.strip_suffix(".md").and_then(address).unwrap_or(self.name)
    }
}

/// Text below every lesson.
const FOOT: &str = "Every number with a dotted underline is a link to the experiment that computes it. Follow it to \
                    see and change the experiment.";

/// Returns the frame of all lessons, from the text of the page's `index.html`.
pub(super) fn frame(index: &str, sheet: &str) -> Result<PageFrame> {
    let scripts = format!(
        "<link rel=\"stylesheet\" href=\"./{sheet}\">\n  <script type=\"module\" src=\"../faultlab.js\"></script>"
    );
    PageFrame::new(index, "lessons", &scripts, FOOT)
}

/// Returns the page of a lesson, with links to the previous and the next one.
pub(super) fn lesson(
    frame: &PageFrame,
    page: &Page<'_>,
    before: Option<&Page<'_>>,
    after: Option<&Page<'_>>,
) -> String {
    let Lesson { title, minutes, about, parts } = &page.lesson;
    let beside = |page: &Page<'_>| (format!("./{}.html", page.address()), page.lesson.title.clone());
    let (before, after) = (before.map(beside), after.map(beside));
    fn way((address, title): &(String, String)) -> (&str, &str) {
        (address, title)
    }
    let main = format!(
        "<article>\n<h1>{}</h1>\n<p class=\"about\">{} <span class=\"time\">{minutes} minutes</span></p>\n{}</article>\n{}",
        escaped(title),
        escaped(about),
        body(parts, &page.stills),
        prev_next_nav(before.as_ref().map(way), after.as_ref().map(way), "lesson"),
    );
    let title = format!("{title} · Faultlab lessons");
    frame.page(&PageContent { title: &title, about, is_contents: false, depth: 0, main: &main })
}

/// Returns the page that lists all lessons.
pub(super) fn contents(frame: &PageFrame, pages: &[Page<'_>]) -> String {
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
    frame.page(&PageContent { title: "Faultlab lessons", about, is_contents: true, depth: 0, main: &main })
}

/// Renders the parts of a lesson as HTML.
fn body(parts: &[LessonPart<'_>], stills: &[LessonStill]) -> String {
    let mut stills = stills.iter();
    let events = parts.iter().map(|part| match part {
        LessonPart::Figure(figure) => Event::Html(CowStr::from(tag(figure, stills.next()))),
        LessonPart::Claim(claim) => Event::InlineHtml(CowStr::from(anchor(claim))),
        LessonPart::Markdown(event) => event.clone(),
    });
    let mut events: Vec<Event<'_>> = events.collect();
    for event in &mut events {
        if let Event::Start(Tag::Link { dest_url, .. }) = event
            && let Some(name) = dest_url.strip_suffix(".md").and_then(address)
        {
            *dest_url = CowStr::from(format!("./{name}.html"));
        }
    }
    let html = render_markdown(events);
    html.replacen(WATCH, &[PREDICTION, WATCH].concat(), 1).replacen(ANSWER, &[PRINT_ANSWERS, ANSWER].concat(), 1)
}

/// Heading of the part that follows the prediction.
const WATCH: &str = "<h2 id=\"watch\">";

/// Field for the reader's prediction, which stays in the page.
const PREDICTION: &str = "<p class=\"prediction\"><label for=\"prediction\">Your prediction, before you play the figure. It \
                          stays on this page.</label>\n<textarea id=\"prediction\" rows=\"3\"></textarea></p>\n";

/// Beginning of the answer.
const ANSWER: &str = "<details>";

/// Option to print the answer, which the style sheet reads.
const PRINT_ANSWERS: &str = "<p class=\"print-answers\"><label><input type=\"checkbox\" id=\"print-answers\"> Print the answers \
                             too</label></p>\n";

/// Returns the element of a figure, with its still, its fallback without scripts, and the
/// experiment for printed pages.
fn tag(figure: &LessonFigure, still: Option<&LessonStill>) -> String {
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

/// Maximum width of the windows that show the picture for phones, in pixels.
const NARROW: u32 = 480;

/// Returns the still that the figure shows until a reader starts it.
fn picture(LessonStill { wide, narrow, words, size }: &LessonStill) -> String {
    format!(
        "<picture slot=\"still\"><source media=\"(max-width: {NARROW}px)\" srcset=\"./{}\"><img src=\"./{}\" alt=\"{words}\" \
         width=\"{}\" height=\"{}\" loading=\"lazy\"></picture>\n",
        narrow.name, wide.name, size.0, size.1
    )
}

/// Returns a link to the view that shows a claim. Links of computed numbers have the class
/// `number`.
fn anchor(claim: &LessonClaim) -> String {
    let (class, view) = match claim.reading.as_ref().map(|reading| reading.source) {
        None => ("", None),
        Some(SourceCommand::Run | SourceCommand::Compare) => (" class=\"number\"", Some("measure")),
        Some(SourceCommand::Check) => (" class=\"number\"", Some("check")),
        Some(SourceCommand::Route | SourceCommand::Watch) => (" class=\"number\"", None),
    };
    format!("<a{class} href=\"{}\">{}</a>", escaped(&address_of(&claim.experiment, view)), escaped(&claim.text))
}

/// Returns the address of an experiment, in `view` unless the text names one. As in Share, the text
/// follows `#`; characters that are invalid in addresses are encoded.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lessons::text::read;

    const TEXT: &str = "# Title & more\n\n*20 minutes.* About.\n\n## Predict\n\nA [82.7%](lab:net=cube:5&faults=nodes:0.5 \"success\") and [the next](02-next.md).\n\n\
        ## Watch\n\n<fault-lab experiment=\"net=cube:3&amp;break=1\" show=\"network\">\nOne \"node\".\n</fault-lab>\n\n## Explain\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n\
        ## Measure\n\n## Exercise\n\n<details><summary>Answer</summary>\n\nYes.\n\n</details>\n";

    fn example() -> String {
        let svg = |title: &str| format!("<svg width=\"720\" height=\"308\"><title>{title}</title></svg>");
        let still = LessonStill::from_pictures(svg("A &amp; B"), svg("A")).expect("a still");
        let page = Page { name: "01-title.md", lesson: read(TEXT).expect("a lesson"), stills: vec![still] };
        let next = Page { name: "02-next.md", lesson: read(TEXT).expect("a lesson"), stills: Vec::new() };
        let index = "<meta http-equiv=\"Content-Security-Policy\" content=\"x\">\n<link rel=\"icon\" href=\"y\">";
        lesson(&frame(index, "s.css").expect("a frame"), &page, None, Some(&next))
    }

    #[test]
    fn page_contains_all_expected_parts() {
        let html = example();
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
            "<textarea id=\"prediction\" rows=\"3\"></textarea></p>\n<h2 id=\"watch\">",
            "id=\"print-answers\"> Print the answers too</label></p>\n<details>",
            "<details><summary>Answer</summary>\n<p>Yes.</p>\n</details>",
            "<a rel=\"next\" href=\"./next.html\"><span>Next lesson:</span> Title &amp; more</a>",
        ] {
            assert!(html.contains(part), "{part} is not in {html}");
        }
        assert_eq!(html.matches("<script").count(), 1);
        assert!(!html.contains("rel=\"prev\""));
    }

    #[test]
    fn addresses_keep_their_view_and_are_percent_encoded() {
        assert_eq!(address_of("v=1&route=2f+3f", Some("check")), "../#v=1&route=2f+3f&view=check");
        assert_eq!(address_of("view=watch&a=\"<é 1%", Some("check")), "../#v=1&view=watch&a=%22%3C%C3%A9%201%25");
    }
}
