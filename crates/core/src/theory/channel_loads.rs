//! Expected channel loads under deterministic routing.

use crate::fault::BlockFaults;
use crate::routing::{WormPosition, WormRouting};
use crate::topology::NodeId;
use crate::traffic::{LiveNodes, Pattern};

/// Maximum number of nodes of a network for sums of channel loads over all pairs.
pub const MAX_LOAD_NODES: u32 = 1024;

/// Returns the expected number of messages per channel while every live node sends one message by
/// `pattern`.
///
/// Channels are indexed by [`crate::topology::Mesh::channel`]. The possible start headers of a
/// message are equally likely. A message that faults stop counts on the channels up to the node
/// where it stops. `None` on networks of more than [`MAX_LOAD_NODES`] nodes. Also `None` if
/// `routing` offers a message several channels at any hop, since their shares then depend on the
/// traffic, and if `pattern` contains a random permutation, whose loads depend on the run. Cost: proportional to the hops of all pairs.
pub fn expected_channel_loads(faults: &BlockFaults, routing: &dyn WormRouting, pattern: &Pattern) -> Option<Vec<f64>> {
    let mesh = faults.mesh();
    if mesh.nodes() > MAX_LOAD_NODES || pattern.contains_random_permutation() {
        return None;
    }
    let live = LiveNodes::from_flags(mesh.iter_nodes().map(|node| faults.is_member(node)));
    let mut loads = vec![0.0; mesh.channel_table_size() as usize];
    for from in live.iter() {
        for to in live.iter().filter(|&to| to != from) {
            let probability = pattern.probability(mesh, from, to, &live);
            let starts = if probability > 0.0 { routing.initial_header_count(faults, from, to) } else { 0 };
            for number in 0..starts {
                let share = probability / f64::from(starts);
                add_route(&mut loads, share, faults, routing, [from, to], number)?;
            }
        }
    }
    Some(loads)
}

/// Adds `share` to the load of every channel on the route of a message between `ends` that starts
/// with header `number`.
///
/// Returns `None` if the routing offers a choice.
fn add_route(
    loads: &mut [f64],
    share: f64,
    faults: &BlockFaults,
    routing: &dyn WormRouting,
    [from, to]: [NodeId; 2],
    number: u32,
) -> Option<()> {
    let mesh = faults.mesh();
    let mut at =
        WormPosition { here: from, to, input_port: None, header: routing.initial_header(faults, from, to, number) };
    // A longer route is a livelock cycle.
    for _ in 0..4 * mesh.channel_table_size() {
        let choices = routing.choices(faults, &at);
        let Some(choice) = choices.get(0) else { return Some(()) };
        if choices.len() > 1 {
            return None;
        }
        loads[mesh.channel(at.here, choice.port) as usize] += share;
        at = WormPosition {
            here: mesh.neighbor(at.here, choice.port)?,
            to,
            input_port: Some(choice.port),
            header: choice.header,
        };
        if at.here == to {
            return Some(());
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing;
    use crate::topology::Mesh;

    /// Returns the largest expected load of a channel under dimension-order routing.
    fn largest(mesh: Mesh, pattern: &str) -> f64 {
        let faults = BlockFaults::new(mesh, &[], &[]);
        let ecube = routing::find("e-cube").expect("a routing").worm.clone().expect("a routing of worms");
        let pattern = Pattern::parse(pattern).expect("a pattern").expect("a valid pattern");
        let loads = expected_channel_loads(&faults, &*ecube, &pattern).expect("loads");
        loads.into_iter().fold(0.0, f64::max)
    }

    /// Dally & Towles, section 3.2: the loads of permutations under dimension-order routing.
    #[test]
    fn largest_loads_are_the_known_ones() {
        for k in [4, 5, 8, 9] {
            let mesh = Mesh::new(k, k).expect("a mesh");
            let (torus, k) = (mesh.to_torus(), f64::from(k));
            assert_eq!(largest(mesh, "transpose"), k - 1.0);
            assert_eq!(largest(mesh, "complement"), (k / 2.0).floor());
            assert_eq!(largest(torus, "tornado"), (k / 2.0).ceil() - 1.0);
            assert_eq!(largest(torus, "neighbor"), 1.0);
        }
    }

    #[test]
    fn loads_of_a_mixture_are_the_weighted_loads_of_its_parts() {
        let torus = Mesh::new(8, 8).expect("a mesh").to_torus();
        assert!((largest(torus, "mix:tornado:1,neighbor:3") - (3.0 + 3.0) / 4.0).abs() < 1e-12);
        assert!(largest(torus, "hot:0:0.1,9:0.1") > 1.5 * largest(torus, "uniform"));
    }
}
