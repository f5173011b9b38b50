//! Cycles of channel dependency graphs: the channels that a check found, and their picture on the
//! network.

use serde::{Deserialize, Serialize};

use super::picture;
use super::picture::geometry::Size;
use super::picture::scene::Scene;
use super::worm;
pub use super::worm::picture::cycle::MeshChannel;
use faultlab_core::topology::{Link, NodeId};
use faultlab_experiment::{CubePointConfig, Experiment, PointConfig};

/// Channels of a dependency cycle, in order: a message that holds one channel waits for the next
/// one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum DependencyCycle {
    /// Cycle of links of a hypercube.
    Cube {
        /// Links of the cycle.
        links: Vec<Link>,
        /// Faulty nodes of the hypercube, ascending.
        faulty_nodes: Vec<NodeId>,
        /// Faulty links between live nodes, ascending.
        faulty_links: Vec<Link>,
    },
    /// Cycle of virtual channels on a mesh, or on a hypercube with wormhole switching.
    Mesh {
        /// Virtual channels of the cycle.
        channels: Vec<MeshChannel>,
        /// Number of virtual-channel classes that the algorithm needs.
        classes: u8,
    },
}

impl DependencyCycle {
    /// Draws the cycle on the network and faults of the sample that *Watch* shows of `experiment`;
    /// `size` is in pixels. The scene is empty if the network cannot be drawn.
    pub fn draw(&self, experiment: &Experiment, size: Size) -> Scene {
        let scene = match self {
            Self::Cube { links, faulty_nodes, faulty_links } => CubePointConfig::new(experiment, None).map(|cell| {
                let ground = picture::cycle::CycleNetwork { cell: &cell, faulty_nodes, faulty_links };
                picture::cycle::scene(&ground, links, experiment.view.layout, size)
            }),
            Self::Mesh { channels, classes } => {
                let faults = PointConfig::new(experiment, None).blocks(experiment.view.sample).ok();
                faults.map(|faults| worm::picture::cycle::scene(&faults, channels, *classes, size))
            }
        };
        scene.unwrap_or(Scene { size, shapes: Vec::new() })
    }
}
