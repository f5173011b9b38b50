//! What is measured: a quantity of a kind of experiment, or a whole distribution.

use super::{Cell, Estimate, Experiment, Kind, PointResult, Tally};

/// One measured quantity of one kind of experiment.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Its name in experiment texts and exported files, one of its kind.
    pub id: &'static str,
    /// Its name on an axis, with its unit.
    pub axis: &'static str,
    /// The unit of its numbers.
    pub unit: &'static str,
    /// What it is, in a sentence.
    pub meaning: &'static str,
    /// Whether it is a probability, shown as a percentage.
    pub probability: bool,
    /// Which way is better for whoever uses the network.
    pub better: Better,
    /// Its estimate; `None` where nothing was measured.
    pub of: fn(&Tally, &Cell) -> Option<Estimate>,
}

impl Metric {
    /// The metric of another kind of experiment that is drawn along the same axis.
    pub fn of_kind(&self, kind: &Kind) -> Option<&'static Self> {
        kind.metrics.iter().find(|other| other.axis == self.axis)
    }
}

/// Which way a metric gets better.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Better {
    /// The more, the better: messages that arrive, what a network carries, the time until it jams.
    More,
    /// The less, the better: times, lengths, waste, and what goes wrong.
    Less,
}

impl Better {
    /// Its name in files.
    pub fn id(self) -> &'static str {
        match self {
            Self::More => "more",
            Self::Less => "less",
        }
    }

    /// How much harm there is in a value: more, the worse it is.
    pub fn harm(self, value: f64) -> f64 {
        match self {
            Self::More => -value,
            Self::Less => value,
        }
    }
}

/// What a chart can show besides metrics.
#[derive(Clone, Copy, Debug)]
pub struct Spread {
    /// Its name in experiment texts, one of its kind.
    pub id: &'static str,
    /// Its name.
    pub name: &'static str,
    /// What it is, in a sentence.
    pub meaning: &'static str,
    /// What is drawn.
    pub shape: SpreadShape,
}

/// How often values occurred at a point: values, ascending, with their counts.
pub type Counts = fn(&PointResult) -> Vec<(f64, u64)>;

/// What a spread draws, and from which numbers of a point.
#[derive(Clone, Copy, Debug)]
pub enum SpreadShape {
    /// The share of all trials that came to an end after at most so many hops.
    Arrivals(Counts),
    /// The share of the routes that have at most so many hops: steps.
    Routes(Counts),
    /// The share of what is counted that is at most a whole number: steps. With the titles of both axes.
    Steps(Counts, [&'static str; 2]),
    /// The share that is done within a time; up to the time at which 99 of 100 are, at least to the number. With the titles of both
    /// axes.
    Times(Counts, f64, [&'static str; 2]),
    /// A share for each dimension of a cube and both directions, up and down.
    Dimensions(fn(&PointResult) -> Vec<[Estimate; 2]>),
    /// Shares of a whole by their names, one upon the other, along what is varied.
    Stack(fn(&PointResult) -> Vec<(&'static str, f64)>),
    /// Delivery cycles against transmissions, a point for each value.
    TradeOff,
}

/// What a chart shows.
#[derive(Clone, Copy, Debug)]
pub enum Plot {
    /// A metric.
    Metric(&'static Metric),
    /// A distribution.
    Spread(&'static Spread),
}

impl Plot {
    /// Its name in experiment texts.
    pub fn id(self) -> &'static str {
        match self {
            Self::Metric(metric) => metric.id,
            Self::Spread(spread) => spread.id,
        }
    }
}

impl PartialEq for Plot {
    fn eq(&self, other: &Self) -> bool {
        self.id() == other.id()
    }
}

impl PartialEq for Metric {
    fn eq(&self, other: &Self) -> bool {
        self.id == other.id && self.axis == other.axis
    }
}

impl Experiment {
    /// What its chart shows: the first metric unless the text says otherwise.
    pub fn plot(&self) -> Plot {
        self.view.plot.unwrap_or(Plot::Metric(self.kind().first_metric()))
    }

    /// The metric that its chart shows; the first one if it shows a distribution.
    pub fn plotted_metric(&self) -> &'static Metric {
        match self.plot() {
            Plot::Metric(metric) => metric,
            Plot::Spread(_) => self.kind().first_metric(),
        }
    }

    /// The distribution that its chart shows, if it shows one.
    pub fn plotted_spread(&self) -> Option<&'static Spread> {
        match self.plot() {
            Plot::Metric(_) => None,
            Plot::Spread(spread) => Some(spread),
        }
    }
}
