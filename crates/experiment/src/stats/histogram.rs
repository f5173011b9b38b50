//! Histograms of small whole numbers, indexed by value.

/// Adds a histogram to another, which grows if it is shorter.
pub(crate) fn add_counts<T: Copy + Into<u64>>(into: &mut Vec<u64>, more: &[T]) {
    if into.len() < more.len() {
        into.resize(more.len(), 0);
    }
    into.iter_mut().zip(more).for_each(|(into, &more)| *into += more.into());
}
