//! The page's second thread.

fn main() {
    faultlab::web::worker::start();
}
