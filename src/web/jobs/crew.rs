//! The workers of the pool: hired, given something to do, watched, replaced; and the page itself, where there are none.
//!
//! A worker that has done nothing yet when it is lost says something of workers in general: those after it first show with a trifle that
//! they work, and after a few in a row the page computes itself, for a while. One that has done something says something of its task, which
//! is tried again, alone with a worker, and given up in words if that goes on (`orders.rs`). So nothing goes round in circles.

use super::life::{LATE, LOOK, OTHER_VERSION, SILENT, START, Silence};
use super::orders::Takes;
use super::pool::{Hand, News};
use super::state::{Inner, JobClient, Seat};
use crate::experiment::{Tally, Task};
use crate::web::dom;
use crate::worker::BUDGET;
use crate::worker::protocol::{FromWorker, PROTOCOL, ToWorker};

/// How long the page itself computes at a time when there are no workers, in milliseconds.
const SLICE: f64 = 8.0;

/// How long the workers are kept while there is nothing to do, in milliseconds.
const IDLE: u32 = 30_000;

/// Orders that a worker holds, so that it need not wait for the next one.
const IN_HAND: usize = 2;

/// How often in a row workers come to nothing before they are given up.
const BARREN: u32 = 3;

/// How long they are given up for while there is work, in milliseconds.
const GIVEN_UP: f64 = 20_000.0;

/// The number of the order that is a trifle.
const TRIFLE: u64 = 0;

impl Seat {
    /// Whether it may be given orders.
    fn is_ready(&self) -> bool {
        self.is_up && (self.is_proven || self.after == 0)
    }

    /// For how long it may be silent; as long as it likes where it has nothing to do.
    fn patience(&self, usual: f64) -> f64 {
        let doubled = |times: u32| f64::from(1u32 << times.min(8));
        match self.orders.iter().map(|order| order.tries).max() {
            _ if !self.is_up => START * doubled(self.after),
            _ if !self.is_ready() => usual * doubled(self.after),
            Some(tries) => usual * doubled(tries),
            None => f64::INFINITY,
        }
    }

    /// Whether an order that workers were lost with is in its hands: it is left alone with that.
    fn holds_lost(&self) -> bool {
        self.orders.iter().any(|order| order.tries > 0)
    }

    fn takes(&self) -> Takes {
        match (self.orders.is_empty(), self.is_proven) {
            (true, true) => Takes::LostFirst,
            (true, false) => Takes::FreshFirst,
            _ => Takes::Fresh,
        }
    }
}

impl JobClient {
    /// Starts the workers that are missing.
    pub(super) fn hire(&self) {
        while self.inner.borrow().seats.len() < dom::threads() && self.inner.borrow().barren < BARREN {
            let number = {
                let mut inner = self.inner.borrow_mut();
                inner.next += 1;
                inner.next
            };
            let hear = {
                let runner = self.clone();
                move |news| runner.hear(number, news)
            };
            let inner = &mut *self.inner.borrow_mut();
            match Hand::start(hear) {
                Ok(hand) => inner.seats.push(Seat {
                    hand,
                    number,
                    after: inner.barren,
                    is_up: false,
                    waited: 0.0,
                    is_proven: false,
                    orders: Vec::new(),
                    silence: Silence::default(),
                }),
                Err(problem) => inner.give_up_workers(&problem),
            }
        }
    }

    fn hear(&self, number: u64, news: News) {
        if let Some(seat) = self.inner.borrow_mut().seats.iter_mut().find(|seat| seat.number == number) {
            seat.silence.heard();
        }
        match news {
            News::Said(FromWorker::Ready { protocol }) if protocol != PROTOCOL => {
                self.inner.borrow_mut().give_up_workers(OTHER_VERSION);
            }
            News::Said(FromWorker::Ready { .. }) => self.inner.borrow_mut().is_up(number),
            News::Said(FromWorker::Done { id, tally }) => {
                self.inner.borrow_mut().done(number, id, &tally);
                self.write_soon();
                self.redraw_soon();
            }
            // Of searches and of what takes no sweep, which run apart.
            News::Said(
                FromWorker::Searched { .. }
                | FromWorker::Refuted { .. }
                | FromWorker::Worst { .. }
                | FromWorker::Item(_)
                | FromWorker::Checked(_)
                | FromWorker::Beat,
            ) => return,
            News::Said(FromWorker::Failed { problem, .. }) | News::Broke(problem) => self.lost(number, &problem),
        }
        self.feed();
    }

