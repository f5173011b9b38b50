//! Turn model of two-dimensional meshes (Glass & Ni): the turns that a routing makes, and edits of
//! rules that prohibit turns.

use super::worm_dependencies::{MeshDependencies, mesh_channel_ends};
use crate::ParseError;
use crate::fault::BlockFaults;
use crate::routing::rules::RuleText;
use crate::routing::{WormPosition, WormRouting};
use crate::topology::{Mesh, NodeId, Port, PortMask, iter_ports};

/// Turn: the direction before it and the direction after it.
pub type Turn = (Port, Port);

/// The eight turns: the four of the clockwise cycle, then the four of the counterclockwise one.
pub const TURNS: [Turn; 8] = [
    (Port::NORTH, Port::EAST),
    (Port::EAST, Port::SOUTH),
    (Port::SOUTH, Port::WEST),
    (Port::WEST, Port::NORTH),
    (Port::EAST, Port::NORTH),
    (Port::NORTH, Port::WEST),
    (Port::WEST, Port::SOUTH),
    (Port::SOUTH, Port::EAST),
];

/// Number of rows and columns of the mesh in which turns are searched for. The mesh has every
/// direction, and columns and rows of either parity before and behind a node.
const SIDE: u16 = 6;

fn test_mesh() -> Option<Mesh> {
    Mesh::new(SIDE, SIDE)
}

/// Returns which of [`TURNS`] messages of `routing` make anywhere on a mesh without faults.
///
/// `None` if the routing does not support two-dimensional meshes. Cost: a millisecond.
pub fn turns(routing: &dyn WormRouting) -> Option<[bool; 8]> {
    let mesh = test_mesh().filter(|&mesh| routing.check_network(mesh).is_ok())?;
    let faults = BlockFaults::new(mesh, &[], &[]);
    let built = MeshDependencies::build(&faults, routing)?;
    let (graph, classes) = (built.graph(), routing.vc_classes(mesh));
    let mut made = [false; 8];
    for held in (0..graph.channels()).map(super::ChannelId) {
        let (_, before, _) = mesh_channel_ends(mesh, held, classes);
        for wanted in graph.successors(held) {
            let (_, after, _) = mesh_channel_ends(mesh, wanted, classes);
            if let Some(place) = TURNS.iter().position(|&turn| turn == (before, after)) {
                made[place] = true;
            }
        }
    }
    Some(made)
}

/// Edits the rules so that the first routing called `name` makes the turn `turn` of [`TURNS`] if it
/// did not make the turn before, and vice versa.
///
/// A turn is prohibited by a rule in front of all others, for messages that continue in the turn's
/// first direction. The turn is permitted by removing this rule. Returns the new text.
///
/// # Errors
/// The reason why no such rule changes exactly this turn.
pub fn toggle_turn(text: &RuleText, name: &str, turn: usize) -> Result<String, ParseError> {
    let found = text.routings().iter().zip(text.trees()).find(|(routing, _)| routing.id == name);
    let (routing, tree) = found.ok_or("the text has no routing of this name")?;
    let worm = routing.worm.as_deref().ok_or("the rules are not for meshes")?;
    let now = turns(worm).ok_or("turns are defined on meshes of two dimensions")?;
    let own = worm.user_routing().ok_or("the routing has no rules")?;
    let (before, after) = TURNS.get(turn).copied().ok_or("the turn does not exist")?;
    let first = own.line(0).ok_or("the routing has no rules")? as usize - 1;
    let lines: Vec<&str> = text.text().lines().collect();
    // Turn rules that earlier edits have inserted in front are adjacent.
    let count = lines.iter().skip(first).take_while(|line| parse_turn_rule(line).is_some()).count();
    let here = (first..first + count).find(|&line| is_rule_for(lines[line], before));
    let kept = here.map_or(0, |line| parse_turn_rule(lines[line]).map_or(0, |(_, kept)| kept));
    let other = TURNS.iter().zip(now).filter(|((from, to), made)| *from == before && *to != after && !made);
    let never = other.fold(0, |never, ((_, to), _)| never | to.bit());
    let written = |prohibited: PortMask| {
        let mut next: Vec<String> = lines.iter().map(|&line| line.to_owned()).collect();
        let rule = (prohibited != 0).then(|| rule(before, prohibited));
        match here {
            Some(line) => drop(next.splice(line..=line, rule)),
            None => drop(next.splice(first..first, rule)),
        }
        next.join("\n")
    };
    let tries = if now[turn] {
        if tree.classes > 1 || tree.states.len() > 1 {
            return Err(
                "The rules have classes or states, which a rule inserted at the top would drop. Change the rules by hand."
                    .into(),
            );
        }
        [kept | after.bit(), kept | after.bit() | never]
    } else {
        if kept & after.bit() == 0 {
            return Err(format!(
                "No rule inserted at the top prohibits this turn: the rules themselves never go {} after {}. Change them by hand.",
                after.name(),
                before.name()
            ).into());
        }
        [0, kept & !after.bit()]
    };
    let mut wanted = now;
    wanted[turn] = !now[turn];
    let is_just_that = |next: &String| {
        let parsed = RuleText::parse(next).ok()?;
        let other = parsed.find(name)?.worm.clone()?;
        let same = if now[turn] { is_without(worm, &*other, before, after) } else { turns(&*other)? == wanted };
        same.then_some(())
    };
    tries.into_iter().map(written).find(|next| is_just_that(next).is_some()).ok_or_else(|| {
        "This turn depends on more than the direction, such as the node or faults: a rule inserted at the top would \
         change more than this turn. Change the rules by hand."
            .into()
    })
}

