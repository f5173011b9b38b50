//! The programs the project needs, at pinned versions, installed into `.tools/` when missing.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::run;

/// Builds the page from `index.html`. The next release, 0.22, needs a newer Rust than `rust-toolchain.toml` names.
const TRUNK: &str = "0.21.14";
/// Must equal the version of the `wasm-bindgen` crate in `Cargo.lock`: the two share a private format.
const WASM_BINDGEN: &str = "0.2.129";
/// Drives Firefox.
const GECKODRIVER: &str = "0.37.1";
/// The npm package that brings `wasm-opt`; `Trunk.toml` names its major version too.
const BINARYEN: &str = "123.0.0";
/// The npm package that holds types against what uses them.
const TYPESCRIPT: &str = "5.9.3";
/// The npm package that finds what keeps people out of a page.
const AXE: &str = "4.14.1";

const WASM_TARGET: &str = "wasm32-unknown-unknown";
const CARGO_ROOT: &str = ".tools";
const NPM_ROOT: &str = ".tools/npm";

/// `PATH` with the project's own tools in front.
pub(crate) fn search_path() -> OsString {
    let top = env::current_dir().unwrap_or_default();
    let own = [top.join(CARGO_ROOT).join("bin"), top.join(NPM_ROOT).join("node_modules/.bin")];
    let inherited = env::var_os("PATH").unwrap_or_default();
    let all = own.into_iter().chain(env::split_paths(&inherited));
    // Joining fails only for a directory with the separator in its name, which cannot be on a PATH at all.
    env::join_paths(all).unwrap_or(inherited)
}

/// Installs what `trunk build` needs.
pub(crate) fn ensure_build() -> Result<()> {
    ensure_wasm_target()?;
    ensure_wasm_bindgen()?;
    ensure_cargo_tool("trunk", "trunk", TRUNK, "0")?;
    ensure_binaryen()
}

/// Installs what a program in WebAssembly is made with.
pub(crate) fn ensure_program() -> Result<()> {
    ensure_wasm_tests()?;
    ensure_binaryen()
}

/// Installs what tests compiled for wasm32 need.
pub(crate) fn ensure_wasm_tests() -> Result<()> {
    ensure_wasm_target()?;
    ensure_wasm_bindgen()?;
    if find("node").is_none() {
        bail!("tests of the wasm32 build run in Node.js, which is not installed: see https://nodejs.org");
    }
    Ok(())
}

/// Adds the Rust target for WebAssembly to the toolchain.
pub(crate) fn ensure_wasm_target() -> Result<()> {
    let libraries = run::output(run::program("rustc").args(["--print", "target-libdir", "--target", WASM_TARGET]))?;
    if Path::new(libraries.trim()).is_dir() {
        return Ok(());
    }
    if find("rustup").is_none() {
        bail!("this Rust cannot compile for {WASM_TARGET}; install that target, or rustup (https://rustup.rs)");
    }
    println!("Adding the Rust target {WASM_TARGET}");
    run::run(run::program("rustup").args(["target", "add", WASM_TARGET]))
}

fn ensure_wasm_bindgen() -> Result<()> {
    let lock = fs::read_to_string("Cargo.lock").context("reading Cargo.lock")?;
    match locked_version(&lock, "wasm-bindgen") {
        Some(WASM_BINDGEN) => {}
        Some(other) => bail!(
            "Cargo.lock has wasm-bindgen {other}, but xtask/src/tools.rs pins its command-line tool at {WASM_BINDGEN}; \
             the two must be equal"
        ),
        None => bail!("Cargo.lock does not name wasm-bindgen"),
    }
    ensure_cargo_tool("wasm-bindgen-cli", "wasm-bindgen-test-runner", WASM_BINDGEN, "1")
}

/// Installs Firefox's driver.
pub(crate) fn ensure_geckodriver() -> Result<()> {
    ensure_cargo_tool("geckodriver", "geckodriver", GECKODRIVER, "0")
}

