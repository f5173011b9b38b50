//! Projections of meshes with more than two dimensions, and the effect of depth on size and
//! strength.

use super::geometry::Point;

/// Projection of a mesh with more than two dimensions; a mesh of two dimensions is always a grid.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum MeshView {
    /// Panels: each a plane of dimensions 1 and 0, arranged across and down by the higher
    /// dimensions in turn.
    #[default]
    Slices,
    /// Body in space, rotated about its vertical axis and tilted towards the viewer; angles are in
    /// radians.
    Projected {
        /// Rotation about the vertical axis.
        yaw: f64,
        /// Tilt, at most a right angle.
        pitch: f64,
    },
}

impl MeshView {
    /// Initial projection of the body: no two nodes of a 5x5x5 mesh coincide.
    pub const SOLID: Self = Self::Projected { yaw: 0.25, pitch: 0.47 };

    /// Returns the projection rotated and tilted further; slices stay as they are.
    pub fn turned(self, by: Point) -> Self {
        const UPRIGHT: f64 = std::f64::consts::FRAC_PI_2;
        match self {
            Self::Slices => self,
            Self::Projected { yaw, pitch } => {
                Self::Projected { yaw: (yaw + by.x) % (4.0 * UPRIGHT), pitch: (pitch + by.y).clamp(-UPRIGHT, UPRIGHT) }
            }
        }
    }
}

/// Number of distinguished depths, 0 the farthest; shapes outside of space lie above them all.
pub(crate) const DEPTHS: u8 = 5;

/// Size of shapes at each depth.
const SCALES: [f64; DEPTHS as usize + 1] = [0.874, 0.933, 1.0, 1.078, 1.168, 1.0];
/// Strength of the colours of shapes at each depth.
const SHADES: [f64; DEPTHS as usize + 1] = [0.36, 0.5, 0.66, 0.83, 1.0, 1.0];

/// Returns the size factor at a depth.
pub(crate) fn scale(depth: u8) -> f64 {
    SCALES[usize::from(depth.min(DEPTHS))]
}

/// Returns the strength of drawing at a depth.
pub(crate) fn shade(depth: u8) -> f64 {
    SHADES[usize::from(depth.min(DEPTHS))]
}
