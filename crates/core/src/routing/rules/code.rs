//! Rules as straight-line operations on masks.

use super::check::MAX_RULES;
use super::error::Wrong;
use super::seen::{Input, POSITIVE, See, Seen, highest_port, lowest_port};
use super::tree::{Atom, Condition, Line, Meaning, Name, Ports, Set, Test, Tree, Way, When};

/// The most operations of a routing, definitions put in where they are named.
const MAX_OPERATIONS: usize = 8192;

/// Intermediate results.
const STACK: usize = 32;

/// One operation on a stack of masks; what holds is 1, what does not is 0.
#[derive(Clone, Copy, Debug)]
enum Op {
    /// Puts what is seen on top.
    Load(Input),
    /// Puts a mask on top.
    Mask(u64),
    /// All but the topmost.
    Not,
    /// What the two topmost have in common.
    And,
    /// Both of the two topmost.
    Or,
    /// Ports: the lowest of the topmost.
    LowestPort,
    /// Ports: the highest.
    HighestPort,
    /// Dimensions: the lowest.
    LowestDimension,
    /// Dimensions: the highest.
    HighestDimension,
    /// The number of a port or dimension, plus 1, becomes its mask.
    Bit,
    /// The same of the port back.
    BackBit,
    /// Whether the topmost is not empty.
    Some,
    /// Whether it is.
    None,
}

/// Operations that leave one result.
#[derive(Clone, Debug)]
pub(super) struct Code {
    ops: Vec<Op>,
    short: Short,
}

/// What most operations are: then they need no stack.
#[derive(Clone, Copy, Debug)]
enum Short {
    /// What two inputs have in common, which may be the same one,
    Common(Input, Input),
    /// and of that the lowest dimension.
    Lowest(Input, Input),
    /// A mask.
    Mask(u64),
    /// Anything else.
    Long,
}

impl Short {
    fn of(ops: &[Op]) -> Self {
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
        let short = Short::of(&ops);
        Self { ops, short }
    }

    /// What comes of it.
    #[inline]
    pub(super) fn run(&self, seen: &impl See) -> u64 {
        match self.short {
            Short::Common(one, two) => seen.get(one) & seen.get(two),
            Short::Lowest(one, two) => {
                let common = seen.get(one) & seen.get(two);
                common & common.wrapping_neg()
            }
            Short::Mask(mask) => mask,
            Short::Long => self.interpret(&Seen::of(seen)),
        }
    }

    #[inline(never)]
    fn interpret(&self, seen: &Seen) -> u64 {
        let stack = &mut [0; STACK];
        let mut top = 0usize;
        let mut result = 0;
        for op in &self.ops {
            // The topmost is kept apart; the room is checked when the code is made.
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

    /// Whether it looks at what faults leave.
    pub(super) fn looks(&self) -> bool {
        self.ops.iter().any(|op| matches!(op, Op::Load(Input::Live | Input::Faulty)))
    }

    /// Whether it is `lowest wrong`.
    pub(super) fn is_lowest_wrong(&self) -> bool {
        matches!(self.short, Short::Lowest(Input::Minimal, Input::Minimal))
    }

    /// If it is `wrong and up`, or `wrong and down`: the dimensions free upwards and downwards.
    pub(super) fn free_wrong(&self) -> Option<(u64, u64)> {
        match *self.ops.as_slice() {
            [Op::Load(Input::Minimal), Op::Load(Input::Up), Op::And] => Some((u64::MAX, 0)),
            [Op::Load(Input::Minimal), Op::Load(Input::Up), Op::Not, Op::And] => Some((0, u64::MAX)),
            _ => None,
        }
    }

    /// Whether it is a condition that always holds.
    pub(super) fn is_true(&self) -> bool {
        matches!(self.short, Short::Mask(1))
    }
}

/// A set of ports that a rule permits, all with the same class and next state.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) what: What,
    pub(super) class: u8,
    /// The next state; `None` for the same.
    pub(super) then: Option<u8>,
    /// How many sets are preferred to it.
    pub(super) rank: u8,
}

/// What a part permits.
#[derive(Clone, Debug)]
pub(super) enum What {
    Ports(Code),
    Ring,
    Onto(Way, Code),
}

/// A rule.
#[derive(Clone, Debug)]
pub(super) struct Coded {
    /// The states in which it may fire, as a mask.
    pub(super) states: u16,
    pub(super) when: Code,
    pub(super) parts: Vec<Part>,
    /// Of a rule that fires where one of its ports is live, the rest of its condition: where that holds and no port is
    /// live, the rules behind it have their turn.
    pub(super) rest: Option<Code>,
}

/// The rules of one routing.
#[derive(Clone, Debug)]
pub(super) struct Program {
    pub(super) rules: Vec<Coded>,
    pub(super) starts: Vec<(u8, Code)>,
    /// Of everything that can be seen, the bits that matter.
    pub(super) matters: [u64; Input::COUNT],
}

/// The rule that fires, and what it permits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fired {
    pub(super) rule: u8,
    /// The masks of its parts, or of the ports around whose region it leads.
    pub(super) sets: [u64; super::check::MAX_PARTS],
}

