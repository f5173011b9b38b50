//! Semantic checks of rules: names, networks, numbers.

use super::error::{PositionedError, shortened};
use super::tree::{Condition, Family, Meaning, Name, NetworkKind, Ports, RuleStatement, Set, Tree, When};
use super::vocabulary::{Availability, SETS, availability};
use crate::routing::ALGORITHMS;
use crate::routing::rule::MAX_RULES;

/// Maximum number of routings in a text.
const MAX_ROUTINGS: usize = 8;
/// Maximum number of states of a routing.
const MAX_STATES: usize = 16;
/// Maximum number of definitions of a routing.
const MAX_DEFINITIONS: usize = 64;
/// Maximum number of sets that one rule permits, over all its classes and preferences.
pub(super) const MAX_PARTS: usize = 4;
/// Maximum number of initial states with conditions.
const MAX_STARTS: usize = 16;
/// Maximum length of a name, in bytes.
const MAX_NAME: usize = 32;

/// Checks the routings of a text and returns the first error.
pub(super) fn check(trees: &[Tree]) -> Result<(), PositionedError> {
    for (number, tree) in trees.iter().enumerate() {
        check_name(&tree.name)?;
        let place = tree.name.1.0;
        if ALGORITHMS.iter().any(|algorithm| algorithm.id == tree.name.0) {
            let problem = format!("{} is the name of a built-in algorithm", tree.name);
            return Err(PositionedError::new(place, problem, format!("another name, such as my-{}", tree.name)));
        }
        if trees[..number].iter().any(|other| other.name == tree.name) {
            return Err(PositionedError::new(place, format!("{} is defined twice", tree.name), "each name once"));
        }
        at_most(place, number + 1, MAX_ROUTINGS, "routings")?;
        RoutingChecker { tree, known: &tree.definitions }.check_all()?;
    }
    Ok(())
}

fn at_most(at: u32, count: usize, most: usize, what: &str) -> Result<(), PositionedError> {
    match count > most {
        true => Err(PositionedError::new(
            at,
            format!("there are more than {most} {what}"),
            format!("at most {most} {what}"),
        )),
        false => Ok(()),
    }
}

/// Checks the name of a routing, which appears in links, files and commands.
fn check_name(name: &Name) -> Result<(), PositionedError> {
    let plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if name.0.bytes().all(plain) && name.0.len() <= MAX_NAME {
        return Ok(());
    }
    let accepted = format!("up to {MAX_NAME} lower-case letters, digits and hyphens, starting with a letter");
    Err(PositionedError::new(name.1.0, format!("{} is not a valid name for a routing", shortened(&name.0)), accepted))
}

/// Checker of one routing, with the definitions that are in scope.
struct RoutingChecker<'t> {
    tree: &'t Tree,
    known: &'t [(Name, Meaning)],
}

