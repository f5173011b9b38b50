//! Experiments with circuits on meshes and tori.

use faultlab::experiment::{Experiment, MeshCircuitWatch, Status};
use faultlab::fault::BlockFaults;
use faultlab::report::kinds::{new_watch, proved, route_writer};
use faultlab::topology::NodeId;

use super::is_connected;
use crate::common::{experiment, measure, mesh, sample_raw_faults};

#[test]
fn texts_round_trip_with_their_keys() {
    for text in [
        "switch=circuit&net=mesh:8x8",
        "switch=circuit&net=torus:4x4x4&route=mb-0,mb-3,mb-any&rate=0.05&hop=0.02&setup=retry:0.5",
        "switch=circuit&net=mesh:4x4&faults=links:0.05&break=1.1&route=e-cube,mb-2&traffic=hot:3.1:0.2",
        "switch=circuit&net=mesh:4x4&route=mb-1&vary=hop:0,0.01,0.1",
        "switch=circuit&net=mesh:4x4&route=mb-1&break=1.1&onset=20.5&later=5:2.2,7.25:0.0-0.1",
        "switch=circuit&net=cube:4&onset=20&break=3&later=5:12,7.25:5_1&vary=onset:5,10",
    ] {
        let parsed = experiment(text);
        assert_eq!(parsed.to_string().parse::<Experiment>().expect("its own text"), parsed, "{text}");
    }
}

#[test]
fn errors_name_the_key_and_what_is_accepted() {
    for (text, key, part) in [
        ("switch=circuit&net=cube:4&hop=0.1", "hop", "on hypercubes reservations take no time"),
        ("switch=circuit&net=cube:4&route=mb-0", "route", "a mesh or a torus"),
        ("switch=circuit&net=mesh:4x4&route=up", "route", "a hypercube"),
        ("switch=circuit&net=mesh:4x4&hop=2", "hop", "0 to 1"),
        ("switch=circuit&net=mesh:65x64", "net", "up to 4096 nodes"),
        ("switch=circuit&net=mesh:4x4&vary=k:8,80", "vary", "up to 4096 nodes"),
        ("switch=circuit&net=mesh:4x4&avail=lowest-only", "avail", "lowest-free"),
        ("switch=circuit&net=cube:4&vary=hop:0,1", "vary", "a mesh or a torus"),
        ("switch=circuit&net=cube:4&later=5:16", "later", "16 is not a node or link of cube:4"),
        ("switch=circuit&net=cube:4&later=0:3", "later", "outside 0.001 to 1000000"),
        ("switch=circuit&net=cube:4&later=3", "later", "3 is not TIME:ELEMENT"),
        ("switch=circuit&net=cube:4&later=5:3,6:3", "later", "3 breaks twice"),
        ("switch=circuit&net=cube:4&onset=-1", "onset", "outside 0 to 1000000"),
        ("switch=circuit&net=cube:4&later=5:12&vary=n:3,4", "vary", "does not exist in"),
        ("switch=circuit&net=tree:16", "net", "meshes and tori of up to 4096 nodes"),
    ] {
        let error = text.parse::<Experiment>().expect_err(text);
        assert_eq!(error.key, key, "{text}: {error}");
        assert!(error.to_string().contains(part), "{text}: {error}");
    }
}

/// Faults that cut pairs off under e-cube and MB-0 cut none off under MB-any.
#[test]
fn refused_share_falls_with_the_misroutes() {
    let text = "switch=circuit&net=mesh:4x4&break=1.1,1.2-2.2&route=e-cube,mb-0,mb-any&rate=0.05&trials=20000";
    let refused: Vec<_> = measure(text)
        .iter()
        .map(|point| Some(point.estimate(point.config.setting.kind().metric("refused")?)?.mean))
        .collect();
    let [Some(ecube), Some(minimal), Some(any)] = refused[..] else { panic!("{refused:?}") };
    assert!(ecube > minimal && minimal > 0.0 && any == 0.0, "{refused:?}");
}

/// Watch shows the runs that a measurement counts.
#[test]
fn watch_moves_forward_and_back() {
    let text = "switch=circuit&net=mesh:5x5&break=2.2&route=e-cube,mb-2&rate=0.2";
    let mut watch = MeshCircuitWatch::new(&experiment(text)).expect("a mesh");
    while watch.work(10_000) {}
    let state = |watch: &MeshCircuitWatch| -> Vec<_> {
        watch.networks().iter().map(|network| (network.circuits().time(), network.counts())).collect()
    };
    let mut seen = Vec::new();
    for time in [0.0, 3.0, 100.0, 500.0] {
        watch.seek(time);
        while !watch.is_at_target() {
            watch.work(100);
        }
        seen.push((time, state(&watch)));
    }
    for (time, before) in seen.iter().rev() {
        watch.seek(*time);
        while !watch.is_at_target() {
            watch.work(100);
        }
        assert_eq!(state(&watch), *before, "{time}");
    }
}

