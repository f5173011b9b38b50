//! Experiments with circuits on meshes and tori.

use faultlab::experiment::{Experiment, MeshCircuitWatch};

use crate::common::{experiment, measure};

#[test]
fn texts_round_trip_with_their_keys() {
    for text in [
        "switch=circuit&net=mesh:8x8",
        "switch=circuit&net=torus:4x4x4&route=mb-0,mb-3,mb-any&rate=0.05&hop=0.02&setup=retry:0.5",
        "switch=circuit&net=mesh:4x4&faults=links:0.05&break=1.1&route=e-cube,mb-2&traffic=hot:3.1:0.2",
        "switch=circuit&net=mesh:4x4&route=mb-1&vary=hop:0,0.01,0.1",
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
        ("switch=circuit&net=mesh:4x4&avail=lowest-only", "avail", "lowest-free"),
        ("switch=circuit&net=cube:4&vary=hop:0,1", "vary", "a mesh or a torus"),
        ("switch=circuit&net=tree:16", "net", "hypercubes, meshes and tori"),
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
