//! One delivery cycle.

use rand::Rng as _;

use super::{DeliveryError, SurvivorPolicy};
use crate::fault::LiveWires;
use crate::keep::keep_if;
use crate::random::Generator;
use crate::topology::fat_tree::{MAX_LEVELS, TreeChannel, TreeChannels};
use crate::traffic::MessageSet;

/// A message that was not sent in this cycle. Channel numbers begin at 2.
const NOT_SENT: u32 = 0;
/// A message that arrived in this cycle.
const ARRIVED: u32 = 1;

/// The heights at which a message can turn: those of a processor to the root, and above.
const HEIGHTS: usize = MAX_LEVELS as usize + 2;

/// What became of a message in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was not sent.
    NotSent,
    /// It arrived.
    Arrived,
    /// It was lost at this channel.
    Lost(TreeChannel),
}

/// What an over-subscribed channel has done so far in this cycle.
#[derive(Clone, Copy, Debug, Default)]
struct Contest {
    seen: u32,
    kept: u32,
}

/// The concentrators of a fat-tree, and what the last cycle made of its messages.
///
/// Cost of a cycle: two steps for each message at each channel that it reaches. Memory: 12 bytes for each of 4n channels,
/// at most 20 for each message.
#[derive(Clone, Debug)]
pub struct Concentrators {
    channels: TreeChannels,
    live: Option<LiveWires>,
    policy: SurvivorPolicy,
    messages: MessageSet,
    /// By channel number.
    contenders: Vec<u32>,
    /// By channel number halved: one direction is at work at a time. All zero between two channels of a path.
    contests: Vec<Contest>,
    /// By message number.
    fates: Vec<u32>,
    /// The bits that choose a message's wires, by its number; empty in fat-trees.
    bits: Vec<u32>,
    /// The messages of the cycle.
    sent: Vec<u32>,
    /// Those on their way up, or down.
    alive: Vec<u32>,
    /// Those at the top of their paths, by height,
    turned: Vec<u32>,
    /// and how many there are of each height and below.
    turned_to: [usize; HEIGHTS],
}

