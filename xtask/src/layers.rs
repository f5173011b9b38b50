//! Check of dependencies between modules of one crate, which Cargo cannot check.
//!
//! Crates separate the layers: in the order `faultlab-core`, `faultlab-experiment`,
//! `faultlab-papers`, `faultlab-report`, page, no layer can use a later one. Two rules remain.
//! Within `faultlab-core`, a module uses only modules before it in [`CORE_MODULES`]. A kind of
//! experiment uses no other kind.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

/// Modules of `faultlab-core`; each may use the modules before it.
const CORE_MODULES: [&str; 6] = ["topology", "fault", "traffic", "routing", "switching", "theory"];
/// Kinds of experiments. Each has a module in [`KIND_PARENTS`], and may not use the module of
/// another kind.
const KINDS: [&str; 6] = ["message", "circuit", "pairs", "worm", "permutation", "delivery"];
/// Folders with a module for each kind, and the prefix of paths to these modules.
const KIND_PARENTS: [(&str, &str); 3] =
    [("crates/experiment/src", "crate::"), ("crates/report/src", "crate::"), ("src/web", "crate::web::")];

/// Checks both rules in the checkout at `top`. The error lists every line that violates one.
pub(crate) fn check(top: &Path) -> Result<String> {
    let mut violations = Vec::new();
    let mut count = 0;
    for (index, module) in CORE_MODULES.iter().enumerate() {
        let folder = top.join("crates/core/src").join(module);
        count += check_folder(&folder, "crate::", &CORE_MODULES[index + 1..], &mut violations)?;
    }
    for (parent, prefix) in KIND_PARENTS {
        ensure!(top.join(parent).is_dir(), "{parent} is missing: update KIND_PARENTS");
        for kind in KINDS.into_iter().filter(|kind| top.join(parent).join(kind).is_dir()) {
            let others: Vec<_> = KINDS.into_iter().filter(|other| *other != kind).collect();
            count += check_folder(&top.join(parent).join(kind), prefix, &others, &mut violations)?;
        }
    }
    if !violations.is_empty() {
        bail!("modules that use forbidden modules:\n  {}", violations.join("\n  "));
    }
    Ok(format!("{count} files"))
}

/// Checks the Rust files in `folder` and its subfolders, and returns their number. Fails if the
/// folder cannot be read.
fn check_folder(folder: &Path, prefix: &str, forbidden: &[&str], violations: &mut Vec<String>) -> Result<usize> {
    let files = rust_files(folder)?;
    for file in &files {
        let text = fs::read_to_string(file).with_context(|| format!("reading {}", file.display()))?;
        let used = forbidden_uses(&text, prefix, forbidden);
        violations.extend(used.iter().map(|(line, module)| format!("{}:{line}: uses {module}", file.display())));
    }
    Ok(files.len())
}

/// Returns the Rust files in `folder` and below, sorted.
pub(crate) fn rust_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            found.extend(rust_files(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// Finds the paths in `text` that continue `prefix` with a module of `forbidden`, also in braces.
/// Lines count from 1; comment lines are skipped.
fn forbidden_uses(text: &str, prefix: &str, forbidden: &[&str]) -> Vec<(usize, String)> {
    let is_code = |line: &&str| !line.trim_start().starts_with("//");
    let code: String = text.lines().map(|line| if is_code(&line) { line } else { "" }.to_owned() + "\n").collect();
    let mut found = Vec::new();
    for (start, _) in code.match_indices(prefix) {
        let rest = &code[start + prefix.len()..];
        let group = rest.strip_prefix('{').map(|rest| rest.split(';').next().unwrap_or(rest));
        let names = group.map_or(vec![rest], |group| group.split(',').map(str::trim).collect());
        let modules = names.iter().map(|name| name.split(|c: char| !c.is_alphanumeric() && c != '_').next());
        let used = modules.flatten().filter(|module| forbidden.contains(module));
        let line = code[..start].matches('\n').count() + 1;
        found.extend(used.map(|module| (line, module.to_owned())));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forbidden_modules_are_found_in_imports_paths_and_braces() {
        let text = "use crate::routing::Rule;\n\
                    // crate::theory is free in comments\n\
                    use crate::{fault, theory::dependency};\n\
                    use crate::{\n    topology::Mesh,\n    theory::turns,\n};\n\
                    let a = crate::theory_of_all::b() + crate::switching::c();";
        let found = forbidden_uses(text, "crate::", &["switching", "theory"]);
        assert_eq!(found, [(3, "theory".to_owned()), (4, "theory".to_owned()), (8, "switching".to_owned())]);
    }

    #[test]
    fn checkout_follows_both_rules() {
        check(&Path::new(env!("CARGO_MANIFEST_DIR")).join("..")).unwrap();
    }
}
