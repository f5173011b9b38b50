//! What is reported of each kind of experiment: the only place in `report/` that names them all.

use super::chart::overlay::Overlay;
use super::checked::Checked;
use super::document::Document;
use super::error::ReportError;
use super::watch::Watch;
use super::words::cube;
use super::{circuit, delivery, message, permutation, worm};
use faultlab_experiment::{
    Experiment, Kind, circuit as circuits, delivery as deliveries, message as messages, pairs,
    permutation as permutations, worm as worms,
};

/// What one kind of experiment can be asked for.
pub struct Reports {
    /// The kind.
    pub kind: &'static Kind,
    /// Which networks are measured, and what moves there, in a few words.
    pub heading: fn(&Experiment) -> String,
    /// How the charts of its metrics are to be read.
    pub legend: &'static str,
    /// What is known of its metrics without measuring them.
    pub overlays: &'static [Overlay],
}

static MESSAGE: Reports = Reports {
    kind: &messages::KIND,
    heading: message::watch::heading,
    legend: ". Bars are 95% intervals, thin lines closed forms, rings published values.",
    overlays: &message::overlay::OVERLAYS,
};

static CIRCUIT: Reports = Reports {
    kind: &circuits::KIND,
    heading: |asked| format!("{}, circuits", cube(asked)),
    legend: ". Bars are 95% intervals; a mark at the top says that the network jams there for good.",
    overlays: &[],
};

static PAIRS: Reports =
    Reports { kind: &pairs::KIND, heading: cube, legend: ". Bars are 95% intervals.", overlays: &[] };

static WORM: Reports = Reports {
    kind: &worms::KIND,
    heading: |asked| {
        asked.mesh().map_or_else(
            || format!("{}, worms", cube(asked)),
            |mesh| {
                let shape = if mesh.is_torus() { "torus" } else { "mesh" };
                format!("{mesh} {shape}, worms")
            },
        )
    },
    legend: ". Bars are 95% intervals, thin dots closed forms; a mark at the top says why there is no mean: messages deadlock, or queues grow without end.",
    overlays: &worm::overlay::OVERLAYS,
};

static PERMUTATION: Reports = Reports {
    kind: &permutations::KIND,
    heading: |asked| format!("{}, whole permutations", cube(asked)),
    legend: ". Bars are 95% intervals, thin dots closed forms; upright lines say where theorems end and curves cross.",
    overlays: &permutation::overlay::OVERLAYS,
};

static BATCH: Reports = Reports {
    kind: &permutations::BATCH,
    heading: permutation::watch::heading,
    legend: ". Bars are 95% intervals.",
    overlays: &permutation::overlay::OVERLAYS,
};

static DELIVERY: Reports = Reports {
    kind: &deliveries::KIND,
    heading: delivery::watch::heading,
    legend: ". Bars are 95% intervals, thin dots closed forms.",
    overlays: &delivery::overlay::OVERLAYS,
};

/// What is reported of every kind.
static REPORTS: [&Reports; 7] = [&MESSAGE, &CIRCUIT, &PAIRS, &WORM, &PERMUTATION, &BATCH, &DELIVERY];

/// What can be reported of experiments of the kind of `experiment`.
pub fn reports_of(experiment: &Experiment) -> &'static Reports {
    let kind = experiment.kind();
    // A test says that every kind has its reports.
    REPORTS.into_iter().find(|reports| *reports.kind == *kind).unwrap_or(&MESSAGE)
}

/// Checks an experiment; whether somebody is patient.
type Check = fn(&Experiment, patient: bool) -> Result<Box<dyn Checked>, ReportError>;

/// How each kind is checked. It is a list of its own because the page leaves checks to its workers and carries none of it.
static CHECKS: [(&Kind, Check); 7] = [
    (&messages::KIND, message::check::of),
    (&circuits::KIND, message::check::of),
    (&pairs::KIND, message::check::of),
    (&worms::KIND, worm::check::of),
    (&permutations::KIND, permutation::check::of),
    (&permutations::BATCH, permutation::check::of),
    (&deliveries::KIND, delivery::check::of),
];

