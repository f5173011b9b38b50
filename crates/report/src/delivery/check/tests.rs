use super::*;
use crate::wording::facts::Fact;

fn checks(text: &str) -> DeliveryChecks {
    DeliveryChecks::from_experiment(&text.parse().expect("an experiment"), false).expect("a fat-tree")
}

fn find_fact(facts: Vec<Fact>, what: &str) -> Fact {
    facts.into_iter().find(|fact| fact.what.starts_with(what)).unwrap_or_else(|| panic!("no {what}"))
}

#[test]
fn facts_of_the_four_processor_tree_match_test_vectors() {
    let checks = checks("switch=delivery&net=tree:4&traffic=0-2,2-0,1-3,3-1&route=greedy,random-guess,random-prime");
    let load = find_fact(checks.message_facts(), "Load factor");
    assert!(
        load.value == "2" && load.meaning.starts_with("2 messages must cross the channel up from the node"),
        "{load:?}"
    );
    assert_eq!(find_fact(checks.facts(0), "Delivery cycles").value, "2 >= 2: holds");
    for check in &checks.algorithms {
        assert_eq!(check.offline, Some(OfflineResult { cycles: 2, schedules: 1, verified: Ok(()) }));
    }
    assert_eq!(find_fact(checks.network_facts(), "Channels").value, "14");
}

#[test]
fn bad_set_has_all_properties_only_on_the_sibling() {
    for (capacity, cycles, properties) in [("standard", 96, [false, true, true]), ("sibling", 96, [true; 3])] {
        let text = format!("switch=delivery&net=tree:64&capacity={capacity}&survive=left&traffic=bad:48&route=greedy");
        let checks = checks(&text);
        for (number, holds) in (1..).zip(properties) {
            let fact = find_fact(checks.message_facts(), &format!("Theorem 9, property {number}"));
            assert_eq!(fact.value.ends_with(": holds"), holds, "{fact:?}");
        }
        assert_eq!(checks.algorithms[0].counts.completion, cycles, "{capacity}");
        assert_eq!(find_fact(checks.facts(0), "Theorem 9: exact cycles").value, "96 cycles");
    }
}

#[test]
fn stuck_greedy_names_the_blocking_channel() {
    let checks = checks("switch=delivery&net=tree:4&traffic=0-2,1-3&survive=drop-all&route=greedy,random-guess");
    let stuck = find_fact(checks.facts(0), "Outcome");
    assert!(
        stuck.value.starts_with("stuck with 2") && stuck.meaning.contains("the channel up from the node"),
        "{stuck:?}"
    );
    assert!(checks.algorithms[0].offline.is_none());
}

#[test]
fn lemma_6_holds_at_the_congestion_parameter() {
    let checks = checks("switch=delivery&net=tree:256&r=40");
    assert!(checks.lemma_6.iter().all(|found| found.measured.share().is_some_and(|share| share >= found.bound)));
    assert!(checks.lemma_6[1].bound >= 0.5 - 1e-9 && checks.lemma_6[1].measured.share() > Some(0.9));
}

#[test]
fn dead_wires_and_the_second_network_have_facts() {
    let dead = checks("switch=delivery&net=tree:64&faults=wires:0.2");
    let deliverable = find_fact(dead.network_facts(), "Deliverable");
    assert!(deliverable.meaning.contains("the exact average") && dead.lemma_6.is_empty(), "{deliverable:?}");
    let second = checks("switch=delivery&net=tree2:64&route=random-prime-repeated");
    assert!(find_fact(second.network_facts(), "Hardware").value.ends_with("switches"));
    assert!(second.algorithms[0].has_ended() && second.algorithms[0].offline.is_none());
    let trees = find_fact(second.network_facts(), "Mesh of trees");
    assert_eq!(trees.value, "8 x 8 leaves: load 4, dilation 1, congestion 2");
    let space = checks("switch=delivery&net=tree2-3d:64&route=greedy");
    let hardware = find_fact(space.network_facts(), "Hardware");
    assert!(hardware.value == "224 wires, 12 switches" && hardware.meaning.contains("Volume 332.55"), "{hardware:?}");
    assert!(space.algorithms[0].has_ended() && space.trees.is_empty());
}

