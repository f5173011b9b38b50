//! Command `cargo xtask python`: builds the Python package, a wheel for CPython 3.10 and newer and a
//! source distribution. Step `python` of the tests: its tests and type checks.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::checks::is_thorough;
use crate::finish::FIGURE_SCRIPT;
use crate::search_path::find;
use crate::target::DIST;
use crate::{build, notices, run, tools};

/// Folder of the package.
const SOURCE: &str = "bindings/python";
/// Folder of the built packages.
const FOLDER: &str = "target/python";
/// Virtual environment with the tools for building and testing.
const ENVIRONMENT: &str = ".tools/python";
/// Packages of the tests.
const REQUIREMENTS: &str = "bindings/python/tests/requirements.txt";
/// Tool that builds wheels.
const MATURIN: &str = "maturin==1.16.0";
/// Licences that the package contains.
const LICENCES: [&str; 2] = ["LICENSE-MIT", "LICENSE-APACHE"];

/// Runs `cargo xtask python`.
pub(crate) fn command() -> Result<()> {
    add_figure_script(&Path::new(SOURCE).join("python/faultlab"))?;
    let wheel = build_wheel()?;
    let mut maturin = in_environment("maturin");
    run::run(maturin.args(["sdist", "--manifest-path"]).arg(manifest()).args(["--out", FOLDER]))?;
    let site = install(&wheel)?;
    let said = run::output(
        python_of(&site).args(["-c", "import faultlab; faultlab.figure_script(); print(faultlab.__version__)"]),
    )?;
    let bytes = fs::metadata(&wheel).with_context(|| format!("reading {}", wheel.display()))?.len();
    println!("{} has {} kB, and installs without a network: version {}", wheel.display(), bytes / 1000, said.trim());
    Ok(())
}

/// Tests the package: its bytes are those of the command line, and its types are right. A thorough
/// run tests the installed wheel, another run a module that shares its crates with the other tests.
pub(crate) fn check() -> Result<String> {
    ensure_environment()?;
    let pyright = tools::ensure_pyright()?;
    let native = run::build_for_tests()?.command_line;
    let site = tested_package()?;
    let tests = Path::new(SOURCE).join("tests");
    let with_module = |program: &str| {
        let mut command = in_environment(program);
        command.env("PYTHONPATH", &site).env("FAULTLAB", &native);
        // Caches would be written into the checkout.
        command.env("PYTHONDONTWRITEBYTECODE", "1");
        command
    };
    run::run(with_module("pytest").args(["--quiet", "-p", "no:cacheprovider"]).arg(&tests))?;
    let cache = Path::new("target/python/mypy");
    let configuration = Path::new(SOURCE).join("pyproject.toml");
    let mut mypy = with_module("mypy");
    mypy.arg("--config-file").arg(&configuration).arg("--cache-dir").arg(cache).args(["--package", "faultlab"]);
    run::run(&mut mypy)?;
    let mut users = with_module("mypy");
    users.arg("--config-file").arg(&configuration).arg("--cache-dir").arg(cache).arg(tests.join("types_of_users.py"));
    run::run(&mut users)?;
    run::run(with_module("stubtest").arg("faultlab._faultlab").arg("--mypy-config-file").arg(&configuration))?;
    let mut checker = run::program("node");
    checker.arg(pyright).arg("--project").arg(SOURCE).arg("--pythonpath").arg(program_of(ENVIRONMENT, "python"));
    run::run(&mut checker)?;
    Ok("same bytes as the command line; types checked".to_owned())
}

/// Returns a folder with the package to test.
pub(crate) fn tested_package() -> Result<PathBuf> {
    if is_thorough() { install(&build_wheel()?) } else { stage_module() }
}

/// Builds the page, which includes the script of figures, and copies the script into a package.
pub(crate) fn add_figure_script(package: &Path) -> Result<()> {
    build::build()?;
    let folder = package.join("program");
    fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    let script = Path::new(DIST).join(FIGURE_SCRIPT);
    fs::copy(&script, folder.join(FIGURE_SCRIPT)).with_context(|| format!("copying {}", script.display()))?;
    Ok(())
}

/// Builds the wheel with the release profile and returns its path.
fn build_wheel() -> Result<PathBuf> {
    ensure_environment()?;
    let licences = Path::new(SOURCE).join("python/faultlab/licenses");
    fs::create_dir_all(&licences).with_context(|| format!("creating {}", licences.display()))?;
    for licence in LICENCES {
        fs::copy(licence, licences.join(licence)).with_context(|| format!("copying {licence}"))?;
    }
    notices::write(&licences)?;
    let out = Path::new(FOLDER).join("wheel");
    if out.exists() {
        fs::remove_dir_all(&out).with_context(|| format!("clearing {}", out.display()))?;
    }
    let mut maturin = in_environment("maturin");
    // The version of Python that builds the wheel does not matter: it is the limited interface.
    maturin.args(["build", "--quiet", "--locked", "--manifest-path"]).arg(manifest()).arg("--out").arg(&out);
    run::run(&mut maturin)?;
    let mut wheels = fs::read_dir(&out).with_context(|| format!("reading {}", out.display()))?;
    let wheel = wheels.next().context("maturin built no wheel")??.path();
    let target = Path::new(FOLDER).join(wheel.file_name().context("a wheel without a name")?);
    fs::rename(&wheel, &target).context("moving the wheel")?;
    Ok(target)
}

