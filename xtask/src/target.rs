//! Compilation target of the page, its compiler flags, and its output folder.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

/// Folder of Trunk's output (see `Trunk.toml`).
pub(crate) const DIST: &str = "dist";

/// Compilation target of the page, its workers and the npm package.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Environment variable with compiler flags for the page and its workers; cargo ignores it if
/// `RUSTFLAGS` is set.
pub(crate) const TARGET_FLAGS: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

/// Returns flags that rename the folders of the crates' sources. Panic messages would otherwise
/// contain paths of this machine, and the bytes and names of the page would differ between
/// machines.
pub(crate) fn source_names() -> OsString {
    let mut flags = OsString::new();
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let Some(home) = cargo_home.or_else(|| Some(env::home_dir()?.join(".cargo"))) else { return flags };
    for folder in fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten() {
        let path = folder.path();
        // Cargo splits the flags at spaces and does not support quotes.
        if !path.to_string_lossy().contains(' ') {
            flags.push(" --remap-path-prefix=");
            flags.push(path);
            flags.push("=crates");
        }
    }
    flags
}