/// Installs a crate's programs, optimized to that level, unless `program` is there in that version. What these programs do takes a
/// second or two even like that; what they ask for themselves, link-time optimization with Trunk, takes minutes of compiling.
fn ensure_cargo_tool(package: &str, program: &str, version: &str, optimization: &str) -> Result<()> {
    let path = Path::new(CARGO_ROOT).join("bin").join(program).with_extension(env::consts::EXE_EXTENSION);
    let found = run::output(run::program(absolute(&path)?).arg("--version")).unwrap_or_default();
    if found.split_whitespace().nth(1) == Some(version) {
        return Ok(());
    }
    println!("Building {package} {version} into {CARGO_ROOT}/ (one or two minutes, once)");
    let exact = format!("={version}");
    let root = absolute(Path::new(CARGO_ROOT))?;
    let mut install = run::cargo("install --quiet --locked --force --root");
    install.arg(root).args([package, "--version", exact.as_str()]);
    for (setting, value) in [("LTO", "off"), ("CODEGEN_UNITS", "16"), ("OPT_LEVEL", optimization)] {
        install.env(format!("CARGO_PROFILE_RELEASE_{setting}"), value);
    }
    run::run(&mut install)
}

fn ensure_binaryen() -> Result<()> {
    ensure_npm_package("binaryen", BINARYEN, "wasm-opt")
}

/// Installs axe; returns the script that defines it.
pub(crate) fn ensure_axe() -> Result<PathBuf> {
    ensure_npm_package("axe-core", AXE, "the check of the page for accessibility")?;
    absolute(&Path::new(NPM_ROOT).join("node_modules/axe-core/axe.min.js"))
}

/// Installs the compiler of TypeScript; returns its script.
pub(crate) fn ensure_typescript() -> Result<PathBuf> {
    ensure_npm_package("typescript", TYPESCRIPT, "the compiler that holds types against what uses them")?;
    absolute(&Path::new(NPM_ROOT).join("node_modules/typescript/lib/tsc.js"))
}

/// Installs an npm package, which brings `what`, unless it is there in that version.
fn ensure_npm_package(name: &str, version: &str, what: &str) -> Result<()> {
    let manifest = Path::new(NPM_ROOT).join("node_modules").join(name).join("package.json");
    let installed = fs::read_to_string(manifest).unwrap_or_default();
    if installed.contains(&format!("\"version\": \"{version}\"")) {
        return Ok(());
    }
    if find("npm").is_none() {
        bail!("{what} comes from the npm package {name}, and npm is not installed: see https://nodejs.org");
    }
    println!("Installing {name} {version} ({what}) into {NPM_ROOT}/");
    fs::create_dir_all(NPM_ROOT).with_context(|| format!("creating {NPM_ROOT}/"))?;
    let package = format!("{name}@{version}");
    run::run(run::program("npm").args([
        "install",
        "--prefix",
        NPM_ROOT,
        "--save-exact",
        "--no-audit",
        "--no-fund",
        "--loglevel=error",
        &package,
    ]))
}

/// Installs packages of Debian.
pub(crate) fn install_packages(packages: &[&str]) -> Result<()> {
    let names = packages.join(" ");
    if find("apt-get").is_none() || !is_root() {
        bail!("not installed here; on Debian: apt-get install {names}");
    }
    println!("Installing {names} with apt-get");
    run::run(run::program("apt-get").args(["update", "-qq"]))?;
    let install = ["install", "-y", "-qq", "--no-install-recommends"];
    run::run(run::program("apt-get").args(install).args(packages).env("DEBIAN_FRONTEND", "noninteractive"))
}

fn is_root() -> bool {
    run::output(run::program("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

/// The first program of that name on the search path.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    env::split_paths(&search_path())
        .map(|folder| folder.join(name).with_extension(env::consts::EXE_EXTENSION))
        .find(|path| path.is_file())
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("resolving {}", path.display()))
}

/// The version of `package` in the text of a `Cargo.lock`.
fn locked_version<'a>(lock: &'a str, package: &str) -> Option<&'a str> {
    let start = format!("name = \"{package}\"");
    let mut lines = lock.lines().skip_while(|line| *line != start);
    lines.nth(1)?.strip_prefix("version = \"")?.strip_suffix('"')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_the_locked_version() {
        let lock = "[[package]]\nname = \"wasm-bindgen-shared\"\nversion = \"9\"\n\n\
                    [[package]]\nname = \"wasm-bindgen\"\nversion = \"0.2.7\"\nsource = \"…\"\n";
        assert_eq!(locked_version(lock, "wasm-bindgen"), Some("0.2.7"));
        assert_eq!(locked_version(lock, "yew"), None);
    }
}
