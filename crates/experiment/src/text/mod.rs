//! Text form of an experiment: `v=1&net=cube:20&faults=nodes:0.5`, keys in any order, defaults
//! omitted.

mod edits;
mod error;
pub(crate) mod key;
pub(crate) mod keys;
mod reading;
mod suggestion;
pub(crate) mod tolerance;

pub use error::ExperimentError;
pub use key::TextKey;
pub use reading::TextReading;

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};

use super::Experiment;
use super::kind::Kind;
use super::kinds::KINDS;
use super::version::Version;
use faultlab_core::topology::Network;

/// Key of the version.
const VERSION: &str = "v";

/// Key of the network, which decides the defaults of the others together with the kind.
const NETWORK: &str = "net";

/// Key of the kind, which decides the other keys and their defaults.
const SWITCH: &str = "switch";

/// Key of user-defined routings.
const RULES: &str = "rules";

/// Key that turns the page into an embedded figure, and prefix of the figure's options, as in
/// `ui.lock`.
///
/// The options affect no result, and are not part of the experiment.
pub(super) const UI: &str = "ui";

/// Maximum length of a text, in bytes.
const MAX_TEXT: usize = 200_000;

/// Number of wrong parts after which the rest of a text is not read: it is not an experiment.
const MAX_ERRORS: usize = 20;

impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Defaults depend on the kind and the network, but the kind itself has a default, too.
        let (mut default, kind) =
            (self.kind().behavior.default_experiment(self.version, Some(self.network)), Self::default());
        if self.rules.is_some() {
            default.routing = self.default_routing();
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

    /// Parses the text form, a link (the part after `#`), or a file.
    ///
    /// A file has the pairs on several lines, with comments after `#` at the start of a line.
    /// Without a kind, the network decides the kind: single messages on hypercubes, wormhole
    /// switching on meshes and tori, delivery cycles on fat-trees.
    fn from_str(text: &str) -> Result<Self, ExperimentError> {
        Self::read_text(text).into_result()
    }
}

/// Keys with their decoded values.
type Pairs<'a> = Vec<(&'a str, String)>;

/// Creates the experiment from its keys and values. The error is the first one.
fn from_pairs(pairs: &[(&str, String)]) -> Result<Experiment, ExperimentError> {
    let given = |name: &str| pairs.iter().find(|(other, _)| *other == name);
    let network = given(NETWORK).and_then(|(_, text)| Network::parse(text));
    let kind = match given(SWITCH) {
        Some((_, id)) => Kind::find(id),
        None => network.and_then(Kind::usual_on),
    };
    let kind = kind.unwrap_or(Experiment::default().kind());
    // A text without a version has the defaults of the first one, as promised.
    let version = given(VERSION).and_then(|(_, id)| Version::parse(id)).unwrap_or(Version::V1);
    let mut experiment = kind.behavior.default_experiment(version, network);
    // Keys are read in the order of the list, so that nodes are checked against the network,
    // wherever it is in the text.
    for key in kind.all_keys() {
        if let Some((_, value)) = given(key.name) {
            read(&mut experiment, key, value)?;
        }
    }
    if let Some((key, value)) = pairs.iter().find(|(key, _)| *key != VERSION && kind.key(key).is_none()) {
        return Err(unsupported_key(&experiment, key, value));
    }
    if given("route").is_none() {
        experiment.routing = experiment.default_routing();
    }
    experiment.validate()?;
    Ok(experiment)
}

/// Parses the value of a key.
fn read(experiment: &mut Experiment, key: &TextKey, value: &str) -> Result<(), ExperimentError> {
    let read = (key.read)(experiment, value);
    read.map_err(|problem| ExperimentError {
        suggestion: suggestion::similar_value(experiment, key, value),
        ..ExperimentError::new(key.name, value, problem.to_string(), (key.accepted)(experiment))
    })
}

/// Returns the names of the keys of some kinds, without duplicates.
fn known_keys<'k>(kinds: impl Iterator<Item = &'k Kind>) -> Vec<&'static str> {
    let mut names: Vec<&str> = Vec::new();
    for key in kinds.flat_map(Kind::all_keys) {
        if !names.contains(&key.name) {
            names.push(key.name);
        }
    }
    names
}

/// Returns the error of a key that no kind has.
fn unknown_key(key: &str, value: &str) -> ExperimentError {
    ExperimentError::unknown_key(key, value, &known_keys(KINDS.iter().copied()))
}

/// Returns the error of a key that only experiments of other kinds have.
fn unsupported_key(experiment: &Experiment, key: &str, value: &str) -> ExperimentError {
    let kind = experiment.kind();
    let others: Vec<_> = KINDS.iter().filter(|other| other.key(key).is_some()).map(|other| other.id).collect();
    let problem = format!("{key} does not apply to switch={}, only to switch={}", kind.id, others.join(" or "));
    ExperimentError::new(key, value, problem, known_keys(std::iter::once(kind)).join(", "))
}

