//! The page's program in two parts: what its first look runs, and the rest, which is fetched when that is painted.
//!
//! Which functions are of the first part is measured (`cargo xtask first`) and listed in [`LIST`]. Where the list is wrong the page still
//! works: it stops until the rest has come, and a test of the page says so.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::scripts::{Files, GUARD, REST, fill};
use super::{named, read, write_named};
use crate::run;

/// The list of functions of the first part.
pub(crate) const LIST: &str = "src/web/boot/first.txt";
/// Where the script and the program are kept as they were built, with the names of functions: app.js and app.wasm.
pub(crate) const KEPT: &str = "target/page-program";
/// Where wasm-bindgen's script has what the program imports, and the same with what the first part does besides.
const IMPORTS: [&str; 2] =
    ["const imports = __wbg_get_imports();", "const imports = { ...__wbg_get_imports(), rest: { bring } };"];
/// What the script of a program in one part says of its rest.
const NO_REST: &str = "\nexport const rest = first => first;\n";

/// In how many parts a program comes.
#[derive(Clone, Copy)]
pub(crate) enum Parts {
    One,
    Two,
}

impl Parts {
    /// Puts the parts into the places of the script and the program in that folder.
    pub(super) fn arrange(self, site: &Path, files: &mut Files) -> Result<()> {
        let glue = read(site, &files.glue)?;
        match self {
            Self::One => {
                let program = fs::read(site.join(&files.wasm)).with_context(|| format!("reading {}", files.wasm))?;
                fs::remove_file(site.join(&files.glue))?;
                files.glue = write_named(site, "app", &whole(&glue))?;
                files.whole = (glue, program);
                Ok(())
            }
            Self::Two => split(site, &glue, files),
        }
    }
}

/// What takes the place of the whole program's script.
pub(crate) fn whole(glue: &str) -> String {
    [glue, GUARD, NO_REST].concat()
}

fn split(site: &Path, glue: &str, files: &mut Files) -> Result<()> {
    let kept = Path::new(KEPT);
    fs::create_dir_all(kept).with_context(|| format!("making {KEPT}"))?;
    fs::write(kept.join("app.js"), glue).with_context(|| format!("writing app.js in {KEPT}"))?;
    fs::copy(site.join(&files.wasm), kept.join("app.wasm")).with_context(|| format!("keeping {}", files.wasm))?;
    let at = |name: &str| kept.join(name);
    let [program, first, rest, bare] = ["app.wasm", "first.wasm", "rest.wasm", "bare.wasm"].map(at);
    let mut splitting = run::cargo("run --quiet --package split -- parts");
    run::run(splitting.arg(&program).arg(LIST).args([&first, &rest, &bare]))?;
    for built in [&files.glue, &files.wasm] {
        fs::remove_file(site.join(built)).with_context(|| format!("removing {built}"))?;
    }
    let place = |stem: &str, file: &Path| -> Result<String> {
        let bytes = fs::read(file).with_context(|| format!("reading {}", file.display()))?;
        let name = named(stem, "wasm", &bytes);
        fs::write(site.join(&name), bytes).with_context(|| format!("writing {name}"))?;
        Ok(name)
    };
    files.wasm = place("app", &first)?;
    files.rest = Some(place("rest", &rest)?);
    ensure!(glue.contains(IMPORTS[0]), "the script of wasm-bindgen has no {}: has it changed?", IMPORTS[0]);
    files.glue =
        write_named(site, "app", &[&*glue.replace(IMPORTS[0], IMPORTS[1]), GUARD, &*fill(REST, files)].concat())?;
    files.whole = (glue.to_owned(), fs::read(&bare).with_context(|| format!("reading {}", bare.display()))?);
    Ok(())
}
