//! Costs of the routing algorithms of an experiment as a document: a table, and each number with
//! its formula and source.

use std::fmt::Write as _;
use std::sync::Arc;

use crate::document::Document;
use crate::files::record::{self, Record, Value};
use crate::files::table::align_columns;
use crate::wording::facts::{Fact, fact};
use faultlab_core::routing::cost::{CostEntry, CostNetwork, CostSource, RoutingCost};
use faultlab_core::routing::{Algorithm, UseCase};
use faultlab_experiment::worm::WormSetting;
use faultlab_experiment::{Experiment, PointConfig, Setting};

/// Costs of the algorithms of an experiment.
#[derive(Clone, Debug)]
pub struct CostReport {
    /// Experiment.
    pub experiment: Experiment,
    /// Network with the limits that costs depend on.
    pub network: CostNetwork,
    /// Costs of each algorithm that the network supports, in the order of the experiment.
    pub algorithms: Vec<AlgorithmCost>,
}

/// Costs of one algorithm.
#[derive(Clone, Debug)]
pub struct AlgorithmCost {
    /// Algorithm.
    pub algorithm: Arc<Algorithm>,
    /// Costs; `None` for a bound, which is no routing.
    pub cost: Option<RoutingCost>,
    /// Flits of buffers at a node, of the virtual channels of all incoming links; `None` unless the
    /// experiment sets virtual channels and buffers.
    pub buffer_flits: Option<u64>,
}

const COLUMNS: [&str; 10] = [
    "series",
    "knowledge",
    "state_bits",
    "header_bits",
    "relative_address_bits",
    "comparisons",
    "classes",
    "buffer_flits",
    "cycle_bit_times",
    "sorting_cycle_bit_times",
];

/// Name and unit of a cost, and the function that returns its parts.
type CostKind = (&'static str, &'static str, fn(&RoutingCost) -> &[CostEntry]);

/// Costs in the order of the table.
const PARTS: [CostKind; 3] = [
    ("state", "bits of routing state at a node", |cost| &cost.state),
    ("header", "bits in the header of a message", |cost| &cost.header),
    ("comparisons", "comparisons for a hop, at most", |cost| &cost.comparisons),
];

/// Costs of fat-trees only, in the order of the text.
const CYCLE_PARTS: [CostKind; 2] = [
    ("cycle", "bit times of a delivery cycle", |cost| &cost.cycle),
    ("sorting cycle", "bit times of a delivery cycle with sorting networks", |cost| &cost.sorting_cycle),
];

/// Returns the kinds of costs that `cost` has, each with its parts.
fn kinds(cost: &RoutingCost) -> impl Iterator<Item = (&'static str, &'static str, &[CostEntry])> {
    let cycle_kinds = CYCLE_PARTS.iter().filter(|(_, _, entries)| !entries(cost).is_empty());
    PARTS.iter().chain(cycle_kinds).map(|&(kind, unit, entries)| (kind, unit, entries(cost)))
}

impl CostReport {
    /// Counts the costs of the algorithms of `experiment` that its network supports; of none on butterflies,
    /// for which there are no formulas. Cost: a few steps for each algorithm.
    pub fn from_experiment(experiment: &Experiment) -> Self {
        let network = network(experiment);
        let kind = experiment.kind();
        let runs = |algorithm: &&Arc<Algorithm>| algorithm.check_use_on(kind.use_case, experiment.network).is_ok();
        let cost = |algorithm: &Arc<Algorithm>| AlgorithmCost::new(experiment, &network, algorithm);
        let algorithms =
            experiment.routing.iter().filter(|_| has_formulas(experiment)).filter(runs).map(cost).collect();
        Self { experiment: experiment.clone(), network, algorithms }
    }

    /// Returns the table of all algorithms: the section "Cost" of a check.
    pub(crate) fn table(&self) -> Vec<String> {
        let heading =
            ["", "fault knowledge", "state, bits", "header, bits", "comparisons", "classes", "buffers, flits"];
        let heading: Vec<_> = heading.map(str::to_owned).into();
        let rows = self.algorithms.iter().map(AlgorithmCost::cells);
        align_columns(&std::iter::once(heading).chain(rows).collect::<Vec<_>>())
    }

