//! Options of embedded figures. They have a separate namespace in the text, `ui`, and affect no
//! result.

use std::fmt;

use faultlab_core::spelling::nearest;
use faultlab_core::{ParseError, names};

use super::experiment::Tab;
use super::text::{UI, figure_options};

/// Part of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FigurePart {
    /// Animation of the network and its messages.
    Network,
    /// Chart: a time series, or metrics.
    Chart,
    /// Results of the analysis.
    Check,
    /// Explanations of the hops of a message, and counts.
    Reasons,
    /// Table of the metrics.
    Table,
}

/// Control of a figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// Play and pause; for a sweep run, pause and cancel.
    Play,
    /// Steps forward and back.
    Step,
    /// Time slider, with its marks.
    Scrub,
    /// Playback speed.
    Speed,
    /// File export.
    Export,
}

/// Restriction of what a reader may change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Lock {
    /// No restriction: all that the figure shows can be changed.
    #[default]
    Open,
    /// Only breaking and mending of nodes and links is possible.
    Faults,
    /// Nothing can be changed.
    All,
}

/// Colour scheme of a figure.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Theme {
    /// Preference of the browser.
    #[default]
    Auto,
    /// Dark on light.
    Light,
    /// Light on dark.
    Dark,
}

/// Options of a figure.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FigureOptions {
    /// Flag for an embedded figure instead of the page, `ui=figure`.
    pub is_figure: bool,
    /// Tab, which overrides that of the experiment's text.
    pub view: Option<Tab>,
    /// Visible parts; `None` for the main part of the tab.
    pub show: Option<Vec<FigurePart>>,
    /// Visible controls; `None` for play, step and scrub.
    pub controls: Option<Vec<Control>>,
    /// Restriction of changes.
    pub lock: Lock,
    /// Automatic start of playback or of the sweep when the figure becomes visible; `None`: sweeps
    /// only.
    pub play: Option<bool>,
    /// Speed, as a power of 2 of steps per second.
    pub speed: Option<f64>,
    /// Colour scheme of the figure.
    pub theme: Theme,
    /// Caption below the figure.
    pub caption: String,
    /// Origin of the only page whose messages an embedded figure accepts; `None` for the embedding
    /// page.
    ///
    /// An empty string replaces an invalid value, and matches no page.
    pub host: Option<String>,
}

/// Controls of a figure by default.
const USUAL: [Control; 3] = [Control::Play, Control::Step, Control::Scrub];

names! {
    FigurePart { Network: "network", Chart: "chart", Check: "check", Reasons: "reasons", Table: "table" }
}

names! {
    Control { Play: "play", Step: "step", Scrub: "scrub", Speed: "speed", Export: "export" }
}

names! {
    Lock { Open: "open", Faults: "faults", All: "all" }
}

names! {
    Theme { Auto: "auto", Light: "light", Dark: "dark" }
}

/// Slowest and fastest speed, as powers of 2.
const SPEEDS: std::ops::RangeInclusive<f64> = -4.0..=12.0;

/// Maximum length of a caption, in bytes.
const CAPTION: usize = 1_000;

/// Option of a figure: name, accepted values, parser and formatter.
struct OptionSpec {
    name: &'static str,
    accepted: &'static str,
    read: fn(&mut FigureOptions, &str) -> Option<()>,
    write: fn(&FigureOptions) -> Option<String>,
}

