//! Route decisions of local algorithms as sets, before the random choice.

use crate::routing::{Knowledge, Links, LocalRouting, Order, Position};
use crate::topology::{Hypercube, Link, set_dimensions};

/// Route decision before the random choice: each of the dimensions is equally likely.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Decision {
    /// True if the message is blocked and steps back.
    pub(super) backward: bool,
    /// Dimensions, as a mask of address bits; not 0.
    pub(super) dims: u64,
    /// Links among which the decision was taken.
    pub(super) links: Links,
}

/// Returns the decision of `routing` at `at`, by the rule of [`LocalRouting`]: the first tier with
/// a usable dimension.
///
/// `None` if the message is permanently blocked.
pub(super) fn decide(
    cube: Hypercube,
    routing: &dyn LocalRouting,
    at: Position,
    mut is_dead: impl FnMut(Link) -> bool,
) -> Option<Decision> {
    let blind = routing.knowledge() == Knowledge::Nothing;
    let links = links(cube, routing, at, &mut is_dead);
    routing.tiers_with_links(at, links).iter().find_map(|tier| {
        let usable = set_dimensions(tier.dimensions.mask(at.wrong, cube.mask()))
            .filter(|&dim| blind || !is_dead(Link { from: at.here, dim }))
            .fold(0u64, |dims, dim| dims | 1 << dim);
        let dims = match routing.order() {
            Order::Random => usable,
            Order::Highest => usable.checked_ilog2().map_or(0, |highest| 1 << highest),
        };
        let backward = tier.dimensions.is_backward(at.wrong);
        (dims != 0).then_some(Decision { backward, dims, links })
    })
}

/// Returns the links at `at`, limited to what `routing` examines.
pub(super) fn links(
    cube: Hypercube,
    routing: &dyn LocalRouting,
    at: Position,
    mut is_dead: impl FnMut(Link) -> bool,
) -> Links {
    let all = cube.mask();
    let looked_at = set_dimensions(if routing.depends_on_faults() { all } else { 0 });
    let live = looked_at.filter(|&dim| !is_dead(Link { from: at.here, dim })).fold(0, |live, dim| live | 1 << dim);
    Links { all, live }
}
