//! One point of a sweep, with everything said.

use std::sync::Arc;

use super::{Experiment, Parameter, RelationSetting, TreeSetting, WormSetting};
use crate::fault::{BlockFaults, DrawnFaults, FaultPattern, FaultSpec, Tolerance};
use crate::random::Key;
use crate::topology::{Hypercube, Mesh, Network, NodeId};
use crate::traffic::{Pair, Pattern};

/// What all messages of one point have in common.
///
/// Its key depends on the seed, the network and the fault model alone. So a point has the same numbers in any sweep, all
/// algorithms meet the same fault patterns, a longer path limit only adds to what a shorter one finds, and a node broken
/// by hand leaves all others as they were.
#[derive(Clone, Debug, PartialEq)]
pub struct Cell {
    /// The network.
    pub network: Network,
    /// Source and destination.
    pub ends: Pair,
    /// The faults.
    pub faults: Arc<FaultSpec>,
    /// The most hops a single message may make.
    pub limit: u32,
    /// Circuits: the messages that each node generates in a unit of time.
    pub rate: f64,
    /// Circuits and worms: where messages go.
    pub traffic: Pattern,
    /// Worms: how they move, and how many there are.
    pub worms: WormSetting,
    /// Whole permutations: which messages, and who takes part.
    pub relation: Arc<RelationSetting>,
    /// Delivery cycles: what decides them.
    pub tree: Arc<TreeSetting>,
    spared: [NodeId; 2],
    key: Key,
}

/// A multiple of the diameter in whole hops. A little more than rounding can take away is added: 1.4 * 45 is 63 hops, though
/// the nearest doubles give less.
fn path_limit(multiple: f64, network: Network) -> u32 {
    (multiple * f64::from(network.diameter()) + 1e-9) as u32
}

impl Cell {
    /// The point of `experiment` at the value `x` of its varied parameter; without one, or for `None`, as it stands.
    pub fn new(experiment: &Experiment, x: Option<f64>) -> Self {
        let at = experiment.at(x);
        let (network, ends) = (at.network, at.ends());
        // Edits and ends are not part of the name: breaking one node must not redraw the others. The name is that of
        // the point without edits, between the default ends.
        let drawn = format!("FaultSpec {{ model: {:?}, broken: [], mended: [] }}", at.faults.model);
        let name = format!("{network} {drawn} 0 {}", network.last());
        Self {
            spared: at.spared(),
            network,
            ends,
            limit: path_limit(at.path_limit, network),
            rate: at.rate,
            traffic: at.traffic,
            worms: at.worms,
            relation: Arc::new(at.relation),
            tree: Arc::new(at.tree),
            key: Key::from_seed(at.seed).named(&name),
            faults: Arc::new(at.faults),
        }
    }

    /// The number of hops of a minimal path between the ends.
    pub fn distance(&self) -> u32 {
        self.network.distance(self.ends.from, self.ends.to)
    }

    /// The key of trial number `trial`.
    pub(super) fn trial(&self, trial: u64) -> Key {
        self.key.child(trial)
    }

    /// The key of the fault pattern of the trial with this key.
    #[inline]
    pub(super) fn pattern_key(trial: Key) -> Key {
        trial.child(0)
    }

    /// What is faulty in trial number `trial` where worms move, the same for every algorithm: on a mesh before block closure,
    /// on a hypercube as for circuits. `None` on other networks, and if no set of isolated faults is found.
    pub fn drawn(&self, trial: u64) -> Option<DrawnFaults> {
        let key = Self::pattern_key(self.trial(trial));
        match self.network {
            Network::Hypercube(cube) => {
                Mesh::of_cube(cube.dimension())?;
                Some(DrawnFaults::of_cube(cube, &mut FaultPattern::new(cube, &self.faults, self.spared, key)))
            }
            network => DrawnFaults::new(network.mesh()?, &self.faults, key),
        }
    }

    /// The same as worms meet them: on a mesh closed to blocks, on a hypercube as they are.
    pub fn blocks(&self, trial: u64) -> Option<Arc<BlockFaults>> {
        let drawn = self.drawn(trial)?;
        Some(Arc::new(match self.network {
            Network::Hypercube(cube) => drawn.on_cube(cube, self.relation.tolerance)?,
            network => drawn.blocks(network.mesh()?),
        }))
    }
}

/// One point of an experiment on a hypercube.
#[derive(Clone, Debug, PartialEq)]
pub struct CubeCell {
    /// The cube.
    pub cube: Hypercube,
    cell: Cell,
}

impl std::ops::Deref for CubeCell {
    type Target = Cell;

    #[inline]
    fn deref(&self) -> &Cell {
        &self.cell
    }
}

impl CubeCell {
    /// As [`Cell::new`]; `None` if the network is no hypercube.
    pub fn new(experiment: &Experiment, x: Option<f64>) -> Option<Self> {
        Self::of(Cell::new(experiment, x))
    }

    /// `cell`, if its network is a hypercube.
    pub(super) fn of(cell: Cell) -> Option<Self> {
        Some(Self { cube: cell.network.cube()?, cell })
    }

    /// The fault pattern of the trial with this key.
    pub(super) fn pattern(&self, trial: Key) -> FaultPattern {
        FaultPattern::new(self.cube, &self.faults, self.spared, Cell::pattern_key(trial))
    }

    /// The fault pattern of trial number `trial`, the same for every algorithm.
    pub fn faults_of(&self, trial: u64) -> FaultPattern {
        self.pattern(self.trial(trial))
    }
}

impl Experiment {
    /// The experiment at the value `x` of its varied parameter; without one, or for `None`, as it stands.
    fn at(&self, x: Option<f64>) -> Self {
        let mut at = self.clone();
        if let (Some(vary), Some(x)) = (&self.vary, x) {
            match vary.parameter {
                Parameter::Rate => at.faults.model = at.faults.model.with_rate(x),
                Parameter::Count => at.faults.model = at.faults.model.with_count(x as u64),
                Parameter::PathLimit => at.path_limit = x,
                Parameter::MessageRate => at.rate = x,
                Parameter::Dimension => {
                    at.network = Hypercube::new(x as u8).map_or(at.network, Network::Hypercube);
                }
                // Nodes that are named keep their places.
                Parameter::Place => at.faults.set(NodeId(x as u64), true),
                Parameter::Radix => {
                    at = at
                        .resized(at.mesh().and_then(|mesh| mesh.with_radix(x as u16)).map_or(at.network, Network::Mesh))
                }
                Parameter::Load => at.worms.load = x,
                Parameter::Injection => at.worms.injection.limit = x as u16,
                Parameter::Length => at.worms.length = x as u16,
                Parameter::Tolerance => at.relation.tolerance = Tolerance::Share(x),
                Parameter::Copies => at.relation.h = x as u32,
                Parameter::Leaves => {
                    let leaves = at.network.leaves().and_then(|leaves| leaves.resized(x as u64));
                    at.network = leaves.map_or(at.network, Network::FatTree);
                }
                Parameter::K1 => at.tree.k1 = x,
                Parameter::K2 => at.tree.k2 = x,
                Parameter::Congestion => at.tree.r = x,
                Parameter::VirtualChannels => at.worms.virtual_channels = x as u8,
            }
        }
        at
    }
}
