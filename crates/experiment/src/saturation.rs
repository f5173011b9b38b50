//! Saturation of networks under load: the offered traffic from which on a network accepts less than
//! it is offered.

use std::sync::Arc;

use crate::{Estimate, Experiment, ExperimentError, PointConfig, PointResult, Status, Sweep, Tally, Vary};
use faultlab_core::routing::Algorithm;
use faultlab_core::traffic::Bisection;

/// Accepted traffic at saturation, as a share of the offered traffic.
pub const ACCEPTED_AT_SATURATION: f64 = 0.95;

/// Quantities of a kind of experiment that determine saturation.
#[derive(Debug)]
pub struct SaturationMetrics {
    /// Names of the parameters that set the offered traffic, each in a unit of its own; the first
    /// is the usual one.
    pub parameters: &'static [&'static str],
    /// Function that returns the accepted traffic as a share of the offered traffic. Messages that
    /// faults prevent from being delivered are no part of the offered traffic.
    pub accepted: fn(&Tally, &PointConfig) -> Option<Estimate>,
    /// Name of the metric that measures the accepted traffic.
    pub throughput: &'static str,
    /// Name of the metric that measures the mean latency.
    pub latency: &'static str,
}

/// Saturation of one algorithm along a sweep over the offered traffic.
#[derive(Clone, Debug, PartialEq)]
pub struct Saturation {
    /// Algorithm.
    pub algorithm: Arc<Algorithm>,
    /// Offered traffic at saturation.
    pub load: SaturationLoad,
    /// Largest measured throughput, and the offered traffic at which it was measured.
    pub peak: Option<(f64, Estimate)>,
    /// Mean latency at the smallest measured offered traffic, and that traffic.
    pub lowest: Option<(f64, Estimate)>,
}

/// Offered traffic at which the accepted traffic falls to [`ACCEPTED_AT_SATURATION`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SaturationLoad {
    /// The mean is interpolated linearly between two measured values. The ends of the interval are
    /// the largest measured value before it that is not saturated, and the smallest one after it
    /// that is saturated; both are significant at 95%.
    At(Estimate),
    /// No measured value is significantly saturated. This is the largest one that is significantly
    /// not saturated, or the largest measured one if there is none.
    Above(f64),
    /// No smaller measured value than this saturated one is significantly not saturated.
    Below(f64),
}

/// Returns the quantities that determine saturation if `experiment` can be saturated: its kind has
/// them, and its messages are not listed.
pub fn saturation_metrics(experiment: &Experiment) -> Option<&'static SaturationMetrics> {
    let is_listed = experiment.setting.worm().is_some_and(|setting| setting.traffic.is_finite());
    experiment.kind().saturation.filter(|_| !is_listed)
}

/// Returns the name of the parameter that sets the offered traffic of `experiment`, in the unit in
/// which its text gives it; `None` if the experiment cannot be saturated.
pub fn traffic_parameter(experiment: &Experiment) -> Option<&'static str> {
    let metrics = saturation_metrics(experiment)?;
    let varied = experiment.vary.as_ref().map(|vary| vary.parameter.id);
    let in_flits = experiment.setting.worm().is_some_and(|setting| setting.flit_rate.is_some());
    let given = varied.filter(|varied| metrics.parameters.contains(varied)).or(in_flits.then_some("flit-rate"));
    Some(given.unwrap_or(usual_parameter(metrics)))
}

/// Returns the parameter that usually sets the offered traffic.
fn usual_parameter(metrics: &SaturationMetrics) -> &'static str {
    metrics.parameters.first().copied().unwrap_or_default()
}

/// Results of a finished point that determine saturation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct TrafficPoint {
    algorithm: Arc<Algorithm>,
    /// Offered traffic.
    x: f64,
    /// Accepted share of the traffic; 0 for a deadlocked network, `None` if it is unknown.
    accepted: Option<Estimate>,
    throughput: Option<Estimate>,
    latency: Option<Estimate>,
    /// Number of simulated messages, to which the computing time is roughly proportional.
    cost: u64,
}

