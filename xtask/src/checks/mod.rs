//! Command `cargo xtask test`: every check of the project, in order, up to the first failure; some
//! run in parallel.

mod parallel;

use std::path::Path;
use std::process::Command;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};

use parallel::ParallelChecks;

use crate::browser::{Driver, TestBed};
use crate::browser_engine::{BrowserEngine, CHROMIUM, ENGINES, FIREFOX, WEBKIT};
use crate::run::{build_for_tests, cargo, run};
use crate::target::DIST;
use crate::test_times::run_tests;
use crate::{build, comments, layers, notebooks, package, python, size, slurm, test_times, tools};

/// Check of the project; `run` returns its line in the summary.
struct CheckStep {
    name: &'static str,
    about: &'static str,
    /// Usual time in seconds, in a run of all steps on two cores after a change in every crate.
    budget: u32,
    run: fn() -> Result<String>,
}

/// All checks, in the order of [`RUST_STEPS`], [`BUILD_STEPS`], `slurm`, `page` and the rest.
const STEPS: [CheckStep; 16] = [
    CheckStep { name: "format", about: "the code is formatted", budget: 20, run: format_step },
    CheckStep {
        name: "lint",
        about: "clippy, for every target and set of features; language of the comments",
        budget: 300,
        run: lint_step,
    },
    CheckStep { name: "doc", about: "the documentation, without warnings", budget: 90, run: doc_step },
    CheckStep {
        name: "layers",
        about: "modules use only permitted modules",
        budget: 5,
        run: || layers::check(Path::new(".")),
    },
    CheckStep { name: "native", about: "all native tests", budget: 500, run: native_step },
    CheckStep {
        name: "python",
        about: "the Python package: same bytes as the command line; its types",
        budget: 60,
        run: python::check,
    },
    CheckStep { name: "build", about: "the page builds", budget: 700, run: build_step },
    CheckStep {
        name: "size",
        about: "the page is within its size budget",
        budget: 20,
        run: || size::check(Path::new(DIST)),
    },
    CheckStep { name: "slurm", about: "an array job on Slurm with one node, merged", budget: 200, run: slurm::check },
    CheckStep { name: "page", about: "the built page, used in Chromium", budget: 550, run: page_step },
    CheckStep { name: "wasm", about: "the core's tests, compiled for wasm32, in Node.js", budget: 300, run: wasm_step },
    CheckStep {
        name: "golden",
        about: "the golden results in Chromium, Firefox and WebKitGTK",
        budget: 200,
        run: golden_step,
    },
    CheckStep {
        name: "package",
        about: "the npm package, installed without a network: same bytes in Node.js as natively",
        budget: 250,
        run: package::check,
    },
    CheckStep {
        name: "notebooks",
        about: "the example notebooks; figures in JupyterLab, Notebook, marimo and exported pages, in Chromium",
        budget: 150,
        run: notebooks::check,
    },
    CheckStep {
        name: "firefox",
        about: "the page tests of what engines may implement differently, in Firefox",
        budget: 250,
        run: || engine_step(&FIREFOX),
    },
    CheckStep { name: "webkit", about: "the same tests in WebKitGTK", budget: 250, run: || engine_step(&WEBKIT) },
];

/// Number of the first checks, which need nothing but Rust, and Python for the last one.
const RUST_STEPS: usize = 6;
/// Number of the next checks, which install tools and build the page. They run in parallel with the
/// [`RUST_STEPS`] checks and with `slurm`, which mostly waits.
const BUILD_STEPS: usize = 2;

