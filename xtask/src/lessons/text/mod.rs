//! Parser of lessons: Markdown with figures and `lab:` links. The renderer and the test of lessons
//! (`tests/core/lessons.rs`) share this module, which therefore depends neither on pages nor on
//! experiments. `lessons/README.md` describes the format.
#![allow(dead_code, reason = "the renderer compares no numbers, and the test reads no titles")]

pub(crate) mod figure;
pub(crate) mod link;

use std::iter::Peekable;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd};

use figure::LessonFigure;
use link::{PrintedNumber, Reading, numbers};

/// Markdown extensions beyond CommonMark that lessons may use.
pub(crate) const OPTIONS: Options = Options::ENABLE_TABLES;

/// Scheme of links to experiments.
const LAB: &str = "lab:";

/// First words of the headings that every lesson has, in this order.
const STRUCTURE: [&str; 5] = ["Predict", "Watch", "Explain", "Measure", "Exercise"];

/// Parsed lesson.
#[derive(Debug)]
pub(crate) struct Lesson<'t> {
    /// First heading.
    pub(crate) title: String,
    /// Duration in minutes.
    pub(crate) minutes: u16,
    /// Subject of the lesson, in a sentence.
    pub(crate) about: String,
    /// Parts after the introduction.
    pub(crate) parts: Vec<LessonPart<'t>>,
}

/// Part of a lesson.
#[derive(Debug)]
pub(crate) enum LessonPart<'t> {
    /// A figure.
    Figure(LessonFigure),
    /// A link to an experiment.
    Claim(LessonClaim),
    /// Any other Markdown event.
    Markdown(Event<'t>),
}

/// Link to an experiment, with its claim.
#[derive(Debug)]
pub(crate) struct LessonClaim {
    /// Line of the link.
    pub(crate) line: usize,
    /// Text of the experiment.
    pub(crate) experiment: String,
    /// Text of the link.
    pub(crate) text: String,
    /// Source of the claimed number, if it can be computed.
    pub(crate) reading: Option<Reading>,
}

/// Problem in a lesson.
#[derive(Debug)]
pub(crate) struct LessonProblem {
    /// Line of the problem.
    pub(crate) line: usize,
    /// Description of the problem, with the accepted forms.
    pub(crate) about: String,
}

/// Parses the text of a lesson.
///
/// # Errors
/// Returns all problems of the text.
pub(crate) fn read(text: &str) -> Result<Lesson<'_>, Vec<LessonProblem>> {
    let mut reader =
        Reader { text, events: Parser::new_ext(text, OPTIONS).into_offset_iter().peekable(), problems: Vec::new() };
    let lesson = reader.lesson();
    if reader.problems.is_empty() { Ok(lesson) } else { Err(reader.problems) }
}

struct Reader<'t, I: Iterator<Item = (Event<'t>, Range<usize>)>> {
    text: &'t str,
    events: Peekable<I>,
    problems: Vec<LessonProblem>,
}

