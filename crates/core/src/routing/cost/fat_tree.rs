//! Costs of delivery cycles on fat-trees (Greenberg & Leiserson).

use super::FaultKnowledge::Nothing;
use super::{CostPart, CostRules, CostSource};

const SECTION_2: CostSource = CostSource::Stated("Greenberg & Leiserson, section 2");
const BIT_SERIAL: CostSource = CostSource::Counted("Greenberg & Leiserson, section 2: bits set switches one by one");

/// The relative address: left or right at each switch on the way.
const ADDRESS: CostPart = CostPart::on("relative address", "2 lg n", |at| 2 * at.dimensions(), SECTION_2);

/// One bit at each switch.
const TURN: CostPart = CostPart::fixed("next bit of the address", "1", 1, BIT_SERIAL);

/// A delivery cycle: switches store nothing, and undelivered messages stay at their processors.
pub(in crate::routing) const CYCLES: CostRules = CostRules::new(Nothing, &[], &[ADDRESS], &[TURN]);

/// Valiant's detour: a relative address for each of two phases, each sent in its own cycles.
pub(in crate::routing) const DETOUR: CostRules = CostRules::new(
    Nothing,
    &[],
    &[
        ADDRESS,
        CostPart::on(
            "destination, for the second phase",
            "lg n",
            |at| at.dimensions(),
            CostSource::Counted("Greenberg & Leiserson, section 1"),
        ),
    ],
    &[TURN],
);
