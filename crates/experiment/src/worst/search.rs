//! Search in rounds, which evaluates all sets if they are few.
//!
//! Otherwise it starts with random sets and with neighbourhoods of nodes, which can isolate a node
//! where one fault less has no effect. From the worst sets and from other starts, the search adds
//! one fault at a time greedily. It then exchanges single faults as long as the metric degrades.

use std::collections::BTreeMap;

use rand::RngExt as _;

use super::WorstQuery;
use crate::fault_sets::{BatchSearch, Candidate, FaultSites, ROUND, advance, random_set, sets};
use crate::sweep::sampler::sampler;
use crate::{Experiment, PointConfig, Problem, Status, Tally, Task};
use faultlab_core::random::{Generator, Key};
use faultlab_core::routing::Algorithm;
use faultlab_core::topology::NodeId;

/// Number of sets that are measured again at the end.
const KEPT: usize = 4;

/// Number of random sets for the mean to which the worst set is compared.
const RANDOM: u64 = 100;

/// Number of steps between two progress calls of a measurement.
const STEPS: u64 = 100_000;

/// Number of starts after which no new set can be expected.
const MOST_STARTS: u32 = 100_000;

/// Offset of the seeds of random sets for the mean. Smaller seeds are reserved for the final
/// measurements.
const OWN_SEEDS: u64 = 2;

/// Search in progress for worst-case faults.
#[derive(Clone, Debug)]
pub struct WorstSearch {
    pub(super) experiment: Experiment,
    pub(super) question: WorstQuery,
    pub(super) places: FaultSites,
    /// Number of all sets; `None` beyond 2^64.
    pub(super) all: Option<u64>,
    /// Flag for trials with randomness.
    pub(super) draws: bool,
    /// Results of random sets, each with different random numbers.
    pub(super) random: Vec<f64>,
    /// Worst sets so far with their harm, the worst first.
    pub(super) worst: Vec<HarmfulSet>,
    /// Harm of all evaluated sets, complete and partial.
    known: BTreeMap<Vec<u32>, f64>,
    /// Number of complete sets evaluated.
    evaluated_sets: u64,
    /// Number of evaluations.
    spent: u64,
    stage: WorstStage,
    round: Vec<Candidate>,
    /// Sets of the round that were evaluated before.
    already_evaluated: Vec<HarmfulSet>,
    starts: u32,
    generator: Generator,
}

/// Set with its harm.
type HarmfulSet = (f64, Vec<u32>);

/// State of the search.
#[derive(Clone, Debug)]
enum WorstStage {
    /// Enumeration of all sets, with the next one.
    All(Vec<u32>),
    /// Random sets, with the number still to evaluate.
    Random(u64),
    /// Neighbourhoods of some nodes.
    Around,
    /// Addition of one more fault to this set.
    Greedy(Vec<u32>),
    /// Exchange of one fault of this set, with its harm and the number of rounds without
    /// improvement.
    Exchange(Vec<u32>, f64, u32),
    /// End of the search.
    Done,
}

impl WorstSearch {
    /// Creates a search for the worst faults of the first algorithm of `experiment`.
    ///
    /// # Errors
    /// Returns an error if the experiment varies something, the question is out of range, there are
    /// fewer fault sites than faults, or the faults cannot be edited.
    pub fn new(experiment: &Experiment, question: WorstQuery) -> Result<Self, Problem> {
        question.check(experiment)?;
        let mut experiment = experiment.clone();
        experiment.routing.truncate(1);
        let places = FaultSites::from_experiment(&experiment, question.links)?;
        if places.len() < question.faults {
            let why = format!("only {} nodes or links can fail, fewer than {} faults", places.len(), question.faults);
            return Err(Problem::new("faults", why));
        }
        let all = sets(places.len(), question.faults);
        let enumerated = all.is_some_and(|all| all <= question.sets);
        let draws = experiment.kind().behavior.is_random(&PointConfig::new(&experiment, None), first(&experiment)?);
        let stage = if enumerated {
            WorstStage::All((0..question.faults).collect())
        } else {
            WorstStage::Random(question.random())
        };
        let generator = Key::from_seed(experiment.seed).named("worst").generator();
        let (random, worst, known, round) = (Vec::new(), Vec::new(), BTreeMap::new(), Vec::new());
        Ok(Self {
            experiment,
            question,
            places,
            all,
            draws,
            random,
            worst,
            known,
            evaluated_sets: 0,
            spent: 0,
            stage,
            round,
            already_evaluated: Vec::new(),
            starts: 0,
            generator,
        })
    }