impl TrafficPoint {
    /// Returns the results of a point; `None` without offered traffic.
    fn new(metrics: &SaturationMetrics, point: &PointResult) -> Option<Self> {
        let kind = point.config.setting.kind();
        let estimate = |id: &str| point.estimate(kind.metric(id)?);
        let accepted = match point.status {
            Status::Deadlocked => Some(Estimate { mean: 0.0, low: 0.0, high: 0.0, n: 0, runs: 0 }),
            // The share of a network whose queues grow varies too much to be interpolated.
            Status::Unstable => {
                (metrics.accepted)(&point.tally, &point.config).filter(|share| share.high < ACCEPTED_AT_SATURATION)
            }
            _ => (metrics.accepted)(&point.tally, &point.config),
        };
        Some(Self {
            algorithm: point.algorithm.clone(),
            x: point.x?,
            accepted,
            throughput: estimate(metrics.throughput),
            latency: estimate(metrics.latency),
            cost: kind.stopping_rule.spent.map_or(point.tally.trials, |spent| spent(&point.tally)),
        })
    }
}

/// Returns the results of a sweep over the offered traffic that determine saturation, for algorithms
/// whose points are all finished; empty for other sweeps.
pub(crate) fn traffic_points(sweep: &Sweep) -> Vec<TrafficPoint> {
    let experiment = sweep.experiment();
    let varied = experiment.vary.as_ref().map(|vary| vary.parameter.id);
    let sets_traffic = |metrics: &&SaturationMetrics| varied.is_some_and(|varied| metrics.parameters.contains(&varied));
    let Some(metrics) = saturation_metrics(experiment).filter(sets_traffic) else {
        return Vec::new();
    };
    let running: Vec<_> = sweep.points().iter().filter(|point| point.status == Status::Running).collect();
    let is_finished = |point: &&PointResult| running.iter().all(|other| other.algorithm != point.algorithm);
    let points = sweep.points().iter().filter(is_finished).filter_map(|point| TrafficPoint::new(metrics, point));
    points.chain(sweep.refined_points().iter().cloned()).collect()
}

/// Returns the saturation of each algorithm of a sweep over the offered traffic, as far as its
/// points are finished, with those of [`Sweep::refine`]. Empty for other sweeps.
pub fn saturations(sweep: &Sweep) -> Vec<Saturation> {
    let points = traffic_points(sweep);
    sweep.experiment().routing.iter().filter_map(|algorithm| saturation(&of_algorithm(&points, algorithm))).collect()
}

/// Returns the points of an algorithm, sorted by their offered traffic.
fn of_algorithm<'a>(points: &'a [TrafficPoint], algorithm: &Algorithm) -> Vec<&'a TrafficPoint> {
    let mut found: Vec<_> = points.iter().filter(|point| *point.algorithm == *algorithm).collect();
    found.sort_by(|a, b| a.x.total_cmp(&b.x));
    found
}

/// Returns the saturation of the algorithm of `points`, which are sorted by their offered traffic.
/// `None` if nothing was measured.
fn saturation(points: &[&TrafficPoint]) -> Option<Saturation> {
    let algorithm = points.first()?.algorithm.clone();
    let along = |value: fn(&TrafficPoint) -> Option<Estimate>| {
        points.iter().filter_map(move |point| Some((point.x, value(point)?)))
    };
    let load = saturation_load(&along(|point| point.accepted).collect::<Vec<_>>())?;
    let peak = along(|point| point.throughput).max_by(|(_, a), (_, b)| a.mean.total_cmp(&b.mean));
    let lowest = along(|point| point.latency).next();
    Some(Saturation { algorithm, load, peak, lowest })
}

