//! Section VI: claims for more than two dimensions, checked by dependency graph and enumeration.

use super::proofs::examine;
use super::{PAPER, exact};
use crate::{Item, PaperValue};
use faultlab_core::fault::BlockFaults;
use faultlab_core::fault::block::faulty_blocks;
use faultlab_core::random::{Key, below};
use faultlab_core::routing;
use faultlab_core::topology::{Link, Mesh, NodeId};

pub(super) const DIMENSIONS: Item = Item {
    paper: &PAPER,
    id: "boppana-dimensions",
    title: "Section VI: Observation 1, Lemmas 4 and 5, Table II and Figure 17 in three and four dimensions",
    about: "All pairs and all choices are checked on random fault sets that do not cut a plane of routing. Four classes \
            suffice in any number of dimensions. At most `n` rings share a link, as section II.B says, if the blocks are \
            valid. Blocks that lie on each other's boundary are not; `2(n-1)` of their rings can. \
            Three statements need a correction. A link is on a block's boundary if \
            it lies in a face (as printed, a single faulty link would not be a block). Lemma 4's \"if and only if\" is \"only \
            if\". The successive planes of f-cube4 pair each dimension with the next and the last with the first: with \
            the pairs of Figure 17, a message would have to return to nodes that may be faulty.",
    charts: false,
    texts: Vec::new,
    compare: computed_once!(item => cells(item).unwrap_or_default()),
};

/// Radices of the meshes, the highest dimension first.
const MESHES: [&[u16]; 2] = [&[3, 4, 3], &[2, 3, 3, 2]];

/// Number of fault sets of each mesh.
const SETS: u64 = 20;

/// Meshes and faulty nodes, chosen to have many rings at a link. The blocks of the last set lie on
/// each other's boundary, which section VI excludes.
const RINGS_OF_A_LINK: [(&[u16], &str); 3] =
    [(&[5, 5], "1.1,1.3"), (&[5, 5, 5], "1.2.2,3.2.2"), (&[5, 5, 5], "1.2.2,3.2.2,2.1.3,2.3.3")];

fn cells(item: &Item) -> Option<Vec<PaperValue>> {
    let mut cells = Vec::new();
    for radices in MESHES {
        let mesh = Mesh::from_radices(radices)?;
        for id in ["f-cube4", "lh4"] {
            cells.extend(deadlocks(item, mesh, id)?);
        }
        cells.extend(lemmas(item, mesh)?);
    }
    for (radices, broken) in RINGS_OF_A_LINK {
        cells.push(rings_of_a_link(item, radices, broken)?);
    }
    cells.push(rings_of_valid_blocks(item, Mesh::from_radices(&[5, 5, 5])?)?);
    Some(cells)
}

/// Counts fault sets with a dependency cycle, and pairs whose messages may not arrive.
fn deadlocks(item: &Item, mesh: Mesh, id: &str) -> Option<Vec<PaperValue>> {
    let routing = routing::find(id).ok()?.worm.clone()?;
    let sets = (0u64..).map(|number| blocks(mesh, number)).filter(|faults| routing.is_proved(faults));
    let (mut cyclic, mut lost) = (0.0, 0.0);
    for faults in sets.take(SETS as usize) {
        let (cycle, pairs) = examine(&faults, id)?;
        cyclic += f64::from(cycle > 0.0);
        lost += pairs;
    }
    let row = format!("{id}, {mesh}");
    let text = format!("net=mesh:{mesh}&switch=wormhole&route={id}&vc=12");
    let cell = |column: &str, value: f64| exact(item, &text, (&row, column), value, "0", value == 0.0);
    Some(vec![cell("random fault sets with a cycle", cyclic), cell("pairs that may not arrive", lost)])
}