/// Lists the steps, or runs the named steps in sequence, or runs all steps.
pub(crate) fn command(arguments: &[&str]) -> Result<()> {
    if let ["--thorough", names @ ..] = arguments {
        // All child processes inherit the variable.
        let mut thorough = Command::new(std::env::current_exe().context("locating this program")?);
        return run(thorough.arg("test").args(names).env("FAULTLAB_THOROUGH", "1"));
    }
    if let [parallel::CHILD_OPTION, names @ ..] = arguments {
        return run_beside(names);
    }
    if arguments == ["--list"] {
        for step in &STEPS {
            println!("{:9} {}", step.name, step.about);
        }
        return Ok(());
    }
    if arguments.is_empty() {
        return run_all();
    }
    run_steps(&steps_named(arguments)?, || Ok(true)).map(drop)
}

/// Returns the steps with `names`, in the order of [`STEPS`].
fn steps_named(names: &[&str]) -> Result<Vec<&'static CheckStep>> {
    for name in names {
        if !STEPS.iter().any(|step| step.name == *name) {
            bail!("unknown step '{name}'; accepted: {}", STEPS.map(|step| step.name).join(", "));
        }
    }
    Ok(STEPS.iter().filter(|step| names.contains(&step.name)).collect())
}

/// Runs the named steps as a child process of [`run_all`], until the parent process ends.
fn run_beside(arguments: &[&str]) -> Result<()> {
    let (has_budgets, names) = match arguments {
        [parallel::BUDGETS_OPTION, names @ ..] => (true, names),
        names => (false, names),
    };
    let stop = parallel::parent_ended();
    run_sequence(&steps_named(names)?, has_budgets, || Ok(!stop.load(Ordering::Relaxed)))
}

/// Runs all steps: three sequences in parallel, then the tests of the built page in Chromium beside
/// all other checks of WebAssembly. Both halves take about the same time.
///
/// Two kinds of runs have no budgets: the first run in a clone, which compiles the dependencies and
/// installs the tools, and thorough runs.
fn run_all() -> Result<()> {
    let start = Instant::now();
    let has_budgets = Path::new(DIST).exists() && !is_thorough();
    tools::ensure_wasm_target()?;
    let (rust, rest) = STEPS.split_at(RUST_STEPS);
    let (build, rest) = rest.split_at(BUILD_STEPS);
    let (slurm, rest) = rest.split_at(1);
    let (page, rest) = rest.split_at(1);
    run_in_parallel(rust, &[build, slurm], has_budgets)?;
    run_in_parallel(page, &[rest], has_budgets)?;
    println!("\nAll {} checks passed in {}.", STEPS.len(), seconds(start.elapsed()));
    Ok(())
}

/// Runs the sequence `steps`, and each of `others` in a process of its own.
fn run_in_parallel(steps: &[CheckStep], others: &[&[CheckStep]], has_budgets: bool) -> Result<()> {
    let others = others.iter().map(|steps| steps.iter().map(|step| step.name).collect());
    let mut others = ParallelChecks::start_all(others, has_budgets)?;
    let go_on = || ParallelChecks::none_has_failed(&mut others);
    let outcome = run_sequence(&steps.iter().collect::<Vec<_>>(), has_budgets, go_on);
    ParallelChecks::wait_for_all(others, outcome)
}

/// Runs all steps of a sequence, within their budgets if `has_budgets`.
fn run_sequence(steps: &[&CheckStep], has_budgets: bool, go_on: impl FnMut() -> Result<bool>) -> Result<()> {
    let times = run_steps(steps, go_on)?;
    if !has_budgets {
        return Ok(());
    }
    let budgets: Vec<_> = steps.iter().map(|step| (step.name, step.budget)).collect();
    check_budgets(&budgets, &times)
}

