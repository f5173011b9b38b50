//! Tests of the command `route`: every hop with its reason, for messages, worms, permutations,
//! batches and delivery cycles.

use serde_json::Value;

use crate::{faultlab, json, keys, stdout_of};

#[test]
fn hops_have_reasons() {
    let route = json(&["route", "net=cube:5&break=1,2,4,8,3", "--from", "0", "--to", "0b11111", "--json"]);
    assert_eq!(keys(&route), ["ending", "experiment", "hops", "outcome", "seed", "series", "version"]);
    assert_eq!(route["experiment"], "v=1&net=cube:5&break=1,2,3,4,8&from=0&to=31");
    assert_eq!(route["outcome"], "delivered");
    let hops = route["hops"].as_array().expect("hops");
    assert_eq!(hops.len(), 5);
    assert_eq!(keys(&hops[0]), ["class", "from", "reason", "rule", "to"]);
    assert_eq!((&hops[0]["from"], &hops[0]["to"], &hops[0]["class"]), (&"0".into(), &"16".into(), &0.into()));
    assert_eq!(hops[0]["rule"], "any-live-wrong");
    assert_eq!(hops[0]["reason"], "dimension 4 is the only wrong bit that leads to a live node");
    let text = stdout_of(&["route", "net=cube:5&break=1,2,4,8,3"]);
    assert!(text.contains("00000 -> 10000  dimension 4 is the only"), "{text}");
    assert!(text.ends_with("Delivered in 5 hops, a minimal path.\n"), "{text}");
}

#[test]
fn route_as_csv_is_a_line_for_each_hop() {
    let text = "net=cube:5&break=1,2,4,8,3&seed=2";
    let csv = stdout_of(&["route", text, "--csv"]);
    let expected = concat!(
        "# faultlab ",
        env!("CARGO_PKG_VERSION"),
        "\n# experiment v=1&net=cube:5&break=1,2,3,4,8&seed=2\n# seed 2\nseries,outcome,hop,from,to,class,rule,reason\n\
         sidetracking,delivered,1,0,16,0,any-live-wrong,\
         dimension 4 is the only wrong bit that leads to a live node\n"
    );
    assert!(csv.starts_with(expected), "{csv}");
    // Fields that contain a comma are quoted. The reasons equal those of the JSON.
    let reasons: Vec<_> = csv.lines().filter_map(|line| line.split_once(",\"")).collect();
    assert!(!reasons.is_empty() && reasons.iter().all(|(_, reason)| reason.ends_with('"')), "{csv}");
    let route = json(&["route", text, "--json"]);
    let hops = route["hops"].as_array().expect("hops");
    assert_eq!(csv.lines().count(), 4 + hops.len());
    for (line, hop) in csv.lines().skip(4).zip(hops) {
        assert!(line.contains(hop["reason"].as_str().expect("a reason")), "{line}");
    }
    let series = |line: &str| line.split(',').next().map(str::to_owned);
    let both: Vec<_> = stdout_of(&["route", "preset:models", "--csv"]).lines().skip(4).filter_map(series).collect();
    assert!(both.first().is_some_and(|id| id == "random-blind") && both.last().is_some_and(|id| id == "random"));
}

#[test]
fn route_of_several_algorithms_is_a_line_for_each() {
    let text = stdout_of(&["route", "preset:models", "--json"]);
    let routes: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let outcomes: Vec<_> = routes.iter().map(|route| (&route["series"], &route["outcome"])).collect();
    assert_eq!(outcomes, [(&"random-blind".into(), &"lost".into()), (&"random".into(), &"delivered".into())]);
}

/// Boppana & Chalasani, Fig. 5: a row message that goes around a faulty node and a faulty link.
#[test]
fn route_follows_a_worm() {
    let text = "net=mesh:6x6&switch=wormhole&faults=none&break=1.2,3.4-4.4&route=f-cube2&from=1.0&to=4.4";
    let route = json(&["route", text, "--json"]);
    let hops = route["hops"].as_array().expect("hops");
    assert_eq!(keys(&hops[0]), ["class", "direction", "from", "port", "reason", "rule", "status", "to", "type"]);
    let nodes: Vec<_> = hops.iter().filter_map(|hop| hop["to"].as_str()).collect();
    assert_eq!(nodes[..6], ["1.1", "2.1", "2.2", "2.3", "2.4", "3.4"]);
    assert_eq!((&route["outcome"], nodes.last()), (&"delivered".into(), Some(&"4.4")));
    let classes: Vec<_> = hops.iter().filter_map(|hop| hop["class"].as_u64()).collect();
    assert_eq!(classes, [0, 0, 0, 0, 0, 1, 1, 1, 1]);
    assert_eq!((&hops[1]["direction"], &hops[1]["rule"]), (&"counter-clockwise".into(), &"enter-ring".into()));
    let words = stdout_of(&["route", text]);
    assert!(
        words.contains("blocked by the fault at (1,2); row message WE, destination below: counter-clockwise")
            && words.contains("2 more than a minimal path"),
        "{words}"
    );
    assert_eq!(stdout_of(&["route", text, "--csv"]).lines().count(), 4 + hops.len());
    let faulty = stdout_of(&["route", text, "--from", "1.2"]);
    assert!(faulty.contains("source or destination is faulty"), "{faulty}");
}

