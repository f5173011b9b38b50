//! Search for counterexamples: all sets of few faults in order, then random sets of each size.

use std::sync::Arc;

use super::witness::{Witness, witness};
use super::{Flaw, Flaws, RefuteQuery};
use crate::fault_sets::{BatchSearch, Candidate, FaultSites, ROUND, advance, random_set, sets};
use crate::{Experiment, PointConfig, Problem};
use faultlab_core::fault::BlockFaults;
use faultlab_core::random::{Generator, Key};
use faultlab_core::routing::UseCase;

/// Maximum number of fault sets for which a deadlocked run is searched.
const SETS_SHOWN: usize = 4;

/// Coverage of the fault sets of one size.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// Number of faults.
    pub faults: u32,
    /// Number of sets evaluated.
    pub evaluated_sets: u64,
    /// Number of all sets; `None` beyond 2^64.
    pub total: Option<u64>,
    /// Number of evaluated sets with each flaw, in the order of [`Flaw::ALL`]. For deadlock, they
    /// are the sets without a proof of freedom.
    pub flawed: [u64; 3],
    /// Number of ordered pairs of connected nodes, over all evaluated sets.
    pub pairs: u64,
    /// Number of connected pairs whose messages may be lost or travel in cycles.
    pub undelivered: u64,
}

impl Coverage {
    /// Returns whether all sets were evaluated.
    pub fn is_all(&self) -> bool {
        self.total == Some(self.evaluated_sets)
    }
}

/// Search in progress for counterexamples to the first routing of an experiment.
#[derive(Clone, Debug)]
pub struct RefuteSearch {
    experiment: Experiment,
    question: RefuteQuery,
    places: FaultSites,
    uses: UseCase,
    covered: Vec<Coverage>,
    /// First sets with each flaw, at most [`SETS_SHOWN`].
    found: [Vec<Vec<u32>>; 3],
    stage: RefuteStage,
    round: Vec<Candidate>,
    generator: Generator,
}

/// State of the search.
#[derive(Clone, Debug)]
enum RefuteStage {
    /// Enumeration of all sets of one size, with the next one.
    All(Vec<u32>),
    /// Random sets of the size of the last entry of `covered`, with the number still to evaluate.
    Random(u64),
    /// End of the search.
    Done,
}

impl RefuteSearch {
    /// Creates a search for counterexamples to the first algorithm of `experiment`, starting with
    /// its own faults alone.
    ///
    /// # Errors
    /// Returns an error if the experiment varies something, has an unsupported kind, size or
    /// algorithm, or the question is out of range.
    pub fn new(experiment: &Experiment, question: RefuteQuery) -> Result<Self, Problem> {
        question.check(experiment)?;
        let mut experiment = experiment.clone();
        experiment.routing.truncate(1);
        let places = FaultSites::from_experiment(&experiment, question.links)?;
        let uses = experiment.kind().use_case;
        let generator = Key::from_seed(experiment.seed).named("refute").generator();
        let (covered, found) = (Vec::new(), <[Vec<Vec<u32>>; 3]>::default());
        let mut search = Self {
            experiment,
            question,
            places,
            uses,
            covered,
            found,
            stage: RefuteStage::Done,
            round: Vec::new(),
            generator,
        };
        let given = search.faults_with(&[]);
        if let Some(faults) = &given {
            search.places = search.places.live(|node| faults.is_faulty(node));
        }
        let flaws = given.and_then(|faults| search.flaws(&faults));
        if flaws.is_none() {
            let id = search.experiment.routing.first().map_or("", |algorithm| &algorithm.id);
            let why = format!(
                "{id} cannot be examined on {}: it does not decide hop by hop, it draws among too many choices, or such faults \
                 do not exist there",
                search.experiment.network
            );
            return Err(Problem::new("route", why));
        }
        search.begin(0);
        Ok(search)
    }

    /// Returns the experiment, with the one algorithm that is searched.
    pub fn experiment(&self) -> &Experiment {
        &self.experiment
    }

    /// Returns the parameters of the search.
    pub fn question(&self) -> &RefuteQuery {
        &self.question
    }

    /// Returns the coverage, by ascending numbers of faults.
    pub fn covered(&self) -> &[Coverage] {
        &self.covered
    }

    /// Returns the use case of the routing.
    pub fn uses(&self) -> UseCase {
        self.uses
    }

    /// Returns the number of evaluated sets.
    pub fn evaluated_sets(&self) -> u64 {
        self.covered.iter().map(|covered| covered.evaluated_sets).sum()
    }

    /// Returns the share of completed work, 0 to 1.
    pub fn progress(&self) -> f64 {
        if matches!(self.stage, RefuteStage::Done) {
            1.0
        } else {
            (self.evaluated_sets() as f64 / self.most()).min(1.0)
        }
    }

