//! The order of the rooms in `src/`: each may use those above it and none below, and only the lowest touch a browser,
//! a clock or the terminal.
//!
//! A textual check, so it can be fooled (`super::super::…` out of a room, a renamed import); it is there to notice
//! slips, and the build without features proves the rest. Comments, strings and the tests at a file's end are free.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail, ensure};

use crate::source::{code_of, first_segments, mentions};

/// The rooms, from the one that uses no other to the one that may use all.
const ROOMS: [&str; 9] =
    ["topology", "fault", "traffic", "routing", "switching", "theory", "experiment", "report", "web"];
/// Where the outside world is allowed: the page, and the programs.
const OUTSIDE: [&str; 2] = ["web", "bin"];
/// Names of the outside world. `std::time` is looked for separately, since it hides in grouped imports.
const WORLDLY: [&str; 8] = ["web_sys", "js_sys", "wasm_bindgen", "yew", "gloo", "getrandom", "println!", "eprintln!"];
const CHART_LIBRARY: &str = "plotters";
const CHART_ROOMS: [&str; 2] = ["report", "web"];

/// Checks every Rust file under `source`; returns how many there are, in words.
pub(crate) fn check(source: &Path) -> Result<String> {
    let mut slips = Vec::new();
    let mut count = 0;
    visit(source, &mut |path| {
        let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        let relative = path.strip_prefix(source).unwrap_or(path);
        let slips_here = slips_in(room_of(relative), &text);
        slips.extend(slips_here.into_iter().map(|slip| format!("{}: {slip}", path.display())));
        count += 1;
        Ok(())
    })?;
    ensure!(count > 0, "no Rust file in {}", source.display());
    if !slips.is_empty() {
        bail!("the order of the rooms is broken:\n  {}", slips.join("\n  "));
    }
    Ok(format!("{count} files"))
}

fn visit(folder: &Path, see: &mut impl FnMut(&Path) -> Result<()>) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| format!("reading {}", folder.display()))?;
    let mut paths = entries.map(|entry| Ok(entry?.path())).collect::<Result<Vec<_>>>()?;
    paths.sort();
    for path in paths {
        if path.is_dir() {
            visit(&path, see)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            see(&path)?;
        }
    }
    Ok(())
}

/// The first part of a path inside `src/`, without `.rs`: `fault` for `fault/ring.rs` and for `fault.rs`.
fn room_of(path: &Path) -> &str {
    let first = path.iter().next().and_then(|part| part.to_str()).unwrap_or_default();
    first.strip_suffix(".rs").unwrap_or(first)
}

/// What a file of `room` mentions and must not.
fn slips_in(room: &str, text: &str) -> Vec<String> {
    let code = code_of(text);
    let mut slips = Vec::new();
    if let Some(place) = ROOMS.iter().position(|name| *name == room) {
        let used = first_segments(&code, "crate");
        slips.extend(
            ROOMS[place + 1..].iter().filter(|below| used.contains(below)).map(|below| format!("uses crate::{below}")),
        );
    }
    if !OUTSIDE.contains(&room) {
        slips.extend(WORLDLY.iter().filter(|name| mentions(&code, name)).map(|name| format!("mentions {name}")));
        if first_segments(&code, "std").contains(&"time") {
            slips.push("mentions std::time".to_owned());
        }
    }
    if !CHART_ROOMS.contains(&room) && mentions(&code, CHART_LIBRARY) {
        slips.push(format!("mentions {CHART_LIBRARY}"));
    }
    slips
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rooms_are_the_first_part_of_a_path() {
        assert_eq!(room_of(Path::new("fault/ring.rs")), "fault");
        assert_eq!(room_of(Path::new("fault.rs")), "fault");
        assert_eq!(room_of(Path::new("lib.rs")), "lib");
    }

    #[test]
    fn a_room_may_use_those_above_it_and_itself() {
        let text = "use crate::topology::Node;\nuse crate::{fault::Set, random};\nuse crate::routing::Step;";
        assert!(slips_in("routing", text).is_empty());
        assert_eq!(slips_in("fault", text), ["uses crate::routing"]);
        assert_eq!(slips_in("topology", text), ["uses crate::fault", "uses crate::routing"]);
        assert!(slips_in("lib", text).is_empty(), "lib.rs is no room");
    }

    #[test]
    fn the_core_knows_no_outside_world() {
        for text in ["use web_sys::Window;", "gloo_timers::x()", "println!(\"\")", "use std::{fmt, time::Instant};"] {
            assert_eq!(slips_in("switching", text).len(), 1, "{text}");
            assert_eq!(slips_in("random", text).len(), 1, "{text}");
            assert!(slips_in("web", text).is_empty(), "{text}");
            assert!(slips_in("bin", text).is_empty(), "{text}");
        }
        assert!(slips_in("fault", "let gloomy = time::now; let renew_web_sys = 1;").is_empty());
    }

    #[test]
    fn eprintln_is_not_also_println() {
        assert_eq!(slips_in("theory", "eprintln!()"), ["mentions eprintln!"]);
    }

    #[test]
    fn only_report_and_web_draw_charts() {
        assert!(slips_in("report", "use plotters::prelude::*;").is_empty());
        assert!(slips_in("web", "plotters_canvas::CanvasBackend").is_empty());
        assert_eq!(slips_in("experiment", "use plotters::prelude::*;"), ["mentions plotters"]);
    }

    #[test]
    fn comments_strings_and_tests_are_free() {
        let text = "// crate::web\n/// [`crate::web`] /* crate::web */\nlet s = \"println! \\\" crate::web\";\n\
                    let r = r#\"yew \" plotters\"#; let q = '\"'; /* yew\nyew */ let end = ();\n\
                    #[cfg(test)]\nmod tests { use std::time::Instant; }";
        assert!(slips_in("topology", text).is_empty(), "{:?}", slips_in("topology", text));
        let code_after_a_quote = "let q = '\"'; use crate::web; let p = '\"';";
        assert_eq!(slips_in("topology", code_after_a_quote), ["uses crate::web"]);
    }
}