#[test]
fn claims_with_failing_premises_are_not_applicable() {
    let small = checks("switch=delivery&net=tree:16&faults=none&r=1.5");
    let lemma = find_fact(small.message_facts(), "Lemma 6 at r = 1.5");
    assert!(lemma.value.ends_with(" >= 0: not applicable"), "{lemma:?}");
    assert!(lemma.meaning.ends_with("Not applicable: it assumes a larger r, for which its bound is positive"));
    assert!(find_fact(small.message_facts(), "Lemma 6 at r = 24").value.ends_with(" >= 0.5000: holds"));

    let dead = checks("switch=delivery&net=tree:16&faults=wires:1&route=random-guess");
    let cycles = find_fact(dead.facts(0), "Delivery cycles");
    assert_eq!(cycles.value, "0 >= 0: not applicable");
    assert!(cycles.meaning.ends_with("Not applicable: it assumes lambda > 0, but no message needs a channel"));
    let figure = find_fact(dead.facts(0), "Figure 4");
    assert_eq!(figure.value + ": " + &figure.meaning, "not applicable: it assumes that all wires are live");

    let bad = checks(
        "switch=delivery&net=tree:16&faults=wires:0.5&traffic=bad:24&capacity=sibling&survive=left&route=greedy",
    );
    for number in 1..=3 {
        let property = find_fact(bad.message_facts(), &format!("Theorem 9, property {number}"));
        assert!(property.value.ends_with(": not applicable"), "{property:?}");
    }
    assert!(find_fact(bad.facts(0), "Theorem 9: cycles").value.ends_with(": not applicable"));
    assert!(bad.json().contains("\"verdict\":\"not applicable\",\"fails\":\"it assumes that all wires are live\""));

    let second = checks("switch=delivery&net=tree2:16&faults=none&route=random-guess");
    assert_eq!(find_fact(second.facts(0), "Figure 4").value, "not applicable");
}

#[test]
fn detour_is_checked_against_its_own_load_factors() {
    let checks = checks("switch=delivery&net=tree:64&faults=none&traffic=ring&route=greedy,valiant");
    assert_eq!(find_fact(checks.facts(0), "Delivery cycles").value, "1 >= 1: holds");
    let detour = checks.algorithms[1].detour.expect("it makes one");
    let found = find_fact(checks.facts(1), "Cycles of both phases");
    let completion = checks.algorithms[1].counts.completion;
    assert_eq!(found.value, format!("{completion} >= {}: holds", detour.cycles()));
    // 64 messages over twice 4 wires.
    assert_eq!(find_fact(checks.facts(1), "Expected cycles over intermediate processors").value, "8 cycles");
    assert!(checks.algorithms[0].detour.is_none() && detour.cycles() > 2);
}

#[test]
fn computed_r_and_shortest_schedule_are_reported() {
    let text = "switch=delivery&net=tree:64&faults=none&traffic=random*4&route=random-guess";
    let computed = checks(&format!("{text}&r=computed"));
    assert!(find_fact(computed.network_facts(), "Congestion parameter").meaning.contains("r = 24.218 as computed"));
    assert_eq!(computed.lemma_6[0], computed.lemma_6[1]);
    let (one, best) = (checks(text), checks(&format!("{text}&schedules=8")));
    let [one, best] = [&one, &best].map(|checks| checks.algorithms[0].offline.expect("a schedule"));
    assert!(best.cycles <= one.cycles && (one.schedules, best.schedules) == (1, 8), "{one:?} {best:?}");
    let fact = find_fact(checks(&format!("{text}&schedules=8")).facts(0), "Off-line schedule");
    assert!(fact.meaning.contains("the shortest of 8 schedules"), "{fact:?}");
}

/// The ring on 16 processors in Z-order: on the hypercube, 8 messages move across dimension 0 only,
/// 4 of 2 hops, 2 of 3 and 2 of 4, one bit after the other and without waiting, so t = 4.
#[test]
fn networks_with_buffers_are_simulated() {
    let checks = checks("switch=delivery&net=tree:16&faults=none&traffic=ring");
    let fact = find_fact(checks.message_facts(), "Theorem 10: a hypercube with buffers");
    assert_eq!(fact.value, "1 cycle, t = 4", "{fact:?}");
    assert!(fact.meaning.contains("Their load factor on the tree, 1, is at most `t` times"), "{fact:?}");
    assert!(find_fact(checks.message_facts(), "Theorem 10: a mesh").meaning.contains("At n = 16 the cycles are"));
    let csv = checks.csv();
    for row in ["theorem-10-hypercube-16-steps,4,", "theorem-10-hypercube-16-moves,30,"] {
        assert!(csv.contains(row), "{row} in {csv}");
    }
    let sizes = DeliveryChecks::from_experiment(&"switch=delivery&net=tree:64".parse().expect("a text"), false);
    assert!(sizes.expect("a fat-tree").buffered.iter().all(|result| result.sizes.len() == 2));
    for text in ["net=tree:16&faults=wires:0.1", "net=tree:16&traffic=out", "net=tree2:16"] {
        let experiment = format!("switch=delivery&{text}").parse().expect("a text");
        let checks = DeliveryChecks::from_experiment(&experiment, false).expect("a fat-tree");
        assert!(checks.buffered.is_empty(), "{text}");
    }
}

