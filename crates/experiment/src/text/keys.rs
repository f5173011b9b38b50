//! Keys of experiment texts that all kinds have, with their parsers, formatters, errors and help.

use super::edits;
use super::key::{NOT_A_KNOWN_NAME, TextKey, number, whole_number};
use crate::chart_options::ChartOptions;
use crate::experiment::{Layout, Tab};
use crate::kind::{EndpointRole, Kind};
use crate::kinds::KINDS;
use crate::metric::{Metric, Plot};
use crate::{Experiment, Vary};
use faultlab_core::ParseError;
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::rules::MAX_TEXT;
use faultlab_core::routing::{self, HIERARCHY_ACCEPTED, MISROUTES_ACCEPTED, UseCase, suitable};
use faultlab_core::topology::Network;

/// Value of `follow` that leaves the choice of the message to Watch.
const AUTOMATIC: &str = "auto";

/// Shortest valid text of rules.
const RULES_EXAMPLE: &str = "routing my-minimal on mesh always take minimal";

const NODE: &str = "a node of the network: in a cube a decimal, 0b binary or 0x hexadecimal number; in a mesh ROW.COLUMN, \
                    in a butterfly ROW.LEVEL, both from 0";

/// Keys that are written before the keys of the kind, in order. The version, `v`, precedes them.
pub(crate) static LEADING_KEYS: &[TextKey] = &[
    TextKey {
        name: "net",
        meaning: "the network",
        accepted: |_| Network::ACCEPTED.into(),
        example: "cube:20",
        read: |experiment, text| {
            experiment.network = Network::parse(text).ok_or_else(|| Network::parse_problem(text))?;
            Ok(())
        },
        write: |experiment| Some(experiment.network.to_string()),
    },
    TextKey {
        name: "switch",
        meaning: "the kind of experiment: what moves, and how it uses the network",
        accepted: |_| {
            let kind = |kind: &&Kind| format!("{}, on {}", kind.id, kind.networks);
            KINDS.iter().map(kind).collect::<Vec<_>>().join("; ")
        },
        example: "circuit",
        read: |experiment, text| match Kind::find(text) {
            // The kind decides the meaning of the other keys, so that a text is read for its kind
            // from the start.
            Some(kind) if *kind == *experiment.kind() => Ok(()),
            Some(kind) => {
                *experiment = experiment.converted_to_kind(kind);
                Ok(())
            }
            None => Err(NOT_A_KNOWN_NAME.into()),
        },
        write: |experiment| Some(experiment.kind().id.to_owned()),
    },
    TextKey {
        name: "faults",
        meaning: "random faults, drawn for every message (circuits and worms: for every run; permutations and batches: for every \
                  set of messages)",
        accepted: |_| FaultModel::ACCEPTED.into(),
        example: "nodes:0.5",
        read: |experiment, text| {
            experiment.faults.model =
                FaultModel::parse(text).ok_or("not a fault model, or its number is out of range")?;
            Ok(())
        },
        write: |experiment| Some(experiment.faults.model.to_string()),
    },
    TextKey {
        name: "break",
        meaning: "nodes and links (in fat-trees, wires) that are always faulty",
        accepted: |experiment| {
            match experiment.network.leaves() {
            Some(_) => edits::WIRES.into(),
            None => ["nodes and links, separated by commas, at most 4096, none of them mended; in a cube one-way links such as \
                      24_1 (out of node 24 across dimension 1), in a mesh links such as 3.4-4.4, in both directions; for a \
                      single message neither source nor destination; in a fat-tree ", edits::WIRES].concat(),
        }
        },
        example: "3,5,0b110,24_1",
        read: |experiment, text| {
            if let Some(leaves) = experiment.network.leaves() {
                experiment.faults.dead_wires = edits::dead_wires(leaves, text)?;
                return Ok(());
            }
            (experiment.faults.faulty_nodes, experiment.faults.faulty_links) = edits::places(experiment, text)?;
            Ok(())
        },
        write: edits::broken,
    },
    TextKey {
        name: "mend",
        meaning: "nodes and links that are always live, unless faults around them disable them (in meshes: block closure); in \
                  fat-trees channels whose wires are live, except broken ones",
        accepted: |_| "nodes and links, in fat-trees channels such as u2.3, separated by commas, at most 4096".into(),
        example: "9",
        read: |experiment, text| {
            if let Some(leaves) = experiment.network.leaves() {
                experiment.faults.live_channels = edits::channels(leaves, text)?;
                return Ok(());
            }
            (experiment.faults.live_nodes, experiment.faults.live_links) = edits::places(experiment, text)?;
            Ok(())
        },
        write: edits::mended,
    },
    TextKey {
        name: "from",
        meaning: "the source (default: node 0, or the node opposite the destination); for worms, the source of the followed message",
        accepted: |_| NODE.into(),
        example: "0",
        read: |experiment, text| {
            experiment.from = Some(edits::node(experiment, text)?);
            Ok(())
        },
        write: |experiment| experiment.from.map(|node| experiment.network.format_node(node)),
    },
    TextKey {
        name: "to",
        meaning: "the destination (default: the node opposite the source)",
        accepted: |_| NODE.into(),
        example: "0b111111",
        read: |experiment, text| {
            experiment.to = Some(edits::node(experiment, text)?);
            Ok(())
        },
        write: |experiment| experiment.to.map(|node| experiment.network.format_node(node)),
    },
    TextKey {
        name: "rules",
        meaning: "user-defined routings: a text of rules, which route may name; by default all of them are compared",
        accepted: |_| {
            format!("up to {MAX_TEXT} bytes in the language of rules (docs/rules.md), such as: {RULES_EXAMPLE}")
        },
        example: RULES_EXAMPLE,
        read: Experiment::read_rules,
        write: |experiment| experiment.rules.as_ref().map(|rules| rules.text().to_owned()),
    },
    TextKey {
        name: "route",
        meaning: "the routing algorithms to compare",
        accepted: possible_routes,
        example: "sidetracking,backtracking",
        read: |experiment, text| {
            experiment.routing.clear();
            for id in text.split(',') {
                let algorithm = experiment.find_routing(id)?;
                if experiment.routing.contains(&algorithm) {
                    return Err(format!("{id} is named twice").into());
                }
                experiment.routing.push(algorithm);
            }
            Ok(())
        },
        write: |experiment| {
            Some(experiment.routing.iter().map(|algorithm| &*algorithm.id).collect::<Vec<_>>().join(","))
        },
    },
];

