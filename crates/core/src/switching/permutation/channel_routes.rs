//! Routes of a batch as channel numbers.

use super::batch::WormBatchRun;
use crate::routing::oblivious::ObliviousRoute;
use crate::topology::{Hypercube, Link, NodeId};

/// Sentinel message number of a channel without a message or without a request.
pub(super) const NONE: u32 = u32::MAX;

/// Routes of the messages of a batch. Channel `node * n + dim` leads from `node` across `dim`.
#[derive(Clone, Debug)]
pub(super) struct ChannelRoutes {
    cube: Hypercube,
    routes: Vec<Vec<u32>>,
}

impl ChannelRoutes {
    /// Numbers the channels of `routes` in `cube`, and returns the routes with the number of
    /// channels of the cube.
    ///
    /// Returns `None` if the cube or the number of flits is too large for a batch, if there are no
    /// flits, or if a route leaves the cube.
    pub(super) fn new<'r>(
        cube: Hypercube,
        routes: impl IntoIterator<Item = &'r ObliviousRoute>,
        flits: u16,
    ) -> Option<(Self, usize)> {
        let fits = cube.dimension() <= WormBatchRun::MAX_DIMENSION && (1..=WormBatchRun::MAX_FLITS).contains(&flits);
        let channels = cube.links().filter(|_| fits)? as usize;
        let mut all = Self { cube, routes: Vec::new() };
        all.routes = routes.into_iter().map(|route| all.channels_of(route)).collect::<Option<_>>()?;
        Some((all, channels))
    }

    /// Returns the channels of `route`; `None` if the route leaves the cube.
    pub(super) fn channels_of(&self, route: &ObliviousRoute) -> Option<Vec<u32>> {
        let dimensions = u32::from(self.cube.dimension());
        let channel = |link: Link| link.from.0 as u32 * dimensions + u32::from(link.dim);
        route.hops().map(|hop| self.cube.contains(hop.link.from).then(|| channel(hop.link))).collect()
    }

    /// Replaces a message's route.
    pub(super) fn replace(&mut self, message: u32, channels: Vec<u32>) {
        if let Some(route) = self.routes.get_mut(message as usize) {
            *route = channels;
        }
    }

    /// Returns the number of messages.
    pub(super) fn count(&self) -> usize {
        self.routes.len()
    }

    /// Returns the channels of a message's route; none for an unknown message.
    pub(super) fn route(&self, message: u32) -> &[u32] {
        self.routes.get(message as usize).map_or(&[], Vec::as_slice)
    }

    /// Returns the links of a message's route.
    pub(super) fn links(&self, message: u32) -> impl Iterator<Item = Link> + '_ {
        self.route(message).iter().map(|&channel| self.link(channel))
    }

    /// Returns the link of a channel.
    pub(super) fn link(&self, channel: u32) -> Link {
        let dimensions = u32::from(self.cube.dimension());
        Link { from: NodeId(u64::from(channel / dimensions)), dim: (channel % dimensions) as u8 }
    }

    /// Returns cycle 0 for each message without hops, which arrives at once, and `None` for others.
    pub(super) fn finished_at_start(&self) -> Vec<Option<u32>> {
        self.routes.iter().map(|route| route.is_empty().then_some(0)).collect()
    }

    /// Returns the messages whose routes have hops.
    pub(super) fn with_hops(&self) -> Vec<u32> {
        (0u32..).zip(&self.routes).filter(|(_, route)| !route.is_empty()).map(|(number, _)| number).collect()
    }

    /// Returns the approximate size of the routes, in bytes.
    pub(super) fn size_bytes(&self) -> u64 {
        4 * self.routes.iter().map(|route| route.len() as u64).sum::<u64>()
    }
}
