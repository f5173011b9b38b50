//! What a Rust file names: its imports and the paths in its code, outside of its tests.

use anyhow::{Result, ensure};
use proc_macro2::{Delimiter, Ident, Spacing, TokenStream, TokenTree};
use syn::ext::IdentExt;
use syn::visit::{self, Visit};
use syn::{Attribute, ItemExternCrate, ItemMod, ItemUse, Macro, Meta, UseTree, Visibility};

/// A path as it is written, and where. The name of a macro ends in `!`; before a path that begins with `::` is an empty name.
#[derive(Clone, Debug)]
pub(crate) struct Mention {
    /// The module in which it stands, from the file's own on: empty outside of modules in braces.
    pub(crate) inner: Vec<String>,
    pub(crate) path: Vec<String>,
    /// From 1 on.
    pub(crate) line: usize,
    /// Whether it is an import from which others may import.
    pub(crate) is_passed_on: bool,
}

/// An import: `name` stands for the path of the mention; without a name, for all that is in it.
#[derive(Debug)]
pub(crate) struct Import {
    pub(crate) name: Option<String>,
    pub(crate) mention: Mention,
}

/// A module that a file declares, by its path from the file's own module on.
#[derive(Debug)]
pub(crate) struct Declared {
    pub(crate) path: Vec<String>,
    pub(crate) is_test: bool,
}

/// All that a file names.
#[derive(Debug, Default)]
pub(crate) struct Names {
    pub(crate) imports: Vec<Import>,
    /// The other paths: of two names at least, or of a macro.
    pub(crate) mentions: Vec<Mention>,
    pub(crate) modules: Vec<Declared>,
}

/// Reads the text of a file.
pub(crate) fn names_in(text: &str) -> Result<Names> {
    let file = syn::parse_file(text).map_err(|error| {
        let line = error.span().start().line;
        anyhow::Error::new(error).context(format!("line {line} is not understood"))
    });
    let mut reader = Reader::default();
    reader.visit_file(&file?);
    ensure!(!reader.is_moved, "a module with #[path] is not where its name says, and would not be found");
    Ok(reader.names)
}

#[derive(Default)]
struct Reader {
    names: Names,
    inner: Vec<String>,
    is_moved: bool,
}

impl Reader {
    fn mention(&self, path: Vec<String>, line: usize, is_passed_on: bool) -> Mention {
        Mention { inner: self.inner.clone(), path, line, is_passed_on }
    }

    fn add_path(&mut self, path: Vec<String>, line: usize) {
        // One name alone is of here, or was imported.
        if path.len() > 1 || path.iter().any(|name| name.ends_with('!')) {
            let mention = self.mention(path, line, false);
            self.names.mentions.push(mention);
        }
    }

    fn add_import(&mut self, name: Option<String>, path: Vec<String>, line: usize, is_passed_on: bool) {
        let mention = self.mention(path, line, is_passed_on);
        self.names.imports.push(Import { name, mention });
    }

    fn read_tree(&mut self, tree: &UseTree, mut path: Vec<String>, is_passed_on: bool) {
        match tree {
            UseTree::Path(part) => {
                path.push(text_of(&part.ident));
                self.read_tree(&part.tree, path, is_passed_on);
            }
            UseTree::Name(last) => self.read_last(&last.ident, &last.ident, path, is_passed_on),
            UseTree::Rename(last) => self.read_last(&last.ident, &last.rename, path, is_passed_on),
            UseTree::Glob(glob) => self.add_import(None, path, glob.star_token.spans[0].start().line, is_passed_on),
            UseTree::Group(group) => {
                group.items.iter().for_each(|tree| self.read_tree(tree, path.clone(), is_passed_on));
            }
        }
    }

    /// In a group, `self` is what the group is of.
    fn read_last(&mut self, last: &Ident, known_as: &Ident, mut path: Vec<String>, is_passed_on: bool) {
        if last != "self" || path.is_empty() {
            path.push(text_of(last));
        }
        let name = if known_as == "self" { path.last().cloned() } else { Some(text_of(known_as)) };
        self.add_import(name, path, last.span().start().line, is_passed_on);
    }

