//! State of a batch at one cycle: requested channels and their holders, for pictures and
//! descriptions.

use faultlab_core::routing::oblivious::ObliviousRoute;
use faultlab_core::switching::BatchRun;
use faultlab_core::topology::{Hypercube, Link};

/// State of a message of a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BatchState {
    /// Header in transit: number of channels of its route entered, and the channel it requests
    /// next.
    OnTheWay(u32, Link),
    /// Header at the destination, with flits still to follow.
    Arriving,
    /// Message that was complete at the end of the given cycle.
    Arrived(u32),
    /// Message that faults leave without a route.
    GivenUp,
}

/// Returns the state of the message at index `place`, whose route is `route`.
pub fn state(batch: &BatchRun, place: u32, route: &ObliviousRoute) -> BatchState {
    if let Some(cycle) = batch.finished().get(place as usize).copied().flatten() {
        return BatchState::Arrived(cycle);
    }
    if batch.is_given_up(place) {
        return BatchState::GivenUp;
    }
    let made = batch.hops_made(place);
    let next = route.hops().nth(made as usize);
    next.map_or(BatchState::Arriving, |hop| BatchState::OnTheWay(made, hop.link))
}

/// Returns the number of hops that the header of the message at index `place` has made.
pub fn hops_made(batch: &BatchRun, place: u32, route: &ObliviousRoute) -> u32 {
    match state(batch, place, route) {
        BatchState::OnTheWay(made, _) => made,
        BatchState::GivenUp => 0,
        BatchState::Arriving | BatchState::Arrived(_) => route.length(),
    }
}

/// Holders of the channels at the end of a cycle.
#[derive(Clone, Debug)]
pub struct Holders {
    dimensions: u64,
    places: Vec<u32>,
}

impl Holders {
    /// Returns the holders in `batch`, on `cube`. Cost: proportional to the channels of the cube
    /// and the held channels.
    pub fn new(cube: Hypercube, batch: &BatchRun) -> Self {
        let dimensions = u64::from(cube.dimension());
        let mut places = vec![u32::MAX; cube.links().unwrap_or(0) as usize];
        for place in 0..batch.finished().len() as u32 {
            for link in batch.held_channels(place) {
                if let Some(holder) = places.get_mut((link.from.0 * dimensions + u64::from(link.dim)) as usize) {
                    *holder = place;
                }
            }
        }
        Self { dimensions, places }
    }

    /// Returns the index in the batch of the message that holds `link`.
    pub fn holder(&self, link: Link) -> Option<u32> {
        let place = (link.from.0 * self.dimensions + u64::from(link.dim)) as usize;
        self.places.get(place).copied().filter(|&holder| holder != u32::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use faultlab_experiment::{BatchIndex, Experiment, PermutationInstance};

    #[test]
    fn message_states_agree_with_held_channels() {
        let text = "net=cube:5&faults=nodes:0&break=5,9&route=algorithm-a&switch=batch&length=6&seed=3";
        let experiment: Experiment = text.parse().unwrap();
        let instance = PermutationInstance::new(&experiment).unwrap();
        let trial = instance.series[0].trial.as_ref().unwrap();
        let numbers = BatchIndex::from_trial(trial);
        let mut batch = trial.batch(experiment.setting.batch().unwrap()).unwrap();
        for _ in 0..40 {
            let holders = Holders::new(instance.cell.cube, &batch);
            for place in 0..batch.finished().len() as u32 {
                let route = numbers.route(trial, &batch, place).unwrap();
                assert_eq!(numbers.batch_index(numbers.number(place).unwrap()), Some(place));
                let held: Vec<_> = batch.held_channels(place).collect();
                assert!(held.iter().all(|&link| holders.holder(link) == Some(place)));
                match state(&batch, place, &route) {
                    BatchState::OnTheWay(made, link) => {
                        assert_eq!(route.hops().nth(made as usize).unwrap().link, link);
                        assert_eq!(held.len(), made.min(6) as usize);
                    }
                    BatchState::Arriving => assert!(!held.is_empty()),
                    BatchState::GivenUp => panic!("without an onset no message is given up"),
                    BatchState::Arrived(cycle) => assert!(held.is_empty() && cycle <= batch.cycle()),
                }
            }
            batch.step();
        }
    }
}
