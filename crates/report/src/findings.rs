//! What is proved, as plain data: a thread that computes it hands it to one that shows it.

use serde::{Deserialize, Serialize};

use super::checked::Checked;
use super::cycle::DependencyCycle;
use super::words::facts::Fact;
use faultlab_experiment::Experiment;

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
    /// The dependency cycle, if there is one.
    pub cycle: Option<DependencyCycle>,
}

impl Findings {
    /// Collects everything that `checked` says.
    pub fn new(checked: &dyn Checked) -> Self {
        let finding = |(number, name): (usize, &str)| Finding {
            name: name.to_owned(),
            facts: checked.of(number),
            deadlock: checked.deadlock(number).map(Experiment::to_string),
            witnesses: checked.witnesses(number),
            cycle: checked.cycle(number),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::kinds::proved;
    use crate::picture::geometry::Size;

    #[test]
    fn findings_are_the_same_after_they_were_sent() {
        let text = "net=mesh:8x8&switch=wormhole&faults=none&break=3.3,3.4,4.3,4.4&route=f-cube2-either,f-cube2";
        let experiment: Experiment = text.parse().unwrap();
        let checked = proved(&experiment, false).unwrap();
        let findings = Findings::new(&*checked);
        let bytes = postcard::to_allocvec(&findings).unwrap();
        assert_eq!(postcard::from_bytes::<Findings>(&bytes).unwrap(), findings);
        assert_eq!(findings.json, checked.json());
        let [cyclic, safe] = findings.algorithms.as_slice() else { panic!("two algorithms") };
        assert!(safe.cycle.is_none() && safe.witnesses.is_empty());
        let Some(DependencyCycle::Mesh { channels, .. }) = &cyclic.cycle else { panic!("a cycle on the mesh") };
        assert_eq!(channels.len(), cyclic.witnesses.len());
        let size = Size::new(290.0, 300.0);
        let scene = cyclic.cycle.as_ref().unwrap().draw(&experiment, size);
        assert!(scene.size == size && scene.shapes.len() > channels.len());
    }
}
