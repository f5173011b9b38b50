//! Numbers in the captions of presets and of Papers, measured or counted as the caption's own experiment has it, at the values that it
//! speaks of.
#![cfg(not(target_arch = "wasm32"))]

use faultlab::experiment::presets::preset;
use faultlab::experiment::{Status, Sweep};
use faultlab::theory;
use faultlab::topology::{Link, NodeId};

use crate::common::{cube, experiment, run};

/// The sweep of a preset with `vary` over these values instead, to `within`.
fn told(id: &str, vary: &str, within: f64) -> Sweep {
    let text = &preset(id).expect("a preset").experiment;
    let other = text.split('&').filter(|pair| !pair.starts_with("vary=") && !pair.starts_with("within="));
    let text = other.collect::<Vec<_>>().join("&") + &format!("&vary={vary}&within={within}");
    let mut sweep = Sweep::new(&experiment(&text));
    run(&mut sweep);
    sweep
}

/// The mean of a metric of one algorithm at one value.
fn mean(sweep: &Sweep, series: &str, x: f64, metric: &str) -> f64 {
    let metric = sweep.experiment().kind().metric(metric).expect("a metric");
    let here = sweep.points().iter().find(|point| point.algorithm.id == series && point.x == Some(x));
    here.and_then(|point| point.estimate(metric)).expect("a measured point").mean
}

#[track_caller]
fn between(value: f64, low: f64, high: f64) {
    assert!((low..=high).contains(&value), "{value} is not from {low} to {high}");
}

#[test]
fn table2_the_curve_holds_until_seven_of_ten_nodes_are_faulty() {
    let sweep = told("table2", "p:0.5,0.65,0.7,0.8,0.9", 0.01);
    let success = |p| mean(&sweep, "sidetracking", p, "success");
    between(success(0.65), 0.98, 1.0);
    between(success(0.7), 0.94, 0.96);
    assert!(success(0.8) < 0.6 && success(0.9) < 0.1, "{} {}", success(0.8), success(0.9));
    // Preset trapped: next to none up to p = .65, nearly half at .8, most from .85 on.
    let trapped = told("trapped", "p:0.65,0.8,0.85,0.95", 0.01);
    let trapped = |p| mean(&trapped, "sidetracking", p, "trapped");
    between(trapped(0.65), 0.0, 0.03);
    between(trapped(0.8), 0.42, 0.5);
    assert!(trapped(0.85) > 0.5 && trapped(0.95) > 0.5, "{} {}", trapped(0.85), trapped(0.95));
}

#[test]
fn table4_shares_of_messages_that_arrive() {
    let of = |id, p, within| {
        let sweep = told(id, &format!("p:{p}"), within);
        ["sidetracking", "backtracking"].map(|series| mean(&sweep, series, p, "success"))
    };
    // All but three messages in a hundred, with backtracking all but one.
    let [side, back] = of("table4-n10", 0.5, 0.004);
    between(side, 0.965, 0.975);
    between(back, 0.985, 0.995);
    // Nineteen of twenty, and nearly all.
    let [side, back] = of("table4-n15", 0.6, 0.005);
    between(side, 0.94, 0.96);
    between(back, 0.98, 1.0);
    // 85% with 5n hops, 95% with 20n.
    between(of("table4-n20", 0.7, 0.005)[0], 0.84, 0.86);
    between(mean(&told("table2", "p:0.7", 0.005), "sidetracking", 0.7, "success"), 0.94, 0.96);
}

#[test]
fn shares_that_closed_forms_have() {
    // Figure 1: 58 of a hundred at p = .5; six in ten lost of those that nobody looks out for; equation (7).
    between(theory::local_bernoulli(64, 0.5), 0.575, 0.585);
    between(1.0 - theory::blind_bernoulli(10, 0.1), 0.6, 0.62);
    between(theory::local_counted(126, 7, 60), 0.63, 0.64);
    let sweep = told("model-b", "f:60", 0.005);
    between(mean(&sweep, "random", 60.0, "success"), 0.62, 0.64);
    between(mean(&sweep, "sidetracking", 60.0, "success"), 0.93, 0.95);
    let sweep = told("figure1", "p:0.5", 0.005);
    between(mean(&sweep, "random", 0.5, "success"), 0.57, 0.59);
}

#[test]
fn short_detours_are_a_quarter_at_most_and_longest_at_n_8() {
    let sweep = told("short-detours", "n:4,6,8,10,12,20,48", 0.001);
    let excess = |n| mean(&sweep, "sidetracking", n, "excess");
    let all = [4.0, 6.0, 8.0, 10.0, 12.0, 20.0, 48.0].map(|n| (n, excess(n)));
    assert!(all.iter().all(|&(n, excess)| excess <= 0.25 && (n == 8.0 || excess < all[2].1)), "{all:?}");
}