    /// Replaces a worker that is of no use any more.
    fn lost(&self, number: u64, problem: &str) {
        self.inner.borrow_mut().lost(number, problem);
        if self.inner.borrow().has_work() {
            self.hire();
        }
        self.redraw_soon();
    }

    /// Gives every worker something to do.
    pub(super) fn feed(&self) {
        self.inner.borrow_mut().feed();
        self.rest();
        self.watch();
        let inner = &mut *self.inner.borrow_mut();
        if inner.lonely && inner.slice.is_none() && inner.take_alone(inner.takes()) {
            let runner = self.clone();
            inner.slice = Some(dom::later(0, move || runner.slice()));
        }
    }

    /// Sees to it that workers with nothing to do are ended in a while: each holds a whole program.
    fn rest(&self) {
        let idle = self.inner.borrow().is_idle();
        if !idle || self.inner.borrow().rest.is_none() {
            let runner = self.clone();
            let end = move || {
                let inner = &mut *runner.inner.borrow_mut();
                if inner.is_idle() {
                    inner.seats.clear();
                }
            };
            self.inner.borrow_mut().rest = idle.then(|| dom::later(IDLE, end));
        }
    }

    /// Looks who lives, again and again while somebody has something to do.
    fn watch(&self) {
        let inner = &mut *self.inner.borrow_mut();
        if !inner.is_watched() {
            inner.look = None;
            inner.clock.stop();
        } else if inner.look.is_none() {
            inner.clock.start();
            let runner = self.clone();
            inner.look = Some(dom::later(LOOK, move || runner.look_who_lives()));
        }
    }

    fn look_who_lives(&self) {
        let silent = {
            let inner = &mut *self.inner.borrow_mut();
            inner.look = None;
            inner.who_is_silent()
        };
        for (number, problem) in silent {
            self.lost(number, problem);
        }
        if self.inner.borrow().has_work() {
            self.hire();
        }
        self.feed();
    }

    /// Computes for one slice on the page itself.
    fn slice(&self) {
        {
            let inner = &mut *self.inner.borrow_mut();
            inner.slice = None;
            let end = dom::now() + SLICE;
            while inner.lonely && dom::now() < end && inner.take_alone(inner.takes()) {
                let Some((order, sampler, tally)) = &mut inner.alone else { break };
                if sampler.advance(order.task, tally, &mut { BUDGET })
                    && let Some((order, _, tally)) = inner.alone.take()
                {
                    inner.settle(&order, &tally);
                }
            }
        }
        self.write_soon();
        self.redraw_soon();
        self.feed();
    }
}

impl Inner {
    /// Whether there are workers, and none of them has anything to do.
    fn is_idle(&self) -> bool {
        !self.seats.is_empty() && self.seats.iter().all(|seat| seat.is_ready() && seat.orders.is_empty())
    }

    /// Whether somebody has something to do who may be lost, or workers are to be tried again.
    fn is_watched(&self) -> bool {
        let may_be_lost = |seat: &Seat| !seat.is_ready() || !seat.orders.is_empty();
        self.seats.iter().any(may_be_lost) || self.barren >= BARREN && self.has_work()
    }

    /// A worker is up.
    fn is_up(&mut self, number: u64) {
        let Some(seat) = self.seats.iter_mut().find(|seat| seat.number == number) else { return };
        seat.is_up = true;
        if seat.after > 0 {
            let task = Task { slot: 0, first: 0, count: 1 };
            seat.hand.tell(&ToWorker::Run { id: TRIFLE, text: "v=1".into(), task });
        } else {
            self.are_there();
        }
    }

    /// Workers do their work: the page itself need not.
    fn are_there(&mut self) {
        if std::mem::take(&mut self.lonely) {
            self.retries.extend(self.alone.take().map(|alone| alone.0));
            self.say(None);
        }
    }

