//! Sweeps under way: hands tasks to the workers and their tallies back to the sweeps.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use gloo_timers::callback::Timeout;

use super::job::{Job, Purpose};
use super::pool::{Hand, News};
use super::protocol::{FromWorker, OTHER_VERSION, PROTOCOL, ToWorker};
use super::worker::BUDGET;
use crate::experiment::{Experiment, Sampler, Sweep, Tally, Task};
use crate::web::dom;

/// How long a worker may take to say that it is up, in milliseconds.
const HANDSHAKE: u32 = 10_000;

/// How often the page looks at new numbers, in milliseconds.
const REDRAW: u32 = 150;

/// How long the page itself computes at a time when there are no workers, in milliseconds.
const SLICE: f64 = 8.0;

/// How long the workers are kept while there is nothing to do, in milliseconds.
const IDLE: u32 = 30_000;

/// Orders that a worker holds, so that it need not wait for the next one.
const IN_HAND: usize = 2;

/// Whose job it is, by the number of the runner, and what for.
type Whose = (u32, Purpose);

#[derive(Clone)]
struct Order {
    id: u64,
    whose: Whose,
    sweep: usize,
    task: Task,
    retried: bool,
}

struct Seat {
    hand: Hand,
    number: u64,
    ready: bool,
    orders: Vec<Order>,
    _handshake: Timeout,
}

/// The pool: one for all runners of the page.
#[derive(Default)]
struct Inner {
    /// The runners, by their numbers: whom to tell that there are new numbers.
    runners: Vec<(u32, Weak<yew::Callback<()>>)>,
    /// Those who have not been told yet.
    untold: Vec<u32>,
    jobs: Vec<Job>,
    seats: Vec<Seat>,
    retries: Vec<Order>,
    next: u64,
    failures: usize,
    /// There are no workers: the page computes itself, in slices.
    alone: Option<(Order, Box<dyn Sampler>, Tally)>,
    lonely: bool,
    redraw: Option<Timeout>,
    /// The end of the workers, if nothing comes up before it.
    rest: Option<Timeout>,
    slice: Option<Timeout>,
    /// What the person should know about the workers.
    notice: Option<String>,
}

thread_local! {
    static POOL: Rc<RefCell<Inner>> = Rc::default();
}

/// The handle that the components of one page or figure share. All handles have the same workers; each has its own jobs.
#[derive(Clone)]
pub(crate) struct Runner {
    inner: Rc<RefCell<Inner>>,
    number: u32,
    changed: Rc<yew::Callback<()>>,
}

impl PartialEq for Runner {
    fn eq(&self, other: &Self) -> bool {
        self.number == other.number
    }
}

impl Runner {
    /// A runner that calls `changed` when there are new numbers, a few times a second.
    pub(crate) fn new(changed: yew::Callback<()>) -> Self {
        let (inner, changed) = (POOL.with(Rc::clone), Rc::new(changed));
        let number = {
            let runners = &mut inner.borrow_mut().runners;
            let number = runners.iter().map(|(number, _)| number + 1).max().unwrap_or(0);
            runners.push((number, Rc::downgrade(&changed)));
            number
        };
        Self { inner, number, changed }
    }

    /// Ends all that it runs, and is told of nothing any more.
    pub(crate) fn close(&self) {
        let mine: Vec<_> = self.look_at_all(|jobs| jobs.iter().map(|job| job.purpose).collect());
        for purpose in mine {
            self.cancel(purpose);
            self.forget(purpose);
        }
        self.inner.borrow_mut().runners.retain(|(number, _)| *number != self.number);
    }

    /// Whether a job of its own is for `purpose`.
    fn is(&self, job: &Job, purpose: Purpose) -> bool {
        job.whose() == (self.number, purpose)
    }

