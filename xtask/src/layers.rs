//! The order of the rooms in `src/`: each may use those above it and none below, and only the lowest touch a browser,
//! a clock or the terminal.
//!
//! The files are parsed, and every import and path is followed to the module that it means: through `self` and `super`,
//! imports with other names, and modules that only pass a name on. Inside of macros, whatever looks like a path is one.
//! Comments, strings and the modules of tests are free. Names that come in through a `*` are seen where they are the
//! start of a path.

mod circles;
mod names;
mod tree;

use std::collections::BTreeSet;
use std::path::Path;

use anyhow::{Result, bail};
use tree::{File, Target, Tree};

/// The rooms, from the one that uses no other to the one that may use all.
const ROOMS: [&str; 11] = [
    "topology",
    "fault",
    "traffic",
    "routing",
    "switching",
    "theory",
    "experiment",
    "report",
    "module",
    "worker",
    "web",
];
/// The kinds of experiments, a folder each wherever they have a part; none uses another.
const KINDS: [&str; 6] = ["message", "circuit", "pairs", "worm", "permutation", "delivery"];
/// The orders inside of single rooms.
const INSIDE: [Order; 3] = [
    Order { room: "experiment", shared: &["stats", "watch"], kinds: &KINDS },
    // Above the kinds, what names them: `kinds`, and `measured`, which charts what any of them measures.
    Order {
        room: "report",
        shared: &["words", "document", "error", "picture", "chart", "files", "checked", "watch"],
        kinds: &KINDS,
    },
    // The kinds stand in it too, with what stands above them: the list of kinds, and the page.
    Order {
        room: "web",
        shared: &[
            "dom",
            "player",
            "jobs",
            "desk",
            "bench",
            "form",
            "stage",
            "message",
            "circuit",
            "pairs",
            "worm",
            "permutation",
            "delivery",
            "rules",
            "kinds",
            "page",
            "figure",
        ],
        kinds: &KINDS,
    },
];
/// Where the outside world is allowed: the module, the page's workers, the page, and the programs.
const OUTSIDE: [&str; 4] = ["module", "worker", "web", "bin"];
/// Crates of the outside world, each with all whose names begin like that: `gloo` is also `gloo_timers`.
const WORLDLY: [&str; 6] = ["web_sys", "js_sys", "wasm_bindgen", "yew", "gloo", "getrandom"];
const PRINTING: [&str; 4] = ["print", "println", "eprint", "eprintln"];
const CHART_LIBRARY: &str = "plotters";
const CHART_ROOMS: [&str; 1] = ["report"];

/// The order of the modules inside of a room.
struct Order {
    room: &'static str,
    /// What all others in the room may use, each only those before it.
    shared: &'static [&'static str],
    /// What may not use each other: `message circuit pairs worm permutation delivery`, once these are modules.
    kinds: &'static [&'static str],
}

/// Checks every Rust file under `source`; returns how many there are, in words.
pub(crate) fn check(source: &Path) -> Result<String> {
    let tree = Tree::read(source)?;
    let slips = slips(&tree, &INSIDE);
    if !slips.is_empty() {
        bail!("the order of the rooms is broken:\n  {}", slips.join("\n  "));
    }
    let circles = circles::circles(&tree);
    if let Some(circle) = circles.first() {
        bail!("{} circles of files that import each other; the first:\n  {}", circles.len(), circle.join("\n  "));
    }
    Ok(format!("{} files, none in a circle", tree.files.len()))
}

/// Prints all that runs against the order, and the circles of files that import each other.
pub(crate) fn command(source: &Path) -> Result<()> {
    let tree = Tree::read(source)?;
    let (slips, circles) = (slips(&tree, &INSIDE), circles::circles(&tree));
    slips.iter().for_each(|slip| println!("{slip}"));
    println!("Against the order of the rooms: {}.", slips.len());
    println!("Circles among {} files: {}.", tree.files.len(), circles.len());
    for circle in &circles {
        println!("\n{} files:\n  {}", circle.len(), circle.join("\n  "));
    }
    Ok(())
}

/// What files mention and must not, each with its first place in the file.
fn slips(tree: &Tree, orders: &[Order]) -> Vec<String> {
    let mut slips = Vec::new();
    for file in &tree.files {
        let mut known = BTreeSet::new();
        for (mention, target) in tree.mentions(file) {
            let home = if let Target::Inside(path) = &target { tree.home_of(path) } else { target.clone() };
            for slip in
                [&target, &home].into_iter().filter_map(|target| check_mention(tree, file, target, orders).err())
            {
                if known.insert(slip.clone()) {
                    slips.push(format!("{}:{}: {slip}", file.path, mention.line));
                }
            }
        }
    }
    slips
}

