//! Measured quantities and distributions of the kinds of experiments.

use super::{Estimate, Experiment, Kind, PointConfig, PointResult, Tally, Version};

/// Measured quantity of a kind of experiment.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Name in experiment texts and exported files, unique within the kind.
    pub id: &'static str,
    /// Axis title, with the unit.
    pub axis: &'static str,
    /// Unit of the values.
    pub unit: &'static str,
    /// Explanation in one sentence.
    pub meaning: &'static str,
    /// Flag for probabilities, which are shown as percentages.
    pub probability: bool,
    /// Direction that is better for users of the network.
    pub better: Direction,
    /// Function that returns the estimate; `None` where nothing was measured.
    pub estimate: fn(&Tally, &PointConfig) -> Option<Estimate>,
}

impl Metric {
    /// Returns the metric of another kind of experiment that has the same axis.
    pub fn matching_in(&self, kind: &Kind) -> Option<&'static Self> {
        kind.metrics.iter().find(|other| other.axis == self.axis)
    }
}

/// Direction in which a metric improves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Larger values are better: delivered messages, throughput, time until saturation.
    HigherIsBetter,
    /// Smaller values are better: times, lengths, waste and failures.
    LowerIsBetter,
}

impl Direction {
    /// Returns the name used in files.
    pub fn id(self) -> &'static str {
        match self {
            Self::HigherIsBetter => "more",
            Self::LowerIsBetter => "less",
        }
    }

    /// Returns the harm in a value, which is larger for worse values.
    pub fn harm(self, value: f64) -> f64 {
        match self {
            Self::HigherIsBetter => -value,
            Self::LowerIsBetter => value,
        }
    }
}

/// Distribution that a chart can show instead of a metric.
#[derive(Clone, Copy, Debug)]
pub struct Distribution {
    /// Name in experiment texts, unique within the kind.
    pub id: &'static str,
    /// Name shown to users.
    pub name: &'static str,
    /// Explanation in one sentence.
    pub meaning: &'static str,
    /// Data and drawing style.
    pub shape: DistributionKind,
}

/// Function that returns the values that occurred at a point, ascending, with their counts.
pub type HistogramFn = fn(&PointResult) -> Vec<(f64, u64)>;

/// Drawing style of a distribution, with the functions that extract its data from a point.
#[derive(Clone, Copy, Debug)]
pub enum DistributionKind {
    /// Share of all trials that ended after at most each number of hops.
    Arrivals(HistogramFn),
    /// Share of the routes that have at most each number of hops, as steps.
    Routes(HistogramFn),
    /// Share of the values that are at most each whole number, as steps. Includes the titles of
    /// both axes.
    Steps(HistogramFn, [&'static str; 2]),
    /// Share of messages whose time is at most each value.
    ///
    /// The axis ends at the 99th percentile, or at the given number if that is larger. Includes the
    /// titles of both axes.
    Times(HistogramFn, f64, [&'static str; 2]),
    /// Share for each dimension of a hypercube and both directions, up and down.
    Dimensions(fn(&PointResult) -> Vec<[Estimate; 2]>),
    /// Named shares of a whole, stacked, along the varied parameter.
    Stack(fn(&PointResult) -> Vec<(&'static str, f64)>),
    /// Delivery cycles against transmissions, a point for each value.
    TradeOff,
}

/// Content of a chart.
#[derive(Clone, Copy, Debug)]
pub enum Plot {
    /// Metric as curves along the varied parameter.
    Metric(&'static Metric),
    /// Distribution of a quantity of the trials.
    Spread(&'static Distribution),
}

impl Plot {
    /// Returns the name in experiment texts.
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
    /// Returns the content of the chart, by default [`Experiment::opening_metric`].
    pub fn plot(&self) -> Plot {
        self.view.plot.unwrap_or(Plot::Metric(self.opening_metric()))
    }

    /// Returns the metric of the chart if the text names none: the first metric in version 1, and
    /// from version 2 on a metric that does not improve when messages are lost.
    pub fn opening_metric(&self) -> &'static Metric {
        let kind = self.kind();
        match self.version {
            Version::V1 => kind.first_metric(),
            Version::V2 => kind.metric(kind.behavior.opening_metric(self)).unwrap_or(kind.first_metric()),
        }
    }

    /// Returns the metrics whose intervals end a point once they are as narrow as `within`.
    pub fn deciding_metrics(&self) -> Vec<&'static Metric> {
        let ids = self.kind().behavior.deciding_metrics(self);
        ids.into_iter().filter_map(|id| self.kind().metric(id)).collect()
    }

    /// Returns the metric on the chart; the default one if the chart shows a distribution.
    pub fn plotted_metric(&self) -> &'static Metric {
        match self.plot() {
            Plot::Metric(metric) => metric,
            Plot::Spread(_) => self.opening_metric(),
        }
    }

    /// Returns the distribution on the chart, if it shows one.
    pub fn plotted_spread(&self) -> Option<&'static Distribution> {
        match self.plot() {
            Plot::Metric(_) => None,
            Plot::Spread(spread) => Some(spread),
        }
    }
}
