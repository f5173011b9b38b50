//! Circuit set-up: the required links that are legal at each node.

use std::any::Any;
use std::fmt;
use std::sync::Arc;

use super::rules::{CompiledLocalRouting, RuleRouting};
use super::{
    Algorithm, Criterion, Header, LOWEST_REQUIRED, Links, LocalRouting, Method, Position, Rule, Shared, Tier,
    UserRouting,
};

/// A routing that sets up circuits in a hypercube, along shortest paths over the legal required
/// links.
#[derive(Clone)]
pub enum CircuitRouting {
    /// A criterion (Chiu, Chalasani & Raghavendra sections III and V).
    Criterion(Criterion),
    /// User-defined rules. Circuits never take permitted dimensions that are not required.
    User(UserCircuits),
}

/// Circuits set up by user-defined rules.
#[derive(Clone)]
pub struct UserCircuits {
    routing: Arc<RuleRouting>,
    local: Arc<CompiledLocalRouting>,
    headed: bool,
}

impl UserCircuits {
    /// Returns the circuits of `routing`, or `None` if the routing is not user-defined or sets up
    /// no circuits.
    fn new(routing: &Shared<dyn LocalRouting>) -> Option<Self> {
        let Shared::Arc(routing) = routing else { return None };
        let routing: Arc<dyn Any + Send + Sync> = Arc::<dyn LocalRouting>::clone(routing);
        let routing = routing.downcast::<RuleRouting>().ok()?;
        routing.check_circuits().ok()?;
        let local = Arc::clone(routing.local()?);
        Some(Self { headed: local.is_headed(), local, routing })
    }
}

impl Algorithm {
    /// Returns the circuit routing, or `None` if the algorithm sets up no circuits.
    pub fn circuits(&self) -> Option<CircuitRouting> {
        match &self.method {
            Method::Criterion(criterion) => Some(CircuitRouting::Criterion(*criterion)),
            Method::Local(routing) => UserCircuits::new(routing).map(CircuitRouting::User),
            _ => None,
        }
    }
}

impl CircuitRouting {
    /// Returns the legal dimensions at `at`, as a mask; `links` are the links of the node.
    ///
    /// `leading` receives the mask of required and permitted dimensions and returns the dimensions
    /// to keep.
    #[inline]
    pub fn legal(&self, at: Position, links: Links, leading: impl Fn(u64) -> u64) -> u64 {
        match self {
            Self::Criterion(criterion) => {
                let (low, free) = criterion.legal(at);
                leading(low | free)
            }
            Self::User(own) => leading(own.local.permitted(at, links) & at.wrong),
        }
    }

    /// Returns the rule by which a circuit takes the legal dimension `dim` at `at`.
    #[inline(never)]
    pub fn rule(&self, at: Position, links: Links, dim: u8) -> &'static Rule {
        match self {
            Self::Criterion(criterion) => {
                let tiers = criterion.tiers(at);
                let has = |tier: &&Tier| tier.dimensions.mask(at.wrong, u64::MAX) >> dim & 1 == 1;
                tiers.iter().find(has).map_or(&LOWEST_REQUIRED, |tier| tier.rule)
            }
            Self::User(own) => own.routing.rule_at(at, links).unwrap_or(&LOWEST_REQUIRED),
        }
    }

    /// Returns the header of a message at `at` after it has taken `dim`.
    #[inline]
    pub fn header_after(&self, at: Position, links: Links, dim: u8) -> Header {
        match self {
            Self::Criterion(criterion) => criterion.header_after(at, dim),
            Self::User(own) if own.headed => own.local.header_after(at, links, dim),
            Self::User(_) => at.header,
        }
    }

    /// Returns the number of possible initial headers, all equally likely. The source draws a
    /// header below this number.
    #[inline]
    pub fn first_headers(&self) -> u8 {
        match self {
            Self::Criterion(criterion) => criterion.initial_header_count(),
            Self::User(_) => 1,
        }
    }

    /// Returns the number of headers that a message can have on its path. All headers are below
    /// this number.
    pub fn headers(&self) -> u8 {
        match self {
            Self::Criterion(criterion) => criterion.header_count(),
            Self::User(own) => own.routing.header_count(),
        }
    }

    /// Returns whether circuits under this routing are proved free of deadlock. User-defined rules
    /// have no proof.
    pub fn is_deadlock_free(&self) -> bool {
        matches!(self, Self::Criterion(criterion) if criterion.is_deadlock_free())
    }

    /// Returns the user-defined routing, or `None` for a criterion.
    pub fn user_routing(&self) -> Option<&dyn UserRouting> {
        match self {
            Self::Criterion(_) => None,
            Self::User(own) => Some(&*own.routing),
        }
    }
}

impl From<Criterion> for CircuitRouting {
    fn from(criterion: Criterion) -> Self {
        Self::Criterion(criterion)
    }
}

impl fmt::Debug for CircuitRouting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Criterion(criterion) => criterion.fmt(f),
            Self::User(own) => own.routing.fmt(f),
        }
    }
}
