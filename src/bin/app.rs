//! The page.

fn main() {
    faultlab::web::start_page();
}
