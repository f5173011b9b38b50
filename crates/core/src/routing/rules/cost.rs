//! Costs of a routing that users write, counted from its rules.

use std::borrow::Cow;

use super::tree::{Atom, Condition, Meaning, Ports, RuleStatement, Set, Tree, When};
use crate::routing::cost::{CostPart, CostRules, FaultKnowledge, hypercube, mesh, network};

/// Names of the built-in sets and conditions that a routing uses.
#[derive(Clone, Copy, Debug, Default)]
struct Uses {
    /// Rings: `ring`, `onto` or `around`.
    rings: bool,
    /// Status bits of the neighbours: `disabled`, `ringed` and `single`.
    neighbors: [bool; 3],
}

impl Tree {
    /// Returns the costs of the routing, counted from its rules.
    ///
    /// Every routing tests the status of its node's links, because the engine removes dead links
    /// from each permitted set. The comparisons are the conditions that a message examines in the
    /// worst state, rule by rule until a rule without a condition; each test inside a condition
    /// counts.
    pub(super) fn cost(&self) -> CostRules {
        let mut uses = Uses::default();
        self.rules.iter().for_each(|rule| self.find_in_rule(rule, &mut uses));
        self.starts.iter().for_each(|(_, condition)| self.find_in_condition(condition, &mut uses));
        let knowledge = if uses.rings { FaultKnowledge::Rings } else { FaultKnowledge::OwnLinks };
        CostRules {
            knowledge,
            state: Cow::Owned(state(uses)),
            header: Cow::Owned(self.header(uses)),
            comparisons: Cow::Owned(self.comparisons()),
            cycle: &[],
            sorting_cycle: &[],
        }
    }

    fn header(&self, uses: Uses) -> Vec<CostPart> {
        let states = network::bits(self.states.len() as u128);
        let state = CostPart::fixed("state of the rules", "ceil(log2 of the number of states)", states, mesh::TEXT);
        let mut parts = vec![mesh::DESTINATION, state, hypercube::HOPS_LEFT];
        if uses.rings {
            parts.extend([mesh::STATUS, mesh::DIRECTION]);
        }
        parts
    }

    fn comparisons(&self) -> Vec<CostPart> {
        let rules = (0..self.states.len().max(1)).map(|state| self.conditions_in_state(state)).max().unwrap_or(0);
        let starts = self.starts.iter().map(|(_, condition)| self.tests(condition)).sum();
        let state = u128::from(self.states.len() > 1);
        vec![
            CostPart::fixed("conditions of the rules", "tests, in the state with the most", rules, mesh::TEXT),
            CostPart::fixed("state of the rules", "1 with two or more states", state, mesh::TEXT),
            CostPart::fixed("conditions of the initial states, at the source", "tests", starts, mesh::TEXT),
        ]
    }

    /// Returns the number of tests until a rule without a condition fires in state number `state`.
    fn conditions_in_state(&self, state: usize) -> u128 {
        let name = self.states.get(state);
        let fires =
            |rule: &&RuleStatement| rule.states.is_empty() || name.is_some_and(|name| rule.states.contains(name));
        let mut tests = 0;
        for rule in self.rules.iter().filter(fires) {
            match &rule.when {
                When::Condition(condition) => tests += self.tests(condition),
                When::Otherwise | When::Always => break,
            }
        }
        tests
    }

    /// Returns the number of tests in a condition.
    fn tests(&self, condition: &Condition) -> u128 {
        match condition {
            Condition::Always => 0,
            Condition::Test(..) | Condition::AtSource(_) | Condition::Around(_) | Condition::Parity { .. } => 1,
            Condition::Named(name) => match self.meaning(name) {
                Some(Meaning::Condition(condition)) => self.tests(condition),
                _ => 0,
            },
            Condition::Not(condition) => self.tests(condition),
            Condition::And(a, b) | Condition::Or(a, b) => self.tests(a) + self.tests(b),
        }
    }

    fn find_in_rule(&self, rule: &RuleStatement, uses: &mut Uses) {
        if let When::Condition(condition) = &rule.when {
            self.find_in_condition(condition, uses);
        }
        for take in &rule.takes {
            match &take.ports {
                Ports::Nothing => {}
                Ports::Ring(_) => uses.rings = true,
                Ports::Onto(_, set, _) => {
                    uses.rings = true;
                    self.find_in_set(set, uses);
                }
                Ports::Sets(sets) => sets.iter().for_each(|set| self.find_in_set(set, uses)),
            }
        }
    }

    fn find_in_condition(&self, condition: &Condition, uses: &mut Uses) {
        match condition {
            Condition::Around(_) => uses.rings = true,
            Condition::Test(_, a, b) => [a, b].into_iter().for_each(|set| self.find_in_set(set, uses)),
            Condition::Named(name) => {
                if let Some(Meaning::Condition(condition)) = self.meaning(name) {
                    self.find_in_condition(condition, uses);
                }
            }
            Condition::Not(condition) => self.find_in_condition(condition, uses),
            Condition::And(a, b) | Condition::Or(a, b) => {
                [a, b].into_iter().for_each(|condition| self.find_in_condition(condition, uses));
            }
            Condition::Always | Condition::AtSource(_) | Condition::Parity { .. } => {}
        }
    }

    fn find_in_set(&self, set: &Set, uses: &mut Uses) {
        match set {
            Set::Atom(Atom::Disabled, _) => uses.neighbors[0] = true,
            Set::Atom(Atom::Ringed, _) => uses.neighbors[1] = true,
            Set::Atom(Atom::Single, _) => uses.neighbors[2] = true,
            Set::Atom(..) => {}
            Set::Named(name) => {
                if let Some(Meaning::Set(set)) = self.meaning(name) {
                    self.find_in_set(set, uses);
                }
            }
            Set::Lowest(set) | Set::Highest(set) | Set::Not(set) => self.find_in_set(set, uses),
            Set::And(a, b) | Set::Or(a, b) => [a, b].into_iter().for_each(|set| self.find_in_set(set, uses)),
        }
    }
}

/// Returns the parts of the routing state of a node.
fn state(uses: Uses) -> Vec<CostPart> {
    const NEIGHBORS: [CostPart; 3] = [
        mesh::neighbors("disabled neighbours"),
        mesh::neighbors("neighbours on rings"),
        mesh::neighbors("links that a single fault blocks"),
    ];
    let mut parts = vec![mesh::OWN_LINKS];
    parts.extend(uses.rings.then_some(mesh::RING_POSITIONS));
    parts.extend(NEIGHBORS.into_iter().zip(uses.neighbors).filter_map(|(part, used)| used.then_some(part)));
    parts
}
