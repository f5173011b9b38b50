//! The same text gives the same bits: on every target, in every browser, in every later version.
//!
//! A value here changes only when results are meant to change. Then run
//! `cargo test --test core golden`, look at every difference, and copy the printed list over [`GOLDEN`].

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::PointResult;

use crate::common::{experiment, measure};

/// Experiments that together use every algorithm, fault model and kind of switching, edits, whole permutations, batches, delivery cycles, cubes of 1 to 64 dimensions and meshes; and the
/// FNV-1a hash of all their counts and of the bits of all their estimates.
const GOLDEN: &[(&str, u64)] = &[
    ("net=cube:1&trials=300", 0xc02c_4fe2_c678_1f5f),
    (
        "net=cube:5&faults=nodes:0.3&route=sidetracking,backtracking,random,deterministic,random-blind,deterministic-blind,global&trials=2000",
        0x832a_44bf_1330_2af6,
    ),
    (
        "net=cube:10&faults=share:0.55&route=sidetracking,backtracking,random,deterministic,random-blind,deterministic-blind,global&trials=600",
        0x1ff9_1643_22b9_0374,
    ),
    (
        "net=cube:8&faults=nodes:0.5&vary=p:0.1..0.9:5&route=sidetracking,global&mpl=1.4&trials=1500&seed=18446744073709551615",
        0x53e7_5a79_91e3_ef31,
    ),
    (
        "net=cube:6&faults=count:30&vary=f:0,17,62&break=1,2,5&mend=9,0b111000&from=3&to=0x3f&trials=1200&seed=7",
        0x1c6a_0539_ed54_8967,
    ),
    (
        "net=cube:5&break=3,5,6,24,28&vary=mpl:1..10:4&route=sidetracking,backtracking&trials=1100&seed=2",
        0xad32_8098_4aff_36e5,
    ),
    (
        "net=cube:20&faults=nodes:0.75&route=sidetracking,backtracking,global&mpl=20&trials=400&within=0.02",
        0x6875_11c3_8027_b928,
    ),
    (
        "net=cube:64&faults=share:0.9&vary=n:11,12,33,63,64&route=sidetracking,random,deterministic-blind&mpl=3&trials=300",
        0x6e86_353d_d3ab_e1ea,
    ),
    (
        "net=cube:64&faults=nodes:0.85&break=1,9223372036854775808&from=18446744073709551615&route=backtracking,deterministic&trials=300&seed=3",
        0xead2_ee0c_212d_72de,
    ),
    (
        "net=cube:6&faults=links:0.1&break=3_2&mend=0_0&route=e-cube,restricted-up,up-dp-mix,2e+4f,sidetracking&trials=600",
        0x55c0_dbe1_aac2_94a9,
    ),
    ("switch=circuit&vary=rate:0.2,0.4&route=e-cube,up,2f+3f&trials=100000", 0x5656_06f3_fd66_b66c),
    (
        "switch=circuit&net=cube:4&faults=link-count:3&break=5&rate=0.5&route=minimal,restricted-up&avail=random&wait=shortest&traffic=hot:3:0.2&seed=4&trials=20000",
        0x8e14_70fd_8739_e706,
    ),
    (
        "switch=wormhole&net=mesh:4x6&faults=none&route=e-cube&vary=load:0.3,0.8&length=8&trials=4000",
        0x8ce1_ccd1_ef28_e53c,
    ),
    (
        "switch=wormhole&net=mesh:8x8&faults=isolated:1+1&route=f-cube2&load=0.6&length=6&trials=6000&within=0.2",
        0x77a6_ee1f_9af9_e3a1,
    ),
    (
        "switch=wormhole&net=mesh:7x5&faults=links:0.05&break=2.2&mend=0.0-0.1&route=lh2,f-cube4&vc=5&buffer=3&inject=2&policy=queue&arbitrate=oldest&traffic=hot:3.1:0.1&length=5&load=0.5&trials=3000",
        0x0b8f_b91b_66f7_8552,
    ),
    (
        "switch=wormhole&net=mesh:3x4x3&faults=count:2&route=f-cube4,lh4&load=0.5&length=5&trials=2000",
        0x6090_0205_bacd_1f87,
    ),
    (
        "switch=wormhole&net=torus:5x4&faults=count:1&route=e-cube,f-cube4&vary=load:0.2,0.5&length=4&trials=2000",
        0x4f8a_f00d_6d8c_3876,
    ),
    (
        "switch=wormhole&net=mesh:5x5&faults=count:2&route=weak-f-cube4,negative-first,dr-static,dr-dynamic,planar-adaptive&load=0.5&length=4&trials=1500&seed=2",
        0xa537_67be_d5eb_9834,
    ),
    (
        "switch=wormhole&net=cube:4&faults=nodes:0.1&route=e-cube,up,sidetracking,algorithm-b,kim-shin&load=0.2&length=4&trials=1500",
        0xa6b9_282b_ac36_1c33,
    ),
    ("switch=pairs&net=cube:6&faults=count:3&vary=f:1,4,9&trials=200", 0x92df_9766_45de_2d4a),
    (
        "switch=permutation&net=cube:7&faults=count:2&route=bit-fixing,valiant-brebner,general,algorithm-a,algorithm-b,kim-shin&h=2&vary=tolerance:0.1,0.3&trials=60",
        0x852e_2064_1000_d065,
    ),
    (
        "switch=permutation&net=cube:9&faults=funnel:3&traffic=bit-reversal&route=bit-fixing,algorithm-a,kim-shin&vary=f:1,5&trials=40&seed=5",
        0x1be6_e4f0_0525_7e0f,
    ),
    (
        "switch=batch&net=cube:6&route=bit-fixing,valiant-brebner,algorithm-a,algorithm-b&vary=length:1,3,8&trials=100",
        0x7644_c644_7f92_291c,
    ),
    (
        "switch=delivery&net=tree:32&capacity=volume&faults=wires:0.1&undeliverable=sent&traffic=random*3&route=greedy,random-guess,random-prime&vary=p:0.05,0.2&trials=60",
        0x2718_3de0_3151_04bf,
    ),
    (
        "switch=delivery&net=tree2:64&traffic=cross&route=greedy,random-guess,random-prime,random-prime-repeated&survive=alternate&r=2&vary=leaves:4,16,64&trials=60",
        0xdf16_9172_7b4c_4aa4,
    ),
    (
        "switch=wormhole&net=mesh:8x8&faults=isolated:1+0&route=west-first,north-last,odd-even&load=0.4&length=6&trials=3000&within=0.2",
        0x3b0f_af4d_edfd_1958,
    ),
];