    /// Adds whatever looks like a path: inside of a macro nothing tells what it is. `before` is the path that stands before
    /// a group of imports.
    fn read_tokens(&mut self, tokens: TokenStream, before: &[String]) {
        let mut open: Option<(Vec<String>, usize)> = None;
        let mut marks = String::new();
        for token in tokens {
            if let TokenTree::Punct(mark) = &token {
                marks.push(mark.as_char());
                if marks == "!"
                    && mark.spacing() == Spacing::Alone
                    && let Some(name) = open.as_mut().and_then(|(path, _)| path.last_mut())
                {
                    name.push('!');
                }
                continue;
            }
            let marks = std::mem::take(&mut marks);
            let goes_on = open.take_if(|_| marks == "::");
            if let Some((path, line)) = open.take() {
                self.add_path(path, line);
            }
            match token {
                TokenTree::Ident(name) => {
                    let (mut path, line) = goes_on.unwrap_or_else(|| (before.to_vec(), name.span().start().line));
                    path.push(text_of(&name));
                    // A field or a method is no path.
                    open = Some((path, line)).filter(|_| marks != ".");
                }
                TokenTree::Group(group) => match goes_on {
                    Some((path, _)) if group.delimiter() == Delimiter::Brace => self.read_tokens(group.stream(), &path),
                    _ => self.read_tokens(group.stream(), &[]),
                },
                _ => {}
            }
        }
        if let Some((path, line)) = open {
            self.add_path(path, line);
        }
    }
}

impl<'ast> Visit<'ast> for Reader {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        self.inner.push(text_of(&module.ident));
        let is_test = module.attrs.iter().any(is_for_tests);
        self.names.modules.push(Declared { path: self.inner.clone(), is_test });
        if !is_test {
            self.is_moved |= module.attrs.iter().any(|attribute| attribute.path().is_ident("path"));
            visit::visit_item_mod(self, module);
        }
        self.inner.pop();
    }

    fn visit_item_use(&mut self, import: &'ast ItemUse) {
        let start = if import.leading_colon.is_some() { vec![String::new()] } else { Vec::new() };
        self.read_tree(&import.tree, start, !matches!(import.vis, Visibility::Inherited));
    }

    fn visit_item_extern_crate(&mut self, import: &'ast ItemExternCrate) {
        let known_as = import.rename.as_ref().map_or(&import.ident, |(_, name)| name);
        let root = if import.ident == "self" { "crate".to_owned() } else { text_of(&import.ident) };
        self.add_import(Some(text_of(known_as)), vec![root], import.ident.span().start().line, false);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        let names = path.segments.iter().map(|segment| text_of(&segment.ident));
        let start = path.leading_colon.map(|_| String::new());
        let line = path.segments.first().map_or(0, |first| first.ident.span().start().line);
        self.add_path(start.into_iter().chain(names).collect(), line);
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, called: &'ast Macro) {
        let mut names: Vec<_> = called.path.segments.iter().map(|segment| text_of(&segment.ident)).collect();
        if let Some(last) = names.last_mut() {
            last.push('!');
        }
        self.add_path(names, called.bang_token.spans[0].start().line);
        self.read_tokens(called.tokens.clone(), &[]);
    }

    fn visit_attribute(&mut self, attribute: &'ast Attribute) {
        self.visit_path(attribute.path());
        if let Meta::List(list) = &attribute.meta {
            self.read_tokens(list.tokens.clone(), &[]);
        }
    }
}

fn text_of(name: &Ident) -> String {
    name.unraw().to_string()
}

