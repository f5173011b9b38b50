//! Rules compiled to straight-line operations on masks.

use super::error::PositionedError;
use super::inputs::{Input, InputSource, InputValues, POSITIVE, highest_port, lowest_port};
use super::tree::{Atom, Condition, Meaning, Name, Ports, RuleStatement, Set, Test, Tree, Way, When};
use crate::routing::rule::MAX_RULES;

/// Maximum number of operations of a routing, with definitions expanded where they are named.
const MAX_OPERATIONS: usize = 8192;

/// Maximum stack depth of intermediate results.
const STACK: usize = 32;

/// An operation on a stack of masks; a true condition is 1, a false one 0.
#[derive(Clone, Copy, Debug)]
enum Op {
    /// Pushes an input.
    Load(Input),
    /// Pushes a constant mask.
    Mask(u64),
    /// Replaces the top mask by its complement within all ports or dimensions.
    Not,
    /// Replaces the two top masks by their intersection.
    And,
    /// Replaces the two top masks by their union.
    Or,
    /// Keeps the lowest port of the top mask.
    LowestPort,
    /// Keeps the highest port of the top mask.
    HighestPort,
    /// Keeps the lowest dimension of the top mask.
    LowestDimension,
    /// Keeps the highest dimension of the top mask.
    HighestDimension,
    /// Converts the number of a port or dimension, plus 1, to its mask.
    Bit,
    /// Converts the number of a port, plus 1, to the mask of the opposite port.
    BackBit,
    /// Tests that the top mask is not empty.
    Some,
    /// Tests that the top mask is empty.
    None,
}

/// Compiled expression: stack operations that leave one mask.
#[derive(Clone, Debug)]
pub(super) struct Code {
    ops: Vec<Op>,
    short: Short,
}

/// Common operation sequences, which need no stack.
#[derive(Clone, Copy, Debug)]
enum Short {
    /// The intersection of two inputs, which may be equal.
    Common(Input, Input),
    /// The lowest dimension of the intersection of two inputs.
    Lowest(Input, Input),
    /// A constant mask.
    Mask(u64),
    /// Any other sequence.
    Long,
}

impl Short {
    fn from_ops(ops: &[Op]) -> Self {
        match *ops {
            [Op::Mask(mask)] => Self::Mask(mask),
            [Op::Load(one)] => Self::Common(one, one),
            [Op::Load(one), Op::Load(two), Op::And] => Self::Common(one, two),
            [Op::Load(one), Op::LowestDimension] => Self::Lowest(one, one),
            [Op::Load(one), Op::Load(two), Op::And, Op::LowestDimension] => Self::Lowest(one, two),
            _ => Self::Long,
        }
    }
}

impl Code {
    fn new(ops: Vec<Op>) -> Self {
        let short = Short::from_ops(&ops);
        Self { ops, short }
    }

    /// Returns the result of the operations.
    #[inline]
    pub(super) fn run(&self, seen: &impl InputSource) -> u64 {
        match self.short {
            Short::Common(one, two) => seen.get(one) & seen.get(two),
            Short::Lowest(one, two) => {
                let common = seen.get(one) & seen.get(two);
                common & common.wrapping_neg()
            }
            Short::Mask(mask) => mask,
            Short::Long => self.interpret(&InputValues::from_inputs(seen)),
        }
    }