/// Splits the experiment in `text` into keys and values, all known and without duplicates, and the
/// errors of the other parts.
fn pairs(text: &str) -> (Pairs<'_>, Vec<ExperimentError>) {
    if text.len() > MAX_TEXT {
        let problem = format!("{} bytes", text.len());
        let error = ExperimentError::new("text", text, problem, format!("at most {MAX_TEXT} bytes"));
        return (Pairs::new(), vec![error]);
    }
    let (mut pairs, mut errors) = (Pairs::new(), Vec::new());
    for part in parts(text).filter(|part| !is_figure_option(key_of(part))) {
        match checked_pair(part, &pairs) {
            Ok(pair) => pairs.push(pair),
            Err(error) => errors.push(error),
        }
        if errors.len() == MAX_ERRORS {
            break;
        }
    }
    (pairs, errors)
}

/// Splits a part into its key and value, after the keys of `earlier`.
fn checked_pair<'a>(part: &'a str, earlier: &[(&str, String)]) -> Result<(&'a str, String), ExperimentError> {
    let (key, value) =
        pair(part).ok_or_else(|| ExperimentError::new(part, "", error::NO_VALUE, "pairs KEY=VALUE joined by &"))?;
    if key == VERSION && Version::parse(&value).is_none() {
        return Err(ExperimentError::new(VERSION, &value, "not a version that this Faultlab reads", Version::ACCEPTED));
    }
    if key != VERSION && KINDS.iter().all(|kind| kind.key(key).is_none()) {
        return Err(unknown_key(key, &value));
    }
    if earlier.iter().any(|(other, _)| *other == key) {
        return Err(ExperimentError::new(key, &value, "given twice", "each key once"));
    }
    Ok((key, value))
}

/// Returns the experiment in a text without its surroundings.
///
/// For a link, it is the part after `#`, decoded if all of it was encoded. For a file, it is
/// everything but the byte order mark.
fn strip_context(text: &str) -> Cow<'_, str> {
    let text = text.trim_start_matches('\u{feff}').trim();
    let fragment = link_fragment(text);
    let is_encoded = fragment.len() < text.len() && !fragment.contains('&');
    if is_encoded { decode(fragment).into() } else { fragment.into() }
}

/// Returns the parts of `text` that are keys and values, still encoded.
fn parts(text: &str) -> impl Iterator<Item = &str> {
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    lines.flat_map(|line| line.split('&')).map(str::trim).filter(|part| !part.is_empty())
}

/// Splits a part into key and decoded value.
fn pair(part: &str) -> Option<(&str, String)> {
    part.split_once('=').map(|(key, value)| (key.trim(), decode(value.trim())))
}

/// Returns the key of a part.
fn key_of(part: &str) -> &str {
    part.split_once('=').map_or(part, |(key, _)| key).trim()
}

/// Returns whether a key is an option of a figure.
fn is_figure_option(key: &str) -> bool {
    key.strip_prefix(UI).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// Returns the options of a figure in `text` with their values; options without a value have an
/// empty one.
pub(super) fn figure_options(text: &str) -> impl Iterator<Item = (String, String)> {
    let text = strip_context(text).into_owned();
    let options: Vec<_> = parts(&text)
        .filter(|part| is_figure_option(key_of(part)))
        .map(|part| pair(part).map_or((part.to_owned(), String::new()), |(key, value)| (key.to_owned(), value)))
        .collect();
    options.into_iter()
}

/// Returns the part of a link after its `#`, and other texts unchanged. On several lines `#` begins
/// a comment.
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

/// Percent-encodes the characters that would end a value or its line, or have another meaning in a
/// text.
fn encode(value: &str) -> Cow<'_, str> {
    const ENDS: &AsciiSet = &CONTROLS.add(b'%').add(b'&').add(b'#').add(b'"').add(b' ');
    utf8_percent_encode(value, ENDS).into()
}

/// Decodes percent-encoding, which some programs apply to links. A malformed text does not change.
fn decode(text: &str) -> String {
    percent_decode_str(text).decode_utf8().map_or_else(|_| text.to_owned(), Cow::into_owned)
}

impl Experiment {
    /// Parses `text` with the additional user-defined routings of `rules`.
    ///
    /// # Errors
    /// Returns an error as for any text, and if the text has rules itself.
    pub fn with_rules(text: &str, rules: &str) -> Result<Self, ExperimentError> {
        Self::read_text_with_rules(text, rules).into_result()
    }

    /// Returns this experiment with another value of one key, parsed as in its text.
    ///
    /// # Errors
    /// Returns an error that names the key, the value and the accepted values.
    pub fn with_key(&self, name: &str, value: &str) -> Result<Self, ExperimentError> {
        let mut next = self.clone();
        let Some(key) = self.kind().key(name) else {
            return Err(match KINDS.iter().any(|kind| kind.key(name).is_some()) {
                true => unsupported_key(self, name, value),
                false => unknown_key(name, value),
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
    fn decode_leaves_malformed_escapes_unchanged() {
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
