//! Points whose coverage is measured: an easy one of every kind, and points where intervals are
//! known to fail (rare events, discrete values, loads near saturation).

/// A point whose coverage is measured.
pub(crate) struct Point {
    /// Kind of the experiment.
    pub(crate) kind: &'static str,
    /// Property that makes the point easy or hard.
    pub(crate) difficulty: &'static str,
    /// Experiment text, without a seed.
    pub(crate) text: &'static str,
    /// Metric whose intervals are tested.
    pub(crate) metric: &'static str,
    /// True value of the metric.
    pub(crate) truth: Truth,
}

/// Source of a true value.
#[derive(Clone, Copy)]
pub(crate) enum Truth {
    /// Value from a closed form or an enumeration.
    Exact(f64),
    /// Value measured with many times the trials.
    Measured,
}

use Truth::{Exact, Measured};

const fn point(
    kind: &'static str,
    what: &'static str,
    metric: &'static str,
    truth: Truth,
    text: &'static str,
) -> Point {
    Point { kind, difficulty: what, text, metric, truth }
}

/// All points.
///
/// The exact values of single messages are complete enumerations over all fault sets. A single link
/// is M/M/1, whose mean wait is r / (1 - r). Two faults of a 6-cube leave a quarter of the nodes
/// active under Algorithm B if they fall into the same square, which has probability 3/63.
pub(crate) const POINTS: &[Point] = &[
    point(
        "message",
        "easy",
        "success",
        Exact(0.805497923942),
        "net=cube:5&faults=nodes:0.5&mpl=5&route=sidetracking&within=0.02",
    ),
    point(
        "message",
        "near 1",
        "success",
        Exact(0.983531635070),
        "net=cube:5&faults=nodes:0.3&mpl=5&route=sidetracking&within=0.01",
    ),
    point(
        "message",
        "rare",
        "success",
        Exact(0.999915954971),
        "net=cube:5&faults=nodes:0.1&mpl=5&route=sidetracking&within=0.002",
    ),
    point(
        "message",
        "skewed",
        "length",
        Measured,
        "net=cube:10&faults=nodes:0.6&mpl=10&route=sidetracking&within=0.02",
    ),
    point("pairs", "easy", "cut-off", Measured, "net=cube:5&switch=pairs&faults=links:0.1&route=e-cube&within=0.01"),
    point(
        "pairs",
        "rare",
        "cut-off",
        Measured,
        "net=cube:4&switch=pairs&faults=link-count:2&route=minimal&within=0.005",
    ),
    point(
        "permutation",
        "easy",
        "congestion",
        Measured,
        "net=cube:6&switch=permutation&faults=none&route=valiant-brebner&within=0.05",
    ),
    point(
        "permutation",
        "lumpy",
        "congestion",
        Measured,
        "net=cube:4&switch=permutation&faults=none&route=bit-fixing&within=0.05",
    ),
    point(
        "permutation",
        "rare",
        "active",
        Exact(0.25 / 21.0),
        "net=cube:6&switch=permutation&faults=count:2&route=algorithm-b&trials=2000",
    ),
    point(
        "permutation",
        "skewed",
        "active",
        Measured,
        "net=cube:8&switch=permutation&faults=count:4&route=algorithm-a",
    ),
    point(
        "batch",
        "rare",
        "deadlock",
        Measured,
        "net=cube:5&switch=batch&faults=none&route=algorithm-a&length=1&within=0.02",
    ),
    point(
        "batch",
        "easy",
        "deadlock",
        Measured,
        "net=cube:5&switch=batch&faults=none&route=algorithm-a&length=2&within=0.05",
    ),
    point(
        "batch",
        "easy",
        "finish",
        Measured,
        "net=cube:5&switch=batch&faults=none&route=algorithm-b&length=4&within=0.05",
    ),
    point("delivery", "easy", "cycles", Measured, "net=tree:64&switch=delivery&traffic=random&route=greedy"),
    point(
        "delivery",
        "lumpy",
        "cycles",
        Measured,
        "net=tree:256&switch=delivery&traffic=random*4&route=random-guess&k1=2&k2=1&r=2",
    ),
    point(
        "delivery",
        "dead wires",
        "delivered",
        Measured,
        "net=tree:64&switch=delivery&faults=wires:0.1&traffic=random&route=greedy",
    ),
    point("circuit", "M/M/1, easy", "setup", Exact(1.0), "net=cube:1&switch=circuit&route=e-cube&rate=0.5&within=0.05"),
    point(
        "circuit",
        "M/M/1, near saturation",
        "setup",
        Exact(9.0),
        "net=cube:1&switch=circuit&route=e-cube&rate=0.9&within=0.05",
    ),
    point("circuit", "easy", "setup", Measured, "net=cube:3&switch=circuit&route=e-cube&rate=0.3&within=0.05"),
    point(
        "circuit",
        "near saturation",
        "setup",
        Measured,
        "net=cube:4&switch=circuit&route=e-cube&rate=0.8&within=0.05",
    ),
    point(
        "wormhole",
        "easy",
        "utilization",
        Measured,
        "net=mesh:6x6&switch=wormhole&faults=none&route=e-cube&load=0.3&within=0.05",
    ),
    point(
        "wormhole",
        "near saturation",
        "utilization",
        Measured,
        "net=mesh:6x6&switch=wormhole&faults=none&route=e-cube&load=0.8&within=0.05",
    ),
    point(
        "wormhole",
        "latency",
        "latency",
        Measured,
        "net=mesh:6x6&switch=wormhole&faults=none&route=e-cube&load=0.3&within=0.05",
    ),
    point(
        "wormhole",
        "random faults",
        "utilization",
        Measured,
        "net=mesh:6x6&switch=wormhole&faults=isolated:0.05&route=f-cube2&load=0.5&within=0.1",
    ),
];
