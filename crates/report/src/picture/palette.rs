//! Colours of exported figures; the page takes its colours from its style sheet.

use super::scene::Role;

/// Colours of the compared algorithms, distinguishable with every common colour vision (after Okabe
/// and Ito).
const SERIES: [(u8, u8, u8); 7] =
    [(9, 105, 168), (155, 77, 134), (92, 100, 112), (10, 122, 90), (184, 116, 0), (43, 58, 130), (200, 67, 11)];

/// Returns the colour of `role` on white paper, as red, green, blue.
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

/// Returns the colour of `role` on white paper, as a CSS colour.
pub fn print_css(role: Role) -> String {
    let (r, g, b) = print(role);
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Colours of the page in its light and dark schemes, as in its style sheet.
const SCREEN: [(Role, [u32; 2]); 16] = [
    (Role::Paper, [0xfb_fa_f6, 0x14_17_1b]),
    (Role::Ink, [0x1c_21_28, 0xe9_e6_df]),
    (Role::Soft, [0x59_61_6c, 0xa6_ad_b7]),
    (Role::Link, [0xa0_99_85, 0x5a_65_73]),
    (Role::Idle, [0x8b_94_9e, 0x75_80_8b]),
    (Role::Fault, [0xc2_41_0c, 0xff_7a_45]),
    (Role::Detour, [0xa2_63_00, 0xf0_b2_4a]),
    (Role::Done, [0x0a_7a_5a, 0x3f_c7_9a]),
    (Role::Trap, [0xa3_26_6e, 0xf0_8c_c8]),
    (Role::Series(0), [0x09_69_a8, 0x5c_b8_f0]),
    (Role::Series(1), [0x9b_4d_86, 0xd5_92_c2]),
    (Role::Series(2), [0x5c_64_70, 0xb3_ba_c4]),
    (Role::Series(3), [0x0a_7a_5a, 0x3f_c7_9a]),
    (Role::Series(4), [0x8a_5a_00, 0xe0_b0_60]),
    (Role::Series(5), [0x2b_3a_82, 0x93_a5_ff]),
    (Role::Series(6), [0xb0_3a_0b, 0xff_9a_70]),
];

/// Returns all roles of the page with their CSS colours in the light and dark schemes.
pub fn screen() -> impl Iterator<Item = (Role, [String; 2])> {
    SCREEN.into_iter().map(|(role, both)| (role, both.map(|color| format!("#{color:06x}"))))
}

/// Returns the colour of `role` in the page's light scheme, as red, green, blue.
pub fn light(role: Role) -> (u8, u8, u8) {
    let asked = if let Role::Series(number) = role { Role::Series(number % 7) } else { role };
    let found = SCREEN.iter().find(|(known, _)| *known == asked);
    let [_, r, g, b] = found.map_or(0, |(_, [light, _])| *light).to_be_bytes();
    (r, g, b)
}

/// Returns the colour of `role` in the page's light scheme, as a CSS colour.
pub fn light_css(role: Role) -> String {
    let (r, g, b) = light(role);
    format!("#{r:02x}{g:02x}{b:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLES: &str = include_str!("../../../../styles/main.css");

    /// Returns the name of the colour of a role in the style sheet.
    fn name(role: Role) -> String {
        match role {
            Role::Link => "free".to_owned(),
            Role::Series(number) => format!("series-{number}"),
            role => format!("{role:?}").to_lowercase(),
        }
    }

    #[test]
    fn screen_colours_match_the_style_sheet() {
        for (role, [light, dark]) in screen() {
            let rule = format!("--{}: var(--l, {light}) var(--d, {dark});", name(role));
            assert!(STYLES.contains(&rule), "{rule}");
            assert_eq!(light_css(role), light);
        }
    }

    #[test]
    fn equal_light_colours_have_equal_dark_colours() {
        let all: Vec<_> = screen().map(|(_, both)| both).collect();
        assert!(all.iter().all(|one| all.iter().all(|other| one[0] != other[0] || one[1] == other[1])));
    }
}
