//! Embedding of a healthy hypercube in the live nodes: the result, its fact and its record.

use crate::files::record::Record;
use crate::wording::facts::{Fact, fact};
use faultlab_core::fault::{Faults, FaultyNodes};
use faultlab_core::theory::{self, Embedding, EmbeddingMethod, MAX_EMBEDDING_DIMENSION};
use faultlab_core::topology::Hypercube;

/// Largest dimension of a cube in which all maps are searched.
const MAX_SEARCHED_DIMENSION: u8 = 4;

/// Maximum number of placements of a search.
const MAX_PLACEMENTS: u64 = 200_000;

/// Embedding of a healthy cube, with the least values that are known.
#[derive(Clone, Debug)]
pub struct EmbeddingResult {
    /// Constructed embedding; `None` if no construction applies.
    pub found: Option<Embedding>,
    /// Least load of any map to the live nodes.
    pub least_load: u32,
    /// Least dilation of all maps with the least load; up to n = 4, if the search ends.
    pub least_dilation: Option<u32>,
}

impl EmbeddingResult {
    /// Embeds a healthy cube among `faults`; `None` without faults, without live nodes, and above
    /// [`MAX_EMBEDDING_DIMENSION`].
    pub(super) fn new(cube: Hypercube, faults: &mut impl Faults) -> Option<Self> {
        if cube.dimension() > MAX_EMBEDDING_DIMENSION {
            return None;
        }
        let faulty = FaultyNodes::from_faults(cube, faults)?.with_links_from(faults);
        if faulty.count() == 0 && !faulty.has_faulty_links() {
            return None;
        }
        let least_load = theory::least_load(&faulty)?;
        let searched = cube.dimension() <= MAX_SEARCHED_DIMENSION;
        let least_dilation = searched.then(|| theory::least_dilation(&faulty, least_load, MAX_PLACEMENTS)).flatten();
        Some(Self { found: Embedding::construct(&faulty), least_load, least_dilation })
    }

    /// Returns the fact on the embedding of a healthy n-cube.
    pub(super) fn fact(&self, n: u8) -> Fact {
        let what = "Healthy cube embedded in the live nodes";
        let least = match self.least_dilation {
            None => format!("the least load of any map is {}", self.least_load),
            Some(dilation) => {
                let load = self.least_load;
                format!(
                    "the least load of any map is {load}; with this load the least dilation is {dilation}, by search"
                )
            }
        };
        let Some(found) = &self.found else {
            let why =
                "no subcube of n-2 dimensions is fault-free, and the faulty nodes do not have enough live neighbours";
            return fact(what, "none found", format!("{why}, or live routes are missing; {least}"));
        };
        let value = format!("load {}, dilation {}, congestion {}", found.load, found.dilation, found.congestion);
        let rule = match found.method {
            EmbeddingMethod::Identity => "every node is simulated by itself".to_owned(),
            EmbeddingMethod::Subcube(missing) => {
                format!("every node is simulated by the nearest node of a fault-free subcube of n-{missing} dimensions")
            }
            EmbeddingMethod::Neighbours => "every faulty node is simulated by a live neighbour of its own".to_owned(),
        };
        let routes = "nodes on one live node, hops of a route, routes over one channel, at most";
        fact(
            what,
            value,
            format!("{routes}, for all nodes of a healthy {n}-cube: {rule}; routes are shortest live ones; {least}"),
        )
    }

    /// Returns the record of the embedding of a healthy cube.
    pub(super) fn record(&self) -> Record {
        let found = self.found.as_ref();
        let method = found.map(|found| match found.method {
            EmbeddingMethod::Identity => "identity",
            EmbeddingMethod::Subcube(_) => "subcube",
            EmbeddingMethod::Neighbours => "neighbours",
        });
        let missing = found.and_then(|found| match found.method {
            EmbeddingMethod::Subcube(missing) => Some(missing),
            _ => None,
        });
        Record::default()
            .with("method", method)
            .with("missing", missing)
            .with("load", found.map(|found| found.load))
            .with("dilation", found.map(|found| found.dilation))
            .with("congestion", found.map(|found| found.congestion))
            .with("least_load", self.least_load)
            .with("least_dilation", self.least_dilation)
    }
}