/// Returns the offered traffic at saturation from the accepted shares, sorted by the offered
/// traffic. The shares are assumed to fall as the traffic grows.
fn saturation_load(shares: &[(f64, Estimate)]) -> Option<SaturationLoad> {
    const LIMIT: f64 = ACCEPTED_AT_SATURATION;
    let is_unsaturated = |(_, share): &(f64, Estimate)| share.low >= LIMIT;
    let Some(after) = shares.iter().position(|(_, share)| share.high < LIMIT) else {
        let last = shares.iter().rfind(|&share| is_unsaturated(share)).or(shares.last())?;
        return Some(SaturationLoad::Above(last.0));
    };
    let Some(before) = shares[..after].iter().rposition(is_unsaturated) else {
        return Some(SaturationLoad::Below(shares[after].0));
    };
    let falls = |at: &usize| shares[*at].1.mean >= LIMIT && shares[*at + 1].1.mean < LIMIT;
    let ((x, share), (next, next_share)) = (before..after).find(falls).map(|at| (shares[at], shares[at + 1]))?;
    let mean = x + (next - x) * (share.mean - LIMIT) / (share.mean - next_share.mean);
    let n = share.n + next_share.n;
    let runs = share.runs.min(next_share.runs);
    Some(SaturationLoad::At(Estimate { mean, low: shares[before].0, high: shares[after].0, n, runs }))
}

/// Offered traffic of the first sweep of a search for saturation. The smallest value is so small
/// that messages hardly ever meet.
const FIRST_VALUES: [f64; 11] = [0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0];

/// Number of values between the ends of an interval in each refinement.
const REFINED_VALUES: u32 = 3;

/// Usual width down to which a search narrows intervals, in units of the offered traffic.
pub const RESOLUTION: f64 = 0.02;

/// Search for the saturation of each algorithm of an experiment: a sweep over the offered traffic,
/// then narrower sweeps where each algorithm saturates.
#[derive(Clone, Debug)]
pub struct SaturationSearch {
    experiment: Experiment,
    /// Name of the parameter that sets the offered traffic.
    parameter: &'static str,
    points: Vec<TrafficPoint>,
    resolution: f64,
}

impl SaturationSearch {
    /// Creates a search that narrows intervals down to the width `resolution`, in units of the
    /// offered traffic. An interval stays wider if the values that divide it are neither
    /// significantly saturated nor significantly not saturated.
    ///
    /// # Errors
    /// Returns an error if experiments of this kind have no saturation, or if the experiment varies
    /// another parameter.
    pub fn new(experiment: &Experiment, resolution: f64) -> Result<Self, NotSaturable> {
        let metrics = saturation_metrics(experiment).ok_or(NotSaturable::NoContinuousTraffic)?;
        if let Some(varied) = experiment.vary.as_ref().map(|vary| vary.parameter.id)
            && !metrics.parameters.contains(&varied)
        {
            return Err(NotSaturable::OtherParameter { varied, accepted: usual_parameter(metrics) });
        }
        let parameter = traffic_parameter(experiment).unwrap_or(usual_parameter(metrics));
        Ok(Self { experiment: experiment.clone(), parameter, points: Vec::new(), resolution })
    }

    /// Creates the search of the experiment of a finished sweep, with the results of the sweep: it
    /// measures only the missing points.
    ///
    /// # Errors
    /// As [`SaturationSearch::new`].
    pub fn from_sweep(sweep: &Sweep, resolution: f64) -> Result<Self, NotSaturable> {
        let mut search = Self::new(sweep.experiment(), resolution)?;
        search.add(sweep);
        Ok(search)
    }

    /// Returns the experiment that is searched, without the sweeps of the search.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// Returns the next sweep to measure; `None` at the end of the search.
    ///
    /// # Errors
    /// Returns the error of a value of the offered traffic that the experiment does not permit.
    pub fn next_sweep(&self) -> Result<Option<Experiment>, ExperimentError> {
        let missing = self.missing_values();
        if !missing.is_empty() {
            return self.sweep_over(&self.experiment.routing, &missing).map(Some);
        }
        let refined = |algorithm: &Arc<Algorithm>| {
            let values = self.refined_values(&self.points_of(algorithm))?;
            Some(self.sweep_over(std::slice::from_ref(algorithm), &values))
        };
        self.experiment.routing.iter().find_map(refined).transpose()
    }

