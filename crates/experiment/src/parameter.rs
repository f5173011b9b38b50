//! Parameters that a sweep can vary.

use super::limits::check_fault_count;
use super::{Experiment, Problem};
use faultlab_core::topology::{Butterfly, Hypercube, Network};

/// Numeric parameter of the experiments of one kind; two are equal if they have the same name.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Name in experiment texts.
    pub id: &'static str,
    /// Axis title, with the unit.
    pub axis: &'static str,
    /// Title of a table column with the values, short and without the unit.
    pub heading: &'static str,
    /// Smallest accepted value.
    pub low: f64,
    /// Largest accepted value.
    pub high: f64,
    /// Restriction to whole numbers.
    pub is_integer: bool,
    /// Role, which charts and captions depend on.
    pub role: ParameterRole,
    /// Function that returns suggested values, in the syntax that follows the colon in experiment
    /// texts.
    pub suggested_values: fn(&Experiment) -> String,
    /// Function that sets the parameter.
    pub apply: fn(&mut Experiment, f64),
    /// Checks that an experiment can vary the parameter over the given values, ascending. Problems
    /// name `vary`.
    pub check: fn(&Experiment, &[f64]) -> Result<(), Problem>,
}

/// Role of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterRole {
    /// Fault rate p.
    FaultRate,
    /// Number of faults F.
    FaultCount,
    /// Size of the network: every value has a different network. Sizes that double are shown on a
    /// logarithmic axis.
    Size {
        /// Flag for sizes that double.
        doubling: bool,
    },
    /// Number of the node that fails in addition to all other faults, shown as a map.
    FaultyNode,
    /// Parameter that only one kind has.
    Other,
}

impl Parameter {
    /// Fault rate p of fault models that have one.
    pub(crate) const RATE: Self = Self {
        id: "p",
        axis: "fault rate p",
        heading: "p",
        low: 0.0,
        high: 1.0,
        is_integer: false,
        role: ParameterRole::FaultRate,
        suggested_values: |_| "0..0.3:7".into(),
        apply: |at, x| at.faults.model = at.faults.model.with_rate(x),
        check: |experiment, values| match experiment.faults.model {
            model if model.rate().is_none() => Err(Problem::new(
                "vary",
                "p is varied, so faults must be nodes:P, share:P, links:P, isolated:P (meshes) or wires:P (fat-trees)",
            )),
            model => check_fault_count("vary", model.with_rate(largest(values)), experiment.network),
        },
    };

    /// Number of faults F of fault models that have one.
    pub(crate) const COUNT: Self = Self {
        id: "f",
        axis: "number of faults f",
        heading: "f",
        low: 0.0,
        high: 1e15,
        is_integer: true,
        role: ParameterRole::FaultCount,
        suggested_values: |_| "1..8:8".into(),
        apply: |at, x| at.faults.model = at.faults.model.with_count(x as u64),
        check: |experiment, values| match experiment.faults.model {
            model if model.fault_count().is_some() => {
                check_fault_count("vary", model.with_count(largest(values) as u64), experiment.network)
            }
            _ => Err(Problem::new(
                "vary",
                "f is varied, so faults must be count:F, link-count:F or an adversary such as ball:F",
            )),
        },
    };

    /// Dimension n of the hypercube.
    pub(crate) const DIMENSION: Self = Self {
        id: "n",
        axis: "dimension n",
        heading: "n",
        low: 1.0,
        high: 64.0,
        is_integer: true,
        role: ParameterRole::Size { doubling: false },
        suggested_values: |_| "2..8:7".into(),
        apply: |at, x| {
            at.network = match at.network {
                Network::Hypercube(_) => Hypercube::new(x as u8).map_or(at.network, Network::Hypercube),
                Network::Butterfly(_) => Butterfly::new(x as u8).map_or(at.network, Network::Butterfly),
                other => other,
            };
        },
        check: |experiment, values| match experiment.network {
            Network::Hypercube(_) => Ok(()),
            Network::Butterfly(_) if largest(values) <= Butterfly::MAX_LEVELS.into() => Ok(()),
            Network::Butterfly(_) => {
                let most = Butterfly::MAX_LEVELS;
                Err(Problem::new("vary", format!("butterflies have at most {most} levels of links, n")))
            }
            _ => Err(Problem::new("vary", "n is varied, so the network must be a hypercube or a butterfly")),
        },
    };

    /// Nodes k in each dimension of a mesh.
    pub(crate) const RADIX: Self = Self {
        id: "k",
        axis: "nodes in each dimension k",
        heading: "k",
        low: 2.0,
        high: 1024.0,
        is_integer: true,
        role: ParameterRole::Size { doubling: false },
        suggested_values: |_| "8,12,16,24,32".into(),
        apply: |at, x| {
            *at = at.resized(at.mesh().and_then(|mesh| mesh.with_radix(x as u16)).map_or(at.network, Network::Mesh));
        },
        check: |experiment, _| {
            let problem = || Problem::new("vary", "k is varied, so the network must be a mesh");
            experiment.mesh().map(drop).ok_or_else(problem)
        },
    };

    /// Creates a parameter that only one kind has, with values from `low` to `high`. Its heading is its
    /// name.
    pub(crate) const fn number(
        id: &'static str,
        axis: &'static str,
        (low, high): (f64, f64),
        suggest: fn(&Experiment) -> String,
        apply: fn(&mut Experiment, f64),
    ) -> Self {
        Self {
            id,
            axis,
            heading: id,
            low,
            high,
            is_integer: false,
            role: ParameterRole::Other,
            suggested_values: suggest,
            apply,
            check: |_, _| Ok(()),
        }
    }

    /// Replaces the heading of this parameter.
    pub(crate) const fn with_heading(self, heading: &'static str) -> Self {
        Self { heading, ..self }
    }

    /// Restricts this parameter to whole numbers.
    pub(crate) const fn whole(self) -> Self {
        Self { is_integer: true, ..self }
    }

    /// Replaces the suggested values of this parameter.
    pub(crate) const fn with_suggestion(self, suggest: fn(&Experiment) -> String) -> Self {
        Self { suggested_values: suggest, ..self }
    }

    /// Limits the values of this parameter to at most `most`.
    pub(crate) const fn up_to(self, most: u8) -> Self {
        Self { high: most as f64, ..self }
    }

    /// Describes the accepted values in words.
    pub(crate) fn accepted(&self) -> String {
        let whole = if self.is_integer { ", whole" } else { "" };
        format!("{} ({} to {}{whole}; {})", self.id, self.low, self.high, self.axis)
    }
}

impl PartialEq for Parameter {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// Returns the largest of ascending values.
pub(crate) fn largest(values: &[f64]) -> f64 {
    values.last().copied().unwrap_or(0.0)
}
