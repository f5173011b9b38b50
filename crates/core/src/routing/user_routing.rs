//! The text of a user-defined routing, for explanations of hops and for the page.

use std::fmt;

use super::Unsupported;
use crate::topology::Mesh;

/// The text of a routing that a user has written as rules. [`LocalRouting`](super::LocalRouting)
/// and [`WormRouting`](super::WormRouting) make its decisions.
pub trait UserRouting: fmt::Debug {
    /// Returns the name.
    fn name(&self) -> &str;

    /// Returns the line number, from 1, of rule number `rule`, from 0.
    fn line(&self, rule: u8) -> Option<u32>;

    /// Returns the sentence of rule number `rule`, from 0. A rule without a sentence returns its
    /// line number and text.
    fn sentence(&self, rule: u8) -> Option<&str>;

    /// Checks that the routing can set up circuits: all paths are shortest, and the rules need no
    /// arrival dimension and few states.
    ///
    /// # Errors
    ///
    /// Returns the reason if the routing cannot set up circuits.
    fn check_circuits(&self) -> Result<(), Unsupported>;

    /// Returns the maximum size in bytes of the table that caches the decisions on `mesh`; 0 for
    /// hypercubes, which have no table.
    fn max_table_bytes(&self, mesh: Mesh) -> u64;
}
