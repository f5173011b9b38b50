//! Sections 1, 2 and 7: pin-boundedness, relative addresses, and messages that go up only.

use super::{PAPER, bounded_cell, completed_run, equal, full, trial};
use crate::{Item, PaperValue};
use faultlab_core::theory::fat_tree::{detour_cycles, follow_address, relative_address};
use faultlab_core::theory::oblivious::BoundSide;

pub(super) const REMARKS: Item = Item {
    paper: &PAPER,
    id: "fat-tree-remarks",
    title: "Sections 1, 2 and 7: pins, relative addresses, and GREEDY upwards",
    about: "A volume of v has at most `v^(2/3)` wires across its middle, so messages from one half to the other take \
            about `n/v^(2/3)` cycles; messages between neighbours take a constant number, but not by way of random \
            processors. A relative address has one bit for each switch of the path, `2 lg n - 1` at most. For \
            messages that only go up, GREEDY needs nowhere near the `lambda lg n` that the paper allows.",
    charts: false,
    texts: Vec::new,
    compare: |item, _| cells(item).unwrap_or_default(),
};

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let mut cells = Vec::new();
    for n in [64, 512, 4096] {
        cells.extend(pins(item, n)?);
    }
    for n in [16, 64, 128] {
        cells.extend(addresses(item, n));
    }
    for (n, capacity) in [(16, "standard"), (64, "standard"), (256, "standard"), (1024, "standard"), (64, "volume")] {
        cells.push(upwards(item, n, capacity)?);
    }
    Some(cells)
}

/// Returns the cells of section 1 on the volume-universal tree of `n` processors, a power of 8.
///
/// A channel below the root has n^(2/3)/4 wires in one direction, as many as a surface of n^(2/3)
/// permits up to a constant.
fn pins(item: &Item, n: u32) -> Option<Vec<PaperValue>> {
    let text = |traffic: &str| format!("net=tree:{n}&capacity=volume&traffic={traffic}");
    let row = format!("pins, n={n}, volume");
    let side = libm::round(libm::cbrt(f64::from(n)));
    let load = |traffic: &str| Some(trial(&text(traffic))?.load_factor.value());
    let mut across =
        equal(item, &full(&text("complement")), (&row, "load factor, complement"), load("complement")?, 2.0 * side);
    across.remark = "claimed: of the order of n/v^(2/3); 2n/n^(2/3), for v = n".into();
    let near = load("neighbors")?;
    let mut local =
        bounded_cell(item, &text("neighbors"), (&row, "load factor, neighbors"), near, (BoundSide::AtMost, 2.0));
    local.remark = "claimed: a constant; here at most 2".into();
    let messages = trial(&text("neighbors"))?.messages.len();
    let tree = super::tree(&super::experiment(&text("neighbors"))?)?;
    let mut detour = bounded_cell(
        item,
        &text("neighbors"),
        (&row, "cycles by way of random processors, neighbors"),
        detour_cycles(tree, messages),
        (BoundSide::AtLeast, side),
    );
    detour.remark = "claimed: of the order of n/v^(2/3), the mean over random processors; here at least n^(1/3)".into();
    Some(vec![across, local, detour])
}

/// Follows the relative addresses of all pairs of `n` processors.
fn addresses(item: &Item, n: u32) -> [PaperValue; 2] {
    let (mut lost, mut longest) = (0u32, 0);
    for (from, to) in (0..n).flat_map(|from| (0..n).map(move |to| (from, to))) {
        let address = relative_address(from, to);
        lost += u32::from(follow_address(from, &address) != to);
        longest = longest.max(address.len());
    }
    let (text, row) = (format!("net=tree:{n}"), format!("relative addresses, n={n}, all pairs"));
    let most = 2.0 * f64::from(n.ilog2());
    let mut bits =
        bounded_cell(item, &text, (&row, "longest address, bits"), longest as f64, (BoundSide::AtMost, most));
    bits.remark = "claimed: at most 2 lg n; it is 2 lg n - 1".into();
    [equal(item, &full(&text), (&row, "pairs that are not reached"), f64::from(lost), 0.0), bits]
}

/// Returns the cell of GREEDY's cycles for eight messages of every processor that leave by the root.
///
/// By the paper's argument the highest congested channel drops a level every lambda cycles, and there
/// are lg n + 1 levels with the external channel.
fn upwards(item: &Item, n: u32, capacity: &str) -> Option<PaperValue> {
    let text = format!("net=tree:{n}&capacity={capacity}&route=greedy&traffic=out*8");
    let (cycles, lambda) = (completed_run(&text)?.counts().completion as f64, trial(&text)?.load_factor.value());
    let row = format!("GREEDY upwards, n={n}, {capacity}, 8 messages each");
    let most = lambda * (f64::from(n.ilog2()) + 1.0);
    let mut cell = bounded_cell(item, &text, (&row, "delivery cycles"), cycles, (BoundSide::AtMost, most));
    cell.remark = format!("claimed: O(lambda lg n), at most lambda (lg n + 1); {:.3} lambda", cycles / lambda);
    Some(cell)
}
