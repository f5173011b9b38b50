//! A worker for one order apart from the sweeps: a search, an item of Papers. It is watched, and replaced where it is lost.

use std::cell::RefCell;
use std::rc::Rc;

use gloo_timers::callback::Timeout;

use super::life::{Clock, LATE, LOOK, OTHER_VERSION, PATIENCE, SILENT, START, Silence};
use super::pool::{Hand, News};
use crate::web::dom;
use crate::worker::protocol::{FromWorker, PROTOCOL, ToWorker};

/// How many workers are lost before it is given up, in words.
const TRIES: u32 = 4;

/// How much longer one may be silent that computes an item, in a second at most, or a run that shows a flaw: it does so in one go.
const IN_ONE_GO: f64 = 8.0;

/// An order under way. Dropping it ends it.
pub(crate) struct Errand {
    inner: Rc<RefCell<Inner>>,
}

struct Inner {
    order: ToWorker,
    hear: Rc<dyn Fn(FromWorker)>,
    hand: Option<Hand>,
    is_up: bool,
    /// How many workers were lost.
    tries: u32,
    silence: Silence,
    clock: Clock,
    look: Option<Timeout>,
}

type Shared = Rc<RefCell<Inner>>;

impl Errand {
    /// Has a worker carry out `order`; `hear` is told how far it is, what it came to, and why if to nothing.
    ///
    /// # Errors
    /// What the browser says when it starts no worker.
    pub(crate) fn start(order: ToWorker, hear: impl Fn(FromWorker) + 'static) -> Result<Self, String> {
        let inner = Inner {
            order,
            hear: Rc::new(hear),
            hand: None,
            is_up: false,
            tries: 0,
            silence: Silence::default(),
            clock: Clock::default(),
            look: None,
        };
        let inner = Rc::new(RefCell::new(inner));
        hire(&inner)?;
        watch(&inner);
        Ok(Self { inner })
    }
}

impl Drop for Errand {
    fn drop(&mut self) {
        self.inner.borrow_mut().end();
    }
}

impl Inner {
    fn end(&mut self) {
        (self.hand, self.look) = (None, None);
    }

    fn patience(&self) -> f64 {
        let usual = match (self.is_up, &self.order) {
            (false, _) => START,
            // All in one go, and some take minutes.
            (true, ToWorker::Check(_)) => return f64::INFINITY,
            (true, ToWorker::Item(_) | ToWorker::Refute(_)) => PATIENCE * IN_ONE_GO,
            (true, _) => PATIENCE,
        };
        usual * f64::from(1u32 << self.tries)
    }
}

fn hire(errand: &Shared) -> Result<(), String> {
    let hear = {
        let errand = Rc::clone(errand);
        move |news| hear(&errand, news)
    };
    let hand = Hand::start(hear)?;
    let inner = &mut *errand.borrow_mut();
    (inner.hand, inner.is_up, inner.silence) = (Some(hand), false, Silence::default());
    Ok(())
}

fn hear(errand: &Shared, news: News) {
    errand.borrow_mut().silence.heard();
    let said = match news {
        // It hears nothing before.
        News::Said(FromWorker::Ready { protocol }) if protocol == PROTOCOL => {
            let inner = &mut *errand.borrow_mut();
            inner.is_up = true;
            return inner.hand.iter().for_each(|hand| hand.tell(&inner.order));
        }
        News::Said(FromWorker::Ready { .. }) => FromWorker::Failed { id: None, problem: OTHER_VERSION.into() },
        News::Said(FromWorker::Beat | FromWorker::Done { .. }) => return,
        News::Said(said) => said,
        News::Broke(problem) => return lost(errand, problem),
    };
    tell(errand, said);
}

/// Tells what there is to tell; whoever hears it may drop the errand.
fn tell(errand: &Shared, said: FromWorker) {
    let goes_on = match &said {
        FromWorker::Searched { .. } => true,
        FromWorker::Refuted { share, .. } => *share < 1.0,
        _ => false,
    };
    if !goes_on {
        errand.borrow_mut().end();
    }
    let hear = Rc::clone(&errand.borrow().hear);
    hear(said);
}

fn lost(errand: &Shared, problem: String) {
    let tries = {
        let inner = &mut *errand.borrow_mut();
        inner.hand = None;
        inner.tries += 1;
        inner.tries
    };
    let hired = if tries < TRIES {
        hire(errand)
    } else {
        Err(format!("the worker stopped, {TRIES} times: {problem}; reload the page to try again"))
    };
    if let Err(problem) = hired {
        tell(errand, FromWorker::Failed { id: None, problem });
    }
}

fn watch(errand: &Shared) {
    let look = {
        let errand = Rc::clone(errand);
        move || {
            let (is_silent, is_up) = {
                let inner = &mut *errand.borrow_mut();
                inner.look = None;
                let (passed, patience) = (inner.clock.passed(), inner.patience());
                (inner.silence.lasts(passed, patience), inner.is_up)
            };
            if is_silent {
                lost(&errand, if is_up { SILENT } else { LATE }.into());
            }
            if errand.borrow().hand.is_some() {
                watch(&errand);
            }
        }
    };
    let inner = &mut *errand.borrow_mut();
    inner.clock.start();
    inner.look = Some(dom::later(LOOK, look));
}
