//! What is to be run: the orders of all jobs, and what their tallies come to.

use super::job::{Job, Whose};
use super::state::{Inner, Order};
use crate::experiment::{Sweep, Tally, Task};
use crate::report::words::numbers::plain;
use crate::web::dom;

/// How often a task is tried that workers do not survive. Patience has grown to 20 s by then.
const TRIES: u32 = 5;

/// Which orders somebody takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Takes {
    /// Those that no worker was lost with.
    Fresh,
    /// The same first, the others if there is none.
    FreshFirst,
    /// The others first.
    LostFirst,
}

impl Inner {
    /// Whether there is, or may soon be, something to run.
    pub(super) fn has_work(&self) -> bool {
        self.jobs.iter().any(|job| !job.paused && job.ended.is_none())
    }

    pub(super) fn next_order(&mut self, takes: Takes) -> Option<Order> {
        let order = match takes {
            Takes::Fresh => self.fresh(),
            Takes::FreshFirst => self.fresh().or_else(|| self.returned(true)),
            Takes::LostFirst => self.returned(true).or_else(|| self.fresh()),
        }?;
        self.next += 1;
        Some(Order { id: self.next, ..order })
    }

    /// One that was handed out before.
    fn returned(&mut self, lost: bool) -> Option<Order> {
        let runs = |order: &Order| self.jobs.iter().any(|job| job.whose() == order.whose && job.runs());
        let place = self.retries.iter().position(|order| (order.tries > 0) == lost && runs(order))?;
        Some(self.retries.swap_remove(place))
    }

    fn fresh(&mut self) -> Option<Order> {
        if let Some(order) = self.returned(false) {
            return Some(order);
        }
        let jobs = self.jobs.iter_mut().rev().filter(|job| job.runs() && job.ended.is_none());
        let (whose, sweep, task) = jobs
            .flat_map(|job| {
                let whose = job.whose();
                job.sweeps.iter_mut().enumerate().map(move |(i, sweep)| (whose, i, sweep))
            })
            .find_map(|(whose, index, sweep)| sweep.next_task().map(|task| (whose, index, task)))?;
        Some(Order { id: 0, whose, sweep, task, tries: 0 })
    }

    /// Every order of a job that somebody holds.
    pub(super) fn out(&self, whose: Whose) -> Vec<Task> {
        let held = self.seats.iter().flat_map(|seat| &seat.orders);
        let all = held.chain(&self.retries).chain(self.alone.iter().map(|alone| &alone.0));
        all.filter(|order| order.whose == whose).map(|order| order.task).collect()
    }

    pub(super) fn text_of(&self, order: &Order) -> Option<String> {
        self.jobs.iter().find(|job| job.whose() == order.whose)?.texts.get(order.sweep).cloned()
    }

    fn sweep_of(&mut self, order: &Order) -> Option<(&mut Job, usize)> {
        self.jobs.iter_mut().find(|job| job.whose() == order.whose).map(|job| (job, order.sweep))
    }

    /// Returns the name of the point that an order is of.
    pub(super) fn place_of(&self, order: &Order) -> Option<String> {
        let job = self.jobs.iter().find(|job| job.whose() == order.whose)?;
        job.sweeps.get(order.sweep).map(|sweep| place(sweep, order.task.slot))
    }

    pub(super) fn settle(&mut self, order: &Order, tally: &Tally) {
        self.untold.push(order.whose.0);
        let Some((job, index)) = self.sweep_of(order) else { return };
        if let Some(sweep) = job.sweeps.get_mut(index) {
            sweep.finish(order.task, tally);
        }
        job.end_if_done();
    }

    /// Takes back what a lost worker held; what was tried too often is given up, in words.
    pub(super) fn take_back(&mut self, orders: Vec<Order>, problem: &str) {
        for order in orders {
            let order = Order { tries: order.tries + 1, ..order };
            if order.tries < TRIES {
                self.retries.push(order);
            } else {
                self.give_up(&order, problem);
            }
        }
    }

    /// Ends the point of an order; the others go on.
    fn give_up(&mut self, order: &Order, problem: &str) {
        self.untold.push(order.whose.0);
        let of_point =
            |other: &Order| (other.whose, other.sweep, other.task.slot) == (order.whose, order.sweep, order.task.slot);
        self.retries.retain(|other| !of_point(other));
        let Some((job, index)) = self.sweep_of(order) else { return };
        if let Some(sweep) = job.sweeps.get_mut(index) {
            sweep.stop(order.task.slot);
            let place = place(sweep, order.task.slot);
            job.problem = Some(format!("Part of this could not be computed: {problem}, {TRIES} times, at {place}."));
        }
        job.end_if_done();
    }

    /// Makes sure that the page itself has a task. Whether it has.
    pub(super) fn take_alone(&mut self, takes: Takes) -> bool {
        if self.alone.is_none()
            && let Some(order) = self.next_order(takes)
        {
            let sweep = self.sweep_of(&order).and_then(|(job, index)| job.sweeps.get(index));
            let sampler = sweep.and_then(|sweep| Sweep::sampler(sweep.experiment(), order.task.slot));
            self.alone = sampler.map(|sampler| (order, sampler, Tally::default()));
        }
        self.alone.is_some()
    }
}

/// Which point it is.
fn place(sweep: &Sweep, slot: u32) -> String {
    let Some(point) = sweep.points().get(slot as usize) else { return String::new() };
    match (&sweep.experiment().vary, point.x) {
        (Some(vary), Some(x)) => format!("{}, {} {}", point.algorithm.name, vary.parameter.axis, plain(x)),
        _ => point.algorithm.name.to_string(),
    }
}

impl Job {
    /// Whether its tasks may be handed out.
    fn runs(&self) -> bool {
        !self.paused && !self.recalling
    }

    pub(super) fn end_if_done(&mut self) {
        if self.is_done() && self.ended.is_none() {
            self.ended = Some(dom::now());
        }
    }
}
