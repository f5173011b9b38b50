//! The turns that rules make: those of the turn models as published, and rules that a click prohibits.

use faultlab::routing::rules::{EXERCISES, RuleText};
use faultlab::theory::{TURNS, Turn, turned, turns};
use faultlab::topology::Port;

use super::{parse, shipped, worm_of};

const W: Port = Port::WEST;
const E: Port = Port::EAST;
const N: Port = Port::NORTH;
const S: Port = Port::SOUTH;

/// The turns that the first routing of `text` never makes.
fn prohibited(text: &RuleText) -> Vec<Turn> {
    let made = turns(&*worm_of(&text.routings()[0])).expect("of meshes of two dimensions");
    let mut never: Vec<_> = TURNS.into_iter().zip(made).filter(|(_, made)| !made).map(|(turn, _)| turn).collect();
    never.sort_unstable();
    never
}

fn place(turn: Turn) -> usize {
    TURNS.iter().position(|&other| other == turn).expect("a turn")
}

/// Glass & Ni, section 3: west-first leaves out the two turns to the West, north-last the two out of North, negative-first those from a
/// positive to a negative direction (here South and East to North and West); odd-even none everywhere (Chiu); e-cube four.
#[test]
fn turn_models_make_the_turns_that_they_are_named_after() {
    let of = |file: &str, id: &str| prohibited(&parse(&file_text(file, id)));
    assert_eq!(of("west-first", "my-west-first"), [(N, W), (S, W)]);
    assert_eq!(of("north-last", "my-north-last"), [(N, W), (N, E)]);
    assert_eq!(of("negative-first", "my-negative-first"), [(E, N), (S, W)]);
    assert_eq!(of("odd-even", "my-odd-even"), []);
    assert_eq!(of("e-cube", "my-e-cube"), [(N, W), (N, E), (S, W), (S, E)]);
    assert_eq!(turns(&*worm_of(&shipped("up", "my-up"))), None);
}

fn file_text(file: &str, id: &str) -> String {
    let own = shipped(file, id);
    let example = faultlab::routing::rules::EXAMPLES.iter().find(|example| example.name == file).expect("a file");
    assert!(own.worm.is_some());
    example.text.to_owned()
}

/// Two clicks make the turns of west-first of every shortest path, as rules; two more take them away again.
#[test]
fn a_click_writes_a_rule_and_another_takes_it_away() {
    let before = parse(EXERCISES[0].flawed);
    let name = &*before.routings()[0].id;
    let mut text = parse(before.text());
    for (click, turn) in [(N, W), (S, W), (N, E)].into_iter().enumerate() {
        text = parse(&turned(&text, name, place(turn)).expect("it can be said"));
        assert_eq!(prohibited(&text).len(), click + 1);
    }
    assert!(text.text().contains(
        "when North is ahead take minimal and not West and not East \"no turn from North to West or East\"\n"
    ));
    assert_eq!(prohibited(&text), [(N, W), (N, E), (S, W)]);
    for turn in [(S, W), (N, W), (N, E)] {
        text = parse(&turned(&text, name, place(turn)).expect("it can be taken away"));
    }
    assert_eq!(text.text(), before.text());
}

/// Where a rule put first would say more than that turn, nothing is changed, and it is said why.
#[test]
fn what_a_click_cannot_say_it_does_not_say() {
    let why = |file: &str, turn: Turn| {
        let text = parse(&file_text(file, &format!("my-{file}")));
        turned(&text, &format!("my-{file}"), place(turn)).expect_err("it cannot be said")
    };
    assert!(why("odd-even", (E, S)).contains("depends on more than the direction"));
    assert!(why("f-cube2", (E, S)).contains("classes or states"));
    assert!(why("west-first", (N, W)).contains("the rules themselves never go West after North"));
    assert!(why("negative-first", (W, S)).contains("depends on more than the direction"));
}
