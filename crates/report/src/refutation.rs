//! Counterexamples to routings, and the coverage of the search for them, as a document.

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};

use crate::deadlock;
use crate::document::Document;
use crate::files::record::{self, Record};
use crate::wording::node_of;
use faultlab_core::rich_text::RichText;
use faultlab_core::routing::UseCase;
use faultlab_core::routing::wording::{count, mesh_node};
use faultlab_core::topology::{Network, NodeId};
use faultlab_experiment::Experiment;
use faultlab_experiment::refute::{Coverage, Evidence, Flaw, RefuteSearch, Witness};

/// Result of the search for each algorithm of an experiment, in its order.
#[derive(Clone, Debug)]
pub struct RefutationReport {
    /// Experiment with the searched algorithms.
    pub experiment: Experiment,
    /// Coverage and counterexamples of each algorithm.
    pub refutations: Vec<Refutation>,
}

/// Result of the search for one algorithm.
#[derive(Clone, Debug)]
pub struct Refutation {
    /// Display name of the algorithm.
    pub name: String,
    /// Identifier of the algorithm in texts.
    pub id: String,
    /// Coverage, by number of faults.
    pub coverage: Vec<Coverage>,
    /// True if links fail instead of nodes.
    pub fails_links: bool,
    /// True if the experiment already has faults, to which the search adds.
    pub has_given_faults: bool,
    /// Use of the routing, such as messages, circuits or worms.
    pub uses: UseCase,
    /// Smallest fault sets that have a flaw, in the order of [`Flaw::ALL`].
    pub witnesses: [Option<Witness>; 3],
}

/// Class of a verdict, by the flaws that were found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum VerdictClass {
    /// No flaw.
    #[default]
    Flawless,
    /// Flaws only with faults beyond those of the experiment.
    SafeAsGiven,
    /// Undecided deadlock and no other flaw.
    Undecided,
    /// Lost messages, and neither a deadlock nor an undecided one.
    LosesMessages,
    /// Other flaws.
    Flawed,
}

const COLUMNS: [&str; 9] = ["series", "flaw", "found", "faults", "struck", "pairs", "verdict", "looked_at", "text"];

impl Refutation {
    /// Returns the result of a search that has finished or was stopped. Cost: see
    /// [`RefuteSearch::witness`].
    pub fn from_search(search: &RefuteSearch) -> Self {
        let mut all = Self::begin(search);
        all.update(search);
        all
    }

    /// Returns the result of a search before its first fault set.
    pub fn begin(search: &RefuteSearch) -> Self {
        let routing = search.experiment().routing.first();
        Self {
            name: routing.map_or_else(String::new, |algorithm| algorithm.name.to_string()),
            id: routing.map_or_else(String::new, |algorithm| algorithm.id.to_string()),
            coverage: Vec::new(),
            fails_links: search.question().links,
            has_given_faults: !search.experiment().faults.is_empty(),
            uses: search.uses(),
            witnesses: [const { None }; 3],
        }
    }

    /// Updates the result from `search`. Returns whether a flaw is new, or an undecided flaw is now
    /// decided. Undecided flaws are examined again only when the search ends. Cost: see
    /// [`RefuteSearch::witness`], for each such flaw.
    pub fn update(&mut self, search: &RefuteSearch) -> bool {
        self.coverage = search.covered().to_vec();
        let is_over = search.progress() >= 1.0;
        let mut is_more = false;
        for (flaw, known) in Flaw::ALL.into_iter().zip(&mut self.witnesses) {
            let was_undecided = known.as_ref().is_some_and(Witness::is_undecided);
            if known.is_none() || was_undecided && is_over {
                *known = search.witness(flaw);
                is_more |= known.as_ref().is_some_and(|witness| !was_undecided || !witness.is_undecided());
            }
        }
        is_more
    }

    /// Returns the flaws in one line, each with its smallest number of faults.
    pub fn verdict(&self) -> String {
        let flawed = |witness: &Witness| match witness.flaw {
            Flaw::Deadlock if witness.is_undecided() => "deadlock is undecided".to_owned(),
            Flaw::Deadlock => format!("deadlocks: {}", count(witness.affected_pairs as u32, "message")),
            Flaw::Lost => {
                let does = if self.uses == UseCase::Circuits { "cuts off" } else { "loses" };
                format!("{does} {} of {} pairs", witness.affected_pairs, witness.pairs)
            }
            Flaw::Livelock => format!("{} of {} pairs can circle forever", witness.affected_pairs, witness.pairs),
        };
        let with = |witness: &Witness| match witness.faults.len() {
            0 => String::new(),
            number => format!(" with {}", self.faults(number as u32)),
        };
        let found: Vec<_> =
            self.witnesses.iter().flatten().map(|witness| format!("{}{}", flawed(witness), with(witness))).collect();
        if found.is_empty() {
            return format!("no flaw found: {}", self.coverage());
        }
        let safe = match (self.class(), self.has_given_faults) {
            (VerdictClass::SafeAsGiven, true) => "safe with the given faults; ",
            (VerdictClass::SafeAsGiven, false) => "safe without faults; ",
            _ => "",
        };
        format!("{safe}{}", found.join("; "))
    }