    /// Runs `experiments` for `purpose`, in place of what ran for it.
    pub(crate) fn start(&self, purpose: Purpose, experiments: &[Experiment]) {
        self.cancel(purpose);
        let job = Job {
            owner: self.number,
            purpose,
            sweeps: experiments.iter().map(Sweep::new).collect(),
            texts: experiments.iter().map(Experiment::to_string).collect(),
            paused: false,
            problem: None,
            started: dom::now(),
            ended: None,
        };
        self.inner.borrow_mut().jobs.retain(|job| !self.is(job, purpose));
        self.inner.borrow_mut().jobs.push(job);
        self.hire();
        self.feed();
        self.changed.emit(());
    }

    /// Stops what runs for `purpose`; its numbers stay.
    pub(crate) fn cancel(&self, purpose: Purpose) {
        {
            let inner = &mut *self.inner.borrow_mut();
            let Some(job) = inner.jobs.iter_mut().find(|job| self.is(job, purpose) && job.ended.is_none()) else {
                return;
            };
            job.sweeps.iter_mut().for_each(Sweep::cancel);
            job.ended = Some(dom::now());
            let whose = (self.number, purpose);
            inner.alone.take_if(|alone| alone.0.whose == whose);
            inner.retries.retain(|order| order.whose != whose);
            for seat in &mut inner.seats {
                seat.hand.tell(&ToWorker::Cancel);
                let orders = std::mem::take(&mut seat.orders);
                inner.retries.extend(orders.into_iter().filter(|order| order.whose != whose));
            }
        }
        self.feed();
        self.changed.emit(());
    }

    /// Pauses or resumes what runs for `purpose`.
    pub(crate) fn pause(&self, purpose: Purpose, paused: bool) {
        if let Some(job) = self.inner.borrow_mut().jobs.iter_mut().find(|job| self.is(job, purpose)) {
            job.paused = paused;
        }
        if !paused {
            self.hire();
        }
        self.feed();
        self.changed.emit(());
    }

    /// Looks at the job of `purpose`.
    pub(crate) fn look<T>(&self, purpose: Purpose, view: impl FnOnce(&Job) -> T) -> Option<T> {
        self.inner.borrow().jobs.iter().find(|job| self.is(job, purpose)).map(view)
    }

    /// Looks at all its jobs.
    pub(crate) fn look_at_all<T>(&self, view: impl FnOnce(&[&Job]) -> T) -> T {
        let inner = self.inner.borrow();
        view(&inner.jobs.iter().filter(|job| job.owner == self.number).collect::<Vec<_>>())
    }

    /// Keeps what is measured now, as far as it is, under this number; nothing more is computed of it.
    pub(crate) fn keep(&self, number: u32) {
        let purpose = Purpose::Kept(number);
        if let Some(job) = self.look(Purpose::Measure, Job::clone) {
            let mut copy = Job { purpose, ended: Some(dom::now()), ..job };
            copy.sweeps.iter_mut().for_each(Sweep::cancel);
            self.inner.borrow_mut().jobs.insert(0, copy);
        }
    }

    /// Forgets the numbers of what has ended for `purpose`.
    pub(crate) fn forget(&self, purpose: Purpose) {
        self.inner.borrow_mut().jobs.retain(|job| !self.is(job, purpose));
    }

    /// What the person should know about the workers.
    pub(crate) fn notice(&self) -> Option<String> {
        self.inner.borrow().notice.clone()
    }

    /// Starts the workers that are missing.
    fn hire(&self) {
        while self.inner.borrow().seats.len() < dom::threads() && !self.inner.borrow().lonely {
            let number = {
                let mut inner = self.inner.borrow_mut();
                inner.next += 1;
                inner.next
            };
            let hear = {
                let runner = self.clone();
                move |news| runner.hear(number, news)
            };
            match Hand::start(hear) {
                Ok(hand) => {
                    let runner = self.clone();
                    let late = move || runner.late(number);
                    let seat = Seat {
                        hand,
                        number,
                        ready: false,
                        orders: Vec::new(),
                        _handshake: Timeout::new(HANDSHAKE, late),
                    };
                    self.inner.borrow_mut().seats.push(seat);
                }
                Err(problem) => self.go_alone(&problem),
            }
        }
    }

