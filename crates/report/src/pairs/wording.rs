//! Pairs that the faults of an experiment cut off under each algorithm, as a table for
//! matrices, lists and texts.

use std::fmt::Write as _;

use serde::Serialize;

use crate::files::csv;
use crate::files::json::{ResultSource, to_json};
use crate::wording;
use crate::wording::cut_off;
use faultlab_core::fault::{FaultSampler, Faults as _};
use faultlab_core::routing::Method;
use faultlab_core::theory::{self, BlockingFault, CutOff, Relabelled, Relabelling, Suggestion};
use faultlab_core::topology::{Hypercube, Link, NodeId};
use faultlab_core::traffic::Pair;
use faultlab_experiment::{CubePointConfig, Experiment};

/// Pairs of one fault set, for each algorithm.
#[derive(Clone, Debug)]
pub struct PairTable {
    /// Hypercube.
    pub cube: Hypercube,
    /// Source and destination of the experiment.
    pub ends: Pair,
    /// Faulty nodes, ascending.
    pub faulty: Vec<NodeId>,
    /// Faulty links between live nodes, ascending.
    pub faulty_links: Vec<Link>,
    /// Algorithms in the order of the experiment; last the relabelled network, if requested.
    pub columns: Vec<Column>,
    /// Relabelling, if requested.
    pub suggestion: Option<Suggestion>,
    faults: FaultSampler,
}

/// Pairs under one algorithm.
#[derive(Clone, Debug)]
pub struct Column {
    /// Display name of the algorithm.
    pub name: String,
    /// Identifier in files.
    pub id: String,
    /// New labels by which the network routes, if it is relabelled.
    pub labels: Option<Relabelling>,
    /// Pairs cut off, in the original labels.
    pub cut_off: CutOff,
}

/// State of a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PairState {
    /// Pair of a node and itself.
    Same,
    /// Pair with a faulty end.
    FaultyEnd,
    /// Pair without a live permitted path.
    CutOff,
    /// Pair with a live permitted path.
    Connected,
}

impl PairTable {
    /// Returns the table for the faults of the sample that *Watch* shows of `experiment`, with the
    /// relabelled network if `relabel` is set. Returns `None` above n = 10 and for networks other
    /// than hypercubes. Cost: about 10 ms for each algorithm at n = 10.
    pub fn new(experiment: &Experiment, relabel: bool) -> Option<Self> {
        let cell = CubePointConfig::new(experiment, None)?;
        let cube = cell.cube;
        if cube.dimension() > theory::MAX_CUT_OFF_DIMENSION {
            return None;
        }
        let mut faults = cell.fault_pattern(experiment.view.sample);
        let faulty: Vec<_> = (0..=cube.mask()).map(NodeId).filter(|&node| faults.is_faulty(node)).collect();
        let mut columns: Vec<_> = experiment
            .routing
            .iter()
            .filter_map(|algorithm| {
                let cut_off = theory::cut_off(cube, &mut faults, algorithm)?;
                let up = matches!(algorithm.method, Method::Better(two) if cut_off.criterion() == Some(two[0]));
                let name = match &algorithm.method {
                    Method::Better(_) => format!("{}: {}", algorithm.name, if up { "UP" } else { "DP" }),
                    _ => algorithm.name.to_string(),
                };
                Some(Column { name, id: algorithm.id.to_string(), labels: None, cut_off })
            })
            .collect();
        let suggestion = if relabel { theory::suggest_relabelling(cube, &mut faults) } else { None };
        if let Some(Suggestion { relabelling, .. }) = &suggestion {
            let cut_off = theory::relabelled_cut_off(cube, &mut faults, relabelling);
            columns.extend(cut_off.map(|cut_off| Column {
                name: format!("{}, relabelled", relabelling.algorithm.name),
                id: format!("{}-relabelled", relabelling.algorithm.id),
                labels: Some(relabelling.clone()),
                cut_off,
            }));
        }
        let mut table = Self { cube, ends: cell.ends, faulty, faulty_links: Vec::new(), columns, suggestion, faults };
        let links = (0..=cube.mask())
            .flat_map(|from| (0..cube.dimension()).map(move |dim| Link { from: NodeId(from), dim }))
            .filter(|&link| table.faults.is_link_faulty(link));
        let links: Vec<_> = links.collect();
        table.faulty_links = links.into_iter().filter(|&link| !table.has_faulty_end(link)).collect();
        Some(table)
    }

