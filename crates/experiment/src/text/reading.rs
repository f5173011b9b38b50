//! Reading of a text with errors: one wrong key costs one key.

use super::{ExperimentError, NETWORK, Pairs, RULES, SWITCH, VERSION, from_pairs, pairs, strip_context};
use crate::Experiment;
use crate::family::NetworkFamily;
use crate::kind::Kind;
use crate::kinds::KINDS;
use faultlab_core::topology::Network;

/// Name of the key of the algorithms, of which only the wrong ones are left out.
const ROUTE: &str = "route";

/// Maximum number of algorithms that are tried one by one.
const MAX_TRIED: usize = 16;

/// Experiment that a text describes, and the errors of the parts that were left out.
///
/// The experiment is that of a text without these parts. Instead of a network whose size is wrong,
/// it has a network of the same family.
#[derive(Clone, Debug, PartialEq)]
pub struct TextReading {
    /// Experiment of the other parts.
    pub experiment: Experiment,
    /// Errors in the order in which they were found; empty for a valid text.
    pub errors: Vec<ExperimentError>,
    /// Number of keys that were read, besides the version.
    pub key_count: usize,
}

impl TextReading {
    /// Returns the experiment of a valid text.
    ///
    /// # Errors
    /// Returns the first error.
    pub fn into_result(self) -> Result<Experiment, ExperimentError> {
        self.errors.into_iter().next().map_or(Ok(self.experiment), Err)
    }

    /// Returns the experiment of a valid text.
    ///
    /// # Errors
    /// Returns all errors in one sentence each; several are numbered.
    pub fn into_result_with_all_errors(self) -> Result<Experiment, String> {
        match self.errors.as_slice() {
            [] => Ok(self.experiment),
            [error] => Err(error.to_string()),
            errors => Err(numbered(errors)),
        }
    }
}

/// Lists errors. Equal lists of accepted values are written once, after the last such error.
fn numbered(errors: &[ExperimentError]) -> String {
    let line = |(index, error): (usize, &ExperimentError)| {
        let is_repeated = errors[index + 1..].iter().any(|other| other.accepted == error.accepted);
        let text = if is_repeated { error.summary() } else { error.to_string() };
        format!("({}) {text}", index + 1)
    };
    let list: Vec<_> = errors.iter().enumerate().map(line).collect();
    format!("{} errors: {}", errors.len(), list.join(" "))
}

impl Experiment {
    /// Reads a text as [`Experiment::from_str`](std::str::FromStr::from_str) does, and leaves out
    /// the parts that are wrong.
    pub fn read_text(text: &str) -> TextReading {
        let text = strip_context(text);
        let (pairs, errors) = pairs(&text);
        read_pairs(pairs, errors)
    }

    /// Reads a text with the additional user-defined routings of `rules`.
    pub fn read_text_with_rules(text: &str, rules: &str) -> TextReading {
        let text = strip_context(text);
        let (mut pairs, mut errors) = pairs(&text);
        if pairs.iter().any(|(key, _)| *key == RULES) {
            let problem = "the experiment already has rules";
            errors.insert(0, ExperimentError::new(RULES, rules, problem, "rules from one source"));
        } else {
            pairs.push((RULES, rules.to_owned()));
        }
        read_pairs(pairs, errors)
    }
}

/// Creates the experiment of `pairs` without those that are wrong.
fn read_pairs(mut pairs: Pairs<'_>, mut errors: Vec<ExperimentError>) -> TextReading {
    let mut is_network_replaced = false;
    loop {
        let error = match from_pairs(&pairs) {
            Ok(experiment) => {
                let is_read = |key: &str| key != VERSION && !(key == NETWORK && is_network_replaced);
                let key_count = pairs.iter().filter(|(key, _)| is_read(key)).count();
                return TextReading { experiment, errors, key_count };
            }
            Err(error) => error,
        };
        let Some(index) = pairs.iter().position(|(key, _)| *key == error.key) else {
            errors.push(error);
            match drop_last(&mut pairs) {
                Some(dropped) => errors.push(dropped),
                // Even the experiment without any key is invalid.
                None => return TextReading { experiment: Experiment::default(), errors, key_count: 0 },
            }
            continue;
        };
        let network = similar_network(&pairs, index).filter(|_| !is_network_replaced);
        is_network_replaced |= network.is_some();
        match network.or_else(|| valid_routes(&pairs, index)) {
            Some(value) => pairs[index].1 = value,
            None => drop(pairs.remove(index)),
        }
        errors.push(error);
    }
}

/// Removes the last key, if the key that does not fit is a default. Returns the error of the removed
/// key.
fn drop_last(pairs: &mut Pairs<'_>) -> Option<ExperimentError> {
    let (key, value) = pairs.pop()?;
    Some(ExperimentError::new(key, &value, "left out, because it does not fit the other keys", "another value"))
}

