//! What the pool holds: jobs, workers, orders. Others do something with it.

use std::cell::RefCell;
use std::rc::{Rc, Weak};

use gloo_timers::callback::Timeout;

use super::job::{Job, Whose};
use super::life::{Clock, Silence};
use super::pool::Hand;
use crate::experiment::{Sampler, Tally, Task};

/// A task of a job's sweep.
#[derive(Clone)]
pub(super) struct Order {
    pub(super) id: u64,
    pub(super) whose: Whose,
    pub(super) sweep: usize,
    pub(super) task: Task,
    /// How many workers were lost while they held it.
    pub(super) tries: u32,
}

/// What the page itself computes.
pub(super) type Alone = (Order, Box<dyn Sampler>, Tally);

/// A worker and what it holds.
pub(super) struct Seat {
    pub(super) hand: Hand,
    pub(super) number: u64,
    /// How often in a row workers had come to nothing when it was hired.
    pub(super) after: u32,
    /// It has said that it is up.
    pub(super) is_up: bool,
    /// For how long it has not been, in milliseconds.
    pub(super) waited: f64,
    /// It has done something; before it has, one that follows others that came to nothing gets nothing but a trifle.
    pub(super) is_proven: bool,
    pub(super) orders: Vec<Order>,
    pub(super) silence: Silence,
}

/// The part of the pool that writes down: whatever is measured on the page, not in figures.
#[derive(Default)]
pub(super) struct Writing {
    pub(super) soon: Option<Timeout>,
    /// How many bytes there were last.
    pub(super) bytes: usize,
    pub(super) recall: Option<Timeout>,
}

/// The pool: one for all runners of the page.
#[derive(Default)]
pub(super) struct Inner {
    /// The runners, by their numbers: whom to tell that there are new numbers.
    pub(super) runners: Vec<(u32, Weak<yew::Callback<()>>)>,
    /// Those who have not been told yet.
    pub(super) untold: Vec<u32>,
    pub(super) jobs: Vec<Job>,
    pub(super) seats: Vec<Seat>,
    /// Orders that come back from workers.
    pub(super) retries: Vec<Order>,
    pub(super) next: u64,
    /// How often in a row workers came to nothing: all that were hired together count once.
    pub(super) barren: u32,
    /// How long a worker at work may be silent, in milliseconds, as far as is known by now.
    pub(super) patience: f64,
    /// There are no workers, or not yet: the page computes itself, in slices.
    pub(super) lonely: bool,
    pub(super) alone: Option<Alone>,
    pub(super) redraw: Option<Timeout>,
    /// The end of the workers, if nothing comes up before it.
    pub(super) rest: Option<Timeout>,
    pub(super) slice: Option<Timeout>,
    /// The next look at who lives.
    pub(super) look: Option<Timeout>,
    pub(super) clock: Clock,
    /// For how long workers have not been tried any more.
    pub(super) given_up: f64,
    pub(super) writing: Writing,
    /// What the person should know about the workers.
    pub(super) notice: Option<String>,
}

thread_local! {
    pub(super) static POOL: Rc<RefCell<Inner>> = Rc::default();
}

/// The handle that the components of one page or figure share. All handles have the same workers; each has its own jobs.
#[derive(Clone)]
pub(crate) struct JobClient {
    pub(super) inner: Rc<RefCell<Inner>>,
    pub(super) number: u32,
    pub(super) changed: Rc<yew::Callback<()>>,
    /// Whether what it measures is written down while it runs.
    pub(super) writes: bool,
}
