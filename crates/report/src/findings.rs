//! Results of a check as plain data, which a worker computes and sends to the page.

use serde::{Deserialize, Serialize};

use super::check_report::CheckReport;
use super::check_verdict::CheckVerdict;
use super::cost::CostReport;
use super::cycle::DependencyCycle;
use super::wording::facts::Fact;
use faultlab_experiment::Experiment;

/// All facts on an instance, and the files that contain the facts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    /// End of the sentence "The results are computed, ..", as [`CheckReport::ground`].
    pub ground: String,
    /// Facts on the network.
    pub network: Vec<Fact>,
    /// Facts on the messages; empty if the check has none.
    pub messages: Vec<Fact>,
    /// Facts on each algorithm, in the order of the experiment.
    pub algorithms: Vec<Finding>,
    /// Comma-separated values.
    pub csv: String,
    /// JSON document.
    pub json: String,
}

/// Results on one algorithm.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Finding {
    /// Display name of the algorithm.
    pub name: String,
    /// Verdict on the algorithm.
    pub verdict: CheckVerdict,
    /// Facts on the algorithm.
    pub facts: Vec<Fact>,
    /// Text of the run that ends in a deadlock, if there is one.
    pub deadlock: Option<String>,
    /// Messages that realise the dependency cycle, a sentence each; empty without a cycle.
    pub witnesses: Vec<String>,
    /// Dependency cycle, if there is one.
    pub cycle: Option<DependencyCycle>,
}

impl Findings {
    /// Collects all results of `checked`.
    pub fn new(checked: &dyn CheckReport) -> Self {
        let costs = CostReport::from_experiment(checked.experiment());
        let finding = |(number, name): (usize, &str)| Finding {
            name: name.to_owned(),
            verdict: checked.verdict(number),
            facts: checked.facts(number).into_iter().chain(costs.facts(name)).collect(),
            deadlock: checked.deadlock(number).map(Experiment::to_string),
            witnesses: checked.witnesses(number),
            cycle: checked.cycle(number),
        };
        Self {
            ground: checked.ground().to_owned(),
            network: checked.network_facts(),
            messages: checked.message_facts(),
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
    fn findings_round_trip_through_serialization() {
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
