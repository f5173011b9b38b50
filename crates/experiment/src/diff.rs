//! Differences between two experiments.

use super::Experiment;

/// Key with different values in two experiments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldDiff {
    /// Name of the key.
    pub key: &'static str,
    /// Value in the first experiment; `None` if it has none, or if its kind does not have the key.
    pub one: Option<String>,
    /// Value in the second experiment.
    pub other: Option<String>,
}

impl Experiment {
    /// Returns the keys in which this experiment differs from `other`, apart from their views, in
    /// the order of its text.
    pub fn diff(&self, other: &Self) -> Vec<FieldDiff> {
        let other = Self { view: self.view.clone(), ..other.clone() };
        let value = |experiment: &Self, key: &'static str| experiment.kind().key(key)?.value(experiment);
        let difference = |key: &'static str| {
            let [one, other] = [self, &other].map(|experiment| value(experiment, key));
            (one != other).then_some(FieldDiff { key, one, other })
        };
        self.kind().all_keys().filter_map(|key| difference(key.name)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn differences_are_listed_in_text_order() {
        let of = |one: &str, other: &str| -> Vec<(&str, Option<String>)> {
            let [one, other]: [Experiment; 2] = [one, other].map(|text| text.parse().unwrap());
            one.diff(&other).into_iter().map(|difference| (difference.key, difference.one)).collect()
        };
        assert_eq!(of("net=cube:8&seed=2", "net=cube:8&view=measure"), [("seed", Some("2".into()))]);
        assert_eq!(
            of("net=cube:8&seed=2&faults=nodes:0.1", "net=cube:6"),
            [("net", Some("cube:8".into())), ("faults", Some("nodes:0.1".into())), ("seed", Some("2".into()))]
        );
        assert!(of("switch=circuit", "switch=wormhole&net=mesh:8x8").contains(&("switch", Some("circuit".into()))));
        assert!(of("", "plot=length").is_empty());
    }
}
