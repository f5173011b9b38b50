//! The page's workers: a program of their own, built for speed, that starts sooner than the page's because it is smaller.

fn main() {
    faultlab::worker::start();
}
