//! Command `cargo xtask compare`: compares Faultlab with other simulators on the same networks, in
//! docs/comparison.md.
//!
//! 1. [`case`] defines the compared cases, independently of any program.
//! 2. [`faultlab`], [`caminos`] and [`booksim`] write the configuration of each program, run it and
//!    read its output.
//! 3. [`process`] measures the cost of all programs in the same way; [`runs`] combines independent
//!    runs.
//! 4. [`table`] formats the rows.

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

use case::{Case, Window, ZERO_LOAD};
use process::ProgramCost;

/// Folder of the programs, their configurations and outputs.
const FOLDER: &str = "target/compare";
/// File with the comparison.
const FILE: &str = "docs/comparison.md";
/// Lines around the generated tables; the rest of the file is written by hand.
const MARKS: [&str; 2] = ["<!-- measured -->", "<!-- end of what is measured -->"];

/// Compared program.
enum ComparedProgram {
    Faultlab,
    Caminos,
    /// BookSim2 at the given path, because BookSim2 is in no registry.
    BookSim(PathBuf),
}

impl ComparedProgram {
    /// Returns the display name.
    fn name(&self) -> &'static str {
        match self {
            Self::Faultlab => "Faultlab",
            Self::Caminos => "CAMINOS",
            Self::BookSim(_) => "BookSim2",
        }
    }

    /// Returns whether the program supports the network with that traffic.
    fn supports(&self, case: Case) -> bool {
        !matches!(self, Self::BookSim(_)) || booksim::supports(case)
    }

    fn run(&self, case: Case, load: Load) -> Result<LoadResult> {
        match self {
            Self::Faultlab => faultlab::run(case, load, "round-robin"),
            Self::Caminos => caminos::run(case, load),
            Self::BookSim(path) => booksim::run(path, case, load),
        }
    }
}

/// Compares the programs; a quick comparison prints some rows and writes nothing.
pub(crate) fn command(options: &[&str]) -> Result<()> {
    let (quick, rest) = match options {
        ["--quick", rest @ ..] => (true, rest),
        rest => (false, rest),
    };
    let mut programs = vec![ComparedProgram::Faultlab, ComparedProgram::Caminos];
    match rest {
        [] => {}
        ["--booksim", path] => programs.push(ComparedProgram::BookSim(program_path(path)?)),
        _ => bail!("compare accepts --quick, then --booksim PATH (the BookSim2 program)"),
    }
    fs::create_dir_all(FOLDER).with_context(|| format!("creating {FOLDER}/"))?;
    faultlab::build()?;
    caminos::build()?;
    let (cases, begun) = (Case::all(quick), Instant::now());
    let mut rows = Vec::new();
    for (number, &case) in cases.iter().enumerate() {
        let Case { network, channels, .. } = case;
        println!("{} of {}: {} {} vc={channels}", number + 1, cases.len(), network.name(), case.traffic());
        let row = CaseResults::measure(&programs, case, quick)?;
        print!("{}{}{}", table::saturation_row(&row), table::latencies(&row), table::costs(&row));
        rows.push(row);
    }
    let measured = table::text(&programs, &rows, begun.elapsed());
    println!("\n{measured}");
    if quick { Ok(()) } else { write(&measured) }
}

/// Returns the absolute path of an existing program.
fn program_path(path: &str) -> Result<PathBuf> {
    Path::new(path).canonicalize().with_context(|| format!("--booksim {path}: no such program"))
}

/// Writes the tables into the file.
fn write(measured: &str) -> Result<()> {
    let before = fs::read_to_string(FILE).with_context(|| format!("reading {FILE}"))?;
    let [begin, end] = MARKS;
    let parts = before.split_once(begin).and_then(|(head, rest)| Some((head, rest.split_once(end)?.1)));
    let (head, tail) = parts.with_context(|| format!("{FILE} has no lines {begin} and {end}"))?;
    fs::write(FILE, format!("{head}{begin}\n\n{measured}\n{end}{tail}")).with_context(|| format!("writing {FILE}"))
}

