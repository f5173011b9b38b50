//! `cargo xtask compare`: Faultlab and other simulators on the same networks, side by side in one run, as docs/comparison.md.
//!
//! 1. [`case`] says what is compared, in numbers that belong to no program.
//! 2. [`faultlab`], [`caminos`] and [`booksim`] write it in each program's own words, run it and read what it printed.
//! 3. [`process`] measures what that took, of all by the same clock; [`runs`] puts runs together.
//! 4. [`table`] sets the rows side by side.

mod booksim;
mod caminos;
mod case;
mod faultlab;
mod process;
mod runs;
mod table;

use std::fs;
use std::path::{Path, PathBuf};
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

/// A program that is compared.
enum Program {
    Faultlab,
    Caminos,
    /// Where somebody has it: it is in no registry.
    BookSim(PathBuf),
}

impl Program {
    /// What people call it.
    fn name(&self) -> &'static str {
        match self {
            Self::Faultlab => "Faultlab",
            Self::Caminos => "CAMINOS",
            Self::BookSim(_) => "BookSim2",
        }
    }

    /// Whether it has the network with that traffic.
    fn takes(&self, case: Case) -> bool {
        !matches!(self, Self::BookSim(_)) || booksim::takes(case)
    }

    fn run(&self, case: Case, load: Load) -> Result<Found> {
        match self {
            Self::Faultlab => faultlab::run(case, load, "round-robin"),
            Self::Caminos => caminos::run(case, load),
            Self::BookSim(path) => booksim::run(path, case, load),
        }
    }
}

/// Compares the programs; a quick look prints some rows and writes nothing.
pub(crate) fn command(options: &[&str]) -> Result<()> {
    let (quick, rest) = match options {
        ["--quick", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let mut programs = vec![Program::Faultlab, Program::Caminos];
    match rest {
        [] => {}
        ["--booksim", path] => programs.push(Program::BookSim(found(path)?)),
        _ => bail!("options of compare: --quick, and then --booksim PATH, the program of BookSim2"),
    }
    fs::create_dir_all(FOLDER).with_context(|| format!("creating {FOLDER}/"))?;
    faultlab::build()?;
    caminos::build()?;
    let (cases, begun) = (Case::all(quick), Instant::now());
    let mut rows = Vec::new();
    for (number, &case) in cases.iter().enumerate() {
        let Case { network, channels, .. } = case;
        println!("{} of {}: {} {} vc={channels}", number + 1, cases.len(), network.name(), case.traffic());
        let row = Row::measure(&programs, case, quick)?;
        print!("{}{}{}", table::carried(&row), table::latencies(&row), table::costs(&row));
        rows.push(row);
    }
    let measured = table::text(&programs, &rows, begun.elapsed());
    println!("\n{measured}");
    if quick { Ok(()) } else { write(&measured) }
}

/// The whole path of a program that is there.
fn found(path: &str) -> Result<PathBuf> {
    Path::new(path).canonicalize().with_context(|| format!("--booksim {path}: there is no such program"))
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

/// What one program found of a case; nothing of networks that it does not have.
struct Side {
    alone: Found,
    /// The highest load that is carried, in flits per node and cycle.
    saturation: f64,
    /// At each of the loads.
    at: Vec<Found>,
}

/// What all programs found, Faultlab first.
struct Row {
    case: Case,
    /// By program.
    sides: Vec<Option<Side>>,
    /// [`SHARES`] of the lowest saturation.
    rates: Vec<f64>,
    /// Faultlab at the same loads, the oldest message first at every channel.
    oldest: Vec<Found>,
}

/// The loads at which latencies are compared, as shares of the lowest saturation. At the second one speed and memory are, too.
const SHARES: [f64; 3] = [0.25, 0.5, 0.75];
const HALF: usize = 1;

impl Row {
    /// Measures one program right after the other.
    fn measure(programs: &[Program], case: Case, quick: bool) -> Result<Self> {
        let mut sides = Vec::new();
        for program in programs {
            let side = || {
                let alone = program.run(case, Load::new(case, ALONE, 1))?;
                let saturation = saturation(case, |load| program.run(case, load))?;
                ensure!(saturation > 0.0, "{} carries nothing", program.name());
                Ok(Side { alone, saturation, at: Vec::new() })
            };
            sides.push(if program.takes(case) { Some(side()?) } else { None });
        }
        let lowest = sides.iter().flatten().map(|side| side.saturation).fold(f64::INFINITY, f64::min);
        let rates: Vec<_> = SHARES.iter().map(|share| share * lowest).collect();
        let mut oldest = Vec::new();
        for (number, &rate) in rates.iter().enumerate() {
            for (program, side) in programs.iter().zip(&mut sides) {
                let Some(side) = side else { continue };
                // Of Faultlab more runs, for its processor time to be read from a clock of hundredths of a second.
                let is_timed = matches!(program, Program::Faultlab) && number == HALF;
                let runs = if !is_timed {
                    4
                } else if quick {
                    10
                } else {
                    40
                };
                side.at.push(program.run(case, Load::new(case, rate, runs))?);
            }
            oldest.push(faultlab::run(case, Load::new(case, rate, 4), "oldest")?);
        }
        Ok(Self { case, sides, rates, oldest })
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
