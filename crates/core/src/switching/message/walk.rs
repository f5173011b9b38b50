//! One indivisible message, hop by hop, under a local routing algorithm (Gordon & Stout sections 1 and 3).

use crate::names;
use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use crate::fault::{Faults, MixHasher};
use crate::random::{Generator, below};
use crate::routing::{Dimensions, Header, Knowledge, Links, LocalRouting, Order, Position, Rule, Tier, Tiers};
use crate::topology::{Hypercube, Link, NodeId, dimensions_of};
use crate::traffic::Pair;

/// One hop of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The node it left.
    pub from: NodeId,
    /// The node it entered, or was lost at.
    pub to: NodeId,
    /// Why.
    pub rule: &'static Rule,
}

/// How a message ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// It reached its destination within the path limit.
    Delivered,
    /// No live neighbour lies in the forward direction of the source: it made no hop.
    BlockedAtSource,
    /// It met a node from which its algorithm permits no hop: a dead end, the source included to which it has come back.
    Blocked,
    /// It was sent to a faulty node (Model 1 only).
    Lost,
    /// It did not reach the destination within the path limit.
    LimitReached,
    /// Source and destination are not connected (global information only).
    Disconnected,
}

impl Outcome {
    /// Its place in [`Outcome::ALL`].
    pub fn index(self) -> usize {
        self as usize
    }
}

names! {
    Outcome {
        Delivered: "delivered",
        BlockedAtSource: "blocked-at-source",
        Blocked: "blocked",
        Lost: "lost",
        LimitReached: "limit-reached",
        Disconnected: "disconnected",
    }
}

/// What one step brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The message moved.
    Hop(Hop),
    /// It ended, with what it had done before. Further steps return the same.
    End(Outcome),
}

/// What messages of one algorithm between one pair share: reused from message to message, so that none allocates.
pub struct Walker<'r> {
    terms: Terms<'r>,
    /// The dimensions, the wrong ones first.
    start: [u8; 64],
    marks: HashSet<u64, BuildHasherDefault<MixHasher>>,
}

impl<'r> Walker<'r> {
    /// A walker for messages between the two `ends` of `cube`, to be routed by `routing` in at most `limit` hops.
    pub fn new(cube: Hypercube, ends: Pair, routing: &'r dyn LocalRouting, limit: u32) -> Self {
        let wrong = ends.from.0 ^ ends.to.0;
        let mut start = [0; 64];
        let all = || 0..cube.dimension();
        let ordered = all().filter(|dim| wrong >> dim & 1 == 1).chain(all().filter(|dim| wrong >> dim & 1 == 0));
        for (slot, dim) in start.iter_mut().zip(ordered) {
            *slot = dim;
        }
        let terms = Terms {
            cube,
            ends,
            limit,
            distance: cube.distance(ends.from, ends.to) as u8,
            routing,
            everywhere: routing
                .is_uniform()
                .then(|| routing.tiers(Position { here: ends.from, wrong, header: Header::default() })),
            random: routing.order() == Order::Random,
            blind: routing.knowledge() == Knowledge::Nothing,
            marking: routing.marks_blocked(),
            looks: routing.looks(),
            headed: !routing.is_uniform() && routing.headers() > 1,
        };
        Self { terms, start, marks: HashSet::default() }
    }

    /// A new message at the source, among `faults`, with its own generator.
    #[inline]
    pub fn message<'a, F: Faults>(&'a mut self, faults: &'a mut F, mut generator: Generator) -> MessageWalk<'a, 'r, F> {
        self.marks.clear();
        let header = match self.terms.routing.first_headers() {
            1 => Header::default(),
            choices => Header(below(&mut generator, u32::from(choices)) as u8),
        };
        MessageWalk {
            view: View { faults, marks: &mut self.marks },
            state: State {
                here: self.terms.ends.from,
                split: self.terms.distance,
                dims: self.start,
                hops: 0,
                lost: false,
                header,
                generator,
            },
            terms: &self.terms,
        }
    }
}

