//! Many faults: the number of active nodes, and the limit of Kim & Shin's scheme.

use super::PAPER;
use crate::{Item, PaperValue, estimate, measured, verdict};
use faultlab_core::theory::oblivious::{lemma_2_faults, theorem_3_faults};
use faultlab_experiment::Sweep;

pub(super) const FAULTS: Item = Item {
    paper: &PAPER,
    id: "thesis-faults",
    title: "Active nodes far beyond the theorems' limits, and Kim & Shin's limit",
    about: "The verdicts compare the share of active nodes with Lemma 2's, claimed for one fault at `n = 14` and for 13 \
            at `n = 18` under Algorithm A, and for none and 4 under B. At `n = 14` the claim still holds with 16 faults \
            under A and with 4 under B, random or in a ball; with 256 random faults no node is active. Random faults \
            do more harm than a ball of the same size, and chosen ones more than random ones: an adversary that \
            searches leaves one node in four active at `n = 10` with 8 faults, random faults half of them and a ball \
            seven in ten. Kim and Shin guarantee 5 faults at `n = 10`; random sets of 8 hardly ever stop their \
            scheme, sets of 16 in one case out of four, sets of 32 nearly always.",
    charts: true,
    texts: || {
        let active = SWEEPS.map(|(n, _, faults, values, trials)| {
            format!("net=cube:{n}&faults={faults}&route=algorithm-a,algorithm-b&vary=f:{values}{trials}&plot=active")
        });
        let applies = format!("net=cube:10&faults=count:5&route=kim-shin&vary=f:{APPLIES}&plot=applies");
        let whole = |text| format!("switch=permutation&{text}&view=measure");
        active.into_iter().chain([applies]).map(whole).collect()
    },
    compare: |item, sweeps| {
        let active = (0..SWEEPS.len()).flat_map(|sweep| active(item, sweeps, sweep));
        active.chain(applies(item, sweeps)).collect()
    },
};

/// Sweeps of active nodes: dimension, fault model in words and as a text, numbers of faults, and
/// further keys.
const SWEEPS: [(u8, &str, &str, &str, &str); 4] = [
    (14, "random faults", "count:1", "1,4,16,64,256", ""),
    (14, "ball", "ball:1", "1,4,16,64,256", ""),
    (18, "random faults", "count:4", "4,13", "&trials=8"),
    (10, "greedy against A", "greedy-a:1", "1,4,8,16", ""),
];
const APPLIES: &str = "1,3,5,8,12,16,20,24,32";

fn active(item: &Item, sweeps: &[Sweep], sweep: usize) -> Vec<PaperValue> {
    let (n, kind, _, values, _) = SWEEPS[sweep];
    let claims = [("algorithm-a", lemma_2_faults(n), n), ("algorithm-b", theorem_3_faults(n), n - 2)];
    let cell = |f: &str, (series, limit, m): (&str, _, _)| {
        let bound = 100.0 * (1.0 - 1.0 / f64::from(m));
        let x: u32 = f.parse().unwrap_or(0);
        let found = estimate(sweeps, sweep, series, f64::from(x), "active").map(|share| share.scaled(100.0, 0.0));
        let row = format!("n={n}, {kind}, f={f}");
        let mut cell = measured(item, sweeps.get(sweep), row, format!("{series}, active nodes %"), found);
        if x <= limit {
            cell.publish(&format!("{bound:.2}"));
            cell.verdict = verdict::at_least(found, bound);
        }
        cell.remark = match (x <= limit, found.map(|found| found.mean >= bound)) {
            (true, _) => "claimed: at least".into(),
            (false, None) => "more faults than the theorem assumes".into(),
            (false, Some(true)) => format!("more faults than the theorem assumes; {bound:.2}% would still hold"),
            (false, Some(false)) => format!("more faults than the theorem assumes; {bound:.2}% no longer holds"),
        };
        cell
    };
    values.split(',').flat_map(|f| claims.map(|claim| cell(f, claim))).collect()
}

fn applies(item: &Item, sweeps: &[Sweep]) -> Vec<PaperValue> {
    let cell = |f: &str| {
        let x = f.parse().unwrap_or(0.0);
        let found = estimate(sweeps, SWEEPS.len(), "kim-shin", x, "applies").map(|share| share.scaled(100.0, 0.0));
        let row = format!("Kim & Shin, n=10, {f} random faults");
        let mut cell = measured(item, sweeps.get(SWEEPS.len()), row, "fault sets to which it applies %".into(), found);
        if x <= 5.0 {
            cell.publish("100");
            cell.verdict = verdict::exact(found, 100.0);
        }
        cell
    };
    APPLIES.split(',').map(cell).collect()
}
