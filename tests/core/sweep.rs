//! Tests of sweeps: results are independent of how tasks run, stopping rules hold, and cancellation
//! keeps results.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::sampler;
use faultlab::experiment::{KINDS, PointConfig, PointResult, Status, Sweep, Tally, Task, circuit, message, worm};
use faultlab::random::{Key, below};
use faultlab::topology::Network;

use crate::common::{experiment, measure, run};

const SWEEP: &str = "net=cube:6&faults=nodes:0.3&vary=p:0.2..0.8:4&route=sidetracking,backtracking,global,random-blind\
                     &within=0.008&seed=5";

#[test]
fn point_for_watch_keeps_the_order_of_the_algorithms() {
    let sweep = experiment(
        "net=mesh:4x4&switch=wormhole&faults=none&route=e-cube,west-first,north-last,negative-first,odd-even&vary=load:0.1,0.2",
    );
    let watched = sweep.for_watch(Some(0.2), &sweep.routing[4]);
    assert_eq!(watched.routing, sweep.routing);
    assert_eq!(watched.view.follow, Some((4, None)));
}

/// Runs `sweep` with up to `in_flight` tasks at a time, which finish in an order shuffled by
/// `seed`. An eighth of the tasks are given back without running.
fn run_shuffled(sweep: &mut Sweep, in_flight: usize, seed: u64) {
    let mut generator = Key::from_seed(seed).generator();
    let mut tasks = Vec::new();
    loop {
        while tasks.len() < in_flight
            && let Some(task) = sweep.next_task()
        {
            tasks.push(task);
        }
        if tasks.is_empty() {
            return;
        }
        let task = tasks.swap_remove(below(&mut generator, tasks.len() as u32) as usize);
        if below(&mut generator, 8) == 0 {
            sweep.requeue(task);
            continue;
        }
        let tally = Sweep::sampler(sweep.experiment(), task.slot).expect("a slot").run(task.first, task.count);
        sweep.submit(task, &tally);
    }
}

fn assert_same(one: &[PointResult], other: &[PointResult]) {
    assert_eq!(one.len(), other.len());
    for (one, other) in one.iter().zip(other) {
        assert_eq!((&one.tally, one.status, one.x), (&other.tally, other.status, other.x), "{:?}", one.algorithm);
        for metric in message::KIND.metrics {
            assert_eq!(one.estimate(metric), other.estimate(metric));
        }
    }
}

#[test]
fn results_do_not_depend_on_the_order_of_tasks() {
    let expected = measure(SWEEP);
    for (in_flight, seed) in [(1, 1), (2, 2), (7, 3), (100, 4)] {
        let mut sweep = Sweep::new(&experiment(SWEEP));
        run_shuffled(&mut sweep, in_flight, seed);
        assert!(sweep.is_done());
        assert_same(sweep.points(), &expected);
    }
}

#[test]
fn trials_may_be_split_anywhere() {
    for faults in ["nodes:0.6", "share:0.6"] {
        for route in ["sidetracking", "backtracking", "global"] {
            let experiment = experiment(&format!("net=cube:12&faults={faults}&route={route}"));
            let sampler = || sampler(&experiment, None, &experiment.routing[0]);
            let whole = sampler().run(0, 1000);
            let (mut one_sampler, mut merged) = (sampler(), Tally::default());
            // Merge the parts in reverse order, half of them from a reused sampler.
            for window in [0, 1, 2, 130, 131, 700, 1000].windows(2).rev() {
                let (first, count) = (window[0], window[1] - window[0]);
                let part = if first % 2 == 0 { sampler().run(first, count) } else { one_sampler.run(first, count) };
                merged.merge(&part);
            }
            assert_eq!(whole, merged);
        }
    }
}

#[test]
fn a_point_has_the_same_numbers_alone_and_in_any_sweep() {
    let alone = |text: &str| measure(text).remove(0).tally;
    let settings = "route=sidetracking&within=0.02&seed=9";
    let swept = measure(&format!("net=cube:7&faults=nodes:0.1&vary=p:0.2,0.35,0.5&{settings}"));
    assert_eq!(swept[1].tally, alone(&format!("net=cube:7&faults=nodes:0.35&{settings}")));
    let swept = measure(&format!("net=cube:3&faults=nodes:0.4&vary=n:5..9:3&{settings}"));
    assert_eq!(swept[1].tally, alone(&format!("net=cube:7&faults=nodes:0.4&{settings}")));
    let swept = measure(&format!("net=cube:7&faults=count:1&vary=f:10,50,90&{settings}"));
    assert_eq!(swept[1].tally, alone(&format!("net=cube:7&faults=count:50&{settings}")));
    let swept = measure(&format!("net=cube:7&faults=share:0.6&vary=mpl:1.5,4&{settings}"));
    assert_eq!(swept[1].tally, alone(&format!("net=cube:7&faults=share:0.6&mpl=4&{settings}")));
    let others = "route=random,sidetracking&within=0.02&seed=9";
    let compared = measure(&format!("net=cube:7&faults=nodes:0.35&{others}"));
    assert_eq!(compared[1].tally, alone(&format!("net=cube:7&faults=nodes:0.35&{settings}")));
}

