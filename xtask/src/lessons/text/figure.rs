//! Figures: the element `<fault-lab>`, which has lines of its own in a lesson.

/// Attributes of the element in lessons, with their accepted words; none means any text.
const ATTRIBUTES: [(&str, &[&str]); 8] = [
    ("experiment", &[]),
    ("view", &["watch", "measure", "check"]),
    ("show", &["network", "chart", "check", "reasons", "table"]),
    ("controls", &["play", "scrub", "step"]),
    ("lock", &["all", "faults"]),
    ("play", &[]),
    ("speed", &[]),
    ("theme", &["light", "dark"]),
];

/// Figure of a lesson.
#[derive(Debug, PartialEq)]
pub(crate) struct LessonFigure {
    /// Line at which the figure begins.
    pub(crate) line: usize,
    /// Text of the experiment in the figure.
    pub(crate) experiment: String,
    /// All attributes, the experiment included, with unescaped values.
    pub(crate) attributes: Vec<(&'static str, String)>,
    /// Caption: the content of the element, which is shown without scripts.
    pub(crate) caption: String,
}

impl LessonFigure {
    /// Returns whether a block of HTML begins a figure.
    pub(super) fn begins(html: &str) -> bool {
        html.trim_start().starts_with("<fault-lab")
    }

    /// Parses a block that begins at `line`.
    ///
    /// # Errors
    /// Returns the problem, and the accepted forms.
    pub(super) fn parse(html: &str, line: usize) -> Result<Self, String> {
        let shape =
            "a figure is <fault-lab experiment=\"…\">, a caption in plain text on lines of its own, and </fault-lab>";
        let body = html.trim().strip_prefix("<fault-lab").and_then(|rest| rest.strip_suffix("</fault-lab>"));
        let (tag, caption) = body.and_then(|body| body.split_once('>')).ok_or(shape)?;
        let caption = caption.split_whitespace().collect::<Vec<_>>().join(" ");
        if caption.is_empty() || caption.contains('<') {
            return Err(shape.into());
        }
        let attributes = attributes(tag)?;
        let experiment = attributes.iter().find(|(name, _)| *name == "experiment").map(|(_, value)| value.clone());
        let experiment = experiment.ok_or("a figure without an experiment")?;
        Ok(Self { line, experiment, attributes, caption: unescaped(&caption) })
    }
}

/// Parses the attributes of a tag; each may appear once.
fn attributes(tag: &str) -> Result<Vec<(&'static str, String)>, String> {
    let mut found: Vec<(&'static str, String)> = Vec::new();
    let mut rest = tag.trim();
    while !rest.is_empty() {
        let shape = || format!("'{rest}': attributes are NAME=\"VALUE\"");
        let (name, behind) = rest.split_once("=\"").ok_or_else(shape)?;
        let (value, behind) = behind.split_once('"').ok_or_else(shape)?;
        let Some((name, words)) = ATTRIBUTES.into_iter().find(|(known, _)| *known == name.trim()) else {
            let names = ATTRIBUTES.map(|(name, _)| name).join(", ");
            return Err(format!("unknown attribute '{}'; accepted: {names}", name.trim()));
        };
        let value = unescaped(value);
        if let Some(word) = value.split_whitespace().find(|word| !words.is_empty() && !words.contains(word)) {
            return Err(format!("{name}=\"{word}\"; accepted: {}", words.join(", ")));
        }
        if found.iter().any(|(other, _)| *other == name) {
            return Err(format!("{name} is given twice"));
        }
        found.push((name, value));
        rest = behind.trim_start();
    }
    Ok(found)
}

/// Decodes the entities of attributes and captions. `&amp;` comes last, so that its result is not
/// decoded again.
fn unescaped(text: &str) -> String {
    text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"").replace("&amp;", "&")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_accepts_valid_figures_and_rejects_others() {
        let html = "<fault-lab experiment=\"net=cube:3&amp;break=1\" show=\"network reasons\">\nOne node\nis faulty.\n</fault-lab>\n";
        let figure = LessonFigure::parse(html, 7).expect("a figure");
        assert_eq!((figure.line, figure.experiment.as_str()), (7, "net=cube:3&break=1"));
        assert_eq!(figure.caption, "One node is faulty.");
        assert_eq!(figure.attributes[1], ("show", "network reasons".to_owned()));
        for (wrong, says) in [
            ("<fault-lab experiment=\"net=cube:3\"></fault-lab>", "caption"),
            ("<fault-lab>Cap.</fault-lab>", "without an experiment"),
            ("<fault-lab experiment=net>Cap.</fault-lab>", "NAME=\"VALUE\""),
            ("<fault-lab experiment=\"a=b\" shows=\"x\">Cap.</fault-lab>", "accepted: experiment, view"),
            ("<fault-lab experiment=\"a=b\" view=\"look\">Cap.</fault-lab>", "accepted: watch, measure, check"),
            ("<fault-lab experiment=\"a=b\" experiment=\"a=b\">Cap.</fault-lab>", "twice"),
        ] {
            let problem = LessonFigure::parse(wrong, 1).expect_err("no figure");
            assert!(problem.contains(says), "{wrong}: {problem}");
        }
    }
}
