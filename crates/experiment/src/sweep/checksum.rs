//! CRC-32, the checksum of stored sweeps: in journals, and in the browser.

use crc::{CRC_32_ISO_HDLC, Crc, NoTable};

/// Returns the CRC-32 of `bytes` (ISO-HDLC, as in zip files and Ethernet frames). The code has no
/// lookup table: a small page is more important than speed here.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    Crc::<u32, NoTable>::new(&CRC_32_ISO_HDLC).checksum(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn crc32_has_the_check_value_of_the_catalogue() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
    }
}
