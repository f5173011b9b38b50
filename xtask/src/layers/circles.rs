//! Files that import each other, directly or around a corner.

use petgraph::algo::tarjan_scc;
use petgraph::graphmap::DiGraphMap;

use super::tree::{File, Target, Tree};

/// Which file imports which, by their numbers in the tree, with the line of the first such import.
///
/// What is imported counts for the file of its module, whoever it comes from. Not counted are a file's imports from the
/// modules around it, and that a module passes on what is inside of it: so the two would always be a circle.
pub(crate) fn imports(tree: &Tree) -> DiGraphMap<usize, usize> {
    let mut graph = DiGraphMap::new();
    for (from, file) in tree.files.iter().enumerate() {
        graph.add_node(from);
        for (mention, target) in tree.mentions(file) {
            let Target::Inside(path) = target else { continue };
            let Some(to) = tree.file_of(&path) else { continue };
            let passes_on = mention.is_passed_on && is_around(file, &tree.files[to]);
            if to != from && !passes_on && !is_around(&tree.files[to], file) && !graph.contains_edge(from, to) {
                graph.add_edge(from, to, mention.line);
            }
        }
    }
    graph
}

/// Whether `outer` is the file of a module around that of `inner`.
fn is_around(outer: &File, inner: &File) -> bool {
    inner.module.starts_with(&outer.module)
}

/// The files of every circle, the largest first; each with what it imports from the same circle.
pub(crate) fn circles(tree: &Tree) -> Vec<Vec<String>> {
    let graph = imports(tree);
    let mut circles: Vec<_> = tarjan_scc(&graph).into_iter().filter(|circle| circle.len() > 1).collect();
    circles.iter_mut().for_each(|circle| circle.sort_unstable());
    circles.sort_by_key(|circle| (std::cmp::Reverse(circle.len()), circle[0]));
    let shown = |from: usize, circle: &[usize]| {
        let mut imported: Vec<_> = graph.edges(from).filter(|(_, to, _)| circle.contains(to)).collect();
        imported.sort_unstable();
        let named = imported.into_iter().map(|(_, to, line)| format!("{} (line {line})", tree.files[to].path));
        format!("{} -> {}", tree.files[from].path, named.collect::<Vec<_>>().join(", "))
    };
    circles.iter().map(|circle| circle.iter().map(|&from| shown(from, circle)).collect()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn circles_among(files: &[(&str, &str)]) -> Vec<Vec<String>> {
        circles(&Tree::of(files).unwrap())
    }

    #[test]
    fn circles_are_found_around_corners() {
        let files = [
            ("a.rs", "\nuse crate::b::B;"),
            ("b.rs", "fn f() { super::c::d::g() }"),
            ("c/mod.rs", "pub mod d;"),
            ("c/d.rs", "use crate::a;"),
            ("e.rs", "use crate::{a, b, f};"),
            ("f.rs", ""),
        ];
        let circle = ["a.rs -> b.rs (line 2)", "b.rs -> c/d.rs (line 1)", "c/d.rs -> a.rs (line 1)"];
        assert_eq!(circles_among(&files), [circle.map(str::to_owned).to_vec()]);
    }

    #[test]
    fn what_is_passed_on_is_of_the_module_that_passes_it_on() {
        let files = [
            ("a/mod.rs", "pub mod b; pub use b::B; pub use crate::c::C;"),
            ("a/b.rs", "use super::D; use crate::c;"),
            ("c.rs", "use crate::a::B;"),
        ];
        let circle = ["a/mod.rs -> c.rs (line 1)", "c.rs -> a/mod.rs (line 1)"];
        assert_eq!(circles_among(&files), [circle.map(str::to_owned).to_vec()]);
    }

    #[test]
    fn modules_and_what_is_inside_of_them_are_no_circle() {
        let files = [
            ("lib.rs", "mod a; pub use a::b::B;"),
            ("a/mod.rs", "mod b; use b::B; fn f() { b::g() }"),
            ("a/b.rs", "use super::x; use crate::y; #[cfg(test)] mod tests { use crate::c; }"),
            ("c.rs", "use crate::a::b;"),
        ];
        assert!(circles_among(&files).is_empty());
    }
}