/// Keys that are written after the keys of the kind.
pub(crate) static TRAILING_KEYS: &[TextKey] = &[
    TextKey {
        name: "vary",
        meaning: "the parameter that a sweep varies, and its values",
        accepted: Vary::accepted,
        example: "p:0.5..0.95:10",
        read: |experiment, text| {
            experiment.vary = Some(Vary::parse(experiment.kind(), text)?);
            Ok(())
        },
        write: |experiment| experiment.vary.as_ref().map(Vary::to_string),
    },
    TextKey {
        name: "within",
        meaning: "a point stops when its 95% interval is this narrow (half-width): absolute for a probability, relative for a \
                  mean setup time, a bisection utilization or a congestion; where trials are counted, after at least 128 of \
                  them",
        accepted: |_| "a number from 0.0001 to 0.5, or none: every point gets all its trials".into(),
        example: "0.001",
        read: |experiment, text| {
            experiment.within = if text == "none" { Experiment::ALL_TRIALS } else { number(text, 0.0001, 0.5)? };
            Ok(())
        },
        write: |experiment| {
            let none = experiment.within == Experiment::ALL_TRIALS;
            Some(if none { "none".into() } else { experiment.within.to_string() })
        },
    },
    TextKey {
        name: "trials",
        meaning: "the number of messages after which a point stops (pairs: fault sets; permutations, batches and delivery cycles: \
                  sets of messages). Circuits and worms are counted at the end of a run: every point gets two short runs, and \
                  more until this number has arrived",
        accepted: |_| "a whole number from 1 to 1000000000".into(),
        example: "100000",
        read: |experiment, text| {
            experiment.trials = whole_number(text, 1, 1_000_000_000)?;
            Ok(())
        },
        write: |experiment| Some(experiment.trials.to_string()),
    },
    TextKey {
        name: "seed",
        meaning: "the seed of all random numbers",
        accepted: |_| "a whole number from 0 to 18446744073709551615".into(),
        example: "7",
        read: |experiment, text| {
            experiment.seed = whole_number(text, 0, u64::MAX)?;
            Ok(())
        },
        write: |experiment| Some(experiment.seed.to_string()),
    },
    TextKey {
        name: "view",
        meaning: "the view that the page shows",
        accepted: |_| "watch, measure, check or papers".into(),
        example: "measure",
        read: |experiment, text| {
            experiment.view.tab = Tab::parse(text).ok_or(NOT_A_KNOWN_NAME)?;
            Ok(())
        },
        write: |experiment| Some(experiment.view.tab.to_string()),
    },
    TextKey {
        name: "sample",
        meaning: "the random fault pattern that Watch shows",
        accepted: |_| "a whole number from 0 to 1000000000".into(),
        example: "3",
        read: |experiment, text| {
            experiment.view.sample = whole_number(text, 0, 1_000_000_000)?;
            Ok(())
        },
        write: |experiment| Some(experiment.view.sample.to_string()),
    },
    TextKey {
        name: "layout",
        meaning: "the layout of the network",
        accepted: |_| "layers, cube or grid".into(),
        example: "grid",
        read: |experiment, text| {
            experiment.view.layout = Layout::parse(text).ok_or(NOT_A_KNOWN_NAME)?;
            Ok(())
        },
        write: |experiment| Some(experiment.view.layout.to_string()),
    },
    TextKey {
        name: "plot",
        meaning: "the metric that the chart shows; a second one, after a comma, is drawn below it along the same axis",
        accepted: |experiment| {
            let kind = experiment.kind();
            let ids = kind.metrics.iter().map(|metric| metric.id).chain(kind.spreads.iter().map(|spread| spread.id));
            ids.collect::<Vec<_>>().join(", ")
        },
        example: "length",
        read: |experiment, text| {
            let kind = experiment.kind();
            let (above, below) = text.split_once(',').map_or((text, None), |(above, below)| (above, Some(below)));
            let metric = kind.metric(above).map(Plot::Metric);
            let spread = || kind.spreads.iter().find(|spread| spread.id == above).map(Plot::Spread);
            let plot = metric.or_else(spread).ok_or_else(|| not_measured(kind))?;
            let below = below.map(|id| second_metric(kind, plot, id)).transpose()?;
            experiment.view.plot = Some(plot).filter(|plot| *plot != Plot::Metric(experiment.opening_metric()));
            experiment.view.second_metric = below;
            Ok(())
        },
        write: |experiment| match experiment.view.second_metric {
            None => {
                // A changed fault may have made this metric the default.
                let opening = Plot::Metric(experiment.opening_metric());
                experiment.view.plot.filter(|plot| *plot != opening).map(|plot| plot.id().to_owned())
            }
            Some(below) => Some(format!("{},{}", experiment.plot().id(), below.id)),
        },
    },
    TextKey {
        name: "time",
        meaning: "the hop, the cycle or the time at which Watch opens",
        accepted: |_| "a number from 0 to 1000000000".into(),
        example: "12",
        read: |experiment, text| {
            experiment.view.time = Some(number(text, 0.0, 1e9)?);
            Ok(())
        },
        write: |experiment| experiment.view.time.map(|time| time.to_string()),
    },
    TextKey {
        name: "follow",
        meaning: "the number of the message that Watch follows; after the algorithm's position and a colon if it is not the first",
        accepted: |_| {
            "a whole number such as 7, 2:7 for message 7 under the second algorithm, or 2:auto for a message of the second \
             algorithm that Watch chooses"
                .into()
        },
        example: "2:7",
        read: |experiment, text| {
            let (place, message) = text.split_once(':').unwrap_or(("1", text));
            let message = match message {
                AUTOMATIC => None,
                number => Some(whole_number(number, 0, u64::MAX)?),
            };
            experiment.view.follow = Some((whole_number(place, 1, 64)? as u32 - 1, message));
            Ok(())
        },
        write: |experiment| {
            experiment.view.follow.map(|(place, message)| {
                let message = message.map_or(AUTOMATIC.to_owned(), |number| number.to_string());
                if place == 0 { message } else { format!("{}:{message}", place + 1) }
            })
        },
    },
    TextKey {
        name: "chart",
        meaning: "the scales, zoom and hidden curves of the chart",
        accepted: |_| ChartOptions::ACCEPTED.into(),
        example: "y:log,zoom:0.1..0.4",
        read: |experiment, text| {
            experiment.view.chart = ChartOptions::parse(text)?;
            Ok(())
        },
        write: |experiment| Some(experiment.view.chart.to_string()),
    },
    TextKey {
        name: "paper",
        meaning: "the paper, or the item of a paper, that Papers shows",
        accepted: |_| "a name that faultlab papers lists, such as thesis or table3".into(),
        example: "table3",
        read: |experiment, text| {
            let is_name = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
            if text.is_empty() || text.len() > MAX_PAPER || !text.chars().all(is_name) {
                return Err(NOT_A_KNOWN_NAME.into());
            }
            experiment.view.paper = Some(text.to_owned());
            Ok(())
        },
        write: |experiment| experiment.view.paper.clone(),
    },
];

