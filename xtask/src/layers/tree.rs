//! The modules of `src/`, and what the paths in its files stand for.

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result, ensure};

use super::names::{Import, Mention, Names, names_in};

/// Aliases of aliases are followed so far; valid code ends earlier, and the rest must not loop.
const PATIENCE: u32 = 16;

/// What a path stands for.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Target {
    /// A module of `src/`, or something in it: the names from the top of the crate on.
    Inside(Vec<String>),
    /// Another crate, the standard library, or something local.
    Outside(Vec<String>),
}

/// A file of the tree.
#[derive(Debug)]
pub(crate) struct File {
    /// Its path inside `src/`.
    pub(crate) path: String,
    /// Its module, from the top of the library on; of programs, behind their place: `bin::app`.
    pub(crate) module: Vec<String>,
    names: Names,
}

/// All files under a folder.
#[derive(Debug, Default)]
pub(crate) struct Tree {
    pub(crate) files: Vec<File>,
    modules: HashMap<Vec<String>, Module>,
}

#[derive(Debug, Default)]
struct Module {
    file: usize,
    aliases: HashMap<String, Vec<String>>,
    globs: Vec<Vec<String>>,
}

impl Tree {
    /// Reads every Rust file under `source` but those that are compiled for tests only.
    pub(crate) fn read(source: &Path) -> Result<Self> {
        let mut texts = Vec::new();
        visit(source, &mut |path| {
            let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
            let inside = path.strip_prefix(source).unwrap_or(path);
            let parts: Vec<_> = inside.iter().map(|part| part.to_string_lossy()).collect();
            texts.push((parts.join("/"), text));
            Ok(())
        })?;
        ensure!(!texts.is_empty(), "no Rust file in {}", source.display());
        Self::of(&texts)
    }

    /// The tree of these files: their paths inside the folder, with `/`, and their texts.
    pub(crate) fn of(texts: &[(impl AsRef<str>, impl AsRef<str>)]) -> Result<Self> {
        let mut files = Vec::new();
        for (path, text) in texts {
            let path = path.as_ref().to_owned();
            let names = names_in(text.as_ref()).with_context(|| path.clone())?;
            files.push(File { module: module_of(&path), path, names });
        }
        drop_tests(&mut files);
        let mut tree = Self { modules: HashMap::new(), files };
        for (number, file) in tree.files.iter().enumerate() {
            let own = [Vec::new()].into_iter().chain(file.names.modules.iter().map(|module| module.path.clone()));
            for inner in own.filter(|inner| inner.is_empty() || !is_file(&tree.files, &file.module, inner)) {
                let module = Module { file: number, ..Module::default() };
                tree.modules.insert([file.module.as_slice(), &inner].concat(), module);
            }
        }
        tree.read_aliases();
        Ok(tree)
    }

    fn read_aliases(&mut self) {
        for file in &self.files {
            for Import { name, mention } in &file.names.imports {
                let place = [file.module.as_slice(), &mention.inner].concat();
                let Some(module) = self.modules.get_mut(&place) else { continue };
                match name {
                    Some(name) => _ = module.aliases.insert(name.clone(), mention.path.clone()),
                    None => module.globs.push(mention.path.clone()),
                }
            }
        }
    }

    /// Every path that the file names, and what it stands for.
    pub(crate) fn mentions<'a>(&'a self, file: &'a File) -> impl Iterator<Item = (&'a Mention, Target)> {
        let imports = file.names.imports.iter().map(|import| &import.mention);
        imports.chain(&file.names.mentions).map(|mention| {
            let place = [file.module.as_slice(), &mention.inner].concat();
            (mention, self.resolve(&place, &mention.path, PATIENCE))
        })
    }

    /// The file with the innermost module on a path from the top of the crate on.
    pub(crate) fn file_of(&self, path: &[String]) -> Option<usize> {
        let lengths = (0..=path.len()).rev();
        lengths.filter_map(|length| self.modules.get(&path[..length])).map(|module| module.file).next()
    }

    /// The room and the module in it, where a path leads into one.
    pub(crate) fn part_of<'p>(&self, path: &'p [String]) -> Option<(&'p str, &'p str)> {
        let [room, part, ..] = path else { return None };
        self.modules.contains_key(&path[..2]).then_some((room, part))
    }

    /// Where the thing at the end of a path is at home, if modules on the way only pass it on.
    pub(crate) fn home_of(&self, path: &[String]) -> Target {
        let mut path = path.to_vec();
        for _ in 0..PATIENCE {
            let Some(length) = (0..path.len()).find(|&length| !self.modules.contains_key(&path[..=length])) else {
                break;
            };
            match self.look_up(&path[..length], &path[length], PATIENCE) {
                Some(Target::Inside(start)) => path = [start.as_slice(), &path[length + 1..]].concat(),
                Some(outside) => return outside,
                None => break,
            }
        }
        Target::Inside(path)
    }

    /// What `path` stands for in the module at `place`.
    fn resolve(&self, place: &[String], path: &[String], patience: u32) -> Target {
        let inside = |start: &[String], rest: &[String]| Target::Inside([start, rest].concat());
        match path {
            [] => Target::Inside(place.to_vec()),
            [first, rest @ ..] if first == "crate" => inside(crate_of(place), rest),
            [first, rest @ ..] if first.is_empty() => Target::Outside(rest.to_vec()),
            [first, ..] if ["self", "super"].contains(&first.as_str()) => {
                let up = path.iter().take_while(|name| ["self", "super"].contains(&name.as_str()));
                let (all, above) = (up.clone().count(), up.filter(|name| *name == "super").count());
                inside(&place[..place.len().saturating_sub(above)], &path[all..])
            }
            [first, rest @ ..] => match self.look_up(place, first, patience) {
                Some(Target::Inside(start)) => inside(&start, rest),
                Some(Target::Outside(start)) => Target::Outside([start.as_slice(), rest].concat()),
                None => Target::Outside(path.to_vec()),
            },
        }
    }

    /// What a name stands for in a module: a module in it, what it is imported as, or something of a glob.
    fn look_up(&self, place: &[String], name: &str, patience: u32) -> Option<Target> {
        let here = self.modules.get(place)?;
        let patience = patience.checked_sub(1)?;
        let child = [place, &[name.to_owned()]].concat();
        if self.modules.contains_key(&child) {
            return Some(Target::Inside(child));
        }
        if let Some(path) = here.aliases.get(name) {
            // `use yew;` and `use rand::rand;` name a crate, not themselves.
            let is_of_a_crate = path.first().is_some_and(|first| first == name);
            let resolved = || self.resolve(place, path, patience);
            return Some(if is_of_a_crate { Target::Outside(path.clone()) } else { resolved() });
        }
        // Every `*` may stand behind every other: fewer steps, or their number would double with each.
        let patience = patience / 4;
        here.globs.iter().find_map(|glob| match self.resolve(place, glob, patience) {
            Target::Inside(module) => self.look_up(&module, name, patience),
            Target::Outside(_) => None,
        })
    }
}

