//! A single message that moves hop by hop under a local routing algorithm (Gordon & Stout sections
//! 1 and 3).

use crate::names;
use std::collections::HashSet;
use std::hash::BuildHasherDefault;

use crate::fault::{Faults, MixHasher};
use crate::random::{Generator, below};
use crate::routing::{Dimensions, Header, Knowledge, Links, LocalRouting, Order, Position, Rule, Tier, Tiers};
use crate::topology::{Hypercube, Link, NodeId, set_dimensions};
use crate::traffic::Pair;

/// A hop of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    /// The node that the message left.
    pub from: NodeId,
    /// The node that the message entered, or at which it was lost.
    pub to: NodeId,
    /// The rule that permitted the hop.
    pub rule: &'static Rule,
}

/// Outcome of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// The message reached its destination within the path limit.
    Delivered,
    /// The source has no live forward neighbor: the message made no hop.
    BlockedAtSource,
    /// The message is at a node from which its algorithm permits no hop: a dead end. The node may
    /// be the source, if the message returned there.
    Blocked,
    /// The message was sent to a faulty node (Model 1 only).
    Lost,
    /// The message did not reach the destination within the path limit.
    LimitReached,
    /// Source and destination are not connected (global information only).
    Disconnected,
}

impl Outcome {
    /// Returns the index of the outcome in [`Outcome::ALL`].
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

/// Result of one step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepResult {
    /// The message made this hop.
    Hop(Hop),
    /// The message has ended with this outcome. Further steps return the same result.
    End(Outcome),
}

/// Buffers and configuration shared by the messages of one algorithm between one pair.
///
/// Messages reuse the buffers one after another, so that no message allocates.
pub struct WalkContext<'r> {
    config: WalkConfig<'r>,
    /// All dimensions, the wrong ones first.
    start: [u8; 64],
    marks: HashSet<u64, BuildHasherDefault<MixHasher>>,
}

impl<'r> WalkContext<'r> {
    /// Creates a context for messages between the two `ends` of `cube`, routed by `routing` in at
    /// most `limit` hops.
    pub fn new(cube: Hypercube, ends: Pair, routing: &'r dyn LocalRouting, limit: u32) -> Self {
        let wrong = ends.from.0 ^ ends.to.0;
        let mut start = [0; 64];
        let all = || 0..cube.dimension();
        let ordered = all().filter(|dim| wrong >> dim & 1 == 1).chain(all().filter(|dim| wrong >> dim & 1 == 0));
        for (slot, dim) in start.iter_mut().zip(ordered) {
            *slot = dim;
        }
        let config = WalkConfig {
            cube,
            ends,
            limit,
            distance: cube.distance(ends.from, ends.to) as u8,
            routing,
            uniform_tiers: routing
                .is_uniform()
                .then(|| routing.tiers(Position { here: ends.from, wrong, header: Header::default() })),
            random: routing.order() == Order::Random,
            ignores_faults: routing.knowledge() == Knowledge::Nothing,
            marks_blocked: routing.marks_blocked_nodes(),
            inspects_links: routing.depends_on_faults(),
            has_changing_header: !routing.is_uniform() && routing.header_count() > 1,
        };
        Self { config, start, marks: HashSet::default() }
    }

    /// Creates a message at the source, among `faults`, with its own random generator.
    #[inline]
    pub fn message<'a, F: Faults>(&'a mut self, faults: &'a mut F, mut generator: Generator) -> MessageWalk<'a, 'r, F> {
        self.marks.clear();
        let header = match self.config.routing.initial_header_count() {
            1 => Header::default(),
            choices => Header(below(&mut generator, u32::from(choices)) as u8),
        };
        MessageWalk {
            view: FaultView { faults, marks: &mut self.marks },
            state: WalkState {
                here: self.config.ends.from,
                wrong_count: self.config.distance,
                dims: self.start,
                hops: 0,
                lost: false,
                header,
                generator,
            },
            config: &self.config,
        }
    }
}

/// A message in progress, which can be stepped, run and inspected.
pub struct MessageWalk<'a, 'r, F> {
    config: &'a WalkConfig<'r>,
    view: FaultView<'a, F>,
    state: WalkState,
}