    /// Returns the experiment, with the one algorithm that is searched.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// Returns the parameters of the search.
    pub fn question(&self) -> &WorstQuery {
        &self.question
    }

    /// Returns the number of different sets evaluated.
    pub fn evaluated_sets(&self) -> u64 {
        self.evaluated_sets
    }

    /// Returns the number of all sets; `None` beyond 2^64.
    pub fn all(&self) -> Option<u64> {
        self.all
    }

    /// Returns whether every set has been evaluated.
    pub fn is_exact(&self) -> bool {
        self.all == Some(self.evaluated_sets)
    }

    /// Returns the share of completed work, 0 to 1.
    pub fn progress(&self) -> f64 {
        let most = self.all.unwrap_or(u64::MAX).min(self.question.sets);
        if matches!(self.stage, WorstStage::Done) { 1.0 } else { (self.spent as f64 / most as f64).min(1.0) }
    }

    /// Keeps the worst sets; of equal ones, the first.
    fn record_worst(&mut self, harm: f64, set: &[u32]) {
        let place = self.worst.partition_point(|(known, _)| *known >= harm);
        if place < KEPT {
            self.worst.insert(place, (harm, set.to_vec()));
            self.worst.truncate(KEPT);
        }
    }

    /// Returns the sets of the next round; empty if this stage has none left.
    fn propose(&mut self) -> Vec<Candidate> {
        let left = (self.question.sets - self.spent).min(ROUND as u64) as usize;
        match &mut self.stage {
            WorstStage::All(next) => {
                let mut round = Vec::new();
                while round.len() < left && !next.is_empty() {
                    round.push(Candidate { set: next.clone(), seed: 0 });
                    if !advance(next, self.places.len()) {
                        next.clear();
                    }
                }
                round
            }
            WorstStage::Random(more) => {
                let first = *more;
                *more -= first.min(left as u64);
                // Sets with even numbers are compared. Sets with odd numbers have other random
                // numbers, and give the mean.
                let seed = |number: u64| if number.is_multiple_of(2) { 0 } else { number + OWN_SEEDS };
                let numbers = *more + 1..=first;
                numbers.map(|number| Candidate { set: self.random_set(), seed: seed(number) }).collect()
            }
            WorstStage::Around => self.sites_near_ends(left),
            WorstStage::Greedy(chosen) => {
                let chosen = chosen.clone();
                self.extensions(&chosen)
            }
            WorstStage::Exchange(set, ..) => {
                let set = set.clone();
                self.exchanges(&set, left)
            }
            WorstStage::Done => Vec::new(),
        }
    }

    /// Selects the next stage from the results of a round.
    fn select_next_stage(&mut self, found: &[HarmfulSet]) {
        let already_evaluated = std::mem::take(&mut self.already_evaluated);
        let best = found.iter().chain(&already_evaluated).fold(None, |best: Option<&HarmfulSet>, one| match best {
            Some(best) if best.0 >= one.0 => Some(best),
            _ => Some(one),
        });
        self.stage = match (std::mem::replace(&mut self.stage, WorstStage::Done), best) {
            (WorstStage::All(next), _) if !next.is_empty() => WorstStage::All(next),
            (WorstStage::All(_) | WorstStage::Done, _) => WorstStage::Done,
            (WorstStage::Random(0), _) => WorstStage::Around,
            (WorstStage::Random(more), _) => WorstStage::Random(more),
            (WorstStage::Greedy(_), Some((harm, set))) if set.len() as u32 == self.question.faults => {
                WorstStage::Exchange(set.clone(), *harm, 0)
            }
            (WorstStage::Greedy(_), Some((_, set))) => WorstStage::Greedy(set.clone()),
            (WorstStage::Exchange(_, harm, _), Some((more, other))) if *more > harm => {
                WorstStage::Exchange(other.clone(), *more, 0)
            }
            // An equally harmful set may lead to a worse one.
            (WorstStage::Exchange(_, harm, idle), Some((same, other))) if *same == harm && idle < self.patience() => {
                WorstStage::Exchange(other.clone(), harm, idle + 1)
            }
            (WorstStage::Exchange(set, harm, idle), Some(_)) if idle < self.patience() => {
                WorstStage::Exchange(set, harm, idle + 1)
            }
            (WorstStage::Around | WorstStage::Greedy(_) | WorstStage::Exchange(..), _) => self.start(),
        };
    }

