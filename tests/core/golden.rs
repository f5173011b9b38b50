//! Golden test: a text gives the same bits on every target, in every browser, in every later
//! version.
//!
//! A value changes only when results are meant to change. Then run `cargo test --test core golden`,
//! check every difference, and copy the printed list over [`GOLDEN`].

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::PointResult;

use crate::common::{experiment, measure};

/// Experiments with the FNV-1a hash of all their counts and of the bits of all their estimates.
/// Together they use every algorithm, fault model, kind and edit, cubes of 1 to 64 dimensions, and
/// meshes.
const GOLDEN: &[(&str, u64)] = &[
    ("net=cube:1&trials=300", 0x2f36_55db_6f1e_df4f),
    (
        "net=cube:5&faults=nodes:0.3&route=sidetracking,backtracking,random,deterministic,random-blind,deterministic-blind,global&trials=2000",
        0x30ff_972a_bee6_7fc6,
    ),
    (
        "net=cube:10&faults=share:0.55&route=sidetracking,backtracking,random,deterministic,random-blind,deterministic-blind,global&trials=600",
        0x353c_ad84_a03a_8be4,
    ),
    (
        "net=cube:8&faults=nodes:0.5&vary=p:0.1..0.9:5&route=sidetracking,global&mpl=1.4&trials=1500&seed=18446744073709551615",
        0x2682_1144_1b45_b38b,
    ),
    (
        "net=cube:6&faults=count:30&vary=f:0,17,62&break=1,2,5&mend=9,0b111000&from=3&to=0x3f&trials=1200&seed=7",
        0x07b4_722b_fcbf_6502,
    ),
    (
        "net=cube:5&break=3,5,6,24,28&vary=mpl:1..10:4&route=sidetracking,backtracking&trials=1100&seed=2",
        0x2bc5_b035_99a3_0de5,
    ),
    (
        "net=cube:20&faults=nodes:0.75&route=sidetracking,backtracking,global&mpl=20&trials=400&within=0.02",
        0x6f7d_db92_4a1a_2de7,
    ),
    (
        "net=cube:64&faults=share:0.9&vary=n:11,12,33,63,64&route=sidetracking,random,deterministic-blind&mpl=3&trials=300",
        0x2ae1_795d_f1d4_dc55,
    ),
    (
        "net=cube:64&faults=nodes:0.85&break=1,9223372036854775808&from=18446744073709551615&route=backtracking,deterministic&trials=300&seed=3",
        0x3163_3851_7ee9_6b5b,
    ),
    (
        "net=cube:6&faults=links:0.1&break=3_2&mend=0_0&route=e-cube,restricted-up,up-dp-mix,2e+4f,sidetracking&trials=600",
        0x534e_3f34_2c51_60a9,
    ),
    ("switch=circuit&vary=rate:0.2,0.4&route=e-cube,up,2f+3f&trials=100000", 0x7f56_eea0_5985_ad14),
    (
        "switch=circuit&net=cube:4&faults=link-count:3&break=5&rate=0.5&route=minimal,restricted-up&avail=random&wait=shortest&traffic=hot:3:0.2&seed=4&trials=20000",
        0x5f1b_99fd_c669_fde1,
    ),
    (
        "switch=wormhole&net=mesh:4x6&faults=none&route=e-cube&vary=load:0.3,0.8&length=8&trials=4000",
        0x1915_1c0f_cc03_a030,
    ),
    (
        "switch=wormhole&net=mesh:8x8&faults=isolated:1+1&route=f-cube2&load=0.6&length=6&trials=6000&within=0.2",
        0xa97e_72d9_4b10_5176,
    ),
    // Some fault sets of this experiment cannot carry the traffic of the hot spot: growing queues
    // are detected, so the point has no mean latency.
    (
        "switch=wormhole&net=mesh:7x5&faults=links:0.05&break=2.2&mend=0.0-0.1&route=lh2,f-cube4&vc=5&buffer=3&inject=2&policy=queue&arbitrate=oldest&traffic=hot:3.1:0.1&length=5&load=0.5&trials=3000",
        0xf67f_da40_3e44_51e7,
    ),
    (
        "switch=wormhole&net=mesh:3x4x3&faults=count:2&route=f-cube4,lh4&load=0.5&length=5&trials=2000",
        0x479a_ebcd_06ac_69bd,
    ),
    (
        "switch=wormhole&net=torus:5x4&faults=count:1&route=e-cube,f-cube4&vary=load:0.2,0.5&length=4&trials=2000",
        0xbc8c_e256_33bc_5af9,
    ),
    (
        "switch=wormhole&net=mesh:5x5&faults=count:2&route=weak-f-cube4,negative-first,dr-static,dr-dynamic,planar-adaptive&load=0.5&length=4&trials=1500&seed=2",
        0x7501_94e9_0df6_06c4,
    ),
    (
        "switch=wormhole&net=cube:4&faults=nodes:0.1&route=e-cube,up,sidetracking,algorithm-b,kim-shin&load=0.2&length=4&trials=1500",
        0xfee8_c06d_315f_57e7,
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
        "switch=delivery&net=tree2:64&traffic=half&route=greedy,random-guess,random-prime,random-prime-repeated&survive=alternate&r=2&vary=leaves:4,16,64&trials=60",
        0xdf16_9172_7b4c_4aa4,
    ),
    (
        "switch=delivery&net=tree2-3d:64&faults=wires:0.1&traffic=random*2&route=greedy,random-guess,random-prime,random-prime-repeated,valiant&vary=leaves:8,64,512&trials=60",
        0x2c83_8f3e_d58d_332e,
    ),
    (
        "switch=delivery&net=tree:32&faults=wires:0.1&traffic=random*4&route=random-interleaved,random-guess&survive=drop-all&vary=leaves:2,8,32&trials=60",
        0x2bef_d0fb_5ebe_1d23,
    ),
    (
        "switch=delivery&net=tree:64&faults=none&traffic=cross&route=greedy,valiant,random-guess&r=computed&schedules=3&vary=leaves:2,16,64&trials=60",
        0x175e_9390_395b_3975,
    ),
    (
        "switch=delivery&net=tree:32&faults=none&traffic=out*2&route=random-guess,random-prime&survive=drop-fixed&k1=8&vary=leaves:2,8,32&trials=60",
        0x1451_f2e5_8254_6e4a,
    ),
    (
        "switch=wormhole&net=mesh:8x8&faults=isolated:1+0&route=west-first,north-last,odd-even&load=0.4&length=6&trials=3000&within=0.2",
        0xb53c_09f3_f814_6590,
    ),
    (
        "switch=circuit&net=cube:4&setup=retry:0.5&vary=rate:0.2,0.5&route=e-cube,minimal,up-dp-mix&trials=20000",
        0x3773_65cb_cfcb_5fd5,
    ),
    (
        "switch=batch&net=cube:5&flow=cut-through&route=bit-fixing,algorithm-b&vary=length:1,4&trials=100",
        0xe464_5c4b_2375_7c21,
    ),
    (
        "switch=batch&net=cube:5&flow=store-and-forward&route=bit-fixing,algorithm-b&vary=length:1,4&trials=100",
        0x01c1_00de_78b7_4f4d,
    ),
    (
        "switch=batch&net=cube:5&faults=none&break=9&flow=store-and-forward&onset=5&route=bit-fixing,valiant-brebner,algorithm-a&tolerance=0.3&length=3&trials=60",
        0xa013_4707_b0f1_033c,
    ),
    (
        "switch=permutation&net=butterfly:5&faults=count:4&route=bit-fixing,valiant-brebner,general,algorithm-a&tolerance=0.3&h=2&trials=60",
        0xc7a0_3e88_8ed6_b99d,
    ),
    (
        "switch=batch&net=butterfly:5&faults=nodes:0.02&route=valiant-brebner,algorithm-a&tolerance=0.3&length=2&flow=store-and-forward&trials=60",
        0x8413_b2c0_139e_bd06,
    ),
    (
        "switch=wormhole&net=mesh:8x8&faults=none&break=3.4,4.3,4.4,5.4&regions=solid&route=f-cube4-notches,up-down&flow=cut-through&load=0.4&length=6&trials=2000",
        0x48d5_72bd_2ded_90b0,
    ),
    (
        "switch=wormhole&net=mesh:6x6&faults=count:2&route=f-cube4&flow=store-and-forward&onset=400&load=0.4&length=4&trials=2000",
        0x512e_a724_702f_1f41,
    ),
    // Version 2: circuits and worms under load, listed messages, and tori.
    ("v=2&switch=circuit&net=cube:4&vary=rate:0.2,0.5&route=e-cube,up&trials=200000&within=0.1", 0x5ce5_a994_dd45_de0f),
    (
        "v=2&switch=wormhole&net=mesh:4x6&faults=none&route=e-cube&vary=load:0.3,0.8&length=8&policy=queue&within=0.1",
        0xc31d_708a_8cd3_5bc9,
    ),
    (
        "v=2&switch=wormhole&net=mesh:6x6&faults=isolated:1+0&route=f-cube2,lh2&load=0.6&length=6&within=0.2",
        0xc99e_0a7a_eb4d_70fc,
    ),
    (
        "v=2&switch=wormhole&net=torus:4x6&faults=count:1&route=e-cube,f-cube4&load=0.4&length=4&within=0.2",
        0xd7c2_5c40_b148_6f16,
    ),
    (
        "v=2&switch=wormhole&net=mesh:4x4&faults=none&route=e-cube&length=4&traffic=0.0-1.1,0.0-2.2,0.0-3.3,0.0-0.3",
        0x4fff_42df_c53f_7b55,
    ),
    (
        "v=2&switch=wormhole&net=mesh:4x4&faults=none&route=e-cube,west-first&length=1:1,10:3,40:1&policy=queue&vary=load:0.2,0.5&within=0.1",
        0x770b_c219_8e95_51f8,
    ),
    (
        "v=2&switch=wormhole&net=mesh:4x4&faults=none&break=1.1&route=e-cube,f-cube2&messages=0.0-0.3:20,0.3-3.3:9@1,50:3.3-0.0:4@1+2,0.0-1.1:4,1.1-2.2:4@4,7:2.0-2.3:64,2.1-2.3:32",
        0x523c_03fd_b62f_1ce5,
    ),
    // e-cube deadlocks around the torus.
    (
        "switch=circuit&net=torus:4x4&faults=links:0.05&break=1.1&route=e-cube,mb-0,mb-2,mb-any&hop=0.02&vary=rate:0.05,0.2&trials=4000&seed=4",
        0xb7be_4452_b534_2964,
    ),
    // Faults that arrive while circuits are set up or held.
    (
        "switch=circuit&net=cube:4&faults=count:2&onset=50&later=60:5_1,60.5:9&rate=0.4&route=e-cube,up,minimal&setup=retry:0.5&trials=4000&seed=2",
        0x3808_18f5_b72c_0ca4,
    ),
    (
        "switch=circuit&net=mesh:4x4&break=1.1&onset=50&later=60:2.2-2.3,60.5:3.0&rate=0.1&route=e-cube,mb-2&trials=4000&seed=5",
        0x0c3d_b274_1eb9_cf60,
    ),
    // Arrival processes, and a load in flits per node and cycle.
    (
        "v=2&switch=wormhole&net=mesh:4x4&faults=none&route=e-cube&arrivals=bursts:20:60&load=0.3&length=8&within=0.2",
        0x2d94_9d26_f3da_3a20,
    ),
    (
        "v=2&switch=wormhole&net=torus:4x4&faults=count:1&route=e-cube&arrivals=poisson&flit-rate=0.3&length=2&policy=queue&within=0.2",
        0x84ab_e308_a1f4_5766,
    ),
    (
        "switch=wormhole&net=cube:4&faults=none&route=up&arrivals=periodic&load=0.4&length=4&trials=1500",
        0xf20b_9145_0154_f0bc,
    ),
];

