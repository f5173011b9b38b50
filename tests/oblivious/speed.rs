//! How long the large cases take; printed, never asserted: `cargo test --release --test oblivious -- --ignored --nocapture`.

use std::time::Instant;

use faultlab::fault::{ActiveSet, Tolerance};
use faultlab::random::Key;
use faultlab::switching::StaticPaths;
use faultlab::theory::oblivious::ExpectedCongestion;
use faultlab::traffic::{Permutation, Relation};

use super::{cube, drawn, nodes, scheme};

fn timed<T>(what: &str, work: impl Fn() -> T) {
    let times = (0..5).map(|_| {
        let start = Instant::now();
        std::hint::black_box(work());
        start.elapsed()
    });
    println!("{what}: {:?}", times.min().unwrap_or_default());
}

#[test]
#[ignore = "a measurement"]
fn large_cases() {
    for n in [14, 20] {
        let faulty = drawn(n, 1e-5, 1);
        timed(&format!("both sweeps, n = {n}"), || ActiveSet::algorithm_a(faulty.clone(), Tolerance::Thesis));
        for id in ["bit-fixing", "valiant-brebner", "algorithm-a", "algorithm-b"] {
            let routing = scheme(id, faulty.clone());
            let active: Vec<_> = nodes(n).filter(|&node| routing.is_active(node)).collect();
            timed(&format!("{id}: a permutation, n = {n}"), || {
                let active = active.iter().copied();
                let relation = Relation::new(cube(n), Permutation::Random, 1, active, Key::from_seed(1)).unwrap();
                StaticPaths::of(&*routing, &relation, Key::from_seed(2)).unwrap().max_congestion()
            });
        }
    }
    let routing = scheme("algorithm-a", drawn(12, 0.0, 1));
    let relation = Relation::new(cube(12), Permutation::Random, 1, nodes(12), Key::from_seed(1)).unwrap();
    timed("expected congestion, n = 12", || ExpectedCongestion::of(&*routing, &relation).unwrap().max_congestion());
}