/// Returns the numbers in a text, except formulas such as 4n-2.
fn numbers(text: &str) -> Vec<f64> {
    let words =
        text.split(|c: char| c.is_whitespace() || c == ',').map(|word| word.trim_end_matches([':', '.', '%', ';']));
    words.filter_map(|word| word.parse().ok()).collect()
}

#[test]
fn files_contain_every_value_of_the_text() {
    let mut missing = Vec::new();
    for text in [
        "net=tree:64&faults=none&route=greedy,random-guess,random-prime,valiant&r=computed&schedules=3",
        "net=tree:64&faults=none&traffic=bad:48&capacity=sibling&survive=left&route=greedy,random-guess",
        "net=tree:16&faults=none&survive=drop-fixed&route=greedy,valiant",
        "net=tree:64&faults=wires:0.2&route=greedy,random-guess",
        "net=tree2:64&faults=wires:0.1&route=random-prime-repeated,random-guess,valiant",
        "net=tree2:64&faults=none&route=greedy",
        "net=tree2-3d:64&faults=none&route=random-prime",
    ] {
        let checks = checks(&format!("switch=delivery&{text}"));
        let (csv, json) = (checks.csv(), checks.json());
        let of_rows: Vec<f64> =
            csv.lines().flat_map(|line| line.split(',').filter_map(|field| field.parse().ok())).collect();
        let algorithms = (0..checks.algorithms.len()).flat_map(|number| checks.facts(number));
        // The text names the next processors of a construction step; the files contain the first
        // one and the size.
        let facts = checks.network_facts().into_iter().chain(checks.message_facts()).chain(algorithms);
        for fact in facts.filter(|fact| !fact.what.starts_with("Construction on")) {
            // Names of theorems contain numbers.
            let value = ["Theorem 8", "Theorem 9", "Theorem 11", "Section 6", "Section 1"]
                .iter()
                .fold(fact.value.clone(), |value, name| value.replace(name, ""));
            let close = |row: f64, number: f64| (row - number).abs() <= 5e-4 * number.abs();
            let there = |number: f64| of_rows.iter().any(|&row| close(row, number) || close(100.0 * row, number));
            missing.extend(
                numbers(&value).into_iter().filter(|&number| !there(number)).map(|number| (number, fact.clone())),
            );
        }
        for line in csv.lines().filter(|line| !line.starts_with('#')).skip(1) {
            let item = line.split(',').nth(1).expect("an item");
            assert!(json.contains(&format!("\"item\":\"{item}\"")), "{item}");
        }
    }
    assert_eq!(missing, []);
}

#[test]
fn proof_facts_name_the_failing_premise() {
    let proved = |text: &str| find_fact(checks(&format!("switch=delivery&{text}")).facts(0), "Proved");
    for (text, fails) in [
        ("net=tree:16&faults=none&route=random-prime-repeated", "it applies only to the second network"),
        ("net=tree2:16&faults=none&route=greedy", "it applies to fat-trees, not to the second network"),
        ("net=tree2:16&faults=none&route=random-guess", "it applies to fat-trees, not to the second network"),
        ("net=tree:16&faults=wires:0.1&route=random-prime", "it assumes that all wires are live"),
        (
            "net=tree:16&faults=none&survive=drop-all&route=greedy",
            "it assumes admissible switches, which lose no more messages than necessary",
        ),
    ] {
        let fact = proved(text);
        assert!(fact.value.ends_with(": not applicable"), "{text}: {fact:?}");
        assert!(fact.meaning.ends_with(&format!("Not applicable: {fails}")), "{text}: {fact:?}");
        let json = checks(&format!("switch=delivery&{text}")).json();
        assert!(json.contains(&format!("\"fails\":\"{fails}\",\"rows\"")), "{text}");
    }
    assert_eq!(proved("net=tree:16&faults=none&route=greedy").value, "Theorem 9");
    // The constant of Theorem 9 applies to deterministic switches.
    let bad = checks("switch=delivery&net=tree:16&faults=none&traffic=bad:24&capacity=sibling&route=greedy");
    assert!(find_fact(bad.facts(0), "Theorem 9: cycles").value.ends_with(": not applicable"));
    for (number, verdict) in [(1, ": holds"), (2, ": not applicable"), (3, ": not applicable")] {
        assert!(
            find_fact(bad.message_facts(), &format!("Theorem 9, property {number}")).value.ends_with(verdict),
            "{number}"
        );
    }
    assert!(bad.csv().contains("theorem-9-step-2-removed-3"));
}
