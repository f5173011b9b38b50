//! Numbers of Gordon & Stout, with the printed digits.

use crate::PublishedNumber;
use faultlab_core::fault::FaultModel;
use faultlab_experiment::{Experiment, ParameterRole};

/// Row of Table 2 or 3.
#[derive(Clone, Copy, Debug)]
pub struct LongRow {
    /// Fault rate p.
    pub p: PublishedNumber,
    /// Columns, in the order of [`LONG_COLUMNS`].
    pub columns: [PublishedNumber; 5],
}

/// Columns of Tables 2 and 3: the printed heading and the id of the corresponding metric.
pub const LONG_COLUMNS: [(&str, &str); 5] =
    [("p_A^2 %", "minimal"), ("S(n,p) %", "success"), ("APL", "length"), ("σ/n", "sigma"), ("(APL-n)/n", "excess")];

/// Row of Table 4: S(n, p) in percent for n = 5, 10, 15, 20, first sidetracking, then backtracking.
#[derive(Clone, Copy, Debug)]
pub struct ShortRow {
    /// Fault rate p.
    pub p: PublishedNumber,
    /// Sidetracking, then backtracking; each in the order of [`DIMENSIONS`].
    pub success: [[PublishedNumber; 4]; 2],
}

/// Dimensions of Table 4.
pub const DIMENSIONS: [u8; 4] = [5, 10, 15, 20];

/// Approximate number of messages from which each printed number is computed: the worst case for a
/// half-width of one percent.
pub const TRIALS: f64 = 9604.0;

const fn long(p: &'static str, c: [&'static str; 5]) -> LongRow {
    let columns = [
        PublishedNumber(c[0]),
        PublishedNumber(c[1]),
        PublishedNumber(c[2]),
        PublishedNumber(c[3]),
        PublishedNumber(c[4]),
    ];
    LongRow { p: PublishedNumber(p), columns }
}