impl Program {
    /// The operations for `tree`, of ports or, on hypercubes, of dimensions.
    pub(super) fn new(tree: &Tree, of_cube: bool) -> Result<Self, Wrong> {
        let mut maker = Maker { tree, of_cube, matters: [0; Input::COUNT], left: MAX_OPERATIONS, at: tree.name.1.0 };
        let rules = tree.rules.iter().take(MAX_RULES).map(|line| maker.line(line)).collect::<Result<_, _>>()?;
        let start = |(state, condition): &(Name, Condition)| Ok((tree.state(state), maker.whole_condition(condition)?));
        let starts = tree.starts.iter().map(start).collect::<Result<_, _>>()?;
        Ok(Self { rules, starts, matters: maker.matters })
    }

    /// Whether `input` matters.
    #[inline]
    pub(super) fn sees(&self, input: Input) -> bool {
        self.matters[input as usize] != 0
    }

    /// The rule that fires in `state`.
    pub(super) fn fire(&self, state: u8, seen: &impl See) -> Option<Fired> {
        let mut fires = |rule: &Coded| rule.states >> (state & 15) & 1 == 1 && rule.when.run(seen) != 0;
        let number = self.rules.iter().position(&mut fires)?;
        let mut fired = Fired { rule: number as u8, sets: [0; super::check::MAX_PARTS] };
        for (set, part) in fired.sets.iter_mut().zip(&self.rules[number].parts) {
            *set = match &part.what {
                What::Ports(code) | What::Onto(_, code) => code.run(seen),
                What::Ring => 0,
            };
        }
        Some(fired)
    }

    /// The state in which a message starts.
    pub(super) fn start(&self, seen: &impl See) -> u8 {
        self.starts.iter().find(|(_, when)| when.run(seen) != 0).map_or(0, |&(state, _)| state)
    }
}

impl Tree {
    /// The number of the state called `name`.
    fn state(&self, name: &Name) -> u8 {
        self.states.iter().position(|state| state == name).unwrap_or(0) as u8
    }

    /// What `name` stands for.
    pub(super) fn meaning(&self, name: &Name) -> Option<&Meaning> {
        self.definitions.iter().find(|(other, _)| other == name).map(|(_, meaning)| meaning)
    }
}

/// Makes operations.
struct Maker<'t> {
    tree: &'t Tree,
    of_cube: bool,
    matters: [u64; Input::COUNT],
    /// How many more there may be.
    left: usize,
    /// Where what is being made stands.
    at: u32,
}

