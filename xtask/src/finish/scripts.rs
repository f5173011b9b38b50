//! Scripts that start Faultlab: `src/web/boot/`, with the names of the files of one build.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

pub(super) const BOOT: &str = include_str!("../../../src/web/boot/boot.js");
pub(super) const PAGE: &str = include_str!("../../../src/web/boot/page.js");
pub(super) const WORKER: &str = include_str!("../../../src/web/boot/worker.js");
pub(super) const ELEMENT: &str = include_str!("../../../src/web/boot/element.js");
/// Script that is appended to the page's script from wasm-bindgen.
pub(super) const GUARD: &str = include_str!("../../../src/web/boot/guard.js");
pub(super) const OFFLINE: &str = include_str!("../../../src/web/boot/offline.js");
/// Program of the figures inside the script itself, in place of [`LINKED`].
pub(super) const PACKED: &str = include_str!("../../../src/web/boot/packed.js");
/// Program of the figures in files.
const LINKED: &str = include_str!("../../../src/web/boot/linked.js");
const UNPACK: &str = include_str!("../../../src/web/boot/unpack.js");
const STILL: &str = include_str!("../../../src/web/boot/still.js");
/// Styles of stills, which the page itself does not use.
const STILL_SHEET: &str = include_str!("../../../styles/still.css");
const RELAY: &str = include_str!("../../../src/web/boot/relay.js");
const START_ERROR: &str = include_str!("../../../src/web/boot/start_error.js");
const CRASH: &str = include_str!("../../../src/web/boot/crash.js");

/// Prefixes of the names of the style sheets, in order.
const STYLE_SHEETS: [&str; 2] = ["main-", "figure-"];

/// Names of the files of one build.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Files {
    pub(super) glue: String,
    pub(super) wasm: String,
    /// Script of the workers.
    pub(super) worker: String,
    /// Program of the workers.
    pub(super) worker_wasm: String,
    pub(super) answers: String,
    /// Rows of the papers.
    pub(super) rows: String,
    /// Text of the style sheets.
    pub(super) sheets: String,
}

impl Files {
    /// Reads the names of the page's script and program from Trunk's start script.
    pub(super) fn from_start_script(start: &str) -> Result<Self> {
        let named = |end: &str| {
            let quoted = start.split('\'').filter_map(|part| part.strip_prefix("./"));
            quoted.into_iter().find(|part| part.ends_with(end)).map(str::to_owned)
        };
        let glue = named(".js").context("the start script names no './….js'")?;
        let wasm = named(".wasm").context("the start script names no './….wasm'")?;
        Ok(Self { glue, wasm, ..Self::default() })
    }
}

/// Returns the names of the style sheets in the page's folder.
pub(super) fn sheet_names(site: &Path) -> Result<Vec<String>> {
    let named = |stem: &&str| {
        let names = fs::read_dir(site)?.flatten().map(|entry| entry.file_name());
        let mut names = names.filter_map(|name| name.into_string().ok());
        let is_sheet = |name: &String| name.starts_with(*stem) && name.ends_with(".css");
        names.find(is_sheet).with_context(|| format!("no style sheet {stem}….css"))
    };
    STYLE_SHEETS.iter().map(named).collect()
}

/// Removes the comments (600 bytes, compressed) from the style sheets in the page's folder, and
/// returns their text.
pub(super) fn sheets(site: &Path) -> Result<String> {
    let mut text = String::new();
    for name in sheet_names(site)? {
        let bare = without_comments(&super::read(site, &name)?);
        super::write(site, &name, &bare)?;
        text.push_str(&bare);
    }
    Ok(text)
}

/// Returns a style sheet without its comments. No string in the style sheets contains the beginning
/// of a comment.
fn without_comments(sheet: &str) -> String {
    let mut parts = sheet.split("/*");
    let mut bare = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let rest = part.split_once("*/").map_or("", |(_, rest)| rest);
        bare.push_str(if bare.ends_with('\n') { rest.trim_start() } else { rest });
    }
    bare
}

/// Returns a script with its placeholders filled in.
pub(super) fn fill_placeholders(script: &str, files: &Files) -> String {
    let places = [
        ("%PROGRAM%", LINKED),
        ("%START_ERROR%", START_ERROR),
        ("%CRASH%", CRASH),
        ("%VERSION%", env!("CARGO_PKG_VERSION")),
        ("%RELAY%", RELAY),
        ("%UNPACK%", UNPACK),
        ("%STILL%", STILL),
        ("%GLUE%", &files.glue),
        ("%WASM%", &files.wasm),
        ("%WORKER%", &files.worker),
        ("%WORKER_WASM%", &files.worker_wasm),
        ("%ANSWERS%", &files.answers),
        ("%ROWS%", &files.rows),
        ("%SHEET%", &quote(&rem_to_px(&[&*files.sheets, &without_comments(STILL_SHEET)].concat()))),
    ];
    places.into_iter().fold(script.to_owned(), |script, (place, text)| script.replace(place, text))
}

