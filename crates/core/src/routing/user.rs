//! The text of a user-defined routing, as the words and the page need it.

use std::fmt;

use super::Misfit;
use crate::topology::Mesh;

/// A routing that a user has written as rules: its text, beside the decisions that
/// [`LocalRouting`](super::LocalRouting) and [`WormRouting`](super::WormRouting) give.
pub trait UserRouting: fmt::Debug {
    /// Returns the name.
    fn name(&self) -> &str;

    /// Returns the line number, from 1, of rule number `rule`, from 0.
    fn line(&self, rule: u8) -> Option<u32>;

    /// Returns the sentence of rule number `rule`, from 0. A rule without a sentence returns its
    /// line number and text.
    fn sentence(&self, rule: u8) -> Option<&str>;

    /// Checks that it can set up circuits: all paths are shortest, and the rules need no arrival
    /// dimension and few states.
    ///
    /// # Errors
    /// Returns the reason if it cannot.
    fn check_circuits(&self) -> Result<(), Misfit>;

    /// Returns the maximum size in bytes of the table that caches its decisions on `mesh`; 0 for
    /// hypercubes, which have no table.
    fn max_table_bytes(&self, mesh: Mesh) -> u64;
}
