//! Saturation of the algorithms of a sweep over the offered traffic, in words and as marks in
//! charts.

use crate::chart::figure::VerticalMarker;
use crate::files::table::value_and_interval;
use crate::picture::scene::Role;
use crate::wording::numbers::{fixed, plain};
use crate::worm::busiest_channel::busiest_channel;
use faultlab_core::routing::Algorithm;
use faultlab_experiment::saturation::{
    ACCEPTED_AT_SATURATION, Saturation, SaturationLoad, SaturationMetrics, saturation_metrics, saturations,
    traffic_parameter,
};
use faultlab_experiment::{Estimate, Experiment, Metric, PointConfig, Sweep};

/// Title of the tables of saturation.
pub const TITLE: &str = "Saturation: accepted traffic 5% below offered traffic";

/// Returns the column headings of the tables of saturation, after that of the algorithms. The last
/// one names the metric of the kind, such as the latency or the setup time.
pub fn headings(experiment: &Experiment) -> [String; 4] {
    let metric = saturation_metrics(experiment).and_then(|metrics| experiment.kind().metric(metrics.latency));
    let time = metric.and_then(|metric| metric.axis.split(',').next()).unwrap_or("latency");
    let lowest = format!("{} at the smallest value", time.trim_start_matches("mean "));
    ["saturation".to_owned(), "bound".to_owned(), "peak throughput".to_owned(), lowest]
}

/// Cell of the tables of saturation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SaturationCell {
    /// Value, in digits or words.
    pub value: String,
    /// Interval and offered traffic of the value; empty if there are none.
    pub detail: String,
}

impl std::fmt::Display for SaturationCell {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(format!("{} {}", self.value, self.detail).trim_end())
    }
}

/// Returns the cells under [`headings`] of an algorithm. `bound` is the result of
/// [`saturation_bound`].
pub fn cells(saturation: &Saturation, bound: Result<f64, NoBound>) -> [SaturationCell; 4] {
    let cell = |value: String, detail: String| SaturationCell { value, detail };
    let missing = || cell("-".to_owned(), String::new());
    let measured = |(x, estimate): (f64, Estimate)| {
        let [value, interval] = value_and_interval(estimate);
        cell(value, format!("{interval} at {}", plain(x)))
    };
    let load = match saturation.load {
        SaturationLoad::At(at) => cell(fixed(at.mean, 3), format!("[{}, {}]", plain(at.low), plain(at.high))),
        SaturationLoad::Above(last) => cell(format!("above {}", plain(last)), String::new()),
        SaturationLoad::Below(first) => cell(format!("below {}", plain(first)), String::new()),
    };
    let bound = match bound {
        Ok(bound) => cell(fixed(bound, 3), String::new()),
        Err(reason) => cell("-".to_owned(), reason.to_string()),
    };
    [load, bound, saturation.peak.map_or_else(missing, measured), saturation.lowest.map_or_else(missing, measured)]
}

/// Reason why the expected channel loads bound the saturation of an algorithm at no known load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoBound {
    /// Messages do not move as worms.
    OtherKind,
    /// The faults differ from run to run.
    RandomFaults,
    /// The network has more nodes than this.
    Size(u64),
    /// The traffic or a choice of the routing makes the loads depend on the run.
    Choices,
}

impl std::fmt::Display for NoBound {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::OtherKind => f.write_str("(for worms only)"),
            Self::RandomFaults => f.write_str("(random faults)"),
            Self::Size(most) => write!(f, "(over {most} nodes)"),
            Self::Choices => f.write_str("(choices)"),
        }
    }
}

/// Returns the load at which the busiest channel would be used all the time, from the expected
/// loads of all channels over all pairs: a larger load cannot be accepted in full. Its unit is that
/// of the parameter that sets the traffic of `experiment`.
///
/// Cost: as [`faultlab_core::theory::expected_channel_loads`].
///
/// # Errors
/// Returns the reason if the load is unknown: adaptive routings, random faults, other kinds than
/// worms, and more than `most_nodes` nodes.
pub fn saturation_bound(experiment: &Experiment, algorithm: &Algorithm, most_nodes: u64) -> Result<f64, NoBound> {
    // At a small load every message is generated.
    let mut at = Experiment { vary: None, ..experiment.clone() };
    at.setting.worm_mut().ok_or(NoBound::OtherKind)?.set_load(0.1);
    let cell = PointConfig::new(&at, None);
    let (setting, mesh) = cell.setting.worm().zip(cell.network.wormhole_mesh()).ok_or(NoBound::OtherKind)?;
    if !cell.faults_are_fixed() {
        return Err(NoBound::RandomFaults);
    }
    if cell.network.last_node().0 >= most_nodes {
        return Err(NoBound::Size(most_nodes));
    }
    let in_flits = traffic_parameter(experiment) == Some("flit-rate");
    let load = if in_flits { setting.flit_rate_on(mesh) } else { setting.load };
    let blocks = cell.blocks(0).map_err(|_| NoBound::Choices)?;
    busiest_channel(&cell, &blocks, algorithm).map(|busiest| load / busiest.load).ok_or(NoBound::Choices)
}