/// A message on its way: step it, run it, look at it.
pub struct MessageWalk<'a, 'r, F> {
    terms: &'a Terms<'r>,
    view: View<'a, F>,
    state: State,
}

/// What stays the same all the way.
struct Terms<'a> {
    cube: Hypercube,
    ends: Pair,
    limit: u32,
    /// The length of a minimal path.
    distance: u8,
    routing: &'a dyn LocalRouting,
    /// What `routing` says of itself, asked once.
    everywhere: Option<Tiers>,
    random: bool,
    blind: bool,
    marking: bool,
    looks: bool,
    /// Whether messages have different headers on their way.
    headed: bool,
}

/// What a hop changes: small enough to be kept in registers while a message runs.
#[derive(Clone, Debug)]
struct State {
    here: NodeId,
    /// `dims[..split]` are the wrong dimensions, `dims[split..n]` the right ones, each in any order.
    split: u8,
    dims: [u8; 64],
    hops: u32,
    lost: bool,
    header: Header,
    generator: Generator,
}

/// The faults as this message knows them.
pub(crate) struct View<'a, F> {
    faults: &'a mut F,
    marks: &'a mut HashSet<u64, BuildHasherDefault<MixHasher>>,
}

impl<F: Faults> View<'_, F> {
    /// Whether a message of this kind may go from `here` across `dim`, for all that it knows.
    #[inline(always)]
    fn may_enter<const KIND: u8>(&mut self, terms: &Terms<'_>, here: NodeId, dim: u8) -> bool {
        let node = terms.cube.neighbor(here, dim);
        let live = match KIND {
            FORGETFUL => !self.faults.is_faulty(node),
            MARKING => self.is_live(node),
            _ => terms.blind || self.is_live(node),
        };
        live && (terms.blind || !self.faults.is_link_faulty(Link { from: here, dim }))
    }

    /// Whether a message may be sent over `link`, for all that it knows of its neighbours.
    pub(crate) fn is_open(&mut self, link: Link) -> bool {
        self.is_live(link.to()) && !self.faults.is_link_faulty(link)
    }

    #[inline(always)]
    fn is_live(&mut self, node: NodeId) -> bool {
        let live = !self.faults.is_faulty(node);
        if self.marks.is_empty() { live } else { live && !self.marks.contains(&node.0) }
    }
}

impl<'a, 'r, F: Faults> MessageWalk<'a, 'r, F> {
    /// Where the message is.
    pub fn here(&self) -> NodeId {
        self.state.here
    }

    /// The number of hops made.
    pub fn hops(&self) -> u32 {
        self.state.hops
    }

    /// Moves the message by one hop, or ends it.
    pub fn step(&mut self) -> Event {
        self.state.step::<ANY, F>(self.terms, &mut self.view)
    }

    /// Steps until the message ends, or has made `budget` more hops: then `None`.
    pub fn run_until(&mut self, budget: u32) -> Option<Outcome> {
        (0..budget).find_map(|_| match self.step() {
            Event::Hop(_) => None,
            Event::End(outcome) => Some(outcome),
        })
    }

    /// Runs the message to its end.
    #[inline]
    pub fn run(&mut self) -> Outcome {
        match self.terms.forward_first() {
            Some(tiers) if self.terms.marking => self.run_forward::<MARKING>(&tiers),
            Some(tiers) => self.run_forward::<FORGETFUL>(&tiers),
            None => loop {
                if let Event::End(outcome) = self.step() {
                    return outcome;
                }
            },
        }
    }