    /// Adds the points of a finished sweep.
    pub fn add(&mut self, sweep: &Sweep) {
        self.points.extend(traffic_points(sweep));
    }

    /// Returns the saturation of each algorithm, as far as it is known.
    pub fn saturations(&self) -> Vec<Saturation> {
        let of = |algorithm: &Arc<Algorithm>| saturation(&self.points_of(algorithm));
        self.experiment.routing.iter().filter_map(of).collect()
    }

    /// Returns the name of the parameter that sets the offered traffic.
    pub fn parameter(&self) -> &'static str {
        self.parameter
    }

    /// Returns the number of measured values of the offered traffic of `algorithm`.
    pub fn point_count(&self, algorithm: &Algorithm) -> usize {
        self.points_of(algorithm).len()
    }

    /// Returns the approximate computing time of the rest of the search, as a multiple of the time
    /// of all points measured so far.
    ///
    /// New points of an algorithm are assumed to cost as much as the ends of its interval, and every
    /// round to narrow the interval to a quarter.
    pub fn remaining_share(&self) -> f64 {
        let measured: u64 = self.points.iter().map(|point| point.cost).sum();
        let cheapest = self.points.iter().map(|point| point.cost).min().unwrap_or(0);
        let missing = cheapest as f64 * (self.missing_values().len() * self.experiment.routing.len()) as f64;
        let refining = |algorithm: &Arc<Algorithm>| {
            let points = self.points_of(algorithm);
            self.refined_values(&points)?;
            let (low, high) = self.open_interval(&points)?;
            let rounds =
                libm::ceil(libm::log((high - low) / self.resolution) / libm::log(f64::from(REFINED_VALUES + 1)));
            let ends: u64 = points.iter().filter(|point| [low, high].contains(&point.x)).map(|point| point.cost).sum();
            Some(rounds * f64::from(REFINED_VALUES) * ends as f64 / 2.0)
        };
        let refined: f64 = self.experiment.routing.iter().filter_map(refining).sum();
        (missing + refined) / (measured as f64).max(1.0)
    }

    fn points_of(&self, algorithm: &Algorithm) -> Vec<&TrafficPoint> {
        of_algorithm(&self.points, algorithm)
    }

    /// Returns the values of the first sweep that are not measured yet.
    fn missing_values(&self) -> Vec<f64> {
        let mut values = self.first_values();
        values.retain(|value| self.points.iter().all(|point| point.x != *value));
        values
    }

    /// Returns the values of the first sweep: those of the experiment if it varies the offered
    /// traffic.
    fn first_values(&self) -> Vec<f64> {
        match self.experiment.vary.as_ref().filter(|vary| vary.parameter.id == self.parameter) {
            None => FIRST_VALUES.iter().map(|&share| self.in_unit(share)).collect(),
            Some(vary) => {
                let mut values = vary.values();
                let has_space = values.len() < Vary::MAX_VALUES as usize;
                if has_space && values.first().is_some_and(|&first| first > self.in_unit(FIRST_VALUES[0])) {
                    values.insert(0, self.in_unit(FIRST_VALUES[0]));
                }
                values
            }
        }
    }

    /// Returns a share of the usual parameter in the unit of the varied one, with four decimals.
    fn in_unit(&self, share: f64) -> f64 {
        let mesh = self.experiment.network.wormhole_mesh().filter(|_| self.parameter == "flit-rate");
        mesh.map_or(share, |mesh| (share * Bisection::new(mesh).saturation_load() * 1e4).round() / 1e4)
    }

    /// Returns the ends of the interval of the saturation if it is wider than the resolution.
    fn open_interval(&self, points: &[&TrafficPoint]) -> Option<(f64, f64)> {
        match saturation(points)?.load {
            SaturationLoad::At(Estimate { low, high, .. }) => (high - low > self.resolution).then_some((low, high)),
            SaturationLoad::Above(_) | SaturationLoad::Below(_) => None,
        }
    }

    /// Returns values that narrow the interval of the saturation; `None` if it is narrow enough, or
    /// if all of them are measured already, because they did not narrow it.
    fn refined_values(&self, points: &[&TrafficPoint]) -> Option<Vec<f64>> {
        let values = dividing_values(self.open_interval(points)?, points.iter().map(|point| point.x).collect());
        (!values.is_empty()).then_some(values)
    }

    fn sweep_over(&self, routing: &[Arc<Algorithm>], values: &[f64]) -> Result<Experiment, ExperimentError> {
        let values: Vec<_> = values.iter().map(f64::to_string).collect();
        let text = format!("{}:{}", self.parameter, values.join(","));
        let varied = self.experiment.with_key("vary", &text)?;
        Ok(Experiment { routing: routing.to_vec(), ..varied })
    }
}

