//! Sorting where nobody waits for it: one compiled sort for all types.
//!
//! The standard library's sorts are fast and large; each type that they sort brings several kilobytes of its own, and
//! the page is downloaded: with them in the place of this one it weighs 16 kB more, gzipped, 2 % of all. What sorts numbers by
//! the million uses them nevertheless.

use std::cmp::Ordering;

/// Sorts in ascending order; equal ones stay in theirs. Cost: n log n comparisons through a pointer.
pub(crate) fn ascending<T: Ord>(items: &mut [T]) {
    by(items, T::cmp);
}

/// Sorts in ascending order of `key`; of equal keys the order stays.
pub(crate) fn by_key<T, K: Ord>(items: &mut [T], key: impl Fn(&T) -> K) {
    by(items, |a, b| key(a).cmp(&key(b)));
}

/// Sorts in the order that `compare` says; equal ones stay in theirs.
pub(crate) fn by<T>(items: &mut [T], compare: impl Fn(&T, &T) -> Ordering) {
    let mut from = order(items.len(), &|a, b| compare(&items[a], &items[b]));
    // Round by round: what comes to each place moves there, and what was first in the round moves last.
    for first in 0..items.len() {
        let mut at = first;
        while from[at] != first {
            items.swap(at, from[at]);
            at = std::mem::replace(&mut from[at], at);
        }
        from[at] = at;
    }
}

/// Sorts, and keeps one of each.
pub(crate) fn set<T: Ord>(items: &mut Vec<T>) {
    ascending(items);
    items.dedup();
}

/// The numbers below `count`, in the order that `compare` says.
#[inline(never)]
fn order(count: usize, compare: &dyn Fn(usize, usize) -> Ordering) -> Vec<usize> {
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_unstable_by(|&a, &b| compare(a, b).then(a.cmp(&b)));
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Key;

    #[test]
    fn as_the_standard_library_does() {
        for count in 0..200 {
            let words = (0..count).map(|index| (Key::from_seed(count).word_at(index) % 50, index));
            let mut items: Vec<_> = words.collect();
            let mut expected = items.clone();
            by_key(&mut items, |item| item.0);
            expected.sort_by_key(|item| item.0);
            assert_eq!(items, expected, "stable");
            by(&mut items, |a, b| b.1.cmp(&a.1));
            assert!(items.iter().map(|item| item.1).eq((0..count).rev()));
            ascending(&mut items);
            assert!(items.is_sorted());
            let mut keys: Vec<_> = items.iter().map(|item| item.0).collect();
            set(&mut keys);
            assert!(keys.is_sorted_by(|a, b| a < b) && items.iter().all(|item| keys.contains(&item.0)));
        }
    }
}
