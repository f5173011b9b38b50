//! The page and its second thread: one program for both, so that nobody downloads the core twice.

fn main() {
    faultlab::web::worker::start();
}
