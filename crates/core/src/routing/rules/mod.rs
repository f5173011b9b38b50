//! User-defined routings: rules, first match first, compiled to operations for the engines.
//!
//! `docs/rules.md` specifies the language. A text becomes tokens, a [`Tree`] for each routing, and
//! operations on masks. On meshes and tori, a table caches the results of the operations. The
//! engines use each routing as an ordinary [`Algorithm`].

mod check;
mod code;
mod cost;
mod error;
mod examples;
mod grammar;
mod inputs;
mod local;
mod print;
mod table;
mod token;
pub mod tree;
mod vocabulary;
mod worm;

pub use error::RuleError;
pub use examples::{EXAMPLES, EXERCISES, Example, Exercise};
pub use vocabulary::words_on;

use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, OnceLock};

use self::code::RuleProgram;
use self::error::{PositionedError, line_and_column};
use self::inputs::Input;
pub(super) use self::local::CompiledLocalRouting;
use self::local::MAX_STATES_LOOKING_BACK;
use self::table::RuleTable;
use self::tree::{Family, RuleStatement, Tree, When};
use super::{Algorithm, DeadlockFreedom, Method, Promises, Shared, Unsupported, UseCase, UserRouting};
use crate::topology::Mesh;

/// Maximum length of a text, in bytes.
pub const MAX_TEXT: usize = 8192;

/// A parsed text of rules.
#[derive(Debug)]
pub struct RuleText {
    text: String,
    routings: Vec<Arc<Algorithm>>,
    trees: Vec<Tree>,
    warnings: Vec<RuleWarning>,
}

/// A warning about valid rules that are probably a mistake.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RuleWarning {
    /// The line, from 1.
    pub line: u32,
    /// The problem on the line.
    pub problem: String,
}

impl RuleText {
    /// Parses `text`: one or more routings, see `docs/rules.md`. Line endings are normalized.
    ///
    /// # Errors
    /// Returns the first problem, with its position.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        if text.len() > MAX_TEXT {
            let (line, column) = (1, 1);
            let problem = format!("the text has {} bytes", text.len());
            return Err(RuleError { line, column, problem, accepted: format!("at most {MAX_TEXT} bytes") });
        }
        let lines: Vec<_> = text.trim().lines().map(str::trim_end).collect();
        let text = lines.join("\n");
        let understood = grammar::read(&text).and_then(|trees| {
            check::check(&trees)?;
            let routings = trees.iter().map(|tree| RuleRouting::new(&text, tree)).collect::<Result<Vec<_>, _>>()?;
            Ok((trees, routings))
        });
        let (trees, routings) = understood.map_err(|wrong| wrong.in_text(&text))?;
        let warnings = trees.iter().flat_map(|tree| warnings(&text, tree)).collect();
        Ok(Self {
            routings: routings.into_iter().map(|routing| Arc::new(routing.algorithm())).collect(),
            text,
            trees,
            warnings,
        })
    }

    /// Returns the text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the routings, in order.
    pub fn routings(&self) -> &[Arc<Algorithm>] {
        &self.routings
    }

    /// Returns the parsed routings, in the order of [`RuleText::routings`].
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// Returns the routing called `id`.
    pub fn find(&self, id: &str) -> Option<&Arc<Algorithm>> {
        self.routings.iter().find(|routing| routing.id == id)
    }

    /// Returns the warnings, in the order of the text.
    pub fn warnings(&self) -> &[RuleWarning] {
        &self.warnings
    }
}

impl PartialEq for RuleText {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

/// Finds rules that can never fire, because an earlier rule always fires.
fn warnings(text: &str, tree: &Tree) -> Vec<RuleWarning> {
    let (mut taken, mut found) = (0u16, Vec::new());
    let states = tree.states.len().max(1);
    let all = (u32::MAX >> (32 - states)) as u16;
    for rule in &tree.rules {
        let number = |state| tree.states.iter().position(|other| other == state).unwrap_or(0);
        let own = rule.states.iter().fold(0, |mask, state| mask | 1 << number(state));
        let own = if own == 0 { all } else { own };
        if own & !taken == 0 {
            let (line, _) = line_and_column(text, rule.at.0 as usize);
            found.push(RuleWarning {
                line,
                problem: "this rule never fires: an earlier rule always fires first".into(),
            });
        }
        if !matches!(rule.when, When::Condition(_)) {
            taken |= own;
        }
    }
    found
}

/// Maximum number of states of rules that set up circuits. Reachability is computed for each state.
const MAX_STATES_OF_CIRCUITS: usize = 4;

/// A user-defined routing.
pub struct RuleRouting {
    tree: Tree,
    /// The line number and the reason of each rule.
    lines: Vec<(u32, String)>,
    /// The rules that permit more than minimal ports, as a mask.
    detours: u64,
    /// The operations on meshes and tori; `None` if the routing is defined only on hypercubes.
    mesh: Option<RuleProgram>,
    local: Option<Arc<CompiledLocalRouting>>,
    /// The tables by number of dimensions of a mesh, built on first use.
    tables: [OnceLock<RuleTable>; Mesh::MAX_DIMENSIONS as usize],
}

impl RuleRouting {
    fn new(text: &str, tree: &Tree) -> Result<Self, PositionedError> {
        let on = |cube| tree.networks.iter().any(|on| (on.family == Family::Cube) == cube);
        let program = |cube| on(cube).then(|| RuleProgram::new(tree, cube)).transpose();
        let lines = tree.rules.iter().map(|rule| reason(text, rule)).collect();
        let (mesh, cube) = (program(false)?, program(true)?);
        let looks_back = cube.as_ref().is_some_and(|cube| cube.reads(Input::Arrival));
        if looks_back && tree.states.len() > MAX_STATES_LOOKING_BACK {
            let problem =
                format!("{} uses `back` on cube and has more than {MAX_STATES_LOOKING_BACK} states", tree.name);
            let accepted =
                format!("`back` on cube with at most {MAX_STATES_LOOKING_BACK} states, which fit in a header");
            return Err(PositionedError::new(tree.name.1.0, problem, accepted));
        }
        let detours =
            tree.rules.iter().zip(0..).filter(|(rule, _)| rule.is_detour(tree)).fold(0, |all, (_, it)| all | 1 << it);
        let tables = Default::default();
        let mut routing = Self { tree: tree.clone(), lines, detours, mesh, local: None, tables };
        routing.local = cube.map(|cube| Arc::new(CompiledLocalRouting::new(tree, cube, |number| routing.rule(number))));
        Ok(routing)
    }