static OPTIONS: [OptionSpec; 9] = [
    OptionSpec {
        name: "view",
        accepted: "watch, measure or check",
        read: |ui, text| {
            ui.view = Some(Tab::parse(text).filter(|tab| *tab != Tab::Papers)?);
            Some(())
        },
        write: |ui| ui.view.map(|view| view.to_string()),
    },
    OptionSpec {
        name: "show",
        accepted: "some of network, chart, check, reasons, table",
        read: |ui, text| {
            ui.show = Some(several(text, FigurePart::parse)?);
            Some(())
        },
        write: |ui| ui.show.as_ref().map(|parts| join(parts)),
    },
    OptionSpec {
        name: "controls",
        accepted: "some of play, step, scrub, speed, export; or none",
        read: |ui, text| {
            ui.controls = Some(if text == "none" { Vec::new() } else { several(text, Control::parse)? });
            Some(())
        },
        write: |ui| {
            let controls = ui.controls.as_ref()?;
            Some(if controls.is_empty() { "none".to_owned() } else { join(controls) })
        },
    },
    OptionSpec {
        name: "lock",
        accepted: "open, faults (break and mend only) or all (view only)",
        read: |ui, text| {
            ui.lock = Lock::parse(text)?;
            Some(())
        },
        write: |ui| (ui.lock != Lock::default()).then(|| ui.lock.to_string()),
    },
    OptionSpec {
        name: "play",
        accepted: "yes or no",
        read: |ui, text| {
            ui.play = match text {
                "yes" | "" | "true" => Some(true),
                "no" | "false" => Some(false),
                _ => return None,
            };
            Some(())
        },
        write: |ui| ui.play.map(|play| if play { "yes" } else { "no" }.to_owned()),
    },
    OptionSpec {
        name: "speed",
        accepted: "steps per second as a power of 2, from -4 to 12",
        read: |ui, text| {
            ui.speed = Some(text.parse().ok().filter(|speed| SPEEDS.contains(speed))?);
            Some(())
        },
        write: |ui| ui.speed.map(|speed| speed.to_string()),
    },
    OptionSpec {
        name: "theme",
        accepted: "auto, light or dark",
        read: |ui, text| {
            ui.theme = Theme::parse(text)?;
            Some(())
        },
        write: |ui| (ui.theme != Theme::default()).then(|| ui.theme.to_string()),
    },
    OptionSpec {
        name: "caption",
        accepted: "a sentence of at most 1000 bytes",
        read: |ui, text| {
            ui.caption = Some(text).filter(|text| text.len() <= CAPTION)?.to_owned();
            Some(())
        },
        write: |ui| (!ui.caption.is_empty()).then(|| escaped(&ui.caption)),
    },
    OptionSpec {
        name: "host",
        accepted: "an origin such as https://example.org, without a path; without one the figure accepts no messages",
        read: |ui, text| {
            let is_origin = is_origin(text);
            // If the author named a page, the figure must not accept messages from all pages.
            ui.host = Some(if is_origin { text.to_owned() } else { String::new() });
            is_origin.then_some(())
        },
        write: |ui| ui.host.clone(),
    },
];

impl FigureOptions {
    /// Parses the options in the text of an experiment. Invalid options are ignored and described
    /// in the list.
    pub fn from_text(text: &str) -> (Self, Vec<String>) {
        let (mut ui, mut wrong) = (Self::default(), Vec::new());
        for (key, value) in figure_options(text) {
            if let Err(problem) = ui.read(&key, &value) {
                wrong.push(problem.to_string());
            }
        }
        (ui, wrong)
    }

    fn read(&mut self, key: &str, value: &str) -> Result<(), ParseError> {
        let Some(name) = key.strip_prefix("ui.") else {
            self.is_figure = value == "figure";
            return if self.is_figure {
                Ok(())
            } else {
                Err(format!("ui={value} was ignored; accepted: ui=figure").into())
            };
        };
        if name == ATTRIBUTES {
            return check_attributes(value);
        }
        let Some(choice) = OPTIONS.iter().find(|choice| choice.name == name) else {
            let all: Vec<_> = OPTIONS.iter().map(|choice| choice.name).collect();
            return Err(format!("ui.{name} was ignored; the options of a figure are {}", all.join(", ")).into());
        };
        let read = (choice.read)(self, value);
        read.ok_or_else(|| format!("ui.{name}={value} was ignored; accepted: {}", choice.accepted).into())
    }

    /// Returns whether a control is visible.
    pub fn has(&self, control: Control) -> bool {
        self.controls.as_deref().unwrap_or(&USUAL).contains(&control)
    }

    /// Returns the options with a control shown or hidden, in a figure with this tab.
    #[must_use]
    pub fn with_control(&self, control: Control, is_there: bool, view: Tab) -> Self {
        let has = |one: Control| if one == control { is_there } else { self.has(one) };
        let there = || available_controls(view).iter().copied();
        let as_usual = there().all(|one| has(one) == USUAL.contains(&one));
        Self { controls: (!as_usual).then(|| there().filter(|&one| has(one)).collect()), ..self.clone() }
    }

    /// Returns whether a figure with this tab shows a part.
    pub fn shows(&self, part: FigurePart, view: Tab) -> bool {
        self.show.as_deref().unwrap_or(&available_parts(view)[..1]).contains(&part)
    }