/// Check counts the pairs that an enumeration of paths finds.
#[test]
fn check_counts_the_served_pairs() {
    let mut generator = faultlab::random::Key::from_seed(21).generator();
    let shape = mesh(4, 4);
    for _ in 0..6 {
        let (nodes, links) = sample_raw_faults(shape, 3, &mut generator);
        let names = nodes.iter().map(|&node| shape.format_node(node));
        let mut broken: Vec<_> = names.chain(links.iter().map(|&link| shape.format_link(link))).collect();
        broken.sort();
        broken.dedup();
        if broken.is_empty() {
            continue;
        }
        let text = format!("switch=circuit&net=mesh:4x4&break={}&route=mb-0,mb-1,mb-any", broken.join(","));
        let faults = BlockFaults::unclosed(shape, &nodes, &links);
        let live: Vec<NodeId> = shape.iter_nodes().filter(|&node| !faults.is_faulty(node)).collect();
        let csv = proved(&experiment(&text), false).expect("a mesh").csv();
        let rows: Vec<Vec<&str>> =
            csv.lines().filter(|line| line.starts_with("mb-")).map(|line| line.split(',').collect()).collect();
        for (row, most) in rows.iter().zip([0, 1, 1000]) {
            let pairs = live.iter().flat_map(|&from| live.iter().map(move |&to| (from, to)));
            let served = pairs.filter(|&(from, to)| from != to && is_connected(&faults, from, to, most)).count();
            assert_eq!(row[3], served.to_string(), "{text}: {row:?}");
            assert_eq!(row[1], (live.len() * (live.len() - 1)).to_string());
        }
    }
}

#[test]
fn check_decides_on_deadlock() {
    let verdict = |text: &str| {
        let checked = proved(&experiment(text), false).expect("a mesh");
        (checked.verdict(0).sentence, checked.witnesses(0).len(), checked.cycle(0).is_some())
    };
    let (sentence, witnesses, has_cycle) = verdict("switch=circuit&net=torus:5x5&route=e-cube");
    assert!(sentence.starts_with("e-cube can deadlock: 5 messages can wait for each other"), "{sentence}");
    assert_eq!((witnesses, has_cycle), (5, true));
    for text in [
        "switch=circuit&net=torus:5x5&route=e-cube&setup=retry:1",
        "switch=circuit&net=torus:3x3&route=e-cube",
        "switch=circuit&net=mesh:4x4x3&route=e-cube",
        "switch=circuit&net=torus:5x5&route=mb-2",
    ] {
        let (sentence, witnesses, has_cycle) = verdict(text);
        assert!(sentence.contains("is proved free of deadlock; all"), "{text}: {sentence}");
        assert_eq!((witnesses, has_cycle), (0, false));
    }
}

/// The search that `setup_with_a_dead_end_takes_the_moves_counted_by_hand` measures.
#[test]
fn route_prints_every_move_of_the_search() {
    let text = "switch=circuit&net=mesh:2x3&break=0.1-0.2,0.1-1.1&route=mb-2,mb-0&from=0.0&to=0.2";
    let route = route_writer(&experiment(text)).expect("circuits on meshes")(&experiment(text)).expect("a route");
    let csv = route.csv();
    let kinds: Vec<_> =
        csv.lines().filter(|line| line.starts_with("mb-2")).map(|line| line.split(',').nth(6)).collect();
    let wanted = ["nearer", "back", "misroute", "nearer", "nearer", "nearer"].map(Some);
    assert_eq!(kinds, wanted, "{csv}");
    assert!(route.text().contains("the setup takes 0.5000 mean transmission times"), "{}", route.text());
    assert!(
        route.text().contains("Refused: after 2 moves every permitted path has proved faulty."),
        "{}",
        route.text()
    );
}

