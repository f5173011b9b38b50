//! The concentrators of a fat-tree, and the simulation of one delivery cycle.

use rand::Rng as _;

use super::{DeliveryError, SurvivorPolicy};
use crate::fault::LiveWires;
use crate::random::Generator;
use crate::retain::retain_branchless;
use crate::topology::fat_tree::{MAX_LEVELS, TreeChannel, TreeChannels};
use crate::traffic::MessageSet;

/// Result of a message that was not sent in this cycle. Channel numbers begin at 2.
const NOT_SENT: u32 = 0;
/// Result of a message that arrived in this cycle.
const ARRIVED: u32 = 1;

/// Number of heights at which a message can turn: from its processor to the root, and above the
/// root.
const HEIGHTS: usize = MAX_LEVELS as usize + 2;

/// Result of a message in one cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CycleResult {
    /// The message was not sent.
    NotSent,
    /// The message arrived.
    Arrived,
    /// The message was lost at the given channel.
    Lost(TreeChannel),
}

/// Progress of the selection of survivors at an over-subscribed channel in this cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Selection {
    seen: u32,
    kept: u32,
}

/// The concentrators of a fat-tree, with the results of the last cycle.
///
/// Cost of a cycle: two steps for each message at each channel that it reaches. Memory: 12 bytes
/// for each of 4n channels, at most 20 for each message.
#[derive(Clone, Debug)]
pub struct Concentrators {
    channels: TreeChannels,
    live: Option<LiveWires>,
    policy: SurvivorPolicy,
    messages: MessageSet,
    /// Number of contenders, by channel number.
    contenders: Vec<u32>,
    /// Survivor selections, by half the channel number, since only one direction is active at a
    /// time.
    ///
    /// All entries are zero between two heights.
    contests: Vec<Selection>,
    /// Results, by message number: [`NOT_SENT`], [`ARRIVED`] or the channel at which the message
    /// was lost.
    results: Vec<u32>,
    /// Bits that select a message's wires, by message number; empty in fat-trees.
    bits: Vec<u32>,
    /// Messages sent in this cycle.
    sent: Vec<u32>,
    /// Messages that are still moving up or down.
    moving: Vec<u32>,
    /// Messages at the top of their paths, by height.
    at_top: Vec<u32>,
    /// Number of messages in `at_top` whose paths turn at each height or below.
    at_top_until: [usize; HEIGHTS],
}

impl Concentrators {
    /// Creates the concentrators of a network for `messages`. If `live` is given, all other wires
    /// are dead.
    ///
    /// # Errors
    /// If messages or wires do not fit the network.
    pub fn new(
        channels: TreeChannels,
        live: Option<LiveWires>,
        policy: SurvivorPolicy,
        messages: MessageSet,
    ) -> Result<Self, DeliveryError> {
        let network = channels.processors();
        if network != messages.processors() {
            return Err(DeliveryError::Processors { network, messages: messages.processors() });
        }
        if !channels.has_external_channels() && messages.has_external_messages() {
            return Err(DeliveryError::NoExternal);
        }
        if live.as_ref().is_some_and(|live| *live.channels() != channels) {
            return Err(DeliveryError::Wires);
        }
        let count = messages.len() as usize;
        Ok(Self {
            channels,
            live,
            policy,
            messages,
            contenders: vec![0; channels.table_size()],
            contests: vec![Selection::default(); channels.table_size() / 2],
            results: vec![NOT_SENT; count],
            bits: vec![0; if channels.wire_bits() > 0 { count } else { 0 }],
            sent: Vec::new(),
            moving: Vec::new(),
            at_top: Vec::new(),
            at_top_until: [0; HEIGHTS],
        })
    }

    /// Returns the messages.
    pub fn messages(&self) -> &MessageSet {
        &self.messages
    }

    /// Returns the channels.
    pub fn channels(&self) -> &TreeChannels {
        &self.channels
    }

    /// Returns the live wires, `None` if no wires are dead.
    pub fn live(&self) -> Option<&LiveWires> {
        self.live.as_ref()
    }

