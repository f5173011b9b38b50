//! The decisions of worms on hypercubes in words, in the terms of their papers.

use super::words;
use crate::fault::BlockFaults;
use crate::routing::oblivious::ObliviousPhase;
use crate::routing::{Rule, WormAt, WormChoice, WormRule};
use crate::topology::{Mesh, Port, dimensions_of};

/// The channel at `port`: "dimension 3, up" on a hypercube, else a direction.
pub(super) fn port(mesh: Mesh, port: Port) -> String {
    if !mesh.is_cube() {
        return port.name().to_owned();
    }
    format!("dimension {}, {}", port.dim(), way(port))
}

/// The way a bit goes.
fn way(port: Port) -> &'static str {
    if port.grows() { "up" } else { "down" }
}

/// Why `choice` is permitted at `at`.
pub(super) fn why(faults: &BlockFaults, at: &WormAt, choice: &WormChoice) -> String {
    let (wrong, dim) = (at.here.0 ^ at.to.0, choice.port.dim());
    let open = |dim: &u8| faults.is_open(at.here, Port::along(*dim, at.here.0 >> dim & 1 == 0));
    let dead = dimensions_of(wrong).filter(|dim| !open(dim)).fold(0u64, |dead, dim| dead | 1 << dim);
    let taken = words::dimensions(1 << dim);
    match choice.rule {
        WormRule::Cube(Rule::UpTransition | Rule::DownTransition) => {
            let way = way(choice.port);
            format!("{taken} leads {way}: legal before the lowest required one")
        }
        WormRule::Cube(rule) => {
            let above = dead & !((1 << dim) | ((1 << dim) - 1));
            words::in_words(rule, &taken, wrong, dead, above)
        }
        WormRule::Route(phase) => format!("{}: {taken}", part(phase)),
        _ => format!("{taken} is the lowest required one"),
    }
}

/// What a part of an oblivious scheme's route is for.
fn part(phase: ObliviousPhase) -> &'static str {
    match phase {
        ObliviousPhase::Direct => "bit-fixing to the destination",
        ObliviousPhase::Clockwise => "clockwise to C00",
        ObliviousPhase::ToIntermediate => "to the intermediate node",
        ObliviousPhase::Crossing => "over to C01",
        ObliviousPhase::FromIntermediate => "on from the intermediate node",
        ObliviousPhase::CounterClockwise => "counter-clockwise to the destination",
        ObliviousPhase::Approach => "to the healthy subcube",
        ObliviousPhase::Inside => "bit-fixing in the healthy subcube",
        ObliviousPhase::Leave => "from the healthy subcube to the destination",
    }
}