/// Results of a program at one load.
#[derive(Clone, Copy)]
struct LoadResult {
    /// Mean latency of all messages from generation until the tail is ejected, in cycles; NaN if
    /// queues grew.
    latency: f64,
    /// Half-width of the latency's 95% interval, from independent runs.
    half_width: f64,
    /// Mean number of channels of a message's path.
    hops: f64,
    /// Flits ejected per node and cycle, averaged over all nodes, including nodes that send
    /// nothing.
    throughput: f64,
    /// Simulated cycles, warm-ups included.
    cycles: f64,
    cost: ProgramCost,
}

impl LoadResult {
    /// Returns the number of flit moves across channels between nodes per second of processor time.
    fn flit_hops_per_second(&self, case: Case) -> f64 {
        self.throughput * f64::from(case.network.nodes()) * self.hops * self.cycles / self.cost.seconds
    }
}

/// Load and measurement of a run.
#[derive(Clone, Copy)]
struct Load {
    /// Offered load in flits per node and cycle.
    rate: f64,
    window: Window,
    /// Minimum number of independent runs.
    runs: u32,
}

impl Load {
    fn new(case: Case, rate: f64, runs: u32) -> Self {
        Self { rate, window: case.window(rate), runs }
    }
}

/// Results of one program for a case.
struct ProgramResults {
    alone: LoadResult,
    /// Saturation load, in flits per node and cycle.
    saturation: f64,
    /// Results at each load of [`CaseResults::rates`].
    at: Vec<LoadResult>,
}

/// Results of all programs for a case, Faultlab first.
struct CaseResults {
    case: Case,
    /// Results by program; `None` if the program does not support the case.
    sides: Vec<Option<ProgramResults>>,
    /// Loads: [`SHARES`] of the lowest saturation load.
    rates: Vec<f64>,
    /// Results of Faultlab at the same loads with oldest-first arbitration.
    oldest: Vec<LoadResult>,
}

/// Loads at which latencies are compared, as shares of the lowest saturation load. Speed and memory
/// are compared at the second one.
const SHARES: [f64; 3] = [0.25, 0.5, 0.75];
const TIMED_SHARE: usize = 1;

impl CaseResults {
    /// Measures the programs one after the other.
    fn measure(programs: &[ComparedProgram], case: Case, quick: bool) -> Result<Self> {
        let mut sides = Vec::new();
        for program in programs {
            let side = || {
                let alone = program.run(case, Load::new(case, ZERO_LOAD, 1))?;
                let saturation = saturation(case, |load| program.run(case, load))?;
                ensure!(saturation > 0.0, "{} delivers no messages", program.name());
                Ok(ProgramResults { alone, saturation, at: Vec::new() })
            };
            sides.push(if program.supports(case) { Some(side()?) } else { None });
        }
        let lowest = sides.iter().flatten().map(|side| side.saturation).fold(f64::INFINITY, f64::min);
        let rates: Vec<_> = SHARES.iter().map(|share| share * lowest).collect();
        let mut oldest = Vec::new();
        for (number, &rate) in rates.iter().enumerate() {
            for (program, side) in programs.iter().zip(&mut sides) {
                let Some(side) = side else { continue };
                // Faultlab makes more runs, because its processor time is read from a clock of
                // hundredths of a second.
                let is_timed = matches!(program, ComparedProgram::Faultlab) && number == TIMED_SHARE;
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

/// Number of load steps up to the capacity; a power of two.
const STEPS: u32 = 32;
/// Minimum ratio of delivered to offered load below saturation: 13,000 messages differ from the
/// expectation by 1%.
const MIN_DELIVERED: f64 = 0.97;

/// Finds the saturation load by bisection.
fn saturation(case: Case, run: impl Fn(Load) -> Result<LoadResult>) -> Result<f64> {
    let step = case.capacity() / f64::from(STEPS);
    let (mut carried, mut jump) = (0, STEPS / 2);
    while jump > 0 {
        let rate = f64::from(carried + jump) * step;
        let found = run(Load::new(case, rate, 1))?;
        if found.throughput >= MIN_DELIVERED * rate * case.senders() {
            carried += jump;
        }
        jump /= 2;
    }
    Ok(f64::from(carried) * step)
}
