//! Costs of delivery cycles on fat-trees (Greenberg & Leiserson).

use super::{CostNetwork, CostPart, CostRules, CostSource};
use crate::topology::fat_tree::Concentrator;

const SECTION_2: CostSource = CostSource::Stated("Greenberg & Leiserson, section 2");
const SECTION_6: CostSource = CostSource::Stated("Greenberg & Leiserson, section 6");
const BIT_SERIAL: CostSource = CostSource::Counted("Greenberg & Leiserson, section 2: bits set switches one by one");
const SWITCHES: CostSource = CostSource::Counted("Greenberg & Leiserson, section 2: switches of logarithmic depth");
const SMALL_SWITCHES: CostSource = CostSource::Counted("Greenberg & Leiserson, section 6: switches of constant depth");

/// The relative address: left or right at each switch on the way.
const ADDRESS: CostPart = CostPart::on("relative address", "2 lg n", |at| 2 * at.dimensions(), SECTION_2);

/// The random bits that choose the parents in the second network.
const CHOICES: CostPart = CostPart::on(
    "random bits, which choose the parents",
    "lg of the number of parents, for each level",
    |at| at.channels.map_or(0, |channels| channels.wire_bits().into()),
    SECTION_6,
);

/// The destination that a detour carries to the intermediate processor.
const DESTINATION: CostPart = CostPart::on(
    "destination, for the second phase",
    "lg n",
    |at| at.dimensions(),
    CostSource::Counted("Greenberg & Leiserson, section 1"),
);

/// One bit at each switch.
const TURN: CostPart = CostPart::fixed("next bit of the address", "1", 1, BIT_SERIAL);

/// The leading bit on its way through concentrators of prefix circuits and butterflies.
const BUTTERFLIES: CostPart = CostPart::on(
    "prefix circuits and butterflies",
    "sum of 3k - 1 over the switches of a longest path, for at most 2^k inputs of an output channel",
    |at| if at.has_concentrators() { delay(at, Concentrator::Butterfly) } else { 0 },
    SWITCHES,
);

/// The leading bit on its way through concentrators of sorting networks.
const SORTING_NETWORKS: CostPart = CostPart::on(
    "Batcher's sorting networks",
    "sum of k(k+1)/2 over the switches of a longest path, for at most 2^k inputs of an output channel",
    |at| delay(at, Concentrator::Sorting),
    SWITCHES,
);

/// The leading bit on its way through the switches of the second network.
const SMALL: CostPart = CostPart::on(
    "switches of constant size",
    "sum of ceil(lg of the inputs of an output wire) over the switches of a longest path",
    |at| if at.has_concentrators() { 0 } else { delay(at, Concentrator::Butterfly) },
    SMALL_SWITCHES,
);

/// Returns the delay of the switches on a longest path.
fn delay(at: &CostNetwork, concentrator: Concentrator) -> u128 {
    at.channels.map_or(0, |channels| channels.switch_delay(concentrator).into())
}

/// A delivery cycle: switches store nothing, and undelivered messages stay at their processors.
pub(in crate::routing) const CYCLES: CostRules = CostRules::for_delivery_cycles(
    &[ADDRESS, CHOICES],
    &[TURN],
    &[BUTTERFLIES, SMALL, ADDRESS, CHOICES],
    &[SORTING_NETWORKS, ADDRESS],
);

/// Valiant's detour: a relative address for each of two phases, each sent in its own cycles.
pub(in crate::routing) const DETOUR: CostRules = CostRules::for_delivery_cycles(
    &[ADDRESS, CHOICES, DESTINATION],
    &[TURN],
    &[BUTTERFLIES, SMALL, ADDRESS, CHOICES, DESTINATION],
    &[SORTING_NETWORKS, ADDRESS, DESTINATION],
);