    /// Returns the operations for a network of the family of `mesh`.
    #[inline]
    fn program(&self, mesh: Mesh) -> Option<&RuleProgram> {
        if mesh.is_cube() { self.local.as_ref().map(|local| &local.program) } else { self.mesh.as_ref() }
    }

    #[inline]
    fn table(&self, program: &RuleProgram, dimensions: u8) -> &RuleTable {
        let place = usize::from(dimensions - 1) % self.tables.len();
        self.tables[place].get_or_init(|| RuleTable::new(program, dimensions, self.tree.states.len()))
    }

    /// Converts the routing to an ordinary algorithm.
    fn algorithm(self) -> Algorithm {
        let (id, on_cube, cost) = (self.tree.name.0.clone(), self.local.is_some(), self.tree.cost());
        let own = Arc::new(self);
        Algorithm {
            id: Cow::Owned(id.clone()),
            name: Cow::Owned(id),
            summary: "A user-defined routing that follows its rules.",
            guarantee: "None, except for the results of Check.",
            promises: Promises::detours(DeadlockFreedom::Unknown),
            paper: "the text of the experiment",
            cost,
            method: if on_cube { Method::Local(Shared::Arc(own.clone())) } else { Method::Mesh },
            dimension: None,
            worm: Some(Shared::Arc(own)),
        }
    }
}

impl UserRouting for RuleRouting {
    fn name(&self) -> &str {
        &self.tree.name.0
    }
    fn line(&self, rule: u8) -> Option<u32> {
        self.lines.get(usize::from(rule)).map(|&(line, _)| line)
    }
    fn sentence(&self, rule: u8) -> Option<&str> {
        self.lines.get(usize::from(rule)).map(|(_, sentence)| sentence.as_str())
    }
    fn check_circuits(&self) -> Result<(), Unsupported> {
        let Some(local) = &self.local else { return Err(Unsupported::NotSupported(UseCase::Circuits)) };
        if self.detours != 0 {
            return Err(Unsupported::NoCircuits("its rules may lead away from the destination"));
        }
        if local.looks_back() {
            return Err(Unsupported::NoCircuits("its rules use `back`"));
        }
        if self.tree.states.len() > MAX_STATES_OF_CIRCUITS {
            return Err(Unsupported::NoCircuits("its rules have more than four states"));
        }
        Ok(())
    }
    fn max_table_bytes(&self, mesh: Mesh) -> u64 {
        if mesh.is_cube() { 0 } else { table::MAX_BYTES }
    }
}

impl fmt::Debug for RuleRouting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Returns the line number of a rule and its reason.
fn reason(text: &str, rule: &RuleStatement) -> (u32, String) {
    let (line, _) = line_and_column(text, rule.at.0 as usize);
    (line, rule.sentence.clone().unwrap_or_else(|| format!("line {line}: {rule}")))
}

impl RuleStatement {
    /// Returns whether the rule may lead away from the destination, as far as its syntax shows.
    fn is_detour(&self, tree: &Tree) -> bool {
        use self::tree::{Atom, Meaning, Ports, Set};
        fn is_minimal(tree: &Tree, set: &Set) -> bool {
            let is_minimal = |set| is_minimal(tree, set);
            match set {
                Set::Atom(Atom::Minimal | Atom::Wrong | Atom::Away(_), _) => true,
                Set::Lowest(set) | Set::Highest(set) => is_minimal(set),
                Set::And(a, b) => is_minimal(a) || is_minimal(b),
                Set::Or(a, b) => is_minimal(a) && is_minimal(b),
                // Assume that a condition has tested a port that is named directly.
                Set::Atom(Atom::Compass(_) | Atom::Signed(_) | Atom::Dimension(_), _) => true,
                Set::Named(name) => match tree.meaning(name) {
                    Some(Meaning::Set(set)) => is_minimal(set),
                    _ => true,
                },
                _ => false,
            }
        }
        self.takes.iter().any(|take| match &take.ports {
            Ports::Nothing => false,
            Ports::Ring(_) | Ports::Onto(..) => true,
            Ports::Sets(sets) => !sets.iter().all(|set| is_minimal(tree, set)),
        })
    }
}
