//! The page and the figures in other people's pages: `openPage` and its like, which their scripts call (`src/web/boot/`).

use faultlab as _;

fn main() {}
