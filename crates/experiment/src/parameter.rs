//! What a sweep can vary: one number of an experiment.

use super::limits::check_fault_count;
use super::{Experiment, Problem};
use faultlab_core::topology::{Hypercube, Network};

/// What can be varied in experiments of one kind; two of them are equal if they have the same name.
#[derive(Clone, Copy, Debug)]
pub struct Parameter {
    /// Its name in experiment texts.
    pub id: &'static str,
    /// Its name on an axis, with its unit.
    pub axis: &'static str,
    /// The smallest value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// Whether only whole numbers make sense.
    pub whole: bool,
    /// What it changes, where charts and captions need to know.
    pub role: Role,
    /// Values that make sense at once, as in a text behind the colon.
    pub suggest: fn(&Experiment) -> String,
    /// Gives it this value.
    pub apply: fn(&mut Experiment, f64),
    /// Checks that an experiment can vary it over these values, ascending. Problems name `vary`.
    pub check: fn(&Experiment, &[f64]) -> Result<(), Problem>,
}

/// What a parameter changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The fault rate p.
    FaultRate,
    /// The number of faults F.
    FaultCount,
    /// The size of the network: every value has a network of its own. Sizes that double are shown on a logarithmic axis.
    Size {
        /// Whether sizes double.
        doubling: bool,
    },
    /// The node that is faulty besides all others, by its number: a map.
    Place,
    /// A number that only one kind has.
    Other,
}

impl Parameter {
    /// The fault rate p of fault models that have one.
    pub(crate) const RATE: Self = Self {
        id: "p",
        axis: "fault rate p",
        low: 0.0,
        high: 1.0,
        whole: false,
        role: Role::FaultRate,
        suggest: |_| "0..0.3:7".into(),
        apply: |at, x| at.faults.model = at.faults.model.with_rate(x),
        check: |experiment, values| match experiment.faults.model {
            model if model.rate().is_none() => Err(Problem::new(
                "vary",
                "p is varied, so faults must be nodes:P, share:P, links:P or, of meshes, isolated:P, \
                 of fat-trees wires:P",
            )),
            model => check_fault_count("vary", model.with_rate(last_of(values)), experiment.network),
        },
    };

    /// The number of faults F of fault models that have one.
    pub(crate) const COUNT: Self = Self {
        id: "f",
        axis: "number of faults f",
        low: 0.0,
        high: 1e15,
        whole: true,
        role: Role::FaultCount,
        suggest: |_| "1..8:8".into(),
        apply: |at, x| at.faults.model = at.faults.model.with_count(x as u64),
        check: |experiment, values| match experiment.faults.model {
            model if model.faults().is_some() => {
                check_fault_count("vary", model.with_count(last_of(values) as u64), experiment.network)
            }
            _ => Err(Problem::new(
                "vary",
                "f is varied, so faults must be count:F, link-count:F or, placed by an adversary, such as ball:F",
            )),
        },
    };

    /// The dimension n of the hypercube.
    pub(crate) const DIMENSION: Self = Self {
        id: "n",
        axis: "dimension n",
        low: 1.0,
        high: 64.0,
        whole: true,
        role: Role::Size { doubling: false },
        suggest: |_| "2..8:7".into(),
        apply: |at, x| {
            if at.cube().is_some() {
                at.network = Hypercube::new(x as u8).map_or(at.network, Network::Hypercube);
            }
        },
        check: |experiment, _| {
            let problem = || Problem::new("vary", "n is varied, so the network must be a hypercube");
            experiment.cube().map(drop).ok_or_else(problem)
        },
    };

    /// A number of this name, from `low` to `high`, that only one kind has.
    pub(crate) const fn number(
        id: &'static str,
        axis: &'static str,
        (low, high): (f64, f64),
        suggest: fn(&Experiment) -> String,
        apply: fn(&mut Experiment, f64),
    ) -> Self {
        Self { id, axis, low, high, whole: false, role: Role::Other, suggest, apply, check: |_, _| Ok(()) }
    }

    /// The same, but a whole number.
    pub(crate) const fn whole(self) -> Self {
        Self { whole: true, ..self }
    }

    /// The same, but with values of its own that make sense.
    pub(crate) const fn suggesting(self, suggest: fn(&Experiment) -> String) -> Self {
        Self { suggest, ..self }
    }

    /// The same up to this value at most.
    pub(crate) const fn up_to(self, most: u8) -> Self {
        Self { high: most as f64, ..self }
    }

    /// What values it takes, in words.
    pub(crate) fn accepted(&self) -> String {
        let whole = if self.whole { ", whole" } else { "" };
        format!("{} ({} to {}{whole}; {})", self.id, self.low, self.high, self.axis)
    }
}

impl PartialEq for Parameter {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id
    }
}

/// The largest of ascending values.
pub(crate) fn last_of(values: &[f64]) -> f64 {
    values.last().copied().unwrap_or(0.0)
}
