//! Manual edits: breaking and mending nodes and links.

use super::{CubePointConfig, Experiment, PointConfig};
use faultlab_core::fault::{ButterflyFaults, FaultSampler, Faults as _, SampledFaults};
use faultlab_core::topology::{Link, Network, NodeId};

impl Experiment {
    /// Returns the experiment with the status of `node` in the watched trial inverted. All other
    /// nodes keep their status.
    ///
    /// A reverted edit is removed. `None` for source and destination, which are live by assumption
    /// (Gordon & Stout section 1.2).
    pub fn with_node_toggled(&self, node: NodeId) -> Option<Self> {
        if self.protected_nodes().contains(&node) {
            return None;
        }
        let is_faulty =
            |experiment: &Self| experiment.watched_faults().is_some_and(|mut faults| faults.is_faulty(node));
        let faulty = is_faulty(self);
        let mut next = self.clone();
        next.faults.faulty_nodes.retain(|&other| other != node);
        next.faults.live_nodes.retain(|&other| other != node);
        if is_faulty(&next) == faulty {
            next.faults.set_node(node, !faulty);
        }
        Some(next)
    }

    /// Returns the experiment with the status of `link` inverted, as
    /// [`Experiment::with_node_toggled`]; `None` if there is no such link.
    pub fn with_link_toggled(&self, link: Link) -> Option<Self> {
        if !self.network.has_link(link) {
            return None;
        }
        let is_faulty =
            |experiment: &Self| experiment.watched_faults().is_some_and(|mut faults| faults.is_link_faulty(link));
        let faulty = is_faulty(self);
        let mut next = self.clone();
        next.faults.faulty_links.retain(|&other| other != link);
        next.faults.live_links.retain(|&other| other != link);
        if is_faulty(&next) == faulty {
            next.faults.set_link(link, !faulty);
        }
        Some(next)
    }
}

impl Experiment {
    /// Returns the faults of the watched trial; `None` if no set of isolated faults is found.
    fn watched_faults(&self) -> Option<WatchedFaults> {
        let (cell, sample) = (PointConfig::new(self, None), self.view.sample);
        match self.network {
            Network::FatTree(_) => None,
            Network::Butterfly(butterfly) => {
                let key = PointConfig::pattern_key(cell.trial(sample));
                Some(WatchedFaults::Butterfly(ButterflyFaults::sample(butterfly, &cell.faults, key)))
            }
            Network::Mesh(_) => cell.sampled_faults(sample).ok().map(WatchedFaults::Mesh),
            Network::Hypercube(_) => {
                CubePointConfig::from_point(cell).map(|cell| WatchedFaults::Cube(cell.fault_pattern(sample)))
            }
        }
    }
}

/// Faults of one trial. On a mesh they are those before block closure: nodes that closure disables
/// can be broken, but not mended.
enum WatchedFaults {
    Cube(FaultSampler),
    Butterfly(ButterflyFaults),
    Mesh(SampledFaults),
}

impl WatchedFaults {
    fn is_faulty(&mut self, node: NodeId) -> bool {
        match self {
            Self::Cube(faults) => faults.is_faulty(node),
            Self::Butterfly(faults) => faults.contains(node),
            Self::Mesh(faults) => faults.nodes.binary_search(&node).is_ok(),
        }
    }

    fn is_link_faulty(&mut self, link: Link) -> bool {
        match self {
            Self::Cube(faults) => faults.is_link_faulty(link),
            Self::Butterfly(_) => false,
            Self::Mesh(faults) => faults.links.binary_search(&link).is_ok(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cube_edits_change_one_node_and_toggle_back_exactly() {
        for model in ["none", "nodes:0.3", "share:0.4", "count:17"] {
            let before: Experiment = format!("net=cube:6&faults={model}&sample=4").parse().unwrap();
            let statuses = |experiment: &Experiment| {
                let mut faults = CubePointConfig::new(experiment, None).unwrap().fault_pattern(experiment.view.sample);
                (0..64).map(|node| faults.is_faulty(NodeId(node))).collect::<Vec<_>>()
            };
            for node in (1..63).map(NodeId) {
                let after = before.with_node_toggled(node).unwrap();
                let differing: Vec<_> = (0..64)
                    .filter(|&i| statuses(&before)[i] != statuses(&after)[i])
                    .map(|i| NodeId(i as u64))
                    .collect();
                assert_eq!(differing, [node], "{model}");
                assert_eq!(after.with_node_toggled(node).as_ref(), Some(&before), "{model}");
            }
            assert_eq!((before.with_node_toggled(NodeId(0)), before.with_node_toggled(NodeId(63))), (None, None));
        }
    }

    #[test]
    fn mesh_edits_change_one_element_and_toggle_back_exactly() {
        for model in ["none", "isolated:0.05", "links:0.1", "count:5"] {
            let text = format!("net=mesh:8x9&switch=wormhole&faults={model}&sample=4");
            let before: Experiment = text.parse().unwrap();
            let drawn = |experiment: &Experiment| PointConfig::new(experiment, None).sampled_faults(4).unwrap();
            for node in (0..72).map(NodeId) {
                let after = before.with_node_toggled(node).unwrap();
                let (was, is) = (drawn(&before), drawn(&after));
                assert_eq!((was.links, was.nodes.len().abs_diff(is.nodes.len())), (is.links, 1), "{model}");
                assert_eq!(after.with_node_toggled(node).as_ref(), Some(&before), "{model}");
                assert_eq!(after.to_string().parse(), Ok(after));
            }
            let mesh = before.mesh().unwrap();
            for link in mesh.iter_links() {
                let after = before.with_link_toggled(link).unwrap();
                assert_eq!(drawn(&before).links.len().abs_diff(drawn(&after).links.len()), 1, "{model}");
                assert_eq!(after.with_link_toggled(link).as_ref(), Some(&before), "{model}");
                assert_eq!(after.to_string().parse(), Ok(after));
            }
            assert_eq!(before.with_link_toggled(Link { from: NodeId(71), dim: 0 }), None);
        }
    }
}
