//! Table of the faulty one-way links of a hypercube.

use crate::topology::{Hypercube, Link, NodeId, set_dimensions};

/// The faulty links: by node, a mask of the dimensions of the faulty links that leave it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct LinkTable {
    masks: Vec<u32>,
}

impl LinkTable {
    /// Returns an empty table for `cube`, which has at most 24 dimensions.
    pub(super) fn empty(cube: Hypercube) -> Self {
        Self { masks: vec![0; cube.mask() as usize + 1] }
    }

    /// Adds `link`; the call does nothing if the link is outside the cube.
    pub(super) fn insert(&mut self, link: Link) {
        if let Some(mask) = self.masks.get_mut(link.from.0 as usize) {
            *mask |= 1u32.wrapping_shl(link.dim.into());
        }
    }

    /// Returns whether `link` is faulty.
    #[inline]
    pub(super) fn contains(&self, link: Link) -> bool {
        self.masks.get(link.from.0 as usize).is_some_and(|mask| mask.wrapping_shr(link.dim.into()) & 1 == 1)
    }

    /// Returns the number of faulty links.
    pub(super) fn len(&self) -> u32 {
        self.masks.iter().map(|mask| mask.count_ones()).sum()
    }

    /// Returns the faulty links, ascending.
    pub(super) fn iter(&self) -> impl Iterator<Item = Link> {
        let links = |(node, &mask)| set_dimensions(u64::from(mask)).map(move |dim| Link { from: NodeId(node), dim });
        (0..).zip(&self.masks).flat_map(links)
    }
}