    #[inline(never)]
    fn interpret(&self, seen: &InputValues) -> u64 {
        let stack = &mut [0; STACK];
        let mut top = 0usize;
        let mut result = 0;
        for op in &self.ops {
            // The top of the stack is in a register. The compiler of the rules has checked the
            // stack depth.
            let (two, one) = (stack[top.wrapping_sub(1) % STACK], result);
            result = match *op {
                Op::Load(_) | Op::Mask(_) => {
                    stack[top % STACK] = result;
                    top += 1;
                    if let Op::Load(input) = *op {
                        seen.get(input)
                    } else if let Op::Mask(mask) = *op {
                        mask
                    } else {
                        0
                    }
                }
                Op::Not => !one & seen.get(Input::All),
                Op::And | Op::Or => {
                    top -= 1;
                    if matches!(op, Op::And) { two & one } else { two | one }
                }
                Op::LowestPort => lowest_port(one),
                Op::HighestPort => highest_port(one),
                Op::LowestDimension => one & one.wrapping_neg(),
                Op::HighestDimension => one.checked_ilog2().map_or(0, |highest| 1 << highest),
                Op::Bit | Op::BackBit if one == 0 => 0,
                Op::Bit => 1 << ((one - 1) & 63),
                Op::BackBit => 1 << (((one - 1) ^ 1) & 63),
                Op::Some => u64::from(one != 0),
                Op::None => u64::from(one == 0),
            };
        }
        result
    }

    /// Returns whether the operations read live or faulty ports.
    pub(super) fn reads_port_status(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::Load(Input::Live | Input::Faulty)))
    }

    /// Returns whether the code is `lowest wrong`.
    pub(super) fn is_lowest_wrong(&self) -> bool {
        matches!(self.short, Short::Lowest(Input::Minimal, Input::Minimal))
    }

    /// Returns the dimensions free upward and downward if the code is `wrong and up` or `wrong and
    /// down`.
    pub(super) fn free_wrong(&self) -> Option<(u64, u64)> {
        match *self.ops.as_slice() {
            [Op::Load(Input::Minimal), Op::Load(Input::Up), Op::And] => Some((u64::MAX, 0)),
            [Op::Load(Input::Minimal), Op::Load(Input::Up), Op::Not, Op::And] => Some((0, u64::MAX)),
            _ => None,
        }
    }

    /// Returns whether the code is a condition that is always true.
    pub(super) fn is_true(&self) -> bool {
        matches!(self.short, Short::Mask(1))
    }
}

/// A set of ports that a rule permits, all with the same class and next state.
#[derive(Clone, Debug)]
pub(super) struct PermittedSet {
    pub(super) what: PermittedPorts,
    pub(super) class: u8,
    /// The next state; `None` for the current state.
    pub(super) then: Option<u8>,
    /// The number of sets that the rule prefers to this one.
    pub(super) rank: u8,
}

/// The ports of a [`PermittedSet`].
#[derive(Clone, Debug)]
pub(super) enum PermittedPorts {
    Ports(Code),
    Ring,
    Onto(Way, Code),
}

/// A compiled rule.
#[derive(Clone, Debug)]
pub(super) struct CompiledRule {
    /// The states in which the rule may fire, as a mask.
    pub(super) states: u16,
    pub(super) when: Code,
    pub(super) permitted_sets: Vec<PermittedSet>,
    /// The remaining condition of a rule that fires only if one of its ports is live. If the
    /// condition is true and no port is live, later rules apply.
    pub(super) rest: Option<Code>,
}

/// The compiled rules of one routing.
#[derive(Clone, Debug)]
pub(super) struct RuleProgram {
    pub(super) rules: Vec<CompiledRule>,
    pub(super) starts: Vec<(u8, Code)>,
    /// The relevant bits of each input.
    pub(super) relevant_bits: [u64; Input::COUNT],
}

/// The rule that fires, with the sets that it permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FiredRule {
    pub(super) rule: u8,
    /// The masks of the parts of the rule. A part onto a ring goes around the region that blocks
    /// the lowest port of its mask.
    pub(super) sets: [u64; super::check::MAX_PARTS],
}

impl RuleProgram {
    /// Compiles `tree` to operations on ports or, on hypercubes, on dimensions.
    pub(super) fn new(tree: &Tree, of_cube: bool) -> Result<Self, PositionedError> {
        let mut maker =
            Compiler { tree, of_cube, relevant_bits: [0; Input::COUNT], left: MAX_OPERATIONS, at: tree.name.1.0 };
        let rules = tree.rules.iter().take(MAX_RULES).map(|line| maker.line(line)).collect::<Result<_, _>>()?;
        let start = |(state, condition): &(Name, Condition)| Ok((tree.state(state), maker.whole_condition(condition)?));
        let starts = tree.starts.iter().map(start).collect::<Result<_, _>>()?;
        Ok(Self { rules, starts, relevant_bits: maker.relevant_bits })
    }

