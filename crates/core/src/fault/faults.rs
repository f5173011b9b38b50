//! Access to the faults of a network, independent of their storage.

use crate::topology::{Link, NodeId};

/// Access to the faults of a network, element by element.
pub trait Faults {
    /// Returns whether `node` is faulty. Source and destination are never faulty.
    fn is_faulty(&mut self, node: NodeId) -> bool;

    /// Returns whether a link between two live nodes may be faulty.
    #[inline(always)]
    fn has_link_faults(&self) -> bool {
        false
    }

    /// Returns whether `link` itself is faulty, regardless of its nodes.
    #[inline(always)]
    fn is_link_faulty(&mut self, _link: Link) -> bool {
        false
    }

    /// Returns whether `link` leads to no live node: the link or the node it enters is faulty.
    fn leads_to_no_live_node(&mut self, link: Link) -> bool {
        self.is_faulty(link.end()) || self.is_link_faulty(link)
    }
}
