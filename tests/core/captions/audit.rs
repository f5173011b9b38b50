//! Audit of captions with numbers: `audited.txt` lists every caption with its numbers and the tests
//! that check them. A changed number fails here until the list is updated.

use faultlab::experiment::presets::presets;
use faultlab::papers::{errata_of, item, items, papers};
use faultlab::routing;

/// List of captions; the header of `audited.txt` describes its format.
const AUDITED: &str = include_str!("audited.txt");

/// Caption in [`AUDITED`].
struct Entry {
    kind: &'static str,
    id: &'static str,
    numbers: &'static str,
    checks: Vec<&'static str>,
}

fn audited() -> Vec<Entry> {
    let entry = |line: &'static str| {
        let mut parts = line.split(" | ");
        let (kind, id) = parts.next()?.split_once(' ')?;
        Some(Entry { kind, id, numbers: parts.next()?, checks: parts.next()?.split(", ").collect() })
    };
    AUDITED.lines().filter(|line| !line.starts_with('#')).map(|line| entry(line).expect("three parts")).collect()
}

/// Source files of the tests that [`AUDITED`] names, by module.
const SOURCES: &[(&str, &str)] = &[
    ("presets", include_str!("../../../crates/experiment/src/presets.rs")),
    ("captions::circuits", include_str!("circuits.rs")),
    ("captions::closed_forms", include_str!("closed_forms.rs")),
    ("captions::messages", include_str!("messages.rs")),
    ("captions::papers", include_str!("papers.rs")),
    ("captions::permutations", include_str!("permutations.rs")),
    ("captions::watch", include_str!("watch.rs")),
    ("captions::worms", include_str!("worms.rs")),
    ("chiu", include_str!("../chiu.rs")),
    ("duato::figure_12", include_str!("../duato/figure_12.rs")),
    ("gordon_stout", include_str!("../gordon_stout.rs")),
    ("greenberg_leiserson", include_str!("../greenberg_leiserson.rs")),
    ("greenberg_leiserson::texts", include_str!("../greenberg_leiserson/texts.rs")),
    ("mesh::dimensions", include_str!("../mesh/dimensions.rs")),
    ("mesh_circuits::experiments", include_str!("../mesh_circuits/experiments.rs")),
    ("oblivious::kim_shin", include_str!("../oblivious/kim_shin.rs")),
    ("table_three", include_str!("../table_three.rs")),
    ("thesis", include_str!("../thesis.rs")),
];

/// Number words. "One" counts only as "one in", since elsewhere it is rarely a number.
const WORDS: &str = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen \
                     nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred hundreds thousand thousands million half \
                     third thirds quarter quarters fifth fifths sixth seventh eighth ninth tenth tenths twice doubles";

/// Returns the numbers in a text, as written. Names of algorithms, such as f-cube2, are skipped.
fn numbers(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().map(|word| word.trim_matches(|c: char| !c.is_alphanumeric())).collect();
    let next = words.iter().skip(1).copied().chain([""]);
    let is_number = |&(word, next): &(&str, &str)| {
        let small = word.to_lowercase();
        let is_word = small.split('-').any(|part| WORDS.split(' ').any(|number| number == part));
        let has_digit = word.contains(|c: char| c.is_ascii_digit()) && routing::find(&small).is_err();
        is_word || has_digit || (small == "one" && next == "in")
    };
    let found = words.iter().copied().zip(next).filter(is_number).map(|(word, _)| word);
    found.collect::<Vec<_>>().join(" ")
}

/// Returns every caption with a number: kind, id and numbers.
fn with_numbers() -> Vec<(&'static str, &'static str, String)> {
    let presets =
        presets().iter().map(|preset| ("preset", &*preset.id, format!("{} {}", preset.title, preset.sentence)));
    let items_told = items().map(|item| ("item", item.id, format!("{} {}", item.title, item.about)));
    let papers = papers().iter().map(|paper| ("paper", paper.id, format!("{} {}", paper.about, paper.fine_words)));
    let errata_text =
        |id| errata_of(id).map(|erratum| format!("{} {}", erratum.place, erratum.about)).collect::<Vec<_>>().join(" ");
    let errata = items().map(|item| ("errata", item.id, errata_text(item.id)));
    let all = presets.chain(items_told).chain(papers).chain(errata).map(|(kind, id, text)| (kind, id, numbers(&text)));
    all.filter(|(.., numbers)| !numbers.is_empty()).collect()
}

#[test]
fn every_number_in_a_caption_is_in_the_list() {
    let (all, audited) = (with_numbers(), audited());
    let listed = |(kind, id, numbers): &&(&str, &str, String)| {
        audited.iter().any(|entry| (entry.kind, entry.id, entry.numbers) == (*kind, *id, numbers.as_str()))
    };
    let missing: Vec<_> = all.iter().filter(|caption| !listed(caption)).collect();
    assert!(missing.is_empty(), "say in audited.txt where these numbers are checked: {missing:#?}");
    assert_eq!(audited.len(), all.len(), "audited.txt lists captions that have no numbers, or are gone");
}

/// Returns the source of a function, with the comments above it.
fn function(source: &'static str, name: &str) -> Option<&'static str> {
    let at = source.find(&format!("fn {name}("))?;
    let indent = source[..at].rsplit('\n').next()?.len();
    let start = source[..at].rfind("\n\n").unwrap_or(0);
    let end = source[at..].find(&format!("\n{}}}\n", " ".repeat(indent)))?;
    Some(&source[start..at + end])
}

#[test]
fn every_check_exists_and_names_what_it_checks() {
    for Entry { kind, id, checks, .. } in audited() {
        for check in checks {
            match check {
                "setup" => assert_ne!(kind, "paper", "{id}"),
                "quoted" => {}
                "computed" => {
                    assert!(
                        item(id).is_some_and(|item| matches!(kind, "item" | "errata") && !item.cells(&[]).is_empty()),
                        "{id}"
                    )
                }
                test => {
                    let (module, name) = test.rsplit_once("::").expect("a path");
                    let source = SOURCES.iter().find(|(listed, _)| *listed == module).expect("a listed file").1;
                    let text = function(source, name).unwrap_or_default();
                    assert!(text.contains(&format!("\"{id}\"")), "{test} does not name {id}");
                    assert!(text.contains("#[test]"), "{test} is no test");
                }
            }
        }
    }
}