#[test]
fn watch_draws_meshes_tori_and_slices() {
    use faultlab::report::picture::geometry::Size;
    use faultlab::report::watch::ViewState;
    for net in ["mesh:5x5", "torus:4x4", "mesh:3x3x3", "mesh:6"] {
        let text = format!("switch=circuit&net={net}&route=mb-1&rate=0.3");
        let mut watch = new_watch(&experiment(&text)).expect("a watch");
        while watch.work() {}
        watch.seek(20.0);
        while !watch.is_ready() {
            watch.work();
        }
        let scene = watch.draw(0, Size::new(500.0, 400.0), &ViewState::default()).expect("a picture");
        assert!(scene.shapes.len() > 10, "{net}");
        assert!(watch.text().contains("MB-1: "), "{}", watch.text());
    }
}

/// Preset "circuit-search": "MB-2 serves all pairs. e-cube refuses 31% of the messages"; the network
/// is stable under both.
#[test]
fn preset_search_serves_pairs_that_e_cube_refuses() {
    let text = &faultlab::experiment::presets::preset("circuit-search").expect("a preset").experiment;
    let points = measure(&format!("{text}&within=0.05"));
    let refused = points.iter().map(|point| {
        assert_eq!(point.status, Status::Converged);
        point.estimate(point.config.setting.kind().metric("refused").expect("a metric")).expect("an estimate").mean
    });
    let refused: Vec<_> = refused.collect();
    assert!((refused[0] - 1077.0 / 3422.0).abs() < 0.01 && refused[1] == 0.0, "{refused:?}");
    let checked = proved(&experiment(text), false).expect("a mesh");
    assert!(checked.verdict(0).sentence.ends_with("3422 pairs are refused."), "{}", checked.verdict(0));
    assert!(checked.verdict(1).sentence.ends_with("all 3422 pairs are served."), "{}", checked.verdict(1));
}

/// Up to the time at which elements break, a watched network is that without them; then what they
/// hit is torn down, and Watch marks the time.
#[test]
fn later_faults_leave_the_past_unchanged() {
    for net in ["net=cube:4&route=up", "net=mesh:5x5&route=mb-2"] {
        let text = format!("switch=circuit&{net}&rate=0.3");
        let later = if net.contains("cube") { "later=30:5,30:10_0,31.5:6" } else { "later=30:2.2,30:0.0-0.1,31.5:1.3" };
        let [mut before, mut after] = [text.clone(), format!("{text}&{later}")].map(|text| {
            let mut watch = new_watch(&experiment(&text)).expect("circuits");
            while watch.work() {}
            watch
        });
        for time in [0.0, 12.5, 29.99, 40.0] {
            for watch in [&mut before, &mut after] {
                watch.seek(time);
                while !watch.is_ready() {
                    watch.work();
                }
            }
            let messages = |csv: String| csv.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect();
            let [one, other]: [Vec<_>; 2] = [before.csv(), after.csv()].map(messages);
            assert_eq!(one == other, time < 30.0, "{net} {time}");
        }
        let arriving: Vec<_> =
            after.events().iter().filter(|it| it.description == "faults arrive").map(|it| it.time).collect();
        assert_eq!(arriving, [30.0, 31.5]);
        let row = |name: &str| after.counts().into_iter().find(|row| row.0 == name).expect(name).1[0].clone();
        let [torn, again, lost] =
            ["Torn down by new faults", "Complete again", "Lost to new faults"].map(|name| row(name).parse::<u64>());
        assert!(torn.expect("a number") + lost.expect("a number") > 0 && again.expect("a number") <= 20, "{net}");
        assert!(before.counts().iter().all(|row| row.0 != "Complete again"));
    }
}

/// Measured runs count what faults in time cost; the metrics have no value without such faults.
#[test]
fn metrics_count_what_arriving_faults_cost() {
    let text = "switch=circuit&net=mesh:4x4&route=mb-2&rate=0.1&within=0.3&trials=3000&later=40:1.1,40:2.2-2.3";
    let value = |text: &str, metric: &str| {
        let point = &measure(text)[0];
        point.estimate(point.config.setting.kind().metric(metric)?).map(|it| it.mean)
    };
    let found = |metric: &str| value(text, metric).expect(metric);
    assert!(found("torn") > 0.2 && found("retried") <= found("torn") && found("given-up") < 3.0);
    assert!(found("recovery") > 0.0 && found("transition") > 0.0);
    assert!(found("success-before") > 0.9 && found("success-after") == 1.0);
    assert!(found("setup-before") > 0.1 && found("setup-after") > 0.1);
    assert_eq!(value("switch=circuit&net=mesh:4x4&route=mb-2&rate=0.1&within=0.3&trials=3000", "torn"), None);
}
