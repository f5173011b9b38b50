//! Cycles of channel dependency graphs: what a check found, and the picture of it on the network.

use serde::{Deserialize, Serialize};

use super::picture;
use super::picture::geometry::Size;
use super::picture::scene::Scene;
use super::worm;
use faultlab_core::topology::{Link, NodeId, Port};
use faultlab_experiment::{Cell, CubeCell, Experiment};

/// The channels of a cycle, in order: a message that holds one waits for the next.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum DependencyCycle {
    /// Links of a hypercube.
    Cube {
        /// The links of the cycle.
        links: Vec<Link>,
        /// The faulty nodes of the hypercube, ascending.
        faulty_nodes: Vec<NodeId>,
        /// The faulty links between live nodes, ascending.
        faulty_links: Vec<Link>,
    },
    /// Virtual channels of a mesh, or of a hypercube in which worms move.
    Mesh {
        /// The channels of the cycle.
        channels: Vec<MeshChannel>,
        /// The classes of virtual channels that the algorithm needs.
        classes: u8,
    },
}

/// One class of virtual channels of one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct MeshChannel {
    /// The node that the channel leaves.
    pub from: NodeId,
    /// The port of that node.
    pub port: Port,
    /// The class.
    pub class: u8,
}

impl DependencyCycle {
    /// Draws the cycle on the network and faults with which `experiment` is watched; the size is in pixels. The scene is empty if the
    /// network cannot be drawn.
    pub fn draw(&self, experiment: &Experiment, size: Size) -> Scene {
        let scene = match self {
            Self::Cube { links, faulty_nodes, faulty_links } => CubeCell::new(experiment, None).map(|cell| {
                let ground = picture::cycle::Ground { cell: &cell, faulty_nodes, faulty_links };
                picture::cycle::scene(&ground, links, experiment.view.layout, size)
            }),
            Self::Mesh { channels, classes } => {
                let faults = Cell::new(experiment, None).blocks(experiment.view.sample).ok();
                faults.map(|faults| worm::picture::cycle::scene(&faults, channels, *classes, size))
            }
        };
        scene.unwrap_or(Scene { size, shapes: Vec::new() })
    }
}
