//! Program of the page's workers, built for speed and without the code of the page.

fn main() {
    faultlab::worker::start();
}