impl RoutingChecker<'_> {
    fn check_all(&self) -> Result<(), PositionedError> {
        let tree = self.tree;
        let place = tree.name.1.0;
        at_most(place, tree.networks.len(), 8, "networks")?;
        if tree.networks.iter().any(|on| on.dimensions == Some(0)) {
            return Err(PositionedError::new(
                place,
                "0 dimensions are too few",
                "mesh 1 to mesh 5, or mesh for any number",
            ));
        }
        at_most(place, tree.states.len(), MAX_STATES, "states")?;
        at_most(place, tree.starts.len(), MAX_STARTS, "start conditions")?;
        at_most(place, tree.definitions.len(), MAX_DEFINITIONS, "definitions")?;
        at_most(place, tree.rules.len(), MAX_RULES, "rules")?;
        if tree.classes == 0 {
            return Err(PositionedError::new(place, "0 classes are too few", "classes 1 to 16"));
        }
        if u32::from(tree.escapes) >> tree.classes != 0 {
            return Err(PositionedError::new(
                place,
                "there is no such escape class",
                format!("classes below {}", tree.classes),
            ));
        }
        let definitions = tree.definitions.iter().map(|(name, _)| name);
        let names: Vec<_> = tree.states.iter().chain(definitions).collect();
        for (number, name) in names.iter().enumerate() {
            let taken = SETS.iter().any(|(word, ..)| *word == name.0) || names[..number].contains(name);
            if taken || name.0.len() > MAX_NAME {
                let problem = format!("{} already has a meaning, or is too long", shortened(&name.0));
                return Err(PositionedError::new(name.1.0, problem, format!("a new name of up to {MAX_NAME} letters")));
            }
        }
        for (number, (_, meaning)) in tree.definitions.iter().enumerate() {
            // A definition may use only earlier definitions, so no definition refers to itself.
            let check = RoutingChecker { tree, known: &tree.definitions[..number] };
            match meaning {
                Meaning::Set(set) => check.set(set)?,
                Meaning::Condition(condition) => check.condition(condition)?,
            }
        }
        for (state, condition) in &tree.starts {
            self.state(state)?;
            self.condition(condition)?;
        }
        tree.rules.iter().try_for_each(|line| self.line(line))
    }

    fn line(&self, line: &RuleStatement) -> Result<(), PositionedError> {
        line.states.iter().try_for_each(|state| self.state(state))?;
        if let When::Condition(condition) = &line.when {
            self.condition(condition)?;
        }
        let mut parts = 0;
        for take in &line.takes {
            if let Some(state) = &take.then {
                self.state(state)?;
            }
            if take.class >= self.tree.classes {
                let (class, classes) = (take.class, self.tree.classes);
                let problem = format!("there is no class {class}: the number of classes is {classes}, counted from 0");
                let accepted = format!("a class below {classes}, or classes {} before the rules", class + 1);
                return Err(PositionedError::new(line.at.0, problem, accepted));
            }
            parts += 1;
            match &take.ports {
                Ports::Nothing => {}
                Ports::Ring(at) => self.check_available(at.0, "ring", Availability::Planes)?,
                Ports::Onto(_, set, at) => {
                    self.check_available(at.0, "ring", Availability::Planes)?;
                    self.set(set)?;
                }
                Ports::Sets(sets) => {
                    parts += sets.len() - 1;
                    sets.iter().try_for_each(|set| self.set(set))?;
                }
            }
        }
        at_most(line.at.0, parts, MAX_PARTS, "sets in one rule")
    }

    fn state(&self, name: &Name) -> Result<(), PositionedError> {
        if self.tree.states.contains(name) {
            return Ok(());
        }
        let known: Vec<_> = self.tree.states.iter().map(|name| name.0.as_str()).collect();
        let wrong = PositionedError::unknown(name.1.0, &name.0, "state", &known);
        Err(if known.is_empty() {
            PositionedError { accepted: "states declared by a line such as: states first second".into(), ..wrong }
        } else {
            wrong
        })
    }

    /// Checks that a construct is defined on all networks of the routing.
    fn check_available(&self, at: u32, what: &str, place: Availability) -> Result<(), PositionedError> {
        match self.tree.networks.iter().find(|&&on| !place.has(on)) {
            None => Ok(()),
            Some(on) => {
                let known = SETS.iter().filter(|(.., place)| self.tree.networks.iter().all(|&on| place.has(on)));
                let known: Vec<_> = known.map(|(word, ..)| *word).collect();
                let problem = format!("{what} is not defined on {on}, only on {}", place.name());
                Err(PositionedError::new(at, problem, known.join(", ")))
            }
        }
    }

    fn set(&self, set: &Set) -> Result<(), PositionedError> {
        match set {
            Set::Atom(atom, place) => {
                let on = |on: &NetworkKind| match atom {
                    super::tree::Atom::Signed(port) => on.dimensions.is_none_or(|dimensions| port / 2 < dimensions),
                    _ => true,
                };
                if let Some(on) = self.tree.networks.iter().find(|it| it.family != Family::Cube && !on(it)) {
                    let accepted = "0+, 0- and so on, below the number of dimensions";
                    return Err(PositionedError::new(place.0, format!("{on} has no {atom}"), accepted));
                }
                self.check_available(place.0, &atom.to_string(), availability(*atom))
            }
            Set::Named(name) => {
                let is_set = |(other, meaning): &&(Name, Meaning)| other == name && matches!(meaning, Meaning::Set(_));
                if self.known.iter().any(|it| is_set(&it)) {
                    return Ok(());
                }
                let known = self.known.iter().filter(|(_, meaning)| matches!(meaning, Meaning::Set(_)));
                let sets = SETS.iter().filter(|(.., place)| self.tree.networks.iter().all(|&on| place.has(on)));
                let known: Vec<_> =
                    known.map(|(name, _)| name.0.as_str()).chain(sets.map(|(word, ..)| *word)).collect();
                Err(PositionedError::unknown(name.1.0, &name.0, "set of ports", &known))
            }
            Set::Lowest(set) | Set::Highest(set) | Set::Not(set) => self.set(set),
            Set::And(a, b) | Set::Or(a, b) => self.set(a).and_then(|()| self.set(b)),
        }
    }

    fn condition(&self, condition: &Condition) -> Result<(), PositionedError> {
        match condition {
            Condition::Always => Ok(()),
            Condition::Test(_, a, b) => self.set(a).and_then(|()| self.set(b)),
            Condition::AtSource(at) => self.check_available(at.0, "at source", Availability::Meshes),
            Condition::Around(at) => self.check_available(at.0, "around", Availability::Planes),
            Condition::Parity { called, at, .. } => match called {
                super::tree::CoordinateName::Coordinate => {
                    self.check_available(at.0, "coordinate", Availability::Meshes)
                }
                _ => self.check_available(at.0, "column and row", Availability::Planes),
            },
            Condition::Named(name) => {
                let conditions = self.known.iter().filter(|(_, meaning)| matches!(meaning, Meaning::Condition(_)));
                let mut known: Vec<_> = conditions.map(|(name, _)| name.0.as_str()).collect();
                if known.contains(&name.0.as_str()) {
                    return Ok(());
                }
                known.extend(["around", "at source", "some", "no", "every"]);
                Err(PositionedError::unknown(name.1.0, &name.0, "condition", &known))
            }
            Condition::Not(condition) => self.condition(condition),
            Condition::And(a, b) | Condition::Or(a, b) => self.condition(a).and_then(|()| self.condition(b)),
        }
    }
}
