//! How circuits are set up: which of the required links are legal where.

use std::fmt;
use std::sync::Arc;

use super::rules::{Local, OwnRouting};
use super::{Criterion, Header, LOWEST_REQUIRED, Links, LocalRouting, Position, Rule, Shared, Tier};

/// How circuits are set up in a hypercube: along shortest paths, over the required links that are legal.
#[derive(Clone)]
pub enum CircuitRouting {
    /// By a criterion (Chiu, Chalasani & Raghavendra sections III and V).
    Criterion(Criterion),
    /// By rules of one's own. What they permit besides required dimensions, nobody takes.
    Own(OwnCircuits),
}

/// Circuits by rules of one's own.
#[derive(Clone)]
pub struct OwnCircuits {
    routing: Shared<dyn LocalRouting>,
    local: Arc<Local>,
    headed: bool,
}

impl OwnCircuits {
    /// Those of `routing`; `None` if it is none of one's own, or sets none up.
    pub(super) fn of(routing: &Shared<dyn LocalRouting>) -> Option<Self> {
        let own = routing.own().filter(|own| own.circuits().is_ok())?;
        let local = Arc::clone(own.local()?);
        Some(Self { headed: local.is_headed(), local, routing: routing.clone() })
    }
}

impl CircuitRouting {
    /// The legal dimensions at `at` as a mask, of a node with these `links`: of those that are required and permitted, what
    /// `leading` leaves, which is told the mask.
    #[inline]
    pub fn legal(&self, at: Position, links: Links, leading: impl Fn(u64) -> u64) -> u64 {
        match self {
            Self::Criterion(criterion) => {
                let (low, free) = criterion.legal(at);
                leading(low | free)
            }
            Self::Own(own) => leading(own.local.permitted(at, links) & at.wrong),
        }
    }

    /// The rule by which a circuit takes `dim`, which is legal, at `at`.
    #[inline(never)]
    pub fn rule(&self, at: Position, links: Links, dim: u8) -> &'static Rule {
        match self {
            Self::Criterion(criterion) => {
                let tiers = criterion.tiers(at);
                let has = |tier: &&Tier| tier.dimensions.mask(at.wrong, u64::MAX) >> dim & 1 == 1;
                tiers.iter().find(has).map_or(&LOWEST_REQUIRED, |tier| tier.rule)
            }
            Self::Own(own) => {
                let rule = own.routing.own().and_then(|own| own.rule_at(at, links));
                rule.unwrap_or(&LOWEST_REQUIRED)
            }
        }
    }

    /// The header of a message at `at` after it has taken `dim`.
    #[inline]
    pub fn header_after(&self, at: Position, links: Links, dim: u8) -> Header {
        match self {
            Self::Criterion(criterion) => criterion.header_after(at, dim),
            Self::Own(own) if own.headed => own.local.header_after(at, links, dim),
            Self::Own(_) => at.header,
        }
    }

    /// The number of headers that messages start with, all equally likely: the source draws one of 0 to this less 1.
    #[inline]
    pub fn first_headers(&self) -> u8 {
        match self {
            Self::Criterion(criterion) => criterion.first_headers(),
            Self::Own(_) => 1,
        }
    }

    /// The number of headers that a message can have on its way: all are below this.
    pub fn headers(&self) -> u8 {
        match self {
            Self::Criterion(criterion) => criterion.headers(),
            Self::Own(own) => own.routing.headers(),
        }
    }

    /// Whether it is proved that circuits set up by it cannot deadlock. Of rules of one's own nothing is.
    pub fn is_deadlock_free(&self) -> bool {
        matches!(self, Self::Criterion(criterion) if criterion.is_deadlock_free())
    }

    /// The routing of one's own that it is.
    pub fn own(&self) -> Option<&OwnRouting> {
        match self {
            Self::Criterion(_) => None,
            Self::Own(own) => own.routing.own(),
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
            Self::Own(own) => own.routing.own().fmt(f),
        }
    }
}
