//! Link as a QR code, for phones.

use std::fmt::Write as _;

use qrcodegen::{QrCode, QrCodeEcc, QrSegment, Version};

/// Largest version that a phone still reads from a projector: 117 squares along a side, 1,273
/// bytes.
const LARGEST: u8 = 25;

/// Width of the quiet zone around a code, in squares.
const QUIET: i32 = 4;

/// QR code, to be drawn black on white.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShareCode {
    /// Squares along a side, including the quiet zone.
    pub side: i32,
    /// Black squares as the path of an SVG whose unit is a square.
    pub path: String,
}

impl ShareCode {
    /// Returns the code of a link; `None` if the link is too long.
    pub fn from_link(link: &str) -> Option<Self> {
        let bytes = [QrSegment::make_bytes(link.as_bytes())];
        // Spare capacity is used for error correction.
        let code =
            QrCode::encode_segments_advanced(&bytes, QrCodeEcc::Low, Version::MIN, Version::new(LARGEST), None, true)
                .ok()?;
        let mut path = String::new();
        for y in 0..code.size() {
            let mut x = 0;
            while x < code.size() {
                let run = (x..code.size()).take_while(|&at| code.get_module(at, y)).count() as i32;
                if run > 0 {
                    // Writing into a text cannot fail.
                    let _ = write!(path, "M{},{}h{run}v1h-{run}z", x + QUIET, y + QUIET);
                }
                x += run.max(1);
            }
        }
        Some(Self { side: code.size() + 2 * QUIET, path })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn qr_code_exists_unless_the_link_is_too_long() {
        let code =
            ShareCode::from_link("https://example.org/#v=1").unwrap_or(ShareCode { side: 0, path: String::new() });
        assert_eq!(code.side, 25 + 8);
        // Upper left finder pattern: a square of 7, with a white square of 5 and a black square of
        // 3 inside.
        assert!(code.path.starts_with("M4,4h7v1h-7z") && code.path.contains("M4,5h1v1h-1z"), "{}", code.path);
        assert!(code.path.contains("M6,6h3v1h-3z") && code.path.contains("M4,10h7v1h-7z"), "{}", code.path);
        assert!(ShareCode::from_link(&"a".repeat(1_273)).is_some());
        assert_eq!(ShareCode::from_link(&"a".repeat(1_274)), None);
    }
}
