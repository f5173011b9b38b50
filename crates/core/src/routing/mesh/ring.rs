//! The way around a fault region, along its ring or chain, and why it is taken (Boppana & Chalasani sections III and IV).

use super::planes::Planes;
use crate::fault::BlockFaults;
use crate::fault::block::{Orientation, Plane, RegionId};
use crate::rich;
use crate::routing::words;
use crate::routing::{Rule, WormStatus, WormType, WormWhy};
use crate::topology::{NodeId, Port};

/// Blocked just now: onto the ring (Fig. 3, Set-Direction).
pub(super) static ENTER_RING: Rule = Rule::worm("enter-ring", |why| {
    let blocking = why.header().region.and_then(|id| why.faults.region(id));
    let blocking = blocking.map(|region| words::region(why.mesh(), region)).unwrap_or_default();
    let (kind, side) = (words::kind(why.mesh(), why.header()), side(why));
    rich!["blocked by ", blocking, "; ", kind, ", ", side, ": ", way(why), " around the ", ring(why)]
})
.detour();

/// Still blocked: on along the ring in the direction that was set (Fig. 3, step 1 of Set-Direction).
pub(super) static FOLLOW_RING: Rule = Rule::worm("follow-ring", |why| {
    let kind = words::kind(why.mesh(), why.header());
    rich![still(why), " on ", way(why), " around the ", ring(why), "; ", status(why), kind]
})
.detour();

/// The end of a fault chain: back the other way (Fig. 8, Fig. 10 rule 3.3).
pub(super) static TURN_BACK: Rule = Rule::worm("turn-back", |why| {
    let kind = words::kind(why.mesh(), why.header());
    rich!["the fault chain ends here: back, ", way(why), "; ", status(why), kind]
})
.detour();

/// A step along the ring of `region` that way or, at the end of a chain, back.
pub(in crate::routing) fn ring_step(
    faults: &BlockFaults,
    region: RegionId,
    plane: Plane,
    here: NodeId,
    way: Orientation,
) -> Option<(Port, Orientation, bool)> {
    let step = |way| faults.ring_step(region, plane, here, way).map(|port| (port, way));
    let ahead = step(way).map(|(port, way)| (port, way, false));
    ahead.or_else(|| step(way.reversed()).map(|(port, way)| (port, way, true)))
}

fn way(why: &WormWhy<'_>) -> &'static str {
    why.header().orientation.map_or("", |way| way.name())
}

/// The status of a message on a ring, before its type; that of affected ones is part of it.
fn status(why: &WormWhy<'_>) -> &'static str {
    if why.header().status == WormStatus::Misrouted { "misrouted " } else { "" }
}

/// What the region of a header is surrounded by.
fn ring(why: &WormWhy<'_>) -> &'static str {
    let region = why.header().region.and_then(|id| why.faults.region(id));
    if region.is_some_and(|region| why.faults.is_chain(region)) { "fault chain" } else { "fault ring" }
}

/// Why a message stays on a ring.
fn still(why: &WormWhy<'_>) -> &'static str {
    let (minimal, came) = (why.mesh().minimal_ports(why.at.here, why.at.to), why.at.came);
    let back = came.is_some_and(|came| minimal & came.opposite().bit() != 0);
    match why.header().status {
        WormStatus::Misrouted if back => "its e-cube hop leads back:",
        WormStatus::Misrouted => "still blocked:",
        _ => "no legal hop yet:",
    }
}

/// What decided the way around a region.
fn side(why: &WormWhy<'_>) -> String {
    let either = why.routing.choices(why.faults, why.at).iter().filter(|choice| *choice.rule == ENTER_RING).count() > 1;
    let text = match why.header().status {
        _ if either => "either way is permitted",
        WormStatus::Misrouted => match towards(why) {
            Some(side) => return side,
            // f-cube4 keeps its direction on meshes, and on tori has a fixed one as f-cube2 has.
            None if why.mesh().is_torus() || why.routing.classes(why.mesh()) < 4 => "always the same way",
            None => "on in the direction of its last hop",
        },
        _ => "on in the direction of its last hop",
    };
    text.into()
}

/// On which side of a misrouted message its destination is, in the dimension in which it leaves its own, if it has hops there
/// that need not be taken back: if it is a row message.
fn towards(why: &WormWhy<'_>) -> Option<String> {
    let (mesh, kind) = (why.mesh(), why.header().kind);
    if mesh.is_plane() {
        let ((row, _), (goal, _)) = (mesh.place(why.at.here), mesh.place(why.at.to));
        let row_message = matches!(kind, WormType::WE | WormType::EW) && goal != row;
        return row_message.then(|| (if goal < row { "destination above" } else { "destination below" }).into());
    }
    let free = Planes::Successive.free(mesh, kind.dim()).filter(|&free| free > kind.dim())?;
    let rest = mesh.minimal_ports(why.at.here, why.at.to) & (3 << (2 * free));
    let port = (rest != 0).then(|| Port(rest.trailing_zeros() as u8))?;
    Some(format!("destination towards {}", words::direction(port)))
}
