//! The text form of an experiment: `v=1&net=cube:20&faults=nodes:0.5`, keys in any order, defaults omitted.

mod edits;
mod error;
pub(crate) mod key;
pub(crate) mod keys;
pub(crate) mod tolerance;

pub use error::ExperimentError;
pub use key::Key;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::Experiment;
use super::kind::Kind;
use super::kinds::KINDS;
use super::version::Version;
use faultlab_core::topology::Network;

/// The key of the version.
const VERSION: &str = "v";

/// The key that decides the defaults of the others, with the kind.
const NETWORK: &str = "net";

/// The key that decides which others there are, and their defaults.
const SWITCH: &str = "switch";

/// The key of routings of one's own.
const RULES: &str = "rules";

/// The key that makes of the page a figure alone; the options of the figure stand behind it and a point. They decide no result, and
/// are no part of the experiment.
pub(super) const UI: &str = "ui";

/// The longest text that is read, in bytes.
const MAX_TEXT: usize = 200_000;

impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Defaults depend on the kind and the network, but the kind itself has one too.
        let (mut default, kind) =
            (self.kind().behavior.default_experiment(self.version, Some(self.network)), Self::default());
        if self.rules.is_some() {
            default.routing = self.usual_routing();
        }
        write!(f, "{VERSION}={}", self.version)?;
        for key in self.kind().all_keys() {
            let default = if key.name == SWITCH { &kind } else { &default };
            if let Some(value) = key.value(self)
                && Some(&value) != key.value(default).as_ref()
            {
                write!(f, "&{}={}", key.name, encode(&value))?;
            }
        }
        Ok(())
    }
}

impl FromStr for Experiment {
    type Err = ExperimentError;

    /// Reads the text form; also a whole link, of which the part behind `#` counts, and a file with the pairs on
    /// several lines and comments behind `#` at the start of a line. Where nothing says what moves, it is what moves on the network: single
    /// messages on hypercubes, worms on meshes and tori, delivery cycles on fat-trees.
    fn from_str(text: &str) -> Result<Self, ExperimentError> {
        of_pairs(&pairs(&plain(text))?)
    }
}

/// The experiment that says this.
fn of_pairs(pairs: &[(&str, String)]) -> Result<Experiment, ExperimentError> {
    let given = |name: &str| pairs.iter().find(|(other, _)| *other == name);
    let network = given(NETWORK).and_then(|(_, text)| Network::parse(text));
    let usual = || KINDS.iter().copied().find(|kind| network.is_none_or(|network| kind.behavior.fits(network)));
    let kind = match given(SWITCH) {
        Some((_, id)) => Kind::find(id),
        None => usual(),
    };
    let kind = kind.unwrap_or(Experiment::default().kind());
    // A text without a version has the defaults of the first one, as promised.
    let version = given(VERSION).and_then(|(_, id)| Version::parse(id)).unwrap_or(Version::V1);
    let mut experiment = kind.behavior.default_experiment(version, network);
    // Keys are read in the order of the list, so that nodes are checked against the network given anywhere.
    for key in kind.all_keys() {
        if let Some((_, value)) = given(key.name) {
            read(&mut experiment, key, value)?;
        }
    }
    if let Some((key, value)) = pairs.iter().find(|(key, _)| *key != VERSION && kind.key(key).is_none()) {
        return Err(meaningless(&experiment, key, value));
    }
    if given("route").is_none() {
        experiment.routing = experiment.usual_routing();
    }
    experiment.validate()?;
    Ok(experiment)
}

/// Reads the value of a key.
fn read(experiment: &mut Experiment, key: &Key, value: &str) -> Result<(), ExperimentError> {
    let read = (key.read)(experiment, value);
    read.map_err(|problem| ExperimentError::new(key.name, value, problem.to_string(), (key.accepted)(experiment)))
}

/// The names of the keys of some kinds, each once.
fn known_keys<'k>(kinds: impl Iterator<Item = &'k Kind>) -> String {
    let mut names: Vec<&str> = Vec::new();
    for key in kinds.flat_map(Kind::all_keys) {
        if !names.contains(&key.name) {
            names.push(key.name);
        }
    }
    names.join(", ")
}

/// A key that only experiments of other kinds have.
fn meaningless(experiment: &Experiment, key: &str, value: &str) -> ExperimentError {
    let kind = experiment.kind();
    let others: Vec<_> = KINDS.iter().filter(|other| other.key(key).is_some()).map(|other| other.id).collect();
    let problem = format!("{key} means nothing with switch={}, only with switch={}", kind.id, others.join(" or "));
    ExperimentError::new(key, value, problem, known_keys(std::iter::once(kind)))
}