/// Parameters of a message that are constant along its path.
struct WalkConfig<'a> {
    cube: Hypercube,
    ends: Pair,
    limit: u32,
    /// Length of a minimal path.
    distance: u8,
    routing: &'a dyn LocalRouting,
    /// Tiers of `routing` if they are equal at all nodes.
    uniform_tiers: Option<Tiers>,
    /// True if `routing` selects among usable dimensions at random.
    random: bool,
    /// True if `routing` has no information about faults.
    ignores_faults: bool,
    /// True if `routing` marks blocked nodes.
    marks_blocked: bool,
    /// True if the tiers of `routing` depend on the live links of a node.
    inspects_links: bool,
    /// True if headers can change along the path.
    has_changing_header: bool,
}

/// State of a message that changes with each hop.
#[derive(Clone, Debug)]
struct WalkState {
    here: NodeId,
    /// Number of wrong dimensions, which are `dims[..wrong_count]` in any order. The right
    /// dimensions, `dims[wrong_count..n]`, are in any order too.
    wrong_count: u8,
    dims: [u8; 64],
    hops: u32,
    lost: bool,
    header: Header,
    generator: Generator,
}

/// The faults as seen by one message, which also avoids the nodes it has marked.
pub(crate) struct FaultView<'a, F> {
    faults: &'a mut F,
    marks: &'a mut HashSet<u64, BuildHasherDefault<MixHasher>>,
}

impl<F: Faults> FaultView<'_, F> {
    /// Returns whether a message of this kind may hop from `here` across `dim`, given its knowledge
    /// of faults.
    #[inline(always)]
    fn may_enter<const KIND: u8>(&mut self, config: &WalkConfig<'_>, here: NodeId, dim: u8) -> bool {
        let node = config.cube.neighbor(here, dim);
        let live = match KIND {
            KIND_UNMARKED => !self.faults.is_faulty(node),
            KIND_MARKING => self.is_live(node),
            _ => config.ignores_faults || self.is_live(node),
        };
        live && (config.ignores_faults || !self.faults.is_link_faulty(Link { from: here, dim }))
    }

    /// Returns whether a message may be sent over `link`, given its knowledge of its neighbors.
    pub(crate) fn is_open(&mut self, link: Link) -> bool {
        self.is_live(link.end()) && !self.faults.is_link_faulty(link)
    }

    #[inline(always)]
    fn is_live(&mut self, node: NodeId) -> bool {
        let live = !self.faults.is_faulty(node);
        if self.marks.is_empty() { live } else { live && !self.marks.contains(&node.0) }
    }
}

impl<'a, 'r, F: Faults> MessageWalk<'a, 'r, F> {
    /// Returns the node at which the message is.
    pub fn current_node(&self) -> NodeId {
        self.state.here
    }

    /// Returns the number of hops made.
    pub fn hops(&self) -> u32 {
        self.state.hops
    }

    /// Moves the message by one hop, or ends it.
    pub fn step(&mut self) -> StepResult {
        self.state.step::<KIND_GENERAL, F>(self.config, &mut self.view)
    }

    /// Steps until the message ends and returns its outcome, `None` if it has not ended after
    /// `budget` steps.
    pub fn run_until(&mut self, budget: u32) -> Option<Outcome> {
        (0..budget).find_map(|_| match self.step() {
            StepResult::Hop(_) => None,
            StepResult::End(outcome) => Some(outcome),
        })
    }

    /// Runs the message to its end and returns its outcome.
    #[inline]
    pub fn run(&mut self) -> Outcome {
        match self.config.forward_first() {
            Some(tiers) if self.config.marks_blocked => self.run_forward::<KIND_MARKING>(&tiers),
            Some(tiers) => self.run_forward::<KIND_UNMARKED>(&tiers),
            None => loop {
                if let StepResult::End(outcome) = self.step() {
                    return outcome;
                }
            },
        }
    }

