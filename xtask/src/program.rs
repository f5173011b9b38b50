//! Programs in WebAssembly that Trunk does not build, made for speed: it has compiler flags of its own, and Trunk's are for the page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use anyhow::{Context, Result, bail};

use crate::content_name::named;
use crate::run;
use crate::target::{TARGET, TARGET_FLAGS, source_names};

/// One of them.
pub(crate) struct Program {
    /// The program and the feature that it needs are called so.
    pub(crate) name: &'static str,
    /// How its files begin.
    pub(crate) stem: &'static str,
}

/// That of the page's workers.
pub(crate) const WORKER: Program = Program { name: "worker", stem: "worker" };
/// The module of the npm package.
pub(crate) const MODULE: Program = Program { name: "module", stem: "core" };

/// The profile of both, after which cargo names a folder.
const PROFILE: &str = "worker";
/// The profile of the page and its workers while they are changed.
const DEVELOPMENT: &str = "page-dev";
/// What wasm-opt does, and what it may use: the same as in `index.html`, but for speed.
const OPTIMIZE: &str = "-O3 --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
                        --enable-reference-types --enable-multivalue";

/// A program, ready to be used.
pub(crate) struct Made {
    /// The script that wasm-bindgen writes for it.
    pub(crate) glue: String,
    /// Its WebAssembly.
    pub(crate) wasm: Vec<u8>,
}

impl Made {
    /// The program whose two files have these names.
    pub(crate) fn read(folder: &Path, glue: &str, wasm: &str) -> Result<Self> {
        let read =
            |name: &str| fs::read(folder.join(name)).with_context(|| format!("reading {name} in {}", folder.display()));
        Ok(Self { glue: String::from_utf8(read(glue)?).context("the script of wasm-bindgen")?, wasm: read(wasm)? })
    }
}

/// What makes STEM.js and STEM_bg.wasm in `folder` of what the compiler has left.
pub(crate) fn bindgen(stem: &str, compiled: &Path, folder: &Path) -> Command {
    let mut command = run::program("wasm-bindgen");
    command.args(["--target", "web", "--no-typescript", "--remove-name-section", "--remove-producers-section"]);
    command.args(["--out-name", stem, "--out-dir"]).arg(folder).arg(compiled);
    command
}

impl Program {
    /// Begins to compile it, beside whatever else is built.
    pub(crate) fn begin(&self) -> Result<Child> {
        let name = self.name;
        let mut compile = run::cargo(&format!(
            "build --package faultlab --no-default-features --features {name} --bin {name} --profile {PROFILE} --target {TARGET} \
             --target-dir target"
        ));
        // The flags of the page, which a hook of Trunk finds set, make it small, and these slow.
        run::start(compile.env(TARGET_FLAGS, source_names()))
    }

    /// Compiles it, which takes a moment where nothing has changed, and makes it ready.
    pub(crate) fn build(&self) -> Result<Made> {
        let status = self.begin()?.wait()?;
        if !status.success() {
            bail!("the program {} could not be compiled ({status})", self.name);
        }
        let file = format!("target/{TARGET}/{PROFILE}/{}.wasm", self.name);
        let compiled = fs::read(&file).with_context(|| format!("reading {file}"))?;
        let folder = self.kept().join(named("from", "wasm", &compiled));
        if !folder.exists() {
            self.make_ready(&file, &folder)?;
        }
        Made::read(&folder, &format!("{}.js", self.stem), &format!("{}.wasm", self.stem))
    }

    /// Compiles it with the page's features and profile for development, so that both share one build of the library.
    pub(crate) fn build_for_development(&self) -> Result<Made> {
        let name = self.name;
        run::run(&mut run::cargo(&format!(
            "build --package faultlab --no-default-features --features web --bin {name} --profile {DEVELOPMENT} --target {TARGET} \
             --target-dir target"
        )))?;
        let folder = PathBuf::from(format!("target/{name}-{DEVELOPMENT}"));
        let compiled = PathBuf::from(format!("target/{TARGET}/{DEVELOPMENT}/{name}.wasm"));
        run::run(&mut bindgen(name, &compiled, &folder))?;
        Made::read(&folder, &format!("{name}.js"), &format!("{name}_bg.wasm"))
    }

    /// Where it is made ready, and kept from one build to the next.
    fn kept(&self) -> PathBuf {
        PathBuf::from(format!("target/{}-program", self.name))
    }

    /// Has wasm-bindgen and wasm-opt do their work; the folder is there when all is in it.
    fn make_ready(&self, compiled: &str, folder: &Path) -> Result<()> {
        let (kept, stem) = (self.kept(), self.stem);
        if kept.exists() {
            fs::remove_dir_all(&kept).with_context(|| format!("clearing {}", kept.display()))?;
        }
        let draft = kept.join("draft");
        fs::create_dir_all(&draft).with_context(|| format!("making {}", draft.display()))?;
        run::run(&mut bindgen(stem, Path::new(compiled), &draft))?;
        let mut optimize = run::program("wasm-opt");
        optimize.args(OPTIMIZE.split_whitespace()).arg("--output").arg(draft.join(format!("{stem}.wasm")));
        run::run(optimize.arg(draft.join(format!("{stem}_bg.wasm"))))?;
        fs::rename(&draft, folder).with_context(|| format!("naming {}", folder.display()))
    }
}
