//! Spelling suggestions for unknown words.

/// Returns the words of `known` within an edit distance of 2, or 1 for words of up to four bytes, the
/// most similar first.
pub fn similar<'k>(word: &str, known: &[&'k str]) -> Vec<&'k str> {
    if word.len() > 40 {
        return Vec::new();
    }
    let near = |other: &&str| distance(word, other) <= if other.len() > 4 { 2 } else { 1 };
    let mut found: Vec<_> = known.iter().copied().filter(near).collect();
    found.sort_by_key(|other| distance(word, other));
    found
}

/// Returns the first word of [`similar`].
pub fn nearest<'k>(word: &str, known: &[&'k str]) -> Option<&'k str> {
    similar(word, known).first().copied()
}

/// Returns the edit distance with transpositions of neighbours (Damerau-Levenshtein), ignoring
/// case.
fn distance(a: &str, b: &str) -> usize {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let (mut before, mut last): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=b.len()).collect());
    for i in 0..a.len() {
        let mut row = vec![i + 1];
        for j in 0..b.len() {
            let same = a[i].eq_ignore_ascii_case(&b[j]);
            let mut least = (last[j] + usize::from(!same)).min(last[j + 1] + 1).min(row[j] + 1);
            if i > 0 && j > 0 && a[i].eq_ignore_ascii_case(&b[j - 1]) && a[i - 1].eq_ignore_ascii_case(&b[j]) {
                least = least.min(before[j - 1] + 1);
            }
            row.push(least);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn nearest_ignores_case_and_allows_two_edits_in_long_words() {
        let known = ["net", "route", "e-cube", "f-cube2"];
        assert_eq!(nearest("rout", &known), Some("route"));
        assert_eq!(nearest("ROUET", &known), Some("route"));
        assert_eq!(nearest("fcube2", &known), Some("f-cube2"));
        assert_eq!(nearest("ten", &known), None);
    }
}
