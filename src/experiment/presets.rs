//! Named experiments: every example and figure of the papers that can be shown, with a sentence each.

use std::sync::OnceLock;

use serde::Deserialize;

/// A named experiment.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Preset {
    /// Its name on the command line, after `preset:`.
    pub id: String,
    /// One plain sentence: what one sees.
    pub title: String,
    /// What to look at, or what is behind it.
    pub sentence: String,
    /// The experiment, in its text form.
    pub experiment: String,
}

/// Every preset, in the order in which they are offered. The first one is what a visitor sees first.
pub fn presets() -> &'static [Preset] {
    static PRESETS: OnceLock<Vec<Preset>> = OnceLock::new();
    // The file is part of the program and the tests read it: the list is never empty.
    PRESETS.get_or_init(|| serde_json::from_str(include_str!("presets.json")).unwrap_or_default())
}

/// The preset called `id`.
pub fn preset(id: &str) -> Option<&'static Preset> {
    presets().iter().find(|preset| preset.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Experiment, Instance};
    use crate::switching::Outcome;
    use crate::topology::NodeId;

    #[test]
    fn every_preset_is_an_experiment_as_faultlab_writes_it() {
        assert!(presets().len() > 20);
        for preset in presets() {
            let experiment: Experiment = preset.experiment.parse().unwrap();
            assert_eq!(experiment.to_string(), preset.experiment, "{}", preset.id);
            assert!(presets().iter().filter(|other| other.id == preset.id).count() == 1, "{} twice", preset.id);
            assert!(preset.title.len() <= 70 && preset.sentence.ends_with('.'), "{}", preset.id);
        }
    }

    fn watched(id: &str) -> Instance {
        Instance::new(&preset(id).unwrap().experiment.parse().unwrap())
    }

    /// How each message ends, after how many hops, at which of them it had been blocked.
    fn told(instance: &Instance) -> Vec<(Outcome, usize, Vec<usize>)> {
        let blocked = |trace: &crate::experiment::Trace| {
            let hops = (1..).zip(&trace.hops);
            hops.filter(|(_, hop)| hop.rule.is_detour()).map(|(number, _)| number).collect()
        };
        instance.traces.iter().map(|trace| (trace.outcome, trace.hops.len(), blocked(trace))).collect()
    }

    #[test]
    fn the_first_example_shows_what_it_says() {
        let mut instance = watched("around");
        assert_eq!(presets()[0].id, "around");
        assert_eq!((0..64).filter(|&node| instance.is_faulty(NodeId(node))).count(), 16);
        assert_eq!(told(&instance), [(Outcome::Delivered, 8, vec![5])]);
        assert_eq!(instance.traces[0].hops[4].from, NodeId(0b110011));
        assert_eq!(told(&watched("blocked-twice")), [(Outcome::Delivered, 10, vec![3, 7])]);
    }

    #[test]
    fn models_and_algorithms_end_as_told() {
        let outcomes = |id| told(&watched(id)).iter().map(|(outcome, ..)| *outcome).collect::<Vec<_>>();
        assert_eq!(outcomes("models"), [Outcome::Lost, Outcome::Delivered]);
        let (lost, delivered) = (Outcome::Lost, Outcome::Delivered);
        assert_eq!(outcomes("four-algorithms"), [lost, lost, delivered, delivered]);
        assert_eq!(outcomes("dead-end"), [Outcome::Blocked, delivered]);
        assert_eq!(outcomes("blocked-at-source"), [Outcome::BlockedAtSource]);
        assert_eq!(outcomes("island"), [Outcome::LimitReached, Outcome::Disconnected]);
        assert_eq!(told(&watched("million-nodes")), [(delivered, 26, vec![19, 21, 23])]);
        assert_eq!(told(&watched("largest-cube")), [(delivered, 68, vec![58, 60])]);
    }

    #[test]
    fn tunnelling_and_its_general_form_are_caught() {
        for (id, size) in [("tunnelling", 2), ("closed-set", 4)] {
            let instance = watched(id);
            let [side, back] = instance.traces.as_slice() else { panic!("two messages") };
            assert_eq!(side.outcome, Outcome::LimitReached);
            assert_eq!(side.trap.as_ref().map(|trap| trap.nodes.len()), Some(size), "{id}");
            assert_eq!(back.outcome, Outcome::Delivered);
        }
        let instance = watched("tunnelling");
        let trap = instance.traces[0].trap.as_ref().unwrap();
        assert!(trap.nodes.contains(&NodeId(0b01011)) && trap.nodes.contains(&NodeId(0b01001)));
        assert_eq!(instance.traces[1].hops.len(), 7);
    }
}
