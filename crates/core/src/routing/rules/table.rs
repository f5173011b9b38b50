//! Rules as a table: for everything that they can see, the rule that fires and what it permits.

use std::sync::atomic::{AtomicU64, Ordering};

use super::check::MAX_PARTS;
use super::code::{Fired, Program};
use super::seen::{Input, Seen};

/// The most bits of an index.
const MAX_BITS: u32 = 18;

/// The most bytes of a table.
pub(super) const MOST_BYTES: u64 = (size_of::<AtomicU64>() as u64) << MAX_BITS;

/// The bits of a mask of ports in an entry.
const PORT_BITS: u32 = 10;

/// A part of what is seen, and its place in the index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    pub(super) input: Input,
    /// The lowest bit that matters, and those from there on as a mask.
    low: u32,
    mask: u64,
    shift: u32,
}

/// The table for meshes and tori of one number of dimensions.
///
/// An entry is worked out when it is first asked for: few of them ever are. It is a function of its index, and so it does not
/// matter who does it, or whether two do.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) fields: Vec<Field>,
    all: u64,
    /// Empty where what the rules look at is too much for an index.
    entries: Vec<AtomicU64>,
}

impl Table {
    pub(super) fn new(program: &Program, dimensions: u8, states: usize) -> Self {
        let all = (1 << (2 * dimensions)) - 1;
        let mut shift = states.next_power_of_two().trailing_zeros();
        let mut fields = Vec::new();
        for input in Input::ALL.into_iter().filter(|&input| input != Input::All) {
            let has = match input {
                Input::Came => u64::from(2 * dimensions + 1).next_power_of_two() - 1,
                Input::Around => 1,
                Input::Odd | Input::GoalOdd => (1 << dimensions) - 1,
                _ => all,
            };
            let matters = program.matters[input as usize] & has;
            if matters != 0 {
                let (low, high) = (matters.trailing_zeros(), u64::BITS - matters.leading_zeros());
                fields.push(Field { input, low, mask: (1 << (high - low)) - 1, shift });
                shift += high - low;
            }
        }
        let size = if shift <= MAX_BITS { 1 << shift } else { 0 };
        Self { fields, all, entries: (0..size).map(|_| AtomicU64::new(0)).collect() }
    }

    /// The rule that fires in `state` among what `see` sees of each input.
    #[inline]
    pub(super) fn fire(&self, program: &Program, state: u8, mut see: impl FnMut(Input) -> u64) -> Option<Fired> {
        if self.entries.is_empty() {
            return self.beyond(program, state, see);
        }
        let mut index = usize::from(state);
        for field in &self.fields {
            index |= ((see(field.input) >> field.low & field.mask) as usize) << field.shift;
        }
        let entry = self.entries.get(index)?;
        match entry.load(Ordering::Relaxed) {
            0 => self.work_out(program, index, state, entry),
            known => unpacked(known),
        }
    }

    /// The same without a table.
    #[inline(never)]
    fn beyond(&self, program: &Program, state: u8, mut see: impl FnMut(Input) -> u64) -> Option<Fired> {
        let mut seen = Seen::NOTHING;
        seen.set(Input::All, self.all);
        self.fields.iter().for_each(|field| seen.set(field.input, see(field.input)));
        program.fire(state, &seen)
    }

    /// Works an entry out, of its index alone.
    #[inline(never)]
    fn work_out(&self, program: &Program, index: usize, state: u8, entry: &AtomicU64) -> Option<Fired> {
        let mut seen = Seen::NOTHING;
        seen.set(Input::All, self.all);
        for field in &self.fields {
            seen.set(field.input, (index as u64 >> field.shift & field.mask) << field.low);
        }
        let fired = program.fire(state, &seen);
        entry.store(packed(fired), Ordering::Relaxed);
        fired
    }
}

/// An entry: 1 and the rule, or 1 for none, then the masks; never 0.
fn packed(fired: Option<Fired>) -> u64 {
    let Some(Fired { rule, sets }) = fired else { return 1 };
    let masks = sets.iter().rev().fold(0, |entry, set| entry << PORT_BITS | set & ((1 << PORT_BITS) - 1));
    masks << 8 | (u64::from(rule) + 2)
}

#[inline]
fn unpacked(entry: u64) -> Option<Fired> {
    let mut fired = Fired { rule: ((entry & 0xff) as u8).checked_sub(2)?, sets: [0; MAX_PARTS] };
    let mut rest = entry >> 8;
    for set in &mut fired.sets {
        *set = rest & ((1 << PORT_BITS) - 1);
        rest >>= PORT_BITS;
    }
    Some(fired)
}

#[cfg(test)]
mod tests {
    use super::super::{EXAMPLES, RuleText};
    use crate::topology::Mesh;

    /// What a table is said to take at most is no less than what the tables of the examples take; on hypercubes there is none.
    #[test]
    fn tables_take_no_more_than_is_said() {
        let mut tables = 0;
        for example in EXAMPLES {
            let text = RuleText::parse(example.text).expect(example.name);
            for own in text.routings().iter().filter_map(|routing| routing.worm.as_deref()?.own()) {
                for radices in [&[8, 8][..], &[5, 5, 5]] {
                    let mesh = Mesh::of(radices).expect("a mesh");
                    let Some(program) = own.program(mesh) else { continue };
                    let table = own.table(program, mesh.dimensions());
                    assert!(size_of_val(table.entries.as_slice()) as u64 <= own.most_bytes(mesh), "{}", example.name);
                    tables += table.entries.len();
                }
                assert_eq!(own.most_bytes(Mesh::of_cube(4).expect("a cube")), 0);
            }
        }
        assert!(tables > 0);
    }
}