/// Returns the rule for messages that continue in the direction `before` and must not turn to
/// `prohibited`.
fn rule(before: Port, prohibited: PortMask) -> String {
    let names: Vec<_> = iter_ports(prohibited).map(Port::name).collect();
    let and_not: String = names.iter().map(|name| format!(" and not {name}")).collect();
    format!("when {0} is ahead take minimal{and_not} \"no turn from {0} to {1}\"", before.name(), names.join(" or "))
}

/// Returns the direction and the prohibited directions of a line that [`rule`] has written.
fn parse_turn_rule(line: &str) -> Option<(Port, PortMask)> {
    let sides = |before: Port| iter_ports(0b1111).filter(move |port| port.dim() != before.dim());
    iter_ports(0b1111).find_map(|before| {
        let all = sides(before).fold(0, |all, port| all | port.bit());
        let each = sides(before).map(Port::bit).chain([all]);
        each.into_iter().find(|&prohibited| rule(before, prohibited) == line).map(|prohibited| (before, prohibited))
    })
}

fn is_rule_for(line: &str, before: Port) -> bool {
    parse_turn_rule(line).is_some_and(|(port, _)| port == before)
}

/// Returns whether `next` permits exactly what `now` does, except turns from `before` to `after`,
/// for messages that follow `next`.
///
/// The check covers the mesh without faults, and with one faulty node in the middle.
fn is_without(now: &dyn WormRouting, next: &dyn WormRouting, before: Port, after: Port) -> bool {
    let Some(mesh) = test_mesh() else { return false };
    let middle = [NodeId(u64::from(mesh.nodes() / 2 + u32::from(SIDE / 2)))];
    [&[][..], &middle].into_iter().all(|broken| {
        let faults = BlockFaults::new(mesh, broken, &[]);
        faults.members().all(|to| is_without_on_the_way(&faults, to, now, next, (before, after)))
    })
}

fn is_without_on_the_way(
    faults: &BlockFaults,
    to: NodeId,
    now: &dyn WormRouting,
    next: &dyn WormRouting,
    turn: Turn,
) -> bool {
    let mesh = faults.mesh();
    let mut left: Vec<(NodeId, Option<Port>)> =
        faults.members().filter(|&from| from != to).map(|from| (from, None)).collect();
    let mut known = vec![0u8; mesh.nodes() as usize];
    while let Some((here, came)) = left.pop() {
        let header = next.initial_header(faults, here, to, 0);
        let ports = |routing: &dyn WormRouting| {
            let at = WormPosition { here, to, input_port: came, header };
            routing.choices(faults, &at).iter().fold(0, |ports, choice| ports | choice.port.bit())
        };
        let (old, new) = (ports(now), ports(next));
        let prohibited = if came == Some(turn.0) { turn.1.bit() } else { 0 };
        if new != old & !prohibited {
            return false;
        }
        for port in iter_ports(new) {
            let there = mesh.neighbor(here, port).filter(|&there| there != to);
            let Some(there) = there else { continue };
            let known = &mut known[there.0 as usize];
            if *known >> port.0 & 1 == 0 {
                *known |= 1 << port.0;
                left.push((there, Some(port)));
            }
        }
    }
    true
}
