//! CRC-32, the checksum of what is kept of a sweep: in journals, and in the browser.

/// The remainder of each value of four bits: a table of bytes would weigh 1 kB in the page.
const TABLE: [u32; 16] = {
    let mut table = [0; 16];
    let mut value = 0;
    while value < 16 {
        let (mut rest, mut bit) = (value as u32, 0);
        while bit < 4 {
            rest = if rest & 1 == 1 { rest >> 1 ^ 0xedb8_8320 } else { rest >> 1 };
            bit += 1;
        }
        table[value] = rest;
        value += 1;
    }
    table
};

/// Returns the CRC-32 of `bytes` (ISO-HDLC, as in zip files and Ethernet frames).
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let step = |rest: u32| rest >> 4 ^ TABLE[(rest & 15) as usize];
    !bytes.iter().fold(!0, |rest, &byte| step(step(rest ^ u32::from(byte))))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_catalogue() {
        assert_eq!(crc32(b"123456789"), 0xcbf4_3926);
        assert_eq!(crc32(b""), 0);
    }
}