    /// Repeats [`MessageWalk::step`] for algorithms that first draw from the live wrong dimensions.
    ///
    /// Nearly every hop of every measurement is made in this loop.
    #[inline]
    fn run_forward<const KIND: u8>(&mut self, tiers: &[Tier]) -> Outcome {
        // A local copy shows the compiler that the state is not aliased.
        let mut state = self.state.clone();
        let outcome = loop {
            if state.wrong_count == 0 {
                break Outcome::Delivered;
            }
            if state.hops >= self.config.limit {
                break Outcome::LimitReached;
            }
            if state.wrong_count == 1 && !self.view.faults.has_link_faults() {
                // The last hop always succeeds: the destination is live.
                (state.here, state.wrong_count, state.hops) = (self.config.ends.to, 0, state.hops + 1);
                break Outcome::Delivered;
            }
            let here = state.here;
            let usable = |dim| self.view.may_enter::<KIND>(self.config, here, dim);
            match state.draw(0, usize::from(state.wrong_count), usable) {
                Some(index) => {
                    let dim = state.dims[index & 63];
                    state.here = self.config.cube.neighbor(here, dim);
                    state.wrong_count -= 1;
                    state.dims.swap(index & 63, usize::from(state.wrong_count) & 63);
                    state.hops += 1;
                }
                None => {
                    if let StepResult::End(outcome) = state.choose::<KIND, F>(tiers, 1, self.config, &mut self.view) {
                        break outcome;
                    }
                }
            }
        };
        self.state = state;
        outcome
    }

    /// Returns the routing algorithm.
    pub(crate) fn routing(&self) -> &'r dyn LocalRouting {
        self.config.routing
    }

    pub(crate) fn view(&mut self) -> (&mut FaultView<'a, F>, Hypercube, Pair) {
        (&mut self.view, self.config.cube, self.config.ends)
    }
}

/// Routing kind with its own compiled loop: random with local information, without marks.
const KIND_UNMARKED: u8 = 1;
/// Routing kind with its own compiled loop: random with local information and marks.
const KIND_MARKING: u8 = 2;
/// Routing kind of all other algorithms.
const KIND_GENERAL: u8 = 0;

impl WalkConfig<'_> {
    /// Returns the tiers if they are equal at all nodes and begin with a random choice from the
    /// live wrong dimensions.
    fn forward_first(&self) -> Option<Tiers> {
        let first = |tiers: &[Tier]| tiers.first().is_some_and(|tier| tier.dimensions == Dimensions::Wrong);
        self.uniform_tiers.filter(|tiers| self.random && !self.ignores_faults && first(tiers))
    }
}

impl WalkState {
    fn position(&self, config: &WalkConfig<'_>) -> Position {
        Position { here: self.here, wrong: self.here.0 ^ config.ends.to.0, header: self.header }
    }

    fn step<const KIND: u8, F: Faults>(&mut self, config: &WalkConfig<'_>, view: &mut FaultView<'_, F>) -> StepResult {
        if self.lost {
            return StepResult::End(Outcome::Lost);
        }
        if self.wrong_count == 0 {
            return StepResult::End(Outcome::Delivered);
        }
        if self.hops >= config.limit {
            return StepResult::End(Outcome::LimitReached);
        }
        let here;
        let tiers = match &config.uniform_tiers {
            Some(tiers) => tiers,
            None => {
                here = config.routing.tiers_with_links(self.position(config), self.links::<KIND, F>(config, view));
                &here
            }
        };
        self.choose::<KIND, F>(tiers, 0, config, view)
    }

    /// Returns the links of the current node. All links count as live if the algorithm does not
    /// inspect links.
    #[inline(always)]
    fn links<const KIND: u8, F: Faults>(&self, config: &WalkConfig<'_>, view: &mut FaultView<'_, F>) -> Links {
        let all = config.cube.mask();
        if !config.inspects_links {
            return Links { all, live: all };
        }
        let live = set_dimensions(all).filter(|&dim| view.may_enter::<KIND>(config, self.here, dim));
        Links { all, live: live.fold(0, |live, dim| live | 1 << dim) }
    }

