//! Beyond the paper: gain at low load and crossover of every hierarchy of small hypercubes. Section
//! V.B of the paper calls the choice among hierarchies difficult.

use super::{PAPER, crossing_cell, gain_cell};
use crate::{Item, PaperValue};
use faultlab_experiment::Sweep;
use faultlab_experiment::crossover::Crossover;

pub(super) const PARTITIONS: Item = Item {
    paper: &PAPER,
    id: "chiu-partitions",
    title: "Beyond the paper: every hierarchy of the 4-cube and the 5-cube",
    about: "The table lists every division of the dimensions into levels of e-cube (e) and UP (f), lowest level first, \
            with the setup time saved at low load and the rate up to which it is better than e-cube. The hierarchy \
            that gains most, UP on the whole cube, is the first to jam; those with e-cube in the lowest dimensions are \
            better up to the highest rates, as the paper's rule predicts. Levels that route alike are listed once: two \
            adjacent e levels, and one dimension of either kind.",
    charts: false,
    texts: || CUBES.iter().map(|&(n, rates)| text(n, rates)).collect(),
    compare: |item, sweeps| {
        CUBES.iter().enumerate().flat_map(|(number, &(n, _))| rows(item, sweeps.get(number), n)).collect()
    },
};

/// Dimension and rates of each hypercube. The gain is measured at the lowest rate.
const CUBES: [(u8, &str); 2] =
    [(4, "0.1,0.3,0.4,0.45,0.5,0.55,0.6,0.7"), (5, "0.1,0.3,0.35,0.4,0.45,0.5,0.55,0.6,0.65")];

/// Rate that counts as low load.
const LOW: f64 = 0.1;

fn text(n: u8, rates: &str) -> String {
    let routes = hierarchies(n).join(",");
    format!(
        "net=cube:{n}&switch=circuit&route=e-cube,{routes}&vary=rate:{rates}&within=0.02&trials=1500000&view=measure"
    )
}

/// Returns every hierarchy of the n-cube except e-cube itself: levels of e and f with distinct
/// routings, the lowest first.
fn hierarchies(n: u8) -> Vec<String> {
    let mut all = Vec::new();
    extend(n, &mut Vec::new(), &mut all);
    all
}

/// Adds to `all` every continuation of `levels` by `rest` dimensions.
///
/// No level of e follows another level of e. No level of f has a single dimension, in which e and f
/// route alike.
fn extend(rest: u8, levels: &mut Vec<(u8, char)>, all: &mut Vec<String>) {
    if rest == 0 {
        if levels.iter().any(|level| level.1 == 'f') {
            all.push(levels.iter().map(|(size, mark)| format!("{size}{mark}")).collect::<Vec<_>>().join("+"));
        }
        return;
    }
    for (mark, least) in [('f', 2), ('e', 1)] {
        if mark == 'e' && levels.last().is_some_and(|level| level.1 == 'e') {
            continue;
        }
        for size in least..=rest {
            levels.push((size, mark));
            extend(rest - size, levels, all);
            levels.pop();
        }
    }
}

/// Returns one row for each hierarchy, sorted by descending crossover.
fn rows(item: &Item, sweep: Option<&Sweep>, n: u8) -> Vec<PaperValue> {
    let mut rows: Vec<(f64, [PaperValue; 2])> = Vec::new();
    for id in hierarchies(n) {
        let (gain, _) = gain_cell(item, sweep, &id, "e-cube", LOW);
        let (crossing, found) = crossing_cell(item, sweep, &id, "e-cube");
        let named = |cell: PaperValue, column: &str| {
            let row = format!("n={n}: {id}");
            PaperValue { cell: format!("{row} {column}"), row, column: column.into(), ..cell }
        };
        let reach = match found {
            Some(Crossover::At(at)) => at.mean,
            Some(Crossover::Beyond(last)) => last,
            Some(Crossover::Collapse { from, until }) => (from + until) / 2.0,
            Some(Crossover::Never(_)) | None => 0.0,
        };
        let cells = [
            named(gain, &format!("gain over e-cube at rate {LOW} %")),
            named(crossing, "better than e-cube up to rate"),
        ];
        rows.push((reach, cells));
    }
    // The sort is stable: equal crossovers stay in the order of generation.
    rows.sort_by(|one, other| other.0.total_cmp(&one.0));
    rows.into_iter().flat_map(|(_, cells)| cells).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_hierarchy_is_listed_once() {
        assert_eq!(hierarchies(2), ["2f"]);
        assert_eq!(hierarchies(3), ["2f+1e", "3f", "1e+2f"]);
        assert_eq!(hierarchies(4).len(), 7);
        assert_eq!(hierarchies(5).len(), 15);
        assert!(hierarchies(5).contains(&"2f+1e+2f".to_owned()));
    }
}
