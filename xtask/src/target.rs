//! The target that the page is compiled for, its compiler flags, and the folder that the page is built into.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::PathBuf;

/// Where Trunk leaves the page (see `Trunk.toml`).
pub(crate) const DIST: &str = "dist";

/// The target of the page, its workers and the npm package.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The variable with compiler flags for the page and its workers; cargo ignores it where the caller's `RUSTFLAGS` are set.
pub(crate) const TARGET_FLAGS: &str = "CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS";

/// Flags that rename the folders of the crates' sources: panic messages carry them into the page, where this machine's
/// paths mean nothing, and would make the page's bytes and names differ from one machine to the next.
pub(crate) fn source_names() -> OsString {
    let mut flags = OsString::new();
    let cargo_home = env::var_os("CARGO_HOME").map(PathBuf::from);
    let Some(home) = cargo_home.or_else(|| Some(env::home_dir()?.join(".cargo"))) else { return flags };
    for folder in fs::read_dir(home.join("registry/src")).into_iter().flatten().flatten() {
        let path = folder.path();
        // Cargo splits the flags at spaces and knows no quotes.
        if !path.to_string_lossy().contains(' ') {
            flags.push(" --remap-path-prefix=");
            flags.push(path);
            flags.push("=crates");
        }
    }
    flags
}