    /// Returns whether any rule or initial state depends on `input`.
    #[inline]
    pub(super) fn reads(&self, input: Input) -> bool {
        self.relevant_bits[input as usize] != 0
    }

    /// Returns the rule that fires in `state`.
    pub(super) fn fire(&self, state: u8, seen: &impl InputSource) -> Option<FiredRule> {
        let mut fires = |rule: &CompiledRule| rule.states >> (state & 15) & 1 == 1 && rule.when.run(seen) != 0;
        let number = self.rules.iter().position(&mut fires)?;
        let mut fired = FiredRule { rule: number as u8, sets: [0; super::check::MAX_PARTS] };
        for (set, part) in fired.sets.iter_mut().zip(&self.rules[number].permitted_sets) {
            *set = match &part.what {
                PermittedPorts::Ports(code) | PermittedPorts::Onto(_, code) => code.run(seen),
                PermittedPorts::Ring => 0,
            };
        }
        Some(fired)
    }

    /// Returns the initial state of a message.
    pub(super) fn start(&self, seen: &impl InputSource) -> u8 {
        self.starts.iter().find(|(_, when)| when.run(seen) != 0).map_or(0, |&(state, _)| state)
    }
}

impl Tree {
    /// Returns the number of the state called `name`.
    fn state(&self, name: &Name) -> u8 {
        self.states.iter().position(|state| state == name).unwrap_or(0) as u8
    }

    /// Returns the definition of `name`.
    pub(super) fn meaning(&self, name: &Name) -> Option<&Meaning> {
        self.definitions.iter().find(|(other, _)| other == name).map(|(_, meaning)| meaning)
    }
}

/// Compiler of one routing.
struct Compiler<'t> {
    tree: &'t Tree,
    of_cube: bool,
    /// The relevant bits of each input so far.
    relevant_bits: [u64; Input::COUNT],
    /// The number of operations still permitted.
    left: usize,
    /// The position in the text of the current rule.
    at: u32,
}

