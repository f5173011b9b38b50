//! Names of files by a hash of their contents, so that caches may keep the files forever.

/// Returns a name for a file with the contents `contents`: `STEM-HASH.EXTENSION`.
pub(crate) fn named(stem: &str, extension: &str, contents: &[u8]) -> String {
    format!("{stem}-{:016x}.{extension}", fingerprint(contents))
}

/// Returns the 64-bit FNV-1a hash. It distinguishes builds and has no security purpose.
fn fingerprint(contents: &[u8]) -> u64 {
    contents
        .iter()
        .fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_contents_have_different_names() {
        assert_ne!(named("a", "js", b"1"), named("a", "js", b"2"));
        assert_eq!(named("a", "js", b""), "a-cbf29ce484222325.js");
    }
}