impl Concentrators {
    /// Those of a network, for these messages; of dead wires, those that `live` lacks.
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
        if !channels.has_external() && messages.leaves() {
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
            contenders: vec![0; channels.table()],
            contests: vec![Contest::default(); channels.table() / 2],
            fates: vec![NOT_SENT; count],
            bits: vec![0; if channels.wire_bits() > 0 { count } else { 0 }],
            sent: Vec::new(),
            alive: Vec::new(),
            turned: Vec::new(),
            turned_to: [0; HEIGHTS],
        })
    }

    /// The messages.
    pub fn messages(&self) -> &MessageSet {
        &self.messages
    }

    /// The channels.
    pub fn channels(&self) -> &TreeChannels {
        &self.channels
    }

    /// The wires that are live, if some may be dead.
    pub fn live(&self) -> Option<&LiveWires> {
        self.live.as_ref()
    }

    /// The capacity of a channel, or how many of its wires are live.
    pub fn capacity(&self, channel: TreeChannel) -> u32 {
        match &self.live {
            Some(live) => live.capacity(channel),
            None => self.channels.place(channel).map_or(0, |place| self.channels.capacity(place.height)),
        }
    }

    /// How many messages came to `channel` alive in the last cycle; where the lost count too, how many had to pass it.
    pub fn contenders(&self, channel: TreeChannel) -> u32 {
        self.contenders.get(channel.0 as usize).copied().unwrap_or(0)
    }

    /// How many of them survived.
    pub fn survivors(&self, channel: TreeChannel) -> u32 {
        let (contenders, capacity) = (self.contenders(channel), self.capacity(channel));
        let over = contenders > capacity;
        if over && self.policy.drops_all() { 0 } else { contenders.min(capacity) }
    }

    /// The messages that were sent in the last cycle, ascending, on Valiant's detour in the order of the processors that
    /// sent them.
    pub fn sent(&self) -> &[u32] {
        &self.sent
    }

    /// What became of a message in the last cycle.
    pub fn fate(&self, message: u32) -> Fate {
        match self.fates.get(message as usize).copied().unwrap_or(NOT_SENT) {
            NOT_SENT => Fate::NotSent,
            ARRIVED => Fate::Arrived,
            channel => Fate::Lost(TreeChannel(channel)),
        }
    }

    /// The bits by which a message chose its wires of the second network in the last cycle it was sent; 0 in fat-trees.
    pub fn wire_bits(&self, message: u32) -> u32 {
        self.bits.get(message as usize).copied().unwrap_or(0)
    }

    /// The messages that arrived in the last cycle.
    pub fn arrived(&self) -> &[u32] {
        &self.alive
    }

    /// Message `number` goes from and to other processors from now on; the last cycle is forgotten.
    pub(super) fn redirect(&mut self, number: u32, ends: [u32; 2]) {
        self.prepare();
        self.messages.redirect(number, ends);
    }

    /// Forgets the last cycle. The list is empty: put into it the messages that are to be sent in the next one, in the
    /// order of their sources, those of one source ascending.
    pub fn prepare(&mut self) -> &mut Vec<u32> {
        let steps = self.sent.len() * 2 * (usize::from(self.channels.levels()) + 1);
        let few = steps < self.contenders.len();
        if !few {
            self.contenders.fill(0);
        }
        let fates = &mut self.fates[..];
        for &message in &self.sent {
            fates[message as usize] = NOT_SENT;
            if few {
                let [from, to] = self.messages.ends()[message as usize];
                let bits = self.bits.get(message as usize).copied().unwrap_or(0);
                self.channels.path(from, to, bits).for_each(|channel| self.contenders[channel.0 as usize] = 0);
            }
        }
        self.sent.clear();
        self.alive.clear();
        &mut self.sent
    }

    /// Brings the list of [`Concentrators::prepare`] into the order of the sources, which some messages no longer have that
    /// they had at first. Those that do not exist are left out.
    pub(super) fn order_by_source(&mut self) {
        let ends = self.messages.ends();
        self.sent.retain(|&message| (message as usize) < ends.len());
        self.sent.sort_by_key(|&message| ends[message as usize][0]);
    }

    /// Lets cycle number `cycle`, from 1, pass with the messages that were put into the list of
    /// [`Concentrators::prepare`]. Those that do not exist are left out.
    pub fn pass(&mut self, cycle: u32, generator: &mut Generator) {
        let messages = self.messages.len();
        if self.sent.last().is_some_and(|&last| last >= messages) {
            self.sent.retain(|&message| message < messages);
        }
        self.draw_wires(generator);
        if self.policy == SurvivorPolicy::DropFixed {
            self.drop_fixed();
        } else if self.channels.wire_bits() > 0 {
            self.rise::<true>(cycle, generator);
            self.fall::<true>(cycle, generator);
        } else {
            self.rise::<false>(cycle, generator);
            self.fall::<false>(cycle, generator);
        }
        let fates = &mut self.fates[..];
        for &message in &self.alive {
            fates[message as usize] = ARRIVED;
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

    /// Loses every message that must pass a congested channel, at the first one of its path.
    fn drop_fixed(&mut self) {
        let Self { channels, messages, live, contenders, fates, bits, sent, alive, .. } = self;
        let path = |message: u32| {
            let [from, to] = messages.ends()[message as usize];
            channels.path(from, to, bits.get(message as usize).copied().unwrap_or(0))
        };
        for &message in &*sent {
            path(message).for_each(|channel| contenders[channel.0 as usize] += 1);
        }
        let wires = |channel: TreeChannel| match &*live {
            Some(live) => live.capacity(channel),
            None => channels.place(channel).map_or(0, |place| channels.capacity(place.height)),
        };
        alive.clear();
        for &message in &*sent {
            match path(message).find(|&channel| contenders[channel.0 as usize] > wires(channel)) {
                Some(channel) => fates[message as usize] = channel.0,
                None => alive.push(message),
            }
        }
    }

    /// The up channels, from the leaves to the top.
    #[inline]
    fn rise<const WIRES: bool>(&mut self, cycle: u32, generator: &mut Generator) {
        self.alive.clear();
        self.alive.extend_from_slice(&self.sent);
        self.turned.clear();
        for height in 0..=self.channels.levels() {
            self.concentrate::<false, WIRES>(height, cycle, generator);
        }
        // Who is above the root is out.
        self.turned.append(&mut self.alive);
        self.turned_to[usize::from(self.channels.levels()) + 1] = self.turned.len();
    }

    /// The down channels, from the top to the leaves. At the end those are alive that have arrived.
    #[inline]
    fn fall<const WIRES: bool>(&mut self, cycle: u32, generator: &mut Generator) {
        let root = usize::from(self.channels.levels());
        for height in (0..self.channels.levels()).rev() {
            // From the parent first, then from the sibling.
            let siblings = self.turned_to[usize::from(height)]..self.turned_to[usize::from(height) + 1];
            self.alive.extend_from_slice(&self.turned[siblings]);
            self.concentrate::<true, WIRES>(height, cycle, generator);
        }
        self.alive.extend_from_slice(&self.turned[..self.turned_to[0]]);
        self.alive.extend_from_slice(&self.turned[self.turned_to[root]..]);
    }

    /// The channels of one height: of those alive, who comes through. On the way up, who is at the top of its path turns
    /// before. `WIRES` says whether wires are told apart.
    #[inline]
    fn concentrate<const DOWN: bool, const WIRES: bool>(&mut self, height: u8, cycle: u32, generator: &mut Generator) {
        let Self { channels, messages, live, contenders, contests, fates, bits, alive, turned, .. } = self;
        let (contenders, contests, fates) = (&mut contenders[..], &mut contests[..], &mut fates[..]);
        let way = Way::<DOWN, WIRES> { channels, height, leaves: channels.processors(), ends: messages.ends(), bits };
        let wires = Wires { whole: channels.capacity(height), live: live.as_ref().map(LiveWires::live) };
        let mut any_over = false;
        keep_if(alive, |message| {
            if !DOWN && way.is_at_top(message) {
                turned.push(message);
                return false;
            }
            let channel = way.channel(message);
            let count = &mut contenders[channel];
            *count += 1;
            any_over |= *count > wires.of(channel);
            true
        });
        if !DOWN {
            self.turned_to[usize::from(height)] = turned.len();
        }
        if !any_over {
            return;
        }
        let policy = match self.policy {
            SurvivorPolicy::Alternate if cycle.is_multiple_of(2) => Keep::Last,
            SurvivorPolicy::Left | SurvivorPolicy::Alternate => Keep::First,
            SurvivorPolicy::Random => Keep::Any,
            SurvivorPolicy::DropAll | SurvivorPolicy::DropFixed => Keep::None,
        };
        keep_if(alive, |message| {
            let channel = way.channel(message);
            let (count, capacity) = (contenders[channel], wires.of(channel));
            // Who survives will be told better: at the next channel that is over-subscribed, or at the end.
            fates[message as usize] = channel as u32;
            count <= capacity || policy.keeps(&mut contests[channel / 2], count, capacity, generator)
        });
    }
}

/// Which channels of one height lead the messages on. `WIRES` says whether wires are told apart.
struct Way<'a, const DOWN: bool, const WIRES: bool> {
    channels: &'a TreeChannels,
    height: u8,
    leaves: u32,
    ends: &'a [[u32; 2]],
    bits: &'a [u32],
}