    /// Returns the number of exchange rounds without improvement before a restart. If there are few
    /// exchanges, each is tried once on average.
    fn patience(&self) -> u32 {
        let (faults, places) = (self.question.faults, self.places.len());
        (u64::from(faults) * u64::from(places - faults) / ROUND as u64).clamp(4, 24) as u32
    }

    /// Selects the next start: first the worst set so far, then alternately a greedy search from
    /// the empty set and a random set.
    fn start(&mut self) -> WorstStage {
        self.starts += 1;
        match (self.starts, self.worst.first()) {
            (MOST_STARTS.., _) => WorstStage::Done,
            (1, Some((harm, set))) => WorstStage::Exchange(set.clone(), *harm, 0),
            (starts, _) if starts % 2 == 0 => WorstStage::Greedy(Vec::new()),
            _ => WorstStage::Exchange(self.random_set(), f64::NEG_INFINITY, 0),
        }
    }

    /// Returns the sets of the fault sites nearest to source and destination, and to random nodes.
    fn sites_near_ends(&mut self, most: usize) -> Vec<Candidate> {
        let (network, ends) = (self.experiment.network, self.experiment.ends());
        let drawn: Vec<_> =
            (2..ROUND).map(|_| NodeId(self.generator.random_range(0..=network.last_node().0))).collect();
        let centres = (0..).zip([ends.from, ends.to].into_iter().chain(drawn));
        // The nearest links are those out of the source and those into the destination.
        let around = |(number, centre)| self.places.around(network, centre, number % 2 == 1, self.question.faults);
        let sets = centres.map(around).collect();
        self.unknown(sets, most)
    }

    fn random_set(&mut self) -> Vec<u32> {
        random_set(self.places.len(), self.question.faults, &mut self.generator)
    }

    /// Returns `chosen` with one more fault: at every site, or at as many random sites as the
    /// budget allows.
    fn extensions(&mut self, chosen: &[u32]) -> Vec<Candidate> {
        let places = self.places.len();
        let many = (self.question.sets / (4 * u64::from(self.question.faults))).clamp(8, u64::from(places)) as u32;
        let tried: Vec<u32> = match many == places {
            true => (0..places).collect(),
            false => (0..many).map(|_| self.generator.random_range(0..places)).collect(),
        };
        let more = tried.into_iter().filter(|place| chosen.binary_search(place).is_err()).map(|place| {
            let mut set = chosen.to_vec();
            insert(&mut set, place);
            set
        });
        let sets = more.collect();
        self.unknown(sets, (self.question.sets - self.spent) as usize)
    }

    /// Returns variants of `set` with one site exchanged.
    fn exchanges(&mut self, set: &[u32], most: usize) -> Vec<Candidate> {
        let mut sets = Vec::new();
        for _ in 0..4 * ROUND {
            let gone = self.generator.random_range(0..set.len() as u32) as usize;
            let place = self.generator.random_range(0..self.places.len());
            if set.binary_search(&place).is_err() {
                let mut other = set.to_vec();
                other.remove(gone);
                insert(&mut other, place);
                sets.push(other);
            }
        }
        sets.retain(|set| !self.known.contains_key(set));
        self.unknown(sets, most)
    }