/// Returns the values that divide an interval into equal parts, without those that are measured
/// already.
fn dividing_values((low, high): (f64, f64), measured: Vec<f64>) -> Vec<f64> {
    let step = (high - low) / f64::from(REFINED_VALUES + 1);
    // Four decimals keep the texts of the sweeps short.
    let at = |number: u32| ((low + step * f64::from(number)) * 1e4).round() / 1e4;
    let mut values: Vec<_> = (1..=REFINED_VALUES).map(at).filter(|value| !measured.contains(value)).collect();
    values.dedup();
    values
}

/// Reason why a search for saturation cannot begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotSaturable {
    /// Messages do not enter the network continuously.
    NoContinuousTraffic,
    /// The experiment varies another parameter than the one that sets the offered traffic.
    OtherParameter {
        /// Name of the varied parameter.
        varied: &'static str,
        /// Name of the parameter that sets the offered traffic.
        accepted: &'static str,
    },
}

impl std::fmt::Display for NotSaturable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoContinuousTraffic => f.write_str(
                "only networks that messages enter continuously saturate; accepted: switch=wormhole without listed \
                 messages, switch=circuit",
            ),
            Self::OtherParameter { varied, accepted } => write!(
                f,
                "a search for saturation varies {accepted}, and this experiment varies {varied}; accepted: no vary, or \
                 vary={accepted}:VALUES"
            ),
        }
    }
}

impl std::error::Error for NotSaturable {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run;

    fn share(mean: f64, half: f64) -> Estimate {
        Estimate { mean, low: mean - half, high: mean + half, n: 100, runs: 10 }
    }

    #[test]
    fn saturation_is_interpolated_between_significant_neighbours() {
        let shares =
            [(0.1, share(1.0, 0.01)), (0.3, share(0.96, 0.02)), (0.4, share(0.91, 0.02)), (0.5, share(0.8, 0.01))];
        let Some(SaturationLoad::At(found)) = saturation_load(&shares) else { panic!("it saturates") };
        assert!((found.mean - 0.32).abs() < 1e-9, "{found:?}");
        // At 0.3 the share may be below 95%, at 0.4 it certainly is.
        assert_eq!((found.low, found.high), (0.1, 0.4));
    }

    #[test]
    fn a_sweep_may_lie_on_one_side_of_saturation() {
        assert_eq!(saturation_load(&[(0.1, share(1.0, 0.01))]), Some(SaturationLoad::Above(0.1)));
        let undecided = [(0.1, share(1.0, 0.01)), (0.2, share(0.94, 0.02))];
        assert_eq!(saturation_load(&undecided), Some(SaturationLoad::Above(0.1)));
        assert_eq!(saturation_load(&[(0.8, share(0.5, 0.01))]), Some(SaturationLoad::Below(0.8)));
        assert_eq!(saturation_load(&[]), None);
    }

    /// Regression: a value of the first sweep that was not decided ended the search when it was also
    /// a value of the refinement.
    #[test]
    fn an_undecided_value_of_the_first_sweep_does_not_end_the_search() {
        assert_eq!(dividing_values((0.6, 0.8), vec![0.5, 0.6, 0.7, 0.8]), [0.65, 0.75]);
        assert!(dividing_values((0.6, 0.8), vec![0.6, 0.65, 0.7, 0.75, 0.8]).is_empty());
        assert_eq!(dividing_values((0.6, 0.6003), vec![0.6, 0.6003]), [0.6001, 0.6002]);
    }

