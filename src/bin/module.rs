//! The module for other people's scripts: what [`faultlab::module`] exports, which those of the package call (`npm/`).

use faultlab as _;

fn main() {}