    /// Returns at most `most` sets that are not known yet, without duplicates. Known sets are added
    /// to `already_evaluated`.
    fn unknown(&mut self, sets: Vec<Vec<u32>>, most: usize) -> Vec<Candidate> {
        let mut round: Vec<Candidate> = Vec::new();
        for set in sets {
            if let Some(&harm) = self.known.get(&set) {
                self.already_evaluated.push((harm, set));
            } else if round.len() < most && !round.iter().any(|candidate| candidate.set == set) {
                round.push(Candidate { set, seed: 0 });
            }
        }
        round
    }
}

impl BatchSearch for WorstSearch {
    type Found = Option<f64>;

    fn next_round(&mut self) -> Option<Vec<Candidate>> {
        while self.round.is_empty() {
            if self.spent >= self.question.sets || matches!(self.stage, WorstStage::Done) {
                self.stage = WorstStage::Done;
                return None;
            }
            self.round = self.propose();
            if self.round.is_empty() {
                self.select_next_stage(&[]);
            }
        }
        Some(self.round.clone())
    }

    /// Accepts the results of the sets of the round, in their order.
    fn finish(&mut self, measured: Vec<Option<f64>>) {
        let round = std::mem::take(&mut self.round);
        let mut found = Vec::new();
        for (candidate, measured) in round.into_iter().zip(measured) {
            self.spent += 1;
            let harm = measured.map_or(f64::NEG_INFINITY, |value| self.question.metric.better.harm(value));
            // Do not compare results with different random numbers.
            if candidate.seed > 0 {
                self.random.extend(measured.filter(|value| value.is_finite()));
                continue;
            }
            if candidate.set.len() as u32 == self.question.faults && !self.known.contains_key(&candidate.set) {
                self.evaluated_sets += 1;
                self.record_worst(harm, &candidate.set);
            }
            if !matches!(self.stage, WorstStage::All(_)) {
                self.known.insert(candidate.set.clone(), harm);
            } else if measured.is_some_and(f64::is_finite) {
                self.random.extend(measured);
            }
            found.push((harm, candidate.set));
        }
        self.select_next_stage(&found);
    }

    /// Evaluates `candidate`; `None` if there is nothing to measure.
    ///
    /// The harm is infinite if messages jam, deadlock or never arrive, so that the metric is
    /// undefined.
    fn evaluate(&self, candidate: &Candidate, alive: &dyn Fn()) -> Option<f64> {
        let mut experiment = self.places.broken(&self.experiment, &candidate.set);
        experiment.seed = experiment.seed.wrapping_add(candidate.seed);
        let cell = PointConfig::new(&experiment, None);
        let trials = if self.draws { self.question.trials } else { 1 };
        let mut sampler = sampler(&experiment, None, experiment.routing.first()?);
        let (task, mut tally) = (Task { slot: 0, first: 0, count: trials }, Tally::default());
        while !sampler.advance(task, &mut tally, &mut { STEPS }) {
            alive();
        }
        let value =
            (self.question.metric.estimate)(&tally, &cell).map(|estimate| estimate.mean).filter(|mean| !mean.is_nan());
        value.or_else(|| match experiment.kind().stopping_rule.check_mean(&tally, &cell) {
            Err(Status::Unstable | Status::Deadlocked | Status::Unfinished) => {
                // `harm` is its own inverse.
                Some(self.question.metric.better.harm(f64::INFINITY))
            }
            _ => None,
        })
    }
}

impl WorstQuery {
    /// Returns the number of initial random sets if not all sets are evaluated. Half of the random
    /// sets give the mean.
    fn random(&self) -> u64 {
        (self.sets / 4).clamp(2, 2 * RANDOM)
    }
}

fn first(experiment: &Experiment) -> Result<&Algorithm, Problem> {
    experiment.routing.first().map(|algorithm| &**algorithm).ok_or_else(|| Problem::new("route", "no algorithm"))
}

fn insert(set: &mut Vec<u32>, place: u32) {
    if let Err(at) = set.binary_search(&place) {
        set.insert(at, place);
    }
}