/// What is proved of the instance of `experiment` that is watched. Takes longer, and goes farther, if somebody is patient.
///
/// # Errors
/// What keeps it from being checked.
pub fn proved(experiment: &Experiment, patient: bool) -> Result<Box<dyn Checked>, ReportError> {
    let check = CHECKS.iter().find(|(kind, _)| *kind == experiment.kind()).map_or(CHECKS[0].1, |(_, check)| *check);
    check(experiment, patient)
}

/// Writes down the ways of the messages that are watched.
pub type Route = fn(&Experiment) -> Result<Box<dyn Document>, ReportError>;

/// The kinds whose messages are followed one by one, and how. It is a list of its own because the page, which shows ways as
/// pictures, would otherwise carry 6 kB of it, compressed.
static ROUTES: [(&Kind, Route); 5] = [
    (&messages::KIND, message::routes::of),
    (&worms::KIND, worm::routes::of),
    (&permutations::KIND, permutation::routes::of),
    (&permutations::BATCH, permutation::routes::of),
    (&deliveries::KIND, delivery::routes::of),
];

/// Whether its messages are followed one by one. Who asks does not carry how.
pub fn is_followed(experiment: &Experiment) -> bool {
    let kinds = [&messages::KIND, &worms::KIND, &permutations::KIND, &permutations::BATCH, &deliveries::KIND];
    kinds.contains(&experiment.kind())
}

/// How the ways of the messages of `experiment` are written, with reasons; `None` where nothing is followed by itself.
pub fn route_of(experiment: &Experiment) -> Option<Route> {
    ROUTES.iter().find(|(kind, _)| *kind == experiment.kind()).map(|(_, route)| *route)
}

/// Whether messages of this kind are followed.
pub fn followed(kind: &Kind) -> bool {
    ROUTES.iter().any(|(other, _)| *other == kind)
}

/// Begins to watch an experiment; `None` if there is nothing to see.
pub type Play = fn(&Experiment) -> Option<Box<dyn Watch>>;

/// A play as what is watched, whatever its kind.
fn boxed<W: Watch>(play: Option<W>) -> Option<Box<dyn Watch>> {
    Some(Box::new(play?))
}

/// The kinds that move, and what plays them. The page, whose views know their plays, does not carry this list.
static PLAYS: [(&Kind, Play); 6] = [
    (&messages::KIND, |asked| boxed(message::play::MessagePlay::new(asked))),
    (&circuits::KIND, |asked| boxed(circuit::play::CircuitPlay::new(asked))),
    (&worms::KIND, |asked| boxed(worm::play::WormPlay::new(asked))),
    (&permutations::KIND, |asked| boxed(permutation::play::PermutationPlay::new(asked))),
    (&permutations::BATCH, |asked| boxed(permutation::play::PermutationPlay::new(asked))),
    (&deliveries::KIND, |asked| boxed(delivery::play::DeliveryPlay::new(asked))),
];

/// What is watched of `experiment`, at the time at which it begins; `None` if nothing moves, or there is nothing to see.
pub fn played(experiment: &Experiment) -> Option<Box<dyn Watch>> {
    PLAYS.iter().find(|(kind, _)| *kind == experiment.kind()).and_then(|(_, play)| play(experiment))
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::{KINDS, Version};

    #[test]
    fn every_kind_has_its_reports() {
        for kind in KINDS {
            assert_eq!(reports_of(&(kind.default)(Version::LATEST, None)).kind, kind);
            assert!(CHECKS.iter().any(|(other, _)| *other == kind), "{kind:?}");
        }
        assert_eq!(REPORTS.len(), KINDS.len());
    }

    #[test]
    fn those_are_followed_whose_ways_are_written() {
        for kind in KINDS {
            let experiment = (kind.default)(Version::LATEST, None);
            assert_eq!(is_followed(&experiment), route_of(&experiment).is_some(), "{kind:?}");
        }
    }

    #[test]
    fn all_kinds_move_but_pairs() {
        for kind in KINDS {
            assert_eq!(played(&(kind.default)(Version::LATEST, None)).is_some(), kind != &pairs::KIND, "{kind:?}");
        }
    }

    #[test]
    fn what_is_known_is_known_of_a_metric() {
        for reports in REPORTS {
            for overlay in reports.overlays {
                // Batches are the permutations they send: they have some of their metrics only.
                let measured = reports.kind.metric(overlay.metric).is_some();
                assert!(measured || *reports.kind == permutations::BATCH, "{:?}: {}", reports.kind, overlay.metric);
            }
        }
    }
}
