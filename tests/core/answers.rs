//! Tests that `docs/answers.bin`, written by `cargo xtask answers` and shown by Papers, agrees with
//! the current code.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::experiment::Sweep;
use faultlab::papers::{ERRATA, Item, PaperValue, Verdict, errata_of, item, items, papers};
use faultlab::report::answers::{Answer, Answers};
use faultlab::report::chart::frame::spots;
use faultlab::report::picture::geometry::Size;
use faultlab::report::sweep_charts::point_description::describe_point;

use crate::common::run;

/// Failure message with the remedy.
const REMEDY: &str = "Papers has changed since its answers were computed: run `cargo xtask answers`, or, if only \
                      items without simulations have, `FAULTLAB_RENEW=1 cargo test --test core answers::`";

fn load_answers() -> Answers {
    Answers::from_bytes(include_bytes!("../../docs/answers.bin")).expect(REMEDY)
}

fn answer<'a>(answers: &'a Answers, item: &Item) -> &'a Answer {
    let found = answers.get(item);
    assert!(found.is_some(), "{}: {REMEDY}", item.id);
    found.expect(REMEDY)
}

/// Computes the items without simulations again, which takes seconds, and keeps the other answers.
#[cfg(not(target_arch = "wasm32"))]
fn renew(answers: &Answers) {
    let renewed = |item: &Item| match answers.get(item) {
        Some(kept) if item.is_simulated() => kept.clone(),
        _ => Answer::new(item, &[]),
    };
    let renewed = Answers::new(answers.date.clone(), items().map(renewed).collect());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/answers.bin");
    std::fs::write(path, renewed.to_bytes()).expect("the answers are written");
}

#[test]
fn every_item_has_its_answer_from_this_version() {
    let answers = load_answers();
    #[cfg(not(target_arch = "wasm32"))]
    if std::env::var_os("FAULTLAB_RENEW").is_some() {
        return renew(&answers);
    }
    assert_eq!(answers.version, faultlab::VERSION, "{REMEDY}");
    assert_eq!(answers.count(), items().count(), "{REMEDY}");
    let date: Vec<_> = answers.date.split('-').map(str::len).collect();
    assert_eq!(date, [4, 2, 2], "{}", answers.date);
    for item in items() {
        let kept = answer(&answers, item);
        let (then, now) = (kept.cells().for_item(item), item.cells(&[]));
        if item.is_simulated() {
            // Rows, columns, experiments and printed numbers must be equal. Some items sort their
            // rows by results.
            assert_eq!(without_results(&then), without_results(&now), "{}: {REMEDY}", item.id);
        } else {
            assert_eq!(then, now, "{}: {REMEDY}", item.id);
        }
        let charts = if item.charts { item.experiments(None).len() } else { 0 };
        assert_eq!(kept.charts().len(), charts, "{}: {REMEDY}", item.id);
    }
}

/// Returns the parts of cells that do not depend on results, sorted.
fn without_results(cells: &[PaperValue]) -> Vec<(String, String, String)> {
    let named = |cell: &PaperValue| (cell.cell.clone(), cell.printed.clone(), cell.experiment.to_string());
    let mut named: Vec<_> = cells.iter().map(named).collect();
    named.sort();
    named
}

/// Items of every paper that take a second at most, simulated and exact ones.
const CHEAP: [&str; 7] = [
    "table4",
    "table3",
    "chiu-examples",
    "boppana-examples",
    "thesis-examples",
    "fat-tree-greedy",
    "fat-tree-constants",
];

#[test]
fn quick_items_are_reproduced_bit_by_bit() {
    let answers = load_answers();
    for id in CHEAP {
        let item = item(id).expect("an item");
        let mut sweeps: Vec<_> = item.experiments(None).iter().map(Sweep::new).collect();
        sweeps.iter_mut().for_each(run);
        let kept = answer(&answers, item);
        assert_eq!(*kept, Answer::new(item, &sweeps), "{id}: {REMEDY}");
        assert_eq!(kept.cells().for_item(item), item.cells(&sweeps), "{id}: {REMEDY}");
        for (chart, sweep) in kept.charts().iter().zip(&sweeps) {
            let experiment = sweep.experiment();
            for spot in spots(&chart.figure, Size::new(400.0, 300.0)) {
                let description = describe_point(sweep, experiment.plot(), &chart.figure, &spot);
                assert_eq!(chart.describe_point(experiment, &spot), description, "{id}");
            }
        }
    }
}

#[test]
fn every_unreproduced_item_has_an_erratum() {
    let answers = load_answers();
    for item in items() {
        let fails = answer(&answers, item).verdicts().any(|verdict| verdict == Verdict::NotReproduced);
        assert_eq!(errata_of(item.id).any(|erratum| erratum.fails), fails, "{}", item.id);
    }
    for paper in papers() {
        let of_paper = |id: &str| item(id).is_some_and(|item| item.paper.id == paper.id);
        assert!(ERRATA.iter().any(|erratum| of_paper(erratum.item)), "{}", paper.id);
    }
    let counts = answers.count_verdicts(None);
    let each = papers().iter().map(|paper| answers.count_verdicts(Some(paper)).all());
    assert_eq!(each.sum::<usize>(), counts.all());
    assert!(counts.words().starts_with(&format!("{} of {} reproduced, ", counts.reproduced, counts.all())));
}

/// Means over ten fault sets, as in the paper, scatter by about five points, so a loss of 15.4 does
/// not confirm a printed 21.
#[test]
fn a_loss_of_15_does_not_confirm_21() {
    let item = item("boppana-fig15").expect("an item");
    let cells = answer(&load_answers(), item).cells().for_item(item);
    let cell = |row: &str| {
        let found = cells.iter().find(|cell| cell.row == row && cell.column == "loss of utilization %, f-cube2");
        found.expect("a cell").clone()
    };
    let few = cell("1% faults");
    assert_eq!((few.published, few.verdict), (Some(21.0), Verdict::Undecided));
    assert!(few.measured.is_some_and(|lost| (14.0..17.0).contains(&lost)), "{few:?}");
    assert_eq!(cell("10% faults").verdict, Verdict::Reproduced);
}

#[test]
fn rejects_damaged_answer_file() {
    assert!(Answers::from_bytes(b"").is_err());
    let bytes = include_bytes!("../../docs/answers.bin");
    assert!(Answers::from_bytes(&bytes[..bytes.len() / 2]).is_err());
}