impl Compiler<'_> {
    fn line(&mut self, line: &RuleStatement) -> Result<CompiledRule, PositionedError> {
        self.at = line.at.0;
        let states = line.states.iter().fold(0, |states, name| states | 1 << self.tree.state(name));
        let mut permitted_sets = Vec::new();
        for take in &line.takes {
            let then = take.then.as_ref().map(|state| self.tree.state(state));
            let mut add = |what, rank| permitted_sets.push(PermittedSet { what, class: take.class, then, rank });
            match &take.ports {
                Ports::Nothing => {}
                Ports::Ring(_) => add(PermittedPorts::Ring, 0),
                Ports::Onto(way, set, _) => add(PermittedPorts::Onto(*way, self.whole_set(set)?), 0),
                Ports::Sets(sets) => {
                    for (rank, set) in (0..).zip(sets) {
                        add(PermittedPorts::Ports(self.whole_set(set)?), rank);
                    }
                }
            }
        }
        let always = || Code::new(vec![Op::Mask(1)]);
        let (when, rest) = match &line.when {
            When::Condition(condition) => (self.whole_condition(condition)?, self.compile_rest(condition, line)?),
            When::Otherwise | When::Always => (always(), None),
        };
        Ok(CompiledRule { states: if states == 0 { u16::MAX } else { states }, when, permitted_sets, rest })
    }

    /// Compiles the remaining condition, see [`CompiledRule::rest`].
    fn compile_rest(&mut self, condition: &Condition, line: &RuleStatement) -> Result<Option<Code>, PositionedError> {
        let [take] = line.takes.as_slice() else { return Ok(None) };
        let Ports::Sets(sets) = &take.ports else { return Ok(None) };
        let [set] = sets.as_slice() else { return Ok(None) };
        let (mut facts, mut open) = (Vec::new(), vec![condition]);
        while let Some(next) = open.pop() {
            match next {
                Condition::And(a, b) => open.extend([&**a, &**b]),
                fact => facts.push(fact),
            }
        }
        let is_live = |fact: &&Condition| matches!(fact, Condition::Test(Test::Some | Test::Plain, tested, Set::Atom(Atom::Live, _)) if tested == set);
        let Some(place) = facts.iter().position(is_live) else { return Ok(None) };
        facts.swap_remove(place);
        let mut ops = vec![Op::Mask(1)];
        for fact in facts {
            self.condition(fact, &mut ops)?;
            ops.push(Op::And);
        }
        self.finish(ops).map(Some)
    }

    /// Compiles a set and marks all bits of its inputs as relevant.
    fn whole_set(&mut self, set: &Set) -> Result<Code, PositionedError> {
        let mut ops = Vec::new();
        self.set(set, &mut ops)?;
        self.mark(&ops, u64::MAX);
        self.finish(ops)
    }

    fn whole_condition(&mut self, condition: &Condition) -> Result<Code, PositionedError> {
        let mut ops = Vec::new();
        self.condition(condition, &mut ops)?;
        self.finish(ops)
    }

    /// Marks `bits` as relevant in the inputs that `ops` load.
    fn mark(&mut self, ops: &[Op], bits: u64) {
        let bits = if ops.len() == 1 { bits } else { u64::MAX };
        for op in ops {
            if let Op::Load(input) = op {
                self.relevant_bits[*input as usize] |= bits;
            }
        }
    }

    fn too_long(&self) -> PositionedError {
        let accepted = format!("at most {MAX_OPERATIONS} words with definitions expanded");
        PositionedError::new(self.at, "the routing is too long with its definitions expanded", accepted)
    }

    /// Returns the compiled operations, or an error if the operations exceed the limits of length
    /// or stack depth.
    fn finish(&mut self, ops: Vec<Op>) -> Result<Code, PositionedError> {
        let (mut depth, mut most) = (0, 0);
        for op in &ops {
            match op {
                Op::Load(_) | Op::Mask(_) => depth += 1,
                Op::And | Op::Or => depth -= 1,
                _ => {}
            }
            most = usize::max(most, depth);
        }
        self.left = self.left.checked_sub(ops.len()).filter(|_| most <= STACK).ok_or_else(|| self.too_long())?;
        Ok(Code::new(ops))
    }

    fn set(&mut self, set: &Set, ops: &mut Vec<Op>) -> Result<(), PositionedError> {
        let (inner, op) = match set {
            Set::Atom(atom, _) => {
                self.atom(*atom, ops);
                return Ok(());
            }
            Set::Named(name) => {
                if ops.len() > MAX_OPERATIONS {
                    return Err(self.too_long());
                }
                return match self.tree.meaning(name) {
                    Some(Meaning::Set(set)) => self.set(set, ops),
                    _ => Ok(()),
                };
            }
            Set::Lowest(set) => (set, if self.of_cube { Op::LowestDimension } else { Op::LowestPort }),
            Set::Highest(set) => (set, if self.of_cube { Op::HighestDimension } else { Op::HighestPort }),
            Set::Not(set) => (set, Op::Not),
            Set::And(a, b) => {
                self.set(a, ops)?;
                (b, Op::And)
            }
            Set::Or(a, b) => {
                self.set(a, ops)?;
                (b, Op::Or)
            }
        };
        self.set(inner, ops)?;
        ops.push(op);
        Ok(())
    }

    fn atom(&self, atom: Atom, ops: &mut Vec<Op>) {
        let (input, then): (Input, &[Op]) = match atom {
            Atom::Minimal | Atom::Wrong => (Input::Minimal, &[]),
            Atom::Right => (Input::Minimal, &[Op::Not]),
            Atom::All => (Input::All, &[]),
            Atom::Live => (Input::Live, &[]),
            Atom::Faulty => (Input::Faulty, &[]),
            Atom::Ahead => (Input::Arrival, &[Op::Bit]),
            Atom::Back if self.of_cube => (Input::Arrival, &[Op::Bit]),
            Atom::Back => (Input::Arrival, &[Op::BackBit]),
            Atom::Positive => (Input::All, &[Op::Mask(POSITIVE), Op::And]),
            Atom::Negative => (Input::All, &[Op::Mask(!POSITIVE), Op::And]),
            Atom::Wrapping => (Input::Wrapping, &[]),
            Atom::Disabled => (Input::Disabled, &[]),
            Atom::Ringed => (Input::Ringed, &[]),
            Atom::Single => (Input::Single, &[]),
            Atom::Compass(port) | Atom::Signed(port) => return ops.push(Op::Mask(1 << port)),
            Atom::Dimension(dim) => {
                return ops.extend_from_slice(&[Op::Load(Input::All), Op::Mask(1 << (dim & 63)), Op::And]);
            }
            Atom::Up => (Input::Up, &[]),
            Atom::Down => (Input::Up, &[Op::Not]),
            Atom::Away(1) => (Input::Away1, &[]),
            Atom::Away(2) => (Input::Away2, &[]),
            Atom::Away(_) => (Input::Away3, &[]),
        };
        ops.push(Op::Load(input));
        ops.extend_from_slice(then);
    }

    fn condition(&mut self, condition: &Condition, ops: &mut Vec<Op>) -> Result<(), PositionedError> {
        let (inner, op) = match condition {
            Condition::Always => {
                ops.push(Op::Mask(1));
                return Ok(());
            }
            Condition::Test(test, a, b) => return self.test(*test, a, b, ops),
            Condition::AtSource(_) => {
                self.relevant_bits[Input::Arrival as usize] = u64::MAX;
                ops.extend_from_slice(&[Op::Load(Input::Arrival), Op::None]);
                return Ok(());
            }
            Condition::Around(_) => {
                self.relevant_bits[Input::Around as usize] = 1;
                ops.push(Op::Load(Input::Around));
                return Ok(());
            }
            Condition::Parity { of_destination, dim, odd, .. } => {
                let (input, bit) = (if *of_destination { Input::GoalOdd } else { Input::Odd }, 1 << dim);
                self.relevant_bits[input as usize] |= bit;
                let is_found = if *odd { Op::Some } else { Op::None };
                ops.extend_from_slice(&[Op::Load(input), Op::Mask(bit), Op::And, is_found]);
                return Ok(());
            }
            Condition::Named(name) => {
                if ops.len() > MAX_OPERATIONS {
                    return Err(self.too_long());
                }
                return match self.tree.meaning(name) {
                    Some(Meaning::Condition(condition)) => self.condition(condition, ops),
                    _ => Ok(()),
                };
            }
            Condition::Not(condition) => (condition, Op::None),
            Condition::And(a, b) => {
                self.condition(a, ops)?;
                (b, Op::And)
            }
            Condition::Or(a, b) => {
                self.condition(a, ops)?;
                (b, Op::Or)
            }
        };
        self.condition(inner, ops)?;
        ops.push(op);
        Ok(())
    }

    fn test(&mut self, test: Test, a: &Set, b: &Set, ops: &mut Vec<Op>) -> Result<(), PositionedError> {
        let start = ops.len();
        self.set(a, ops)?;
        let middle = ops.len();
        self.set(b, ops)?;
        // `East is live` reads only one port.
        let (first, second) = ops[start..].split_at(middle - start);
        let bits = |ops: &[Op]| if let [Op::Mask(mask)] = ops { *mask } else { u64::MAX };
        self.mark(first, if test == Test::Every { u64::MAX } else { bits(second) });
        self.mark(second, bits(first));
        if test == Test::Every {
            ops.push(Op::Not);
        }
        ops.push(Op::And);
        ops.push(if matches!(test, Test::Some | Test::Plain) { Op::Some } else { Op::None });
        Ok(())
    }
}
