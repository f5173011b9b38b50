//! Runs of CAMINOS, built from the registry.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::case::{Case, CaseFamily, LENGTH};
use super::runs::{self, RunResult};
use super::{FOLDER, Load, LoadResult, process};
use crate::run;

/// Compared version; its Cargo.lock determines the version of `caminos-lib`.
pub(super) const VERSION: &str = "0.6.3";

/// Builds CAMINOS with the optimizations of Faultlab, unless it is installed.
pub(super) fn build() -> Result<()> {
    let (folder, marker) = (format!("{FOLDER}/caminos"), format!("{FOLDER}/caminos/{VERSION}"));
    if Path::new(&marker).exists() {
        return Ok(());
    }
    println!("Building caminos {VERSION} into {folder}/ (some minutes, once)");
    let mut install = run::cargo("install caminos --quiet --locked --force --root");
    install.args([&folder, "--version", VERSION]);
    install.env("CARGO_PROFILE_RELEASE_LTO", "true").env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1");
    run::run(&mut install)?;
    fs::write(&marker, "").with_context(|| format!("writing {marker}"))
}

/// Returns the configuration, one key per line as in the manual of CAMINOS.
pub(super) fn configuration(case: Case, load: Load, seed: u32) -> String {
    let Case { network, channels, .. } = case;
    let (nodes, dimensions) = (network.nodes(), network.dimensions);
    let topology = if network.family == CaseFamily::Torus { "Torus" } else { "Mesh" };
    let sides = list((0..dimensions).map(|_| network.side));
    let pattern = if case.is_transpose {
        // The halves of the address are swapped.
        let permuted = list((0..dimensions).map(|dimension| (dimension + dimensions / 2) % dimensions));
        format!("CartesianTransform\n\t\t{{\n\t\t\tsides: {sides},\n\t\t\tpermute: {permuted},\n\t\t}}")
    } else {
        "Uniform".to_owned()
    };
    let [buffer, flit, output] = buffers(case);
    let bubble = network.family == CaseFamily::Torus;
    // One class for each dimension, and one for the servers.
    let links = "\t\tLinkClass { delay: 1 },\n".repeat(dimensions as usize + 1);
    format!(
        "Configuration\n{{\n\trandom_seed: {seed},\n\twarmup: {},\n\tmeasured: {},\n\tserver_queue_size: 128,\n\
         \ttopology: {topology}\n\t{{\n\t\tsides: {sides},\n\t\tservers_per_router: 1,\n\t}},\n\
         \ttraffic: HomogeneousTraffic\n\t{{\n\t\tpattern: {pattern},\n\t\ttasks: {nodes},\n\t\tload: {},\n\
         \t\tmessage_size: {LENGTH},\n\t}},\n\tmaximum_packet_size: {LENGTH},\n\
         \trouter: Basic\n\t{{\n\t\tvirtual_channels: {channels},\n\t\tvirtual_channel_policies: [EnforceFlowControl, Random],\n\
         \t\tbuffer_size: {buffer},\n\t\tbubble: {bubble},\n\t\tflit_size: {flit},\n\t\tintransit_priority: false,\n\
         \t\tallow_request_busy_port: true,\n\t\toutput_prioritize_lowest_label: false,\n\t\toutput_buffer_size: {output},\n\t}},\n\
         \trouting: DOR {{ order: {} }},\n\tlink_classes: [\n{links}\t],\n}}\n",
        load.window.warm_up,
        load.window.span,
        load.rate,
        list(0..dimensions),
    )
}

/// Returns the buffer size in flits, the free space in flits that a message needs to continue, and
/// the size of a link's output buffer.
///
/// With several virtual channels and no output buffers, messages that lose the arbitration for a
/// link stay blocked forever. With output buffers, flits enter them even if they are full, unless
/// space for the whole message is required. On a torus, a message that enters a dimension leaves
/// space for another message, in both buffers.
fn buffers(case: Case) -> [u32; 3] {
    match (case.channels, case.network.family) {
        (1, _) => [case.buffer(), 1, 0],
        (_, CaseFamily::Torus) => [2 * case.buffer(), LENGTH, 2 * LENGTH],
        _ => [case.buffer(), LENGTH, LENGTH],
    }
}

fn list(numbers: impl Iterator<Item = u32>) -> String {
    format!("[{}]", numbers.map(|number| number.to_string()).collect::<Vec<_>>().join(", "))
}

/// Runs CAMINOS once for each seed.
pub(super) fn run(case: Case, load: Load) -> Result<LoadResult> {
    runs::all(load.runs, load.window.warm_up + load.window.span, |seed| run_once(case, load, seed))
}

const KEYS: [&str; 3] = ["average_message_delay", "average_packet_hops", "accepted_load"];

/// Runs CAMINOS with one seed and reads the values of the keys.
fn run_once(case: Case, load: Load, seed: u32) -> Result<RunResult> {
    let (path, result) = (format!("{FOLDER}/caminos.cfg"), format!("{FOLDER}/result.txt"));
    fs::write(&path, configuration(case, load, seed)).with_context(|| format!("writing {path}"))?;
    // The result of an earlier run must not be read as the result of this one.
    fs::write(&result, "").with_context(|| format!("writing {result}"))?;
    let program = format!("{FOLDER}/caminos/bin/caminos");
    let (_, cost) = process::run(run::program(program).args([&path, &format!("--results={result}")]), FOLDER)?;
    let printed: String = fs::read_to_string(&result)?.split_whitespace().collect();
    let value = |key| value_in(&printed, key).with_context(|| format!("{key} in {result} of {path}"));
    let [latency, hops, throughput] = KEYS.map(value);
    Ok(RunResult { latency: latency?, hops: hops?, throughput: throughput?, cost })
}

/// Returns the number of a key in `Result{cycle:100,accepted_load:0.25,..}`.
fn value_in(printed: &str, key: &str) -> Option<f64> {
    let (_, rest) = printed.split_once(&format!("{key}:"))?;
    rest.split([',', '}']).next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_a_result() {
        let printed = "Result{cycle:11400,accepted_load:0.25,average_packet_hops:5.5}";
        assert_eq!(value_in(printed, "accepted_load"), Some(0.25));
        assert_eq!(value_in(printed, "average_packet_hops"), Some(5.5));
        assert_eq!(value_in(printed, "average_message_delay"), None);
    }
}
