//! What is proved of one instance, whatever its kind: what Check shows and `faultlab check` prints.

use std::fmt::Write as _;

use super::cycle::DependencyCycle;
use super::document::Document;
use super::words::facts::Fact;
use super::words::wrapped;
use faultlab_experiment::Experiment;

/// What can be said exactly of one instance: of its network, of its messages, and of each algorithm on them.
///
/// Algorithms count from 0 in the order of [`Checked::names`]; of any other number there is nothing to say.
pub trait Checked: Document {
    /// Where it follows from beside the instance itself: the end of the sentence "Computed, not sampled, .."; empty, or
    /// from its comma on.
    fn ground(&self) -> &'static str;

    /// What holds of the network, whatever the algorithm.
    fn network(&self) -> Vec<Fact>;

    /// What holds of the messages, whatever the algorithm; nothing where there is a single one, or any.
    fn messages(&self) -> Vec<Fact> {
        Vec::new()
    }

    /// The names of the algorithms that something is said of, for people, in the order of the experiment.
    fn names(&self) -> Vec<&str>;

    /// What holds of algorithm number `number`.
    fn of(&self, number: usize) -> Vec<Fact>;

    /// The run in which algorithm number `number` ends in a deadlock, if there is one.
    fn deadlock(&self, _number: usize) -> Option<&Experiment> {
        None
    }

    /// The messages that realise the dependency cycle of algorithm number `number`, a sentence each; none without a cycle.
    fn witnesses(&self, _number: usize) -> Vec<String> {
        Vec::new()
    }

    /// The dependency cycle of algorithm number `number`, if it has one.
    fn cycle(&self, _number: usize) -> Option<DependencyCycle> {
        None
    }
}

/// The characters of a line of what facts mean.
const WIDTH: usize = 110;

/// All of it for people, after the text of the experiment; `table` stands between what holds of all algorithms and what
/// holds of each.
pub(crate) fn told(checked: &dyn Checked, experiment: &Experiment, table: &str) -> String {
    let mut text = format!("{experiment}\n");
    facts(&mut text, "This network", &checked.network());
    facts(&mut text, "These messages", &checked.messages());
    text.push_str(table);
    for (number, name) in checked.names().into_iter().enumerate() {
        facts(&mut text, name, &checked.of(number));
        if let Some(deadlock) = checked.deadlock(number) {
            let _ = writeln!(text, "      watch it: {deadlock}");
        }
        for line in checked.witnesses(number) {
            let _ = writeln!(text, "      {line}");
        }
    }
    text
}

/// Facts under a heading, if there are any.
fn facts(text: &mut String, heading: &str, facts: &[Fact]) {
    if facts.is_empty() {
        return;
    }
    let _ = writeln!(text, "\n{heading}");
    for fact in facts {
        let _ = writeln!(text, "  {}: {}", fact.what, fact.value);
        for line in wrapped(&fact.meaning, WIDTH) {
            let _ = writeln!(text, "      {line}");
        }
    }
}
