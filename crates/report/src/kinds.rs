//! Reports of each kind of experiment. This is the only file of the crate that names all kinds.
//!
//! Every function matches on the [`Setting`], so the compiler requires an arm for each kind. The
//! functions are separate because the page leaves checks to its workers and draws routes as
//! pictures: its program contains neither.

use super::chart::overlay::Overlay;
use super::check_report::CheckReport;
use super::document::Document;
use super::error::ReportError;
use super::watch::Watch;
use super::wording::cube_name;
use super::{circuit, delivery, message, permutation, worm};
use faultlab_experiment::{Experiment, Setting};

/// Texts and closed forms for the charts of a kind.
pub struct Reports {
    /// Returns the measured networks and their traffic, in a few words.
    pub heading: fn(&Experiment) -> String,
    /// Sentence below the charts that explains their marks.
    pub legend: &'static str,
    /// Closed forms and bounds drawn over the measured curves.
    pub overlays: &'static [Overlay],
    /// Messages that some metrics leave out.
    pub left_out: &'static [LeftOut],
}

/// Messages that some metrics leave out, such as discarded messages.
pub struct LeftOut {
    /// Metric with the share of the messages.
    pub share: &'static str,
    /// True if the share is one minus the value of that metric.
    pub is_complement: bool,
    /// Participle after "messages", such as "discarded".
    pub what: &'static str,
    /// Metrics that leave the messages out.
    pub metrics: &'static [&'static str],
}

static MESSAGE: Reports = Reports {
    heading: message::watch::heading,
    legend: ". Bars are 95% intervals, thin lines closed forms, rings published values.",
    overlays: &message::overlay::OVERLAYS,
    left_out: &[LeftOut {
        share: "success",
        is_complement: true,
        what: "not delivered",
        metrics: &["length", "excess", "sigma"],
    }],
};

static CIRCUIT: Reports = Reports {
    heading: |asked| format!("{}, circuits", mesh_or_cube_name(asked)),
    legend: ". Bars are 95% intervals; marks at the top mean that the network is unstable.",
    overlays: &[],
    left_out: &[LeftOut {
        share: "refused",
        is_complement: false,
        what: "refused, as faults cut their destination off",
        metrics: &["setup", "setup-median", "setup-90", "setup-95", "setup-99", "setup-99.9", "throughput"],
    }],
};

static PAIRS: Reports =
    Reports { heading: cube_name, legend: ". Bars are 95% intervals.", overlays: &[], left_out: &[] };

/// Returns the name of the measured mesh, torus or hypercube.
fn mesh_or_cube_name(asked: &Experiment) -> String {
    asked
        .mesh()
        .map_or_else(|| cube_name(asked), |mesh| format!("{mesh} {}", if mesh.is_torus() { "torus" } else { "mesh" }))
}

/// Metrics of worms that count only messages on their way or delivered.
const WORM_MEANS: &[&str] = &[
    "utilization",
    "latency",
    "latency-median",
    "latency-90",
    "latency-95",
    "latency-99",
    "latency-99.9",
    "throughput",
    "hops",
    "energy",
    "finish",
    "busiest",
];

static WORM: Reports = Reports {
    heading: |asked| format!("{}, worms", mesh_or_cube_name(asked)),
    legend: ". Bars are 95% intervals, thin dots closed forms; marks at the top replace a mean: messages deadlock, or \
             queues grow without bound.",
    overlays: &worm::overlay::OVERLAYS,
    left_out: &[
        LeftOut { share: "discarded", is_complement: false, what: "discarded at their source", metrics: WORM_MEANS },
        LeftOut { share: "lost", is_complement: false, what: "lost at faults", metrics: WORM_MEANS },
    ],
};

/// Metrics of permutations that count only routes that exist.
const ROUTE_METRICS: &[&str] = &["congestion", "load", "length", "longest"];

static PERMUTATION: Reports = Reports {
    heading: |asked| format!("{}, whole permutations", cube_name(asked)),
    legend: ". Bars are 95% intervals, thin dots closed forms; vertical lines mark limits of theorems and crossings \
             of curves.",
    overlays: &permutation::overlay::OVERLAYS,
    left_out: &[
        LeftOut { share: "undelivered", is_complement: false, what: "not delivered", metrics: ROUTE_METRICS },
        LeftOut {
            share: "kept-back",
            is_complement: false,
            what: "not sent, as an end is inactive",
            metrics: ROUTE_METRICS,
        },
    ],
};

static BATCH: Reports = Reports {
    heading: permutation::watch::heading,
    legend: ". Bars are 95% intervals.",
    overlays: &permutation::overlay::OVERLAYS,
    left_out: &[],
};

static DELIVERY: Reports = Reports {
    heading: delivery::watch::heading,
    legend: ". Bars are 95% intervals, thin dots closed forms.",
    overlays: &delivery::overlay::OVERLAYS,
    left_out: &[LeftOut {
        share: "delivered",
        is_complement: true,
        what: "cut off by dead wires",
        metrics: &["cycles", "per-load", "transmissions", "literal", "busy", "load-factor", "offline"],
    }],
};

