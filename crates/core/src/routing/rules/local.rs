//! Routing of single messages and circuits on hypercubes by user-defined rules.

use std::sync::Arc;

use super::RuleRouting;
use super::check::MAX_PARTS;
use super::code::{Code, CompiledRule, FiredRule, PermittedPorts, PermittedSet, RuleProgram};
use super::inputs::{CubeInputs, Input};
use super::tree::{Atom, Ports, RuleStatement, Set, Tree, When};
use crate::routing::{
    Criterion, Dimensions, Header, Knowledge, Links, LocalRouting, Order, Position, Rule, Tier, Tiers, UserRouting,
};
use crate::topology::Hypercube;

/// Encoding of the state and the arrival dimension in message headers.
#[derive(Clone, Copy, Debug)]
pub(super) struct HeaderEncoding {
    /// `true` if the source computes the initial state. Header 0 then marks a message at its start.
    starts: bool,
    /// The number of values of the arrival dimension: one for each dimension, and one for no
    /// dimension; 1 if no rule depends on the arrival dimension.
    arrival_values: u8,
    states: u8,
}

/// Maximum number of states of a hypercube routing whose rules use `back`. A header has eight bits
/// for the state and the arrival dimension.
pub(super) const MAX_STATES_LOOKING_BACK: usize = 3;

impl HeaderEncoding {
    pub(super) fn new(tree: &Tree, program: &RuleProgram) -> Self {
        let arrival_values = if program.reads(Input::Arrival) { Hypercube::MAX_DIMENSION + 1 } else { 1 };
        Self { starts: !tree.starts.is_empty(), arrival_values, states: tree.states.len().max(1) as u8 }
    }

    fn count(self) -> u8 {
        u8::from(self.starts) + self.states * self.arrival_values
    }

    fn encode(self, state: u8, arrival: u8) -> Header {
        Header(u8::from(self.starts) + state * self.arrival_values + if self.arrival_values > 1 { arrival } else { 0 })
    }
}

