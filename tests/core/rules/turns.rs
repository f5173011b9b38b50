//! Tests of turns: the turns that rules make, compared with the published turn models, and turns
//! that a click prohibits.

use faultlab::routing::rules::{EXERCISES, RuleText};
use faultlab::theory::{TURNS, Turn, toggle_turn, turns};
use faultlab::topology::Port;

use super::{parse, shipped, worm_routing};

const W: Port = Port::WEST;
const E: Port = Port::EAST;
const N: Port = Port::NORTH;
const S: Port = Port::SOUTH;

/// Returns the turns that the first routing of a text never makes.
fn prohibited(text: &RuleText) -> Vec<Turn> {
    let made = turns(&*worm_routing(&text.routings()[0])).expect("of meshes of two dimensions");
    let mut never: Vec<_> = TURNS.into_iter().zip(made).filter(|(_, made)| !made).map(|(turn, _)| turn).collect();
    never.sort_unstable();
    never
}

fn place(turn: Turn) -> usize {
    TURNS.iter().position(|&other| other == turn).expect("a turn")
}

/// Turn models prohibit the turns of their papers. Glass & Ni, section 3: west-first omits the two
/// turns to the West, north-last the two out of North. Negative-first omits those from a positive
/// to a negative direction (here South and East to North and West). Odd-even omits none everywhere
/// (Chiu); e-cube omits four.
#[test]
fn turn_models_make_the_turns_that_they_are_named_after() {
    let of = |file: &str, id: &str| prohibited(&parse(&file_text(file, id)));
    assert_eq!(of("west-first", "my-west-first"), [(N, W), (S, W)]);
    assert_eq!(of("north-last", "my-north-last"), [(N, W), (N, E)]);
    assert_eq!(of("negative-first", "my-negative-first"), [(E, N), (S, W)]);
    assert_eq!(of("odd-even", "my-odd-even"), []);
    assert_eq!(of("e-cube", "my-e-cube"), [(N, W), (N, E), (S, W), (S, E)]);
    assert_eq!(turns(&*worm_routing(&shipped("up", "my-up"))), None);
}

fn file_text(file: &str, id: &str) -> String {
    let own = shipped(file, id);
    let example = faultlab::routing::rules::EXAMPLES.iter().find(|example| example.name == file).expect("a file");
    assert!(own.worm.is_some());
    example.text.to_owned()
}

/// Two clicks turn minimal routing into the turns of west-first. Clicking again removes the rules.
#[test]
fn click_toggles_a_rule() {
    let before = parse(EXERCISES[0].flawed);
    let name = &*before.routings()[0].id;
    let mut text = parse(before.text());
    for (click, turn) in [(N, W), (S, W), (N, E)].into_iter().enumerate() {
        text = parse(&toggle_turn(&text, name, place(turn)).expect("it can be said"));
        assert_eq!(prohibited(&text).len(), click + 1);
    }
    assert!(text.text().contains(
        "when North is ahead take minimal and not West and not East \"no turn from North to West or East\"\n"
    ));
    assert_eq!(prohibited(&text), [(N, W), (N, E), (S, W)]);
    for turn in [(S, W), (N, W), (N, E)] {
        text = parse(&toggle_turn(&text, name, place(turn)).expect("it can be taken away"));
    }
    assert_eq!(text.text(), before.text());
}

/// A leading rule that would affect more than the turn is not written, and the error explains why.
#[test]
fn rejects_turns_that_need_more_than_one_rule() {
    let why = |file: &str, turn: Turn| {
        let text = parse(&file_text(file, &format!("my-{file}")));
        toggle_turn(&text, &format!("my-{file}"), place(turn)).expect_err("it cannot be said")
    };
    assert!(why("odd-even", (E, S)).message().contains("depends on more than the direction"));
    assert!(why("f-cube2", (E, S)).message().contains("classes or states"));
    assert!(why("west-first", (N, W)).message().contains("the rules themselves never go West after North"));
    assert!(why("negative-first", (W, S)).message().contains("depends on more than the direction"));
}

