//! Names of exported files.

use std::fmt::Write as _;

use faultlab_experiment::{Experiment, ParameterRole};

/// Maximum length of a name without its ending, so that the whole name has at most 60 characters.
const MAX_STEM: usize = 55;

/// Returns the name of a file about `experiment`, without its ending, such as
/// `faultlab-mesh-8x8-latency`. `content` says in one word what the file shows.
pub fn stem(experiment: &Experiment, content: &str) -> String {
    let sizes = experiment.vary.as_ref().filter(|vary| matches!(vary.parameter.role, ParameterRole::Size { .. }));
    // A sweep over sizes has no network of its own.
    let network = match sizes {
        Some(vary) => vary.parameter.id.to_owned(),
        None => experiment.network.to_string(),
    };
    named(&[&network, content])
}

/// Returns the name of a file with the chart or the numbers of a sweep, without its ending: the
/// network and what the chart shows.
pub fn chart_stem(experiment: &Experiment) -> String {
    let mut content = experiment.plot().id().to_owned();
    if let Some(below) = experiment.view.second_metric {
        let _ = write!(content, "-{}", below.id);
    }
    stem(experiment, &content)
}

/// Returns `faultlab` and the words of `parts`, joined by hyphens: lower-case ASCII letters and
/// digits, at most 55 characters.
pub fn named(parts: &[&str]) -> String {
    let mut name = "faultlab".to_owned();
    let is_part = |letter: char| letter.is_ascii_alphanumeric();
    for word in
        parts.iter().flat_map(|part| part.split(|letter: char| !is_part(letter))).filter(|word| !word.is_empty())
    {
        if name.len() + 1 + word.len() > MAX_STEM {
            break;
        }
        let _ = write!(name, "-{}", word.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_say_what_a_file_shows() {
        let name = |text: &str| chart_stem(&text.parse().unwrap());
        assert_eq!(name("net=mesh:8x8&switch=wormhole&plot=latency"), "faultlab-mesh-8x8-latency");
        assert_eq!(
            name("net=mesh:8x8&switch=wormhole&plot=latency,throughput"),
            "faultlab-mesh-8x8-latency-throughput"
        );
        assert_eq!(name("net=cube:6&vary=n:4,5"), "faultlab-n-success");
        assert_eq!(stem(&"net=tree:64&switch=delivery".parse().unwrap(), "check"), "faultlab-tree-64-check");
        assert_eq!(named(&["Über/alles", "x"]), "faultlab-ber-alles-x");
        assert!(named(&["ab"; 90]).len() <= MAX_STEM);
    }
}
