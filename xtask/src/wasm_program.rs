//! WebAssembly programs that are compiled for speed, without Trunk, whose compiler flags are for
//! the page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command};

use anyhow::{Context, Result, bail};

use crate::content_name::named;
use crate::run;
use crate::target::{TARGET, TARGET_FLAGS, source_names};

/// WebAssembly program.
pub(crate) struct WasmProgram {
    /// Name of the program and of its feature.
    pub(crate) name: &'static str,
    /// Prefix of its file names.
    pub(crate) stem: &'static str,
}

/// Program of the page's workers.
pub(crate) const WORKER: WasmProgram = WasmProgram { name: "worker", stem: "worker" };
/// Module of the npm package.
pub(crate) const NPM_MODULE: WasmProgram = WasmProgram { name: "module", stem: "core" };

/// Cargo profile of both programs, which also names a folder.
const PROFILE: &str = "worker";
/// Cargo profile of the page and its workers for development.
const DEVELOPMENT: &str = "page-dev";
/// Arguments of wasm-opt: the features are the same as in `index.html`, the optimization is for
/// speed.
const OPTIMIZE: &str = "-O3 --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext --enable-mutable-globals \
                        --enable-reference-types --enable-multivalue";

/// Compiled program, ready to use.
pub(crate) struct CompiledProgram {
    /// Script that wasm-bindgen generates.
    pub(crate) glue: String,
    /// WebAssembly module.
    pub(crate) wasm: Vec<u8>,
}

impl CompiledProgram {
    /// Reads the two files of a program by their names.
    pub(crate) fn read(folder: &Path, glue: &str, wasm: &str) -> Result<Self> {
        let read =
            |name: &str| fs::read(folder.join(name)).with_context(|| format!("reading {name} in {}", folder.display()));
        Ok(Self { glue: String::from_utf8(read(glue)?).context("the script of wasm-bindgen")?, wasm: read(wasm)? })
    }
}

/// Returns the wasm-bindgen command that creates STEM.js and STEM_bg.wasm in `folder` from the
/// compiler's output.
pub(crate) fn bindgen(stem: &str, compiled: &Path, folder: &Path) -> Command {
    let mut command = run::program("wasm-bindgen");
    command.args(["--target", "web", "--no-typescript", "--remove-name-section", "--remove-producers-section"]);
    command.args(["--out-name", stem, "--out-dir"]).arg(folder).arg(compiled);
    command
}

impl WasmProgram {
    /// Starts to compile the program, in parallel with the build.
    pub(crate) fn start_build(&self) -> Result<Child> {
        let name = self.name;
        let mut compile = run::cargo(&format!(
            "build --package faultlab --no-default-features --features {name} --bin {name} --profile {PROFILE} --target {TARGET} \
             --target-dir target"
        ));
        // A hook of Trunk inherits the flags of the page, which optimize for size and would slow
        // these programs down.
        run::start(compile.env(TARGET_FLAGS, source_names()))
    }

    /// Compiles the program, if anything has changed, and processes the output.
    pub(crate) fn build(&self) -> Result<CompiledProgram> {
        let status = self.start_build()?.wait()?;
        if !status.success() {
            bail!("the program {} could not be compiled ({status})", self.name);
        }
        let file = format!("target/{TARGET}/{PROFILE}/{}.wasm", self.name);
        let compiled = fs::read(&file).with_context(|| format!("reading {file}"))?;
        let folder = self.cache_folder().join(named("from", "wasm", &compiled));
        if !folder.exists() {
            self.process_output(&file, &folder)?;
        }
        CompiledProgram::read(&folder, &format!("{}.js", self.stem), &format!("{}.wasm", self.stem))
    }

    /// Compiles the program with the page's features and profile for development, so that both
    /// share one build of the library.
    pub(crate) fn build_for_development(&self) -> Result<CompiledProgram> {
        let name = self.name;
        run::run(&mut run::cargo(&format!(
            "build --package faultlab --no-default-features --features web --bin {name} --profile {DEVELOPMENT} --target {TARGET} \
             --target-dir target"
        )))?;
        let folder = PathBuf::from(format!("target/{name}-{DEVELOPMENT}"));
        let compiled = PathBuf::from(format!("target/{TARGET}/{DEVELOPMENT}/{name}.wasm"));
        run::run(&mut bindgen(name, &compiled, &folder))?;
        CompiledProgram::read(&folder, &format!("{name}.js"), &format!("{name}_bg.wasm"))
    }

    /// Returns the folder of the processed program between builds.
    fn cache_folder(&self) -> PathBuf {
        PathBuf::from(format!("target/{}-program", self.name))
    }

    /// Runs wasm-bindgen and wasm-opt; the folder exists only when it is complete.
    fn process_output(&self, compiled: &str, folder: &Path) -> Result<()> {
        let (kept, stem) = (self.cache_folder(), self.stem);
        if kept.exists() {
            fs::remove_dir_all(&kept).with_context(|| format!("clearing {}", kept.display()))?;
        }
        let draft = kept.join("draft");
        fs::create_dir_all(&draft).with_context(|| format!("creating {}", draft.display()))?;
        run::run(&mut bindgen(stem, Path::new(compiled), &draft))?;
        let mut optimize = run::program("wasm-opt");
        optimize.args(OPTIMIZE.split_whitespace()).arg("--output").arg(draft.join(format!("{stem}.wasm")));
        run::run(optimize.arg(draft.join(format!("{stem}_bg.wasm"))))?;
        fs::rename(&draft, folder).with_context(|| format!("renaming {}", folder.display()))
    }
}
