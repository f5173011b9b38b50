//! Memoization of rules: a table from input values to the rule that fires and the sets it permits.

use std::sync::atomic::{AtomicU64, Ordering};

use super::check::MAX_PARTS;
use super::code::{FiredRule, RuleProgram};
use super::inputs::{Input, InputValues};

/// Maximum number of bits of an index.
const MAX_BITS: u32 = 18;

/// Maximum size of a table, in bytes.
pub(super) const MAX_BYTES: u64 = (size_of::<AtomicU64>() as u64) << MAX_BITS;

/// Bits of a port mask in an entry.
const PORT_BITS: u32 = 10;

/// The relevant bits of an input, and their position in the index.
#[derive(Clone, Copy, Debug)]
pub(super) struct IndexField {
    pub(super) input: Input,
    /// The lowest relevant bit of the input.
    low: u32,
    mask: u64,
    shift: u32,
}

/// The table for meshes and tori of one number of dimensions.
///
/// An entry is computed on first use, since few entries are ever used. It is a pure function of its
/// index, so concurrent computation by several threads is harmless.
#[derive(Debug)]
pub(super) struct RuleTable {
    pub(super) fields: Vec<IndexField>,
    all: u64,
    /// The entries; empty if the inputs have too many bits for an index.
    entries: Vec<AtomicU64>,
}

impl RuleTable {
    pub(super) fn new(program: &RuleProgram, dimensions: u8, states: usize) -> Self {
        let all = (1 << (2 * dimensions)) - 1;
        let mut shift = states.next_power_of_two().trailing_zeros();
        let mut fields = Vec::new();
        for input in Input::ALL.into_iter().filter(|&input| input != Input::All) {
            let has = match input {
                Input::Arrival => u64::from(2 * dimensions + 1).next_power_of_two() - 1,
                Input::Around => 1,
                Input::Odd | Input::GoalOdd => (1 << dimensions) - 1,
                _ => all,
            };
            let relevant = program.relevant_bits[input as usize] & has;
            if relevant != 0 {
                let (low, high) = (relevant.trailing_zeros(), u64::BITS - relevant.leading_zeros());
                fields.push(IndexField { input, low, mask: (1 << (high - low)) - 1, shift });
                shift += high - low;
            }
        }
        let size = if shift <= MAX_BITS { 1 << shift } else { 0 };
        Self { fields, all, entries: (0..size).map(|_| AtomicU64::new(0)).collect() }
    }

    /// Returns the rule that fires in `state` for the input values from `see`.
    #[inline]
    pub(super) fn fire(
        &self,
        program: &RuleProgram,
        state: u8,
        mut see: impl FnMut(Input) -> u64,
    ) -> Option<FiredRule> {
        if self.entries.is_empty() {
            return self.fire_without_table(program, state, see);
        }
        let mut index = usize::from(state);
        for field in &self.fields {
            index |= ((see(field.input) >> field.low & field.mask) as usize) << field.shift;
        }
        let entry = self.entries.get(index)?;
        match entry.load(Ordering::Relaxed) {
            0 => self.compute_entry(program, index, state, entry),
            known => unpack(known),
        }
    }

    /// Evaluates the rules without the table.
    #[inline(never)]
    fn fire_without_table(
        &self,
        program: &RuleProgram,
        state: u8,
        mut see: impl FnMut(Input) -> u64,
    ) -> Option<FiredRule> {
        let mut seen = InputValues::NOTHING;
        seen.set(Input::All, self.all);
        self.fields.iter().for_each(|field| seen.set(field.input, see(field.input)));
        program.fire(state, &seen)
    }

    /// Computes an entry from its index.
    #[inline(never)]
    fn compute_entry(&self, program: &RuleProgram, index: usize, state: u8, entry: &AtomicU64) -> Option<FiredRule> {
        let mut seen = InputValues::NOTHING;
        seen.set(Input::All, self.all);
        for field in &self.fields {
            seen.set(field.input, (index as u64 >> field.shift & field.mask) << field.low);
        }
        let fired = program.fire(state, &seen);
        entry.store(pack(fired), Ordering::Relaxed);
        fired
    }
}

/// Packs an entry: the rule number plus 2, or 1 for no rule, in the low 8 bits; then the masks. A
/// packed entry is never 0.
fn pack(fired: Option<FiredRule>) -> u64 {
    let Some(FiredRule { rule, sets }) = fired else { return 1 };
    let masks = sets.iter().rev().fold(0, |entry, set| entry << PORT_BITS | set & ((1 << PORT_BITS) - 1));
    masks << 8 | (u64::from(rule) + 2)
}

#[inline]
fn unpack(entry: u64) -> Option<FiredRule> {
    let mut fired = FiredRule { rule: ((entry & 0xff) as u8).checked_sub(2)?, sets: [0; MAX_PARTS] };
    let mut rest = entry >> 8;
    for set in &mut fired.sets {
        *set = rest & ((1 << PORT_BITS) - 1);
        rest >>= PORT_BITS;
    }
    Some(fired)
}

#[cfg(test)]
mod tests {
    use std::any::Any;

    use super::super::{EXAMPLES, RuleRouting, RuleText};
    use crate::routing::UserRouting;
    use crate::topology::Mesh;

    /// The tables of the examples are not larger than the stated maximum; hypercubes have no table.
    #[test]
    fn table_size_stays_within_its_maximum() {
        let mut tables = 0;
        for example in EXAMPLES {
            let text = RuleText::parse(example.text).expect(example.name);
            for own in text
                .routings()
                .iter()
                .filter_map(|routing| (routing.worm.as_deref()? as &dyn Any).downcast_ref::<RuleRouting>())
            {
                for radices in [&[8, 8][..], &[5, 5, 5]] {
                    let mesh = Mesh::from_radices(radices).expect("a mesh");
                    let Some(program) = own.program(mesh) else { continue };
                    let table = own.table(program, mesh.dimensions());
                    assert!(
                        size_of_val(table.entries.as_slice()) as u64 <= own.max_table_bytes(mesh),
                        "{}",
                        example.name
                    );
                    tables += table.entries.len();
                }
                assert_eq!(own.max_table_bytes(Mesh::from_cube(4).expect("a cube")), 0);
            }
        }
        assert!(tables > 0);
    }
}