    /// Returns the number of sets to evaluate if the search does not end earlier.
    fn most(&self) -> f64 {
        let all = (0..=self.question.faults).map(|faults| sets(self.places.len(), faults).unwrap_or(u64::MAX));
        all.fold(0u64, u64::saturating_add).min(self.question.sets).max(1) as f64
    }

    /// Returns an experiment that shows this flaw, for the smallest set found.
    ///
    /// For deadlock, the set is the first of a few for which a run deadlocks, otherwise the
    /// smallest undecided one. Cost: a search for a deadlocked run for each of the few sets, some
    /// seconds at most.
    pub fn witness(&self, flaw: Flaw) -> Option<Witness> {
        let sets = &self.found[Flaw::ALL.iter().position(|&other| other == flaw)?];
        let mut undecided = None;
        for set in sets {
            match self.witness_of(flaw, set) {
                Some(witness) if witness.is_undecided() => undecided = undecided.or(Some(witness)),
                witness => return witness,
            }
        }
        undecided
    }

    fn witness_of(&self, flaw: Flaw, set: &[u32]) -> Option<Witness> {
        let experiment = self.places.broken(&self.experiment, set);
        let faults = self.faults_with(set)?;
        let flaws = self.flaws(&faults)?;
        let names = self.places.names(self.experiment.network, set);
        witness(&experiment, &faults, &flaws, flaw, names)
    }

    /// Returns the faults of the watched trial with those of `set`.
    fn faults_with(&self, set: &[u32]) -> Option<Arc<BlockFaults>> {
        PointConfig::new(&self.places.broken(&self.experiment, set), None).blocks(self.experiment.view.sample).ok()
    }

    fn flaws(&self, faults: &Arc<BlockFaults>) -> Option<Flaws> {
        Flaws::analyze(faults, self.experiment.routing.first()?, self.uses)
    }

    /// Starts the sets of `faults` faults.
    fn begin(&mut self, faults: u32) {
        let left = self.question.sets.saturating_sub(self.evaluated_sets());
        if faults > self.question.faults
            || faults > self.places.len()
            || left == 0
            || self.found.iter().all(|sets| !sets.is_empty())
        {
            self.stage = RefuteStage::Done;
            return;
        }
        let of = sets(self.places.len(), faults);
        self.covered.push(Coverage { faults, evaluated_sets: 0, total: of, flawed: [0; 3], pairs: 0, undelivered: 0 });
        self.stage = match of {
            Some(all) if all <= left => RefuteStage::All((0..faults).collect()),
            // The remaining budget is for all larger sizes too.
            _ => RefuteStage::Random((left / u64::from(self.question.faults - faults + 1)).max(1)),
        };
    }
}

impl BatchSearch for RefuteSearch {
    type Found = Option<Flaws>;

    fn next_round(&mut self) -> Option<Vec<Candidate>> {
        if self.round.is_empty() {
            let (places, faults) = (self.places.len(), self.covered.last().map_or(0, |covered| covered.faults));
            let mut round = Vec::new();
            match &mut self.stage {
                RefuteStage::Done => return None,
                RefuteStage::All(next) => loop {
                    round.push(next.clone());
                    if !advance(next, places) {
                        // The next size starts once these sets are evaluated.
                        self.stage = RefuteStage::Random(0);
                        break;
                    }
                    if round.len() == ROUND {
                        break;
                    }
                },
                RefuteStage::Random(more) => {
                    let many = (*more).min(ROUND as u64);
                    *more -= many;
                    round = (0..many).map(|_| random_set(places, faults, &mut self.generator)).collect();
                }
            }
            self.round = round.into_iter().map(|set| Candidate { set, seed: 0 }).collect();
        }
        Some(self.round.clone())
    }

    fn evaluate(&self, candidate: &Candidate, _alive: &dyn Fn()) -> Option<Flaws> {
        self.flaws(&self.faults_with(&candidate.set)?)
    }

    fn finish(&mut self, found: Vec<Option<Flaws>>) {
        let round = std::mem::take(&mut self.round);
        for (candidate, flaws) in round.into_iter().zip(found) {
            let Some(covered) = self.covered.last_mut() else { continue };
            // Sets without such faults, or with too many states, do not count as evaluated.
            let Some(flaws) = flaws else { continue };
            covered.evaluated_sets += 1;
            covered.pairs += flaws.arrivals.pairs;
            covered.undelivered += flaws.arrivals.lost + flaws.arrivals.livelocked;
            for ((flaw, count), sets) in Flaw::ALL.into_iter().zip(&mut covered.flawed).zip(&mut self.found) {
                if flaws.has(flaw) {
                    *count += 1;
                    let most = if flaw == Flaw::Deadlock { SETS_SHOWN } else { 1 };
                    if sets.len() < most {
                        sets.push(candidate.set.clone());
                    }
                }
            }
        }
        if matches!(self.stage, RefuteStage::Random(0)) {
            self.begin(self.covered.last().map_or(0, |covered| covered.faults) + 1);
        }
    }
}
