//! Offered load of worms in both units.

use super::numbers::plain;
use faultlab_core::traffic::Bisection;
use faultlab_experiment::{Experiment, ParameterRole};

/// Returns the offered load of worms as a share of capacity and in flits per node and cycle, as a
/// sentence; a load of 1 if the experiment varies the load.
///
/// `None` for other kinds, for listed messages, and if the capacity varies with the network.
pub(crate) fn offered_load(experiment: &Experiment) -> Option<String> {
    let (setting, mesh) = (experiment.setting.worm()?, experiment.network.wormhole_mesh()?);
    let varied = experiment.vary.as_ref().map(|vary| vary.parameter);
    let is_sized = varied.is_some_and(|varied| matches!(varied.role, ParameterRole::Size { .. }));
    if is_sized || setting.traffic.is_finite() {
        return None;
    }
    let capacity = Bisection::new(mesh).saturation_load();
    let (share, flits) = match varied.map(|varied| varied.id) {
        Some("load" | "flit-rate") => (1.0, capacity),
        _ => (setting.load_on(mesh), setting.flit_rate_on(mesh)),
    };
    Some(match setting.flit_rate {
        Some(_) => format!("{} flits per node and cycle = a load of {} of capacity.", plain(flits), plain(share)),
        None => format!("A load of {} of capacity = {} flits per node and cycle.", plain(share), plain(flits)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The capacity of a k x k mesh is 4 (N - 1) / (k N), k even; of a torus twice that; of an
    /// n-cube 2 (N - 1) / N.
    #[test]
    fn both_units_are_given() {
        let said = |text: &str| offered_load(&text.parse().unwrap());
        let mesh = "v=2&net=mesh:8x8&switch=wormhole";
        assert_eq!(
            said(&format!("{mesh}&load=0.5")).as_deref(),
            Some("A load of 0.5 of capacity = 0.2461 flits per node and cycle.")
        );
        assert_eq!(
            said(&format!("{mesh}&flit-rate=0.123")).as_deref(),
            Some("0.123 flits per node and cycle = a load of 0.2499 of capacity.")
        );
        for (net, capacity) in [("mesh:8x8", "0.4922"), ("torus:8x8", "0.9844"), ("cube:4", "1.875")] {
            let said = said(&format!("v=2&net={net}&switch=wormhole&vary=load:0.1,0.2"));
            let expected = format!("A load of 1 of capacity = {capacity} flits per node and cycle.");
            assert_eq!(said.as_deref(), Some(expected.as_str()));
        }
        assert_eq!(said("v=2&net=mesh:8x8&switch=wormhole&vary=k:4,8"), None);
        assert_eq!(said("v=2&net=mesh:8x8&switch=wormhole&traffic=0.0-1.1"), None);
    }
}