    /// Returns the costs of the algorithm with this display name as facts.
    pub(crate) fn facts(&self, name: &str) -> Vec<Fact> {
        let cost = self.algorithms.iter().find(|one| one.algorithm.name == name).and_then(|one| one.cost.as_ref());
        cost.map_or_else(Vec::new, facts)
    }

    fn records(&self) -> Vec<Record> {
        self.algorithms
            .iter()
            .map(|one| Record::default().with("series", &*one.algorithm.id).merged(one.record()))
            .collect()
    }
}

/// Returns whether the formulas of costs are those of the network.
fn has_formulas(experiment: &Experiment) -> bool {
    experiment.network.butterfly().is_none()
}

/// Returns the record of the costs of `algorithm` in `experiment`, for the JSON of a check.
pub(crate) fn record_for(experiment: &Experiment, algorithm: &Arc<Algorithm>) -> Record {
    AlgorithmCost::new(experiment, &network(experiment), algorithm).record()
}

/// Returns the costs of `algorithm` in `experiment`; `None` for a bound.
pub(crate) fn cost_for(experiment: &Experiment, algorithm: &Arc<Algorithm>) -> Option<RoutingCost> {
    AlgorithmCost::new(experiment, &network(experiment), algorithm).cost
}

/// Returns the network of `experiment` with its limits, and the capacities of a fat-tree.
fn network(experiment: &Experiment) -> CostNetwork {
    let path_limit = experiment.setting.message().map(|_| PointConfig::new(experiment, None).limit().into());
    let profile = experiment.setting.delivery().map(|setting| &setting.profile);
    let channels = experiment.network.leaves().zip(profile).and_then(|(leaves, profile)| leaves.channels(profile).ok());
    CostNetwork { path_limit, channels, ..CostNetwork::new(experiment.network) }
}

impl AlgorithmCost {
    fn new(experiment: &Experiment, network: &CostNetwork, algorithm: &Arc<Algorithm>) -> Self {
        let use_case = match experiment.setting {
            // Batches are permutations that worms carry.
            Setting::Batch(_) => UseCase::Worms,
            _ => experiment.kind().use_case,
        };
        let cost = algorithm.routing_cost(network, use_case).filter(|_| has_formulas(experiment));
        let buffer_flits = cost.as_ref().zip(experiment.setting.worm()).map(|(cost, setting)| {
            let channels = match setting.virtual_channels {
                WormSetting::OWN => cost.classes,
                channels => channels,
            };
            u64::from(channels) * u64::from(setting.buffer) * network.ports() as u64
        });
        Self { algorithm: algorithm.clone(), cost, buffer_flits }
    }

    /// Returns the row of the table.
    fn cells(&self) -> Vec<String> {
        let name = self.algorithm.name.to_string();
        let Some(cost) = &self.cost else {
            return [name, "a bound, not a routing".into()]
                .into_iter()
                .chain(std::iter::repeat_n(String::new(), 5))
                .collect();
        };
        let classes = if cost.classes > 0 { cost.classes.to_string() } else { "-".into() };
        let buffers = self.buffer_flits.map_or("-".into(), |flits| flits.to_string());
        let [state, header, comparisons] =
            [cost.state_bits(), cost.header_bits(), cost.comparisons_per_hop()].map(|count| count.to_string());
        vec![name, cost.knowledge.to_string(), state, header, comparisons, classes, buffers]
    }

    fn record(&self) -> Record {
        let cost = self.cost.as_ref();
        let count = |count: fn(&RoutingCost) -> u128| cost.map(|cost| value(count(cost)));
        Record::default()
            .with("knowledge", cost.map(|cost| cost.knowledge.to_string()))
            .with("state_bits", count(RoutingCost::state_bits))
            .with("header_bits", count(RoutingCost::header_bits))
            .with("relative_address_bits", count(|cost| cost.relative_address))
            .with("comparisons", count(RoutingCost::comparisons_per_hop))
            .with("classes", cost.map(|cost| cost.classes))
            .with("buffer_flits", self.buffer_flits)
            .with("cycle_bit_times", cost.and_then(RoutingCost::cycle_bit_times).map(value))
            .with("sorting_cycle_bit_times", cost.and_then(RoutingCost::sorting_cycle_bit_times).map(value))
            .with("parts", cost.map(parts))
    }
}

