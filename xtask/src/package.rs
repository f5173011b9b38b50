//! Command `cargo xtask package`: builds the npm package, a tarball that installs without a
//! network. It contains `npm/` and the core in WebAssembly.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::wasm_program::NPM_MODULE;
use crate::{notices, run, tools};

/// Folder of the package's scripts.
const SOURCE: &str = "npm";
/// Build folder, which also receives the tarball.
const FOLDER: &str = "target/npm";
/// Version of the package, which is the version of the workspace.
const VERSION: &str = env!("CARGO_PKG_VERSION");
/// Tests of the installed package.
const TESTS: &str = "tests/package";

/// Builds the tarball and returns its path.
pub(crate) fn build() -> Result<PathBuf> {
    tools::ensure_program()?;
    let core = NPM_MODULE.build()?;
    let folder = Path::new(FOLDER).join("package");
    if folder.exists() {
        fs::remove_dir_all(&folder).with_context(|| format!("clearing {}", folder.display()))?;
    }
    fs::create_dir_all(&folder).with_context(|| format!("creating {}", folder.display()))?;
    for entry in fs::read_dir(SOURCE).with_context(|| format!("reading {SOURCE}"))? {
        let entry = entry?;
        let text = fs::read_to_string(entry.path()).with_context(|| format!("reading {}", entry.path().display()))?;
        fs::write(folder.join(entry.file_name()), text.replace("%VERSION%", VERSION)).context("writing the package")?;
    }
    fs::write(folder.join("core.js"), core.glue).context("writing core.js")?;
    fs::write(folder.join("core_bg.wasm"), &core.wasm).context("writing core_bg.wasm")?;
    for licence in ["LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(licence, folder.join(licence)).with_context(|| format!("copying {licence}"))?;
    }
    notices::write(&folder)?;
    run::output(run::program("npm").args([
        "pack",
        "--silent",
        "--pack-destination",
        FOLDER,
        &format!("./{}", folder.display()),
    ]))?;
    let tarball = Path::new(FOLDER).join(format!("faultlab-{VERSION}.tgz"));
    let bytes = fs::metadata(&tarball).with_context(|| format!("reading {}", tarball.display()))?.len();
    println!("{} has {} kB: npm install ./{}", tarball.display(), bytes / 1000, tarball.display());
    Ok(tarball)
}

/// Runs `cargo xtask package`.
pub(crate) fn command() -> Result<()> {
    build().map(drop)
}

/// Installs the tarball in an empty folder without a network and tests it there: the output must be
/// identical to the output of the native program.
pub(crate) fn check() -> Result<String> {
    let tarball = std::path::absolute(build()?)?;
    let native = run::build_for_tests()?.command_line;
    let place = env::temp_dir().join(format!("faultlab-package-{}", std::process::id()));
    fs::create_dir_all(&place).with_context(|| format!("creating {}", place.display()))?;
    fs::write(place.join("package.json"), "{\"private\":true,\"type\":\"module\"}").context("writing package.json")?;
    let mut install = run::program("npm");
    install.args(["install", "--offline", "--no-audit", "--no-fund", "--loglevel=error"]).arg(&tarball);
    run::run(install.current_dir(&place))?;
    let mut count = 0;
    for entry in fs::read_dir(TESTS).with_context(|| format!("reading {TESTS}"))? {
        let entry = entry?;
        fs::copy(entry.path(), place.join(entry.file_name())).context("copying a test")?;
        count += 1;
    }
    ensure!(count > 0, "{TESTS} has no tests");
    let compiler = tools::ensure_typescript()?;
    let mut types = run::program("node");
    types.arg(compiler).args([
        "--noEmit",
        "--strict",
        "--target",
        "es2022",
        "--module",
        "nodenext",
        "--lib",
        "es2022,dom",
        "types.ts",
    ]);
    run::run(types.current_dir(&place))?;
    let mut tests = run::program("node");
    run::run(
        tests
            .args(["--test", "--test-reporter=spec", "bytes.test.js", "module.test.js"])
            .current_dir(&place)
            .env("FAULTLAB", native),
    )?;
    fs::remove_dir_all(&place).with_context(|| format!("clearing {}", place.display()))?;
    let size = fs::metadata(&tarball)?.len() / 1000;
    Ok(format!("installed without a network; {size} kB"))
}
