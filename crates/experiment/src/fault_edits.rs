//! Manual edits: breaking and mending nodes and links.

use super::later_faults::{self, MAX_LATER_FAULTS};
use super::{CubePointConfig, Experiment, FaultyElement, LaterFault, PointConfig};
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
        if let Some(next) = self.without_later_fault(FaultyElement::Node(node)) {
            return Some(next);
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
        if let Some(next) = self.without_later_fault(FaultyElement::Link(link)) {
            return Some(next);
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
    /// Returns the experiment in which a live node or link breaks at `time`, while messages move.
    ///
    /// For worms `time` is rounded down to a cycle, for circuits up to a thousandth of the mean
    /// transmission time. `None` if the element does not exist or breaks anyway, the kind or
    /// network has no later faults, `time` is 0 or out of range, or the list of later faults is
    /// full.
    pub fn with_later_fault(&self, element: FaultyElement, time: f64) -> Option<Self> {
        let is_live = match (element, self.watched_faults()?) {
            (FaultyElement::Node(node), mut faults) => self.network.contains(node) && !faults.is_faulty(node),
            (FaultyElement::Link(link), mut faults) => self.network.has_link(link) && !faults.is_link_faulty(link),
        };
        let mut next = self.clone();
        match element {
            FaultyElement::Node(node) => next.faults.live_nodes.retain(|&other| other != node),
            FaultyElement::Link(link) => next.faults.live_links.retain(|&other| other != link),
        }
        let is_whole = self.setting.worm().is_some();
        let time = if is_whole { libm::floor(time) } else { libm::ceil(time * 1000.0) / 1000.0 };
        let later = next.setting.later_mut()?;
        later.push(LaterFault { time, element });
        later_faults::sort(later);
        let is_valid = is_live && later.len() <= MAX_LATER_FAULTS && time > 0.0 && next.validate().is_ok();
        is_valid.then_some(next)
    }

    /// Returns the experiment in which an element does not break later; `None` if it does not anyway.
    pub fn without_later_fault(&self, element: FaultyElement) -> Option<Self> {
        let mut next = self.clone();
        let later = next.setting.later_mut()?;
        let before = later.len();
        later.retain(|fault| fault.element != element);
        (later.len() < before).then_some(next)
    }

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
    fn later_faults_are_added_taken_back_and_written() {
        let before: Experiment = "net=mesh:6x6&switch=wormhole&faults=none&break=1.1".parse().unwrap();
        let mesh = before.mesh().unwrap();
        let link = FaultyElement::Link(mesh.parse_link("3.3-3.4").unwrap());
        let node = FaultyElement::Node(mesh.parse_node("5.5").unwrap());
        let after = before.with_later_fault(node, 800.0).and_then(|one| one.with_later_fault(link, 500.7)).unwrap();
        assert!(after.to_string().contains("&later=500:3.3-3.4,800:5.5"), "{after}");
        assert_eq!(after.to_string().parse(), Ok(after.clone()));
        // An element breaks once, and not in cycle 0.
        let broken = FaultyElement::Node(mesh.parse_node("1.1").unwrap());
        assert_eq!((after.with_later_fault(link, 900.0), before.with_later_fault(broken, 9.0)), (None, None));
        assert_eq!(before.with_later_fault(link, 0.5), None);
        let cube: Experiment = "net=cube:4&switch=wormhole".parse().unwrap();
        assert_eq!(cube.with_later_fault(FaultyElement::Node(NodeId(1)), 9.0), None);
        // A click on it takes it back.
        let FaultyElement::Link(link) = link else { panic!("a link") };
        let FaultyElement::Node(node) = node else { panic!("a node") };
        let back = after.with_link_toggled(link).and_then(|one| one.with_node_toggled(node));
        assert_eq!(back, Some(before));
        for (text, why) in [
            ("later=5:9.9", "9.9 is not a node or link of mesh:6x6"),
            ("later=0:3.3", "outside 1 to 10000000"),
            ("later=3.3", "3.3 is not TIME:ELEMENT"),
            ("later=5:3.3,6:3.3", "3.3 breaks twice"),
            ("later=5:3.3&mend=3.3", "3.3 is also mended"),
            ("net=cube:4&later=5:3", "on meshes and tori only"),
        ] {
            let text = format!("{}switch=wormhole&{text}", if text.starts_with("net") { "" } else { "net=mesh:6x6&" });
            let error = text.parse::<Experiment>().unwrap_err().to_string();
            assert!(error.contains(why), "{text}: {error}");
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