    /// A worker has not said that it is up.
    fn late(&self, number: u64) {
        let waiting = |seat: &Seat| seat.number == number && !seat.ready;
        if self.inner.borrow().seats.iter().any(waiting) {
            self.broke(number, "it did not start in time");
        }
    }

    fn hear(&self, number: u64, news: News) {
        match news {
            News::Said(FromWorker::Ready { protocol }) if protocol != PROTOCOL => {
                self.go_alone(OTHER_VERSION);
            }
            News::Said(FromWorker::Ready { .. }) => {
                if let Some(seat) = self.inner.borrow_mut().seats.iter_mut().find(|seat| seat.number == number) {
                    seat.ready = true;
                }
            }
            News::Said(FromWorker::Done { id, tally }) => self.done(number, id, &tally),
            // Of searches and of what takes no sweep, which run apart.
            News::Said(FromWorker::Searched { .. } | FromWorker::Worst { .. } | FromWorker::Item(_)) => {}
            News::Said(FromWorker::Failed { problem, .. }) | News::Broke(problem) => self.broke(number, &problem),
        }
        self.feed();
    }

    fn done(&self, number: u64, id: u64, tally: &Tally) {
        let order = {
            let mut inner = self.inner.borrow_mut();
            let seat = inner.seats.iter_mut().find(|seat| seat.number == number);
            seat.and_then(|seat| {
                let place = seat.orders.iter().position(|order| order.id == id)?;
                Some(seat.orders.swap_remove(place))
            })
        };
        // An answer to an order that was cancelled belongs to nobody.
        if let Some(order) = order {
            self.inner.borrow_mut().settle(&order, tally);
            self.redraw_soon();
        }
    }

    /// Replaces a broken worker; its orders are tried once more.
    fn broke(&self, number: u64, problem: &str) {
        {
            let mut inner = self.inner.borrow_mut();
            let Some(place) = inner.seats.iter().position(|seat| seat.number == number) else { return };
            let seat = inner.seats.swap_remove(place);
            inner.failures += 1;
            let all = inner.runners.iter().map(|runner| runner.0).collect();
            inner.untold = all;
            inner.notice = Some(format!("A worker stopped ({problem}) and was replaced."));
            let (again, twice): (Vec<_>, Vec<_>) = seat.orders.into_iter().partition(|order| !order.retried);
            inner.retries.extend(again.into_iter().map(|order| Order { retried: true, ..order }));
            for order in twice {
                inner.give_up(&order, problem);
            }
        }
        if self.inner.borrow().failures > 2 * dom::threads() {
            self.go_alone(problem);
        } else {
            self.hire();
        }
        self.redraw_soon();
    }

    /// Computes on the page itself from now on.
    fn go_alone(&self, problem: &str) {
        {
            let inner = &mut *self.inner.borrow_mut();
            inner.lonely = true;
            inner.notice = Some(format!("Computing without workers, more slowly ({problem})."));
            let orders = inner.seats.drain(..).flat_map(|seat| seat.orders);
            inner.retries.extend(orders);
        }
        self.feed();
    }

    /// Gives every worker something to do.
    fn feed(&self) {
        {
            let inner = &mut *self.inner.borrow_mut();
            for place in 0..inner.seats.len() {
                while inner.seats[place].ready && inner.seats[place].orders.len() < IN_HAND {
                    let Some(order) = inner.next_order() else { break };
                    let Some(text) = inner.text_of(&order) else { break };
                    let seat = &mut inner.seats[place];
                    seat.hand.tell(&ToWorker::Run { id: order.id, text, task: order.task });
                    seat.orders.push(order);
                }
            }
        }
        self.rest();
        if !self.inner.borrow().lonely || self.inner.borrow().slice.is_some() {
            return;
        }
        if self.inner.borrow_mut().take_alone() {
            let runner = self.clone();
            self.inner.borrow_mut().slice = Some(Timeout::new(0, move || runner.slice()));
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
            self.inner.borrow_mut().rest = idle.then(|| Timeout::new(IDLE, end));
        }
    }

