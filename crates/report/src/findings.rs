//! What is proved, as plain data: a thread that computes it hands it to one that shows it.

use serde::{Deserialize, Serialize};

use super::checked::Checked;
use super::picture::scene::Scene;
use super::words::facts::Fact;
use faultlab_experiment::{Experiment, Layout};

/// All that can be said exactly of an instance, and its files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// The end of the sentence "Computed, not sampled, ..", as [`Checked::ground`].
    pub ground: String,
    /// What holds of the network.
    pub network: Vec<Fact>,
    /// What holds of the messages; nothing where there is a single one, or any.
    pub messages: Vec<Fact>,
    /// What holds of each algorithm, in the order of the experiment.
    pub algorithms: Vec<Finding>,
    /// As comma-separated values.
    pub csv: String,
    /// As JSON.
    pub json: String,
}

/// What can be said of one algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Its name, for people.
    pub name: String,
    /// The facts.
    pub facts: Vec<Fact>,
    /// The text of the run that ends in a deadlock, if there is one.
    pub deadlock: Option<String>,
    /// The messages that realise its dependency cycle, a sentence each; none without a cycle.
    pub witnesses: Vec<String>,
    /// The cycle on the network in a picture of each of the sizes of [`Findings::SIZES`]; none without a cycle.
    pub cycle: Vec<Scene>,
}

impl Findings {
    /// The sizes of the pictures of a cycle in pixels: what a page has room for, by ascending width, and last that of a file.
    pub const SIZES: [(f64, f64); 7] =
        [(230.0, 300.0), (290.0, 300.0), (350.0, 300.0), (450.0, 300.0), (600.0, 300.0), (900.0, 300.0), Self::FILE];

    /// The size of the picture of a cycle in a file.
    pub const FILE: (f64, f64) = (760.0, 560.0);

    /// All of `checked`, with pictures of this layout.
    pub fn of(checked: &dyn Checked, layout: Layout) -> Self {
        let finding = |(number, name): (usize, &str)| Finding {
            name: name.to_owned(),
            facts: checked.of(number),
            deadlock: checked.deadlock(number).map(Experiment::to_string),
            witnesses: checked.witnesses(number),
            cycle: Self::SIZES.iter().filter_map(|&size| checked.scene(number, layout, size)).collect(),
        };
        Self {
            ground: checked.ground().to_owned(),
            network: checked.network(),
            messages: checked.messages(),
            algorithms: checked.names().into_iter().enumerate().map(finding).collect(),
            csv: checked.csv(),
            json: checked.json(),
        }
    }
}

impl Finding {
    /// The picture of its cycle for a place of this size: the widest that fits, in the middle. An empty one without a cycle.
    pub fn scene(&self, size: (f64, f64)) -> Scene {
        let fits = |scene: &&Scene| scene.size.0 <= size.0 && scene.size.1 <= size.1;
        let Some(best) = self.cycle.iter().rev().find(fits).or(self.cycle.first()) else {
            return Scene { size, shapes: Vec::new() };
        };
        let (right, down) = ((size.0 - best.size.0) / 2.0, (size.1 - best.size.1) / 2.0);
        Scene { size, shapes: best.shapes.iter().map(|shape| shape.clone().moved(right, down)).collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::proved;

    #[test]
    fn they_travel_whole_and_their_pictures_fit() {
        let text = "net=mesh:8x8&switch=wormhole&faults=none&break=3.3,3.4,4.3,4.4&route=f-cube2-either,f-cube2";
        let experiment: Experiment = text.parse().unwrap();
        let checked = proved(&experiment, false).unwrap();
        let findings = Findings::of(&*checked, experiment.view.layout);
        let bytes = postcard::to_allocvec(&findings).unwrap();
        assert_eq!(postcard::from_bytes::<Findings>(&bytes).unwrap(), findings);
        assert_eq!(findings.json, checked.json());
        let [cyclic, safe] = findings.algorithms.as_slice() else { panic!("two algorithms") };
        assert!(safe.cycle.is_empty() && safe.witnesses.is_empty());
        assert!(!cyclic.witnesses.is_empty() && cyclic.cycle.len() == Findings::SIZES.len());
        let [file, phone, between] = [Findings::FILE, (290.0, 300.0), (400.0, 300.0)].map(|size| cyclic.scene(size));
        assert_eq!(file, checked.scene(0, experiment.view.layout, Findings::FILE).unwrap());
        assert_eq!(phone, cyclic.cycle[1]);
        // 350 pixels of 400, in the middle.
        let [moved, own] = [&between, &cyclic.cycle[2]].map(|scene| scene.shapes.last().cloned().unwrap());
        assert_eq!((moved, between.size), (own.moved(25.0, 0.0), (400.0, 300.0)));
    }
}