/// Checks "a link may be common to up to n f-rings" of section II.B on faults chosen to have many rings at a
/// link.
fn rings_of_a_link(item: &Item, radices: &[u16], broken: &str) -> Option<PaperValue> {
    let mesh = Mesh::from_radices(radices)?;
    let nodes: Vec<_> = broken.split(',').map(|node| mesh.parse_node(node)).collect::<Option<_>>()?;
    let (rings, link) = BlockFaults::new(mesh, &nodes, &[]).ring_sharing().link?;
    let (n, text) =
        (mesh.dimensions(), format!("net=mesh:{mesh}&switch=wormhole&route=f-cube4&break={broken}&view=check"));
    let is_valid = faulty_blocks(mesh, &nodes, &[]).is_ok();
    let (printed, claim) =
        if is_valid { (n.to_string(), "claimed: up to n") } else { (String::new(), "no valid block fault") };
    let at = (format!("section II.B, {mesh}, faulty {broken}"), "most rings that share a link");
    let mut cell = exact(item, &text, (&at.0, at.1), f64::from(rings), &printed, rings <= u32::from(n));
    cell.remark = format!("{claim}; link {}", mesh.format_link(link));
    Some(cell)
}

/// Checks the same claim on random valid block faults of a small mesh with many faulty nodes.
fn rings_of_valid_blocks(item: &Item, mesh: Mesh) -> Option<PaperValue> {
    let (mut generator, mut sets, mut most) = (Key::from_seed(7).generator(), 0, 0);
    while sets < 500 {
        let nodes: Vec<_> = (0..4).map(|_| NodeId(u64::from(below(&mut generator, mesh.nodes())))).collect();
        if faulty_blocks(mesh, &nodes, &[]).is_ok() {
            sets += 1;
            let at_a_link = BlockFaults::new(mesh, &nodes, &[]).ring_sharing().link;
            most = most.max(at_a_link.map_or(0, |(rings, _)| rings));
        }
    }
    let (n, text) = (mesh.dimensions(), format!("net=mesh:{mesh}&switch=wormhole&route=f-cube4"));
    let at = (format!("section II.B, {mesh}, {sets} random valid block faults"), "most rings that share a link");
    let mut cell = exact(item, &text, (&at.0, at.1), f64::from(most), &n.to_string(), most <= u32::from(n));
    cell.remark = "claimed: up to n".into();
    Some(cell)
}

/// Checks Observation 1 and Lemma 4.
fn lemmas(item: &Item, mesh: Mesh) -> Option<Vec<PaperValue>> {
    let (mut grown, mut strange) = (0, 0);
    for number in 0..4 * SETS {
        let (nodes, links) = random_faults(mesh, number);
        let faults = BlockFaults::new(mesh, &nodes, &links);
        grown += usize::from(faulty_blocks(mesh, &nodes, &links).is_ok() && !faults.rounds().is_empty());
        strange += remaining_dimensions(&faults).filter(|&dimensions| dimensions != 1).count();
    }
    let text = format!("net=mesh:{mesh}&switch=wormhole&route=f-cube4");
    let cell =
        |row: String, column: &str, value: usize| exact(item, &text, (&row, column), value as f64, "0", value == 0);
    Some(vec![
        cell(format!("Observation 1, {mesh}"), "valid block faults that closure adds to", grown),
        cell(format!("Lemma 4, {mesh}"), "affected pairs with more than one dimension to go", strange),
    ])
}

/// Returns the number of remaining dimensions for each position and destination at which a message
/// is affected.
fn remaining_dimensions(faults: &BlockFaults) -> impl Iterator<Item = usize> {
    let mesh = faults.mesh();
    let pairs = faults.members().flat_map(move |here| faults.members().map(move |to| (here, to)));
    let rest = pairs.filter(|(here, to)| here != to).map(move |(here, to)| (mesh.minimal_ports(here, to), here));
    rest.filter(|&(rest, here)| rest & faults.open_ports(here) == 0)
        .map(move |(rest, _)| (0..mesh.dimensions()).filter(|dim| rest >> (2 * dim) & 3 != 0).count())
}

/// Returns the nodes and links of a random fault set, at most three of each.
fn random_faults(mesh: Mesh, number: u64) -> (Vec<NodeId>, Vec<Link>) {
    let mut generator = Key::from_seed(6).child(number).generator();
    let all: Vec<Link> = mesh.iter_links().collect();
    let count = |generator: &mut _| 0..below(generator, 4);
    let nodes = count(&mut generator).map(|_| NodeId(u64::from(below(&mut generator, mesh.nodes())))).collect();
    let links = count(&mut generator).map(|_| all[below(&mut generator, all.len() as u32) as usize]).collect();
    (nodes, links)
}

fn blocks(mesh: Mesh, number: u64) -> BlockFaults {
    let (nodes, links) = random_faults(mesh, number);
    BlockFaults::new(mesh, &nodes, &links)
}
