//! Runs the trials of one point and one algorithm, whatever a trial is.

use super::circuit::CircuitSampler;
use super::delivery::DeliverySampler;
use super::pairs::PairSampler;
use super::relation::RelationSampler;
use super::sample::MessageSampler;
use super::worm::WormSampler;
use super::{Cell, CubeCell, Experiment, Tally, Task};
use crate::routing::Algorithm;
use crate::switching::Switching;

/// Runs the trials of one point and one algorithm, as much at a time as is asked.
pub struct Sampler {
    kind: Kind,
}

enum Kind {
    Message(Box<MessageSampler>),
    Circuit(Box<CircuitSampler>),
    Worms(Box<WormSampler>),
    Pairs(Box<PairSampler>),
    Relations(Box<RelationSampler>),
    Deliveries(Box<DeliverySampler>),
    /// Nothing can be run: the kind of switching does not fit the network.
    Nothing,
}

impl Sampler {
    /// A sampler of `algorithm` at the value `x` of what `experiment` varies.
    pub fn new(experiment: &Experiment, x: Option<f64>, algorithm: &'static Algorithm) -> Self {
        let cell = Cell::new(experiment, x);
        let kind = match (experiment.switching, CubeCell::of(cell.clone())) {
            (Switching::Message, Some(cell)) => Kind::Message(Box::new(MessageSampler::new(cell, algorithm))),
            (Switching::Circuit, Some(cell)) => {
                Kind::Circuit(Box::new(CircuitSampler::new(experiment, cell, algorithm)))
            }
            (Switching::Pairs, Some(cell)) => Kind::Pairs(Box::new(PairSampler::new(cell, algorithm))),
            (switching, Some(cell)) if switching.is_oblivious() => {
                Kind::Relations(Box::new(RelationSampler::new(cell, algorithm, switching)))
            }
            (Switching::Delivery, None) => Kind::Deliveries(Box::new(DeliverySampler::new(cell, algorithm))),
            (Switching::Wormhole, _) => Kind::Worms(Box::new(WormSampler::new(cell, algorithm))),
            _ => Kind::Nothing,
        };
        Self { kind }
    }

    /// Goes on with `task`, of which `tally` holds what is done, for about `budget` steps (hops, events, flits, pairs), at least
    /// one trial or that many steps of one. Whether the task is done. A task that is given up half-way is begun anew
    /// with an empty tally.
    pub fn advance(&mut self, task: Task, tally: &mut Tally, budget: u32) -> bool {
        let (first, left) = (task.first + tally.trials, task.count.saturating_sub(tally.trials));
        match &mut self.kind {
            _ if left == 0 => {}
            Kind::Message(sampler) => {
                let count = u64::from(budget / sampler.limit().max(1)).clamp(1, 32);
                sampler.run(first, count.min(left), tally);
            }
            Kind::Circuit(sampler) => sampler.advance(first, tally, budget),
            Kind::Worms(sampler) => sampler.advance(first, tally, budget),
            Kind::Nothing => tally.trials = task.count,
            Kind::Pairs(sampler) => {
                spend(task, tally, budget, |number, tally, left| sampler.advance(number, tally, left));
            }
            Kind::Deliveries(sampler) => {
                spend(task, tally, budget, |number, tally, left| sampler.advance(number, tally, left));
            }
            Kind::Relations(sampler) => {
                spend(task, tally, budget, |number, tally, left| sampler.advance(number, tally, left));
            }
        }
        tally.trials >= task.count
    }

    /// Runs the `count` trials from number `first` on.
    pub fn run(&mut self, first: u64, count: u64) -> Tally {
        let mut tally = Tally::default();
        match &mut self.kind {
            Kind::Message(sampler) => sampler.run(first, count, &mut tally),
            _ => while !self.advance(Task { slot: 0, first, count }, &mut tally, u32::MAX) {},
        }
        tally
    }
}

/// Trial after trial of a task while there is something left of the budget.
fn spend(task: Task, tally: &mut Tally, budget: u32, mut advance: impl FnMut(u64, &mut Tally, u64) -> u64) {
    let mut budget = u64::from(budget);
    while tally.trials < task.count && budget > 0 {
        budget = advance(task.first + tally.trials, tally, budget);
    }
}