    /// Returns the number of live wires of a channel.
    pub fn capacity(&self, channel: TreeChannel) -> u32 {
        match &self.live {
            Some(live) => live.capacity(channel),
            None => self.channels.location(channel).map_or(0, |place| self.channels.capacity(place.height)),
        }
    }

    /// Returns the number of messages that reached `channel` in the last cycle.
    ///
    /// Under [`SurvivorPolicy::DropFixed`], messages lost elsewhere on paths through `channel`
    /// count too.
    pub fn contenders(&self, channel: TreeChannel) -> u32 {
        self.contenders.get(channel.0 as usize).copied().unwrap_or(0)
    }

    /// Returns the number of contenders at `channel` that survived in the last cycle.
    pub fn survivors(&self, channel: TreeChannel) -> u32 {
        let (contenders, capacity) = (self.contenders(channel), self.capacity(channel));
        let over = contenders > capacity;
        if over && self.policy.drops_all() { 0 } else { contenders.min(capacity) }
    }

    /// Returns the messages sent in the last cycle, ascending.
    ///
    /// On Valiant's detour, the messages are in the order of their current sources.
    pub fn sent(&self) -> &[u32] {
        &self.sent
    }

    /// Returns the result of a message in the last cycle.
    pub fn fate(&self, message: u32) -> CycleResult {
        match self.results.get(message as usize).copied().unwrap_or(NOT_SENT) {
            NOT_SENT => CycleResult::NotSent,
            ARRIVED => CycleResult::Arrived,
            channel => CycleResult::Lost(TreeChannel(channel)),
        }
    }

    /// Returns the bits that selected a message's wires of the second network when it was last
    /// sent; 0 in fat-trees.
    pub fn wire_bits(&self, message: u32) -> u32 {
        self.bits.get(message as usize).copied().unwrap_or(0)
    }

    /// Returns the messages that arrived in the last cycle.
    pub fn arrived(&self) -> &[u32] {
        &self.moving
    }

    /// Changes source and destination of message `number`, and clears the last cycle.
    pub(super) fn redirect(&mut self, number: u32, ends: [u32; 2]) {
        self.begin_cycle();
        self.messages.redirect(number, ends);
    }

    /// Clears the last cycle, and returns the empty list of messages to send in the next one.
    ///
    /// The caller fills the list in the order of the sources, the messages of one source ascending.
    pub fn begin_cycle(&mut self) -> &mut Vec<u32> {
        let steps = self.sent.len() * 2 * (usize::from(self.channels.levels()) + 1);
        let few = steps < self.contenders.len();
        if !few {
            self.contenders.fill(0);
        }
        let results = &mut self.results[..];
        for &message in &self.sent {
            results[message as usize] = NOT_SENT;
            if few {
                let [from, to] = self.messages.ends()[message as usize];
                let bits = self.bits.get(message as usize).copied().unwrap_or(0);
                self.channels.path(from, to, bits).for_each(|channel| self.contenders[channel.0 as usize] = 0);
            }
        }
        self.sent.clear();
        self.moving.clear();
        &mut self.sent
    }

    /// Sorts the messages to send by source, which [`Concentrators::redirect`] may have changed.
    ///
    /// Removes messages that do not exist.
    pub(super) fn order_by_source(&mut self) {
        let ends = self.messages.ends();
        self.sent.retain(|&message| (message as usize) < ends.len());
        self.sent.sort_by_key(|&message| ends[message as usize][0]);
    }

    /// Simulates cycle number `cycle`, from 1, with the messages in the list of
    /// [`Concentrators::begin_cycle`].
    ///
    /// Ignores messages that do not exist.
    pub fn run_cycle(&mut self, cycle: u32, generator: &mut Generator) {
        let messages = self.messages.len();
        if self.sent.last().is_some_and(|&last| last >= messages) {
            self.sent.retain(|&message| message < messages);
        }
        self.draw_wires(generator);
        if self.policy == SurvivorPolicy::DropFixed {
            self.drop_fixed();
        } else if self.channels.wire_bits() > 0 {
            self.run_up_channels::<true>(cycle, generator);
            self.run_down_channels::<true>(cycle, generator);
        } else {
            self.run_up_channels::<false>(cycle, generator);
            self.run_down_channels::<false>(cycle, generator);
        }
        let results = &mut self.results[..];
        for &message in &self.moving {
            results[message as usize] = ARRIVED;
        }
    }