/// Runs `steps` in order, as long as `go_on` returns true, and returns their times.
fn run_steps(steps: &[&CheckStep], mut go_on: impl FnMut() -> Result<bool>) -> Result<Vec<Duration>> {
    let start = Instant::now();
    let (mut summary, mut times) = (Vec::new(), Vec::new());
    for (index, step) in steps.iter().enumerate() {
        if !go_on()? {
            bail!("skipped step '{}' and all later ones because a parallel step failed", step.name);
        }
        println!("\n=== {}/{} {}: {} ===", index + 1, steps.len(), step.name, step.about);
        let began = Instant::now();
        let note = (step.run)()
            .with_context(|| format!("step '{0}' failed; to run it alone: cargo xtask test {0}", step.name))?;
        times.push(began.elapsed());
        summary.push(format!("{:9} {:>7}  {note}", step.name, seconds(began.elapsed())));
    }
    println!("\n{}\n{} checks passed in {}.", summary.join("\n"), steps.len(), seconds(start.elapsed()));
    Ok(times)
}

/// Fails if a step takes more than twice its budget. On a slower machine the budgets grow in
/// proportion to the total time.
fn check_budgets(budgets: &[(&str, u32)], times: &[Duration]) -> Result<()> {
    let total: f64 = times.iter().map(Duration::as_secs_f64).sum();
    let budget_total: u32 = budgets.iter().map(|(_, budget)| budget).sum();
    let growth = (total / f64::from(budget_total)).max(1.0);
    for (&(name, budget), &time) in budgets.iter().zip(times) {
        let limit = Duration::from_secs(2 * u64::from(budget)).mul_f64(growth);
        if time > limit {
            bail!(
                "step '{name}' takes {}, more than twice its budget of {budget} s (here {} at most): make it faster, or \
                 change its budget in xtask/src/checks/mod.rs",
                seconds(time),
                seconds(limit)
            );
        }
    }
    Ok(())
}

/// Returns whether this run includes the slow tests.
pub(crate) fn is_thorough() -> bool {
    std::env::var_os("FAULTLAB_THOROUGH").is_some()
}

