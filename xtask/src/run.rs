//! Execution of other programs, whose command lines are always shown.

use std::env;
use std::ffi::OsStr;
use std::path::PathBuf;
use std::process::{Child, Command};

use anyhow::{Context, Result, bail};

use crate::search_path::search_path;

/// Returns a command that finds the project's own tools first.
pub(crate) fn program(name: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(name);
    command.env("PATH", search_path());
    // `cargo run` describes xtask in these variables; a nested cargo must not use them for its own
    // package.
    for (key, _) in std::env::vars_os() {
        let leftover =
            key.to_str().is_some_and(|key| key.starts_with("CARGO_PKG_") || key.starts_with("CARGO_MANIFEST_"));
        if leftover {
            command.env_remove(key);
        }
    }
    command
}

/// Returns a `cargo` command with `arguments`, which are separated by spaces.
pub(crate) fn cargo(arguments: &str) -> Command {
    let mut command = program("cargo");
    command.args(arguments.split_whitespace());
    command
}

/// Native programs that several steps use, by absolute path.
pub(crate) struct NativePrograms {
    /// Command line.
    pub(crate) command_line: PathBuf,
    /// Program that draws the pictures of the examples (`examples/gallery`).
    pub(crate) gallery: PathBuf,
}

/// Compiles the native programs with the packages, features and profile of the native tests
/// (`checks::NATIVE`), so that the crates are compiled once. An example among the targets makes
/// cargo also select the features of development dependencies, as for tests.
pub(crate) fn build_for_tests() -> Result<NativePrograms> {
    run(&mut cargo("build --workspace --profile test --bin faultlab --example gallery"))?;
    let path = |name: &str| {
        let file = format!("target/debug/{name}{}", env::consts::EXE_SUFFIX);
        std::path::absolute(&file).with_context(|| format!("the path of {file}"))
    };
    Ok(NativePrograms { command_line: path("faultlab")?, gallery: path("examples/gallery")? })
}

/// Shows the command and runs it. Fails if the command fails.
pub(crate) fn run(command: &mut Command) -> Result<()> {
    show(command);
    let status = command.status().with_context(|| cannot_start(command))?;
    if !status.success() {
        bail!("`{}` failed ({status})", line(command));
    }
    Ok(())
}

/// Shows the command and starts it.
pub(crate) fn start(command: &mut Command) -> Result<Child> {
    show(command);
    command.spawn().with_context(|| cannot_start(command))
}

/// Runs the command silently and returns what it printed on standard output.
pub(crate) fn output(command: &mut Command) -> Result<String> {
    let output = command.output().with_context(|| cannot_start(command))?;
    if !output.status.success() {
        bail!("`{}` failed ({}): {}", line(command), output.status, String::from_utf8_lossy(&output.stderr).trim());
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// Prints the command as a line of a shell.
pub(crate) fn show(command: &Command) {
    println!("$ {}", line(command));
}

/// Returns the command as a line of a shell.
pub(crate) fn line(command: &Command) -> String {
    let words = std::iter::once(command.get_program()).chain(command.get_args());
    let quoted = words.map(|word| match word.to_string_lossy() {
        word if word.contains([' ', '*']) => format!("'{word}'"),
        word => word.into_owned(),
    });
    quoted.collect::<Vec<_>>().join(" ")
}

/// Returns the message for a command that does not start.
pub(crate) fn cannot_start(command: &Command) -> String {
    format!("cannot start `{}`", line(command))
}