    /// Runs a search to its end.
    fn finish(mut search: SaturationSearch) -> (SaturationSearch, u32) {
        let mut sweeps = 0;
        while let Some(next) = search.next_sweep().unwrap() {
            let mut sweep = Sweep::new(&next);
            run(&mut sweep);
            search.add(&sweep);
            sweeps += 1;
        }
        (search, sweeps)
    }

    /// The bisection of a mesh under e-cube and uniform traffic carries the offered load, so that
    /// the network saturates below a load of 1; wormhole switching reaches less than that.
    #[test]
    fn the_search_narrows_the_interval_below_the_capacity() {
        let text = "v=2&net=mesh:4x4&switch=wormhole&faults=none&route=e-cube,west-first&within=0.05&trials=20000";
        let experiment: Experiment = text.parse().unwrap();
        let (search, sweeps) = finish(SaturationSearch::new(&experiment, 0.05).unwrap());
        assert!(sweeps > 1, "the first sweep is refined");
        let found = search.saturations();
        assert_eq!(found.len(), 2);
        for saturation in found {
            let SaturationLoad::At(load) = saturation.load else { panic!("{saturation:?}") };
            assert!(load.low <= load.mean && load.mean <= load.high && load.high <= 1.0, "{load:?}");
            let (x, latency) = saturation.lowest.unwrap();
            // Messages of 20 flits travel 8/3 hops on average, and hardly ever meet.
            assert!(x == 0.01 && (latency.mean - (8.0 / 3.0 + 19.0)).abs() < 1.0, "{latency:?}");
        }
    }

    #[test]
    fn a_refined_sweep_has_the_results_of_the_search() {
        let text = "v=2&net=mesh:4x4&switch=wormhole&faults=none&route=e-cube&within=0.1&trials=5000&vary=load:0.4,0.9";
        let experiment: Experiment = text.parse().unwrap();
        let mut sweep = Sweep::new(&experiment);
        run(&mut sweep);
        let mut search = SaturationSearch::from_sweep(&sweep, 0.1).unwrap();
        assert!(search.remaining_share() > 0.0);
        while let Some(next) = search.next_sweep().unwrap() {
            let mut more = Sweep::new(&next);
            run(&mut more);
            search.add(&more);
            sweep.refine(&more);
        }
        assert_eq!(search.remaining_share(), 0.0);
        let (whole, _) = finish(SaturationSearch::new(&experiment, 0.1).unwrap());
        assert_eq!(search.saturations(), whole.saturations());
        assert_eq!(saturations(&sweep), whole.saturations());
        assert_eq!(SaturationSearch::from_sweep(&sweep, 0.1).unwrap().next_sweep(), Ok(None));
    }

    /// Faults decrease the throughput of a run and the messages that are not refused together, so
    /// that their ratio varies less than either.
    #[test]
    fn accepted_share_of_circuits_allows_for_refused_messages() {
        let text = "v=2&switch=circuit&net=cube:3&faults=nodes:0.3&route=e-cube&rate=0.1&trials=50000&within=0.1";
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        let point = &sweep.points()[0];
        let kind = point.config.setting.kind();
        let share = kind.saturation.and_then(|metrics| (metrics.accepted)(&point.tally, &point.config)).unwrap();
        let throughput = point.estimate(kind.metric("throughput").unwrap()).unwrap();
        assert!(share.low <= 1.0 && 1.0 <= share.high, "{share:?}");
        assert!(3.0 * share.half_width() < throughput.half_width() / throughput.mean, "{share:?} {throughput:?}");
    }

    #[test]
    fn only_networks_under_load_saturate() {
        for text in ["v=2", "v=2&switch=permutation", "v=2&net=mesh:4x4&switch=wormhole&traffic=0.0-1.1"] {
            let experiment: Experiment = text.parse().unwrap();
            assert_eq!(
                SaturationSearch::new(&experiment, 0.01).err(),
                Some(NotSaturable::NoContinuousTraffic),
                "{text}"
            );
        }
    }
}