    /// What [`MessageWalk::step`] does, over and over, for algorithms that first of all draw from the live wrong
    /// dimensions: nearly every hop of every measurement is made here.
    #[inline]
    fn run_forward<const KIND: u8>(&mut self, tiers: &[Tier]) -> Outcome {
        // A copy, so that the compiler sees that nobody else looks at it.
        let mut state = self.state.clone();
        let outcome = loop {
            if state.split == 0 {
                break Outcome::Delivered;
            }
            if state.hops >= self.terms.limit {
                break Outcome::LimitReached;
            }
            if state.split == 1 && !self.view.faults.any_link_faults() {
                // The last hop always succeeds: the destination is live.
                (state.here, state.split, state.hops) = (self.terms.ends.to, 0, state.hops + 1);
                break Outcome::Delivered;
            }
            let here = state.here;
            let usable = |dim| self.view.may_enter::<KIND>(self.terms, here, dim);
            match state.draw(0, usize::from(state.split), usable) {
                Some(index) => {
                    let dim = state.dims[index & 63];
                    state.here = self.terms.cube.neighbor(here, dim);
                    state.split -= 1;
                    state.dims.swap(index & 63, usize::from(state.split) & 63);
                    state.hops += 1;
                }
                None => {
                    if let Event::End(outcome) = state.choose::<KIND, F>(tiers, 1, self.terms, &mut self.view) {
                        break outcome;
                    }
                }
            }
        };
        self.state = state;
        outcome
    }

    /// The algorithm.
    pub(crate) fn routing(&self) -> &'r dyn LocalRouting {
        self.terms.routing
    }

    pub(crate) fn view(&mut self) -> (&mut View<'a, F>, Hypercube, Pair) {
        (&mut self.view, self.terms.cube, self.terms.ends)
    }
}

/// The kinds of routing for which the loop is compiled apart: random with local information, without marks,
const FORGETFUL: u8 = 1;
/// the same with marks,
const MARKING: u8 = 2;
/// and any other.
const ANY: u8 = 0;

impl Terms<'_> {
    /// The tiers, if they are the same everywhere and begin with a random choice from the live wrong dimensions.
    fn forward_first(&self) -> Option<Tiers> {
        let first = |tiers: &[Tier]| tiers.first().is_some_and(|tier| tier.dimensions == Dimensions::Wrong);
        self.everywhere.filter(|tiers| self.random && !self.blind && first(tiers))
    }
}

impl State {
    fn position(&self, terms: &Terms<'_>) -> Position {
        Position { here: self.here, wrong: self.here.0 ^ terms.ends.to.0, header: self.header }
    }

    fn step<const KIND: u8, F: Faults>(&mut self, terms: &Terms<'_>, view: &mut View<'_, F>) -> Event {
        if self.lost {
            return Event::End(Outcome::Lost);
        }
        if self.split == 0 {
            return Event::End(Outcome::Delivered);
        }
        if self.hops >= terms.limit {
            return Event::End(Outcome::LimitReached);
        }
        let here;
        let tiers = match &terms.everywhere {
            Some(tiers) => tiers,
            None => {
                here = terms.routing.tiers_among(self.position(terms), self.links::<KIND, F>(terms, view));
                &here
            }
        };
        self.choose::<KIND, F>(tiers, 0, terms, view)
    }

    /// The links of the node, as far as the algorithm looks at them.
    #[inline(always)]
    fn links<const KIND: u8, F: Faults>(&self, terms: &Terms<'_>, view: &mut View<'_, F>) -> Links {
        let all = terms.cube.mask();
        if !terms.looks {
            return Links { all, live: all };
        }
        let live = dimensions_of(all).filter(|&dim| view.may_enter::<KIND>(terms, self.here, dim));
        Links { all, live: live.fold(0, |live, dim| live | 1 << dim) }
    }

