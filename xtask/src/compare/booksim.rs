//! Runs of BookSim2, for which the user gives the path of the program.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};

use super::case::{Case, CaseFamily, LENGTH};
use super::runs::{self, RunResult};
use super::{FOLDER, Load, LoadResult, process};
use crate::run;

/// Returns whether BookSim2 supports the network and the traffic of `case`: its transpose pattern
/// permutes the bits of addresses, so the number of nodes must be a power of two.
pub(super) fn supports(case: Case) -> bool {
    !case.is_transpose || case.network.nodes().is_power_of_two()
}

/// Returns the configuration, one key per line. The router has the smallest possible delays: one
/// cycle each for VC allocation, switch allocation and switch traversal.
pub(super) fn configuration(case: Case, load: Load, seed: u32) -> String {
    let Case { network, channels, .. } = case;
    let topology = if network.family == CaseFamily::Torus { "torus" } else { "mesh" };
    let Periods { length, warm_up } = Periods::from_load(load);
    format!(
        "topology = {topology};\nk = {};\nn = {};\nrouting_function = dim_order;\nuse_noc_latency = 0;\n\
         num_vcs = {channels};\nvc_buf_size = {};\n\
         routing_delay = 0;\nvc_alloc_delay = 1;\nsw_alloc_delay = 1;\nst_final_delay = 1;\n\
         traffic = {};\npacket_size = {LENGTH};\ninjection_rate = {:.6};\ninjection_rate_uses_flits = 1;\n\
         sim_type = latency;\nsample_period = {length};\nwarmup_periods = {warm_up};\nmax_samples = {};\n\
         latency_thres = 1000000000.0;\nstopping_thres = 1000000000.0;\nacc_stopping_thres = 1000000000.0;\n\
         deadlock_warn_timeout = 1000000;\nseed = {seed};\n",
        network.side,
        network.dimensions,
        case.buffer(),
        case.traffic(),
        load.rate,
        warm_up + Periods::MEASURED,
    )
}

/// Measurement periods of BookSim2: the warm-up and the window consist of whole periods of one
/// length.
struct Periods {
    length: u32,
    warm_up: u32,
}

impl Periods {
    /// Number of measured periods. BookSim2 ends after three periods whose results meet its
    /// thresholds. The thresholds of the configuration are so high that every result meets them.
    const MEASURED: u32 = 3;

    fn from_load(load: Load) -> Self {
        let length = load.window.span / Self::MEASURED;
        Self { length, warm_up: load.window.warm_up.div_ceil(length) }
    }
}

/// Runs BookSim2 once for each seed.
pub(super) fn run(program: &Path, case: Case, load: Load) -> Result<LoadResult> {
    let Periods { length, warm_up } = Periods::from_load(load);
    runs::all(load.runs, length * (warm_up + Periods::MEASURED), |seed| {
        let path = format!("{FOLDER}/booksim.cfg");
        fs::write(&path, configuration(case, load, seed)).with_context(|| format!("writing {path}"))?;
        let (printed, cost) = process::run(run::program(program).arg(&path), FOLDER)?;
        let found = found_in(&printed);
        let [latency, routers, throughput] =
            found.with_context(|| format!("{} printed no statistics for {path}", program.display()))?;
        // BookSim2 counts routers as hops.
        Ok(RunResult { latency, hops: routers - 1.0, throughput, cost })
    })
}

const KEYS: [&str; 3] = ["Packet latency average", "Hops average", "Accepted flit rate average"];

/// Returns the values of the keys in the statistics of the whole run, which follow the statistics
/// of its periods: `Hops average = 6.33 (1 samples)`.
fn found_in(printed: &str) -> Option<[f64; 3]> {
    let (_, overall) = printed.rsplit_once("Overall Traffic Statistics")?;
    let value = |key: &str| -> Option<f64> {
        let rest = overall.lines().find_map(|line| line.trim().strip_prefix(key))?;
        rest.trim_start().strip_prefix('=')?.split_whitespace().next()?.parse().ok()
    };
    let [latency, hops, throughput] = KEYS.map(value);
    Some([latency?, hops?, throughput?])
}

#[cfg(test)]
mod tests {
    use super::super::case::CaseNetwork;
    use super::*;

    #[test]
    fn reads_overall_statistics() {
        let printed = "Class 0:\nPacket latency average = 9\nHops average = 1\n====== Overall Traffic Statistics ======\n\
                       ====== Traffic class 0 ======\nPacket latency average = 40.5 (1 samples)\n\tminimum = 17 (1 samples)\n\
                       Accepted flit rate average= 0.2 (1 samples)\nHops average = 6.25 (1 samples)\n";
        assert_eq!(found_in(printed), Some([40.5, 6.25, 0.2]));
        assert_eq!(found_in("Simulation unstable, ending ..."), None);
    }

    #[test]
    fn sample_periods_cover_window_and_warm_up() {
        let network = CaseNetwork { family: CaseFamily::Mesh, side: 8, dimensions: 2 };
        let case = Case { network, is_transpose: true, channels: 4 };
        let load = Load::new(case, 0.1, 1);
        let Periods { length, warm_up } = Periods::from_load(load);
        assert_eq!(length * Periods::MEASURED, load.window.span);
        assert!(length * warm_up >= load.window.warm_up && length * (warm_up - 1) < load.window.warm_up);
        let text = configuration(case, load, 7);
        for line in
            ["topology = mesh;", "k = 8;", "n = 2;", "traffic = transpose;", "injection_rate = 0.100000;", "seed = 7;"]
        {
            assert!(text.lines().any(|it| it == line), "{line} in {text}");
        }
    }

    #[test]
    fn transpose_is_unsupported_for_49_nodes() {
        let network = CaseNetwork { family: CaseFamily::Torus, side: 7, dimensions: 2 };
        assert!(supports(Case { network, is_transpose: false, channels: 4 }));
        assert!(!supports(Case { network, is_transpose: true, channels: 4 }));
    }
}