/// The part of `text` that is an experiment, split into keys and values. Every key is known and stands once.
fn pairs(text: &str) -> Result<Vec<(&str, String)>, ExperimentError> {
    if text.len() > MAX_TEXT {
        let problem = format!("{} bytes", text.len());
        return Err(ExperimentError::new("text", text, problem, format!("at most {MAX_TEXT} bytes")));
    }
    let mut pairs: Vec<(&str, String)> = Vec::new();
    for part in parts(text).filter(|part| !is_ui(key_of(part))) {
        let (key, value) =
            pair(part).ok_or_else(|| ExperimentError::new(part, "", "no value", "pairs KEY=VALUE joined by &"))?;
        if key == VERSION && Version::parse(&value).is_none() {
            return Err(ExperimentError::new(VERSION, &value, "not a version this Faultlab reads", Version::ACCEPTED));
        }
        if key != VERSION && KINDS.iter().all(|kind| kind.key(key).is_none()) {
            return Err(ExperimentError::new(key, &value, "unknown key", known_keys(KINDS.iter().copied())));
        }
        if pairs.iter().any(|(other, _)| *other == key) {
            return Err(ExperimentError::new(key, &value, "given twice", "each key once"));
        }
        pairs.push((key, value));
    }
    Ok(pairs)
}

/// A text as somebody may have it, without what is around it: of a link, what is behind its `#`, decoded if the whole of it was encoded;
/// of a file, all but the mark of its encoding.
fn plain(text: &str) -> Cow<'_, str> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let fragment = link_fragment(text);
    let is_encoded = fragment.len() < text.len() && !fragment.contains('&');
    if is_encoded { decode(fragment).into() } else { fragment.into() }
}

/// The parts of `text` that are keys and values, as they are written.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.flat_map(|line| line.split('&')).map(str::trim).filter(|part| !part.is_empty())
}

/// A key and its value.
fn pair(part: &str) -> Option<(&str, String)> {
    part.split_once('=').map(|(key, value)| (key.trim(), decode(value.trim())))
}

/// The key of a part.
fn key_of(part: &str) -> &str {
    part.split_once('=').map_or(part, |(key, _)| key).trim()
}

/// Whether a key is an option of a figure.
fn is_ui(key: &str) -> bool {
    key.strip_prefix(UI).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The options of a figure in `text`, with their values; those without one have an empty one.
pub(super) fn options_of(text: &str) -> impl Iterator<Item = (String, String)> {
    let text = plain(text).into_owned();
    let options: Vec<_> = parts(&text)
        .filter(|part| is_ui(key_of(part)))
        .map(|part| pair(part).map_or((part.to_owned(), String::new()), |(key, value)| (key.to_owned(), value)))
        .collect();
    options.into_iter()
}

/// Of a link, what is behind its `#`; of anything else, all of it. Among other lines `#` begins a comment.
fn link_fragment(text: &str) -> &str {
    let mut lines = text.lines();
    let first_line = lines.next().unwrap_or("");
    let is_alone = lines.next().is_none();
    match first_line.split_once('#') {
        Some((before, fragment)) if before.contains("://") => fragment,
        Some(("", fragment)) if is_alone && fragment.starts_with("v=") => fragment,
        _ => text,
    }
}

/// What would end a value or its line, or begin something else there, percent-encoded.
fn encode(value: &str) -> Cow<'_, str> {
    const ENDS: &AsciiSet = &CONTROLS.add(b'%').add(b'&').add(b'#').add(b'"').add(b' ');
    utf8_percent_encode(value, ENDS).into()
}

/// Undoes percent-encoding, which some programs apply to links. Anything malformed stays as it is.
fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), Cow::into_owned)
}

impl Experiment {
    /// The experiment that `text` stands for, with routings of one's own that it does not name: those of `rules`.
    ///
    /// # Errors
    /// As for a text; also where the text has rules itself.
    pub fn with_rules(text: &str, rules: &str) -> Result<Self, ExperimentError> {
        let text = plain(text);
        let mut pairs = pairs(&text)?;
        if pairs.iter().any(|(key, _)| *key == RULES) {
            return Err(ExperimentError::new(RULES, rules, "the experiment has rules already", "rules from one place"));
        }
        pairs.push((RULES, rules.to_owned()));
        of_pairs(&pairs)
    }

    /// The same experiment with another value of one key, read as in its text.
    ///
    /// # Errors
    /// As for a text: names the key, the value and what is accepted.
    pub fn with_key(&self, name: &str, value: &str) -> Result<Self, ExperimentError> {
        let mut next = self.clone();
        let Some(key) = self.kind().key(name) else {
            let all = KINDS.iter().copied();
            return Err(match KINDS.iter().any(|kind| kind.key(name).is_some()) {
                true => meaningless(self, name, value),
                false => ExperimentError::new(name, value, "unknown key", known_keys(all)),
            });
        };
        read(&mut next, key, value)?;
        next.validate()?;
        Ok(next)
    }
}

#[cfg(test)]
mod tests {
    use super::decode;

    #[test]
    fn what_is_malformed_stays_as_it_is() {
        for (text, decoded) in [
            ("nodes%3A0.3%2c", "nodes:0.3,"),
            ("100%", "100%"),
            ("%4", "%4"),
            ("%+1%zz", "%+1%zz"),
            ("%C3%A9", "\u{e9}"),
            ("%C3", "%C3"),
            ("\u{e9}%41", "\u{e9}A"),
        ] {
            assert_eq!(decode(text), decoded, "{text}");
        }
    }
}
