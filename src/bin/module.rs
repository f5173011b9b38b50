//! Program of the npm module: exports [`faultlab::module`], which the scripts of the package call
//! (`npm/`).

use faultlab as _;

fn main() {}
