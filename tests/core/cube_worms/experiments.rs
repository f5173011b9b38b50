//! Tests of experiments with worms on hypercubes, from text to results.

use faultlab::experiment::{CubePointConfig, Experiment, PointConfig, Sweep, WormInstance, WormWatch, run};
use faultlab::fault::Faults as _;
use faultlab::report::worm::{files, routes, watch, wording};
use faultlab::routing::ALGORITHMS;
use faultlab::topology::{Link, NodeId, Port};

fn experiment(text: &str) -> Experiment {
    text.parse().expect("an experiment")
}

fn problem(text: &str) -> String {
    text.parse::<Experiment>().expect_err("a problem").to_string()
}

#[test]
fn a_text_runs_and_gives_the_same_numbers_again() {
    let text = "net=cube:4&switch=wormhole&route=e-cube,up,algorithm-b,2e+2f&faults=none&vary=load:0.1,0.3&trials=3000&within=0.2";
    let numbers = || {
        let mut sweep = Sweep::new(&experiment(text));
        run(&mut sweep);
        let metric = experiment(text).kind().first_metric();
        let of = |point: &faultlab::experiment::PointResult| point.estimate(metric).map(|found| found.mean.to_bits());
        sweep.points().iter().map(|point| (point.algorithm.id.clone(), point.x, of(point))).collect::<Vec<_>>()
    };
    let first = numbers();
    assert_eq!(first, numbers());
    // Far from saturation, all offered traffic crosses the bisection. Under Algorithm B nearly all
    // messages use the N/4 channels from C00 to C01, so it saturates near 2/15 of the other
    // algorithms' load.
    for &(ref id, x, found) in &first {
        let (load, found) = (x.unwrap(), f64::from_bits(found.unwrap()));
        let carried =
            if id == "algorithm-b" { found > load.min(0.13) * 0.85 && found < 0.2 } else { found > load * 0.85 };
        assert!(carried && found < load * 1.15, "{id} {load} {found}");
    }
}

#[test]
fn texts_round_trip_with_cube_defaults() {
    let given = experiment("net=cube:5&switch=wormhole");
    assert_eq!(given.routing.iter().map(|algorithm| &*algorithm.id).collect::<Vec<_>>(), ["e-cube", "up"]);
    assert_eq!(given.to_string(), "v=1&net=cube:5&switch=wormhole");
    for text in [
        "v=1&net=cube:6&switch=wormhole&faults=count:3&break=5,24_1&route=sidetracking,algorithm-a&traffic=hot:9:0.1",
        "v=1&net=cube:10&switch=wormhole&faults=ball:6&route=kim-shin&vary=n:3..10:8",
        "v=1&net=cube:4&switch=wormhole&faults=links:0.1&route=backtracking",
    ] {
        assert_eq!(experiment(text).to_string(), text);
    }
}

#[test]
fn rejects_unsupported_algorithms() {
    for (text, said) in [
        ("net=cube:11&switch=wormhole", "up to n = 10"),
        ("net=cube:5&switch=wormhole&route=f-cube4", "mesh:2x2x2"),
        ("net=cube:5&switch=wormhole&route=lh4", "mesh:2x2x2"),
        ("net=cube:5&switch=wormhole&route=global", "global knowledge"),
        ("net=cube:5&switch=wormhole&route=up-or-dp", "whole network"),
        ("net=cube:5&switch=wormhole&route=random-blind", "without knowing faults"),
        ("net=cube:5&switch=wormhole&route=backtracking", "at most 4 dimensions"),
        ("net=cube:5&switch=wormhole&route=2e+2f", "sum to 4"),
        ("net=cube:2&switch=wormhole&route=algorithm-b", "at least 3 dimensions"),
        ("net=cube:5&switch=wormhole&faults=isolated:0.05", "only in meshes"),
        ("net=mesh:8x8&switch=wormhole&route=up", "a hypercube"),
        ("net=mesh:8x8&switch=wormhole&route=f-cube2&faults=none&vary=n:3,4", "must be a hypercube"),
        ("net=cube:5&switch=wormhole&vary=k:3,4", "must be a mesh"),
        ("net=cube:5&switch=wormhole&vary=n:9..11:3", "outside 1 to 10"),
        ("net=cube:4&switch=wormhole&route=backtracking&vary=n:3..5:3", "at most 4 dimensions"),
    ] {
        assert!(problem(text).contains(said), "{text}: {}", problem(text));
    }
}