    /// Returns the class of the verdict.
    pub fn class(&self) -> VerdictClass {
        let found: Vec<&Witness> = self.witnesses.iter().flatten().collect();
        match found.as_slice() {
            [] => VerdictClass::Flawless,
            all if all.iter().all(|witness| !witness.faults.is_empty()) => VerdictClass::SafeAsGiven,
            [only] if only.is_undecided() => VerdictClass::Undecided,
            [first, ..] if first.flaw == Flaw::Lost && self.uses != UseCase::Circuits => VerdictClass::LosesMessages,
            _ => VerdictClass::Flawed,
        }
    }

    /// Returns the coverage: "no fault, all 64 sets of 1 faulty node, all 2016 sets of 2 faulty
    /// nodes".
    pub fn coverage(&self) -> String {
        let told = |covered: &Coverage| match (covered.faults, covered.total) {
            (0, _) if self.has_given_faults => "the given faults alone".to_owned(),
            (0, _) => "no fault".to_owned(),
            (faults, Some(all)) if covered.is_all() => format!("all {all} sets of {}", self.faults(faults)),
            (faults, Some(all)) => format!("{} of the {all} sets of {}", covered.evaluated_sets, self.faults(faults)),
            (faults, None) => format!("{} of more than 2^64 sets of {}", covered.evaluated_sets, self.faults(faults)),
        };
        self.coverage.iter().filter(|covered| covered.evaluated_sets > 0).map(told).collect::<Vec<_>>().join(", ")
    }

    fn faults(&self, number: u32) -> String {
        let what = match (self.fails_links, self.has_given_faults) {
            (true, false) => "faulty link",
            (true, true) => "more faulty link",
            (false, false) => "faulty node",
            (false, true) => "more faulty node",
        };
        count(number, what)
    }

    /// Returns a flaw as a sentence: the faults, the messages, and their outcome.
    pub fn describe_flaw(&self, network: Network, witness: &Witness) -> String {
        let named = |node| network.mesh().map_or_else(|| node_of(network, node), |mesh| mesh_node(mesh, node));
        let fault = |name: &String| network.parse_node(name).map_or_else(|| name.clone().into(), named);
        let faults: Vec<_> = witness.faults.iter().map(fault).collect();
        let with = match faults.as_slice() {
            [] if self.has_given_faults => "with the given faults".to_owned(),
            [] => "without faults".to_owned(),
            [one] => format!("with {} {one} faulty", if self.fails_links { "link" } else { "node" }),
            several => {
                let names = RichText::join(several.iter().cloned(), ", ");
                format!("with {} {names} faulty", if self.fails_links { "links" } else { "nodes" })
            }
        };
        let place = |node: &NodeId| named(*node);
        let (pair, route) = match &witness.shown {
            Evidence::Deadlock { verdict, .. } => {
                let since = verdict.observed().map_or_else(String::new, |seen| {
                    let unit = if self.uses == UseCase::Circuits { "time" } else { "cycle" };
                    format!(" from {unit} {} on", seen.since.floor())
                });
                let meaning = deadlock::meaning(verdict, network);
                return match verdict.observed() {
                    Some(_) => format!("{with}, it deadlocks{since}: {meaning}"),
                    None => format!("{with}, deadlock is undecided: {meaning}"),
                };
            }
            Evidence::Message { pair, route, .. } => {
                (format!("from {} to {}", named(pair.from), named(pair.to)), route)
            }
        };
        let way = match route {
            (nodes, first) if !nodes.is_empty() => {
                let told = |nodes: &[NodeId]| RichText::join(nodes.iter().map(place), " -> ");
                let (before, circle) = nodes.split_at((*first).min(nodes.len()));
                match (witness.flaw, before) {
                    (Flaw::Lost, _) => format!(", at {}", nodes.last().map(place).unwrap_or_default()),
                    (_, []) => format!(": {}", told(circle)),
                    (_, before) => format!(": {}, then repeatedly {}", told(before), told(circle)),
                }
            }
            _ => String::new(),
        };
        let among = format!("{} of {} pairs", witness.affected_pairs, witness.pairs);
        match witness.flaw {
            Flaw::Lost if self.uses == UseCase::Circuits => {
                format!("{with}, no circuit can be set up {pair}; {among} are cut off")
            }
            Flaw::Lost => format!("{with}, the message {pair} is lost{way}; {among} can lose messages"),
            _ => format!("{with}, the message {pair} can circle forever{way}; {among} can"),
        }
    }

