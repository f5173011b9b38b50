//! The program of the page's workers, which Trunk does not build: it has compiler flags of its own, and Trunk's are for the page.

use std::fs;
use std::path::Path;
use std::process::Child;

use anyhow::{Context, Result, bail};

use crate::build::{TARGET_FLAGS, source_names};
use crate::finish::named;
use crate::run;

const COMPILE: &str = "build --package faultlab --no-default-features --features worker --bin worker --profile worker \
                       --target wasm32-unknown-unknown --target-dir target";
/// Where cargo leaves it.
const COMPILED: &str = "target/wasm32-unknown-unknown/worker/worker.wasm";
/// Where it is made ready, and kept from one build to the next. Cargo has a folder of its own named after the profile.
const KEPT: &str = "target/worker-program";
/// What wasm-opt does, and what it may use: the same as in `index.html`, but for speed.
const OPTIMIZE: &str = "-O3 --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
                        --enable-reference-types --enable-multivalue";

/// The program, ready to be served.
pub(crate) struct Worker {
    /// The script that wasm-bindgen writes for it.
    pub(crate) glue: String,
    /// Its WebAssembly.
    pub(crate) wasm: Vec<u8>,
}

/// Begins to compile it, beside whatever else is built.
pub(crate) fn begin() -> Result<Child> {
    // The flags of the page, which a hook of Trunk finds set, make it small, and this one slow.
    run::start(run::cargo(COMPILE).env(TARGET_FLAGS, source_names()))
}

/// Compiles it, which takes a moment where nothing has changed, and makes it ready.
pub(crate) fn build() -> Result<Worker> {
    let status = begin()?.wait()?;
    if !status.success() {
        bail!("the workers' program could not be compiled ({status})");
    }
    let compiled = fs::read(COMPILED).with_context(|| format!("reading {COMPILED}"))?;
    let folder = Path::new(KEPT).join(named("from", "wasm", &compiled));
    if !folder.exists() {
        make_ready(&folder)?;
    }
    let read =
        |name: &str| fs::read(folder.join(name)).with_context(|| format!("reading {name} in {}", folder.display()));
    let glue = String::from_utf8(read("worker.js")?).context("the script of wasm-bindgen")?;
    Ok(Worker { glue, wasm: read("worker.wasm")? })
}

/// Has wasm-bindgen and wasm-opt do their work; the folder is there when all is in it.
fn make_ready(folder: &Path) -> Result<()> {
    if Path::new(KEPT).exists() {
        fs::remove_dir_all(KEPT).with_context(|| format!("clearing {KEPT}"))?;
    }
    let draft = Path::new(KEPT).join("draft");
    fs::create_dir_all(&draft).with_context(|| format!("making {}", draft.display()))?;
    let mut bindgen = run::program("wasm-bindgen");
    bindgen.args(["--target", "web", "--no-typescript", "--remove-name-section", "--remove-producers-section"]);
    run::run(bindgen.args(["--out-name", "worker", "--out-dir"]).arg(&draft).arg(COMPILED))?;
    let mut optimize = run::program("wasm-opt");
    optimize.args(OPTIMIZE.split_whitespace()).arg("--output").arg(draft.join("worker.wasm"));
    run::run(optimize.arg(draft.join("worker_bg.wasm")))?;
    fs::rename(&draft, folder).with_context(|| format!("naming {}", folder.display()))
}
