//! Random rule texts for every family of networks, most of them valid.

use proptest::prelude::*;
use proptest::sample::select;

/// Families, each with its port sets and the networks to run rules on.
const FAMILIES: [(&str, &[&str], &[&str]); 5] = [
    (
        "cube",
        &["minimal", "all", "live", "faulty", "back", "wrong", "right", "up", "down", "dimension 1", "dimension 9"],
        &["cube:1", "cube:3", "cube:4"],
    ),
    (
        "mesh 2",
        &["minimal", "all", "live", "faulty", "back", "ahead", "ringed", "single", "East", "West", "North", "South"],
        &["mesh:3x3", "mesh:2x5", "mesh:4x4"],
    ),
    (
        "torus 2",
        &["minimal", "all", "live", "back", "wrapping", "disabled", "positive", "East", "North"],
        &["torus:3x3", "torus:4x4", "torus:2x3"],
    ),
    (
        "mesh",
        &["minimal", "all", "live", "back", "ahead", "positive", "negative", "0+", "2-", "4+"],
        &["mesh:5", "mesh:3x3", "mesh:3x2x3"],
    ),
    ("torus", &["minimal", "all", "live", "back", "wrapping", "0-", "1+"], &["torus:5", "torus:3x3x3"]),
];

/// Returns random set expressions over the words of a family.
fn set(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    let word = select(words).prop_map(str::to_owned);
    word.prop_recursive(2, 6, 2, |inner| {
        prop_oneof![
            inner.clone().prop_map(|set| format!("(not ({set}))")),
            inner.clone().prop_map(|set| format!("(lowest ({set}))")),
            inner.clone().prop_map(|set| format!("(highest ({set}))")),
            (inner.clone(), inner.clone()).prop_map(|(a, b)| format!("({a} and {b})")),
            (inner.clone(), inner).prop_map(|(a, b)| format!("({a} or {b})")),
        ]
    })
}

/// Returns random rules over the words of a family.
fn rule(words: &'static [&'static str]) -> impl Strategy<Value = String> {
    let test = (select(vec!["some", "no", "every"]), set(words), set(words))
        .prop_map(|(test, a, b)| format!("when {test} {a} is {b}"));
    let when = prop_oneof![2 => test, 1 => Just("always".to_owned())];
    let take = prop_oneof![
        6 => set(words).prop_map(|set| format!("take {set}")),
        2 => (set(words), set(words)).prop_map(|(a, b)| format!("take {a} before {b}")),
        1 => (set(words), set(words)).prop_map(|(a, b)| format!("take {a} also take {b}")),
        1 => Just("take nothing".to_owned()),
    ];
    let state = select(vec!["", "", " then B", " then A"]);
    (when, take, state).prop_map(|(when, take, state)| format!("{when} {take}{state}"))
}

/// Returns random pairs of a network and a rule text for it.
pub(crate) fn rule_texts() -> impl Strategy<Value = (String, String)> {
    select(&FAMILIES[..]).prop_flat_map(|(family, words, networks)| {
        let rules = prop::collection::vec(rule(words), 1..5);
        (select(networks), rules).prop_map(move |(net, rules)| {
            let has_states = rules.iter().any(|rule| rule.contains(" then "));
            let states = if has_states { "states A B\n" } else { "" };
            (net.to_owned(), format!("routing drawn on {family}\n{states}{}", rules.join("\n")))
        })
    })
}
