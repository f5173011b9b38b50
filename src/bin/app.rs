//! Program of the page and of embedded figures: exports `openPage` and the other functions that the
//! scripts in `src/web/boot/` call.

use faultlab as _;

fn main() {}