/// A compiled hypercube routing. Rules become tiers where possible, which the engines evaluate.
#[derive(Clone, Debug)]
pub(in crate::routing) struct CompiledLocalRouting {
    pub(super) program: RuleProgram,
    headers: HeaderEncoding,
    /// `true` if faults affect the routing only through tiers: if no port of a rule is usable, the
    /// next rule applies.
    is_tiered: bool,
    /// The tiers, if they are equal at all positions.
    uniform: Option<Tiers>,
    /// The sets with their rules, for a stateless routing that applies the same rules everywhere.
    unconditional_sets: Vec<(Code, &'static Rule)>,
    /// `true` if a rule permits several sets. A waiting message then takes any of them.
    yields: bool,
    /// The sets of the first rule, if it always fires and there are no states.
    first_rule_sets: Vec<Code>,
    /// A faster equivalent of `first_rule_sets`, with its rule, if the sets form a criterion of
    /// Chiu, Chalasani & Raghavendra.
    criterion: Option<(Criterion, &'static Rule)>,
}

impl CompiledLocalRouting {
    pub(super) fn new(tree: &Tree, program: RuleProgram, rule: impl Fn(u8) -> &'static Rule) -> Self {
        let headers = HeaderEncoding::new(tree, &program);
        let looks = |coded: &CompiledRule| coded.when.reads_port_status() || parts_look(coded);
        let falls = |coded: &&CompiledRule| coded.rest.is_some();
        let is_still = |coded: &CompiledRule| match &coded.rest {
            Some(rest) => !rest.reads_port_status() && !parts_look(coded),
            None => !looks(coded),
        };
        let yields = program.rules.iter().any(|coded| coded.permitted_sets.len() > 1);
        let falling = program.rules.iter().filter(falls).count();
        let starts_still = program.starts.iter().all(|(_, when)| !when.reads_port_status());
        let is_tiered =
            starts_still && program.rules.iter().all(is_still) && (falling == 0 || falling < MAX_PARTS && !yields);
        let mut local = Self {
            program,
            headers,
            is_tiered,
            uniform: None,
            unconditional_sets: Vec::new(),
            yields,
            first_rule_sets: Vec::new(),
            criterion: None,
        };
        if is_tiered && headers.count() == 1 {
            local.uniform = local.uniform(tree, &rule);
            local.unconditional_sets = local.unconditional_sets(&rule).unwrap_or_default();
        }
        if headers.count() == 1 {
            local.first_rule_sets = local.first_rule_sets();
            local.criterion = criterion(&local.first_rule_sets).map(|criterion| (criterion, rule(0)));
        }
        local
    }

    /// Returns [`CompiledLocalRouting::unconditional_sets`]: the sets of all rules up to the first
    /// after which no rule applies; `None` if one of these rules has a condition.
    fn unconditional_sets(&self, rule: impl Fn(u8) -> &'static Rule) -> Option<Vec<(Code, &'static Rule)>> {
        let mut unconditional_sets = Vec::new();
        for (coded, number) in self.program.rules.iter().zip(0..) {
            if !coded.rest.as_ref().unwrap_or(&coded.when).is_true() {
                return None;
            }
            for part in &coded.permitted_sets {
                if let PermittedPorts::Ports(code) = &part.what {
                    unconditional_sets.push((code.clone(), rule(number)));
                }
            }
            if coded.rest.is_none() {
                break;
            }
        }
        Some(unconditional_sets)
    }

    /// Returns the value of [`CompiledLocalRouting::first_rule_sets`].
    fn first_rule_sets(&self) -> Vec<Code> {
        let first = self.program.rules.first().filter(|first| first.when.is_true());
        let code = |part: &PermittedSet| match &part.what {
            PermittedPorts::Ports(code) => Some(code.clone()),
            _ => None,
        };
        first.map_or_else(Vec::new, |first| first.permitted_sets.iter().filter_map(code).collect())
    }

    /// Returns the dimensions that the rule firing at `at` permits, in any order, as a mask.
    #[inline]
    pub(in crate::routing) fn permitted(&self, at: Position, links: Links) -> u64 {
        if let Some((criterion, _)) = &self.criterion {
            let (low, free) = criterion.legal(at);
            return low | free;
        }
        self.permitted_by_rules(at, links)
    }

    #[inline(never)]
    fn permitted_by_rules(&self, at: Position, links: Links) -> u64 {
        if !self.first_rule_sets.is_empty() {
            let seen = CubeInputs { at, links, arrival: 0 };
            return self.first_rule_sets.iter().fold(0, |all, code| all | code.run(&seen));
        }
        self.firing_rule(at, links).map_or(0, |(fired, _)| fired.sets.iter().fold(0, |all, set| all | set))
    }

    /// Returns whether messages can have different headers on their path.
    pub(in crate::routing) fn is_headed(&self) -> bool {
        self.headers.count() > 1
    }

    /// Returns the header of a message that crosses `dim` by the rule that fires at `at`.
    #[inline(never)]
    pub(in crate::routing) fn header_after(&self, at: Position, links: Links, dim: u8) -> Header {
        let next = self.next(at, links, dim).unwrap_or_else(|| self.state(at, links).0);
        self.headers.encode(next, dim + 1)
    }

    /// Returns the rule that fires at `at`, with the state of the message.
    #[inline(never)]
    fn firing_rule(&self, at: Position, links: Links) -> Option<(FiredRule, u8)> {
        let (state, arrival) = self.state(at, links);
        Some((self.program.fire(state, &CubeInputs { at, links, arrival })?, state))
    }

    /// Returns the state after the hop across `dim`; `None` for the current state.
    fn next(&self, at: Position, links: Links, dim: u8) -> Option<u8> {
        let (fired, _) = self.firing_rule(at, links)?;
        let parts = &self.program.rules[usize::from(fired.rule)].permitted_sets;
        parts.iter().zip(&fired.sets).find(|&(_, set)| set >> dim & 1 == 1).and_then(|(part, _)| part.then)
    }

    /// Returns the tiers if they are equal at all positions: all wrong dimensions, or all right
    /// dimensions.
    fn uniform(&self, tree: &Tree, rule: impl Fn(u8) -> &'static Rule) -> Option<Tiers> {
        let mut tiers = Vec::new();
        for ((line, coded), number) in tree.rules.iter().zip(&self.program.rules).zip(0..) {
            let always =
                !matches!(line.when, When::Condition(_)) || coded.rest.as_ref().is_some_and(|rest| rest.is_true());
            if !always {
                return None;
            }
            for set in whole_sets(tree, line)? {
                tiers.push(Tier { dimensions: set, rule: rule(number) });
            }
            if coded.rest.is_none() {
                break;
            }
        }
        let mut all = Tiers::NONE;
        tiers.into_iter().for_each(|tier| all.add(tier));
        Some(all)
    }

    /// Returns whether a rule depends on the arrival dimension of a message.
    pub(super) fn looks_back(&self) -> bool {
        self.headers.arrival_values > 1
    }

    /// Returns the state of a message at `at`, and its arrival dimension plus 1.
    fn state(&self, at: Position, links: Links) -> (u8, u8) {
        if self.headers.count() == 1 {
            return (0, 0);
        }
        match at.header.0 {
            0 if self.headers.starts => (self.program.start(&CubeInputs { at, links, arrival: 0 }), 0),
            header => {
                let header = header - u8::from(self.headers.starts);
                (header / self.headers.arrival_values, header % self.headers.arrival_values)
            }
        }
    }
}

fn parts_look(coded: &CompiledRule) -> bool {
    coded
        .permitted_sets
        .iter()
        .any(|part| matches!(&part.what, PermittedPorts::Ports(code) if code.reads_port_status()))
}

/// Returns the criterion equivalent to `sets`, if there is one.
fn criterion(sets: &[Code]) -> Option<Criterion> {
    let (up, down) = match sets {
        [low] if low.is_lowest_wrong() => (0, 0),
        [low, free] if low.is_lowest_wrong() => free.free_wrong()?,
        _ => return None,
    };
    Some(Criterion { up, down, ..Criterion::SEQUENTIAL })
}

/// Returns the sets of a rule if each contains all wrong or all right dimensions.
fn whole_sets(tree: &Tree, line: &RuleStatement) -> Option<Vec<Dimensions>> {
    fn whole_set(tree: &Tree, set: &Set) -> Option<Dimensions> {
        match set {
            Set::Atom(Atom::Minimal | Atom::Wrong, _) => Some(Dimensions::Wrong),
            Set::Atom(Atom::Right, _) => Some(Dimensions::Right),
            Set::Named(name) => match tree.meaning(name) {
                Some(super::tree::Meaning::Set(set)) => whole_set(tree, set),
                _ => None,
            },
            _ => None,
        }
    }
    let sets = line.takes.iter().map(|take| match &take.ports {
        Ports::Sets(sets) => sets.iter().map(|set| whole_set(tree, set)).collect::<Option<Vec<_>>>(),
        _ => None,
    });
    Some(sets.collect::<Option<Vec<_>>>()?.concat())
}

impl RuleRouting {
    /// Returns the rule that fires at `at`.
    pub(in crate::routing) fn rule_at(&self, at: Position, links: Links) -> Option<&'static Rule> {
        Some(self.rule(self.local.as_ref()?.firing_rule(at, links)?.0.rule))
    }

    /// Returns the compiled hypercube routing.
    pub(in crate::routing) fn local(&self) -> Option<&Arc<CompiledLocalRouting>> {
        self.local.as_ref()
    }

    /// Returns the tiers of a routing that faults affect only through tiers.
    fn tiered_tiers(&self, local: &CompiledLocalRouting, at: Position, links: Links) -> Tiers {
        let (state, arrival) = local.state(at, links);
        let seen = CubeInputs { at, links, arrival };
        let mut tiers = Tiers::NONE;
        for (coded, number) in local.program.rules.iter().zip(0..) {
            if coded.states >> state & 1 == 0 || coded.rest.as_ref().unwrap_or(&coded.when).run(&seen) == 0 {
                continue;
            }
            for part in &coded.permitted_sets {
                if let PermittedPorts::Ports(code) = &part.what {
                    tiers.add(Tier { dimensions: Dimensions::Mask(code.run(&seen)), rule: self.rule(number) });
                }
            }
            if coded.rest.is_none() {
                break;
            }
        }
        tiers
    }
}

impl LocalRouting for RuleRouting {
    fn tiers(&self, at: Position) -> Tiers {
        self.tiers_with_links(at, Links::ALL)
    }

