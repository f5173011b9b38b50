//! Criteria that define the legal required links at a node (Chiu, Chalasani & Raghavendra sections
//! III and V).

use crate::rich;
use crate::rich_text::RichText;
use crate::routing::{
    Carrier, CubeHop, Dimensions, Header, Knowledge, LocalRouting, Order, Position, Rule, Tier, Tiers,
};

/// The lowest required dimension: legal under every criterion of Chiu, Chalasani & Raghavendra.
pub static LOWEST_REQUIRED: Rule = Rule::hop("lowest-required", |hop| match hop.carrier {
    Carrier::Circuit => rich![hop.link_name(), " is the lowest required one: always legal"],
    Carrier::Message | Carrier::Worm => rich![hop.link_name(), " is the lowest required one"],
});

/// A required link that leads up, taken before lower dimensions, as the UP criterion permits.
pub(crate) static UP_TRANSITION: Rule = Rule::hop("up-transition", transition);

/// A required link that leads down, taken before lower dimensions, as the DP criterion permits.
pub(crate) static DOWN_TRANSITION: Rule = Rule::hop("down-transition", transition);

/// Any required link, in any order. Without a criterion such messages can deadlock.
pub(crate) static ANY_REQUIRED: Rule = Rule::hop("any-required", |hop| match hop.carrier {
    Carrier::Circuit => rich![hop.link_name(), ": any required one is legal"],
    Carrier::Message | Carrier::Worm => {
        rich![hop.link_name(), " is required: legal in any order, and the lowest is not usable"]
    }
});

fn transition(hop: &CubeHop) -> RichText {
    let what = rich![hop.link_name(), " leads ", hop.way(), ": legal before "];
    match hop.carrier {
        Carrier::Message => rich![what, "the lowest required one, which is not usable"],
        Carrier::Circuit => rich![what, hop.wrong.trailing_zeros(), ", the lowest required"],
        Carrier::Worm => rich![what, "the lowest required one"],
    }
}

/// A criterion for shortest paths. The lowest required dimension is always legal. Of the higher
/// required dimensions in its level, those that lead up, or down, or all, or none are legal.
/// Legality depends only on the node, the destination and the header.
///
/// The dimensions are divided into consecutive levels. The required links of a level come before
/// those of any higher level (section V.B). If `ends` is 0, all dimensions form one level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Criterion {
    /// The highest dimension of every level, as a mask. Dimensions above the highest one form a
    /// last level.
    pub(crate) ends: u64,
    /// Dimensions that may be taken up before lower ones of their level.
    pub(crate) up: u64,
    /// Dimensions that may be taken down before lower ones of their level.
    pub(crate) down: u64,
    /// Dimensions in whose level a message may leave the ascending order only once (section V.A: at
    /// most one non-sequential link).
    pub(crate) restricted: u64,
    /// `true` if each message draws at its source whether it follows UP, or DP with the same
    /// levels.
    pub(crate) mixed: bool,
}

/// Header of a restricted message that has used its non-sequential link of this level, and of a
/// mixed message that follows DP.
const USED: Header = Header(1);

impl Criterion {
    /// The criterion with one level and no free dimensions: e-cube.
    pub(crate) const SEQUENTIAL: Self = Self { ends: 0, up: 0, down: 0, restricted: 0, mixed: false };

    /// Returns the required dimensions in the level of `low`, the lowest required one, as a mask.
    #[inline(always)]
    fn level(&self, wrong: u64, low: u64) -> u64 {
        let ends = self.ends & low.wrapping_neg();
        let end = ends & ends.wrapping_neg();
        // Up to the end of the level; without an end (0 - 1 wraps), up to the last dimension.
        wrong & (end | end.wrapping_sub(1))
    }

    /// Returns the lowest required dimension and the other legal dimensions, as masks.
    #[inline(always)]
    pub fn legal(&self, at: Position) -> (u64, u64) {
        let low = at.wrong & at.wrong.wrapping_neg();
        let here = at.here.0;
        let free = if self.mixed {
            if at.header == USED { here & self.up } else { !here & self.up }
        } else {
            !here & self.up | here & self.down
        };
        let spent = self.restricted & low != 0 && at.header == USED;
        (low, if spent { 0 } else { self.level(at.wrong, low) & free & !low })
    }

    /// Returns the dimensions that are free upward and downward if one rule holds everywhere: in a
    /// single level, for all messages, without limit.
    pub fn everywhere(&self) -> Option<(u64, u64)> {
        (self.ends == 0 && self.restricted == 0 && !self.mixed).then_some((self.up, self.down))
    }

    /// Returns whether circuits under the criterion cannot deadlock, by Theorem 1 and its extension
    /// to levels: no level leaves both directions free, and all messages follow the same criterion.
    pub fn is_deadlock_free(&self) -> bool {
        let mut ends = self.ends;
        let mut low = 1u64;
        loop {
            let end = ends & ends.wrapping_neg();
            let level = (end | end.wrapping_sub(1)) & low.wrapping_neg();
            if self.up & level != 0 && (self.down & level != 0 || self.mixed) {
                return false;
            }
            match end.checked_shl(1).filter(|&next| end != 0 && next != 0) {
                Some(next) => low = next,
                None => return true,
            }
            ends &= low.wrapping_neg();
        }
    }
}

impl LocalRouting for Criterion {
    #[inline(always)]
    fn tiers(&self, at: Position) -> Tiers {
        let (low, free) = self.legal(at);
        let lowest = Tier { dimensions: Dimensions::Mask(low), rule: &LOWEST_REQUIRED };
        if free == 0 {
            return Tiers::one(lowest);
        }
        let rule = match (self.up & free != 0, self.down & free != 0) {
            _ if self.mixed && at.header == USED => &DOWN_TRANSITION,
            (true, false) => &UP_TRANSITION,
            (false, true) => &DOWN_TRANSITION,
            _ => &ANY_REQUIRED,
        };
        Tiers::two(lowest, Tier { dimensions: Dimensions::Mask(free), rule })
    }

    fn is_uniform(&self) -> bool {
        false
    }

    fn prefers_all_wrong(&self) -> bool {
        self.everywhere().is_some_and(|(up, down)| up == u64::MAX && down == u64::MAX)
    }

    fn order(&self) -> Order {
        Order::Random
    }

    fn knowledge(&self) -> Knowledge {
        Knowledge::Neighbors
    }

    fn yields_to_traffic(&self) -> bool {
        true
    }

    fn initial_header_count(&self) -> u8 {
        1 + u8::from(self.mixed)
    }

    fn header_count(&self) -> u8 {
        1 + u8::from(self.mixed || self.restricted != 0)
    }

    #[inline(always)]
    fn header_after(&self, at: Position, dim: u8) -> Header {
        if self.restricted == 0 {
            return at.header;
        }
        let low = at.wrong & at.wrong.wrapping_neg();
        let taken = 1u64 << (dim & 63);
        if taken != low {
            return USED;
        }
        // Each level permits one non-sequential link.
        let rest = self.level(at.wrong, low) & !low;
        if rest == 0 { Header::default() } else { at.header }
    }
}