    /// Returns the options with a part shown or hidden, in a figure with this tab. The last part
    /// cannot be hidden.
    #[must_use]
    pub fn with_part(&self, part: FigurePart, is_shown: bool, view: Tab) -> Self {
        let shows = |one: FigurePart| if one == part { is_shown } else { self.shows(one, view) };
        let shown: Vec<FigurePart> = available_parts(view).iter().copied().filter(|&one| shows(one)).collect();
        match &*shown {
            [] => self.clone(),
            [one] if *one == available_parts(view)[0] => Self { show: None, ..self.clone() },
            _ => Self { show: Some(shown), ..self.clone() },
        }
    }

    /// Returns the options with another value of an option, parsed as in a text.
    ///
    /// # Errors
    /// Returns an error that names the option and the accepted values.
    pub fn with(&self, name: &str, value: &str) -> Result<Self, ParseError> {
        let mut next = self.clone();
        next.read(&format!("{UI}.{name}"), value).map(|()| next)
    }

    /// Returns each option that differs from its default, by its name.
    pub fn non_default(&self) -> impl Iterator<Item = (&'static str, String)> {
        OPTIONS.iter().filter_map(|choice| Some((choice.name, (choice.write)(self)?)))
    }
}

/// Option that lists the other attributes of a `<fault-lab>` tag.
const ATTRIBUTES: &str = "attributes";

/// Checks the other attributes of a tag, separated by commas: none may be a misspelt option.
fn check_attributes(names: &str) -> Result<(), ParseError> {
    let known: Vec<_> =
        OPTIONS.iter().map(|choice| choice.name).filter(|name| *name != "host").chain(["experiment"]).collect();
    let misspelt = names.split(',').find_map(|name| Some((name, nearest(name, &known)?)));
    let problem = |(name, near)| format!("the attribute {name} is unknown and was ignored; did you mean {near}?");
    misspelt.map_or(Ok(()), |found| Err(problem(found).into()))
}

impl fmt::Display for FigureOptions {
    /// Writes the options that differ from their defaults, each after an `&`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_figure {
            write!(f, "&{UI}=figure")?;
        }
        self.non_default().try_for_each(|(name, value)| write!(f, "&{UI}.{name}={value}"))
    }
}

/// Returns the parts that a figure with this tab can show; the first is its main part.
pub fn available_parts(view: Tab) -> &'static [FigurePart] {
    match view {
        // A figure of a paper's item shows Watch.
        Tab::Watch | Tab::Papers => &[FigurePart::Network, FigurePart::Chart, FigurePart::Reasons],
        Tab::Measure => &[FigurePart::Chart, FigurePart::Table],
        Tab::Check => &[FigurePart::Check],
    }
}

/// Returns the controls that a figure with this tab can have.
pub fn available_controls(view: Tab) -> &'static [Control] {
    match view {
        Tab::Watch | Tab::Papers => &[Control::Play, Control::Step, Control::Scrub, Control::Speed, Control::Export],
        Tab::Measure => &[Control::Play, Control::Export],
        Tab::Check => &[Control::Export],
    }
}

/// Returns whether `text` is a scheme and a host, with or without a port.
fn is_origin(text: &str) -> bool {
    let Some((scheme, host)) = text.split_once("://") else { return false };
    let is_scheme =
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"+-.".contains(&byte));
    is_scheme && !host.is_empty() && host.chars().all(|letter| letter.is_alphanumeric() || "-._:[]".contains(letter))
}

/// Parses names that are separated by commas or spaces; at least one is required.
fn several<T>(text: &str, parse: fn(&str) -> Option<T>) -> Option<Vec<T>> {
    let words = text.split([',', ' ']).filter(|word| !word.is_empty());
    let chosen: Option<Vec<T>> = words.map(parse).collect();
    chosen.filter(|chosen| !chosen.is_empty())
}

fn join<T: ToString>(chosen: &[T]) -> String {
    chosen.iter().map(T::to_string).collect::<Vec<_>>().join(",")
}

