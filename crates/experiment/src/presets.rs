//! Named experiments: examples, and figures of the papers, each with an explanation.

use std::sync::OnceLock;

use serde::Deserialize;

use super::{Experiment, Kind, Tab};

/// Named experiment.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Preset {
    /// Name on the command line, after `preset:`.
    pub id: String,
    /// Title: one plain sentence about what is visible.
    pub title: String,
    /// Explanation of the picture or of its background.
    pub sentence: String,
    /// Words of networks courses by which a search finds the preset and that its texts lack.
    #[serde(default)]
    pub keywords: String,
    /// Id of the entry of [`QUESTIONS`] to which the preset belongs.
    pub question: String,
    /// Experiment, in its text form.
    pub experiment: String,
}

impl Preset {
    /// Returns the text that a search for the preset matches.
    pub fn search_text(&self) -> String {
        [&*self.id, &self.title, &self.sentence, &self.keywords, &self.experiment].join(" ")
    }
}

/// Question under which presets are grouped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PresetTopic {
    /// Name in the list of presets.
    pub id: &'static str,
    /// Question, in plain words.
    pub text: &'static str,
}

const fn question(id: &'static str, text: &'static str) -> PresetTopic {
    PresetTopic { id, text }
}

/// Every question, in the order in which they are offered.
pub static QUESTIONS: [PresetTopic; 9] = [
    question("around", "How does a message find its way around faults?"),
    question("stuck", "Where does a message get stuck?"),
    question("deadlock", "Why do messages deadlock?"),
    question("one-fault", "What does one fault cost?"),
    question("many-faults", "How many faults can routing tolerate?"),
    question("knowledge", "What does more information gain?"),
    question("detour", "What does a detour cost?"),
    question("traffic", "How much traffic can be delivered?"),
    question("cycles", "How long do all messages take to arrive?"),
];

/// Returns every preset, in the order in which they are offered. The first one is the page's
/// initial experiment.
pub fn presets() -> &'static [Preset] {
    static PRESETS: OnceLock<Vec<Preset>> = OnceLock::new();
    // The file is compiled in and tested, so that the list is never empty.
    PRESETS.get_or_init(|| serde_json::from_str(include_str!("presets.json")).unwrap_or_default())
}

/// Returns the preset called `id`.
pub fn preset(id: &str) -> Option<&'static Preset> {
    presets().iter().find(|preset| preset.id == id)
}

/// Returns the experiments of all presets, in the order of [`presets`].
fn experiments() -> &'static [Experiment] {
    static EXPERIMENTS: OnceLock<Vec<Experiment>> = OnceLock::new();
    EXPERIMENTS.get_or_init(|| presets().iter().filter_map(|preset| preset.experiment.parse().ok()).collect())
}

/// Presets of one kind and one tab, in the order of the list.
pub struct PresetSeries {
    /// Kind of experiment of all presets in the series.
    pub kind: &'static Kind,
    /// Tab in which the presets open.
    pub tab: Tab,
    /// Presets of the series, in the order of the list.
    pub presets: Vec<&'static Preset>,
}

/// Returns all presets, grouped by kind and tab.
pub fn series() -> Vec<PresetSeries> {
    let mut all: Vec<PresetSeries> = Vec::new();
    for (preset, experiment) in presets().iter().zip(experiments()) {
        let (kind, tab) = (experiment.kind(), experiment.view.tab);
        match all.iter_mut().find(|series| series.kind == kind && series.tab == tab) {
            Some(series) => series.presets.push(preset),
            None => all.push(PresetSeries { kind, tab, presets: vec![preset] }),
        }
    }
    all
}

/// Preset that equals an experiment, with its position among the others.
pub struct PresetPosition {
    /// Preset that equals the experiment.
    pub preset: &'static Preset,
    /// Position of the preset in its series, from 1, and length of the series.
    pub position_and_length: (usize, usize),
    /// Next preset, in the series or in the next one; `None` after the last.
    pub next: Option<&'static Preset>,
}