#[test]
fn points_stop_when_their_interval_is_narrow_enough() {
    for within in [0.05, 0.01, 0.004] {
        let points = measure(&format!("net=cube:6&faults=nodes:0.3&vary=p:0,0.5,0.7,0.9,1&within={within}"));
        for point in points {
            let estimate = point.estimate(message::KIND.first_metric()).unwrap();
            assert_eq!(point.status, Status::Converged);
            assert!(estimate.half_width() <= within);
            // Not many more trials than necessary: half as many would not have sufficed, unless the
            // first round did.
            let enough = point.tally.trials <= 1024 || estimate.half_width() * 1.5 > within;
            assert!(enough, "{} trials for {}", point.tally.trials, estimate.half_width());
        }
    }
}

#[test]
fn points_stop_when_their_trials_are_used_up() {
    for trials in [1, 100, 1024, 1025, 5000] {
        let text = format!("net=cube:6&faults=nodes:0.6&route=sidetracking,random&within=0.0005&trials={trials}");
        for point in measure(&text) {
            assert_eq!((point.status, point.tally.trials), (Status::OutOfBudget, trials));
            assert_eq!(point.tally.messages().unwrap().outcomes.iter().sum::<u64>(), trials);
            assert_eq!(
                point.tally.messages().unwrap().lengths.iter().sum::<u64>(),
                point.tally.messages().unwrap().delivered()
            );
        }
    }
}

#[test]
fn cancelled_sweep_keeps_results() {
    let mut sweep = Sweep::new(&experiment(SWEEP));
    let mut late = Vec::new();
    for round in 0..40 {
        let task = sweep.next_task().unwrap();
        let tally = Sweep::sampler(sweep.experiment(), task.slot).unwrap().run(task.first, task.count);
        if round % 3 == 0 { late.push((task, tally)) } else { sweep.submit(task, &tally) }
    }
    let before: Vec<_> = sweep.points().iter().map(|point| (point.tally.clone(), point.status)).collect();
    assert!(before.iter().any(|(tally, _)| tally.trials > 0));
    sweep.cancel();
    assert!(sweep.is_done() && sweep.next_task().is_none());
    for (point, (tally, status)) in sweep.points().iter().zip(&before) {
        assert_eq!(&point.tally, tally);
        let expected = if *status == Status::Running { Status::Cancelled } else { *status };
        assert_eq!(point.status, expected);
    }
    // Tasks in flight may finish or be given back; neither starts new work.
    let trials = |sweep: &Sweep| sweep.points().iter().map(|point| point.tally.trials).sum::<u64>();
    let before = trials(&sweep);
    let (task, tally) = late.remove(0);
    sweep.submit(task, &tally);
    assert_eq!(trials(&sweep), before + task.count);
    sweep.requeue(late[0].0);
    assert!(sweep.is_done() && sweep.next_task().is_none());
    assert!((sweep.progress().share - 1.0).abs() < 1e-12);
}

#[test]
fn progress_goes_from_nothing_to_all() {
    let mut sweep = Sweep::new(&experiment(SWEEP));
    assert_eq!((sweep.progress().done, sweep.progress().points), (0, 16));
    assert_eq!(sweep.progress().share, 0.0);
    while let Some(task) = sweep.next_task() {
        let tally = Sweep::sampler(sweep.experiment(), task.slot).unwrap().run(task.first, task.count);
        sweep.submit(task, &tally);
        assert!((0.0..=1.0).contains(&sweep.progress().share));
    }
    assert_eq!((sweep.progress().done, sweep.progress().share), (16, 1.0));
}

/// Every point has a first estimate before any is refined.
#[test]
fn all_points_start_before_any_is_refined() {
    let mut sweep = Sweep::new(&experiment(SWEEP));
    let first: Vec<_> = (0..16).map(|_| sweep.next_task().unwrap().slot).collect();
    assert_eq!(first, (0..16).collect::<Vec<_>>());
}