    /// Returns the lines of the text on the algorithm.
    fn lines(&self, network: Network) -> Vec<String> {
        let mut lines = Vec::new();
        for (flaw, witness) in Flaw::ALL.into_iter().zip(&self.witnesses) {
            match witness {
                _ if !self.is_applicable(flaw) => {}
                None if flaw == Flaw::Deadlock => lines.push("deadlock: proved free in all cases examined".to_owned()),
                None => lines.push(format!("{}: none found", self.flaw_name(flaw))),
                Some(witness) => {
                    lines.push(format!("{}: {}", self.flaw_name(flaw), self.describe_flaw(network, witness)));
                    lines.push(format!("  watch it: {}", witness.shown.experiment()));
                }
            }
        }
        lines.push(format!(
            "examined: {}; in each case all pairs of nodes of the largest component and all choices",
            self.coverage()
        ));
        for covered in self.coverage.iter().filter(|covered| covered.pairs > 0 && covered.evaluated_sets > 0) {
            let share = covered.undelivered as f64 / covered.pairs as f64 * 100.0;
            let sets = covered.flawed.iter().zip(Flaw::ALL).filter(|(sets, _)| **sets > 0);
            let flawed = |(sets, flaw): (&u64, Flaw)| match flaw {
                Flaw::Deadlock => format!("{sets} not proved free of deadlock"),
                flaw => format!("{sets} with {}", self.flaw_name(flaw)),
            };
            let sets: Vec<_> = sets.map(flawed).collect();
            let flawed = if sets.is_empty() { "none flawed".to_owned() } else { sets.join(", ") };
            lines.push(format!(
                "  {}: {} examined, {flawed}; {share:.3} % of connected pairs may fail to arrive",
                self.faults(covered.faults),
                count(covered.evaluated_sets as u32, "set")
            ));
        }
        lines
    }

    /// Returns whether a flaw can occur in the use of the routing. Deadlock needs messages that
    /// hold channels while they wait. Circuits take shortest paths, so they cannot cycle.
    fn is_applicable(&self, flaw: Flaw) -> bool {
        match flaw {
            Flaw::Deadlock => self.uses != UseCase::Messages,
            Flaw::Lost => true,
            Flaw::Livelock => self.uses != UseCase::Circuits,
        }
    }

    /// Returns the display name of a flaw.
    fn flaw_name(&self, flaw: Flaw) -> &'static str {
        match flaw {
            Flaw::Deadlock => "deadlock",
            Flaw::Lost if self.uses == UseCase::Circuits => "pairs cut off",
            Flaw::Lost => "lost messages",
            Flaw::Livelock => "messages that circle",
        }
    }
}

impl Document for RefutationReport {
    fn text(&self) -> String {
        let mut text = format!("{}\n", self.experiment);
        for found in &self.refutations {
            let _ = writeln!(text, "\n{}\n  {}", found.name, found.verdict());
            for line in found.lines(self.experiment.network) {
                let _ = writeln!(text, "  {line}");
            }
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

impl RefutationReport {
    /// Returns a record for each algorithm and flaw.
    fn records(&self) -> Vec<Record> {
        let of = |found: &Refutation| {
            let evaluated_sets: u64 = found.coverage.iter().map(|covered| covered.evaluated_sets).sum();
            let record = |(flaw, witness): (Flaw, &Option<Witness>)| {
                let witness = witness.as_ref();
                let verdict = witness.and_then(|witness| witness.shown.verdict());
                let deadlock = match (flaw, verdict) {
                    (Flaw::Deadlock, Some(verdict)) => Some(deadlock::record(verdict, self.experiment.network)),
                    _ => None,
                };
                Record::default()
                    .with("series", found.id.clone())
                    .with("flaw", flaw.id().to_owned())
                    .with("found", witness.is_some_and(|witness| !witness.is_undecided()))
                    .with("faults", witness.map(|witness| witness.faults.join(" ")))
                    .with("struck", witness.map(|witness| witness.affected_pairs))
                    .with("pairs", witness.map(|witness| witness.pairs))
                    .with(
                        "verdict",
                        (flaw == Flaw::Deadlock).then(|| verdict.map_or("proved free", deadlock::verdict_label)),
                    )
                    .with("deadlock", deadlock)
                    .with("looked_at", evaluated_sets)
                    .with("text", witness.map(|witness| witness.shown.experiment().to_string()))
            };
            let all = Flaw::ALL.into_iter().zip(&found.witnesses);
            all.filter(|(flaw, _)| found.is_applicable(*flaw)).map(record).collect::<Vec<_>>()
        };
        self.refutations.iter().flat_map(of).collect()
    }
}