impl<'t, I: Iterator<Item = (Event<'t>, Range<usize>)>> Reader<'t, I> {
    fn lesson(&mut self) -> Lesson<'t> {
        let (title, minutes, about) = self.parse_head();
        let (mut parts, mut given, mut bare) = (Vec::new(), Vec::new(), Vec::new());
        let mut depth = ParserState::default();
        while let Some((event, range)) = self.events.next() {
            let line = self.line(range.start);
            match &event {
                Event::Start(Tag::HtmlBlock) => {
                    if let Some(part) = self.parse_html(line, &mut depth, &mut given) {
                        parts.push(part);
                    }
                    continue;
                }
                Event::Start(Tag::Link { dest_url, title, .. }) => match dest_url.strip_prefix(LAB) {
                    Some(experiment) => {
                        parts.extend(self.parse_claim(line, experiment, title).map(LessonPart::Claim));
                        continue;
                    }
                    None => {
                        depth.links += 1;
                        self.check_link(line, dest_url);
                    }
                },
                Event::End(TagEnd::Link) => depth.links -= 1,
                Event::InlineHtml(html) => self.add_problem(line, format!("{html}: no HTML within a line")),
                Event::Start(Tag::Heading { level, .. }) => self.check_level(line, *level, &mut depth),
                Event::Text(words) if depth.heading => depth.headings.push(words.to_string()),
                Event::Text(words) if depth.links == 0 => bare.extend(numbers_in(words).map(|found| (line, found))),
                _ => {}
            }
            depth.heading = matches!(event, Event::Start(Tag::Heading { .. }));
            parts.push(LessonPart::Markdown(event));
        }
        self.check_numbers(&bare, &given);
        self.check_structure(&depth);
        Lesson { title, minutes, about, parts }
    }

    /// Parses the heading `# Title`, and a paragraph such as `*20 minutes.* Subject of the lesson.`
    fn parse_head(&mut self) -> (String, u16, String) {
        let title = match self.events.next() {
            Some((Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }), _)) => {
                self.words(TagEnd::Heading(HeadingLevel::H1))
            }
            _ => String::new(),
        };
        let opens = matches!(self.events.next(), Some((Event::Start(Tag::Paragraph), _)))
            && matches!(self.events.next(), Some((Event::Start(Tag::Emphasis), _)));
        let time = if opens { self.words(TagEnd::Emphasis) } else { String::new() };
        let about = if opens { self.words(TagEnd::Paragraph) } else { String::new() };
        let minutes = time.strip_suffix(" minutes.").and_then(|number| number.parse().ok());
        if title.is_empty() || about.is_empty() || minutes.is_none() {
            self.add_problem(
                1,
                "a lesson begins with a heading \"# Title\" and a paragraph \"*20 minutes.* What it is about.\"".into(),
            );
        }
        (title, minutes.unwrap_or(0), about)
    }

    /// Returns the plain text up to the end of the current element.
    fn words(&mut self, end: TagEnd) -> String {
        let mut words = String::new();
        for (event, _) in self.events.by_ref() {
            match event {
                Event::End(other) if other == end => break,
                Event::Text(text) | Event::Code(text) => words.push_str(&text),
                Event::SoftBreak | Event::HardBreak => words.push(' '),
                _ => {}
            }
        }
        words.trim().to_owned()
    }

    /// Parses a link to an experiment after its start.
    fn parse_claim(&mut self, line: usize, experiment: &str, title: &str) -> Option<LessonClaim> {
        let text = self.words(TagEnd::Link);
        let reading = (!title.is_empty()).then(|| Reading::parse(title)).transpose();
        let printed =
            |reading: &Reading| if reading.value.is_none() { PrintedNumber::parse(&text).map(drop) } else { Ok(()) };
        let reading = reading.and_then(|reading| reading.as_ref().map_or(Ok(()), printed).map(|()| reading));
        match reading {
            Ok(reading) => Some(LessonClaim { line, experiment: experiment.to_owned(), text, reading }),
            Err(problem) => {
                self.add_problem(line, problem);
                None
            }
        }
    }

    /// Parses a block of HTML after its start: a figure, a collapsed answer, or a list of given
    /// numbers.
    fn parse_html(
        &mut self,
        line: usize,
        depth: &mut ParserState,
        given: &mut Vec<(usize, String)>,
    ) -> Option<LessonPart<'t>> {
        let mut html = String::new();
        for (event, _) in self.events.by_ref() {
            match event {
                Event::End(TagEnd::HtmlBlock) => break,
                Event::Html(text) => html.push_str(&text),
                _ => {}
            }
        }
        let block = html.trim();
        if LessonFigure::begins(block) {
            return LessonFigure::parse(block, line)
                .map(LessonPart::Figure)
                .map_err(|problem| self.add_problem(line, problem))
                .ok();
        }
        if let Some(list) = block.strip_prefix("<!-- given:").and_then(|rest| rest.strip_suffix("-->")) {
            given.extend(list.split_whitespace().map(|number| (line, number.to_owned())));
            return None;
        }
        let summary = block.strip_prefix("<details><summary>").and_then(|rest| rest.strip_suffix("</summary>"));
        match (block, summary) {
            ("</details>", _) => depth.details -= 1,
            (_, Some(words)) if !words.is_empty() && !words.contains('<') => {
                depth.details += 1;
                depth.answers += 1;
            }
            _ => {
                let accepted = "<fault-lab …>, <details><summary>…</summary>, </details>, <!-- given: … -->";
                self.add_problem(line, format!("{block}: accepted on lines of their own: {accepted}"));
                return None;
            }
        }
        Some(LessonPart::Markdown(Event::Html(CowStr::from(html))))
    }

    fn check_link(&mut self, line: usize, to: &str) {
        let lesson = to.strip_suffix(".md").is_some_and(|name| address(name).is_some());
        if !lesson && !to.starts_with("https://") && !to.starts_with("http://") {
            self.add_problem(
                line,
                format!(
                    "a link to {to}; accepted: {LAB}EXPERIMENT, https://…, or another lesson such as 02-deadlock.md"
                ),
            );
        }
    }

    fn check_level(&mut self, line: usize, level: HeadingLevel, depth: &mut ParserState) {
        let level = level as u8;
        if level < 2 || level > depth.level.max(1) + 1 {
            self.add_problem(line, format!("a heading of level {level} below one of level {}", depth.level.max(1)));
        }
        depth.level = level;
    }

    fn check_structure(&mut self, depth: &ParserState) {
        let mut wanted = STRUCTURE.iter().peekable();
        for heading in &depth.headings {
            wanted.next_if(|word| heading.starts_with(**word));
        }
        let end = self.line(self.text.len());
        if let Some(missing) = wanted.peek() {
            self.add_problem(
                end,
                format!("no heading {missing}; a lesson has, in this order, {}", STRUCTURE.join(", ")),
            );
        }
        if depth.answers == 0 || depth.details != 0 {
            self.add_problem(
                end,
                "an exercise has an answer between <details><summary>Answer</summary> and </details>".into(),
            );
        }
    }

    /// Checks that every percentage or decimal in the text is computed by a link, or is listed as
    /// given.
    fn check_numbers(&mut self, bare: &[(usize, String)], given: &[(usize, String)]) {
        for (line, number) in bare.iter().filter(|(_, number)| given.iter().all(|(_, other)| other != number)) {
            self.add_problem(
                *line,
                format!(
                    "{number} is not in a link that computes it; if it is quoted or chosen, list it in <!-- given: {number} -->"
                ),
            );
        }
        for (line, number) in given.iter().filter(|(_, number)| bare.iter().all(|(_, other)| other != number)) {
            self.add_problem(*line, format!("{number} is listed as given but is not in the text"));
        }
    }

    fn add_problem(&mut self, line: usize, about: String) {
        self.problems.push(LessonProblem { line, about });
    }

    fn line(&self, at: usize) -> usize {
        1 + self.text[..at].matches('\n').count()
    }
}

