//! `cargo xtask compare`: Faultlab and CAMINOS on the same networks, side by side in one run, as docs/comparison.md.
//!
//! 1. [`case`] says what is compared, in numbers that belong to neither program.
//! 2. [`faultlab`] and [`caminos`] write it in each program's own words, run it and read what it printed.
//! 3. [`process`] measures what that took, of both by the same clock.
//! 4. [`table`] sets the rows side by side.

mod caminos;
mod case;
mod faultlab;
mod process;
mod table;

use std::fs;
use std::time::Instant;

use anyhow::{Context, Result, bail, ensure};

use case::{ALONE, Case, Window};
use process::Cost;

/// Where the programs, their configurations and what they print are.
const FOLDER: &str = "target/compare";
/// What is written.
const FILE: &str = "docs/comparison.md";
/// The table stands between these lines; what is around it is written by hand.
const MARKS: [&str; 2] = ["<!-- measured -->", "<!-- end of what is measured -->"];

/// Compares the programs; a quick look prints some rows and writes nothing.
pub(crate) fn command(options: &[&str]) -> Result<()> {
    let quick = match options {
        [] => false,
        ["--quick"] => true,
        _ => bail!("options of compare: --quick"),
    };
    fs::create_dir_all(FOLDER).with_context(|| format!("creating {FOLDER}/"))?;
    faultlab::build()?;
    caminos::build()?;
    let (cases, begun) = (Case::all(quick), Instant::now());
    let mut rows = Vec::new();
    for (number, &case) in cases.iter().enumerate() {
        let Case { network, channels, .. } = case;
        println!("{} of {}: {} {} vc={channels}", number + 1, cases.len(), network.name(), case.traffic());
        let row = Row::measure(case, quick)?;
        print!("{}{}", table::times(&row), table::costs(&row));
        rows.push(row);
    }
    let measured = table::text(&rows, begun.elapsed());
    println!("\n{measured}");
    if quick { Ok(()) } else { write(&measured) }
}

/// Puts what was measured into the file.
fn write(measured: &str) -> Result<()> {
    let before = fs::read_to_string(FILE).with_context(|| format!("reading {FILE}"))?;
    let [begin, end] = MARKS;
    let parts = before.split_once(begin).and_then(|(head, rest)| Some((head, rest.split_once(end)?.1)));
    let (head, tail) = parts.with_context(|| format!("{FILE} has no lines {begin} and {end}"))?;
    fs::write(FILE, format!("{head}{begin}\n\n{measured}\n{end}{tail}")).with_context(|| format!("writing {FILE}"))
}

/// What a program found at one load.
#[derive(Clone, Copy)]
struct Found {
    /// The mean from a message's generation until its tail is consumed, in cycles, over all messages; not a number where queues grew.
    latency: f64,
    /// Half the width of its 95% interval, by independent runs.
    half_width: f64,
    /// The channels that a message took, on average.
    hops: f64,
    /// Flits consumed per node and cycle, the nodes that a pattern leaves silent included.
    throughput: f64,
    /// Cycles simulated, warm-ups included.
    cycles: f64,
    cost: Cost,
}

impl Found {
    /// How often a flit crossed a channel between nodes, in a second of processor time.
    fn flit_hops_per_second(&self, case: Case) -> f64 {
        self.throughput * f64::from(case.network.nodes()) * self.hops * self.cycles / self.cost.seconds
    }
}

/// What is asked of a program.
#[derive(Clone, Copy)]
struct Load {
    /// Flits per node and cycle.
    rate: f64,
    window: Window,
    /// Independent runs, at least.
    runs: u32,
}

impl Load {
    fn new(case: Case, rate: f64, runs: u32) -> Self {
        Self { rate, window: case.window(rate), runs }
    }
}

/// What both programs found, Faultlab first.
struct Row {
    case: Case,
    alone: [Found; 2],
    /// The highest load that is carried, in flits per node and cycle.
    saturation: [f64; 2],
    /// Half of the lower one.
    rate: f64,
    half: [Found; 2],
    /// Faultlab at the same load, the oldest message first at every channel.
    oldest: Found,
}

impl Row {
    /// Measures one program right after the other.
    fn measure(case: Case, quick: bool) -> Result<Self> {
        let ours = |load| faultlab::run(case, load, "round-robin");
        let theirs = |load| caminos::run(case, load);
        let alone = Load::new(case, ALONE, 1);
        let alone = [ours(alone)?, theirs(alone)?];
        let saturation = [saturation(case, ours)?, saturation(case, theirs)?];
        let rate = saturation[0].min(saturation[1]) / 2.0;
        ensure!(rate > 0.0, "one of them carries nothing: {saturation:?}");
        // Of Faultlab more runs, for its processor time to be read from a clock of hundredths of a second.
        let half = [ours(Load::new(case, rate, if quick { 10 } else { 40 }))?, theirs(Load::new(case, rate, 4))?];
        let oldest = faultlab::run(case, Load::new(case, rate, 4), "oldest")?;
        Ok(Self { case, alone, saturation, rate, half, oldest })
    }
}

/// Loads are tried in so many steps up to what no routing carries: a power of two.
const STEPS: u32 = 32;
/// What is delivered at a load that is carried, of what is offered: 13,000 messages differ by 1% from what is expected.
const CARRIED: f64 = 0.97;

/// The highest load that is carried, by bisection.
fn saturation(case: Case, run: impl Fn(Load) -> Result<Found>) -> Result<f64> {
    let step = case.capacity() / f64::from(STEPS);
    let (mut carried, mut jump) = (0, STEPS / 2);
    while jump > 0 {
        let rate = f64::from(carried + jump) * step;
        let found = run(Load::new(case, rate, 1))?;
        if found.throughput >= CARRIED * rate * case.senders() {
            carried += jump;
        }
        jump /= 2;
    }
    Ok(f64::from(carried) * step)
}
