//! Texts for sharing an experiment: a link, a figure in a web page, a line of a document or of a
//! terminal.

mod escape;
mod qr_code;
mod single_file;

use std::fmt::Write as _;

pub use qr_code::ShareCode;
pub use single_file::{sibling_url, with_experiment};

use super::kinds::{reports, supports_routes};
use super::sweep_charts::caption::Caption;
use escape::{html, latex, markdown, percent, shell};
use faultlab_experiment::figure_options::FigureOptions;
use faultlab_experiment::{Experiment, Tab};

/// Experiment to share, and its presentation.
#[derive(Clone, Copy, Debug)]
pub struct ShareSource<'a> {
    /// Experiment, with the view and the time at which it opens.
    pub experiment: &'a Experiment,
    /// Options of a figure.
    pub ui: &'a FigureOptions,
    /// Address of the page, without `#`.
    pub page: &'a str,
    /// Width and height of a figure, in CSS pixels.
    pub size: (u32, u32),
}

/// Text format for sharing an experiment.
#[derive(Debug)]
pub struct ShareFormat {
    /// Identifier in lists.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// Description of the format's use.
    pub about: &'static str,
    /// True if the format shows a figure, so that the options of a figure apply.
    pub is_figure: bool,
    /// Writes the text.
    pub write: fn(&ShareSource<'_>) -> String,
}

/// Name of the picture file in a tag with a still.
pub const STILL: &str = "still.svg";

/// List of all formats.
pub static SHARE_FORMATS: [ShareFormat; 7] = [
    ShareFormat {
        id: "link",
        name: "Link",
        about: "Opens the laboratory with this experiment.",
        is_figure: false,
        write: |shared| shared.link(),
    },
    ShareFormat {
        id: "tag",
        name: "Tag",
        about: "A figure in your own web page. Pages with several figures need the first line only once. For a page on \
                another server, the server of Faultlab must send the header Access-Control-Allow-Origin.",
        is_figure: true,
        write: |shared| shared.tag(""),
    },
    ShareFormat {
        id: "still",
        name: "Tag with a still",
        about: "A tag with the picture that Still saves: the rest loads when a reader opens the figure.",
        is_figure: true,
        write: |shared| {
            let title = html(&shared.title());
            shared.tag(&format!("<img slot=\"still\" src=\"{STILL}\" alt=\"{title}\" loading=\"lazy\">"))
        },
    },
    ShareFormat {
        id: "frame",
        name: "Frame",
        about: "A figure for sites that remove scripts: Moodle, wikis, slides.",
        is_figure: true,
        write: |shared| shared.frame(),
    },
    ShareFormat {
        id: "markdown",
        name: "Markdown",
        about: "A link in notes, issues and READMEs.",
        is_figure: false,
        write: |shared| format!("[{}]({})", markdown(&shared.title()), percent(&shared.link())),
    },
    ShareFormat {
        id: "latex",
        name: "LaTeX",
        about: "A link in slides and papers; needs \\usepackage{hyperref}.",
        is_figure: false,
        write: |shared| format!("\\href{{{}}}{{{}}}", latex(&percent(&shared.link())), latex(&shared.title())),
    },
    ShareFormat {
        id: "command",
        name: "Command line",
        about: "Runs the experiment in a terminal.",
        is_figure: false,
        write: |shared| shared.command(),
    },
];

impl ShareSource<'_> {
    /// Returns the link that opens the laboratory.
    pub fn link(&self) -> String {
        format!("{}#{}", self.page, self.experiment)
    }

    /// Returns the text of the figure: the experiment, followed by the options.
    pub fn figure(&self) -> String {
        let ui = FigureOptions { is_figure: true, ..self.ui.clone() };
        format!("{}{ui}", self.experiment)
    }

    /// Returns the title in a few words: the caption, if there is one.
    fn title(&self) -> String {
        let experiment = self.experiment;
        match experiment.view.tab {
            _ if !self.ui.caption.is_empty() => self.ui.caption.clone(),
            Tab::Measure => Caption::new(experiment, experiment).title,
            Tab::Watch | Tab::Check | Tab::Papers => (reports(experiment).heading)(experiment),
        }
    }

    /// Returns the tag of a figure, with `inside` before the link in it.
    fn tag(&self, inside: &str) -> String {
        let script = html(&sibling_url(self.page, "faultlab.js"));
        let mut options = String::new();
        for (name, value) in self.ui.non_default() {
            // The caption is not percent-encoded in an attribute. Writing into a text cannot fail.
            let value = if name == "caption" { &self.ui.caption } else { &value };
            let _ = write!(options, " {name}=\"{}\"", html(value));
        }
        let (experiment, link, title) = (html(&self.experiment.to_string()), html(&self.link()), html(&self.title()));
        let (width, height) = self.size;
        format!(
            "<script type=\"module\" src=\"{script}\"></script>\n\
             <fault-lab experiment=\"{experiment}\"{options} style=\"width: {width}px; max-width: 100%; height: {height}px\">\
             {inside}<a href=\"{link}\">{title}</a></fault-lab>"
        )
    }

    fn frame(&self) -> String {
        let source = html(&format!("{}#{}", self.page, self.figure()));
        let (title, (width, height)) = (html(&self.title()), self.size);
        format!(
            "<iframe src=\"{source}\" title=\"{title}\" width=\"{width}\" height=\"{height}\" \
             style=\"border: 0; max-width: 100%\" loading=\"lazy\" allow=\"clipboard-write\" \
             sandbox=\"allow-scripts allow-same-origin allow-popups allow-downloads\"></iframe>"
        )
    }

    fn command(&self) -> String {
        let verb = match self.experiment.view.tab {
            Tab::Check => "check",
            Tab::Watch if supports_routes(self.experiment) => "route",
            Tab::Watch | Tab::Measure | Tab::Papers => "run",
        };
        format!("faultlab {verb} {}", shell(&self.experiment.to_string()))
    }
}

#[cfg(test)]
mod tests;
