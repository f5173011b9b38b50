//! Search path of programs, with the project's own tools first.

use std::env;
use std::ffi::OsString;
use std::path::PathBuf;

/// Folder into which cargo installs tools.
pub(crate) const CARGO_ROOT: &str = ".tools";
/// Folder into which npm installs tools.
pub(crate) const NPM_ROOT: &str = ".tools/npm";

/// Returns `PATH` with the project's own tools in front.
pub(crate) fn search_path() -> OsString {
    let top = env::current_dir().unwrap_or_default();
    let own = [top.join(CARGO_ROOT).join("bin"), top.join(NPM_ROOT).join("node_modules/.bin")];
    let inherited = env::var_os("PATH").unwrap_or_default();
    let all = own.into_iter().chain(env::split_paths(&inherited));
    // Joining fails only for a directory with the separator in its name, which cannot be on a PATH.
    env::join_paths(all).unwrap_or(inherited)
}

/// Returns the first program called `name` on the search path.
pub(crate) fn find(name: &str) -> Option<PathBuf> {
    env::split_paths(&search_path())
        .map(|folder| folder.join(name).with_extension(env::consts::EXE_EXTENSION))
        .find(|path| path.is_file())
}