    /// Hops by the first of `tiers`, from number `rank` on, that has a usable dimension.
    #[inline(always)]
    fn choose<const KIND: u8, F: Faults>(
        &mut self,
        tiers: &[Tier],
        rank: usize,
        terms: &Terms<'_>,
        view: &mut View<'_, F>,
    ) -> Event {
        for (rank, tier) in tiers.iter().enumerate().skip(rank) {
            let (here, wrong) = (self.here, self.here.0 ^ terms.ends.to.0);
            let (split, all) = (usize::from(self.split), usize::from(terms.cube.dimension()));
            let (low, high, these) = match tier.dimensions {
                Dimensions::Wrong => (0, split, u64::MAX),
                Dimensions::Right => (split, all, u64::MAX),
                Dimensions::These(dims) if dims & wrong == dims => (0, split, dims),
                Dimensions::These(dims) if dims & wrong == 0 => (split, all, dims),
                Dimensions::These(dims) => (0, all, dims),
            };
            let mut usable = |dim| these >> dim & 1 == 1 && view.may_enter::<KIND>(terms, here, dim);
            if tier.dimensions.is_backward(wrong) {
                if here == terms.ends.from {
                    if self.dims[low..high].iter().any(|&dim| usable(dim)) {
                        return Event::End(self.blocked());
                    }
                    continue;
                }
                if rank == 1 && terms.marking {
                    view.marks.insert(here.0);
                }
            }
            let mut usable = |dim| these >> dim & 1 == 1 && view.may_enter::<KIND>(terms, here, dim);
            let chosen = if low == 0 && high == all && split < all {
                self.draw_any(high, usable)
            } else if terms.random {
                self.draw(low, high, usable)
            } else {
                highest(&mut self.dims[low..high], &mut usable).map(|index| low + index)
            };
            if let Some(index) = chosen {
                let (at, dim) = (self.position(terms), self.dims[index & 63]);
                let header = if terms.headed {
                    terms.routing.header_among(at, self.links::<KIND, F>(terms, view), dim)
                } else {
                    self.header
                };
                let hop = self.hop(index, tier.rule, terms);
                self.header = header;
                self.lost = terms.blind
                    && (view.faults.is_faulty(hop.to) || view.faults.is_link_faulty(Link { from: hop.from, dim }));
                return Event::Hop(hop);
            }
        }
        Event::End(self.blocked())
    }

    /// How it ends where it can go nowhere.
    fn blocked(&self) -> Outcome {
        if self.hops == 0 { Outcome::BlockedAtSource } else { Outcome::Blocked }
    }

    /// Draws from `dims[low..high]` until a usable one turns up: its place. What has been drawn gathers at the end, so
    /// that no dimension is looked at twice.
    #[inline(always)]
    fn draw(&mut self, low: usize, high: usize, mut usable: impl FnMut(u8) -> bool) -> Option<usize> {
        let mut end = high;
        while end > low {
            let pick = low + below(&mut self.generator, (end - low) as u32) as usize;
            end -= 1;
            // All indices are below 64: the mask only tells the compiler so.
            self.dims.swap(pick & 63, end & 63);
            if usable(self.dims[end & 63]) {
                return Some(end);
            }
        }
        None
    }

    /// The same among wrong and right dimensions alike, which stay apart: the place of a usable one, drawn.
    fn draw_any(&mut self, high: usize, mut usable: impl FnMut(u8) -> bool) -> Option<usize> {
        let found: Vec<_> = (0..high).filter(|&index| usable(self.dims[index & 63])).collect();
        (!found.is_empty()).then(|| found[below(&mut self.generator, found.len() as u32) as usize])
    }

    /// Takes the dimension at `dims[index]`.
    #[inline(always)]
    fn hop(&mut self, index: usize, rule: &'static Rule, terms: &Terms<'_>) -> Hop {
        let from = self.here;
        self.here = terms.cube.neighbor(from, self.dims[index & 63]);
        let forward = index < usize::from(self.split);
        self.split -= u8::from(forward);
        self.dims.swap(index & 63, usize::from(self.split) & 63);
        self.split += u8::from(!forward);
        self.hops += 1;
        Hop { from, to: self.here, rule }
    }
}

/// The place of the highest usable one of `dims`.
fn highest(dims: &mut [u8], usable: &mut dyn FnMut(u8) -> bool) -> Option<usize> {
    dims.sort_unstable();
    (0..dims.len()).rev().find(|&i| usable(dims[i]))
}