/// Returns the texts and closed forms of the kind of `experiment`.
pub fn reports(experiment: &Experiment) -> &'static Reports {
    match experiment.setting {
        Setting::Message(_) => &MESSAGE,
        Setting::Circuit(_) => &CIRCUIT,
        Setting::Pairs => &PAIRS,
        Setting::Worm(_) => &WORM,
        Setting::Permutation(_) => &PERMUTATION,
        Setting::Batch(_) => &BATCH,
        Setting::Delivery(_) => &DELIVERY,
    }
}

/// Returns the facts proved or refuted for the watched instance of `experiment`. A `thorough` check
/// takes longer and proves more.
///
/// # Errors
///
/// Returns the reason if the instance cannot be checked.
pub fn proved(experiment: &Experiment, thorough: bool) -> Result<Box<dyn CheckReport>, ReportError> {
    match experiment.setting {
        Setting::Circuit(_) if experiment.mesh().is_some() => circuit::mesh::check::check_experiment(experiment),
        Setting::Message(_) | Setting::Circuit(_) | Setting::Pairs => {
            message::check::check_experiment(experiment, thorough)
        }
        Setting::Worm(_) => worm::check::check_experiment(experiment, thorough),
        Setting::Permutation(_) | Setting::Batch(_) if experiment.network.butterfly().is_some() => {
            permutation::butterfly::check::check_experiment(experiment)
        }
        Setting::Permutation(_) | Setting::Batch(_) => permutation::check::check_experiment(experiment, thorough),
        Setting::Delivery(_) => delivery::check::check_experiment(experiment, thorough),
    }
}

/// Function that writes the routes of the watched messages.
pub type RouteWriter = fn(&Experiment) -> Result<Box<dyn Document>, ReportError>;

/// Returns whether [`route_writer`] supports the kind of `experiment`. Separate so that callers do
/// not link the code that writes routes.
pub fn supports_routes(experiment: &Experiment) -> bool {
    match experiment.setting {
        Setting::Message(_) | Setting::Worm(_) | Setting::Permutation(_) | Setting::Batch(_) | Setting::Delivery(_) => {
            true
        }
        Setting::Circuit(_) => experiment.mesh().is_some(),
        Setting::Pairs => false,
    }
}

/// Returns the function that writes the routes of the messages of `experiment`, with a reason for
/// each hop. Returns `None` for kinds whose messages are not followed one by one.
pub fn route_writer(experiment: &Experiment) -> Option<RouteWriter> {
    match experiment.setting {
        Setting::Message(_) => Some(message::routes::routes),
        Setting::Worm(_) => Some(worm::routes::routes),
        Setting::Permutation(_) | Setting::Batch(_) if experiment.network.butterfly().is_some() => {
            Some(permutation::butterfly::routes)
        }
        Setting::Permutation(_) | Setting::Batch(_) => Some(permutation::routes::routes),
        Setting::Delivery(_) => Some(delivery::routes::routes),
        Setting::Circuit(_) if experiment.mesh().is_some() => Some(circuit::mesh::routes::routes),
        Setting::Circuit(_) | Setting::Pairs => None,
    }
}

/// Returns the watched run of `experiment` at its start time; `None` if nothing moves, or if there
/// is no picture.
pub fn new_watch(experiment: &Experiment) -> Option<Box<dyn Watch>> {
    match experiment.setting {
        Setting::Message(_) => boxed(message::play::MessagePlay::new(experiment)),
        Setting::Circuit(_) if experiment.mesh().is_some() => {
            boxed(circuit::mesh::play::MeshCircuitPlay::new(experiment))
        }
        Setting::Circuit(_) => boxed(circuit::play::CircuitPlay::new(experiment)),
        Setting::Worm(_) => boxed(worm::play::WormPlay::new(experiment)),
        Setting::Permutation(_) | Setting::Batch(_) if experiment.network.butterfly().is_some() => {
            boxed(permutation::butterfly::play::ButterflyPlay::new(experiment))
        }
        Setting::Permutation(_) | Setting::Batch(_) => boxed(permutation::play::PermutationPlay::new(experiment)),
        Setting::Delivery(_) => boxed(delivery::play::DeliveryPlay::new(experiment)),
        Setting::Pairs => None,
    }
}

fn boxed<W: Watch>(play: Option<W>) -> Option<Box<dyn Watch>> {
    Some(Box::new(play?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::{KINDS, Kind, Version};

    fn default(kind: &Kind) -> Experiment {
        kind.behavior.default_experiment(Version::LATEST, None)
    }

    #[test]
    fn supports_routes_agrees_with_route_writer() {
        for experiment in KINDS.map(default) {
            assert_eq!(supports_routes(&experiment), route_writer(&experiment).is_some(), "{experiment}");
        }
    }

    #[test]
    fn overlays_refer_to_existing_metrics() {
        for kind in KINDS {
            let experiment = default(kind);
            for overlay in reports(&experiment).overlays {
                // Batches have some of the metrics of the permutations that they send.
                let is_measured = kind.metric(overlay.metric).is_some();
                assert!(is_measured || matches!(experiment.setting, Setting::Batch(_)), "{kind:?}: {}", overlay.metric);
            }
        }
    }
}