/// Whether it says `cfg(test)`, or `cfg(all(test, …))`.
fn is_for_tests(attribute: &Attribute) -> bool {
    let is_test = |condition: Meta| match condition {
        Meta::List(all) if all.path.is_ident("all") => {
            let parts = all.parse_args_with(syn::punctuated::Punctuated::<Meta, syn::Token![,]>::parse_terminated);
            parts.is_ok_and(|parts| parts.iter().any(|part| part.path().is_ident("test")))
        }
        condition => condition.path().is_ident("test"),
    };
    attribute.path().is_ident("cfg") && attribute.parse_args().is_ok_and(is_test)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn imports(text: &str) -> Vec<String> {
        let shown =
            |import: Import| format!("{} = {}", import.name.unwrap_or_default(), import.mention.path.join("::"));
        names_in(text).unwrap().imports.into_iter().map(shown).collect()
    }

    fn mentions(text: &str) -> Vec<String> {
        names_in(text).unwrap().mentions.into_iter().map(|mention| mention.path.join("::")).collect()
    }

    #[test]
    fn imports_are_read_to_their_leaves() {
        let text = "use crate::{a::{self, B as C}, d::*}; use {e, f as g}; pub use ::h::I; use r#mod::J as _;";
        let expected = ["a = crate::a", "C = crate::a::B", " = crate::d", "e = e", "g = f", "I = ::h::I", "_ = mod::J"];
        assert_eq!(imports(text), expected);
        assert_eq!(imports("extern crate self as me; extern crate alloc;"), ["me = crate", "alloc = alloc"]);
        let passed_on = |text| names_in(text).unwrap().imports[0].mention.is_passed_on;
        assert_eq!(["use a::b;", "pub use a::b;", "pub(crate) use a::b;"].map(passed_on), [false, true, true]);
    }

    #[test]
    fn paths_are_read_wherever_they_stand() {
        let text =
            "fn f<T: a::B>(x: &dyn c::D<e::F>) -> ::g::H { <i::J as k::L>::m(x.n.o(), p) } pub(in q::r) struct S;";
        let mut found = mentions(text);
        found.sort();
        assert_eq!(found, ["::g::H", "a::B", "c::D", "e::F", "i::J", "k::L::m", "q::r"]);
        assert_eq!(mentions("#[a::b(c::d)] #[cfg_attr(x, derive(e::F))] struct G;"), ["a::b", "c::d", "e::F"]);
    }

    #[test]
    fn macros_are_read_as_tokens() {
        assert_eq!(
            mentions("fn f() { g!(a::b(x.c, d != 1), vec![$crate::e]); std::h!{} }"),
            ["g!", "a::b", "vec!", "crate::e", "std::h!"]
        );
        assert_eq!(
            mentions("macro_rules! m { ($x:ident) => { use crate::{a::B, c}; print!(\"y::z\") } }"),
            ["macro_rules!", "crate::a::B", "crate::c", "print!"]
        );
    }

    #[test]
    fn comments_strings_and_tests_are_no_code() {
        let text = "//! a::b\n/// [`c::d`] /* e::f */\nstruct S;\nconst C: &str = \"g::h \\\" i::j\"; const D: &str = r#\"k::l \" m::n\"#;\
                    #[cfg(test)] mod tests { use o::p; } #[cfg(all(test, not(wasm)))] mod more { fn f() { q::r() } }";
        assert!(mentions(text).is_empty() && imports(text).is_empty(), "{:?}", mentions(text));
        assert_eq!(mentions("const Q: char = '\"'; fn f() { a::b() } const P: char = '\"';"), ["a::b"]);
        assert_eq!(mentions("#[cfg(not(test))] mod a { fn f() { b::c() } }"), ["b::c"]);
    }

    #[test]
    fn modules_in_braces_have_names_of_their_own() {
        let names = names_in("mod a { mod b { fn f() { super::g::h() } } }\n#[cfg(test)]\nmod c;").unwrap();
        assert_eq!(names.mentions[0].inner, ["a", "b"]);
        let modules: Vec<_> = names.modules.iter().map(|module| (module.path.join("::"), module.is_test)).collect();
        assert_eq!(modules, [("a".to_owned(), false), ("a::b".to_owned(), false), ("c".to_owned(), true)]);
    }

    #[test]
    fn what_cannot_be_followed_is_said() {
        assert!(names_in("#[path = \"x.rs\"] mod y;").is_err());
        let error = format!("{:#}", names_in("fn f() {\n  )\n}").unwrap_err());
        assert!(error.contains("line 2"), "{error}");
    }
}
