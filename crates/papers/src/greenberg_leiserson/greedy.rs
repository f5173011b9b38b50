//! GREEDY on message sets that can be checked by hand, and section 5's trees on which it is
//! optimal.

use super::{PAPER, completed_run, equal, full, plain, trial};
use crate::{Item, PaperValue};
use faultlab_core::random::Key;
use faultlab_core::theory::oblivious::BoundSide;

pub(super) const GREEDY: Item = Item {
    paper: &PAPER,
    id: "fat-tree-greedy",
    title: "Section 5: GREEDY on fixed message sets, and where it is optimal",
    about: "No algorithm takes fewer cycles than the load factor; GREEDY takes less than twice as many on \
            bit-reversal and transpose if the first messages survive, and a little more if survivors alternate. For \
            messages out of the root it is optimal if capacities double at every level or are all the same, as the \
            paper says. The test vectors (cycles, delivered in the first cycle, sum of the cycles of arrival) help to \
            check other programs.",
    charts: false,
    texts: Vec::new,
    compare: |item, _| cells(item).unwrap_or_default(),
};

/// Row name, and the experiment with its messages.
const VECTORS: [(&str, &str); 5] = [
    ("n=4, 0<->2 and 1<->3, left", "net=tree:4&route=greedy&traffic=0-2,2-0,1-3,3-1&survive=left"),
    ("n=64, bit-reversal, left", "net=tree:64&route=greedy&traffic=bit-reversal&survive=left"),
    ("n=64, bit-reversal, alternate", "net=tree:64&route=greedy&traffic=bit-reversal&survive=alternate"),
    ("n=64, transpose, left", "net=tree:64&route=greedy&traffic=transpose&survive=left"),
    ("n=64, bit-reversal, volume, left", "net=tree:64&route=greedy&traffic=bit-reversal&capacity=volume&survive=left"),
];

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let mut cells = Vec::new();
    for (row, text) in VECTORS {
        let (run, load) = (completed_run(text)?, trial(text)?.load_factor);
        let counts = run.counts();
        let first = run.arrived().iter().filter(|&&cycle| cycle == 1).count() as f64;
        let least = (BoundSide::AtLeast, f64::from(load.cycles()));
        cells.push(super::bounded_cell(item, text, (row, "delivery cycles"), counts.completion as f64, least));
        cells.push(plain(item, text, (row, "delivered in cycle 1"), first, ""));
        cells.push(plain(item, text, (row, "sum of cycles of arrival"), counts.arrival_sum as f64, ""));
    }
    for capacity in ["doubling", "skinny", "constant:3"] {
        cells.push(out_of_the_root(item, capacity)?);
    }
    Some(cells)
}

/// Returns the cell with the cycles of GREEDY for 100 messages that leave the tree by the root.
fn out_of_the_root(item: &Item, capacity: &str) -> Option<PaperValue> {
    let key = Key::from_seed(7);
    let out: Vec<_> = (0..100).map(|number| format!("{}-out", key.word_at(number) % 32)).collect();
    let text = format!("net=tree:32&route=greedy&capacity={capacity}&traffic={}", out.join(","));
    let least = f64::from(trial(&text)?.load_factor.cycles());
    let row = format!("n=32, {capacity}, 100 messages out of the root");
    let cycles = completed_run(&text)?.counts().completion as f64;
    let mut cell = equal(item, &full(&text), (&row, "delivery cycles"), cycles, least);
    cell.remark = "claimed: lambda, rounded up".into();
    Some(cell)
}