fn seconds(time: Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn format_step() -> Result<String> {
    run(&mut cargo("fmt --all --check"))?;
    Ok("formatted".to_owned())
}

/// Arguments of the clippy runs: everything native, the tests of the page (which are no part of "all
/// targets"), the library without features, and the programs for wasm32. Later steps compile the
/// other sets of features.
const LINTED: [&str; 4] = [
    "--workspace --all-targets",
    "--workspace --test page",
    "--package faultlab --no-default-features --lib",
    "--package faultlab --no-default-features --features web,worker,module --bins --target wasm32-unknown-unknown",
];

fn lint_step() -> Result<String> {
    tools::ensure_wasm_target()?;
    for part in LINTED {
        run(cargo(&format!("clippy --quiet {part} -- -D warnings")).envs(python::MODULE_VARIABLES))?;
    }
    Ok(format!("no warnings; {}", comments::check(Path::new("."))?))
}

fn doc_step() -> Result<String> {
    run(cargo("doc --quiet --no-deps --workspace --exclude xtask --exclude faultlab-python --lib")
        .env("RUSTDOCFLAGS", "-D warnings"))?;
    Ok("no warnings".to_owned())
}

/// Cargo arguments of the native tests and the page tests. Packages, features and profile agree
/// with [`run::build_for_tests`], so that everything is compiled once.
const NATIVE: &str = "test --workspace";

/// Runs the native tests; a thorough run includes the slow tests that are ignored otherwise.
fn native_step() -> Result<String> {
    let mut tests = cargo(NATIVE);
    tests.envs(python::MODULE_VARIABLES);
    test_times::report_times(&mut tests)?;
    if is_thorough() {
        tests.args(["--", "--include-ignored"]);
    }
    run_tests(&mut tests).map(passed)
}

/// Runs the fuzz tests for a number of seconds each: random texts are run, passed to every command
/// and drawn. The property tests run first, on new cases.
pub(crate) fn fuzz(seconds: Option<&str>) -> Result<()> {
    let seconds: u32 = seconds.unwrap_or("60").parse().context("fuzz accepts a whole number of seconds")?;
    let mut tests =
        cargo(&format!("{NATIVE} --test core --test fuzz -- --nocapture properties:: runs:: commands:: drawings::"));
    run_tests(tests.env("FAULTLAB_FUZZ", seconds.to_string())).map(drop)
}

/// Cargo arguments of the tests in WebAssembly, in Node.js and in browsers.
const WASM: &str = "test --package faultlab --no-default-features --target wasm32-unknown-unknown --test core";

fn wasm_step() -> Result<String> {
    tools::ensure_wasm_tests()?;
    let (variable, runner) = tools::wasm_runner()?;
    let mut tests = cargo(WASM);
    run_tests(tests.env(variable, runner)).map(passed)
}

fn golden_step() -> Result<String> {
    tools::ensure_wasm_tests()?;
    let (variable, runner) = tools::wasm_runner()?;
    let mut count = 0;
    for engine in ENGINES {
        println!("In {}:", engine.title);
        let driver = Driver::start(engine)?;
        let mut tests = cargo(&format!("{WASM} -- golden::"));
        tests.env(variable, &runner);
        // The runner reads the switches for Chromium from webdriver.json.
        tests.env(format!("{}_REMOTE", engine.variable), driver.url());
        tests.env("WASM_BINDGEN_USE_BROWSER", "1").env("WASM_BINDGEN_TEST_TIMEOUT", "300");
        count += run_tests(&mut tests)?;
    }
    Ok(passed(count))
}

fn build_step() -> Result<String> {
    build::build()?;
    Ok(format!("in {DIST}/"))
}

fn page_step() -> Result<String> {
    let lab = TestBed::open(&CHROMIUM)?;
    let mut tests = page_tests(SESSIONS, "")?;
    tests.env("FAULTLAB_AXE", tools::ensure_axe()?);
    run_tests(lab.set_environment(&mut tests)).map(passed)
}

/// Number of page tests that run at once in Chromium: each spends half of its time waiting for the
/// page.
const SESSIONS: usize = 2;

/// Returns the command for the page tests, or for the tests whose names contain one of `names`,
/// with `sessions` at once. All sessions share a driver.
fn page_tests(sessions: usize, names: &str) -> Result<Command> {
    let mut tests = cargo(&format!("{NATIVE} --test page -- --test-threads={sessions} {names}"));
    tests.env("FAULTLAB_PROGRAM", build_for_tests()?.command_line);
    test_times::report_times(&mut tests)?;
    Ok(tests)
}

/// Page tests of what browser engines implement differently: canvases, files, focus, keys, custom
/// elements, shadow trees and frames.
const ENGINE_TESTS: &str = "engines:: figures:: stills::nothing stills::lesson watch::steps_and_plays_by_keys";
/// Page tests of thorough runs in other engines than Chromium.
const ALL_ENGINE_TESTS: &str = "engines:: figures:: stills:: watch::";

fn engine_step(engine: &'static BrowserEngine) -> Result<String> {
    let lab = TestBed::open(engine)?;
    let names = if is_thorough() { ALL_ENGINE_TESTS } else { ENGINE_TESTS };
    // The drivers of these engines support one browser at a time.
    run_tests(lab.set_environment(&mut page_tests(1, names)?)).map(passed)
}

fn passed(count: u64) -> String {
    format!("{count} passed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_may_take_twice_their_budget_and_more_on_slow_machines() {
        let budgets = [("lint", 100), ("native", 300)];
        let check = |times: [u64; 2]| check_budgets(&budgets, &times.map(Duration::from_secs));
        assert!(check([200, 10]).is_ok());
        assert!(check([1000, 3000]).is_ok(), "a slow machine");
        let error = check([201, 10]).expect_err("more than twice the budget").to_string();
        assert!(error.starts_with("step 'lint' takes 201.0 s, more than twice its budget of 100 s"), "{error}");
        // The total of 1000 s is 2.5 times the budget, so that lint may take 500 s.
        assert!(check([500, 500]).is_ok());
        assert!(check([501, 499]).is_err());
    }
}
