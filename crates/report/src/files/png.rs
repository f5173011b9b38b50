//! Descriptions inside PNG files that state the source of the picture.

use crc::{CRC_32_ISO_HDLC, Crc, NoTable};

/// Signature at the start of every PNG file.
const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

/// End of the first chunk, IHDR: 8 bytes of signature, 4 of length, 4 of type, 13 of data, 4 of
/// checksum.
const HEADER_END: usize = 33;

/// Returns the PNG file `png` with `text` as its description: an `iTXt` chunk with the keyword
/// "Description", PNG specification, section 11.3.3. Returns `None` if `png` is not a PNG file.
pub fn with_description(png: &[u8], text: &str) -> Option<Vec<u8>> {
    if !png.starts_with(SIGNATURE) || png.len() < HEADER_END {
        return None;
    }
    // Not compressed, no language, no translated keyword: five zero bytes.
    let body = [b"iTXtDescription".as_slice(), &[0; 5], text.as_bytes()].concat();
    let length = u32::try_from(body.len() - 4).ok()?;
    let (header, rest) = png.split_at(HEADER_END);
    let checksum = checksum(&body);
    Some([header, &length.to_be_bytes(), &body, &checksum.to_be_bytes(), rest].concat())
}

/// Returns the checksum of a chunk (CRC-32, PNG specification, annex D).
fn checksum(bytes: &[u8]) -> u32 {
    Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC).checksum(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Picture of one white pixel, made by another program.
    const PIXEL: &[u8] = &[
        137, 80, 78, 71, 13, 10, 26, 10, 0, 0, 0, 13, 73, 72, 68, 82, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0, 0, 0, 0, 58, 126,
        155, 85, 0, 0, 0, 10, 73, 68, 65, 84, 120, 156, 99, 248, 15, 0, 1, 1, 1, 0, 177, 56, 246, 20, 0, 0, 0, 0, 73,
        69, 78, 68, 174, 66, 96, 130,
    ];

    #[test]
    fn every_chunk_has_its_length_and_checksum() {
        let png = with_description(PIXEL, "v=1&seed=2 ä").unwrap();
        let (mut at, mut types) = (SIGNATURE.len(), Vec::new());
        while at < png.len() {
            let length = u32::from_be_bytes(png[at..at + 4].try_into().unwrap()) as usize;
            let body = &png[at + 4..at + 8 + length];
            let told = u32::from_be_bytes(png[at + 8 + length..at + 12 + length].try_into().unwrap());
            assert_eq!(checksum(body), told);
            types.push(String::from_utf8_lossy(&body[..4]).into_owned());
            at += 12 + length;
        }
        assert_eq!(types, ["IHDR", "iTXt", "IDAT", "IEND"]);
    }

    #[test]
    fn other_files_are_refused() {
        assert_eq!(with_description(b"GIF89a", "text"), None);
    }
}