    /// Returns whether `node` is faulty.
    pub fn is_faulty(&self, node: NodeId) -> bool {
        self.faulty.binary_search(&node).is_ok()
    }

    /// Returns whether `link` is faulty and its nodes are live.
    pub fn is_link_faulty(&self, link: Link) -> bool {
        self.faulty_links.binary_search(&link).is_ok()
    }

    /// Returns whether a node of `link` is faulty.
    pub fn has_faulty_end(&self, link: Link) -> bool {
        self.is_faulty(link.from) || self.is_faulty(link.end())
    }

    /// Returns the state of `pair` in a column.
    pub fn state(&self, column: usize, pair: Pair) -> PairState {
        match self.columns.get(column) {
            _ if pair.from == pair.to => PairState::Same,
            _ if self.is_faulty(pair.from) || self.is_faulty(pair.to) => PairState::FaultyEnd,
            Some(column) if column.cut_off.contains(pair) => PairState::CutOff,
            _ => PairState::Connected,
        }
    }

    /// Returns the first faults on the permitted paths of `pair`, in a column; empty if the pair is
    /// not cut off, or has a faulty end.
    pub fn obstacles(&self, column: usize, pair: Pair) -> Vec<BlockingFault> {
        let (mut faults, cube) = (self.faults.clone(), self.cube);
        let Some(column) = self.columns.get(column) else { return Vec::new() };
        let Some(criterion) = column.cut_off.criterion() else { return Vec::new() };
        let Some(labels) = &column.labels else {
            return theory::blocking_faults(cube, &mut faults, &criterion, pair).unwrap_or_default();
        };
        let mut seen = Relabelled { faults: &mut faults, labels };
        let renamed = Pair { from: labels.to_label(pair.from), to: labels.to_label(pair.to) };
        let met = theory::blocking_faults(cube, &mut seen, &criterion, renamed).unwrap_or_default();
        let back = |obstacle| match obstacle {
            BlockingFault::Node(node) => BlockingFault::Node(labels.to_original(node)),
            BlockingFault::Link(link) => BlockingFault::Link(labels.undo_link(link)),
        };
        met.into_iter().map(back).collect()
    }

    /// Returns a pair and its state in words.
    pub fn describe(&self, column: usize, pair: Pair) -> String {
        let cube = self.cube;
        let names =
            format!("{} ({} → {})", cut_off::pair(pair), wording::node(cube, pair.from), wording::node(cube, pair.to));
        match self.state(column, pair) {
            PairState::Same => format!("{}: the same node twice", pair.from),
            PairState::FaultyEnd => {
                let end = if self.is_faulty(pair.from) { pair.from } else { pair.to };
                format!("{names}: node {} is faulty", wording::node(cube, end))
            }
            PairState::Connected => format!("{names}: a permitted path is live"),
            PairState::CutOff => {
                let criterion = self.columns.get(column).and_then(|column| column.cut_off.criterion());
                let why = |criterion| cut_off::why_cut_off(cube, &criterion, Some(&self.obstacles(column, pair))).1;
                let any = || "no live path connects the nodes".into();
                format!("{names}: cut off, {}", criterion.map_or_else(any, why))
            }
        }
    }

    /// Returns a one-sentence summary: the number of faults, and of the pairs that they cut off.
    pub fn title(&self) -> String {
        let broken = match (self.faulty.len() as u32, self.faulty_links.len() as u32) {
            (0, 0) => return "No faults: no pair is cut off".into(),
            (nodes, 0) => wording::count(nodes, "faulty node"),
            (0, links) => wording::count(links, "faulty link"),
            (nodes, links) => {
                format!("{} and {}", wording::count(nodes, "faulty node"), wording::count(links, "faulty link"))
            }
        };
        let counts = |column: &Column| column.cut_off.counts().cut_off;
        let most = self.columns.iter().max_by_key(|column| counts(column));
        let least = self.columns.iter().min_by_key(|column| counts(column));
        match most.zip(least) {
            None => broken,
            Some((most, least)) if counts(most) == counts(least) => {
                format!("{broken}: {} pairs are cut off", counts(most))
            }
            Some((most, least)) => format!(
                "{broken}: {} pairs are cut off under {}, {} under {}",
                counts(most),
                most.name,
                counts(least),
                least.name
            ),
        }
    }