/// Returns the text of a network of the family that the text of the key at `index` names, if that
/// key is the network and cannot be parsed.
fn similar_network(pairs: &[(&str, String)], index: usize) -> Option<String> {
    let (key, value) = &pairs[index];
    if *key != NETWORK || Network::parse(value).is_some() {
        return None;
    }
    let (name, _) = value.split_once(':')?;
    let (family, ..) = *NetworkFamily::ALL.iter().find(|(_, id, _)| *id == name)?;
    let kind = pairs.iter().find(|(key, _)| *key == SWITCH).and_then(|(_, id)| Kind::find(id));
    let mut kinds = KINDS.into_iter().filter(|one| kind.is_none_or(|kind| *kind == **one));
    let opening = kinds.find_map(|kind| kind.opening_experiment(family))?;
    Some(opening.network.to_string())
}

/// Returns the valid algorithms among those of the key at `index`, if that key names algorithms and
/// some are valid and some are not.
fn valid_routes(pairs: &[(&str, String)], index: usize) -> Option<String> {
    let (key, value) = &pairs[index];
    let ids: Vec<&str> = value.split(',').collect();
    if *key != ROUTE || !(2..=MAX_TRIED).contains(&ids.len()) {
        return None;
    }
    let mut alone = pairs.to_vec();
    let mut valid: Vec<&str> = Vec::new();
    for id in &ids {
        alone[index].1 = (*id).to_owned();
        let is_valid = from_pairs(&alone).err().is_none_or(|error| error.key != ROUTE);
        if is_valid && !valid.contains(id) {
            valid.push(id);
        }
    }
    (!valid.is_empty() && valid.len() < ids.len()).then(|| valid.join(","))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, Vec<String>) {
        let TextReading { experiment, errors, .. } = Experiment::read_text(text);
        (experiment.to_string(), errors.iter().map(ExperimentError::summary).collect())
    }

    #[test]
    fn a_wrong_key_costs_one_key() {
        let rest = "v=2&net=mesh:8x8&switch=wormhole&vary=load:0.1,0.2&seed=7";
        for (wrong, said) in [
            ("rout=e-cube", "Unknown key \"rout\". Did you mean \"route\"?"),
            ("colour=red", "Unknown key \"colour\"."),
            ("trials=0", "trials=0: outside 1 to 1000000000."),
            ("traffic=transpos", "traffic=transpos: "),
            ("seed=8", "seed=8: given twice."),
            ("nonsense", "\"nonsense\" has no value."),
        ] {
            let (text, errors) = read(&format!("{rest}&{wrong}"));
            assert_eq!(text, rest.parse::<Experiment>().unwrap().to_string(), "{wrong}");
            assert!(errors.len() == 1 && errors[0].starts_with(said), "{errors:?}");
        }
        let (_, errors) = read(&format!("{rest}&traffic=transpos"));
        assert!(errors[0].ends_with("Did you mean \"transpose\"?"), "{errors:?}");
        let two = Experiment::read_text(&format!("rout=e-cube&{rest}&trials=0"));
        assert_eq!((two.errors.len(), two.key_count), (2, 4));
        let said = two.into_result_with_all_errors().unwrap_err();
        assert!(said.starts_with("2 errors: (1) Unknown key \"rout\"") && said.contains("(2) trials=0"), "{said}");
    }

    #[test]
    fn a_wrong_algorithm_costs_one_algorithm() {
        let (text, errors) = read("net=mesh:8x8&route=e-cube,west-frist,odd-even,e-cube");
        assert_eq!(text, "v=1&net=mesh:8x8&switch=wormhole&route=e-cube,odd-even");
        assert_eq!(errors.len(), 1);
        let (_, errors) = read("net=mesh:8x8&route=ecube,odd-even");
        assert!(errors[0].ends_with("Did you mean \"e-cube,odd-even\"?"), "{errors:?}");
    }

    #[test]
    fn a_network_of_the_wrong_size_keeps_its_family() {
        let (text, errors) = read("net=mesh:2000x2000&route=f-cube2&seed=7");
        assert!(text.contains("mesh") && text.ends_with("&seed=7"), "{text}");
        assert_eq!(errors, ["net=mesh:2000x2000: a dimension has at most 1024 nodes."]);
        assert_eq!(Experiment::read_text("v=1&net=cube:99").key_count, 0);
        let (text, errors) = read("net=mesh:2000x2000&switch=circuit&seed=7");
        assert_eq!((text.as_str(), errors.len()), ("v=1&net=mesh:8x8&switch=circuit&seed=7", 1));
        let (text, errors) = read("net=tree:2000&switch=circuit&seed=7");
        assert_eq!((text.as_str(), errors.len()), ("v=1&switch=circuit&seed=7", 1));
    }

    #[test]
    fn keys_that_fit_only_together_are_dropped_with_their_reason() {
        let (text, errors) = read("net=cube:6&faults=nodes:0.3&from=5&to=5&seed=3");
        assert_eq!(text, "v=1&faults=nodes:0.3&from=5&seed=3");
        assert_eq!(errors, ["to=5: source and destination coincide."]);
    }
}