/// Metrics that were added after the hashes were recorded. The hashes leave them out.
/// `circuits::retry`, `affected_pairs::connectivity`, `wormhole::transition`,
/// `wormhole::percentiles`, `oblivious::onset` and `fat_trees::halved_loops` compare them with
/// closed forms, enumerations and bounds.
const LATER_METRICS: &[&str] = &[
    "setup-far",
    "setup-slowest",
    "starved",
    "attempts",
    "connected",
    "single-nodes",
    "unstarted",
    "dropped",
    "resent",
    "transition",
    "torn",
    "retried",
    "recovery",
    "given-up",
    "setup-before",
    "setup-during",
    "setup-after",
    "success-before",
    "success-during",
    "success-after",
    "unhalved",
    "latency-90",
    "latency-99",
    "latency-99.9",
    "setup-90",
    "setup-99",
    "setup-99.9",
    "energy",
];

#[test]
fn results_match_recorded_hashes() {
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
        // Other kinds have no counts of messages.
        let messages = tally.messages().cloned().unwrap_or_default();
        words.extend([tally.trials, messages.tunnelling, messages.trapped]);
        words.extend(messages.outcomes.iter().chain(&messages.lengths));
        words.extend(point.status.id().bytes().map(u64::from));
        words.push(point.x.map_or(0, f64::to_bits));
        for metric in kind.metrics.iter().filter(|metric| !LATER_METRICS.contains(&metric.id)) {
            match point.estimate(metric) {
                Some(of) => words.extend([of.mean.to_bits(), of.low.to_bits(), of.high.to_bits(), of.n]),
                None => words.push(u64::MAX),
            }
        }
    }
    let bytes = words.into_iter().flat_map(u64::to_le_bytes);
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}
