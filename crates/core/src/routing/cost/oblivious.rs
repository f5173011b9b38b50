//! Costs of oblivious routing of permutations on hypercubes (the thesis on deadlock-free randomized
//! routing).

use super::FaultKnowledge::{Network, Nothing, OwnLinks};
use super::mesh::{COORDINATES, DESTINATION, OWN_LINKS};
use super::network::bits;
use super::{CostPart, CostRules, CostSource};

const SECTION_2_2: CostSource = CostSource::Counted("Valiant & Brebner, in the thesis, section 2.2");
const FIGURE_3_1: CostSource = CostSource::Counted("thesis, Fig. 3-1");
const KIM_SHIN_SCHEME: CostSource = CostSource::Counted("Kim & Shin, in the thesis, section 2.1");

/// The thesis gives no number for "inordinately large amounts of data".
const TABLES_OF_A: CostSource =
    CostSource::Counted("thesis, Fig. 3-2; section 2.3 calls the data at every processor inordinately large");
const TABLES_OF_B: CostSource =
    CostSource::Counted("thesis, Fig. 3-6; section 2.3 calls the data at every processor inordinately large");

/// The intermediate node of a message.
const INTERMEDIATE: CostPart = CostPart::on("intermediate node", "n", |at| at.dimensions(), SECTION_2_2);
const PHASE: CostPart = CostPart::fixed("phase: before or after the intermediate node", "1", 1, SECTION_2_2);
const PHASE_TEST: CostPart = CostPart::fixed("phase of the message", "1", 1, SECTION_2_2);

/// Bit-fixing.
pub(in crate::routing) const BIT_FIXING: CostRules = CostRules::new(Nothing, &[], &[DESTINATION], &[COORDINATES]);

/// Valiant & Brebner: a random intermediate node.
pub(in crate::routing) const VALIANT_BREBNER: CostRules =
    CostRules::new(Nothing, &[], &[DESTINATION, INTERMEDIATE, PHASE], &[COORDINATES, PHASE_TEST]);

/// General randomized routing: a source tests the paths of the nodes that it draws.
pub(in crate::routing) const GENERAL: CostRules = CostRules::new(
    Network,
    &[CostPart::on("status of all nodes", "2^n", |at| at.nodes(), FIGURE_3_1)],
    &[DESTINATION, INTERMEDIATE, PHASE],
    &[
        COORDINATES,
        PHASE_TEST,
        CostPart::on("nodes on two paths, at the source for each draw", "2 n", |at| 2 * at.dimensions(), FIGURE_3_1),
    ],
);

/// Algorithm A: the set of active nodes, and a set of intermediate nodes for each destination.
pub(in crate::routing) const ALGORITHM_A: CostRules = CostRules::new(
    Network,
    &[
        CostPart::on("active nodes", "2^n", |at| at.nodes(), TABLES_OF_A),
        CostPart::on(
            "sets of intermediate nodes",
            "2^n bits for each destination, 2^(2n) if all nodes are active",
            |at| at.nodes().saturating_mul(at.nodes()),
            TABLES_OF_A,
        ),
    ],
    &[DESTINATION, INTERMEDIATE, PHASE],
    &[COORDINATES, PHASE_TEST],
);

/// Algorithm B: sets of intermediate squares for each square of destinations, of four nodes each.
pub(in crate::routing) const ALGORITHM_B: CostRules = CostRules::new(
    Network,
    &[
        CostPart::on("active nodes", "2^n", |at| at.nodes(), TABLES_OF_B),
        CostPart::on(
            "sets of intermediate squares",
            "2^(n-2) bits for each square of destinations, 2^(2n-4) if all squares are active",
            |at| (at.nodes() / 4).saturating_mul(at.nodes() / 4),
            TABLES_OF_B,
        ),
    ],
    &[
        DESTINATION,
        CostPart::on("intermediate square", "n - 2", |at| at.dimensions().saturating_sub(2), TABLES_OF_B),
        CostPart::fixed("phase, one of five", "ceil(log2 5)", 3, TABLES_OF_B),
    ],
    &[COORDINATES, PHASE_TEST],
);

/// Kim & Shin: the fixed dimensions and bits of a healthy subcube.
pub(in crate::routing) const KIM_SHIN: CostRules = CostRules::new(
    OwnLinks,
    &[
        OWN_LINKS,
        CostPart::on(
            "healthy subcube",
            "2 (ceil(log2 n) + 1): two fixed dimensions and their bits",
            |at| 2 * (bits(at.dimensions()) + 1),
            KIM_SHIN_SCHEME,
        ),
    ],
    &[DESTINATION, CostPart::fixed("part: to, in or out of the subcube", "ceil(log2 3)", 2, KIM_SHIN_SCHEME)],
    &[
        COORDINATES,
        CostPart::fixed("part of the route", "1", 1, KIM_SHIN_SCHEME),
        CostPart::fixed("fixed dimensions of the subcube", "2", 2, KIM_SHIN_SCHEME),
        CostPart::fixed("status of the links of the fixed dimensions", "2", 2, KIM_SHIN_SCHEME),
    ],
);
