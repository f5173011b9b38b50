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
    ("net=cube:1&trials=300", 0xd5b5_125b_cb5b_1d9e),
    (
        "net=cube:5&faults=nodes:0.3&route=sidetracking,backtracking,random,deterministic,random-blind,deterministic-blind,global&trials=2000",
        0x0f20_0d2e_7f08_efb9,
    ),
    (
        "net=cube:10&faults=share:0.55&route=sidetracking,backtracking,random,deterministic,random-blind,deterministic-blind,global&trials=600",
        0x6856_b6c1_f8eb_4a34,
    ),
    (
        "net=cube:8&faults=nodes:0.5&vary=p:0.1..0.9:5&route=sidetracking,global&mpl=1.4&trials=1500&seed=18446744073709551615",
        0xaeb5_27eb_44c1_c7fc,
    ),
    (
        "net=cube:6&faults=count:30&vary=f:0,17,62&break=1,2,5&mend=9,0b111000&from=3&to=0x3f&trials=1200&seed=7",
        0xfc5b_ae09_5f47_d20a,
    ),
    (
        "net=cube:5&break=3,5,6,24,28&vary=mpl:1..10:4&route=sidetracking,backtracking&trials=1100&seed=2",
        0x7c7c_6e5c_add0_a425,
    ),
    (
        "net=cube:20&faults=nodes:0.75&route=sidetracking,backtracking,global&mpl=20&trials=400&within=0.02",
        0x172c_10ae_2fea_fe79,
    ),
    (
        "net=cube:64&faults=share:0.9&vary=n:11,12,33,63,64&route=sidetracking,random,deterministic-blind&mpl=3&trials=300",
        0x5c13_31b2_a134_dde6,
    ),
    (
        "net=cube:64&faults=nodes:0.85&break=1,9223372036854775808&from=18446744073709551615&route=backtracking,deterministic&trials=300&seed=3",
        0xb7d9_0a93_0601_c971,
    ),
    (
        "net=cube:6&faults=links:0.1&break=3_2&mend=0_0&route=e-cube,restricted-up,up-dp-mix,2e+4f,sidetracking&trials=600",
        0xe66a_2b9c_f66a_da51,
    ),
    ("switch=circuit&vary=rate:0.2,0.4&route=e-cube,up,2f+3f&trials=100000", 0x05dd_eaf2_d94f_4981),
    (
        "switch=circuit&net=cube:4&faults=link-count:3&break=5&rate=0.5&route=minimal,restricted-up&avail=random&wait=shortest&traffic=hot:3:0.2&seed=4&trials=20000",
        0x8e14_70fd_8739_e706,
    ),
    (
        "switch=wormhole&net=mesh:4x6&faults=none&route=e-cube&vary=load:0.3,0.8&length=8&trials=4000",
        0xf6da_38f1_ba70_e75f,
    ),
    (
        "switch=wormhole&net=mesh:8x8&faults=isolated:1+1&route=f-cube2&load=0.6&length=6&trials=6000&within=0.2",
        0x4e13_f3cb_1254_a5f2,
    ),
    (
        "switch=wormhole&net=mesh:7x5&faults=links:0.05&break=2.2&mend=0.0-0.1&route=lh2,f-cube4&vc=5&buffer=3&inject=2&policy=queue&arbitrate=oldest&traffic=hot:3.1:0.1&length=5&load=0.5&trials=3000",
        0xdd28_4ab6_b442_9567,
    ),
    (
        "switch=wormhole&net=mesh:3x4x3&faults=count:2&route=f-cube4,lh4&load=0.5&length=5&trials=2000",
        0x0c62_00e2_b05b_06ff,
    ),
    (
        "switch=wormhole&net=torus:5x4&faults=count:1&route=e-cube,f-cube4&vary=load:0.2,0.5&length=4&trials=2000",
        0x9e47_c27b_3a55_b80c,
    ),
    (
        "switch=wormhole&net=mesh:5x5&faults=count:2&route=weak-f-cube4,negative-first,dr-static,dr-dynamic,planar-adaptive&load=0.5&length=4&trials=1500&seed=2",
        0xdf01_4189_d08a_1805,
    ),
    (
        "switch=wormhole&net=cube:4&faults=nodes:0.1&route=e-cube,up,sidetracking,algorithm-b,kim-shin&load=0.2&length=4&trials=1500",
        0x4227_1148_8079_fef5,
    ),
    ("switch=pairs&net=cube:6&faults=count:3&vary=f:1,4,9&trials=200", 0xdf32_730f_103d_9c1b),
    (
        "switch=permutation&net=cube:7&faults=count:2&route=bit-fixing,valiant-brebner,general,algorithm-a,algorithm-b,kim-shin&h=2&vary=tolerance:0.1,0.3&trials=60",
        0x00ca_de28_e813_cc7f,
    ),
    (
        "switch=permutation&net=cube:9&faults=funnel:3&traffic=bit-reversal&route=bit-fixing,algorithm-a,kim-shin&vary=f:1,5&trials=40&seed=5",
        0xd5eb_836d_3858_8220,
    ),
    (
        "switch=batch&net=cube:6&route=bit-fixing,valiant-brebner,algorithm-a,algorithm-b&vary=length:1,3,8&trials=100",
        0xf343_e3f9_4743_b86f,
    ),
    (
        "switch=delivery&net=tree:32&capacity=volume&faults=wires:0.1&undeliverable=sent&traffic=random*3&route=greedy,random-guess,random-prime&vary=p:0.05,0.2&trials=60",
        0x26a5_d864_ab05_85dc,
    ),
    (
        "switch=delivery&net=tree2:64&traffic=cross&route=greedy,random-guess,random-prime,random-prime-repeated&survive=alternate&r=2&vary=leaves:4,16,64&trials=60",
        0xf5f5_7d82_9e4a_d4c6,
    ),
    (
        "switch=wormhole&net=mesh:8x8&faults=isolated:1+0&route=west-first,north-last,odd-even&load=0.4&length=6&trials=3000&within=0.2",
        0xcd5c_f1bb_68b1_ec0f,
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
