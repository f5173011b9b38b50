//! Tests of deadlock verdicts against simulations: proved networks run without a deadlock, and
//! reported deadlocks occur.

use std::sync::Arc;

use faultlab::experiment::deadlock::{DeadlockVerdict, ObservedDeadlock};
use faultlab::experiment::fault_sets::run;
use faultlab::experiment::refute::{Flaw, RefuteQuery, RefuteSearch};
use faultlab::experiment::{Experiment, WormWatch};
use faultlab::fault::BlockFaults;
use faultlab::random::Key;
use faultlab::report::message::check::MessageCheckReport;
use faultlab::report::permutation::check::PermutationChecks;
use faultlab::report::worm::check::WormChecks;
use faultlab::routing::Shared;
use faultlab::switching::{Injection, WormholeConfig, WormholeNetwork};
use faultlab::theory::{DeadlockAnalysis, DeadlockProof, MeshDependencies, worm_deadlocks};

use super::{Clockwise, RandomTable};
use crate::common::{experiment, is_thorough, mesh};

/// Routing of issue 35: any wrong dimension on class 1, the lowest one also on class 0.
const ISSUE_35: &str = "switch=wormhole&net=cube:2&rules=routing d on cube classes 2 ESCAPE always take wrong on class 1 \
                     also take lowest wrong on class 0";

fn issue(escape: &str) -> Experiment {
    experiment(&ISSUE_35.replace("ESCAPE ", escape).replace(' ', "%20"))
}

fn verdict(experiment: &Experiment) -> DeadlockVerdict {
    WormChecks::from_experiment(experiment, false).expect("faults").algorithms[0].deadlock.clone()
}

/// Duato's theorem proves the routing free of deadlock, whether escape classes are declared or not.
#[test]
fn finds_undeclared_escape_classes() {
    for (escape, expected) in [("", false), ("escape 0 ", true)] {
        let experiment = issue(escape);
        let DeadlockVerdict::ProvedFree { by: DeadlockProof::Escape { classes, declared } } = verdict(&experiment)
        else {
            panic!("{:?}", verdict(&experiment))
        };
        assert_eq!((classes, declared), (vec![0], expected));
        let mut search =
            RefuteSearch::new(&experiment, RefuteQuery { faults: 0, ..RefuteQuery::USUAL }).expect("a search");
        run(&mut search);
        assert!(search.witness(Flaw::Deadlock).is_none());
        let checks = WormChecks::from_experiment(&experiment, false).expect("faults");
        let json: serde_json::Value =
            serde_json::from_str(faultlab::report::document::Document::json(&checks).trim()).expect("JSON");
        assert_eq!((&json["deadlock_free"], &json["deadlock"]["verdict"]), (&true.into(), &"proved free".into()));
    }
}

/// Runs a network at overload and returns whether it deadlocks.
fn deadlocks(
    routing: Shared<dyn faultlab::routing::WormRouting>,
    faults: &Arc<BlockFaults>,
    pool: u8,
    seed: u64,
) -> bool {
    let virtual_channels = routing.vc_classes(faults.mesh()) + pool;
    let injection = Injection { limit: 4, ..Injection::default() };
    let length = [1, 3, 20][seed as usize % 3];
    let config = WormholeConfig {
        virtual_channels,
        buffer: 1,
        length: length.into(),
        load: 4.0,
        injection,
        ..WormholeConfig::new(routing)
    };
    let mut worms = WormholeNetwork::new(config, faults.clone(), Key::from_seed(seed)).expect("a network");
    while worms.cycle() < 4_000 && worms.outcome().is_none() {
        worms.step(&mut ());
    }
    worms.outcome().is_some()
}

