//! Naive simulator of a delivery cycle by the paper's definitions: lists of messages on wires, node
//! by node, without tables.

use std::collections::BTreeMap;

use faultlab::switching::delivery::SurvivorPolicy;
use faultlab::traffic::MessageSet;

/// Channel, as direction (`true` for down), height, and node from the left.
pub(crate) type ChannelPosition = (bool, u8, u32);

/// Outcome of a cycle.
#[derive(Default)]
pub(crate) struct Naive {
    pub(crate) arrived: Vec<u32>,
    pub(crate) lost: BTreeMap<u32, ChannelPosition>,
    pub(crate) contenders: BTreeMap<ChannelPosition, u32>,
}

pub(crate) struct Network<'a> {
    pub(crate) levels: u8,
    pub(crate) capacity: &'a dyn Fn(ChannelPosition) -> u32,
    pub(crate) policy: SurvivorPolicy,
    pub(crate) cycle: u32,
    pub(crate) ends: &'a [[u32; 2]],
}

impl Network<'_> {
    pub(crate) fn cycle(&self, sent: &[u32]) -> Naive {
        if self.policy == SurvivorPolicy::DropFixed {
            return self.fixed(sent);
        }
        let mut found = Naive::default();
        let out = self.up(self.levels, 0, sent, &mut found);
        found.arrived.extend(out);
        found
            .arrived
            .extend(sent.iter().filter(|&&message| self.ends[message as usize][0] == self.ends[message as usize][1]));
        // Messages that descend from the root come only from its children.
        self.down(self.levels, 0, Vec::new(), sent, &mut found);
        found.arrived.sort_unstable();
        found
    }

    /// Section 4: a channel is congested if the load of all sent messages exceeds its capacity. A
    /// message whose path has a congested channel is not delivered.
    fn fixed(&self, sent: &[u32]) -> Naive {
        let mut found = Naive::default();
        let heights = || 0..=self.levels;
        let places = heights().map(|height| (false, height)).chain(heights().rev().map(|height| (true, height)));
        for (down, height) in places {
            for node in 0..1u32 << (self.levels - height) {
                let place = (down, height, node);
                let passes = |&&message: &&u32| {
                    let [from, to] = self.ends[message as usize];
                    let ([inside, outside], root) = (if down { [to, from] } else { [from, to] }, height == self.levels);
                    self.below(height, node, inside) && !self.below(height, node, outside) && !(root && down)
                };
                let load: Vec<u32> = sent.iter().filter(passes).copied().collect();
                if !load.is_empty() {
                    found.contenders.insert(place, load.len() as u32);
                }
                if load.len() as u32 > (self.capacity)(place) {
                    load.into_iter().for_each(|message| {
                        found.lost.entry(message).or_insert(place);
                    });
                }
            }
        }
        found.arrived = sent.iter().copied().filter(|message| !found.lost.contains_key(message)).collect();
        found.arrived.sort_unstable();
        found
    }

    fn below(&self, height: u8, node: u32, processor: u32) -> bool {
        processor != MessageSet::OUT && processor >> height == node
    }

    /// Returns the messages that leave the up channel above a node. Contenders are recorded once,
    /// by the call from above the root.
    fn up(&self, height: u8, node: u32, sent: &[u32], found: &mut Naive) -> Vec<u32> {
        let wires: Vec<u32> = if height == 0 {
            sent.iter().copied().filter(|&message| self.ends[message as usize][0] == node).collect()
        } else {
            let mut wires = self.up(height - 1, 2 * node, sent, found);
            wires.extend(self.up(height - 1, 2 * node + 1, sent, found));
            wires
        };
        let leaving = wires.into_iter().filter(|&message| !self.below(height, node, self.ends[message as usize][1]));
        self.concentrate((false, height, node), leaving.collect(), found)
    }

    /// Delivers the messages that come down to a node, and those that turn at it or below.
    fn down(&self, height: u8, node: u32, parent: Vec<u32>, sent: &[u32], found: &mut Naive) {
        if height == 0 {
            found.arrived.extend(parent);
            return;
        }
        for (child, sibling) in [(2 * node, 2 * node + 1), (2 * node + 1, 2 * node)] {
            let mut wires = parent.clone();
            wires.extend(self.up(height - 1, sibling, sent, &mut Naive::default()));
            wires.retain(|&message| self.below(height - 1, child, self.ends[message as usize][1]));
            let survivors = self.concentrate((true, height - 1, child), wires, found);
            self.down(height - 1, child, survivors, sent, found);
        }
    }

    fn concentrate(&self, place: ChannelPosition, wires: Vec<u32>, found: &mut Naive) -> Vec<u32> {
        if !wires.is_empty() {
            found.contenders.insert(place, wires.len() as u32);
        }
        let capacity = (self.capacity)(place) as usize;
        let over = wires.len().saturating_sub(capacity);
        let kept = match self.policy {
            _ if over == 0 => wires.clone(),
            SurvivorPolicy::DropAll | SurvivorPolicy::DropFixed => Vec::new(),
            SurvivorPolicy::Alternate if self.cycle.is_multiple_of(2) => wires[over..].to_vec(),
            SurvivorPolicy::Left | SurvivorPolicy::Alternate => wires[..capacity].to_vec(),
            SurvivorPolicy::Random => unreachable!("a second random simulator draws otherwise"),
        };
        for message in wires.into_iter().filter(|message| !kept.contains(message)) {
            found.lost.insert(message, place);
        }
        kept
    }
}