/// The top of the crate in which a module is: programs are crates of their own.
fn crate_of(place: &[String]) -> &[String] {
    match place.first() {
        Some(first) if first == "bin" => &place[..place.len().min(2)],
        _ => &[],
    }
}

/// `fault::ring` for `fault/ring.rs`, `fault` for `fault/mod.rs` and for `fault.rs`.
fn module_of(path: &str) -> Vec<String> {
    let mut parts: Vec<_> = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    parts.pop_if(|last| ["mod", "lib", "main"].contains(&last.as_str()));
    parts
}

fn is_file(files: &[File], module: &[String], inner: &[String]) -> bool {
    files.iter().any(|file| file.module.strip_prefix(module) == Some(inner))
}

/// Leaves out the files of modules that are declared for tests, and all inside of them.
fn drop_tests(files: &mut Vec<File>) {
    let declared = files.iter().flat_map(|file| file.names.modules.iter().map(move |module| (&file.module, module)));
    let tests: Vec<_> = declared
        .filter(|(_, module)| module.is_test)
        .map(|(outer, module)| [outer.as_slice(), &module.path].concat())
        .collect();
    files.retain(|file| !tests.iter().any(|test| file.module.starts_with(test)));
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

#[cfg(test)]
mod tests {
    use super::*;

    fn words(path: &str) -> Vec<String> {
        path.split("::").map(str::to_owned).collect()
    }

    #[test]
    fn files_are_modules() {
        assert_eq!(module_of("fault/ring.rs"), ["fault", "ring"]);
        assert_eq!(module_of("fault/mod.rs"), ["fault"]);
        assert_eq!(module_of("fault.rs"), ["fault"]);
        assert!(module_of("lib.rs").is_empty());
        assert_eq!(module_of("bin/app.rs"), ["bin", "app"]);
        assert_eq!(module_of("bin/faultlab/main.rs"), ["bin", "faultlab"]);
    }

    #[test]
    fn programs_are_crates_of_their_own() {
        let tree = Tree::of(&[("bin/faultlab/run.rs", "use crate::web;"), ("bin/faultlab/web.rs", "")]).unwrap();
        let targets: Vec<_> = tree.mentions(&tree.files[0]).map(|(_, target)| target).collect();
        assert_eq!(targets, [Target::Inside(words("bin::faultlab::web"))]);
    }

    #[test]
    fn aliases_end() {
        let text =
            "use b as a; use c as b; use a as c; use yew; use rand::rand; fn f() { a::x(); yew::y(); rand::z() }";
        let tree = Tree::of(&[("fault.rs", text)]).unwrap();
        let targets: Vec<_> = tree.mentions(&tree.files[0]).map(|(_, target)| target).collect();
        assert!(targets.contains(&Target::Outside(words("yew::y"))), "{targets:?}");
        assert!(targets.iter().all(|target| matches!(target, Target::Outside(_))), "{targets:?}");
    }

    #[test]
    fn a_name_is_at_home_where_nobody_passes_it_on() {
        let files =
            [("a/mod.rs", "pub use self::b::B; pub use d::*;"), ("a/b.rs", "pub use crate::c::C as B;"), ("c.rs", "")];
        let tree = Tree::of(&[&files[..], &[("a/d.rs", "pub use yew::E;")]].concat()).unwrap();
        assert_eq!(tree.home_of(&words("a::B")), Target::Inside(words("c::C")));
        assert_eq!(tree.home_of(&words("a::E::new")), Target::Outside(words("yew::E")));
        assert_eq!(tree.home_of(&words("a::F")), Target::Inside(words("a::F")));
        assert_eq!(tree.file_of(&words("a::B")), Some(0), "the file that passes it on");
    }
}
