//! Runs in the order of their numbers, so that merging in any order gives identical bits.

use serde::{Deserialize, Serialize};

/// Runs by ascending number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Runs<T>(pub Vec<(u64, T)>);

impl<T> Default for Runs<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Clone> Runs<T> {
    /// Inserts more runs in the order of their numbers.
    pub(crate) fn merge(&mut self, more: &Self) {
        for (number, run) in &more.0 {
            let place = self.0.partition_point(|(before, _)| before < number);
            self.0.insert(place, (*number, run.clone()));
        }
    }
}
