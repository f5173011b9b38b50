//! Tool that builds, serves, tests and measures Faultlab: `cargo xtask <command>`.
//!
//! Each command installs the tools that it needs, except for Rust, Node.js and (on Debian) apt.
//! They have the versions named in [`tools`] and go to `.tools/` at the root of the checkout,
//! unless they are installed.

mod answers;
mod bench;
mod book;
mod browser;
mod build;
mod checks;
mod comments;
mod compare;
mod content_name;
mod engine;
mod finish;
mod gallery;
mod html;
mod layers;
mod lessons;
mod notices;
mod package;
mod program;
mod publish;
mod run;
mod search_path;
mod serve;
mod size;
mod slurm;
mod steps;
mod target;
mod timed;
mod tools;

use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};

const USAGE: &str = "\
Usage: cargo xtask <command>

  build                       build the page into dist/, ready to copy to any static host and path
  build --single-file         the same, and say where all of it is in one file, to be opened from a disk
  serve [--port N] [--published | --no-build]
                              build the page quickly and serve it on this machine (default port 8080); --published
                              serves what `build` builds, --no-build what that has left in dist/
  test [--list | [--thorough] [STEP...]]
                              run every check, or only the named ones; --list names them; --thorough runs every case
                              of those tests that otherwise take some of many similar ones
  package                     build the npm package, a tarball in target/npm/ that installs without a network
  publish FOLDER              put the built page into FOLDER and into FOLDER/v/VERSION, which never changes
  lessons                     render lessons/*.md into dist/lessons/ without building the page
  book                        render docs/*.md into dist/docs/ without building the page
  bench [NAME]                measure the kernels natively, then in Chromium
  fuzz [SECONDS]              run texts of every kind, valid and spoiled, give them to every command and draw them, each for
                              so long (default 60): nothing may panic, and all that is printed must be valid
  answers                     compute what Papers opens with, docs/answers.bin; some five minutes
  compare [--quick] [--booksim PATH]
                              set Faultlab beside CAMINOS, which is built for it, and a BookSim2 of yours, in docs/comparison.md; ten to thirty
                              minutes, --quick three
  coverage [KIND]             measure how often the intervals of every kind cover the truth, as a Markdown table; with `saturation [PART]`,
                              of the points near saturation whose names contain PART
  finish                      run by Trunk after a build: make the page strict and safe to cache";

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
        return timed::command(rest).unwrap_or_else(|error| {
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
        ("publish", options) => enter_checkout().and_then(|()| publish::command(options)),
        ("bench", [] | [_]) => enter_checkout().and_then(|()| bench::command(rest.first().copied())),
        ("compare", options) => enter_checkout().and_then(|()| compare::command(options)),
        ("coverage", [] | [_] | ["saturation", _]) => enter_checkout().and_then(|()| bench::coverage(rest)),
        ("fuzz", [] | [_]) => enter_checkout().and_then(|()| checks::fuzz(rest.first().copied())),
        ("answers", []) => enter_checkout().and_then(|()| answers::command()),
        ("finish", []) => finish::command(),
        ("build" | "book" | "package" | "lessons" | "answers" | "finish" | "bench" | "coverage" | "fuzz", _) => {
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