#[test]
fn longer_paths_help_sidetracking_alone() {
    let sweep = told("path-limit", "mpl:5,20,30", 0.005);
    let success = |series, mpl| mean(&sweep, series, mpl, "success");
    between(success("backtracking", 30.0) - success("backtracking", 5.0), -0.01, 0.02);
    assert!(success("sidetracking", 20.0) - success("sidetracking", 5.0) > 0.08);
    assert!(success("sidetracking", 30.0) > success("sidetracking", 20.0));
    // Up to p = .5 sidetracking nearly touches the ceiling of all information.
    let sweep = told("ceiling", "p:0.3,0.5", 0.002);
    for p in [0.3, 0.5] {
        let [side, all] = ["sidetracking", "global"].map(|series| mean(&sweep, series, p, "success"));
        between(all - side, 0.0, 0.035);
    }
}

#[test]
fn at_n_60_two_messages_in_a_hundred_fail() {
    let sweep = told("conjecture", "n:20,60", 0.005);
    between(1.0 - mean(&sweep, "sidetracking", 60.0, "success"), 0.015, 0.025);
    assert!(mean(&sweep, "sidetracking", 20.0, "success") < 0.6);
}

#[test]
fn single_faults_of_the_5_cube_cost_the_pairs_that_are_told() {
    let free = [theory::FreeLinks::None, theory::FreeLinks::Up, theory::FreeLinks::Down, theory::FreeLinks::All];
    let link = |from| {
        let link = Link { from: NodeId(from), dim: 1 };
        free.map(|free| theory::affected_by_link(cube(5), link, free).expect("a link").pairs)
    };
    assert_eq!(link(24), [16, 4, 4, 1]);
    assert_eq!(link(26)[1], 8);
    let labels = theory::Relabelling::for_link(cube(5), Link { from: NodeId(26), dim: 1 }).expect("a link");
    assert_eq!((labels.exchange, &*labels.algorithm.id), (Some((1, 4)), "dp"));
    let node = free.map(|free| theory::affected_by_node(cube(5), NodeId(11), free).expect("a node").pairs);
    assert_eq!([node[0], node[1], node[3]], [49, 9, 0]);
}

#[test]
fn many_links_cost_e_cube_more_than_twice_as_many_pairs() {
    let sweep = told("many-links", "f:1,4,12", 0.001);
    for f in [1.0, 4.0, 12.0] {
        let [e, up, dp] = ["e-cube", "up", "dp"].map(|series| mean(&sweep, series, f, "cut-off"));
        assert!(e > 2.0 * up && e > 2.0 * dp, "{f}: {e} {up} {dp}");
    }
    let saved = |f| {
        let [up, either] = ["up", "up-or-dp"].map(|series| mean(&sweep, series, f, "cut-off"));
        1.0 - either / up
    };
    assert!(saved(1.0) > saved(4.0) && saved(4.0) > saved(12.0));
}

/// Captions of Chiu, Chalasani & Raghavendra's figures; crossovers in the 5-cube are in `chiu`.
#[test]
fn circuits_jam_gain_and_fall_behind_as_told() {
    // Figure 4: at 0.6 in the 3-cube a jam, and no mean.
    let sweep = told("circuit-figure4", "rate:0.4,0.6", 0.05);
    let [better, ecube] = ["up", "e-cube"].map(|series| mean(&sweep, series, 0.4, "setup"));
    assert!(better < ecube, "{better} {ecube}");
    let jammed = sweep.points().iter().find(|point| &*point.algorithm.id == "up" && point.x == Some(0.6));
    assert_eq!(jammed.map(|point| point.status), Some(Status::Unstable));
    // Figure 7: the hierarchy saves a tenth, and falls behind from 0.52 on.
    let sweep = told("circuit-figure7", "rate:0.3,0.55", 0.02);
    let saved = |rate| {
        let [ours, ecube] = ["2e+2f+3f", "e-cube"].map(|series| mean(&sweep, series, rate, "setup"));
        1.0 - ours / ecube
    };
    between(saved(0.3), 0.07, 0.14);
    assert!(saved(0.55) < 0.0, "{}", saved(0.55));
}

/// Captions of Boppana & Chalasani's figures, on the 16 x 16 mesh.
#[test]
fn worms_carry_what_is_told() {
    let sweep = told("worm-fault-free", "load:0.7,0.9", 0.05);
    for series in ["f-cube2", "lh2"] {
        between(mean(&sweep, series, 0.7, "utilization"), 0.68, 0.71);
        between(mean(&sweep, series, 0.9, "utilization"), 0.77, 0.83);
    }
    // One node in the centre costs f-cube2 more than a quarter, LH2 little.
    let centre = told("worm-centre", "load:0.9", 0.1);
    let kept = |series| mean(&centre, series, 0.9, "utilization") / mean(&sweep, series, 0.9, "utilization");
    assert!(kept("f-cube2") < 0.75 && kept("lh2") > 0.9, "{} {}", kept("f-cube2"), kept("lh2"));
}