/// State of the parser.
#[derive(Default)]
struct ParserState {
    links: u8,
    details: i8,
    answers: u8,
    level: u8,
    /// True if the next text belongs to a heading.
    heading: bool,
    headings: Vec<String>,
}

/// Returns the percentages and decimals in a text.
fn numbers_in(words: &str) -> impl Iterator<Item = String> {
    let found = numbers(words).into_iter().filter(|digits| digits.percent || digits.decimals > 0);
    found.map(|digits| format!("{}{}", &words[digits.start..digits.end], if digits.percent { "%" } else { "" }))
}

/// Returns the page name of a lesson from its file name without extension: `02-deadlock` becomes
/// deadlock. Files are numbered for their order; pages are not, so that links to them stay valid.
pub(crate) fn address(stem: &str) -> Option<&str> {
    let (number, name) = stem.split_once('-')?;
    let plain = !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    (number.len() == 2 && number.bytes().all(|byte| byte.is_ascii_digit()) && plain).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "# Title\n\n*20 minutes.* About *it*.\n\n";
    const TAIL: &str = "\n\n## Predict\n\n## Watch\n\n## Explain\n\n## Measure\n\n## Exercise\n\n<details><summary>Answer</summary>\n\nYes.\n\n</details>\n";

    fn problems(middle: &str) -> Vec<String> {
        let text = [HEAD, middle, TAIL].concat();
        read(&text).err().into_iter().flatten().map(|problem| format!("{}: {}", problem.line, problem.about)).collect()
    }

    #[test]
    fn reads_head_figures_and_claims() {
        let middle = "A [82.7%\nof all](lab:net=cube:5&faults=nodes:0.5 \"success\") [so](lab:net=cube:3).\n\n<fault-lab experiment=\"net=cube:3\">\nA cube.\n</fault-lab>\n";
        let text = [HEAD, middle, TAIL].concat();
        let lesson = read(&text).expect("a lesson");
        assert_eq!((lesson.title.as_str(), lesson.minutes, lesson.about.as_str()), ("Title", 20, "About it."));
        let claims: Vec<_> = lesson
            .parts
            .iter()
            .filter_map(|part| if let LessonPart::Claim(claim) = part { Some(claim) } else { None })
            .collect();
        assert_eq!(claims.len(), 2);
        assert_eq!(
            (claims[0].text.as_str(), claims[0].experiment.as_str()),
            ("82.7% of all", "net=cube:5&faults=nodes:0.5")
        );
        assert!(claims[0].reading.is_some() && claims[1].reading.is_none());
        assert!(lesson.parts.iter().any(|part| matches!(part, LessonPart::Figure(figure) if figure.line == 8)));
    }

    #[test]
    fn problems_are_reported_with_their_line() {
        for (middle, says) in [
            ("It is 82.7% so.", "5: 82.7% is not in a link"),
            ("It is 0.5 so.", "5: 0.5 is not in a link"),
            ("[x](lab:net=cube:3 \"success\")", "5: \"x\" does not contain exactly one number"),
            ("[1](lab:net=cube:3 \"tell:success\")", "names the unknown source tell"),
            ("<div>\n</div>", "accepted on lines of their own"),
            ("a <b>b</b>", "no HTML within a line"),
            ("[x](nothing.md)", "a link to nothing.md"),
            ("#### Deep", "a heading of level 4"),
            ("<!-- given: 3.5 -->", "3.5 is listed as given"),
            ("<details><summary>More</summary>", "an exercise has an answer"),
        ] {
            let problems = problems(middle);
            assert!(problems.iter().any(|problem| problem.contains(says)), "{middle}: {problems:?}");
        }
        assert!(problems("It is 3.5, `4.5` and [5.5](https://example.org).\n\n<!-- given: 3.5 -->").is_empty());
        assert!(read("# Title\n").is_err_and(|problems| problems.len() >= 3));
    }

    #[test]
    fn address_drops_the_file_number() {
        assert_eq!(address("02-deadlock"), Some("deadlock"));
        assert!(["README", "2-deadlock", "02-", "02-Deadlock", "02"].into_iter().all(|stem| address(stem).is_none()));
    }
}
