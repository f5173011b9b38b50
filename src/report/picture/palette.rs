//! The colours of exported figures; the page takes its own from its style sheet.

use super::scene::Role;

/// The colours of the compared algorithms, told apart with every common colour vision (after Okabe and Ito).
const SERIES: [(u8, u8, u8); 7] =
    [(9, 105, 168), (155, 77, 134), (92, 100, 112), (10, 122, 90), (184, 116, 0), (43, 58, 130), (200, 67, 11)];

/// The colour of `role` on white paper, as red, green, blue.
pub fn print(role: Role) -> (u8, u8, u8) {
    match role {
        Role::Paper => (255, 255, 255),
        Role::Ink => (28, 33, 40),
        Role::Soft => (92, 100, 112),
        Role::Link => (164, 157, 138),
        Role::Idle => (154, 163, 173),
        Role::Fault => (200, 67, 11),
        Role::Detour => (184, 116, 0),
        Role::Done => (10, 122, 90),
        Role::Trap => (155, 77, 134),
        Role::Series(number) => SERIES[usize::from(number) % SERIES.len()],
    }
}

/// The same as a CSS colour.
pub fn print_css(role: Role) -> String {
    let (r, g, b) = print(role);
    format!("#{r:02x}{g:02x}{b:02x}")
}