/// Installs the wheel without a network and without dependencies into a new environment, and
/// returns its folder of packages.
fn install(wheel: &Path) -> Result<PathBuf> {
    let fresh = Path::new(FOLDER).join("fresh");
    run::run(run::program(python()?).args(["-m", "venv", "--clear"]).arg(&fresh))?;
    let mut pip = run::program(program_of(&fresh, "python"));
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", "--no-deps"]);
    run::run(pip.arg(wheel))?;
    let program = "import sysconfig; print(sysconfig.get_path('platlib'))";
    let site = run::output(run::program(program_of(&fresh, "python")).args(["-c", program]))?;
    Ok(PathBuf::from(site.trim()))
}

/// Builds the extension module with the profile and features of the tests, so that it shares their
/// crates, and returns a folder with the package.
fn stage_module() -> Result<PathBuf> {
    let mut build = run::cargo("build --workspace --profile test --lib --example gallery");
    run::run(build.envs(MODULE_VARIABLES))?;
    let site = Path::new(FOLDER).join("test");
    let package = site.join("faultlab");
    if package.exists() {
        fs::remove_dir_all(&package).with_context(|| format!("clearing {}", package.display()))?;
    }
    fs::create_dir_all(&package).with_context(|| format!("creating {}", package.display()))?;
    let sources = Path::new(SOURCE).join("python/faultlab");
    for entry in fs::read_dir(&sources).with_context(|| format!("reading {}", sources.display()))? {
        let path = entry?.path();
        if path.is_file() {
            let name = path.file_name().context("a file without a name")?;
            fs::copy(&path, package.join(name)).with_context(|| format!("copying {}", path.display()))?;
        }
    }
    let library = format!("target/debug/{}faultlab_python{}", env::consts::DLL_PREFIX, env::consts::DLL_SUFFIX);
    let module = if cfg!(windows) { "_faultlab.pyd" } else { "_faultlab.abi3.so" };
    fs::copy(&library, package.join(module)).with_context(|| format!("copying {library}"))?;
    register_exporter(&site)?;
    std::path::absolute(&site).with_context(|| format!("the path of {}", site.display()))
}

/// Registers the exporter of notebooks, as the installation of a wheel does.
fn register_exporter(site: &Path) -> Result<()> {
    const HEADING: &str = "[project.entry-points.\"nbconvert.exporters\"]\n";
    let name = Path::new(SOURCE).join("pyproject.toml");
    let project = fs::read_to_string(&name).with_context(|| format!("reading {}", name.display()))?;
    let (_, entries) = project.split_once(HEADING).context("pyproject.toml has no exporter of notebooks")?;
    let entry = entries.lines().next().unwrap_or_default().replace('"', "");
    let folder = site.join(concat!("faultlab-", env!("CARGO_PKG_VERSION"), ".dist-info"));
    fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    fs::write(folder.join("entry_points.txt"), format!("[nbconvert.exporters]\n{entry}\n"))
        .context("writing an entry point")
}

/// Environment variables with which the crate is compiled without an interpreter, and linked without
/// its library.
pub(crate) const MODULE_VARIABLES: [(&str, &str); 2] = [("PYO3_NO_PYTHON", "1"), ("PYO3_BUILD_EXTENSION_MODULE", "1")];

/// Creates the environment of the tools, unless it has the packages of this version.
pub(crate) fn ensure_environment() -> Result<()> {
    let requirements = fs::read_to_string(REQUIREMENTS).with_context(|| format!("reading {REQUIREMENTS}"))?;
    let wanted = format!("{MATURIN}\n{requirements}");
    let stamp = Path::new(ENVIRONMENT).join("requirements.txt");
    if fs::read_to_string(&stamp).is_ok_and(|found| found == wanted) {
        return Ok(());
    }
    println!("Installing the packages of {REQUIREMENTS} into {ENVIRONMENT}/, once; about two minutes");
    run::run(run::program(python()?).args(["-m", "venv", "--clear", ENVIRONMENT]))?;
    let mut pip = in_environment("python");
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", MATURIN, "--requirement"]);
    run::run(pip.arg(REQUIREMENTS))?;
    fs::write(&stamp, wanted).context("writing the list of packages")
}

/// Returns the interpreter of the system.
fn python() -> Result<PathBuf> {
    match find("python3").or_else(|| find("python")) {
        Some(python) => Ok(python),
        None => bail!("the Python package needs CPython 3.10 or newer, which is not installed: see https://python.org"),
    }
}

/// Returns a command of the environment of the tools.
pub(crate) fn in_environment(program: &str) -> Command {
    let mut command = run::program(program_of(ENVIRONMENT, program));
    // Maturin would install into another environment.
    command.env_remove("VIRTUAL_ENV").env_remove("CONDA_PREFIX");
    command
}

/// Returns the path of a program of a virtual environment.
fn program_of(environment: impl AsRef<Path>, program: &str) -> PathBuf {
    let folder = if cfg!(windows) { "Scripts" } else { "bin" };
    let path = environment.as_ref().join(folder).join(program).with_extension(env::consts::EXE_EXTENSION);
    std::path::absolute(&path).unwrap_or(path)
}

/// Returns the interpreter of the environment of the tools, with the packages in `site`.
fn python_of(site: &Path) -> Command {
    let mut command = in_environment("python");
    command.env("PYTHONPATH", site);
    command
}

fn manifest() -> PathBuf {
    Path::new(SOURCE).join("Cargo.toml")
}
