//! Tests of the search for the worst faults: exhaustive for few sets, heuristic otherwise.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::fault_sets::run;
use faultlab::experiment::worst::{WorstQuery, WorstSearch, WorstSearchResult};
use faultlab::experiment::{Direction, Experiment, KINDS, Sweep, run as run_sweep};

fn experiment(text: &str) -> Experiment {
    text.parse().expect("an experiment")
}

fn finished(experiment: &Experiment) -> Sweep {
    let mut sweep = Sweep::new(experiment);
    run_sweep(&mut sweep);
    sweep
}

fn worst(text: &str, metric: &str, change: impl FnOnce(&mut WorstQuery)) -> WorstSearchResult {
    let experiment = experiment(text);
    let mut question = WorstQuery::usual(&experiment);
    question.metric = experiment.kind().metric(metric).expect("a metric");
    change(&mut question);
    let mut search = WorstSearch::new(&experiment, question).expect("a question");
    run(&mut search);
    search
        .measure_final(|experiment| Ok::<_, ()>(finished(experiment)))
        .expect("measured")
        .expect("something was measured")
}

fn mean(worst: &WorstSearchResult) -> f64 {
    worst.worst_case.estimate.expect("an estimate").mean
}

/// In the 5-cube any link cuts off 16 pairs under e-cube. Under UP, Theorem 2 of Chiu, Chalasani &
/// Raghavendra gives 16 for the worst link, and for example 4 for link 24_1 and 8 for 26_1.
#[test]
fn the_worst_link_of_the_5_cube_is_the_one_of_the_closed_form() {
    let text = |route| format!("switch=pairs&net=cube:5&faults=none&route={route}");
    for (route, pairs, others) in [("e-cube", 16.0, 16.0), ("up", 16.0, 6.2), ("dp", 16.0, 6.2), ("minimal", 1.0, 1.0)]
    {
        let found = worst(&text(route), "pairs", |question| question.links = true);
        assert!(found.is_exact() && !found.draws && found.all == Some(160));
        assert_eq!((mean(&found), found.worst_case.estimate.unwrap().is_exact()), (pairs, true), "{route}");
        assert_eq!(found.without.estimate.unwrap().mean, 0.0);
        assert!((found.random.unwrap().mean - others).abs() < 1e-9, "{route}: {:?}", found.random);
        // The printed experiment measures the same value again.
        let again: Experiment = found.experiment.to_string().parse().unwrap();
        assert_eq!(
            (finished(&again).points()[0].estimate(found.question.metric), again.faults.faulty_links.len()),
            (found.worst_case.estimate, 1)
        );
    }
}

/// For two or more faults, with more sets than may be measured, the heuristic search finds the
/// exhaustive result.
#[test]
fn heuristic_search_finds_the_exhaustive_result() {
    for (text, links, faults, sets) in [
        ("switch=pairs&net=cube:4&faults=none&route=up", true, 2, 400),
        ("switch=pairs&net=cube:4&faults=none&route=e-cube", false, 4, 600),
        ("switch=pairs&net=cube:4&faults=none&break=3&route=dp", false, 3, 300),
    ] {
        let ask = |sets| {
            worst(text, "pairs", |question| (question.links, question.faults, question.sets) = (links, faults, sets))
        };
        let (all, found) = (ask(10_000), ask(sets));
        assert!(all.is_exact() && !found.is_exact() && found.evaluated_sets <= sets, "{text}");
        assert_eq!(mean(&found), mean(&all), "{text}: {:?} against {:?}", found.faults, all.faults);
        assert!(mean(&all) >= all.random.unwrap().mean);
    }
}

/// A message is cut off by faults at all neighbours of its source or destination: as many faults as
/// dimensions.
#[test]
fn a_message_is_cut_off_at_one_of_its_ends() {
    let three = worst("net=cube:3&faults=none&route=backtracking", "success", |question| question.faults = 3);
    assert!(three.is_exact() && three.draws && mean(&three) == 0.0, "{three:?}");
    assert!([["1", "2", "4"], ["3", "5", "6"]].iter().any(|cut| three.faults == *cut), "{:?}", three.faults);
    assert_eq!(three.without.estimate.unwrap().mean, 1.0);
    let six = worst("net=cube:6&faults=none&route=sidetracking", "success", |question| question.faults = 6);
    assert!(!six.is_exact() && mean(&six) == 0.0, "{:?}", six.faults);
    assert!(six.experiment.to_string().contains("break="));
}

/// The search finds the faults of the thesis's adversary without knowledge of active nodes.
#[test]
fn the_worst_nodes_of_a_permutation_leave_fewer_nodes_active() {
    let text = "switch=permutation&net=cube:7&faults=none&route=algorithm-a";
    let found = worst(text, "active", |question| (question.faults, question.trials) = (3, 2));
    // An exhaustive search gives 18 of 128; random faults mostly leave 72.
    assert_eq!(
        (mean(&found), found.worst_case.estimate.unwrap().is_exact()),
        (18.0 / 128.0, true),
        "{:?}",
        found.faults
    );
    assert!(found.random.unwrap().mean > mean(&found));
}

#[test]
fn worms_on_meshes_have_worst_links_and_nodes() {
    let text = "switch=wormhole&net=mesh:4x4&faults=none&route=f-cube2&load=0.3&within=0.2&trials=2000";
    let found = worst(text, "latency", |question| (question.faults, question.trials, question.sets) = (1, 1, 16));
    assert!(found.is_exact() && found.draws);
    let (worst_case, without) = (mean(&found), found.without.estimate.unwrap().mean);
    assert!(worst_case > without, "{worst_case} against {without}");
}

#[test]
fn rejects_invalid_questions() {
    let refused = |text: &str, change: &dyn Fn(&mut WorstQuery)| {
        let experiment = experiment(text);
        let mut question = WorstQuery::usual(&experiment);
        change(&mut question);
        WorstSearch::new(&experiment, question).map(|_| ()).expect_err("refused").key
    };
    assert_eq!(refused("net=cube:3&faults=none&vary=n:3,4", &|_| {}), "vary");
    assert_eq!(refused("net=cube:3&faults=none", &|question| question.faults = 7), "faults");
    assert_eq!(refused("net=cube:3&faults=none", &|question| question.faults = 0), "faults");
    assert_eq!(refused("net=cube:3&faults=none", &|question| question.sets = 0), "sets");
    assert_eq!(refused("net=cube:3&faults=none", &|question| question.trials = 0), "trials");
    assert_eq!(refused("net=cube:64&faults=none", &|_| {}), "net");
    assert_eq!(refused("switch=delivery&faults=none", &|_| {}), "switch");
}

#[test]
fn every_metric_says_which_way_is_better() {
    let better = |kind: &str, metric: &str| {
        let kind = KINDS.iter().find(|known| known.id == kind).unwrap();
        kind.metric(metric).unwrap_or_else(|| panic!("{metric}")).better
    };
    for (kind, metric) in
        [("message", "success"), ("circuit", "throughput"), ("wormhole", "utilization"), ("permutation", "active")]
    {
        assert_eq!(better(kind, metric), Direction::HigherIsBetter, "{metric}");
    }
    for (kind, metric) in [
        ("message", "length"),
        ("circuit", "setup"),
        ("pairs", "cut-off"),
        ("batch", "deadlock"),
        ("delivery", "cycles"),
    ] {
        assert_eq!(better(kind, metric), Direction::LowerIsBetter, "{metric}");
    }
    assert_eq!((Direction::HigherIsBetter.harm(2.0), Direction::LowerIsBetter.harm(2.0)), (-2.0, 2.0));
}
