//! Meshes of more than two dimensions: how they are seen, and how far away things look.

use super::geometry::Point;

/// How a mesh of more than two dimensions is seen; one of two dimensions is a grid in any case.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MeshView {
    /// In panels: each a plane of dimensions 1 and 0, beside and below each other by the higher dimensions in turn.
    #[default]
    Slices,
    /// As a body in space, turned around its upright axis and tilted towards the viewer by these angles, in radians.
    Solid {
        /// The turn.
        yaw: f64,
        /// The tilt, at most a right angle.
        pitch: f64,
    },
}

impl MeshView {
    /// The body as it is seen first: of 5x5x5 nodes no two stand at one place.
    pub const SOLID: Self = Self::Solid { yaw: 0.25, pitch: 0.47 };

    /// Turned and tilted further; slices stay as they are.
    pub fn turned(self, by: Point) -> Self {
        const UPRIGHT: f64 = std::f64::consts::FRAC_PI_2;
        match self {
            Self::Slices => self,
            Self::Solid { yaw, pitch } => {
                Self::Solid { yaw: (yaw + by.x) % (4.0 * UPRIGHT), pitch: (pitch + by.y).clamp(-UPRIGHT, UPRIGHT) }
            }
        }
    }
}

/// The depths that are told apart, 0 the farthest; what is not in space lies above them all.
pub(crate) const DEPTHS: u8 = 5;

/// How large things are at each depth, and how strong.
const SCALES: [f64; DEPTHS as usize + 1] = [0.874, 0.933, 1.0, 1.078, 1.168, 1.0];
const SHADES: [f64; DEPTHS as usize + 1] = [0.36, 0.5, 0.66, 0.83, 1.0, 1.0];

/// How large a thing at this depth is drawn.
pub(crate) fn scale(depth: u8) -> f64 {
    SCALES[usize::from(depth.min(DEPTHS))]
}

/// How strongly a thing at this depth is drawn.
pub(crate) fn shade(depth: u8) -> f64 {
    SHADES[usize::from(depth.min(DEPTHS))]
}
