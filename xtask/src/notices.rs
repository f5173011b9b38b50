//! Third-party notices: the crates that are linked into the published programs, and their licence
//! texts, from the sources that cargo has fetched.

use std::collections::{BTreeMap, BTreeSet};
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};

use crate::run;

/// Name of the file, in the site, in the npm package and in the Python package.
const FILE: &str = "THIRD-PARTY-NOTICES.txt";

/// Published products, with the cargo arguments that select their crates.
const PRODUCTS: [(&str, &str); 4] = [
    ("page", "--package faultlab --no-default-features --features web --target wasm32-unknown-unknown"),
    ("npm package", "--package faultlab --no-default-features --features module --target wasm32-unknown-unknown"),
    ("command line", "--package faultlab --features cli"),
    ("Python package", "--package faultlab-python"),
];

/// Prefixes of the names of licence and notice files, in lower case.
const LICENCES: [&str; 6] = ["license", "licence", "copying", "copyright", "notice", "unlicense"];

/// Crate that is linked into a product.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct LinkedCrate {
    /// Name and version, as in the name of its source folder.
    folder: String,
    licence: String,
    repository: String,
}

/// Writes the notices into `folder`.
///
/// # Errors
/// Returns an error if cargo cannot list the crates, or the source of a crate is missing.
pub(crate) fn write(folder: &Path) -> Result<()> {
    let mut crates: BTreeMap<LinkedCrate, Vec<&str>> = BTreeMap::new();
    for (product, arguments) in PRODUCTS {
        for one in linked_crates(arguments)? {
            crates.entry(one).or_default().push(product);
        }
    }
    let file = folder.join(FILE);
    fs::write(&file, notices(&crates, &sources()?)?).with_context(|| format!("writing {}", file.display()))
}

/// Returns the crates that cargo links with `arguments`, without procedural macros and without the
/// crates of this workspace.
fn linked_crates(arguments: &str) -> Result<BTreeSet<LinkedCrate>> {
    let tree = "tree --locked --edges normal,no-proc-macro --prefix none --no-dedupe";
    let mut cargo = run::cargo(&format!("{tree} {arguments}"));
    let found = run::output(cargo.args(["--format", "{p}|{l}|{r}"]))?;
    let crates: BTreeSet<_> = found.lines().filter_map(parse_crate).collect();
    ensure!(!crates.is_empty(), "`cargo tree {arguments}` lists no crate");
    Ok(crates)
}

/// Parses a line such as `serde v1.0.229|MIT OR Apache-2.0|https://...`; `None` for a crate of this
/// checkout, which has a path.
fn parse_crate(line: &str) -> Option<LinkedCrate> {
    let mut parts = line.split('|');
    let (package, licence, repository) = (parts.next()?, parts.next()?, parts.next()?);
    let (name, version) = package.split_once(" v")?;
    let is_ours = version.contains('(');
    (!is_ours).then(|| LinkedCrate {
        folder: format!("{name}-{version}"),
        licence: licence.to_owned(),
        repository: repository.to_owned(),
    })
}

/// Returns the folders of crate sources in cargo's home, one for each registry.
fn sources() -> Result<Vec<PathBuf>> {
    let home = env::var_os("CARGO_HOME").map(PathBuf::from).or_else(|| Some(env::home_dir()?.join(".cargo")));
    let folder = home.context("the home folder is unknown")?.join("registry/src");
    let registries = fs::read_dir(&folder).with_context(|| format!("reading {}", folder.display()))?;
    registries.map(|registry| Ok(registry?.path())).collect()
}

/// Returns the notices: the crates with their products, then every licence text with its crates.
fn notices(crates: &BTreeMap<LinkedCrate, Vec<&str>>, sources: &[PathBuf]) -> Result<String> {
    let mut text = "Third-party notices of Faultlab\n\n\
                    Faultlab is under the MIT licence or the Apache License 2.0. Its programs include the Rust standard library\n\
                    (MIT OR Apache-2.0, https://github.com/rust-lang/rust) and these crates:\n\n"
        .to_owned();
    let mut texts: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for (one, products) in crates {
        let LinkedCrate { folder, licence, repository } = one;
        let found = licences(folder, sources)?;
        let missing = if found.is_empty() { "; it contains no licence text" } else { "" };
        let _ = writeln!(text, "{folder}: {licence}; {repository}; in the {}{missing}", products.join(", "));
        for licence in found {
            texts.entry(licence).or_default().push(folder);
        }
    }
    for (licence, folders) in texts {
        let _ = write!(text, "\n{}\n{}:\n\n{licence}\n", "-".repeat(80), folders.join(", "));
    }
    Ok(text)
}

/// Returns the licence and notice texts of a crate.
fn licences(folder: &str, sources: &[PathBuf]) -> Result<Vec<String>> {
    let source = sources.iter().map(|source| source.join(folder)).find(|source| source.is_dir());
    let source = source.with_context(|| format!("the source of {folder} is missing: run `cargo fetch`"))?;
    let mut texts = Vec::new();
    for entry in fs::read_dir(&source).with_context(|| format!("reading {}", source.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().to_lowercase();
        if path.is_file() && LICENCES.iter().any(|beginning| name.starts_with(beginning)) {
            let bytes = fs::read(&path).with_context(|| format!("reading {}", path.display()))?;
            texts.push(String::from_utf8_lossy(&bytes).replace("\r\n", "\n").trim().to_owned());
        }
    }
    texts.sort();
    Ok(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_crate_skips_workspace_crates() {
        let serde = parse_crate("serde v1.0.229|MIT OR Apache-2.0|https://github.com/serde-rs/serde").expect("a crate");
        assert_eq!((serde.folder.as_str(), serde.licence.as_str()), ("serde-1.0.229", "MIT OR Apache-2.0"));
        assert_eq!(parse_crate("faultlab v1.0.0 (/tmp/faultlab)|MIT OR Apache-2.0|"), None);
    }

    #[test]
    fn each_licence_text_appears_once_with_its_crates() {
        let top = env::temp_dir().join(format!("faultlab-notices-{}", std::process::id()));
        for (folder, file) in [("a-1.0.0", "LICENSE-MIT"), ("b-2.0.0", "license.md"), ("b-2.0.0", "readme.md")] {
            fs::create_dir_all(top.join(folder)).expect("a folder");
            fs::write(top.join(folder).join(file), "Permission is granted\r\n").expect("a file");
        }
        let one =
            |folder: &str| LinkedCrate { folder: folder.into(), licence: "MIT".into(), repository: "there".into() };
        let crates = BTreeMap::from([(one("a-1.0.0"), vec!["page", "npm package"]), (one("b-2.0.0"), vec!["page"])]);
        let found = notices(&crates, std::slice::from_ref(&top)).expect("notices");
        assert!(found.contains("a-1.0.0: MIT; there; in the page, npm package\n"), "{found}");
        assert!(found.ends_with("\na-1.0.0, b-2.0.0:\n\nPermission is granted\n"), "{found}");
        assert_eq!(found.matches("Permission").count(), 1);
        assert!(notices(&BTreeMap::from([(one("c-1.0.0"), vec![])]), std::slice::from_ref(&top)).is_err());
        fs::remove_dir_all(&top).expect("cleared");
    }
}
