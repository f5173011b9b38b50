//! Expected load of the busiest channel.

use faultlab_core::fault::BlockFaults;
use faultlab_core::routing::Algorithm;
use faultlab_core::theory::expected_channel_loads;
use faultlab_core::topology::{NodeId, Port};
use faultlab_experiment::PointConfig;

/// Channel with the largest expected load.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BusiestChannel {
    /// Node that the channel leaves.
    pub from: NodeId,
    /// Port by which the channel leaves its node.
    pub port: Port,
    /// Expected share of time in which the channel carries a flit, if all generated messages are
    /// delivered. Above 1, the demand exceeds the channel's capacity.
    pub load: f64,
}

/// Returns the busiest channel of `algorithm` at `cell` with `faults`; of equally busy channels,
/// the first.
///
/// Returns `None` for listed messages, for routings that leave messages a choice or send none, and
/// on networks of more than [`faultlab_core::theory::MAX_LOAD_NODES`] nodes. Cost: as
/// [`expected_channel_loads`].
pub(crate) fn busiest_channel(
    cell: &PointConfig,
    faults: &BlockFaults,
    algorithm: &Algorithm,
) -> Option<BusiestChannel> {
    let mesh = faults.mesh();
    let setting = cell.setting.worm().filter(|setting| !setting.traffic.is_finite())?;
    let config = setting.config(cell.version, algorithm.worm.clone()?, mesh);
    let loads = expected_channel_loads(faults, &*config.routing, &config.pattern)?;
    let most = loads.iter().copied().fold(0.0, f64::max);
    if most == 0.0 {
        return None;
    }
    let channel = (0..).zip(&loads).find(|(_, load)| **load == most)?.0;
    let (from, port) = mesh.channel_ends(channel);
    let flits = config.messages_per_cycle(mesh) * config.length.mean();
    Some(BusiestChannel { from, port, load: flits * most })
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::Experiment;

    fn expected(text: &str) -> Option<f64> {
        let experiment: Experiment = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let cell = PointConfig::new(&experiment, None);
        busiest_channel(&cell, &cell.blocks(0).unwrap(), &experiment.routing[0]).map(|busiest| busiest.load)
    }

    #[test]
    fn uniform_traffic_loads_the_bisection_most_under_e_cube() {
        for net in ["mesh:8x8", "mesh:4x4x4", "mesh:16x16"] {
            let load = expected(&format!("v=2&net={net}&switch=wormhole&faults=none&load=0.15&route=e-cube"));
            assert!(load.is_some_and(|load| (load - 0.15).abs() < 1e-9), "{net}: {load:?}");
        }
    }

    /// In a ring of 8, distances of 1 to 3 make 6 hops in either direction, and the tie at distance
    /// 4 makes 4. In version 1 all ties go in the ascending direction, in version 2 half go in
    /// either direction.
    #[test]
    fn ties_on_a_torus_are_split_in_version_2() {
        let [first, second] = ["1", "2"].map(|version| {
            expected(&format!("v={version}&net=torus:8x8&switch=wormhole&faults=none&load=0.1&route=e-cube")).unwrap()
        });
        assert!((first / second - 10.0 / 8.0).abs() < 1e-9, "{first} {second}");
    }

    #[test]
    fn complement_traffic_shares_no_channel() {
        let load =
            expected("v=2&net=cube:6&switch=wormhole&faults=none&traffic=complement&route=e-cube&load=0.48&length=16");
        assert!(load.is_some_and(|load| (load - 0.48 * 2.0 * 63.0 / 64.0).abs() < 1e-9), "{load:?}");
    }

    #[test]
    fn adaptive_routings_and_listed_messages_have_no_load() {
        assert_eq!(expected("v=2&net=mesh:4x4&switch=wormhole&faults=none&route=west-first"), None);
        assert_eq!(expected("v=2&net=mesh:4x4&switch=wormhole&faults=none&route=e-cube&traffic=0.0-1.1"), None);
    }
}