#[test]
fn what_is_proved_free_never_deadlocks_at_overload() {
    let (mut free, mut seen, mut sets) = (0, 0, 0);
    let [oblong, wide] = [mesh(2, 3), mesh(3, 3)].map(|mesh| Arc::new(BlockFaults::new(mesh, &[], &[])));
    let seeds = if is_thorough() { 400 } else { 200 };
    for seed in 0..seeds {
        let (faults, classes) = if seed % 4 == 3 { (&wide, 2) } else { (&oblong, 1) };
        let routing = RandomTable { seed, classes, states: 1 + (seed % 2) as u8, escape: classes > 1 };
        let graph = MeshDependencies::build(faults, &routing).expect("a small network").graph().clone();
        let runs = || {
            let ends = |run: &u64| deadlocks(Shared::Arc(Arc::new(routing)), faults, (run % 2) as u8, *run);
            (0..6).filter(ends).count()
        };
        match worm_deadlocks(faults, &routing, &graph, 1_000_000) {
            DeadlockAnalysis::Free(DeadlockProof::Acyclic) => {}
            DeadlockAnalysis::Free(_) => {
                free += 1;
                assert_eq!(runs(), 0, "{seed}");
            }
            _ if seed % 5 == 0 => {
                sets += 1;
                seen += u32::from(runs() > 0);
            }
            _ => {}
        }
    }
    println!("{free} with cycles proved free; {seen} of {sets} others deadlocked");
    assert!(free > 25 && seen > 5 && seen * 2 > sets, "{free} {seen} {sets}");
    let square = Arc::new(BlockFaults::new(mesh(2, 2), &[], &[]));
    let runs = |steps_back| {
        (0..20).filter(|&run| deadlocks(Shared::Arc(Arc::new(Clockwise { steps_back })), &square, 0, run)).count()
    };
    assert_eq!(runs(true), 0);
    assert!(runs(false) > 10);
}

/// Runs the experiment of a "watch it" link and asserts that it ends in the reported deadlock.
fn assert_ends_in_deadlock(seen: &ObservedDeadlock) {
    let again: Experiment = seen.experiment.to_string().parse().expect("its text");
    let mut watch = WormWatch::new(&again).expect("worms to watch");
    while watch.work(1 << 20) {}
    watch.seek(again.view.time.expect("a moment") as u64);
    while !watch.is_at_target() {
        watch.work(1 << 20);
    }
    let worms = watch.networks()[0].worms();
    let found = worms.outcome().expect("a deadlock");
    assert_eq!(found.knot.len(), seen.messages.len());
    for (member, message) in found.knot.iter().zip(&seen.messages) {
        let own = worms.messages().find(|own| own.number() == member.number).expect("a message");
        assert_eq!((own.from(), own.to()), (message.pair.from, message.pair.to));
        assert_eq!(member.wants.len(), message.waits.len());
        // Each channel that the message waits for is held by a message of the set.
        for (wanted, holder) in &member.wants {
            assert_eq!(worms.holder(*wanted).expect("a holder").number(), *holder);
            assert!(found.knot.iter().any(|member| member.number == *holder));
        }
    }
}

/// Faulty links of Boppana & Chalasani, Figure 12.
const FIGURE_12: &str = "switch=wormhole&faults=none&net=mesh:8x8&break=1.4-1.5,2.2-2.3,4.4-4.5,5.2-5.3&route=weak";

/// Deadlocks of Boppana & Chalasani, sections III and IV, and Dally & Seitz, each with a set of
/// messages as witness.
#[test]
fn known_deadlocks_have_witness_messages() {
    for text in [
        "switch=wormhole&net=cube:2&route=minimal",
        "switch=wormhole&net=cube:3&route=minimal",
        "switch=wormhole&net=cube:4&route=minimal",
        "switch=wormhole&net=cube:3&route=algorithm-a",
        "switch=wormhole&faults=none&net=mesh:6x6&break=2.2&route=f-cube1",
        "switch=wormhole&faults=none&net=mesh:8x8&break=1.3,3.3,5.3&route=f-cube2",
        "switch=wormhole&faults=none&net=mesh:8x8&break=3.3,3.4,4.3,4.4&route=f-cube2-either",
        "switch=wormhole&faults=none&net=mesh:6x6&break=2.2,2.3,3.2,3.3&route=lh2",
        FIGURE_12,
    ] {
        let verdict = verdict(&experiment(text));
        let seen = verdict.observed().unwrap_or_else(|| panic!("{text}: {verdict:?}"));
        println!("{text}: {} messages, {}", seen.messages.len(), seen.experiment);
        assert!(seen.messages.iter().all(|message| !message.waits.is_empty()), "{text}");
        assert_ends_in_deadlock(seen);
    }
}

