//! Hops around a fault region along its ring or chain, with their rules (Boppana & Chalasani
//! sections III and IV).

use super::planes::Planes;
use crate::fault::BlockFaults;
use crate::fault::block::{Facing, Orientation, PlaneFamily, RegionId};
use crate::rich;
use crate::rich_text::RichText;
use crate::routing::wording;
use crate::routing::{Rule, WormExplanationContext, WormStatus, WormType};
use crate::topology::{NodeId, Port};

/// Hop of a newly blocked message onto the ring of the region that blocks it (Fig. 3,
/// Set-Direction).
pub(super) static ENTER_RING: Rule = Rule::worm("enter-ring", |why| enter(why, direction_reason(why))).detour();

/// Hop of an affected message onto a ring, with one orientation for each direction of messages.
pub(super) static ENTER_ONE_WAY: Rule =
    Rule::worm("enter-one-way", |why| enter(why, "always the same way".into())).detour();

/// Hop of an affected message onto a ring, in the orientation of the shorter way.
pub(super) static ENTER_SHORTER: Rule =
    Rule::worm("enter-shorter", |why| enter(why, "the shorter way".into())).detour();

/// Returns the text of a hop onto a ring in an orientation chosen for the reason `side`.
fn enter(why: &WormExplanationContext<'_>, side: String) -> RichText {
    let blocking = why.header().region.and_then(|id| why.faults.region(id));
    let blocking = blocking.map(|region| wording::region(why.mesh(), region)).unwrap_or_default();
    let kind = wording::kind(why.mesh(), why.header());
    rich!["blocked by ", blocking, "; ", kind, ", ", side, ": ", direction_name(why), " around the ", ring_name(why)]
}

/// Hop of a message that is still blocked along its ring, in the direction set before (Fig. 3, step
/// 1 of Set-Direction).
pub(super) static FOLLOW_RING: Rule = Rule::worm("follow-ring", |why| {
    let kind = wording::kind(why.mesh(), why.header());
    rich![
        stay_reason(why),
        " continues ",
        direction_name(why),
        " around the ",
        ring_name(why),
        "; ",
        status_prefix(why),
        kind
    ]
})
.detour();

/// Hop back from the end of a fault chain (Fig. 8, Fig. 10 rule 3.3).
pub(super) static TURN_BACK: Rule = Rule::worm("turn-back", |why| {
    let kind = wording::kind(why.mesh(), why.header());
    rich!["the fault chain ends here: turns back, ", direction_name(why), "; ", status_prefix(why), kind]
})
.detour();

/// Returns the hop along the ring of `region` in orientation `way` or, at the end of a chain, the
/// hop back. The flag is true if the message turns back.
pub(in crate::routing) fn ring_step(
    faults: &BlockFaults,
    region: RegionId,
    plane: PlaneFamily,
    here: NodeId,
    way: Orientation,
    facing: Facing,
) -> Option<(Port, Orientation, bool)> {
    let step = |way| {
        let port = match faults.are_boxes() {
            true => faults.ring_step(region, plane, here, way),
            false => outline_step(faults, region, here, way, facing),
        };
        port.map(|port| (port, way))
    };
    let ahead = step(way).map(|(port, way)| (port, way, false));
    ahead.or_else(|| match facing {
        // Along an outline a message turns back by the hop by which it came.
        Facing::Ahead(came) if !faults.are_boxes() => Some((came.opposite(), way.reversed(), true)),
        _ => step(way.reversed()).map(|(port, way)| (port, way, true)),
    })
}

/// Returns the hop along the outline of a region of any shape; `None` at the end of a chain.
fn outline_step(
    faults: &BlockFaults,
    region: RegionId,
    here: NodeId,
    way: Orientation,
    facing: Facing,
) -> Option<Port> {
    let port = faults.ring_port_facing(region, PlaneFamily::FLAT, here, way, facing)?;
    faults.mesh().neighbor(here, port).is_some().then_some(port)
}

fn direction_name(why: &WormExplanationContext<'_>) -> &'static str {
    why.header().orientation.map_or("", |way| way.name())
}

/// Returns the status of a message on a ring, as a prefix of its type. The type of an affected
/// message already includes it.
fn status_prefix(why: &WormExplanationContext<'_>) -> &'static str {
    if why.header().status == WormStatus::Misrouted { "misrouted " } else { "" }
}

/// Returns "fault chain" or "fault ring", whichever surrounds the region of a header.
fn ring_name(why: &WormExplanationContext<'_>) -> &'static str {
    let region = why.header().region.and_then(|id| why.faults.region(id));
    if region.is_some_and(|region| why.faults.is_chain(region)) { "fault chain" } else { "fault ring" }
}

/// Returns the reason why a message stays on a ring.
fn stay_reason(why: &WormExplanationContext<'_>) -> &'static str {
    let (minimal, came) = (why.mesh().minimal_ports(why.at.here, why.at.to), why.at.input_port);
    let back = came.is_some_and(|came| minimal & came.opposite().bit() != 0);
    match why.header().status {
        WormStatus::Misrouted if back => "its e-cube hop leads back:",
        WormStatus::Misrouted => "still blocked:",
        _ => "no legal hop yet:",
    }
}

/// Returns the reason for the orientation around a region.
fn direction_reason(why: &WormExplanationContext<'_>) -> String {
    let either = why.routing.choices(why.faults, why.at).iter().filter(|choice| *choice.rule == ENTER_RING).count() > 1;
    let text = match why.header().status {
        _ if either => "either way is permitted",
        WormStatus::Misrouted => match towards(why) {
            Some(side) => return side,
            // f-cube4 keeps its direction on meshes; on tori its direction is fixed, like that of
            // f-cube2.
            None if why.mesh().is_torus() || why.routing.vc_classes(why.mesh()) < 4 => "always the same way",
            None => "continues in the direction of its last hop",
        },
        _ => "continues in the direction of its last hop",
    };
    text.into()
}

/// Returns the side of the destination for a misrouted row message, in the dimension in which it
/// leaves its own; `None` for a column message, which has to take such hops back.
fn towards(why: &WormExplanationContext<'_>) -> Option<String> {
    let (mesh, kind) = (why.mesh(), why.header().message_type);
    if mesh.is_plane() {
        let ((row, _), (goal, _)) = (mesh.row_and_column(why.at.here), mesh.row_and_column(why.at.to));
        let row_message = matches!(kind, WormType::WE | WormType::EW) && goal != row;
        return row_message.then(|| (if goal < row { "destination above" } else { "destination below" }).into());
    }
    let free = Planes::Successive.free(mesh, kind.dim()).filter(|&free| free > kind.dim())?;
    let rest = mesh.minimal_ports(why.at.here, why.at.to) & (3 << (2 * free));
    let port = (rest != 0).then(|| Port(rest.trailing_zeros() as u8))?;
    Some(format!("destination towards {}", wording::direction(port)))
}
