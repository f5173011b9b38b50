//! External programs of the project, at pinned versions: from the user's `PATH`, or installed into
//! `.tools/`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::run;
use crate::search_path::{CARGO_ROOT, NPM_ROOT, find};
use crate::steps::{self, Step};
use crate::target::TARGET;

/// Version of Trunk, which builds the page. The next release, 0.22, needs a newer Rust than
/// `rust-toolchain.toml` names.
const TRUNK: &str = "0.21.14";
/// Version of wasm-bindgen. It must equal the version of the crate in `Cargo.lock`: the two share a
/// private format.
const WASM_BINDGEN: &str = "0.2.129";
/// Version of the driver of Firefox.
const GECKODRIVER: &str = "0.37.1";
/// Version of the npm package that contains `wasm-opt`; `Trunk.toml` names its major version too.
const BINARYEN: &str = "123.0.0";
/// Name of the npm package that contains `wasm-opt`.
const BINARYEN_PACKAGE: &str = "binaryen";
/// Version of the TypeScript compiler, which checks the type declarations.
const TYPESCRIPT: &str = "5.9.3";
/// Version of Pyright, which checks the types of the Python package.
const PYRIGHT: &str = "1.1.414";
/// Version of axe, which checks the accessibility of the page.
const AXE: &str = "4.14.1";

/// Crate whose programs are installed as tools.
struct CargoTool {
    package: &'static str,
    version: &'static str,
    /// Programs of the crate that the project uses.
    programs: &'static [&'static str],
    /// Crates that take most of the tool's running time; all others are not optimized.
    optimized: &'static [&'static str],
    /// Compilation time on two cores, in words.
    takes: &'static str,
}

/// Tool that generates scripts from the compiler's output, and runs tests in WebAssembly.
const BINDGEN_TOOL: CargoTool = CargoTool {
    package: "wasm-bindgen-cli",
    version: WASM_BINDGEN,
    programs: &["wasm-bindgen", "wasm-bindgen-test-runner"],
    optimized: &["walrus", "wasm-bindgen-cli-support", "wasmparser"],
    takes: "a minute and a half",
};
const TRUNK_TOOL: CargoTool =
    CargoTool { package: "trunk", version: TRUNK, programs: &["trunk"], optimized: &[], takes: "two minutes" };
const GECKODRIVER_TOOL: CargoTool = CargoTool {
    package: "geckodriver",
    version: GECKODRIVER,
    programs: &["geckodriver"],
    optimized: &[],
    takes: "a minute",
};

/// Returns the steps that install missing tools for the published page.
pub(crate) fn missing_for_page() -> Result<Vec<Step<'static>>> {
    let mut steps = missing_for_trunk()?;
    if !has_npm_package(BINARYEN_PACKAGE, BINARYEN) {
        steps.push(Step::new(format!("fetching wasm-opt {BINARYEN}, a few seconds"), ensure_binaryen));
    }
    Ok(steps)
}

/// Returns the steps that install missing tools for `trunk serve`.
pub(crate) fn missing_for_trunk() -> Result<Vec<Step<'static>>> {
    let mut steps = missing_for_wasm()?;
    steps.extend(TRUNK_TOOL.missing());
    Ok(steps)
}

/// Returns the steps that install missing tools for compiling WebAssembly programs.
pub(crate) fn missing_for_wasm() -> Result<Vec<Step<'static>>> {
    check_wasm_bindgen()?;
    let mut steps = Vec::new();
    if !has_wasm_target()? {
        let about = format!("adding the Rust target {TARGET}, a download of about 25 MB");
        steps.push(Step::new(about, ensure_wasm_target));
    }
    steps.extend(BINDGEN_TOOL.missing());
    Ok(steps)
}

/// Installs the tools for compiling WebAssembly programs.
pub(crate) fn ensure_program() -> Result<()> {
    ensure_wasm_tests()?;
    ensure_binaryen()
}

/// Installs the tools for tests that are compiled for wasm32.
pub(crate) fn ensure_wasm_tests() -> Result<()> {
    steps::run(missing_for_wasm()?)?;
    if find("node").is_none() {
        bail!("tests of the wasm32 build run in Node.js, which is not installed: see https://nodejs.org");
    }
    Ok(())
}

fn has_wasm_target() -> Result<bool> {
    let libraries = run::output(run::program("rustc").args(["--print", "target-libdir", "--target", TARGET]))?;
    Ok(Path::new(libraries.trim()).is_dir())
}

/// Adds the Rust target for WebAssembly to the toolchain.
pub(crate) fn ensure_wasm_target() -> Result<()> {
    if has_wasm_target()? {
        return Ok(());
    }
    if find("rustup").is_none() {
        bail!("this Rust cannot compile for {TARGET}; install that target, or rustup (https://rustup.rs)");
    }
    println!("Adding the Rust target {TARGET}");
    run::run(run::program("rustup").args(["target", "add", TARGET]))
}

/// Checks that the crate and its command-line tool have the same version.
fn check_wasm_bindgen() -> Result<()> {
    let lock = fs::read_to_string("Cargo.lock").context("reading Cargo.lock")?;
    match locked_version(&lock, "wasm-bindgen") {
        Some(WASM_BINDGEN) => Ok(()),
        Some(other) => bail!(
            "Cargo.lock has wasm-bindgen {other}, but xtask/src/tools.rs pins its command-line tool at {WASM_BINDGEN}; \
             the two must be equal"
        ),
        None => bail!("Cargo.lock does not name wasm-bindgen"),
    }
}

