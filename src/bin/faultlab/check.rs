//! `check`: the theorems on this instance.

use faultlab::experiment::{Experiment, Instance};
use faultlab::report::check::{Check as Checked, Dependencies, checks};
use faultlab::report::{csv, json, words};
use faultlab::topology::Hypercube;

use crate::arguments::Check;
use crate::input;
use crate::output::{Failure, print};

/// `faultlab check`.
pub(crate) fn check(arguments: &Check) -> Result<(), Failure> {
    let experiment = input::experiment(&arguments.experiment)?;
    let mut instance = Instance::new(&experiment);
    let found = checks(&mut instance);
    print(&match arguments {
        Check { json: true, .. } => json::checks(&experiment, &found),
        Check { csv: true, .. } => csv::checks(&experiment, &found),
        _ => told(&experiment, instance.cell.cube, &found),
    })
}

/// What is proved, for people.
fn told(experiment: &Experiment, cube: Hypercube, checks: &[Checked]) -> String {
    let proved: String = checks.iter().map(|check| proved(cube, check)).collect();
    format!("{experiment}\n{proved}")
}

fn proved(cube: Hypercube, check: &Checked) -> String {
    let connected =
        check.connectivity.as_ref().map_or("not decided (whole cubes are explored up to n = 20)".into(), |c| {
            let joined = if c.connected { "connected" } else { "cut off from each other" };
            format!("{joined}; {} live nodes in {}", c.live, words::count(c.components.len() as u32, "component"))
        });
    let exact = check.exact_success.map_or("not computed (up to n = 10; with marks up to n = 5)".into(), |share| {
        let length = check.exact_length.map_or(String::new(), |length| format!(", after {length:.3} hops on average"));
        format!("{:.4}%{length}", share * 100.0)
    });
    let form = check.closed_form.map_or("no closed form".into(), |(share, equation)| {
        format!("{:.4}%, by {equation} of Gordon & Stout", share * 100.0)
    });
    let theorem = check.theorem.map_or(String::new(), |difference| {
        format!("\n  deterministic equals random, over all fault sets: differs by at most {difference:.1e}")
    });
    let graph = check
        .dependencies
        .as_ref()
        .map_or("not built (up to n = 8, for local algorithms that remember nothing)".into(), |graph| {
            dependencies(cube, graph)
        });
    format!(
        "\n{}\n  source and destination: {connected}\n  arrives on these faults: {exact}\n  arrives over all fault \
         patterns: {form}{theorem}\n  channel dependency graph: {graph}\n",
        check.algorithm.name
    )
}

fn dependencies(cube: Hypercube, graph: &Dependencies) -> String {
    let size = format!("{} channels, {} dependencies", graph.channels, graph.dependencies);
    let Some(cycle) = &graph.cycle else {
        return format!("acyclic ({size}): messages that hold their channels can never deadlock");
    };
    let link = |&(from, to)| format!("{} -> {}", words::node(cube, from), words::node(cube, to));
    let links: Vec<_> = cycle.iter().map(link).collect();
    format!("cyclic ({size}); a shortest cycle: {}", links.join(", "))
}