    fn draw_wires(&mut self, generator: &mut Generator) {
        let count = self.channels.wire_bits();
        if count > 0 {
            for &message in &self.sent {
                self.bits[message as usize] = (generator.next_u64() >> (64 - count)) as u32;
            }
        }
    }

    /// Drops every message that must pass a congested channel, at the first such channel of its
    /// path.
    fn drop_fixed(&mut self) {
        let Self { channels, messages, live, contenders, results, bits, sent, moving: alive, .. } = self;
        let path = |message: u32| {
            let [from, to] = messages.ends()[message as usize];
            channels.path(from, to, bits.get(message as usize).copied().unwrap_or(0))
        };
        for &message in &*sent {
            path(message).for_each(|channel| contenders[channel.0 as usize] += 1);
        }
        let wires = |channel: TreeChannel| match &*live {
            Some(live) => live.capacity(channel),
            None => channels.location(channel).map_or(0, |place| channels.capacity(place.height)),
        };
        alive.clear();
        for &message in &*sent {
            match path(message).find(|&channel| contenders[channel.0 as usize] > wires(channel)) {
                Some(channel) => results[message as usize] = channel.0,
                None => alive.push(message),
            }
        }
    }

    /// Simulates the up channels, from the leaves to the top.
    #[inline]
    fn run_up_channels<const WIRES: bool>(&mut self, cycle: u32, generator: &mut Generator) {
        self.moving.clear();
        self.moving.extend_from_slice(&self.sent);
        self.at_top.clear();
        for height in 0..=self.channels.levels() {
            self.run_height::<false, WIRES>(height, cycle, generator);
        }
        // Messages above the root have left the tree.
        self.at_top.append(&mut self.moving);
        self.at_top_until[usize::from(self.channels.levels()) + 1] = self.at_top.len();
    }

    /// Simulates the down channels, from the top to the leaves. `moving` then lists the arrived
    /// messages.
    #[inline]
    fn run_down_channels<const WIRES: bool>(&mut self, cycle: u32, generator: &mut Generator) {
        let root = usize::from(self.channels.levels());
        for height in (0..self.channels.levels()).rev() {
            // Messages from the parent come before those from the sibling.
            let siblings = self.at_top_until[usize::from(height)]..self.at_top_until[usize::from(height) + 1];
            self.moving.extend_from_slice(&self.at_top[siblings]);
            self.run_height::<true, WIRES>(height, cycle, generator);
        }
        self.moving.extend_from_slice(&self.at_top[..self.at_top_until[0]]);
        self.moving.extend_from_slice(&self.at_top[self.at_top_until[root]..]);
    }

