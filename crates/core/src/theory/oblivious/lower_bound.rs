//! Permutations on which a deterministic oblivious routing has a congestion of about the square root of N
//! (Borodin & Hopcroft; Kaklamanis, Krizanc & Tsantilas; thesis section 2.2).

use crate::topology::{Hypercube, Link, NodeId};
use crate::traffic::Pair;

/// Largest dimension of a cube for which [`bad_permutation`] is computed: a million routes.
pub const MAX_BAD_PERMUTATION_DIMENSION: u8 = 10;

/// Partial permutation all of whose messages cross one channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPermutation {
    /// Channel that all messages cross.
    pub link: Link,
    /// Messages, with different sources and different destinations.
    pub messages: Vec<Pair>,
}

/// Finds a partial permutation of high congestion under a deterministic oblivious routing, from its own
/// paths. `path` appends the channels of the path from its first argument to its second; it appends
/// nothing for a pair without a path.
///
/// For every channel and destination the function counts the sources whose paths cross the channel. A
/// channel with at least k destinations of at least k sources each is crossed by a permutation of k
/// messages, since every destination still has an unused source. The channel with the most messages by
/// this rule is chosen. With a path for every pair there are at least [`deterministic_congestion`]
/// messages. `None` above [`MAX_BAD_PERMUTATION_DIMENSION`], and if no path has a channel. Cost: N^2
/// paths, and n N^2 counts of two bytes.
pub fn bad_permutation(
    cube: Hypercube,
    mut path: impl FnMut(NodeId, NodeId, &mut Vec<Link>),
) -> Option<BadPermutation> {
    if cube.dimension() > MAX_BAD_PERMUTATION_DIMENSION {
        return None;
    }
    let (nodes, n) = (cube.mask() as usize + 1, usize::from(cube.dimension()));
    let number = |link: Link| link.from.0 as usize * n + usize::from(link.dim);
    let mut sources = vec![0u16; nodes * n * nodes];
    let mut links = Vec::new();
    for pair in pairs(cube) {
        links.clear();
        path(pair.from, pair.to, &mut links);
        distinct(&mut links);
        links.iter().for_each(|&link| sources[number(link) * nodes + pair.to.0 as usize] += 1);
    }
    let (most, link) = (0..nodes * n)
        .map(|link| (messages_across(&sources[link * nodes..][..nodes]), link))
        .max_by_key(|&(most, link)| (most, std::cmp::Reverse(link)))?;
    let link = Link { from: NodeId((link / n) as u64), dim: (link % n) as u8 };
    let mut by_destination: Vec<Vec<NodeId>> = vec![Vec::new(); nodes];
    for pair in pairs(cube) {
        links.clear();
        path(pair.from, pair.to, &mut links);
        if links.contains(&link) {
            by_destination[pair.to.0 as usize].push(pair.from);
        }
    }
    let messages = assign(&by_destination);
    (most > 0).then_some(BadPermutation { link, messages })
}

/// Returns the congestion that some permutation has under every deterministic oblivious routing of the
/// healthy n-cube: sqrt(N/2)/n, rounded down, and at least 1.
///
/// For a destination, consider the channels with at least k of its sources, and their end nodes W. Every
/// path from outside of W enters W by a channel with fewer than k sources, so N <= |W| n k, and there
/// are at least N/(2nk) such channels. On average a channel has this role for N/(2n^2 k) destinations,
/// which is at least k for k = sqrt(N/2)/n. The thesis quotes the bound as sqrt(N)/log N, up to a
/// constant.
pub fn deterministic_congestion(n: u8) -> u32 {
    let nodes = (1u64 << n.min(62)) as f64;
    ((nodes / 2.0).sqrt() / f64::from(n)).max(1.0) as u32
}

/// Returns sqrt(N)/n^(3/2), the older bound of Borodin & Hopcroft on the time of any oblivious routing,
/// without its constant, for the n-cube.
pub fn borodin_hopcroft(n: u8) -> f64 {
    let n64 = f64::from(n);
    ((1u64 << n.min(62)) as f64).sqrt() / (n64 * n64.sqrt())
}

