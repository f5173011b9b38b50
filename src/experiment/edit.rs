//! Breaking and mending a node by hand.

use super::{Cell, Experiment};
use crate::fault::Faults as _;
use crate::topology::{Link, NodeId};

impl Experiment {
    /// The experiment in which `node` is live if it is faulty in the watched pattern, and faulty if it is live; all other
    /// nodes stay as they are. An edit that is taken back leaves no mark. `None` for source and destination, which are
    /// live by assumption (Gordon & Stout section 1.2).
    pub fn toggled(&self, node: NodeId) -> Option<Self> {
        if self.spared().contains(&node) {
            return None;
        }
        let is_faulty =
            |experiment: &Self| Cell::new(experiment, None).faults_of(experiment.view.sample).is_faulty(node);
        let faulty = is_faulty(self);
        let mut next = self.clone();
        next.faults.broken.retain(|&other| other != node);
        next.faults.mended.retain(|&other| other != node);
        if is_faulty(&next) == faulty {
            next.faults.set(node, !faulty);
        }
        Some(next)
    }

    /// As [`Experiment::toggled`], of a link; `None` if there is no such link.
    pub fn toggled_link(&self, link: Link) -> Option<Self> {
        if !self.cube().contains(link.from) || link.dim >= self.cube().dimension() {
            return None;
        }
        let is_faulty =
            |experiment: &Self| Cell::new(experiment, None).faults_of(experiment.view.sample).is_link_faulty(link);
        let faulty = is_faulty(self);
        let mut next = self.clone();
        next.faults.broken_links.retain(|&other| other != link);
        next.faults.mended_links.retain(|&other| other != link);
        if is_faulty(&next) == faulty {
            next.faults.set_link(link, !faulty);
        }
        Some(next)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_edit_changes_one_node_and_taken_back_leaves_no_mark() {
        for model in ["none", "nodes:0.3", "share:0.4", "count:17"] {
            let before: Experiment = format!("net=cube:6&faults={model}&sample=4").parse().unwrap();
            let statuses = |experiment: &Experiment| {
                let mut faults = Cell::new(experiment, None).faults_of(experiment.view.sample);
                (0..64).map(|node| faults.is_faulty(NodeId(node))).collect::<Vec<_>>()
            };
            for node in (1..63).map(NodeId) {
                let after = before.toggled(node).unwrap();
                let differing: Vec<_> = (0..64)
                    .filter(|&i| statuses(&before)[i] != statuses(&after)[i])
                    .map(|i| NodeId(i as u64))
                    .collect();
                assert_eq!(differing, [node], "{model}");
                assert_eq!(after.toggled(node).as_ref(), Some(&before), "{model}");
            }
            assert_eq!((before.toggled(NodeId(0)), before.toggled(NodeId(63))), (None, None));
        }
    }
}