impl PresetPosition {
    /// Returns the preset that equals `experiment`, if there is one.
    pub fn find(experiment: &Experiment) -> Option<Self> {
        let is_same = |known: &Experiment| {
            let (a, b) = (&known.view, &experiment.view);
            known.is_same_measurement(experiment) && (a.tab, a.sample) == (b.tab, b.sample)
        };
        let is_it = |known: &Experiment| is_same(known) && known.view.plot == experiment.view.plot;
        // Another chart of the same numbers belongs to the same preset, unless it has a preset
        // itself.
        let found = experiments().iter().position(is_it).or_else(|| experiments().iter().position(is_same))?;
        let (preset, series) = (presets().get(found)?, series());
        let all = || series.iter().flat_map(|series| series.presets.iter().copied());
        let next = all().skip_while(|other| other.id != preset.id).nth(1);
        let of = series.iter().find(|series| series.presets.contains(&preset))?;
        let place = of.presets.iter().position(|other| other.id == preset.id)? + 1;
        Some(Self { preset, position_and_length: (place, of.presets.len()), next })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::worm::trial;
    use crate::{CircuitWatch, CubePointConfig, Instance, PermutationInstance, PointConfig, Watched};
    use faultlab_core::routing::Algorithm;
    use faultlab_core::switching::{
        BatchOutcome, CircuitOutcome, Outcome, WormEnd, WormMeasurement, WormWarmUp, WormWindow,
    };
    use faultlab_core::topology::NodeId;

    #[test]
    fn presets_are_canonical_experiments_with_unique_ids() {
        assert!(presets().len() > 20);
        for preset in presets() {
            let experiment: Experiment = preset.experiment.parse().unwrap();
            assert_eq!(experiment.to_string(), preset.experiment, "{}", preset.id);
            assert!(presets().iter().filter(|other| other.id == preset.id).count() == 1, "{} twice", preset.id);
            assert!(preset.title.len() <= 70 && preset.sentence.ends_with('.'), "{}", preset.id);
        }
    }

    #[test]
    fn words_of_a_networks_course_find_presets() {
        for word in [
            "latency",
            "saturation",
            "throughput",
            "livelock",
            "deadlock",
            "turn model",
            "odd-even",
            "west-first",
            "utilisation",
            "utilization",
            "hotspot",
            "buffer",
        ] {
            assert!(presets().iter().any(|preset| preset.search_text().contains(word)), "{word} finds no preset");
        }
    }

    #[test]
    fn every_preset_answers_a_question() {
        for preset in presets() {
            assert!(QUESTIONS.iter().any(|question| question.id == preset.question), "{}", preset.id);
        }
        for question in &QUESTIONS {
            assert!(question.text.ends_with('?') && question.text.len() <= 50, "{}", question.text);
            assert!(QUESTIONS.iter().filter(|other| other.id == question.id).count() == 1, "{} twice", question.id);
            let answers = presets().iter().filter(|preset| preset.question == question.id).count();
            assert!(answers >= 3, "{}: {answers} presets", question.text);
        }
    }

    #[test]
    fn position_is_found_until_the_experiment_changes() {
        let all: Vec<_> = series().into_iter().flat_map(|series| series.presets).collect();
        assert_eq!(all.len(), presets().len());
        for (number, preset) in all.iter().enumerate() {
            let mut experiment: Experiment = preset.experiment.parse().unwrap();
            let story = PresetPosition::find(&experiment).unwrap();
            assert_eq!((story.preset.id.as_str(), story.next), (preset.id.as_str(), all.get(number + 1).copied()));
            assert!((1..=story.position_and_length.1).contains(&story.position_and_length.0), "{}", preset.id);
            experiment.view.time = Some(3.0);
            assert!(PresetPosition::find(&experiment).is_some(), "another moment is the same story");
            experiment.seed += 77;
            assert!(PresetPosition::find(&experiment).is_none(), "{}", preset.id);
        }
    }

    /// Returns the experiment of a preset, and its point.
    fn point(id: &str) -> (Experiment, CubePointConfig) {
        let experiment: Experiment = preset(id).unwrap().experiment.parse().unwrap();
        let cell = CubePointConfig::new(&experiment, None).unwrap();
        (experiment, cell)
    }

    fn watched_messages(id: &str) -> Instance {
        let (experiment, cell) = point(id);
        Instance::new(&experiment, cell)
    }

    fn watched_circuits(id: &str) -> CircuitWatch {
        let (experiment, cell) = point(id);
        CircuitWatch::new(&experiment, cell)
    }

    /// Returns, for each message, the outcome, the number of hops, and the numbers of the detour
    /// hops.
    fn message_outcomes(instance: &Instance) -> Vec<(Outcome, usize, Vec<usize>)> {
        let blocked = |trace: &crate::Trace| {
            let hops = (1..).zip(&trace.hops);
            hops.filter(|(_, hop)| hop.rule.is_detour()).map(|(number, _)| number).collect()
        };
        instance.traces.iter().map(|trace| (trace.outcome, trace.hops.len(), blocked(trace))).collect()
    }

    #[test]
    fn detours_are_as_quoted() {
        let mut instance = watched_messages("around");
        assert_eq!(presets()[0].id, "around");
        assert_eq!((0..64).filter(|&node| instance.is_faulty(NodeId(node))).count(), 16);
        assert_eq!(message_outcomes(&instance), [(Outcome::Delivered, 8, vec![5])]);
        assert_eq!(instance.traces[0].hops[4].from, NodeId(0b110011));
        assert_eq!(message_outcomes(&watched_messages("blocked-twice")), [(Outcome::Delivered, 10, vec![3, 7])]);
    }

    #[test]
    fn message_outcomes_are_as_quoted() {
        let outcomes =
            |id| message_outcomes(&watched_messages(id)).iter().map(|(outcome, ..)| *outcome).collect::<Vec<_>>();
        assert_eq!(outcomes("models"), [Outcome::Lost, Outcome::Delivered]);
        let (lost, delivered) = (Outcome::Lost, Outcome::Delivered);
        assert_eq!(outcomes("four-algorithms"), [lost, lost, delivered, delivered]);
        assert_eq!(outcomes("dead-end"), [Outcome::Blocked, delivered]);
        assert_eq!(outcomes("blocked-at-source"), [Outcome::BlockedAtSource]);
        assert_eq!(outcomes("island"), [Outcome::LimitReached, Outcome::Disconnected]);
        assert_eq!(message_outcomes(&watched_messages("million-nodes")), [(delivered, 26, vec![19, 21, 23])]);
        assert_eq!(message_outcomes(&watched_messages("largest-cube")), [(delivered, 68, vec![58, 60])]);
    }

    /// Returns the outcomes of the circuit networks, with their times.
    fn circuit_outcomes(id: &str) -> Vec<(String, f64)> {
        let mut watch = watched_circuits(id);
        while watch.work(100_000) {}
        let fate = |network: &Watched| match network.known_outcome() {
            Some(CircuitOutcome::Deadlock(deadlock)) => ("deadlock".into(), deadlock.time.floor()),
            Some(CircuitOutcome::Unstable { time, .. }) => ("collapse".into(), time.floor()),
            _ => ("runs".into(), 0.0),
        };
        watch.networks().iter().map(fate).collect()
    }

    #[test]
    fn circuits_collapse_and_deadlock_as_quoted() {
        let [runs, collapse] = [("runs".to_owned(), 0.0), ("collapse".to_owned(), 433.0)];
        let deadlock = |time| ("deadlock".to_owned(), time);
        assert_eq!(circuit_outcomes("up-collapses"), [runs.clone(), collapse]);
        assert_eq!(circuit_outcomes("minimal-deadlock"), [runs.clone(), deadlock(28.0)]);
        assert_eq!(circuit_outcomes("mix-deadlock"), [deadlock(10.0)]);
        assert_eq!(circuit_outcomes("hierarchy"), [runs.clone(), runs.clone()]);
        assert_eq!(circuit_outcomes("cut-off"), [runs.clone(), runs]);
        let mut watch = watched_circuits("cut-off");
        while watch.work(100_000) {}
        watch.seek(500.0);
        while !watch.is_at_target() {
            watch.work(1000);
        }
        let [e_cube, up] = watch.networks() else { panic!("two networks") };
        assert!(e_cube.counts().refused > up.counts().refused && up.counts().refused > 0);
    }

    /// The first algorithm of each preset deadlocks within 3,000 cycles, and the second does not.
    #[test]
    fn worms_deadlock_as_quoted() {
        for id in ["worm-overlap", "worm-either-way", "worm-lh2-block", "worm-one-class", "weak-figure-12"] {
            let experiment: Experiment = preset(id).unwrap().experiment.parse().unwrap();
            let cell = PointConfig::new(&experiment, None);
            let deadlocks = |algorithm: &Algorithm| {
                let worms =
                    trial::network(&cell, trial::config(&cell, algorithm).unwrap(), experiment.view.sample).unwrap();
                WormMeasurement::new(worms, WormWindow { warm_up: WormWarmUp::Fixed(0), batches: 1, batch: 3000 })
                    .run_until(u64::MAX)
            };
            let ends: Vec<_> = experiment.routing.iter().map(|algorithm| deadlocks(algorithm).unwrap().end).collect();
            assert!(matches!(ends[..], [WormEnd::Deadlock { .. }, WormEnd::Complete]), "{id}: {ends:?}");
        }
    }

    #[test]
    fn tunnelling_and_closed_sets_are_detected() {
        for (id, size) in [("tunnelling", 2), ("closed-set", 4)] {
            let instance = watched_messages(id);
            let [side, back] = instance.traces.as_slice() else { panic!("two messages") };
            assert_eq!(side.outcome, Outcome::LimitReached);
            assert_eq!(side.trap.as_ref().map(|trap| trap.nodes.len()), Some(size), "{id}");
            assert_eq!(back.outcome, Outcome::Delivered);
        }
        let instance = watched_messages("tunnelling");
        let trap = instance.traces[0].trap.as_ref().unwrap();
        assert!(trap.nodes.contains(&NodeId(0b01011)) && trap.nodes.contains(&NodeId(0b01001)));
        assert_eq!(instance.traces[1].hops.len(), 7);
    }

    /// Returns, for the batch of each algorithm, the number of messages in the cyclic wait (0
    /// without a deadlock) and the number of cycles.
    fn batch_outcomes(id: &str) -> Vec<(usize, u32)> {
        let experiment: Experiment = preset(id).unwrap().experiment.parse().unwrap();
        let ends = |series: crate::PermutationSeries| {
            let mut batch = series.trial.unwrap().batch(experiment.setting.batch().unwrap()).unwrap();
            let circle = match batch.run_until(1 << 16).unwrap() {
                BatchOutcome::Deadlock(circle) => circle.len(),
                BatchOutcome::Delivered => 0,
            };
            (circle, batch.cycle())
        };
        PermutationInstance::new(&experiment).unwrap().series.into_iter().map(ends).collect()
    }

    #[test]
    fn batches_deadlock_and_arrive_as_quoted() {
        assert_eq!(batch_outcomes("thesis-figure-3-3"), [(2, 3), (0, 6)]);
        assert_eq!(batch_outcomes("thesis-u-turn"), [(2, 2), (0, 5)]);
        assert_eq!(batch_outcomes("thesis-freeze"), [(6, 83), (0, 90)]);
    }

    #[test]
    fn one_fault_deactivates_as_many_nodes_as_quoted() {
        let experiment: Experiment = preset("thesis-shadow").unwrap().experiment.parse().unwrap();
        let inactive = |series: crate::PermutationSeries| 256 - series.trial.unwrap().active_count();
        let all: Vec<_> = PermutationInstance::new(&experiment).unwrap().series.into_iter().map(inactive).collect();
        assert_eq!(all, [31, 112]);
    }
}
