//! Algorithms of worms on meshes and tori.

pub(crate) mod adaptive;
pub(crate) mod dimension_reversal;
pub(crate) mod fcube;
pub(crate) mod negative_first;
pub(crate) mod north_last;
pub(crate) mod odd_even;
pub(crate) mod planar_adaptive;
pub(crate) mod planes;
mod ring;
pub(crate) mod torus;
pub(crate) mod weak;
pub(crate) mod west_first;

pub(super) use ring::ring_step;