fn pairs(cube: Hypercube) -> impl Iterator<Item = Pair> {
    let nodes = move || (0..=cube.mask()).map(NodeId);
    nodes().flat_map(move |from| nodes().map(move |to| Pair { from, to })).filter(|pair| pair.from != pair.to)
}

/// Removes repeated channels; paths are short.
fn distinct(links: &mut Vec<Link>) {
    let mut kept = 0;
    for place in 0..links.len() {
        if !links[..kept].contains(&links[place]) {
            links.swap(kept, place);
            kept += 1;
        }
    }
    links.truncate(kept);
}

/// Returns a lower bound on the number of messages that [`assign`] finds for destinations with so many
/// sources: a destination counts if it has more sources than messages are counted before it.
fn messages_across(sources: &[u16]) -> usize {
    let mut counts: Vec<usize> = sources.iter().filter(|&&count| count > 0).map(|&count| count.into()).collect();
    counts.sort_unstable();
    counts.into_iter().fold(0, |messages, count| if count > messages { messages + 1 } else { messages })
}

/// Gives each destination an unused source, those with the fewest sources first.
fn assign(by_destination: &[Vec<NodeId>]) -> Vec<Pair> {
    let mut order: Vec<_> = by_destination.iter().zip(0u64..).filter(|(sources, _)| !sources.is_empty()).collect();
    order.sort_by_key(|(sources, _)| sources.len());
    let mut used = vec![false; by_destination.len()];
    let mut messages = Vec::new();
    for (sources, to) in order {
        if let Some(&from) = sources.iter().find(|from| !used[from.0 as usize]) {
            used[from.0 as usize] = true;
            messages.push(Pair { from, to: NodeId(to) });
        }
    }
    messages
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Key;

    /// Appends a path that depends on the pair only: the wrong bits in an order that a key sets, or by way of
    /// an intermediate node that it sets.
    fn keyed(cube: Hypercube, key: Key, detour: bool) -> impl FnMut(NodeId, NodeId, &mut Vec<Link>) {
        move |from, to, links| {
            let word = key.word_at(from.0 << 16 | to.0);
            let via = if detour { NodeId(word & cube.mask()) } else { to };
            let mut here = from;
            for end in [via, to] {
                for step in 0..cube.dimension() {
                    let dim = (step + (word >> 40) as u8 % cube.dimension()) % cube.dimension();
                    if (here.0 ^ end.0) >> dim & 1 == 1 {
                        links.push(Link { from: here, dim });
                        here = cube.neighbor(here, dim);
                    }
                }
            }
        }
    }

    #[test]
    fn every_routing_has_a_permutation_of_the_proved_congestion() {
        for (n, seed) in [(3u8, 1), (5, 2), (6, 3), (7, 4)] {
            let cube = Hypercube::new(n).unwrap();
            for detour in [false, true] {
                let mut path = keyed(cube, Key::from_seed(seed), detour);
                let found = bad_permutation(cube, &mut path).unwrap();
                assert!(found.messages.len() as u32 >= deterministic_congestion(n), "n = {n}");
                for (place, message) in found.messages.iter().enumerate() {
                    let mut links = Vec::new();
                    path(message.from, message.to, &mut links);
                    assert!(links.contains(&found.link));
                    let others = &found.messages[..place];
                    assert!(others.iter().all(|other| other.from != message.from && other.to != message.to));
                }
            }
        }
    }

    /// Bit-fixing's worst permutation loads a channel with 2^floor((n-1)/2) messages.
    #[test]
    fn bit_fixing_reaches_its_closed_form() {
        for n in 2..=8u8 {
            let cube = Hypercube::new(n).unwrap();
            let found = bad_permutation(cube, |from, to, links| {
                let mut here = from;
                for dim in (0..n).filter(|dim| (from.0 ^ to.0) >> dim & 1 == 1) {
                    links.push(Link { from: here, dim });
                    here = cube.neighbor(here, dim);
                }
            });
            assert_eq!(found.unwrap().messages.len(), 1 << ((n - 1) / 2), "n = {n}");
        }
        assert_eq!([4, 10, 12, 16, 20].map(deterministic_congestion), [1, 2, 3, 11, 36]);
        assert!((borodin_hopcroft(16) - 4.0).abs() < 1e-12);
    }
}
