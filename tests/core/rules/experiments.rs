//! Tests of rules in experiments: keys, links, reasons, and results equal to those of built-in
//! algorithms.

use faultlab::experiment::{CubePointConfig, Experiment, Instance, WormInstance};
use faultlab::report::message::wording::reason as reason_of_message;
use faultlab::report::worm::wording::why;
use faultlab::routing::rules::EXAMPLES;

use crate::common::experiment;

const RULES: &str =
    "routing my-a on mesh 2\nalways take minimal \"50% & more # é\"\n# the end\nrouting my-b on cube always take wrong";

fn with(text: &str, rules: &str) -> Experiment {
    Experiment::with_rules(text, rules).expect("rules")
}

fn names(experiment: &Experiment) -> Vec<&str> {
    experiment.routing.iter().map(|algorithm| &*algorithm.id).collect()
}

#[test]
fn texts_with_rules_round_trip() {
    for text in ["net=mesh:4x4", "net=cube:4", "net=cube:4&switch=wormhole", "net=mesh:4x4&route=f-cube2,my-a&load=0.2"]
    {
        let one = with(text, RULES);
        let written = one.to_string();
        assert!(!written.contains('\n') && !written.contains(' '), "{written}");
        let read = experiment(&written);
        assert_eq!((&read, read.to_string()), (&one, written.clone()));
        assert_eq!(read.rules.as_ref().expect("rules").text(), RULES);
        // The text is also read from a link, plain or percent-encoded as a whole.
        assert_eq!(experiment(&format!("https://example.org/#{written}")), one);
        let encoded: String = written.bytes().map(|byte| format!("%{byte:02X}")).collect();
        assert_eq!(experiment(&format!("https://example.org/#{encoded}")), one);
    }
    for example in EXAMPLES {
        let net = if example.text.contains("on cube") { "net=cube:4" } else { "net=mesh:5x5" };
        let one = with(net, example.text);
        assert_eq!(experiment(&one.to_string()), one);
    }
}

#[test]
fn route_accepts_user_routings() {
    assert_eq!(names(&with("net=mesh:4x4", RULES)), ["my-a"]);
    assert_eq!(names(&with("net=cube:4", RULES)), ["my-b"]);
    assert_eq!(names(&with("net=mesh:4x4&route=e-cube,my-a", RULES)), ["e-cube", "my-a"]);
    // With rules, the network's usual routings are not the default, so the text must name them.
    let usual = with("net=mesh:4x4&route=f-cube2,lh2", RULES);
    assert_eq!(names(&experiment(&usual.to_string())), ["f-cube2", "lh2"]);
    // A change of the rules updates `route`: removed routings go, new ones are added.
    let one = with("net=mesh:4x4&route=e-cube,my-a", RULES);
    let next = one
        .with_key("rules", "routing my-a on mesh always take all routing my-c on mesh always take live")
        .expect("rules");
    assert_eq!(names(&next), ["e-cube", "my-a", "my-c"]);
    assert_ne!(next, one);
    assert_eq!(
        names(&next.with_key("rules", "routing my-d on mesh 2 always take East").expect("rules")),
        ["e-cube", "my-d"]
    );
    assert_eq!(names(&next.with_key("rules", "").expect("none")), ["e-cube"]);
}

#[test]
fn rule_errors_have_the_common_format() {
    let said = |text: &str, rules: &str| Experiment::with_rules(text, rules).expect_err("wrong").to_string();
    let wrong = said("net=mesh:4x4", "routing my-a on mesh 2\nalways take Eats");
    assert!(
        wrong.starts_with(
            "rules=routing my-a on mesh 2…: line 2, column 13: Eats is not a set of ports (did you mean East?)"
        ),
        "{wrong}"
    );
    assert!(wrong.contains("; accepted: up to 8192 bytes in the language of rules"), "{wrong}");
    let unknown = said("net=mesh:4x4&route=my-x", RULES);
    assert!(
        unknown.starts_with("route=my-x: no algorithm is called my-x. Did you mean \"my-a\"? Accepted: my-a, e-cube"),
        "{unknown}"
    );
    assert!(
        said("net=mesh:4x4x4", RULES).contains("my-a does not run on the 4x4x4 mesh: it requires one of the networks"),
        "{}",
        said("net=mesh:4x4x4", RULES)
    );
    assert!(said("net=cube:4&switch=pairs", RULES).contains("my-a is defined on meshes"));
    assert!(said("net=cube:4&switch=pairs&route=my-b", RULES).contains("my-b has no permitted paths to search"));
    let looks_back = "routing my-c on cube when some back is wrong take wrong otherwise take lowest wrong";
    let refused = said("net=cube:4&switch=circuit", looks_back);
    assert!(refused.contains("my-c does not set up circuits: its rules use `back`"), "{refused}");
    let twice = said(&with("net=mesh:4x4", RULES).to_string(), RULES);
    assert!(twice.contains("the experiment already has rules"), "{twice}");
}

#[test]
fn the_reason_is_the_sentence_of_the_rule_that_fired() {
    let text = "routing my-a on mesh 2\nwhen West is minimal\n  take West \"to the West\"\notherwise take minimal";
    let watched = WormInstance::new(&with("net=mesh:4x4&from=0.3&to=2.0", text)).expect("a network");
    let trace = &watched.traces[0];
    let worm = trace.algorithm.worm.as_deref().expect("a routing of worms");
    let user_routing = worm.user_routing().expect("a user-defined routing");
    let reasons: Vec<_> = trace
        .hops
        .iter()
        .map(|hop| {
            let at = faultlab::routing::WormPosition {
                here: hop.from,
                to: watched.config.ends.to,
                input_port: None,
                header: hop.before,
            };
            let rule = hop.choice.rule.user_rule().expect("a rule of the text");
            (why(worm, &watched.faults, &at, &hop.choice).to_string(), rule, user_routing.line(rule))
        })
        .collect();
    let west = ("to the West".to_owned(), 0, Some(2));
    let then = ("line 4: otherwise take minimal".to_owned(), 1, Some(4));
    assert_eq!(reasons, [west.clone(), west.clone(), west, then.clone(), then]);
    let text = "routing my-b on cube always take wrong \"on\"";
    let one = with("net=cube:4", text);
    let mut instance = Instance::new(&one, CubePointConfig::new(&one, None).expect("a cube"));
    let trace = instance.traces[0].clone();
    assert_eq!(trace.hops.len(), 4);
    assert_eq!(reason_of_message(&mut instance, &trace, 0), "on");
}