#[test]
fn results_are_the_same_bits_as_ever() {
    let found: Vec<u64> = GOLDEN.iter().map(|(text, _)| hash(text, &measure(text))).collect();
    let expected: Vec<u64> = GOLDEN.iter().map(|(_, hash)| *hash).collect();
    let list: Vec<_> =
        GOLDEN.iter().zip(&found).map(|((text, _), hash)| format!("    (\"{text}\", {hash:#018x}),")).collect();
    assert!(found == expected, "the results have changed; now they are:\n{}", list.join("\n"));
}

fn hash(text: &str, points: &[PointResult]) -> u64 {
    let kind = experiment(text).kind();
    let mut words: Vec<u64> = Vec::new();
    for point in points {
        let tally = &point.tally;
        // Of other kinds the counts of messages are none.
        let messages = tally.messages().cloned().unwrap_or_default();
        words.extend([tally.trials, messages.tunnelling, messages.trapped]);
        words.extend(messages.outcomes.iter().chain(&messages.lengths));
        words.extend(point.status.id().bytes().map(u64::from));
        words.push(point.x.map_or(0, f64::to_bits));
        for metric in kind.metrics {
            match point.estimate(metric) {
                Some(of) => words.extend([of.mean.to_bits(), of.low.to_bits(), of.high.to_bits(), of.n]),
                None => words.push(u64::MAX),
            }
        }
    }
    let bytes = words.into_iter().flat_map(u64::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