/// Checks that `file` may mention `target`.
fn check_mention(tree: &Tree, file: &File, target: &Target, orders: &[Order]) -> Result<(), String> {
    let room = file.module.first().map_or("", String::as_str);
    match target {
        Target::Inside(path) => {
            if let Some(used) = path.first().filter(|used| is_after(&ROOMS, used, room)) {
                return Err(format!("uses crate::{used}"));
            }
            let Some(((room, user), (other, used))) = tree.part_of(&file.module).zip(tree.part_of(path)) else {
                return Ok(());
            };
            let is_forbidden = |order: &Order| room == order.room && order.forbids(user, used);
            if room == other && orders.iter().any(is_forbidden) {
                return Err(format!("uses crate::{room}::{used}"));
            }
            Ok(())
        }
        Target::Outside(path) => worldly(room, path).map_or(Ok(()), |name| Err(format!("mentions {name}"))),
    }
}

/// What of the outside world this is, unless the room may touch it.
fn worldly(room: &str, path: &[String]) -> Option<String> {
    let (first, last) = (path.first()?, path.last()?.trim_end_matches('!'));
    let is_of = |library: &str| first == library || first.starts_with(&format!("{library}_"));
    if is_of(CHART_LIBRARY) && !CHART_ROOMS.contains(&room) {
        return Some(CHART_LIBRARY.to_owned());
    }
    if OUTSIDE.contains(&room) {
        return None;
    }
    if path.len() > 1 && first == "std" && path[1] == "time" {
        return Some("std::time".to_owned());
    }
    let is_called = first.ends_with('!') || first == "std";
    let printing = PRINTING.iter().find(|name| is_called && **name == last).map(|name| format!("{name}!"));
    printing.or_else(|| WORLDLY.iter().find(|library| is_of(library)).map(|library| (*library).to_owned()))
}

impl Order {
    /// Whether the module `user` of a room may not use its module `used`.
    fn forbids(&self, user: &str, used: &str) -> bool {
        let leaves_shared = self.shared.contains(&user) && !self.shared.contains(&used);
        let between_kinds = [user, used].iter().all(|part| self.kinds.contains(part));
        user != used && (leaves_shared || between_kinds || is_after(self.shared, used, user))
    }
}

