//! Oblivious routing between the rows of a butterfly with faulty nodes, after Leighton, Maggs &
//! Sitaraman (thesis sections 2.2 and 2.3).
//!
//! The thesis translates their scheme to Algorithm A. A row's processor sends at the row's input
//! and receives at its output. Every path takes one link of each level, so that a route has n hops,
//! or 2n hops by way of an intermediate row.

use rand::{Rng as _, RngExt as _};

use super::{Endpoint, NoRoute};
use crate::fault::{ButterflyFaults, Tolerance};
use crate::random::Generator;
use crate::topology::{Butterfly, Link};

/// Maximum number of draws before the set of intermediate rows is listed.
const DRAWS: u32 = 64;

/// The choice of intermediate rows on a butterfly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ButterflyScheme {
    /// The only path from input to output.
    Direct,
    /// Any intermediate row; a message whose route meets a fault is lost.
    AnyRow,
    /// Any intermediate row to and from which the paths are fault-free.
    FaultFree,
    /// As [`ButterflyScheme::FaultFree`]; rows with too many faulty paths do not take part.
    ActiveRows,
}

/// A scheme on a butterfly with faulty nodes.
#[derive(Clone, Debug)]
pub struct ButterflyRouting {
    faults: ButterflyFaults,
    scheme: ButterflyScheme,
    /// Numbers of fault-free paths out of each input and into each output.
    fault_free: [Vec<u32>; 2],
    /// Largest tolerated number of faulty paths out of an input, and into an output.
    limit: u32,
}

/// The route of one message from a row's input to another row's output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ButterflyRoute {
    /// Row of the source.
    pub from: u32,
    /// Intermediate row; `None` if the scheme has none.
    pub via: Option<u32>,
    /// Row of the destination.
    pub to: u32,
}

impl ButterflyRoute {
    /// Returns the links of the route, in order.
    pub fn links(self, butterfly: Butterfly) -> impl Iterator<Item = Link> {
        let first = butterfly.path(self.from, self.via.unwrap_or(self.to));
        first.chain(self.via.into_iter().flat_map(move |via| butterfly.path(via, self.to)))
    }

    /// Returns the number of hops: n, or 2n by way of an intermediate row.
    pub fn length(self, butterfly: Butterfly) -> u32 {
        u32::from(butterfly.levels()) * if self.via.is_some() { 2 } else { 1 }
    }
}

impl ButterflyRouting {
    /// Creates the scheme for the faults `faults`. Cost: two sweeps of n N additions.
    pub fn new(faults: ButterflyFaults, scheme: ButterflyScheme, tolerance: Tolerance) -> Self {
        let fault_free = [faults.fault_free_out(), faults.fault_free_into()];
        let limit = tolerance.limit(faults.butterfly().row_cube());
        Self { faults, scheme, fault_free, limit }
    }

    /// Returns the butterfly.
    pub fn butterfly(&self) -> Butterfly {
        self.faults.butterfly()
    }

    /// Returns the faulty nodes.
    pub fn faults(&self) -> &ButterflyFaults {
        &self.faults
    }

    /// Returns the scheme.
    pub fn scheme(&self) -> ButterflyScheme {
        self.scheme
    }

    /// Returns the largest tolerated number of faulty paths of an active row; `None` for schemes in
    /// which every row with healthy ends takes part.
    pub fn limit(&self) -> Option<u32> {
        (self.scheme == ButterflyScheme::ActiveRows).then_some(self.limit)
    }

    /// Returns the numbers of faulty paths out of the input of `row`, and into its output.
    pub fn faulty_paths(&self, row: u32) -> [u32; 2] {
        let rows = self.butterfly().rows();
        [0, 1].map(|way| rows - self.fault_free[way].get(row as usize).copied().unwrap_or(0))
    }

    /// Returns whether `row` may send and receive.
    pub fn is_active(&self, row: u32) -> bool {
        let is_tolerated = |limit| self.faulty_paths(row).into_iter().all(|faulty| faulty <= limit);
        self.faults.has_healthy_ends(row) && self.limit().is_none_or(is_tolerated)
    }

    /// Returns the number of rows that may send and receive.
    pub fn active_count(&self) -> u32 {
        (0..self.butterfly().rows()).filter(|&row| self.is_active(row)).count() as u32
    }

    /// Returns the intermediate rows through which a message arrives, ascending; `None` for a
    /// scheme without intermediate rows. Cost: 4N steps.
    pub fn choice(&self, from: u32, to: u32) -> Option<Vec<u32>> {
        if self.scheme == ButterflyScheme::Direct {
            return None;
        }
        let both = self.faults.reached_from(from).into_iter().zip(self.faults.reaching(to));
        Some((0..).zip(both).filter(|(_, (out, into))| *out && *into).map(|(row, _)| row).collect())
    }

    /// Returns the route of one message. If `via` is `None`, a scheme with intermediate rows draws
    /// one.
    ///
    /// # Errors
    /// Returns the reason if there is no route.
    pub fn route(
        &self,
        from: u32,
        via: Option<u32>,
        to: u32,
        generator: &mut Generator,
    ) -> Result<ButterflyRoute, NoRoute> {
        let (butterfly, levels) = (self.butterfly(), self.butterfly().levels());
        for (row, end, level) in [(from, Endpoint::Source, 0), (to, Endpoint::Destination, levels)] {
            if !self.is_active(row) {
                return Err(NoRoute::Inactive(end, butterfly.node(row, level)));
            }
        }
        let via = match self.scheme {
            ButterflyScheme::Direct => None,
            _ if via.is_some() => via,
            ButterflyScheme::AnyRow => Some(self.any_row(generator)),
            ButterflyScheme::FaultFree | ButterflyScheme::ActiveRows => Some(self.draw(from, to, generator)?),
        };
        let faulty = self.faults.first_faulty_on_path(from, via.unwrap_or(to));
        let faulty = faulty.or_else(|| self.faults.first_faulty_on_path(via?, to));
        faulty.map_or(Ok(ButterflyRoute { from, via, to }), |node| Err(NoRoute::Faulty(node)))
    }

    fn any_row(&self, generator: &mut Generator) -> u32 {
        (generator.next_u64() >> (64 - u32::from(self.butterfly().levels()))) as u32
    }

    fn is_fault_free(&self, from: u32, via: u32, to: u32) -> bool {
        self.faults.first_faulty_on_path(from, via).is_none() && self.faults.first_faulty_on_path(via, to).is_none()
    }

    /// Draws an intermediate row with fault-free paths, all with equal probability.
    fn draw(&self, from: u32, to: u32, generator: &mut Generator) -> Result<u32, NoRoute> {
        for _ in 0..DRAWS {
            let via = self.any_row(generator);
            if self.is_fault_free(from, via, to) {
                return Ok(via);
            }
        }
        let rows = self.choice(from, to).filter(|rows| !rows.is_empty()).ok_or(NoRoute::NoIntermediate)?;
        Ok(rows[generator.random_range(0..rows.len() as u64) as usize])
    }
}