/// Maximum length of the name of a paper or item, in bytes.
const MAX_PAPER: usize = 40;

impl Kind {
    /// Returns the keys of the kind, in the order in which they are written.
    pub fn all_keys(&self) -> impl Iterator<Item = &'static TextKey> {
        let has_ends = self.endpoint_role != EndpointRole::None;
        let first = LEADING_KEYS.iter().filter(move |key| has_ends || !is_end(key));
        first.chain(self.keys).chain(TRAILING_KEYS)
    }

    /// Returns the keys that are common to all kinds.
    pub fn shared_keys(&self) -> impl Iterator<Item = &'static TextKey> {
        LEADING_KEYS.iter().chain(TRAILING_KEYS)
    }

    /// Returns the key called `name`; `None` if the kind does not have it.
    pub fn key(&self, name: &str) -> Option<&'static TextKey> {
        self.all_keys().find(|key| key.name == name)
    }
}

/// Returns whether the key sets the source or the destination.
pub(crate) fn is_end(key: &TextKey) -> bool {
    matches!(key.name, "from" | "to")
}

fn not_measured(kind: &Kind) -> String {
    format!("not measured by switch={}", kind.id)
}

/// Returns the metric called `id`, to be drawn below `above`.
fn second_metric(kind: &Kind, above: Plot, id: &str) -> Result<&'static Metric, ParseError> {
    match above {
        Plot::Spread(_) => Err(format!("{} has its own axes; no metric can be drawn below it", above.id()).into()),
        Plot::Metric(first) if first.id == id => Err(format!("{id} is named twice").into()),
        Plot::Metric(_) => kind.metric(id).ok_or_else(|| format!("{id} is {}", not_measured(kind)).into()),
    }
}

/// Describes the algorithms that the kind supports on this network.
fn possible_routes(experiment: &Experiment) -> String {
    let kind = experiment.kind();
    let ids = suitable(kind.use_case, experiment.network);
    let hierarchy = experiment.cube().and_then(|cube| routing::find(&format!("{}e", cube.dimension())).ok());
    let hierarchies = match hierarchy.is_some_and(|algorithm| kind.takes(&algorithm, experiment.network).is_ok()) {
        true => ["; or ", HIERARCHY_ACCEPTED].concat(),
        false if kind.use_case == UseCase::Circuits && experiment.mesh().is_some() => {
            ["; or ", MISROUTES_ACCEPTED].concat()
        }
        false => String::new(),
    };
    let own = experiment.rules.iter().flat_map(|rules| rules.routings());
    let own = own.filter(|own| kind.takes(own, experiment.network).is_ok()).map(|own| &*own.id);
    let ids: Vec<_> = own.chain(ids).collect();
    format!("{}{hierarchies}; several are separated by commas", ids.join(", "))
}
