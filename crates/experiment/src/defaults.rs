//! Default experiments of the page: the opening of a kind on a network family, and the curve of an
//! experiment.

use super::{Experiment, Kind, NetworkFamily};

impl Kind {
    /// Returns the experiment with which the page opens this kind on networks of `family`: small,
    /// and quick to start.
    ///
    /// `None` if the kind does not run on that family.
    pub fn opening_experiment(&self, family: NetworkFamily) -> Option<Experiment> {
        let opening: Experiment = self.openings.iter().find(|(of, _)| *of == family)?.1.parse().ok()?;
        Some(opening.updated())
    }
}

impl Experiment {
    /// Returns this experiment with a default parameter varied, if it varies none.
    ///
    /// The parameter is that of the kind's best-known curve, or otherwise the first that can be
    /// varied.
    pub fn with_default_sweep(&self) -> Self {
        if self.vary.is_some() {
            return self.clone();
        }
        let kind = self.kind();
        let ids = std::iter::once(kind.default_parameter).chain(kind.parameters.iter().map(|parameter| parameter.id));
        // A node with a manual edit does not exist in every hypercube.
        let mut curves = ids.map(|id| self.varying(id));
        curves.find(|curve| curve.validate().is_ok()).unwrap_or_else(|| self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KINDS;
    use faultlab_core::topology::Network;

    #[test]
    fn kinds_have_valid_openings_exactly_where_they_run() {
        for kind in KINDS {
            for (family, id, _) in NetworkFamily::ALL {
                let sizes = ["4", "8x8", "16"];
                let runs = sizes
                    .iter()
                    .filter_map(|size| Network::parse(&format!("{id}:{size}")))
                    .any(|network| kind.behavior.fits(network));
                let opening = kind.opening_experiment(family);
                if let Some(curve) = opening.as_ref().map(Experiment::with_default_sweep) {
                    assert!(curve.vary.is_some() && curve.validate().is_ok(), "{curve}");
                }
                assert_eq!(opening.is_some(), runs, "{} on {id}", kind.id);
                assert!(opening.is_none_or(
                    |opening| opening.validate().is_ok() && NetworkFamily::from_network(opening.network) == family
                ));
            }
        }
    }
}