impl<const DOWN: bool, const WIRES: bool> Way<'_, DOWN, WIRES> {
    /// Whether a message has come to the top of its path.
    #[inline(always)]
    fn is_at_top(&self, message: u32) -> bool {
        let [from, to] = self.ends[message as usize];
        (from ^ to) >> if WIRES { 2 * self.height } else { self.height } == 0
    }

    /// The number of the channel that a message takes.
    #[inline(always)]
    fn channel(&self, message: u32) -> usize {
        let end = self.ends[message as usize][usize::from(DOWN)];
        let number = if WIRES {
            self.channels.number(self.height, end, self.bits[message as usize])
        } else {
            (self.leaves + end) >> self.height
        };
        (2 * number + u32::from(DOWN)) as usize
    }
}

/// The wires of the channels of one height.
struct Wires<'a> {
    whole: u32,
    live: Option<&'a [u32]>,
}

impl Wires<'_> {
    /// Those of one channel.
    #[inline(always)]
    fn of(&self, channel: usize) -> u32 {
        match self.live {
            Some(live) => live[channel],
            None => self.whole,
        }
    }
}

/// Who is kept at an over-subscribed channel in this cycle.
#[derive(Clone, Copy)]
enum Keep {
    First,
    Last,
    Any,
    None,
}

impl Keep {
    /// Whether the next one of `count` contenders is kept, `capacity` of them in all.
    #[inline(always)]
    fn keeps(self, contest: &mut Contest, count: u32, capacity: u32, generator: &mut Generator) -> bool {
        let Contest { seen, kept } = *contest;
        let keeps = match self {
            Self::First => seen < capacity,
            Self::Last => seen >= count - capacity,
            // Selection sampling: each set equally likely, to 2^-32. A product of 128 bits would be slow in browsers.
            Self::Any => {
                let drawn = ((generator.next_u64() >> 32) * u64::from(count - seen)) >> 32;
                drawn < u64::from(capacity - kept)
            }
            Self::None => false,
        };
        let is_last = seen + 1 == count;
        // Ready for the next cycle.
        let more = u32::from(!is_last);
        *contest = Contest { seen: (seen + 1) * more, kept: (kept + u32::from(keeps)) * more };
        keeps
    }
}
