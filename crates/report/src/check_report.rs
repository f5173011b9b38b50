//! Exact results on one instance of any kind: the content of *Check* and of `faultlab check`.

use std::fmt::Write as _;

use super::check_verdict::CheckVerdict;
use super::cost::CostReport;
use super::cycle::DependencyCycle;
use super::document::Document;
use super::wording::facts::Fact;
use super::wording::formula::plain;
use super::wording::wrap;
use faultlab_experiment::Experiment;

/// Exact facts on one instance: on its network, on its messages, and on each algorithm.
///
/// Algorithms are numbered from 0 in the order of [`CheckReport::names`]; larger numbers have no
/// facts.
pub trait CheckReport: Document {
    /// Returns the experiment.
    fn experiment(&self) -> &Experiment;

    /// Returns the end of the sentence "The results are computed, ..": the scope of the facts, and the
    /// theorems with which they are compared. The string is empty, or starts with a comma.
    fn ground(&self) -> &'static str;

    /// Returns the facts that hold on the network under every algorithm.
    fn network_facts(&self) -> Vec<Fact>;

    /// Returns the facts that hold for the messages under every algorithm; empty if the check has
    /// none.
    fn message_facts(&self) -> Vec<Fact> {
        Vec::new()
    }

    /// Returns the display names of the checked algorithms, in the order of the experiment.
    fn names(&self) -> Vec<&str>;

    /// Returns the verdict on algorithm number `number`, which exists.
    fn verdict(&self, number: usize) -> CheckVerdict;

    /// Returns the facts on algorithm number `number`.
    fn facts(&self, number: usize) -> Vec<Fact>;

    /// Returns the run in which algorithm number `number` ends in a deadlock, if there is one.
    fn deadlock(&self, _number: usize) -> Option<&Experiment> {
        None
    }

    /// Returns a sentence for each channel of the dependency cycle of algorithm number `number`, with
    /// a message that holds it; empty without a cycle. The numbers are those of the cycle's picture.
    fn witnesses(&self, _number: usize) -> Vec<String> {
        Vec::new()
    }

    /// Returns the dependency cycle of algorithm number `number`, if there is one.
    fn cycle(&self, _number: usize) -> Option<DependencyCycle> {
        None
    }
}

/// Maximum number of characters in a line of a fact's meaning.
const WIDTH: usize = 110;

/// Returns the whole report as text, after the text of the experiment: the verdicts, then the facts.
/// `table` goes between the facts under every algorithm and the facts on each algorithm.
pub(crate) fn render_text(checked: &dyn CheckReport, experiment: &Experiment, table: &str) -> String {
    let mut text = format!("{experiment}\n");
    if !checked.names().is_empty() {
        text.push_str("\nVerdicts\n");
    }
    for number in 0..checked.names().len() {
        let _ = writeln!(text, "  {}", checked.verdict(number));
    }
    push_facts(&mut text, "This network", &checked.network_facts());
    push_facts(&mut text, "These messages", &checked.message_facts());
    text.push_str(table);
    for (number, name) in checked.names().into_iter().enumerate() {
        push_facts(&mut text, name, &checked.facts(number));
        if let Some(deadlock) = checked.deadlock(number) {
            let _ = writeln!(text, "      watch it: {deadlock}");
        }
        for line in checked.witnesses(number) {
            let _ = writeln!(text, "      {line}");
        }
    }
    push_costs(&mut text, experiment);
    text
}

/// Appends the section "Cost"; nothing without an algorithm.
fn push_costs(text: &mut String, experiment: &Experiment) {
    let costs = CostReport::from_experiment(experiment);
    if costs.algorithms.is_empty() {
        return;
    }
    text.push_str("\nCost\n");
    for line in costs.table() {
        let _ = writeln!(text, "  {}", line.trim_end());
    }
    text.push_str("  faultlab cost prints each part with its formula and source\n");
}

/// Appends the facts under a heading; nothing if there are none.
fn push_facts(text: &mut String, heading: &str, facts: &[Fact]) {
    if facts.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{heading}");
    for fact in facts {
        let _ = writeln!(text, "  {}: {}", fact.what, plain(&fact.value));
        for line in wrap(&plain(&fact.meaning), WIDTH) {
            let _ = writeln!(text, "      {line}");
        }
    }
}
