//! The text form of an experiment: `v=1&net=cube:20&faults=nodes:0.5`, keys in any order, defaults omitted.

use std::fmt;
use std::str::FromStr;

use super::{Experiment, ExperimentError, KEYS};
use crate::switching::Switching;
use crate::topology::Network;

/// The version of the text form.
const FORMAT: &str = "1";

/// The key that decides the defaults of the others.
const SWITCH: &str = "switch";

/// The longest text that is read, in bytes.
const MAX_TEXT: usize = 200_000;

impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Defaults depend on the kind of switching and the network, but the kind itself has one too.
        let (default, kind) = (Self::default_on(self.switching, self.network), Self::default());
        write!(f, "v={FORMAT}")?;
        for key in KEYS {
            let default = if key.name == SWITCH { &kind } else { &default };
            if let Some(value) = key.value(self)
                && Some(&value) != key.value(default).as_ref()
            {
                write!(f, "&{}={value}", key.name)?;
            }
        }
        Ok(())
    }
}

impl FromStr for Experiment {
    type Err = ExperimentError;

    /// Reads the text form; also a whole link, of which the part behind `#` counts, and a file with the pairs on
    /// several lines and comments behind `#` at the start of a line.
    fn from_str(text: &str) -> Result<Self, ExperimentError> {
        let pairs = pairs(text)?;
        let mut experiment = Self::default();
        let given = |name| pairs.iter().find(|(other, _)| *other == name);
        if let Some((_, kind)) = given(SWITCH)
            && let Some((switching, _)) = Switching::ALL.iter().find(|(_, name)| name == kind)
        {
            let network = given(KEYS[0].name).and_then(|(_, text)| Network::parse(text));
            experiment = network.map_or_else(|| Self::default_of(*switching), |it| Self::default_on(*switching, it));
        }
        // Keys are read in the order of the list, so that nodes are checked against the network given anywhere.
        for key in KEYS {
            if let Some((_, value)) = given(key.name) {
                (key.read)(&mut experiment, value)
                    .map_err(|problem| ExperimentError::new(key.name, value, problem, key.accepted))?;
            }
        }
        if given("route").is_none() {
            experiment.routing = Self::usual_routing(experiment.switching, experiment.network);
        }
        experiment.validate()?;
        Ok(experiment)
    }
}

/// The part of `text` that is an experiment, split into keys and values. Every key is known and stands once.
fn pairs(text: &str) -> Result<Vec<(&str, String)>, ExperimentError> {
    if text.len() > MAX_TEXT {
        let problem = format!("{} bytes", text.len());
        return Err(ExperimentError::new("text", text, problem, format!("at most {MAX_TEXT} bytes")));
    }
    let text = link_fragment(text.trim());
    let lines = text.lines().filter(|line| !line.trim_start().starts_with('#'));
    let parts = lines.flat_map(|line| line.split('&')).map(str::trim).filter(|part| !part.is_empty());
    let mut pairs: Vec<(&str, String)> = Vec::new();
    for part in parts {
        let (key, value) = part
            .split_once('=')
            .ok_or_else(|| ExperimentError::new(part, "", "no value", "pairs KEY=VALUE joined by &"))?;
        let (key, value) = (key.trim(), decode(value.trim()));
        if key == "v" && value != FORMAT {
            return Err(ExperimentError::new("v", &value, "not a version this Faultlab reads", FORMAT));
        }
        if key != "v" && KEYS.iter().all(|known| known.name != key) {
            let known: Vec<_> = KEYS.iter().map(|key| key.name).collect();
            return Err(ExperimentError::new(key, &value, "unknown key", known.join(", ")));
        }
        if pairs.iter().any(|(other, _)| *other == key) {
            return Err(ExperimentError::new(key, &value, "given twice", "each key once"));
        }
        pairs.push((key, value));
    }
    Ok(pairs)
}

/// Of a link, what is behind its `#`; of anything else, all of it.
fn link_fragment(text: &str) -> &str {
    let first_line = text.lines().next().unwrap_or("");
    match first_line.split_once('#') {
        Some((before, fragment)) if before.contains("://") || before.is_empty() && fragment.starts_with("v=") => {
            fragment
        }
        _ => text,
    }
}

/// Undoes percent-encoding, which some programs apply to links. Anything malformed stays as it is.
fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        // The standard reader would take a sign for a digit.
        let code = code.filter(|code| code.bytes().all(|byte| byte.is_ascii_hexdigit()));
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(decoded).unwrap_or_else(|_| text.to_owned())
}

impl Experiment {
    /// The same experiment with another value of one key, read as in its text.
    ///
    /// # Errors
    /// As for a text: names the key, the value and what is accepted.
    pub fn with_key(&self, name: &str, value: &str) -> Result<Self, ExperimentError> {
        let mut next = self.clone();
        let Some(key) = KEYS.iter().find(|key| key.name == name) else {
            let known: Vec<_> = KEYS.iter().map(|key| key.name).collect();
            return Err(ExperimentError::new(name, value, "unknown key", known.join(", ")));
        };
        (key.read)(&mut next, value).map_err(|problem| ExperimentError::new(name, value, problem, key.accepted))?;
        next.validate()?;
        Ok(next)
    }
}