    /// Returns every pair cut off, a line each: `algorithm,source,destination`.
    pub fn csv(&self, experiment: &Experiment) -> String {
        let mut text = csv::source_header([experiment]);
        text.push_str("algorithm,source,destination\n");
        for column in &self.columns {
            for pair in column.cut_off.pairs() {
                let _ = writeln!(text, "{},{},{}", column.id, pair.from, pair.to);
            }
        }
        text
    }

    /// Returns `{experiment, seed, version, series: [{route, live, cut_off, pairs: [[source,
    /// destination], ...]}]}`.
    pub fn json(&self, experiment: &Experiment) -> String {
        let series = self.columns.iter().map(|column| {
            let counts = column.cut_off.counts();
            let pairs = column.cut_off.pairs().map(|pair| (pair.from.0, pair.to.0)).collect();
            Series { route: &column.id, live: counts.live, cut_off: counts.cut_off, pairs }
        });
        let file = PairsRecord { made: ResultSource::new(experiment), series: series.collect() };
        to_json(&file)
    }
}

#[derive(Serialize)]
struct PairsRecord<'a> {
    #[serde(flatten)]
    made: ResultSource,
    series: Vec<Series<'a>>,
}

#[derive(Serialize)]
struct Series<'a> {
    route: &'a str,
    live: u64,
    cut_off: u64,
    pairs: Vec<(u64, u64)>,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str, relabel: bool) -> PairTable {
        PairTable::new(&text.parse().unwrap(), relabel).unwrap()
    }

    #[test]
    fn pairs_are_described_with_their_blocking_fault() {
        let found = table("switch=pairs&break=24_1,3", true);
        let pair = |from, to| Pair { from: NodeId(from), to: NodeId(to) };
        assert_eq!(found.state(0, pair(24, 26)), PairState::CutOff);
        assert_eq!(
            found.describe(0, pair(24, 30)),
            "24 → 30 (11000 → 11110): cut off, every permitted path uses link 24_1"
        );
        assert_eq!(found.describe(1, pair(3, 0)), "3 → 0 (00011 → 00000): node 00011 is faulty");
        // Every pair cut off has obstacles, in the original labels, also where the routing uses
        // other labels.
        for (number, column) in found.columns.iter().enumerate() {
            for pair in column.cut_off.pairs() {
                let met = found.obstacles(number, pair);
                let known = [BlockingFault::Node(NodeId(3)), BlockingFault::Link(Link { from: NodeId(24), dim: 1 })];
                assert!(!met.is_empty() && met.iter().all(|one| known.contains(one)), "{}: {met:?}", column.name);
            }
        }
    }

    #[test]
    fn files_contain_the_pairs_and_the_source() {
        let experiment: Experiment = "switch=pairs&break=24_1&route=e-cube,up".parse().unwrap();
        let found = PairTable::new(&experiment, true).unwrap();
        assert_eq!(found.title(), "1 faulty link: 16 pairs are cut off under e-cube, 1 under UP, relabelled");
        let csv = found.csv(&experiment);
        assert_eq!(csv.lines().filter(|line| line.starts_with("up,")).count(), 4);
        assert_eq!(csv.lines().last(), Some("up-relabelled,24,26"));
        assert!(csv.contains("# experiment v=1&switch=pairs&break=24_1&route=e-cube,up\n# seed 1\n"));
        let json: serde_json::Value = serde_json::from_str(&found.json(&experiment)).unwrap();
        assert_eq!(json["series"][2]["pairs"], serde_json::json!([[24, 26]]));
    }
}
