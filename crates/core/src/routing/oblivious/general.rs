//! General randomized routing, with any active set and any sets of intermediate nodes (thesis
//! section 3.1).

use rand::RngExt as _;

use super::bit_fixing::two_legs;
use super::{IntermediateChoice, Legs, NoRoute, ObliviousRoute, ObliviousRouting};
use crate::fault::FaultyNodes;
use crate::random::Generator;
use crate::topology::NodeId;

/// A function that returns the intermediate nodes between two active nodes.
type Sets = Box<dyn Fn(NodeId, NodeId) -> Vec<NodeId> + Send + Sync>;

/// General randomized routing, the building block of Algorithms A and B (thesis figure 3-1) and the
/// subject of Theorem 1.
pub struct GeneralRandomized {
    faulty: FaultyNodes,
    active: Vec<bool>,
    sets: Sets,
}

impl GeneralRandomized {
    /// Creates the scheme from the active set A, a flag for every node in order, and the set I_sd
    /// of any two active nodes. A message whose intermediate node leads into a fault is lost.
    pub fn new(
        faulty: FaultyNodes,
        active: Vec<bool>,
        sets: impl Fn(NodeId, NodeId) -> Vec<NodeId> + Send + Sync + 'static,
    ) -> Self {
        Self { faulty, active, sets: Box::new(sets) }
    }
}

impl ObliviousRouting for GeneralRandomized {
    fn faulty(&self) -> &FaultyNodes {
        &self.faulty
    }

    fn is_active(&self, node: NodeId) -> bool {
        usize::try_from(node.0).is_ok_and(|place| self.active.get(place).is_some_and(|&active| active))
    }

    fn choice(&self, from: NodeId, to: NodeId) -> Option<IntermediateChoice> {
        let mut valid = (self.sets)(from, to);
        let out_of = valid.len() as u64;
        valid.retain(|&via| two_legs(&self.faulty, from, via, to).is_ok());
        Some(IntermediateChoice { valid, out_of })
    }

    fn legs(&self, from: NodeId, to: NodeId) -> Option<Legs> {
        Some(Legs { start: from, end: to, crossing: None, lowest: 0 })
    }

    fn draw(&self, from: NodeId, to: NodeId, generator: &mut Generator) -> Result<Option<NodeId>, NoRoute> {
        let all = (self.sets)(from, to);
        if all.is_empty() {
            return Err(NoRoute::NoIntermediate);
        }
        Ok(all.get(generator.random_range(0..all.len() as u64) as usize).copied())
    }

    fn route_via(&self, from: NodeId, to: NodeId, via: Option<NodeId>) -> Result<ObliviousRoute, NoRoute> {
        two_legs(&self.faulty, from, via.ok_or(NoRoute::NoIntermediate)?, to)
    }
}
