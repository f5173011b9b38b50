//! Versions of the experiment text, each with its own defaults and estimators.

use faultlab_core::names;

/// Version of the experiment text: the value of its key `v`.
///
/// The version decides the defaults of the other keys, and the rules by which networks under load
/// are measured. A text without `v` is read as [`Version::V1`], because version 1.0 promised that
/// such texts keep their numbers (`docs/determinism.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Version {
    /// Faultlab 1.0: a fixed warm-up, and a number of runs that follows from the bisection
    /// utilization alone.
    V1,
    /// Runs grow until their outputs are steady, and all displayed means decide when a point ends.
    /// Half-way hops on even tori can go in either direction.
    #[default]
    V2,
}

names! {
    listed Version {
        V1: "1",
        V2: "2",
    }
}

impl Version {
    /// Version of new experiments.
    pub const LATEST: Self = Self::V2;

    /// Returns the known defect in how this version measures networks under load; `None` for the
    /// latest version.
    pub fn known_defect(self) -> Option<&'static str> {
        (self < Self::LATEST).then_some(
            "v=1 measures as Faultlab 1.0 did: near saturation its intervals are too narrow. v=2 has runs that are long enough.",
        )
    }
}