    /// Simulates the channels of one height and keeps the survivors in `moving`.
    ///
    /// On the way up, messages at the top of their paths first move to `at_top`. `WIRES` is true if
    /// the network distinguishes wires.
    #[inline]
    fn run_height<const DOWN: bool, const WIRES: bool>(&mut self, height: u8, cycle: u32, generator: &mut Generator) {
        let Self {
            channels, messages, live, contenders, contests, results, bits, moving: alive, at_top: turned, ..
        } = self;
        let (contenders, contests, results) = (&mut contenders[..], &mut contests[..], &mut results[..]);
        let way = ChannelMap::<DOWN, WIRES> {
            channels,
            height,
            address_bits: if WIRES { (1 + channels.choice_bits()) * height } else { height },
            leaves: channels.processors(),
            ends: messages.ends(),
            bits,
        };
        let wires = Wires { wires_per_channel: channels.capacity(height), live: live.as_ref().map(LiveWires::live) };
        let mut any_over = false;
        retain_branchless(alive, |message| {
            if !DOWN && way.is_at_top(message) {
                turned.push(message);
                return false;
            }
            let channel = way.channel(message);
            let count = &mut contenders[channel];
            *count += 1;
            any_over |= *count > wires.capacity(channel);
            true
        });
        if !DOWN {
            self.at_top_until[usize::from(height)] = turned.len();
        }
        if !any_over {
            return;
        }
        let policy = match self.policy {
            SurvivorPolicy::Alternate if cycle.is_multiple_of(2) => Selector::Last,
            SurvivorPolicy::Left | SurvivorPolicy::Alternate => Selector::First,
            SurvivorPolicy::Random => Selector::Any,
            SurvivorPolicy::DropAll | SurvivorPolicy::DropFixed => Selector::None,
        };
        retain_branchless(alive, |message| {
            let channel = way.channel(message);
            let (count, capacity) = (contenders[channel], wires.capacity(channel));
            // The result of a survivor is overwritten later: at the next over-subscribed channel or
            // on arrival.
            results[message as usize] = channel as u32;
            count <= capacity || policy.keeps(&mut contests[channel / 2], count, capacity, generator)
        });
    }
}

/// The mapping from messages to their channels of one height.
///
/// `WIRES` is true if the network distinguishes wires.
struct ChannelMap<'a, const DOWN: bool, const WIRES: bool> {
    channels: &'a TreeChannels,
    height: u8,
    /// Number of address bits that the levels below `height` decide.
    address_bits: u8,
    leaves: u32,
    ends: &'a [[u32; 2]],
    bits: &'a [u32],
}

impl<const DOWN: bool, const WIRES: bool> ChannelMap<'_, DOWN, WIRES> {
    /// Returns whether a message has reached the top of its path.
    #[inline(always)]
    fn is_at_top(&self, message: u32) -> bool {
        let [from, to] = self.ends[message as usize];
        (from ^ to) >> self.address_bits == 0
    }

    /// Returns the number of the channel that a message takes.
    #[inline(always)]
    fn channel(&self, message: u32) -> usize {
        let end = self.ends[message as usize][usize::from(DOWN)];
        let number = if WIRES {
            self.channels.number_above(self.height, end, self.bits[message as usize])
        } else {
            (self.leaves + end) >> self.height
        };
        (2 * number + u32::from(DOWN)) as usize
    }
}

/// The live wires of the channels of one height.
struct Wires<'a> {
    wires_per_channel: u32,
    live: Option<&'a [u32]>,
}

impl Wires<'_> {
    /// Returns the number of live wires of one channel.
    #[inline(always)]
    fn capacity(&self, channel: usize) -> u32 {
        match self.live {
            Some(live) => live[channel],
            None => self.wires_per_channel,
        }
    }
}

/// Survivors among the ordered contenders at an over-subscribed channel in this cycle.
#[derive(Clone, Copy)]
enum Selector {
    First,
    Last,
    Any,
    None,
}

impl Selector {
    /// Returns whether the next of `count` contenders survives, if `capacity` contenders survive.
    #[inline(always)]
    fn keeps(self, contest: &mut Selection, count: u32, capacity: u32, generator: &mut Generator) -> bool {
        let Selection { seen, kept } = *contest;
        let keeps = match self {
            Self::First => seen < capacity,
            Self::Last => seen >= count - capacity,
            // Selection sampling: each set is equally likely, to within 2^-32. A 128-bit product
            // would be slow in browsers.
            Self::Any => {
                let drawn = ((generator.next_u64() >> 32) * u64::from(count - seen)) >> 32;
                drawn < u64::from(capacity - kept)
            }
            Self::None => false,
        };
        let is_last = seen + 1 == count;
        // Reset after the last contender, for the next height.
        let more = u32::from(!is_last);
        *contest = Selection { seen: (seen + 1) * more, kept: (kept + u32::from(keeps)) * more };
        keeps
    }
}