/// Whether `used` comes after `user` in an order that has both.
fn is_after(order: &[&str], used: &str, user: &str) -> bool {
    let place = |name| order.iter().position(|part| *part == name);
    place(user).zip(place(used)).is_some_and(|(user, used)| used > user)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slips_among(files: &[(&str, &str)], orders: &[Order]) -> Vec<String> {
        slips(&Tree::of(files).unwrap(), orders)
    }

    /// What a file of `room` alone mentions and must not, without its place.
    fn slips_in(room: &str, text: &str) -> Vec<String> {
        let found = slips_among(&[(&format!("{room}.rs"), text)], &INSIDE);
        found.iter().filter_map(|slip| slip.split_once(": ")).map(|(_, slip)| slip.to_owned()).collect()
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
    fn a_slip_has_its_first_place() {
        let files =
            [("fault/ring.rs", "\nuse crate::web::A;\nuse crate::web::B;"), ("web/mod.rs", "use crate::fault;")];
        assert_eq!(slips_among(&files, &INSIDE), ["fault/ring.rs:2: uses crate::web"]);
    }

    #[test]
    fn there_is_no_way_around() {
        let lib = ("lib.rs", "mod fault; mod keep; mod web; pub use web::Page as Handy;");
        let keep = ("keep.rs", "pub use crate::web as elsewhere;");
        let web = ("web.rs", "pub struct Page;");
        for text in [
            "use super::super::web::Page;",
            "use super::{super::web::{self}};",
            "use crate as all; fn f(_: all::web::Page) {}",
            "use crate::*; fn f(_: web::Page) {}",
            "use a::b::*; use crate::*; use c::d::*; fn f() { web::x() }",
            "use super::super::*; fn f() { web::x() }",
            "mod inner { use super::super::super::web::Page; }",
            "fn f() { self::super::super::web::x() }",
            "fn f() { vec![super::super::web::x()] }",
            "macro_rules! m { () => { use $crate::{web::Page}; } }",
            "impl super::super::web::Page {}",
            "use crate::Handy;",
            "use crate::keep::elsewhere::Page;",
            "pub(in crate::web) struct S;",
        ] {
            let files = [lib, keep, web, ("fault/ring.rs", text)];
            let found = slips_among(&files, &INSIDE);
            assert!(found.len() == 1 && found[0].starts_with("fault/ring.rs:1: uses crate::web"), "{text}: {found:?}");
        }
        for text in
            ["use super::web::Page;", "mod web {} use self::web::Page;", "use crate::fault::web;", "fn f(web: u8) {}"]
        {
            assert!(slips_among(&[lib, keep, web, ("fault/ring.rs", text)], &INSIDE).is_empty(), "{text}");
        }
    }

    #[test]
    fn the_core_knows_no_outside_world() {
        for text in [
            "use web_sys::Window;",
            "fn f() { gloo_timers::x() }",
            "fn f() { println!(\"\") }",
            "use std::{fmt, time::Instant};",
            "fn f() { ::std::time::x(); }",
            "use std as s; fn f() { s::time::x() }",
            "fn f() { std::print!(\"\") }",
            "use std::eprint as say;",
            "fn f() { assert!(g(|| eprintln!())) }",
        ] {
            assert_eq!(slips_in("switching", text).len(), 1, "{text}");
            assert_eq!(slips_in("random", text).len(), 1, "{text}");
            assert!(slips_in("web", text).is_empty(), "{text}");
            assert!(slips_in("bin/app", text).is_empty(), "{text}");
        }
        assert!(
            slips_in("fault", "fn f() { let gloomy = time::now; let renew_web_sys = 1; yewprint::x() }").is_empty()
        );
    }

    #[test]
    fn only_report_lays_out_charts() {
        assert!(slips_in("report", "use plotters::prelude::*;").is_empty());
        assert_eq!(slips_in("web", "use plotters_backend::DrawingBackend;"), ["mentions plotters"]);
        assert_eq!(slips_in("experiment", "use plotters::prelude::*;"), ["mentions plotters"]);
    }

    #[test]
    fn tests_are_free_in_their_files_too() {
        let files = [
            ("fault/mod.rs", "#[cfg(test)] mod tests; #[cfg(test)] mod more { use crate::web; }"),
            ("fault/tests.rs", "use crate::web; mod deeper;"),
            ("fault/tests/deeper.rs", "use crate::report;"),
        ];
        assert!(slips_among(&files, &INSIDE).is_empty());
    }

    const REPORT: [Order; 1] =
        [Order { room: "report", shared: &["words", "files", "chart"], kinds: &["message", "circuit"] }];

    #[test]
    fn a_room_has_an_order_inside() {
        let files = |user, text| {
            let passed_on = "pub use message::Story; pub struct Own;";
            let others =
                ["words", "files", "chart", "message", "circuit", "cube"].map(|part| format!("report/{part}.rs"));
            let mut files: Vec<_> = others.iter().map(|path| (path.as_str(), "")).collect();
            files.extend([("report/mod.rs", passed_on), (user, text)]);
            slips_among(&files, &REPORT)
        };
        for (user, text) in [
            ("report/words/a.rs", "use crate::report::files::X;"),
            ("report/files/a.rs", "use super::super::chart;"),
            ("report/words/a.rs", "use crate::report::message::X;"),
            ("report/words/a.rs", "use crate::report::cube::X;"),
            ("report/words/a.rs", "use crate::report::Story;"),
            ("report/message/a.rs", "use crate::report::circuit::X;"),
        ] {
            assert_eq!(files(user, text).len(), 1, "{user} {text}");
        }
        for (user, text) in [
            ("report/files/a.rs", "use crate::report::{Own, files, words::X};"),
            ("report/message/a.rs", "use crate::report::{chart, cube, message, words};"),
            ("report/cube/a.rs", "use crate::report::{chart, circuit, message};"),
            ("report/mod.rs", "use message::X; use words::Y;"),
            ("web/words.rs", "use crate::report::{chart, message, words};"),
        ] {
            assert!(files(user, text).is_empty(), "{user} {text}");
        }
    }

    #[test]
    fn without_a_declared_order_a_room_is_free_inside() {
        let files = [("report/words.rs", "use crate::report::pairs;"), ("report/pairs.rs", "use super::words;")];
        assert!(slips_among(&files, &[]).is_empty());
    }
}
