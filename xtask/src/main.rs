//! Tool that builds, serves, tests and measures Faultlab: `cargo xtask <command>`.
//!
//! Each command installs the tools that it needs, except for Rust, Node.js and (on Debian) apt. The
//! tools have the versions named in [`tools`] and go to `.tools/` at the root of the checkout,
//! unless they are on the user's `PATH`.

mod answers;
mod bench;
mod book;
mod browser;
mod browser_engine;
mod build;
mod checks;
mod comments;
mod compare;
mod content_name;
mod file_hash;
mod finish;
mod gallery;
mod html;
mod layers;
mod lessons;
mod notebooks;
mod notices;
mod package;
mod publish;
mod python;
mod run;
mod search_path;
mod serve;
mod size;
mod slurm;
mod steps;
mod target;
mod test_times;
mod tools;
mod wasm_program;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

const USAGE: &str = "\
Usage: cargo xtask <command>

  build                       build the page into dist/, ready to copy to any static host and path
  build --single-file         build the page, and print the path of its single-file edition
  serve [--port N] [--published | --no-build]
                              build the page quickly and serve it on this machine (default port
                              8080); --published builds and serves the page to publish, --no-build
                              serves dist/ unchanged
  test [--list | [--thorough] [STEP...]]
                              run all checks, or only the named ones; --list lists them; --thorough
                              runs all cases of tests that otherwise run a sample
  package                     build the npm package, a tarball in target/npm/ that installs without
                              a network
  python                      build the Python package, a wheel and a source distribution in
                              target/python/
  publish FOLDER              copy the built page to FOLDER and to FOLDER/v/VERSION, which never
                              changes
  lessons                     render lessons/*.md into dist/lessons/ without building the page
  book                        render docs/*.md into dist/docs/ without building the page
  bench [NAME]                measure the kernels natively, then in Chromium
  fuzz [SECONDS]              run random texts of every kind, pass them to every command, and draw
                              them, each for SECONDS (default 60); panics and invalid output fail
  answers                     precompute the answers of Papers (docs/answers.bin); five minutes
  compare [--quick] [--booksim PATH]
                              compare Faultlab with CAMINOS, which is built first, and optionally
                              with BookSim2 at PATH, in docs/comparison.md; ten to thirty minutes;
                              --quick takes three and writes nothing
  coverage [KIND]             measure how often the intervals of every kind cover the true value, as
                              a Markdown table
  coverage saturation [PART]  measure the coverage at points near saturation with PART in their names
  finish                      run by Trunk after a build: create all editions of the page";

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    let Some((&command, rest)) = args.split_first() else {
        return misuse("no command given");
    };
    if matches!(command, "help" | "--help" | "-h") || rest.iter().any(|arg| matches!(*arg, "--help" | "-h")) {
        println!("{USAGE}");
        return ExitCode::SUCCESS;
    }
    if command == "timed" {
        return test_times::command(rest).unwrap_or_else(|error| {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        });
    }
    let outcome = match (command, rest) {
        ("build", []) => enter_checkout().and_then(|()| build::build()),
        ("build", ["--single-file"]) => enter_checkout().and_then(|()| build::single_file()),
        ("serve", options) => enter_checkout().and_then(|()| serve::command(options)),
        ("test", steps) => enter_checkout().and_then(|()| checks::command(steps)),
        ("lessons", []) => enter_checkout().and_then(|()| lessons::render(Path::new(target::DIST))),
        ("book", []) => enter_checkout().and_then(|()| book::render(Path::new(target::DIST))),
        ("package", []) => enter_checkout().and_then(|()| package::command()),
        ("python", []) => enter_checkout().and_then(|()| python::command()),
        ("publish", options) => enter_checkout().and_then(|()| publish::command(options)),
        ("bench", [] | [_]) => enter_checkout().and_then(|()| bench::command(rest.first().copied())),
        ("compare", options) => enter_checkout().and_then(|()| compare::command(options)),
        ("coverage", [] | [_] | ["saturation", _]) => enter_checkout().and_then(|()| bench::coverage(rest)),
        ("fuzz", [] | [_]) => enter_checkout().and_then(|()| checks::fuzz(rest.first().copied())),
        ("answers", []) => enter_checkout().and_then(|()| answers::command()),
        ("finish", []) => finish::command(),
        (
            "build" | "book" | "package" | "python" | "lessons" | "answers" | "finish" | "bench" | "coverage" | "fuzz",
            _,
        ) => {
            return misuse(&format!("too many arguments for '{command}'"));
        }
        _ => return misuse(&format!("unknown command '{command}'")),
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}

fn misuse(problem: &str) -> ExitCode {
    eprintln!("error: {problem}\n\n{USAGE}");
    ExitCode::from(2)
}

/// Makes the root of the checkout the current directory, so that all other paths can be relative to
/// it.
fn enter_checkout() -> Result<()> {
    let Some(top) = Path::new(env!("CARGO_MANIFEST_DIR")).parent() else {
        bail!("xtask was compiled outside a checkout");
    };
    std::env::set_current_dir(top).with_context(|| format!("entering {}", top.display()))
}