/// Percent-encodes a sentence for a link.
fn escaped(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Experiment;

    #[test]
    fn options_round_trip() {
        let text = "v=1&net=cube:4&ui=figure&ui.show=network,reasons&ui.controls=none&ui.lock=faults&ui.play=no&ui.speed=2\
                    &ui.theme=dark&ui.caption=A%20%26%20b%2C%20%C3%A9&ui.host=https://example.org";
        let (ui, wrong) = FigureOptions::from_text(text);
        assert!(wrong.is_empty(), "{wrong:?}");
        assert!(ui.is_figure && !ui.has(Control::Play) && ui.shows(FigurePart::Reasons, Tab::Watch));
        assert_eq!((ui.lock, ui.play, &*ui.caption), (Lock::Faults, Some(false), "A & b, é"));
        assert_eq!(FigureOptions::from_text(&ui.to_string()), (ui, Vec::new()));
        assert_eq!(FigureOptions::default().to_string(), "");
    }

    #[test]
    fn parts_and_controls_can_be_added_and_removed() {
        let ui = FigureOptions::default().with_part(FigurePart::Reasons, true, Tab::Watch);
        assert_eq!(ui.to_string(), "&ui.show=network,reasons");
        let ui = ui.with_part(FigurePart::Network, false, Tab::Watch);
        assert_eq!(ui.to_string(), "&ui.show=reasons");
        assert_eq!(ui.with_part(FigurePart::Reasons, false, Tab::Watch), ui, "something is shown");
        let ui = ui.with_part(FigurePart::Network, true, Tab::Watch).with_part(FigurePart::Reasons, false, Tab::Watch);
        assert_eq!(ui, FigureOptions::default());
        let ui = ui.with_control(Control::Play, false, Tab::Measure);
        assert_eq!(ui.to_string(), "&ui.controls=none");
        let ui = ui.with_control(Control::Speed, true, Tab::Watch);
        assert_eq!(ui.to_string(), "&ui.controls=speed");
        assert_eq!(ui.with_control(Control::Speed, false, Tab::Watch).to_string(), "&ui.controls=none");
        let usual = USUAL.into_iter().fold(ui, |ui, one| ui.with_control(one, true, Tab::Watch));
        assert_eq!(usual.with_control(Control::Speed, false, Tab::Watch), FigureOptions::default());
        assert_eq!(usual.with("lock", "all").map(|ui| ui.lock), Ok(Lock::All));
        assert!(usual.with("lock", "some").is_err());
    }

    #[test]
    fn invalid_host_origins_are_reported_and_cleared() {
        for origin in ["https://example.org", "HTTP://Example.org:8080", "http://[::1]:80", "https://é.example"] {
            let (ui, wrong) = FigureOptions::from_text(&format!("net=cube:4&ui.host={origin}"));
            assert_eq!((ui.host.as_deref(), wrong.len()), (Some(origin), 0), "{origin}");
        }
        for text in [
            "",
            "*",
            "null",
            "example.org",
            "https://",
            "https://example.org/",
            "https://a.org/b",
            "https://a@b",
            "://a",
        ] {
            let (ui, wrong) = FigureOptions::from_text(&format!("net=cube:4&ui.host={text}"));
            assert_eq!((ui.host.as_deref(), wrong.len()), (Some(""), 1), "{text}");
        }
        assert_eq!(FigureOptions::from_text("net=cube:4").0.host, None);
    }

    #[test]
    fn unknown_options_are_reported_and_ignored() {
        let text =
            "net=cube:4&ui.shine=1&ui.show=network,moon&ui=page&ui.lock=faults&ui.theme=pink&ui.speed=99&ui.host=x";
        let (ui, wrong) = FigureOptions::from_text(text);
        assert_eq!(ui, FigureOptions { lock: Lock::Faults, host: Some(String::new()), ..FigureOptions::default() });
        assert_eq!(wrong.len(), 6);
        let (_, misspelt) = FigureOptions::from_text("ui.attributes=id,class,experimnt,style,slot,lang,part,title");
        assert_eq!(misspelt, ["the attribute experimnt is unknown and was ignored; did you mean experiment?"]);
        assert!(wrong[0].starts_with("ui.shine was ignored; the options of a figure are view, show"), "{}", wrong[0]);
        assert_eq!(
            wrong[1],
            "ui.show=network,moon was ignored; accepted: some of network, chart, check, reasons, table"
        );
        // Options do not affect the experiment, and are not part of it.
        assert_eq!(text.parse::<Experiment>().map(|read| read.to_string()), Ok("v=1&net=cube:4".to_owned()));
        // Unknown keys outside of the namespace stay errors, because they could affect a result.
        assert!("net=cube:4&embed=1".parse::<Experiment>().is_err());
    }
}
