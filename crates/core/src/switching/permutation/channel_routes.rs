//! Routes of a batch as channel numbers.

use super::batch::WormBatchRun;
use crate::routing::oblivious::{ButterflyRoute, ObliviousRoute};
use crate::topology::{Butterfly, Hypercube, Link, NodeId};

/// Sentinel message number of a channel without a message or without a request.
pub(super) const NONE: u32 = u32::MAX;

/// Routes of the messages of a batch. Channel `node * n + dim` leads from `node` across `dim`, one of n
/// dimensions of a hypercube, or of 2 links to the next level of a butterfly.
#[derive(Clone, Debug)]
pub(super) struct ChannelRoutes {
    nodes: u64,
    dimensions: u8,
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
        let mut all = Self { nodes: cube.nodes()?, dimensions: cube.dimension(), routes: Vec::new() };
        all.routes = routes.into_iter().map(|route| all.channels_of(route)).collect::<Option<_>>()?;
        Some((all, channels))
    }

    /// Numbers the links of `routes` in `butterfly`, and returns the routes with the number of links; `None`
    /// if the butterfly or the number of flits is too large for a batch, or a route leaves the butterfly.
    pub(super) fn on_butterfly(butterfly: Butterfly, routes: &[ButterflyRoute], flits: u16) -> Option<(Self, usize)> {
        let fits = (1..=WormBatchRun::MAX_FLITS).contains(&flits)
            && routes.iter().all(|route| route.from.max(route.to).max(route.via.unwrap_or(0)) < butterfly.rows());
        let mut all = Self { nodes: butterfly.nodes().into(), dimensions: 2, routes: Vec::new() };
        let channels_of = |route: &ButterflyRoute| all.channels(route.links(butterfly));
        all.routes = routes.iter().filter(|_| fits).map(channels_of).collect::<Option<_>>()?;
        fits.then_some((all, butterfly.links() as usize))
    }

    /// Returns the channels of `route`; `None` if the route leaves the cube.
    pub(super) fn channels_of(&self, route: &ObliviousRoute) -> Option<Vec<u32>> {
        self.channels(route.hops().map(|hop| hop.link))
    }

    fn channels(&self, links: impl Iterator<Item = Link>) -> Option<Vec<u32>> {
        let dimensions = u32::from(self.dimensions);
        let channel = |link: Link| link.from.0 as u32 * dimensions + u32::from(link.dim);
        links.map(|link| (link.from.0 < self.nodes).then(|| channel(link))).collect()
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
        let dimensions = u32::from(self.dimensions);
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