    fn depends_on_faults(&self) -> bool {
        self.local.as_ref().is_some_and(|local| !local.is_tiered)
    }

    fn tiers_with_links(&self, at: Position, links: Links) -> Tiers {
        match self.local.as_deref() {
            Some(CompiledLocalRouting { uniform: Some(tiers), .. }) => return *tiers,
            Some(CompiledLocalRouting { criterion: Some((criterion, rule)), .. }) => {
                let (low, free) = criterion.legal(at);
                let tier = |dims| Tier { dimensions: Dimensions::Mask(dims), rule };
                return if free == 0 { Tiers::one(tier(low)) } else { Tiers::two(tier(low), tier(free)) };
            }
            Some(local) if !local.unconditional_sets.is_empty() => {
                let seen = CubeInputs { at, links, arrival: 0 };
                let mut tiers = Tiers::NONE;
                for (code, rule) in &local.unconditional_sets {
                    tiers.add(Tier { dimensions: Dimensions::Mask(code.run(&seen)), rule });
                }
                return tiers;
            }
            Some(local) if local.is_tiered => return self.tiered_tiers(local, at, links),
            _ => {}
        }
        let mut tiers = Tiers::NONE;
        if let Some((local, (fired, _))) =
            self.local.as_deref().and_then(|local| Some((local, local.firing_rule(at, links)?)))
        {
            let parts = &local.program.rules[usize::from(fired.rule)].permitted_sets;
            for (_, &set) in parts.iter().zip(&fired.sets) {
                tiers.add(Tier { dimensions: Dimensions::Mask(set), rule: self.rule(fired.rule) });
            }
        }
        tiers
    }