#[test]
fn route_follows_a_message_of_a_permutation() {
    let text = "net=cube:6&faults=nodes:0&break=5&route=algorithm-b,bit-fixing&switch=permutation&tolerance=0.3";
    let people = stdout_of(&["route", text, "--from", "8"]);
    assert!(people.contains("phase 3, over to C01: rank 5\n"), "{people}");
    assert!(
        people.contains(
            "Algorithm B: 52 of 64 nodes are active (1 faulty, 3 in squares with faults, 8 with too many faulty paths)"
        ),
        "{people}"
    );
    let silent = stdout_of(&["route", text, "--from", "3"]);
    assert!(silent.contains("000011 sends no message: inactive: "), "{silent}");

    let lines = stdout_of(&["route", text, "--from", "8", "--json"]);
    let routes: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [b, fixing] = routes.as_slice() else { panic!("{lines}") };
    assert_eq!((&b["series"], &b["outcome"], &b["messages"]), (&"algorithm-b".into(), &"counted".into(), &52.into()));
    assert_eq!((&b["nodes"]["marked"], &b["nodes"]["inactive"], &b["seed"]), (&3.into(), &8.into(), &1.into()));
    assert_eq!((&fixing["messages"], &fixing["delivered"]), (&63.into(), &62.into()));
    let hops = b["message"]["hops"].as_array().expect("hops");
    let classes: Vec<_> = hops.iter().filter_map(|hop| hop["class"].as_u64()).collect();
    assert!(classes.is_sorted() && classes.contains(&5) && hops[0]["from"] == "8", "{b}");
    let csv = stdout_of(&["route", text, "--from", "8", "--csv"]);
    assert!(
        csv.contains("\nseries,outcome,message,hop,from,to,class,phase,dimension,thesis,reason\nalgorithm-b,counted,")
    );
    let made = |line: &&str| line.starts_with("algorithm-b,");
    assert_eq!(csv.lines().filter(made).count(), hops.len());
}

#[test]
fn simulates_batch_to_its_end() {
    let text = "net=cube:3&faults=nodes:0&route=valiant-brebner,algorithm-b&switch=batch&length=2&traffic=0-3-2,3-0-1";
    let lines = stdout_of(&["route", text, "--json"]);
    let ends: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(
        (&ends[0]["outcome"], &ends[0]["cycles"], &ends[0]["arrived"]),
        (&"deadlock".into(), &3.into(), &0.into())
    );
    assert_eq!(ends[0]["circle"][0]["wants"], "3_0");
    assert_eq!(
        (&ends[1]["outcome"], &ends[1]["arrived"], &ends[1]["circle"]),
        (&"delivered".into(), &2.into(), &Value::Null)
    );
    let people = stdout_of(&["route", text, "--from", "3", "--to", "1"]);
    assert!(people.contains("Message 1 goes from 011 by way of 000 to 001 in 3 hops."), "{people}");
    assert!(people.contains("The cyclic wait: 0 waits for 1 (011 → 010)"), "{people}");
    let nobody = faultlab(&["route", text, "--to", "5"]);
    assert_eq!(nobody.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("no message has these ends"));
}

#[test]
fn route_follows_delivery_cycles() {
    let text = "net=tree:64&switch=delivery&survive=left&route=greedy,random-guess&traffic=bit-reversal";
    let people = stdout_of(&["route", text, "--from", "9"]);
    assert!(people.contains("GREEDY delivers all messages in 7 cycles and RANDOM in "), "{people}");
    assert!(
        people.contains("  cycle 3: lost at the up channel above processors 8 and 9: 2 contended, 1 survived\n"),
        "{people}"
    );
    assert!(people.contains("\n      1     64      14     50  all remaining messages are sent\n"), "{people}");

    let lines = stdout_of(&["route", text, "--json"]);
    let runs: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let [greedy, random] = runs.as_slice() else { panic!("{lines}") };
    assert_eq!(
        (&greedy["outcome"], &greedy["completion"], &greedy["transmissions"]),
        (&"delivered".into(), &7.into(), &212.into())
    );
    assert_eq!(
        (&greedy["load_factor"], &greedy["seed"], &random["series"]),
        (&4.0.into(), &1.into(), &"random-guess".into())
    );
    assert_eq!(greedy["cycles"].as_array().map(Vec::len), Some(7));
    let csv = stdout_of(&["route", text, "--csv"]);
    assert!(csv.contains(
        "\nseries,cycle,rule,sent,arrived,lost,most_lost_at\ngreedy,1,all remaining messages are sent,64,14,50,"
    ));

    let nobody = faultlab(&["route", text, "--from", "0", "--to", "5"]);
    assert_eq!(nobody.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&nobody.stderr).contains("no message has these ends"));
}