impl Maker<'_> {
    fn line(&mut self, line: &Line) -> Result<Coded, Wrong> {
        self.at = line.at.0;
        let states = line.states.iter().fold(0, |states, name| states | 1 << self.tree.state(name));
        let mut parts = Vec::new();
        for take in &line.takes {
            let then = take.then.as_ref().map(|state| self.tree.state(state));
            let mut add = |what, rank| parts.push(Part { what, class: take.class, then, rank });
            match &take.ports {
                Ports::Nothing => {}
                Ports::Ring(_) => add(What::Ring, 0),
                Ports::Onto(way, set, _) => add(What::Onto(*way, self.whole_set(set)?), 0),
                Ports::Sets(sets) => {
                    for (rank, set) in (0..).zip(sets) {
                        add(What::Ports(self.whole_set(set)?), rank);
                    }
                }
            }
        }
        let always = || Code::new(vec![Op::Mask(1)]);
        let (when, rest) = match &line.when {
            When::Condition(condition) => (self.whole_condition(condition)?, self.rest(condition, line)?),
            When::Otherwise | When::Always => (always(), None),
        };
        Ok(Coded { states: if states == 0 { u16::MAX } else { states }, when, parts, rest })
    }

    /// See [`Coded::rest`].
    fn rest(&mut self, condition: &Condition, line: &Line) -> Result<Option<Code>, Wrong> {
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
        self.finished(ops).map(Some)
    }

    /// A set of which all bits matter.
    fn whole_set(&mut self, set: &Set) -> Result<Code, Wrong> {
        let mut ops = Vec::new();
        self.set(set, &mut ops)?;
        self.mark(&ops, u64::MAX);
        self.finished(ops)
    }

    fn whole_condition(&mut self, condition: &Condition) -> Result<Code, Wrong> {
        let mut ops = Vec::new();
        self.condition(condition, &mut ops)?;
        self.finished(ops)
    }

    /// Notes that of what these operations look at these bits matter.
    fn mark(&mut self, ops: &[Op], bits: u64) {
        let bits = if ops.len() == 1 { bits } else { u64::MAX };
        for op in ops {
            if let Op::Load(input) = op {
                self.matters[*input as usize] |= bits;
            }
        }
    }

    fn too_long(&self) -> Wrong {
        let accepted = format!("at most {MAX_OPERATIONS} words in all, definitions written out");
        Wrong::new(self.at, "with its definitions written out it is too long", accepted)
    }

    /// The operations, if there is room for them.
    fn finished(&mut self, ops: Vec<Op>) -> Result<Code, Wrong> {
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

    fn set(&mut self, set: &Set, ops: &mut Vec<Op>) -> Result<(), Wrong> {
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
            Atom::Ahead => (Input::Came, &[Op::Bit]),
            Atom::Back if self.of_cube => (Input::Came, &[Op::Bit]),
            Atom::Back => (Input::Came, &[Op::BackBit]),
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

    fn condition(&mut self, condition: &Condition, ops: &mut Vec<Op>) -> Result<(), Wrong> {
        let (inner, op) = match condition {
            Condition::Always => {
                ops.push(Op::Mask(1));
                return Ok(());
            }
            Condition::Test(test, a, b) => return self.test(*test, a, b, ops),
            Condition::AtSource(_) => {
                self.matters[Input::Came as usize] = u64::MAX;
                ops.extend_from_slice(&[Op::Load(Input::Came), Op::None]);
                return Ok(());
            }
            Condition::Around(_) => {
                self.matters[Input::Around as usize] = 1;
                ops.push(Op::Load(Input::Around));
                return Ok(());
            }
            Condition::Parity { of_destination, dim, odd, .. } => {
                let (input, bit) = (if *of_destination { Input::GoalOdd } else { Input::Odd }, 1 << dim);
                self.matters[input as usize] |= bit;
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

    fn test(&mut self, test: Test, a: &Set, b: &Set, ops: &mut Vec<Op>) -> Result<(), Wrong> {
        let start = ops.len();
        self.set(a, ops)?;
        let middle = ops.len();
        self.set(b, ops)?;
        // `East is live` looks at one port alone.
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