/// Installs the driver of Firefox.
pub(crate) fn ensure_geckodriver() -> Result<()> {
    steps::run(GECKODRIVER_TOOL.missing().into_iter().collect())
}

impl CargoTool {
    /// Returns the installation step, unless all programs are installed in that version, here or on
    /// the user's `PATH`.
    fn missing(&'static self) -> Option<Step<'static>> {
        let Self { package, version, takes, .. } = self;
        if self.is_there() {
            return None;
        }
        let about = format!(
            "installing {package} {version} into {CARGO_ROOT}/, once; {takes} on two cores if it must be compiled"
        );
        Some(Step::new(about, || self.install()))
    }

    fn is_there(&self) -> bool {
        self.programs.iter().all(|program| {
            let said = find(program).and_then(|path| run::output(run::program(path).arg("--version")).ok());
            said.is_some_and(|said| said.split_whitespace().nth(1) == Some(self.version))
        })
    }

    /// Installs the tool from a binary if possible, otherwise compiles it.
    fn install(&self) -> Result<()> {
        let root = absolute(Path::new(CARGO_ROOT))?;
        if has_binstall() && run::run(&mut self.fetch(&root)).is_ok() && self.is_there() {
            return Ok(());
        }
        run::run(&mut self.compile(&root))
    }

    /// Returns the command that fetches the authors' binary, by `cargo binstall`.
    fn fetch(&self, root: &Path) -> Command {
        let mut fetch = run::cargo("binstall --no-confirm --disable-strategies quick-install,compile --root");
        fetch.arg(root).arg(format!("{}@={}", self.package, self.version));
        fetch
    }

    /// Returns the command that compiles the tool without unused features: encrypted connections,
    /// and Trunk's search for updates. The programs take a second or two even with little
    /// optimization. Their own profiles, such as Trunk's link-time optimization, take minutes to
    /// compile.
    fn compile(&self, root: &Path) -> Command {
        let mut install = run::cargo("install --locked --force --no-default-features --root");
        install.arg(root).args([self.package, "--version"]).arg(format!("={}", self.version));
        // The tools share crates, so they share a folder for compiled crates.
        install.args(["--target-dir", "target/tools"]);
        for name in self.optimized {
            install.arg("--config").arg(format!("profile.release.package.{name}.opt-level=1"));
        }
        for (setting, value) in [("LTO", "off"), ("CODEGEN_UNITS", "16"), ("OPT_LEVEL", "0")] {
            install.env(format!("CARGO_PROFILE_RELEASE_{setting}"), value);
        }
        install
    }
}

fn has_binstall() -> bool {
    run::output(&mut run::cargo("binstall -V")).is_ok()
}

fn ensure_binaryen() -> Result<()> {
    ensure_npm_package(BINARYEN_PACKAGE, BINARYEN, "wasm-opt")
}

/// Installs axe and returns the path of its script.
pub(crate) fn ensure_axe() -> Result<PathBuf> {
    ensure_npm_package("axe-core", AXE, "the accessibility checker")?;
    absolute(&Path::new(NPM_ROOT).join("node_modules/axe-core/axe.min.js"))
}

/// Installs the TypeScript compiler and returns the path of its script.
pub(crate) fn ensure_typescript() -> Result<PathBuf> {
    ensure_npm_package("typescript", TYPESCRIPT, "the compiler that checks the types")?;
    absolute(&Path::new(NPM_ROOT).join("node_modules/typescript/lib/tsc.js"))
}

/// Installs Pyright and returns the path of its script.
pub(crate) fn ensure_pyright() -> Result<PathBuf> {
    ensure_npm_package("pyright", PYRIGHT, "the checker of the types of the Python package")?;
    absolute(&Path::new(NPM_ROOT).join("node_modules/pyright/index.js"))
}

fn has_npm_package(name: &str, version: &str) -> bool {
    let manifest = Path::new(NPM_ROOT).join("node_modules").join(name).join("package.json");
    let installed = fs::read_to_string(manifest).unwrap_or_default();
    installed.contains(&format!("\"version\": \"{version}\""))
}

/// Installs an npm package, which contains `what`, unless it is installed in that version.
fn ensure_npm_package(name: &str, version: &str, what: &str) -> Result<()> {
    if has_npm_package(name, version) {
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

/// Installs Debian packages.
pub(crate) fn install_packages(packages: &[&str]) -> Result<()> {
    let names = packages.join(" ");
    if find("apt-get").is_none() || !is_root() {
        bail!("not installed here; on Debian: apt-get install {names}");
    }
    println!("Installing {names} with apt-get");
    run::run(run::program("apt-get").args(["update", "-qq"]))?;
    // Another check may be installing packages.
    let install = ["install", "-y", "-qq", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"];
    run::run(run::program("apt-get").args(install).args(packages).env("DEBIAN_FRONTEND", "noninteractive"))
}

fn is_root() -> bool {
    run::output(run::program("id").arg("-u")).is_ok_and(|id| id.trim() == "0")
}

/// Returns the runner of tests compiled for wasm32, and the variable that passes it to cargo.
pub(crate) fn wasm_runner() -> Result<(&'static str, PathBuf)> {
    let path = find("wasm-bindgen-test-runner").context("wasm-bindgen-test-runner is missing")?;
    Ok(("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER", path))
}

fn absolute(path: &Path) -> Result<PathBuf> {
    std::path::absolute(path).with_context(|| format!("resolving {}", path.display()))
}

/// Returns the version of `package` in the text of a `Cargo.lock`.
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