    /// Hops by the first tier, from index `rank` on, that has a usable dimension. Without such a
    /// tier, the message ends.
    #[inline(always)]
    fn choose<const KIND: u8, F: Faults>(
        &mut self,
        tiers: &[Tier],
        rank: usize,
        config: &WalkConfig<'_>,
        view: &mut FaultView<'_, F>,
    ) -> StepResult {
        for (rank, tier) in tiers.iter().enumerate().skip(rank) {
            let (here, wrong) = (self.here, self.here.0 ^ config.ends.to.0);
            let (split, all) = (usize::from(self.wrong_count), usize::from(config.cube.dimension()));
            let (low, high, these) = match tier.dimensions {
                Dimensions::Wrong => (0, split, u64::MAX),
                Dimensions::Right => (split, all, u64::MAX),
                Dimensions::Mask(dims) if dims & wrong == dims => (0, split, dims),
                Dimensions::Mask(dims) if dims & wrong == 0 => (split, all, dims),
                Dimensions::Mask(dims) => (0, all, dims),
            };
            let mut usable = |dim| these >> dim & 1 == 1 && view.may_enter::<KIND>(config, here, dim);
            if tier.dimensions.is_backward(wrong) {
                if here == config.ends.from {
                    if self.dims[low..high].iter().any(|&dim| usable(dim)) {
                        return StepResult::End(self.blocked_outcome());
                    }
                    continue;
                }
                if rank == 1 && config.marks_blocked {
                    view.marks.insert(here.0);
                }
            }
            let mut usable = |dim| these >> dim & 1 == 1 && view.may_enter::<KIND>(config, here, dim);
            let chosen = if low == 0 && high == all && split < all {
                self.draw_from_all(high, usable)
            } else if config.random {
                self.draw(low, high, usable)
            } else {
                highest(&mut self.dims[low..high], &mut usable).map(|index| low + index)
            };
            if let Some(index) = chosen {
                let (at, dim) = (self.position(config), self.dims[index & 63]);
                let header = if config.has_changing_header {
                    config.routing.header_after_with_links(at, self.links::<KIND, F>(config, view), dim)
                } else {
                    self.header
                };
                let hop = self.hop(index, tier.rule, config);
                self.header = header;
                self.lost = config.ignores_faults
                    && (view.faults.is_faulty(hop.to) || view.faults.is_link_faulty(Link { from: hop.from, dim }));
                return StepResult::Hop(hop);
            }
        }
        StepResult::End(self.blocked_outcome())
    }

    /// Returns the outcome of a message that cannot hop.
    fn blocked_outcome(&self) -> Outcome {
        if self.hops == 0 { Outcome::BlockedAtSource } else { Outcome::Blocked }
    }

    /// Draws from `dims[low..high]` until a dimension is usable, and returns its index.
    ///
    /// Rejected dimensions move to the end of the range, so that none is examined twice.
    #[inline(always)]
    fn draw(&mut self, low: usize, high: usize, mut usable: impl FnMut(u8) -> bool) -> Option<usize> {
        let mut end = high;
        while end > low {
            let pick = low + below(&mut self.generator, (end - low) as u32) as usize;
            end -= 1;
            // All indices are below 64. The mask lets the compiler omit the bounds check.
            self.dims.swap(pick & 63, end & 63);
            if usable(self.dims[end & 63]) {
                return Some(end);
            }
        }
        None
    }

    /// Draws a usable dimension from `dims[..high]`, wrong and right alike, and returns its index.
    ///
    /// The order of `dims` does not change, so that wrong and right dimensions stay apart.
    fn draw_from_all(&mut self, high: usize, mut usable: impl FnMut(u8) -> bool) -> Option<usize> {
        let found: Vec<_> = (0..high).filter(|&index| usable(self.dims[index & 63])).collect();
        (!found.is_empty()).then(|| found[below(&mut self.generator, found.len() as u32) as usize])
    }

    /// Hops across the dimension `dims[index]`.
    #[inline(always)]
    fn hop(&mut self, index: usize, rule: &'static Rule, config: &WalkConfig<'_>) -> Hop {
        let from = self.here;
        self.here = config.cube.neighbor(from, self.dims[index & 63]);
        let forward = index < usize::from(self.wrong_count);
        self.wrong_count -= u8::from(forward);
        self.dims.swap(index & 63, usize::from(self.wrong_count) & 63);
        self.wrong_count += u8::from(!forward);
        self.hops += 1;
        Hop { from, to: self.here, rule }
    }
}

/// Returns the index of the highest usable dimension, after sorting `dims`.
fn highest(dims: &mut [u8], usable: &mut dyn FnMut(u8) -> bool) -> Option<usize> {
    dims.sort_unstable();
    (0..dims.len()).rev().find(|&i| usable(dims[i]))
}