    fn is_uniform(&self) -> bool {
        self.local.as_ref().is_some_and(|local| local.uniform.is_some())
    }

    fn order(&self) -> Order {
        Order::Random
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Neighbors
    }

    fn yields_to_traffic(&self) -> bool {
        self.local.as_ref().is_some_and(|local| local.yields)
    }

    fn header_count(&self) -> u8 {
        self.local.as_ref().map_or(1, |local| local.headers.count())
    }

    fn header_after(&self, at: Position, dim: u8) -> Header {
        self.header_after_with_links(at, Links::ALL, dim)
    }

    fn header_after_with_links(&self, at: Position, links: Links, dim: u8) -> Header {
        let Some(local) = self.local.as_deref().filter(|local| local.headers.count() > 1) else { return at.header };
        let (state, _) = local.state(at, links);
        let next =
            if local.is_tiered { self.tiered_next_state(local, at, links, dim) } else { local.next(at, links, dim) };
        local.headers.encode(next.unwrap_or(state), dim + 1)
    }

    fn user_routing(&self) -> Option<&dyn UserRouting> {
        Some(self)
    }
}

impl RuleRouting {
    /// Returns the state after the hop across `dim` for tiered rules; `None` for the current state.
    /// The first rule that permits the hop determines the state.
    fn tiered_next_state(&self, local: &CompiledLocalRouting, at: Position, links: Links, dim: u8) -> Option<u8> {
        let (state, arrival) = local.state(at, links);
        let seen = CubeInputs { at, links, arrival };
        for coded in local.program.rules.iter().filter(|coded| coded.states >> state & 1 == 1) {
            if coded.rest.as_ref().unwrap_or(&coded.when).run(&seen) == 0 {
                continue;
            }
            for part in &coded.permitted_sets {
                if matches!(&part.what, PermittedPorts::Ports(code) if code.run(&seen) >> dim & 1 == 1) {
                    return part.then;
                }
            }
            if coded.rest.is_none() {
                break;
            }
        }
        None
    }
}