/// From minimal routing, clicks can prohibit any two turns, and each second click restores the
/// text.
#[test]
fn clicks_toggle_any_two_turns() {
    let before = parse(EXERCISES[0].flawed);
    let name = &*before.routings()[0].id;
    let click = |text: &RuleText, turn| parse(&toggle_turn(text, name, place(turn)).expect("it can be said"));
    for first in TURNS {
        let one = click(&before, first);
        assert_eq!(prohibited(&one), [first]);
        assert_eq!(click(&one, first).text(), before.text());
        for second in TURNS.into_iter().filter(|&second| second != first) {
            let two = click(&one, second);
            let mut both = [first, second];
            both.sort_unstable();
            assert_eq!(prohibited(&two), both);
            // Remove the second, then the first: the text is restored.
            assert_eq!(prohibited(&click(&two, second)), [first]);
            assert_eq!(prohibited(&click(&two, first)), [second]);
            assert_eq!(click(&click(&two, second), first).text(), before.text());
        }
    }
}

/// A leading rule cannot express classes or states, so a text that uses them is not edited.
#[test]
fn rejects_rules_with_classes_or_states() {
    let rules = |head: &str, rule: &str| parse(&format!("routing mine on mesh 2\n{head}\nalways take minimal{rule}"));
    for text in [rules("classes 2", " on class 1"), rules("states A B", " then B")] {
        for turn in 0..TURNS.len() {
            assert!(
                toggle_turn(&text, "mine", turn)
                    .expect_err("it cannot be said")
                    .message()
                    .contains("classes or states")
            );
        }
    }
    assert!(toggle_turn(&rules("", ""), "mine", 0).is_ok());
    assert!(
        toggle_turn(&rules("", ""), "mine", TURNS.len()).is_err() && toggle_turn(&rules("", ""), "other", 0).is_err()
    );
}

/// A click prohibits exactly one more turn, whichever turns the rules already omit. It cannot
/// permit a turn that the rules themselves omit.
#[test]
fn click_prohibits_exactly_one_more_turn() {
    let mut sets: Vec<Vec<Turn>> = vec![Vec::new()];
    sets.extend(TURNS.map(|one| vec![one]));
    sets.extend(
        TURNS
            .into_iter()
            .flat_map(|one| TURNS.into_iter().filter(move |&two| one < two).map(move |two| vec![one, two])),
    );
    assert_eq!(sets.len(), 1 + 8 + 28);
    for mut left_out in sets {
        left_out.sort_unstable();
        let rule = |before: Port| {
            let not = left_out.iter().filter(|turn| turn.0 == before).map(|turn| format!(" and not {}", turn.1.name()));
            format!("when {} is ahead take minimal{}\n", before.name(), not.collect::<String>())
        };
        let text = parse(&format!("routing mine on mesh 2\n{}otherwise take minimal", [N, E, S, W].map(rule).concat()));
        assert_eq!(prohibited(&text), left_out);
        for turn in TURNS {
            let next = toggle_turn(&text, "mine", place(turn));
            if left_out.contains(&turn) {
                assert!(
                    next.expect_err("no rule to take away")
                        .message()
                        .contains("No rule inserted at the top prohibits this turn")
                );
                continue;
            }
            let mut expected = [left_out.as_slice(), &[turn]].concat();
            expected.sort_unstable();
            assert_eq!(prohibited(&parse(&next.expect("it can be said"))), expected);
        }
    }
}

/// A leading rule is as short as possible, works with a single state, and is found even if messages
/// may loop forever.
#[test]
fn click_writes_the_shortest_rule() {
    let click =
        |rules: &str, turn| toggle_turn(&parse(&format!("routing mine on mesh 2\n{rules}")), "mine", place(turn));
    let one_by_one = "when East is minimal take East when North is minimal take North when West is minimal take West \
                      otherwise take South";
    let next = click(one_by_one, (N, W)).expect("it can be said");
    assert!(
        next.contains("\nwhen North is ahead take minimal and not West \"no turn from North to West\"\n"),
        "{next}"
    );
    assert!(click("states A\nalways take minimal", (N, W)).is_ok());
    let next = click("when North is ahead take minimal\notherwise take all", (N, W)).expect("it can be said");
    assert!(!prohibited(&parse(&next)).is_empty());
}

/// A leading rule would override rules about faults. The check uses a fault in the middle of the
/// mesh.
#[test]
fn rejects_overriding_rules_about_faults() {
    for (port, instead, turn) in
        [("North", "East", (N, W)), ("West", "North", (W, S)), ("South", "West", (S, E)), ("East", "South", (E, N))]
    {
        let rules = format!(
            "routing mine on mesh 2\nwhen {port} is minimal and {port} is faulty take {instead}\notherwise take minimal"
        );
        let why = toggle_turn(&parse(&rules), "mine", place(turn)).expect_err("it cannot be said");
        assert!(why.message().contains("depends on more than the direction"), "{why}");
    }
}