    /// A worker has done something.
    fn done(&mut self, number: u64, id: u64, tally: &Tally) {
        let Some(seat) = self.seats.iter_mut().find(|seat| seat.number == number) else { return };
        let is_first = !std::mem::replace(&mut seat.is_proven, true);
        let order = seat.orders.iter().position(|order| order.id == id).map(|place| seat.orders.remove(place));
        if order.as_ref().is_some_and(|order| order.tries > 0) {
            // What takes as long is not lost again.
            self.patience = self.patience.max(1.5 * seat.silence.longest());
        }
        if is_first {
            self.barren = 0;
            self.are_there();
        }
        // An answer to an order that was cancelled belongs to nobody.
        if let Some(order) = order {
            self.settle(&order, tally);
        }
    }

    /// A worker is of no use any more; what it held is tried again.
    fn lost(&mut self, number: u64, problem: &str) {
        let Some(place) = self.seats.iter().position(|seat| seat.number == number) else { return };
        let seat = self.seats.swap_remove(place);
        // It works on its orders one after the other.
        let at =
            seat.orders.first().and_then(|order| self.place_of(order)).map_or(String::new(), |at| format!(" at {at}"));
        self.say(Some(format!("A worker stopped{at} ({problem}) and was replaced; no work is lost.")));
        // All that were hired together count once.
        if !seat.is_proven && seat.after == self.barren {
            self.barren += 1;
        }
        self.take_back(seat.orders, problem);
        if self.seats.iter().any(Seat::is_ready) {
            return;
        }
        // The page helps out where nothing speaks against its tasks.
        self.lonely |= !seat.is_up && self.has_work();
        if self.barren >= BARREN {
            self.give_up_workers(problem);
        }
    }

    /// Has the page compute itself for a while.
    fn give_up_workers(&mut self, problem: &str) {
        (self.barren, self.lonely, self.given_up) = (BARREN, true, 0.0);
        let orders = self.seats.drain(..).flat_map(|seat| seat.orders);
        self.retries.extend(orders);
        self.say(Some(format!(
            "Computing without workers, more slowly ({problem}). They are tried again now and then, and with every run."
        )));
    }

    /// Which orders the page itself takes: those that workers were lost with only where it is the workers' fault.
    fn takes(&self) -> Takes {
        if self.barren >= BARREN { Takes::FreshFirst } else { Takes::Fresh }
    }

    fn feed(&mut self) {
        for place in 0..self.seats.len() {
            loop {
                let seat = &self.seats[place];
                if !seat.is_ready() || seat.orders.len() >= IN_HAND || seat.holds_lost() {
                    break;
                }
                let Some(order) = self.next_order(seat.takes()) else { break };
                let Some(text) = self.text_of(&order) else { break };
                let seat = &mut self.seats[place];
                if seat.orders.is_empty() {
                    seat.silence = Silence::default();
                }
                seat.hand.tell(&ToWorker::Run { id: order.id, text, task: order.task });
                seat.orders.push(order);
            }
        }
    }

    /// Who has been silent for too long, and what is said of it.
    fn who_is_silent(&mut self) -> Vec<(u64, &'static str)> {
        let passed = self.clock.passed();
        if self.barren >= BARREN {
            self.given_up += passed;
            if self.given_up >= GIVEN_UP {
                self.given_up = 0.0;
                self.barren = BARREN - 1;
            }
        }
        self.seats.iter_mut().filter(|seat| !seat.is_up).for_each(|seat| seat.waited += passed);
        // On a slow network the program comes late.
        let is_late = |seat: &Seat| !seat.is_up && seat.waited >= START;
        self.lonely |= !self.seats.is_empty() && self.seats.iter().all(is_late) && self.has_work();
        let usual = self.patience;
        let is_silent = |seat: &mut Seat| {
            let patience = seat.patience(usual);
            seat.silence.lasts(passed, patience)
        };
        let silent = self
            .seats
            .iter_mut()
            .filter_map(|seat| is_silent(seat).then_some((seat.number, if seat.is_up { SILENT } else { LATE })));
        silent.collect()
    }
}