/// Returns the script of the service worker, which caches `names`: all files that the page loads.
pub(super) fn offline(names: &[&str]) -> String {
    let all: Vec<_> = names.iter().map(|name| format!("'{name}'")).collect();
    let script = OFFLINE.replace("%FILES%", &all.join(", "));
    // Browsers detect a new build by the bytes of the script.
    let build = crate::content_name::named("build", "js", script.as_bytes());
    script.replace("%BUILD%", build.trim_start_matches("build-").trim_end_matches(".js"))
}

/// Returns a style sheet whose sizes do not depend on the font size of the embedding page: `rem`
/// becomes 15 pixels.
fn rem_to_px(sheet: &str) -> String {
    let mut parts = sheet.split("rem");
    let mut fixed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits =
            fixed.len() - fixed.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.').len();
        match fixed[fixed.len() - digits..].parse::<f64>() {
            Ok(size) => {
                fixed.truncate(fixed.len() - digits);
                fixed.push_str(&format!("{}px", (size * 1500.0).round() / 100.0));
            }
            Err(_) => fixed.push_str("rem"),
        }
        fixed.push_str(part);
    }
    fixed
}

/// Returns a text as a string literal of a script.
fn quote(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('`', "\\`").replace("${", "\\${");
    format!("`{escaped}`")
}

/// Checks that no placeholder is left.
pub(super) fn check_no_placeholders(name: &str, text: &str) -> Result<()> {
    const PLACES: [&str; 19] = [
        "%PROGRAM%",
        "%UNPACK%",
        "%GLUE%",
        "%WASM%",
        "%WORKER%",
        "%WORKER_GLUE%",
        "%WORKER_WASM%",
        "%ANSWERS%",
        "%ROWS%",
        "%SHEET%",
        "%BOOT%",
        "%START%",
        "%START_ERROR%",
        "%CRASH%",
        "%VERSION%",
        "%RELAY%",
        "%STILL%",
        "%FILES%",
        "%BUILD%",
    ];
    for place in PLACES {
        ensure!(!text.contains(place), "{name} still contains {place}");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_files_of_the_start_script_and_fills_placeholders() {
        let text =
            "import init, * as x from './app-1.js';\nconst w = await init({ module_or_path: './app-1_bg.wasm' });\n";
        let files = Files::from_start_script(text).unwrap();
        assert_eq!((&*files.glue, &*files.wasm), ("app-1.js", "app-1_bg.wasm"));
        assert!(Files::from_start_script("import('./x.js')").is_err());
        let files = Files {
            worker: "w.js".into(),
            answers: "a.bin".into(),
            rows: "r.json".into(),
            sheets: "a{b:`1rem`}".into(),
            ..files
        };
        for (name, script) in [("boot", BOOT), ("page", PAGE), ("worker", WORKER), ("element", ELEMENT)] {
            check_no_placeholders(name, &fill_placeholders(script, &files)).unwrap();
        }
        assert!(fill_placeholders(ELEMENT, &files).contains("const SHEET = `a{b:\\`15px\\`}"));
    }

    #[test]
    fn service_worker_cache_differs_between_builds() {
        let (one, other) = (offline(&["./", "app-1.js"]), offline(&["./", "app-2.js"]));
        check_no_placeholders("offline", &one).unwrap();
        assert!(one.contains("const FILES = ['./', 'app-1.js'];"), "{one}");
        let cache = |script: &str| script.lines().find(|line| line.starts_with("const CACHE")).map(str::to_owned);
        assert_ne!(cache(&one), cache(&other));
    }

    #[test]
    fn comments_are_removed_from_style_sheets() {
        assert_eq!(without_comments("a{b:1}\n/* c\n d */\ne{f:2} /* g */\n"), "a{b:1}\ne{f:2} \n");
        assert_eq!(without_comments("/* a */ b{}"), " b{}");
    }

    #[test]
    fn rem_sizes_become_pixels() {
        assert_eq!(rem_to_px("a{x:.92rem;y:2rem} .remote{z:1em}"), "a{x:13.8px;y:30px} .remote{z:1em}");
    }
}