    /// Computes for one slice on the page itself.
    fn slice(&self) {
        {
            let inner = &mut *self.inner.borrow_mut();
            inner.slice = None;
            let end = dom::now() + SLICE;
            while dom::now() < end && inner.take_alone() {
                let Some((order, sampler, tally)) = &mut inner.alone else { break };
                if sampler.advance(order.task, tally, &mut { BUDGET })
                    && let Some((order, _, tally)) = inner.alone.take()
                {
                    inner.settle(&order, &tally);
                }
            }
        }
        self.redraw_soon();
        self.feed();
    }

    fn redraw_soon(&self) {
        let mut inner = self.inner.borrow_mut();
        if inner.redraw.is_none() {
            let pool = Rc::clone(&self.inner);
            inner.redraw = Some(Timeout::new(REDRAW, move || {
                let told = {
                    let inner = &mut *pool.borrow_mut();
                    inner.redraw = None;
                    let untold = std::mem::take(&mut inner.untold);
                    let runners = inner.runners.iter().filter(|(number, _)| untold.contains(number));
                    runners.filter_map(|(_, changed)| changed.upgrade()).collect::<Vec<_>>()
                };
                told.iter().for_each(|changed| changed.emit(()));
            }));
        }
    }
}

impl Inner {
    /// Whether there are workers, and none of them has anything to do.
    fn is_idle(&self) -> bool {
        !self.seats.is_empty() && self.seats.iter().all(|seat| seat.ready && seat.orders.is_empty())
    }

    fn next_order(&mut self) -> Option<Order> {
        let runs = |order: &Order| self.jobs.iter().any(|job| job.whose() == order.whose && !job.paused);
        if let Some(place) = self.retries.iter().position(runs) {
            self.next += 1;
            return Some(Order { id: self.next, ..self.retries.swap_remove(place) });
        }
        let jobs = self.jobs.iter_mut().rev().filter(|job| !job.paused && job.ended.is_none());
        let (whose, sweep, task) = jobs
            .flat_map(|job| {
                let whose = job.whose();
                job.sweeps.iter_mut().enumerate().map(move |(i, sweep)| (whose, i, sweep))
            })
            .find_map(|(whose, index, sweep)| sweep.next_task().map(|task| (whose, index, task)))?;
        self.next += 1;
        Some(Order { id: self.next, whose, sweep, task, retried: false })
    }

    fn text_of(&self, order: &Order) -> Option<String> {
        self.jobs.iter().find(|job| job.whose() == order.whose)?.texts.get(order.sweep).cloned()
    }

    fn sweep_of(&mut self, order: &Order) -> Option<(&mut Job, usize)> {
        self.jobs.iter_mut().find(|job| job.whose() == order.whose).map(|job| (job, order.sweep))
    }

    fn settle(&mut self, order: &Order, tally: &Tally) {
        self.untold.push(order.whose.0);
        let Some((job, index)) = self.sweep_of(order) else { return };
        if let Some(sweep) = job.sweeps.get_mut(index) {
            sweep.finish(order.task, tally);
        }
        if job.is_done() && job.ended.is_none() {
            job.ended = Some(dom::now());
        }
    }

    fn give_up(&mut self, order: &Order, problem: &str) {
        self.untold.push(order.whose.0);
        let Some((job, index)) = self.sweep_of(order) else { return };
        job.problem = Some(format!("Part of this could not be computed: {problem}"));
        if let Some(sweep) = job.sweeps.get_mut(index) {
            sweep.cancel();
        }
        if job.is_done() {
            job.ended = Some(dom::now());
        }
    }

    /// Makes sure that the page itself has a task. Whether it has.
    fn take_alone(&mut self) -> bool {
        if self.alone.is_none()
            && let Some(order) = self.next_order()
        {
            let sweep = self.sweep_of(&order).and_then(|(job, index)| job.sweeps.get(index));
            let sampler = sweep.and_then(|sweep| Sweep::sampler(sweep.experiment(), order.task.slot));
            self.alone = sampler.map(|sampler| (order, sampler, Tally::default()));
        }
        self.alone.is_some()
    }
}