/// Sampled faults are fixed in the experiment, so they do not change with another seed.
#[test]
fn witness_experiment_keeps_sampled_faults() {
    let checks = (0..20).map(|sample| {
        let text = format!("switch=wormhole&net=mesh:8x8&faults=nodes:0.05&route=f-cube1&sample={sample}");
        WormChecks::from_experiment(&experiment(&text), false).expect("faults")
    });
    let checks = { checks }.find(|checks| checks.algorithms[0].deadlock.observed().is_some()).expect("a deadlock");
    let seen = checks.algorithms[0].deadlock.observed().expect("a deadlock");
    let again = WormChecks::from_experiment(&seen.experiment, false).expect("faults");
    let faulty =
        |checks: &WormChecks| checks.faults.mesh().iter_nodes().filter(|&node| checks.faults.is_faulty(node)).count();
    assert!(faulty(&checks) > 0);
    assert_eq!(faulty(&checks), faulty(&again));
    assert_ends_in_deadlock(seen);
}

/// Chiu, Chalasani & Raghavendra, Theorem 1 and section III: circuits under UP and DP are
/// deadlock-free; under their mixture they deadlock.
#[test]
fn circuits_are_proved_free_or_shown_to_deadlock() {
    for (id, free) in [("up", true), ("dp", true), ("up-dp-mix", false), ("minimal", false)] {
        let experiment = experiment(&format!("net=cube:3&switch=circuit&faults=none&route={id}"));
        let checks = MessageCheckReport::from_experiment(&experiment, false).expect("a cube");
        let verdict = checks.algorithms[0].deadlock.as_ref().expect("a verdict");
        assert_eq!(verdict.is_free(), Some(free), "{id}");
        let Some(seen) = verdict.observed() else { continue };
        assert!(seen.messages.len() > 1 && seen.messages.iter().all(|message| !message.waits.is_empty()), "{id}");
        assert!(seen.messages.iter().flat_map(|message| &message.waits).all(|wait| wait.holder < seen.messages.len()));
    }
    // A single message holds no channel, so a cycle implies no deadlock verdict.
    let checks = MessageCheckReport::from_experiment(&experiment("net=cube:3&faults=none&route=minimal"), false)
        .expect("a cube");
    assert!(checks.algorithms[0].dependencies.as_ref().is_some_and(|graph| graph.cycle.is_some()));
    assert!(checks.algorithms[0].deadlock.is_none());
}

/// The thesis: Algorithm A deadlocks with messages that turn back on an edge; Algorithm B does not.
#[test]
fn batches_are_proved_free_or_shown_to_deadlock() {
    let text = "switch=permutation&net=cube:4&faults=none&route=algorithm-a,algorithm-b,bit-fixing";
    let checks = PermutationChecks::from_experiment(&experiment(text), false).expect("a small cube");
    let verdicts: Vec<_> =
        checks.algorithms.iter().map(|check| &check.found.as_ref().expect("it applies").deadlock).collect();
    assert_eq!(
        verdicts.iter().map(|verdict| verdict.is_free()).collect::<Vec<_>>(),
        [Some(false), Some(true), Some(true)]
    );
    let seen = verdicts[0].observed().expect("a deadlock");
    let [first, second] = seen.messages.as_slice() else { panic!("{seen:?}") };
    assert_eq!((first.waits[0].holder, second.waits[0].holder), (1, 0));
    assert_eq!(seen.experiment.to_string().parse::<Experiment>().expect("its text"), seen.experiment);
}