#[test]
fn every_worm_algorithm_supports_a_network() {
    use faultlab::experiment::worm;
    use faultlab::topology::Network;
    let [cube, mesh] = ["cube:4", "mesh:6x6"].map(|text| Network::parse(text).unwrap());
    for algorithm in ALGORITHMS {
        let on = [cube, mesh].map(|network| worm::KIND.takes(algorithm, network).is_ok());
        assert_eq!(on.contains(&true), algorithm.worm.is_some(), "{}", algorithm.id);
        assert_eq!(on[0], super::all().contains(&&*algorithm.id), "{}", algorithm.id);
    }
}

#[test]
fn faults_equal_those_of_circuits() {
    for model in ["nodes:0.2", "count:3", "links:0.1", "link-count:7", "neighbors:2"] {
        let text = format!("net=cube:5&faults={model}&break=7,24_1&mend=3");
        let worms = experiment(&format!("{text}&switch=wormhole"));
        let circuits = experiment(&format!("{text}&switch=circuit"));
        for trial in 0..20 {
            let faults = PointConfig::new(&worms, None).blocks(trial).unwrap();
            let mut pattern = CubePointConfig::new(&circuits, None).unwrap().fault_pattern(trial);
            for node in (0..32).map(NodeId) {
                assert_eq!(faults.is_faulty(node), pattern.is_faulty(node), "{model}");
                for link in (0..5).map(|dim| Link { from: node, dim }) {
                    let live = !pattern.leads_to_no_live_node(link) && !pattern.is_faulty(node);
                    assert_eq!(faults.is_open(node, Port::along(link.dim, link.is_up())), live, "{model}");
                }
            }
        }
    }
}

#[test]
fn single_worm_is_described_in_cube_terms() {
    let text = "net=cube:4&switch=wormhole&break=1,14_0&from=0&to=15&route=";
    let mut said = String::new();
    for id in super::all() {
        let experiment = experiment(&format!("{text}{id}"));
        let instance = WormInstance::new(&experiment).unwrap();
        said.push_str(&routes::text(&experiment, &instance));
        assert!(routes::routes_csv(&experiment, &instance).contains(id));
    }
    for words in [
        "from 0000 to 1111",
        "is the lowest required one",
        "leads up: legal before",
        "drawn from the wrong bits",
        "to the intermediate node: dimension",
        "bit-fixing in the healthy subcube: dimension",
        "faults leave no permitted hop",
    ] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(!said.contains("East") && !said.contains("row message"), "{said}");
}

#[test]
fn worms_on_a_cube_are_watched() {
    let experiment = experiment("net=cube:4&switch=wormhole&break=11_1,3&route=minimal,up&load=2&vc=1");
    let mut watch = WormWatch::new(&experiment).unwrap();
    while watch.work(1 << 20) {}
    watch.seek(watch.end());
    while !watch.is_at_target() {
        watch.work(1 << 12);
    }
    let title = watch::title(&watch, &watch::FaultFacts::new(&watch));
    assert!(title.starts_with("Deadlock under any minimal path: "), "{title}");
    // A one-way faulty link is shown by its lower end.
    assert_eq!(watch.sampled_faults.links, [Link { from: NodeId(9), dim: 1 }]);
    let network = &watch.networks()[0];
    let text = wording::deadlock(watch.faults.mesh(), network.worms().outcome().unwrap()).to_string();
    assert!(text.contains(" for dimension "), "{text}");
    assert!(files::csv(&experiment, &watch).contains("minimal,"));
}