/// Returns a mark in the chart of `metric` for each algorithm that saturates along the sweep.
pub(super) fn markers(sweep: &Sweep, metric: &Metric) -> Vec<VerticalMarker> {
    let experiment = sweep.experiment();
    let is_shown = |metrics: &SaturationMetrics| [metrics.throughput, metrics.latency].contains(&metric.id);
    if !saturation_metrics(experiment).is_some_and(is_shown) {
        return Vec::new();
    }
    let marker = |saturation: Saturation| match saturation.load {
        SaturationLoad::At(at) => {
            let number = experiment.routing.iter().position(|known| *known == saturation.algorithm);
            // The line is at the interpolated value, which is less certain than its digits suggest.
            let label = format!("{} saturates at [{}, {}]", saturation.algorithm.name, plain(at.low), plain(at.high));
            Some(VerticalMarker {
                x: at.mean,
                label,
                role: Role::Series(number.unwrap_or_default() as u8),
                measured: true,
            })
        }
        SaturationLoad::Above(_) | SaturationLoad::Below(_) => None,
    };
    saturations(sweep).into_iter().filter_map(marker).collect()
}

/// Returns the definition of saturation, for people who read the numbers.
pub fn definition() -> String {
    format!(
        "Saturation is the offered traffic at which {}% of the messages are accepted, without those that faults make \
         impossible. The interval ends at the nearest measured values that are certainly below and above it. The bound \
         is the load at which the busiest channel of a routing without choices is used all the time: above it not all \
         messages can be accepted, but the missing share may reach {}% later.",
        fixed(100.0 * ACCEPTED_AT_SATURATION, 0),
        fixed(100.0 * (1.0 - ACCEPTED_AT_SATURATION), 0)
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Under e-cube and uniform traffic the bisection is the bottleneck of a mesh, and its load is
    /// the unit of the offered traffic.
    #[test]
    fn the_bound_of_a_mesh_is_its_bisection() {
        let experiment: Experiment =
            "v=2&net=mesh:8x8&switch=wormhole&faults=none&route=e-cube,west-first".parse().unwrap();
        let bound = |number: usize| saturation_bound(&experiment, &experiment.routing[number], 64);
        assert!(bound(0).is_ok_and(|bound| (bound - 1.0).abs() < 1e-9), "{:?}", bound(0));
        assert_eq!(bound(1), Err(NoBound::Choices), "adaptive");
        assert_eq!(saturation_bound(&experiment, &experiment.routing[0], 63), Err(NoBound::Size(63)));
    }

    #[test]
    fn missing_bounds_have_a_reason() {
        for (text, reason) in [
            ("v=2&switch=circuit&net=cube:3&faults=none&route=e-cube", NoBound::OtherKind),
            ("v=2&switch=wormhole&net=mesh:4x4&faults=isolated:0.1&route=f-cube2", NoBound::RandomFaults),
        ] {
            let experiment: Experiment = text.parse().unwrap();
            assert_eq!(saturation_bound(&experiment, &experiment.routing[0], 64), Err(reason), "{text}");
        }
    }

    /// Under transpose traffic and dimension order, the k - 1 messages of a row all turn at its node
    /// on the diagonal.
    #[test]
    fn the_bound_of_transpose_traffic_is_that_of_a_row() {
        let text = "v=2&net=mesh:8x8&switch=wormhole&faults=none&route=e-cube&traffic=transpose";
        let experiment: Experiment = text.parse().unwrap();
        let bound = saturation_bound(&experiment, &experiment.routing[0], 64);
        // At a load of 1, each of the 64 nodes sends 63/128 flits per cycle: the 16 channels of the
        // bisection carry 32/63 of them.
        assert!(bound.is_ok_and(|bound| (bound - 128.0 / 63.0 / 7.0).abs() < 1e-9), "{bound:?}");
    }
}