/// Returns the parts of all costs.
fn parts(cost: &RoutingCost) -> Value {
    let part = |kind: &'static str, entry: &CostEntry| {
        Record::default()
            .with("cost", kind)
            .with("name", entry.name)
            .with("amount", value(entry.amount))
            .with("formula", entry.formula)
            .with("source", entry.source.to_string())
    };
    kinds(cost).flat_map(|(kind, _, entries)| entries.iter().map(move |entry| part(kind, entry))).collect()
}

/// Returns a count for files, as digits where it exceeds 64 bits.
fn value(count: u128) -> Value {
    u64::try_from(count).map_or_else(|_| Value::Text(count.to_string()), Value::Count)
}

/// Returns the costs as facts, each with its parts, formulas and sources.
fn facts(cost: &RoutingCost) -> Vec<Fact> {
    let sum = |entries: &[CostEntry]| entries.iter().map(|entry| entry.amount).sum::<u128>().to_string();
    let all = |(kind, unit, entries): (&str, &str, &[CostEntry])| {
        let parts: Vec<_> = entries.iter().map(sentence).collect();
        let meaning = if parts.is_empty() { "nothing is needed".into() } else { parts.join("; ") };
        fact(&format!("Cost: {kind}"), sum(entries), format!("{unit}: {meaning}"))
    };
    let is_counted = kinds(cost).flat_map(|kind| kind.2).any(is_counted);
    let meaning = if is_counted { ["of a node. ", CostSource::COUNTED].concat() } else { "of a node".into() };
    let knowledge = fact("Cost: fault knowledge", cost.knowledge.to_string(), meaning);
    std::iter::once(knowledge).chain(kinds(cost).map(all)).collect()
}

fn is_counted(entry: &CostEntry) -> bool {
    matches!(entry.source, CostSource::Counted(_))
}

/// Returns a part with its amount, formula and source.
fn sentence(entry: &CostEntry) -> String {
    format!("{} {} ({})", entry.amount, with_formula(entry), entry.source)
}

/// Returns the name of a part, with its formula unless the formula is the amount.
fn with_formula(entry: &CostEntry) -> String {
    let CostEntry { name, formula, amount, .. } = entry;
    if *formula == amount.to_string() { (*name).to_owned() } else { format!("{name}: {formula}") }
}

impl Document for CostReport {
    fn text(&self) -> String {
        let mut text = format!("{}\n\n", self.experiment);
        for line in self.table() {
            let _ = writeln!(text, "{}", line.trim_end());
        }
        for one in &self.algorithms {
            let Some(cost) = &one.cost else { continue };
            let _ = writeln!(text, "\n{}", one.algorithm.name);
            let address = (cost.relative_address, self.network.address_bits());
            for (_, unit, entries) in kinds(cost) {
                let _ = writeln!(text, "  {unit}");
                for entry in entries {
                    let _ = writeln!(
                        text,
                        "    {:>6}  {}\n            {}",
                        entry.amount,
                        with_formula(entry),
                        entry.source
                    );
                }
                if entries.is_empty() {
                    let _ = writeln!(text, "         0  nothing is needed");
                }
            }
            let _ = writeln!(
                text,
                "  an address relative to the current node has {} bits, an absolute one {}",
                address.0, address.1
            );
        }
        let mut costs = self.algorithms.iter().filter_map(|one| one.cost.as_ref());
        if costs.any(|cost| kinds(cost).flat_map(|kind| kind.2).any(is_counted)) {
            let _ = writeln!(text, "\n{}", CostSource::COUNTED);
        }
        text
    }

    fn csv(&self) -> String {
        record::csv(&self.experiment, &COLUMNS, &self.records())
    }

    fn json(&self) -> String {
        record::json(&self.experiment, self.records())
    }
}
