//! Looking on while the network runs.

use super::Refusal;
use crate::topology::{Link, NodeId};
use crate::traffic::Arrival;

/// The end of one wait.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waited {
    /// The number of the message.
    pub number: u64,
    /// The node at which it waited.
    pub node: NodeId,
    /// The dimensions of the links that it waited for, as a mask.
    pub dims: u64,
    /// When the wait began, in mean transmission times.
    pub since: f64,
}

/// Is told everything that happens, in order. Messages are named by number, times count mean transmission times.
///
/// Every method does nothing unless it is written anew: what is not looked at costs nothing. `()` looks at nothing.
pub trait Observer {
    /// A message was generated and accepted.
    #[inline(always)]
    fn generated(&mut self, _number: u64, _message: &Arrival) {}

    /// A message was generated and refused.
    #[inline(always)]
    fn refused(&mut self, _number: u64, _message: &Arrival, _why: Refusal) {}

    /// A message reserved `link`.
    #[inline(always)]
    fn reserved(&mut self, _number: u64, _link: Link, _time: f64) {}

    /// `link` was released; it may be reserved again at the same time.
    #[inline(always)]
    fn released(&mut self, _link: Link, _time: f64) {}

    /// A message begins to wait at `node` for the links of the dimensions `dims`; with it, `backlog` messages wait.
    #[inline(always)]
    fn waiting(&mut self, _number: u64, _node: NodeId, _dims: u64, _backlog: u64, _time: f64) {}

    /// A wait ended at `time`: the message was handed one of the links.
    #[inline(always)]
    fn granted(&mut self, _wait: &Waited, _time: f64) {}

    /// A message of `generated` completed its circuit at `time`; their difference is its setup time.
    #[inline(always)]
    fn completed(&mut self, _number: u64, _generated: f64, _time: f64) {}

    /// A transmission ended.
    #[inline(always)]
    fn transmitted(&mut self, _number: u64, _time: f64) {}
}

impl Observer for () {}
