//! The text form of an experiment: `v=1&net=cube:20&faults=nodes:0.5`, keys in any order, defaults omitted.

use std::fmt;
use std::str::FromStr;

use super::{Experiment, ExperimentError, KEYS, Parameter};
use crate::fault::FaultModel;
use crate::routing::Method;
use crate::switching::PathFinder;
use crate::topology::{Hypercube, Network};
use crate::traffic::Pair;

/// The version of the text form.
const FORMAT: &str = "1";

/// The longest text that is read, in bytes.
const MAX_TEXT: usize = 200_000;

impl fmt::Display for Experiment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let default = Self::default();
        write!(f, "v={FORMAT}")?;
        for key in KEYS {
            if let Some(value) = (key.write)(self)
                && Some(&value) != (key.write)(&default).as_ref()
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
        // Keys are read in the order of the list, so that nodes are checked against the network given anywhere.
        for key in KEYS {
            if let Some((_, value)) = pairs.iter().find(|(name, _)| *name == key.name) {
                (key.read)(&mut experiment, value)
                    .map_err(|problem| ExperimentError::new(key.name, value, problem, key.accepted))?;
            }
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

    /// Whether its parts fit together; the error names the key to change.
    ///
    /// # Errors
    /// When ends coincide or are broken, when there are more faults than nodes, when the varied parameter has nothing
    /// to vary, or when an algorithm cannot run on so large a cube.
    pub fn validate(&self) -> Result<(), ExperimentError> {
        let fail = |key: &str, problem: String| {
            let info = KEYS.iter().find(|info| info.name == key);
            let value = info.and_then(|info| (info.write)(self)).unwrap_or_default();
            Err(ExperimentError::new(key, &value, problem, info.map_or("", |info| info.accepted)))
        };
        let ends = self.ends();
        if ends.from == ends.to {
            return fail(if self.to.is_some() { "to" } else { "from" }, "source and destination coincide".into());
        }
        for cube in self.cells_cubes() {
            let ends = Pair::antipodal(cube, self.from, self.to);
            if let Some(node) = self.faults.broken.iter().find(|&&node| ends.has(node)) {
                return fail(
                    "break",
                    format!("node {node} is the source or the destination in {}", Network::Hypercube(cube)),
                );
            }
        }
        if let Some(node) = self.faults.broken.iter().find(|node| self.faults.mended.binary_search(node).is_ok()) {
            return fail("break", format!("node {node} is also mended"));
        }
        let smallest = self.cells_cubes().min_by_key(|cube| cube.dimension()).unwrap_or(self.cube());
        let largest = self.cells_cubes().max_by_key(|cube| cube.dimension()).unwrap_or(self.cube());
        if let FaultModel::Count(count) = self.faults.model
            && count > smallest.others()
        {
            return fail("faults", format!("at most {} of the other nodes can be faulty", smallest.others()));
        }
        let named = [self.from, self.to].into_iter().flatten();
        let named = named.chain(self.faults.broken.iter().copied()).chain(self.faults.mended.iter().copied());
        if let Some(node) = named.into_iter().find(|&node| !smallest.contains(node)) {
            let missing = format!("node {node} does not exist in the {}-cube", smallest.dimension());
            let key = match self.vary {
                Some(_) if self.cube().contains(node) => "vary",
                _ if self.from == Some(node) => "from",
                _ if self.to == Some(node) => "to",
                _ if self.faults.broken.contains(&node) => "break",
                _ => "mend",
            };
            return fail(key, missing);
        }
        let global = self.routing.iter().any(|algorithm| matches!(algorithm.method, Method::Global));
        if global && largest.dimension() > PathFinder::MAX_DIMENSION {
            return fail("route", format!("global looks at whole cubes, up to n = {}", PathFinder::MAX_DIMENSION));
        }
        if self.routing.is_empty() {
            return fail("route", "no algorithm".into());
        }
        self.validate_vary().map_or(Ok(()), |problem| fail("vary", problem))
    }

    /// What is wrong with the varied parameter, if anything.
    fn validate_vary(&self) -> Option<String> {
        let vary = self.vary.as_ref()?;
        match (vary.parameter, self.faults.model) {
            (Parameter::Rate, FaultModel::None | FaultModel::Count(_)) => {
                Some("p is varied, so faults must be nodes:P or share:P".into())
            }
            (Parameter::Count, FaultModel::Count(_)) => {
                let most = *vary.values().last()?;
                let others = self.cube().others();
                (most as u64 > others).then(|| format!("at most {others} of the other nodes can be faulty"))
            }
            (Parameter::Count, _) => Some("f is varied, so faults must be count:F".into()),
            _ => None,
        }
    }

    /// The cubes that a sweep visits.
    fn cells_cubes(&self) -> impl Iterator<Item = Hypercube> {
        let varied = self.vary.as_ref().filter(|vary| vary.parameter == Parameter::Dimension);
        let dimensions = varied.map(|vary| vary.values()).unwrap_or_default();
        std::iter::once(self.cube()).chain(dimensions.into_iter().filter_map(|n| Hypercube::new(n as u8)))
    }
}