#[test]
fn ignores_tasks_of_unknown_points() {
    let mut sweep = Sweep::new(&experiment("net=cube:4"));
    assert!(Sweep::sampler(sweep.experiment(), 1).is_none());
    let mut task = sweep.next_task().unwrap();
    task.slot = 7;
    sweep.submit(task, &Tally::default());
    sweep.requeue(task);
    run(&mut sweep);
    assert!(!sweep.is_done(), "the task that was never run is missing");
}

const WORMS: &str = "switch=wormhole&net=mesh:6x6&faults=isolated:1+0&route=f-cube2,lh2&length=4&within=0.2";

#[test]
fn runs_of_worms_may_be_split_and_taken_anywhere() {
    let experiment = experiment(&format!("{WORMS}&load=0.6"));
    let sampler = || sampler(&experiment, None, &experiment.routing[0]);
    let whole = sampler().run(0, 4);
    let mut merged = Tally::default();
    for (first, count) in [(2, 2), (0, 1), (1, 1)] {
        merged.merge(&sampler().run(first, count));
    }
    assert_eq!(whole, merged);
    // Run a few flits at a time, as the page does.
    let (mut stepped, mut sampler) = (Tally::default(), sampler());
    while !sampler.advance(Task { slot: 0, first: 0, count: 4 }, &mut stepped, &mut { 5_000 }) {}
    assert_eq!(whole, stepped);
}

#[test]
fn worms_have_the_same_numbers_alone_and_in_any_sweep() {
    let swept = measure(&format!("{WORMS}&vary=load:0.2,0.6"));
    assert_eq!(swept[3].tally, measure(&format!("{WORMS}&load=0.6")).remove(1).tally);
    let swept = measure(&format!("{WORMS}&load=0.3&vary=k:6,9"));
    assert_eq!(swept[0].tally, measure(&format!("{WORMS}&load=0.3")).remove(0).tally);
    let text = "switch=wormhole&net=mesh:6x6&faults=link-count:1&route=f-cube4&length=4&within=0.2&load=0.3";
    let swept = measure(&format!("{text}&vary=f:1,3"));
    assert_eq!(swept[1].tally, measure(&text.replace("count:1", "count:3")).remove(0).tally);
    // All algorithms and all loads meet the same faults.
    let cells = [0.2, 0.6].map(|load| PointConfig::new(&experiment(&format!("{WORMS}&load={load}")), None));
    assert!((0..9).all(|trial| cells[0].blocks(trial).is_ok() && cells[0].blocks(trial) == cells[1].blocks(trial)));
}

#[test]
fn switching_kinds_keeps_compatible_settings() {
    let cube =
        experiment("net=cube:20&faults=nodes:0.5&break=1&from=3&route=sidetracking&seed=7&view=measure&plot=length");
    let worms = cube.converted_to_kind(&worm::KIND);
    assert_eq!(worms.to_string(), "v=1&switch=wormhole&seed=7&view=measure");
    let edited =
        experiment("switch=wormhole&net=mesh:8x8&break=3.4,3.4-3.5&route=e-cube&traffic=hot:3.4:0.1&vary=load:0.1,0.2");
    assert_eq!(edited.converted_to_kind(&worm::KIND).to_string(), edited.to_string().replace("&vary=load:0.1,0.2", ""));
    for kind in KINDS {
        let other = edited.converted_to_kind(kind);
        assert_eq!(other.validate(), Ok(()), "{other}");
        assert_eq!(other.to_string().parse(), Ok(other.clone()));
        assert_eq!(other.converted_to_kind(&worm::KIND).validate(), Ok(()));
    }
    let circuits = "v=1&net=mesh:8x8&switch=circuit&break=3.4,3.4-3.5&route=e-cube&traffic=hot:3.4:0.1";
    assert_eq!(edited.converted_to_kind(&circuit::KIND).to_string(), circuits);
    let smaller = edited.resized(Network::parse("mesh:4x4").unwrap());
    assert_eq!(smaller.to_string(), "v=1&net=mesh:4x4&switch=wormhole&route=e-cube&vary=load:0.1,0.2");
    let larger = edited.resized(Network::parse("mesh:9x12").unwrap());
    assert!(larger.to_string().contains("break=3.4,3.4-3.5") && larger.to_string().contains("hot:3.4:0.1"), "{larger}");
}