const fn four(c: [&'static str; 4]) -> [PublishedNumber; 4] {
    [PublishedNumber(c[0]), PublishedNumber(c[1]), PublishedNumber(c[2]), PublishedNumber(c[3])]
}

const fn short(p: &'static str, sidetracking: [&'static str; 4], backtracking: [&'static str; 4]) -> ShortRow {
    ShortRow { p: PublishedNumber(p), success: [four(sidetracking), four(backtracking)] }
}

/// Table 2: sidetracking, Model A, n = 20, mpl = 20.
pub const TABLE_2: [LongRow; 10] = [
    long(".50", ["58.0", "100.0", "23.99", "0.43", "0.20"]),
    long(".55", ["46.9", "99.9", "26.43", "0.62", "0.32"]),
    long(".60", ["35.8", "99.8", "30.48", "0.97", "0.52"]),
    long(".65", ["23.9", "98.8", "38.12", "1.55", "0.91"]),
    long(".70", ["14.0", "95.0", "51.29", "2.45", "1.56"]),
    long(".75", ["6.2", "81.6", "67.57", "3.23", "2.37"]),
    long(".80", ["1.8", "50.0", "82.99", "3.62", "3.15"]),
    long(".85", ["0.3", "12.6", "86.76", "3.43", "3.33"]),
    long(".90", ["0.01", "0.3", "86.44", "2.92", "3.32"]),
    long(".95", ["0.0", "0.0", "0.00", "0.00", "0.00"]),
];

/// Table 3: randomized backtracking, Model A, n = 20, mpl = 20.
pub const TABLE_3: [LongRow; 10] = [
    long(".50", ["58.0", "100.0", "22.11", "0.20", "0.11"]),
    long(".55", ["46.7", "100.0", "23.29", "0.27", "0.16"]),
    long(".60", ["35.7", "99.9", "25.05", "0.38", "0.25"]),
    long(".65", ["23.9", "99.8", "28.51", "0.64", "0.43"]),
    long(".70", ["14.2", "99.0", "34.20", "0.99", "0.71"]),
    long(".75", ["6.3", "94.1", "44.97", "1.60", "1.24"]),
    long(".80", ["1.8", "71.0", "61.57", "2.36", "2.07"]),
    long(".85", ["0.2", "21.4", "69.36", "2.50", "2.47"]),
    long(".90", ["0.0", "0.6", "48.37", "1.41", "1.41"]),
    long(".95", ["0.0", "0.0", "0.00", "0.00", "0.00"]),
];

/// Table 4: S(n, p), Model A, mpl = 5.
pub const TABLE_4: [ShortRow; 9] = [
    short("0.1", ["99.9", "100.0", "100.0", "100.0"], ["100.0", "100.0", "100.0", "100.0"]),
    short("0.2", ["99.8", "100.0", "100.0", "100.0"], ["99.9", "100.0", "100.0", "100.0"]),
    short("0.3", ["98.3", "99.9", "100.0", "100.0"], ["99.2", "99.9", "100.0", "100.0"]),
    short("0.4", ["93.4", "99.5", "99.9", "99.9"], ["96.7", "99.9", "100.0", "100.0"]),
    short("0.5", ["80.3", "96.7", "99.4", "99.8"], ["87.1", "99.3", "99.9", "100.0"]),
    short("0.6", ["58.5", "84.8", "94.9", "98.4"], ["65.7", "95.4", "99.4", "99.9"]),
    short("0.7", ["32.0", "53.6", "73.3", "85.1"], ["35.6", "72.3", "91.8", "97.6"]),
    short("0.8", ["9.7", "11.9", "23.7", "37.3"], ["11.1", "20.8", "40.4", "61.2"]),
    short("0.9", ["0.9", "0.1", "0.1", "0.3"], ["0.9", "0.1", "0.2", "0.6"]),
];

/// Algorithms of Table 4, in its order.
pub const ALGORITHMS: [&str; 2] = ["sidetracking", "backtracking"];

/// Printed values along a sweep: for each algorithm, by its id, pairs of x and value, with
/// probabilities from 0 to 1.
pub type PublishedValues = Vec<(&'static str, Vec<(f64, f64)>)>;

/// Returns the printed values of the metric called `metric` along the sweep of `experiment`, within
/// its range.
///
/// The result is empty unless a table covers exactly this experiment.
pub fn values(experiment: &Experiment, metric: &str) -> PublishedValues {
    let varied = experiment.vary.as_ref().map(|vary| vary.values()).unwrap_or_default();
    let (Some(&first), Some(&last)) = (varied.first(), varied.last()) else { return Vec::new() };
    let mut values = printed(experiment, metric);
    for (_, points) in &mut values {
        points.retain(|(x, _)| (first..=last).contains(x));
    }
    values.retain(|(_, points)| !points.is_empty());
    values
}

fn printed(experiment: &Experiment, metric: &str) -> PublishedValues {
    let plain = !experiment.faults.has_overrides();
    let Some(cube) = experiment.cube() else { return Vec::new() };
    let antipodal = cube.antipode(experiment.ends().from) == experiment.ends().to;
    let over_p = experiment.vary.as_ref().is_some_and(|vary| vary.parameter.role == ParameterRole::FaultRate);
    if !(plain && antipodal && over_p && matches!(experiment.faults.model, FaultModel::Nodes(_))) {
        return Vec::new();
    }
    let named = |id: &str| experiment.routing.iter().any(|algorithm| algorithm.id == id);
    let tables = [named(ALGORITHMS[0]), named(ALGORITHMS[1])];
    let Some(limit) = experiment.setting.message().map(|setting| setting.path_limit) else { return Vec::new() };
    if cube.dimension() == 20 && limit == 20.0 {
        long_values(tables, metric)
    } else if limit == 5.0 && metric == "success" {
        short_values(tables, cube.dimension())
    } else {
        Vec::new()
    }
}

/// Returns a column of Table 2, Table 3 or both. The lengths at p = .95 are missing: no message
/// arrived.
fn long_values(tables: [bool; 2], metric: &str) -> PublishedValues {
    let Some(column) = LONG_COLUMNS.iter().position(|(_, id)| *id == metric) else { return Vec::new() };
    let unit = if column < 2 { 100.0 } else { 1.0 };
    let table = |rows: &[LongRow]| {
        let known = rows.iter().filter(|row| column < 2 || row.columns[1].value() > 0.0);
        known.map(|row| (row.p.value(), row.columns[column].value() / unit)).collect()
    };
    let all = ALGORITHMS.into_iter().zip([&TABLE_2, &TABLE_3]).zip(tables);
    all.filter(|(_, asked)| *asked).map(|((id, rows), _)| (id, table(rows))).collect()
}

/// Returns one or two columns of Table 4.
fn short_values(tables: [bool; 2], dimension: u8) -> PublishedValues {
    let Some(column) = DIMENSIONS.iter().position(|&n| n == dimension) else { return Vec::new() };
    let half = |half: usize| TABLE_4.iter().map(move |row| (row.p.value(), row.success[half][column].value() / 100.0));
    (0..2).filter(|&asked| tables[asked]).map(|asked| (ALGORITHMS[asked], half(asked).collect())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn printed_numbers_parse_and_agree_with_each_other() {
        for row in TABLE_2.iter().chain(&TABLE_3) {
            assert!(row.columns.iter().all(|number| number.value().is_finite()));
            // The paper computes (APL - n)/n from the printed APL, up to the last digit.
            let (length, excess) = (row.columns[2].value(), row.columns[4].value());
            assert!(length == 0.0 || ((length - 20.0) / 20.0 - excess).abs() < 0.0101, "p = {}", row.p.0);
        }
        assert!(TABLE_4.iter().flat_map(|row| row.success.as_flattened()).all(|number| number.value() <= 100.0));
        assert_eq!((PublishedNumber("0.01").value(), PublishedNumber("0.01").digit()), (0.01, 0.01));
    }

    #[test]
    fn values_appear_only_on_matching_experiments() {
        let values = |text: &str, metric| values(&text.parse().unwrap(), metric);
        let table_2 = "net=cube:20&faults=nodes:0.5&mpl=20&vary=p:0.5..0.95:10";
        let [(sidetracking, lengths)] = &values(table_2, "length")[..] else { panic!("one algorithm") };
        assert_eq!((*sidetracking, lengths.len()), ("sidetracking", 9));
        assert_eq!(values(table_2, "success")[0].1[6], (0.8, 0.5));
        let (p, share) = values("net=cube:10&faults=nodes:0.5&vary=p:0.1..0.9:9", "success")[0].1[4];
        assert!(p == 0.5 && (share - 0.967).abs() < 1e-12);
        let part =
            values("net=cube:10&faults=nodes:0.5&route=sidetracking,backtracking&vary=p:0.001,0.01,0.1,0.5", "success");
        let of = |(id, points): &(&'static str, Vec<(f64, f64)>)| (*id, points.len(), points[4].0);
        assert_eq!(part.iter().map(of).collect::<Vec<_>>(), [("sidetracking", 5, 0.5), ("backtracking", 5, 0.5)]);
        assert!(values("net=cube:10&faults=share:0.5&vary=p:0.1..0.9:9", "success").is_empty());
        assert!(values("net=cube:10&faults=nodes:0.5&vary=p:0.1..0.9:9", "length").is_empty());
        assert!(values("net=cube:20&faults=nodes:0.5&vary=mpl:1..20:20", "success").is_empty());
    }
}
