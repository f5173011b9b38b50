//! The page's workers: a program of their own, built for speed, without what only the page shows.

fn main() {
    faultlab::worker::start();
}
