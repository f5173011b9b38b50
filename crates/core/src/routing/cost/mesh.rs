//! Costs of worms on meshes and tori (Boppana & Chalasani).

use super::FaultKnowledge::{Network, Nothing, OwnLinks, Rings};
use super::network::bits;
use super::{CostPart, CostRules, CostSource};

const SECTION_VII: CostSource =
    CostSource::Counted("Boppana & Chalasani, section III.A; section VII says a few bits of the header");
const LINK_STATUS: CostSource =
    CostSource::Stated("Boppana & Chalasani, section VII: the status of the appropriate link");
const FIGURE_3: CostSource = CostSource::Counted("Boppana & Chalasani, Fig. 3");
const FIGURE_10: CostSource = CostSource::Counted("Boppana & Chalasani, Fig. 10");
const TURN_MODEL: CostSource = CostSource::Counted("Glass & Ni, the turn model");
const REVERSAL: CostSource = CostSource::Counted("Dally & Aoki, dimension reversal");
const PLANAR: CostSource = CostSource::Counted("Chien & Kim, planar-adaptive routing");
const ODD_EVEN_MODEL: CostSource = CostSource::Counted("Chiu, the odd-even turn model");
const RANDOMIZED: CostSource = CostSource::Counted("dimension order with a choice at the source");
const DUATO: CostSource = CostSource::Counted("Boppana & Chalasani, section IV.A");

/// The address of the destination.
pub(in crate::routing) const DESTINATION: CostPart = CostPart::on(
    "destination",
    "ceil(log2 k) in each dimension",
    |at| at.address_bits(),
    CostSource::Counted("an absolute address"),
);

/// The coordinates of the node and of the destination.
pub(super) const COORDINATES: CostPart = CostPart::on(
    "coordinates of the node and the destination",
    "n",
    |at| at.dimensions(),
    CostSource::Counted("one coordinate in each dimension"),
);

/// The status of the links of a node.
pub(in crate::routing) const OWN_LINKS: CostPart = CostPart::on(
    "status of the own links",
    "a bit for each link of the node",
    |at| at.ports(),
    CostSource::Counted("fault knowledge of one-step local information"),
);

/// The position of a node on each ring through it: one of eight (Table I), and an end mark.
pub(in crate::routing) const RING_POSITIONS: CostPart = CostPart::on(
    "position on each ring",
    "ceil(log2 8) + 1 for each of up to 2n rings: eight positions, and the end of a chain",
    |at| u128::from(at.rings) * (bits(8) + 1),
    CostSource::Counted("Boppana & Chalasani, Table I and section II.C"),
);

/// The coordinates of the ends of each ring, which one constraint of section IV.A needs.
const RING_ENDS: CostPart = CostPart::on(
    "ends of each ring",
    "two addresses for each ring through the node",
    |at| u128::from(at.rings) * 2 * at.address_bits(),
    CostSource::Counted("Boppana & Chalasani, section IV.A, constraint b"),
);

/// The type of a message: a dimension and a sign.
const TYPE: CostPart = CostPart::on("type of the message", "ceil(log2 2n)", |at| bits(2 * at.dimensions()), FIGURE_3);
pub(in crate::routing) const STATUS: CostPart = CostPart::fixed("status: normal or misrouted", "1", 1, SECTION_VII);
const AFFECTED: CostPart = CostPart::fixed("status: normal or affected", "1", 1, SECTION_VII);
pub(in crate::routing) const DIRECTION: CostPart =
    CostPart::fixed("direction on the ring: none, clockwise, counter-clockwise", "ceil(log2 3)", 2, SECTION_VII);

/// The direction of a message in dimensions in which both ways around a torus are equally long.
const TIES: CostPart = CostPart::on(
    "direction where both ways around are equally long",
    "a bit for each dimension of a torus",
    |at| if at.is_torus() { at.dimensions() } else { 0 },
    CostSource::Counted("e-cube on tori"),
);

/// The wraparound link of the dimension of the next hop.
const WRAP: CostPart = CostPart::on(
    "wraparound link ahead",
    "1 on a torus",
    |at| at.is_torus().into(),
    CostSource::Counted("two classes on tori"),
);
const WRAPS: CostPart = CostPart::on(
    "wraparound links ahead",
    "n on a torus",
    |at| if at.is_torus() { at.dimensions() } else { 0 },
    CostSource::Counted("Linder & Harden, classes on tori"),
);

/// The status of the link of the next hop.
const ONE_LINK: CostPart = CostPart::fixed("status of the link of the hop", "1", 1, LINK_STATUS);
const TYPE_TEST: CostPart = CostPart::fixed("type of the message", "1", 1, FIGURE_3);
const DIRECTION_TEST: CostPart = CostPart::fixed("direction, if it is set", "1", 1, FIGURE_3);
const POSITION_TEST: CostPart = CostPart::fixed("position of the node on the ring", "1", 1, FIGURE_3);
const STRAIGHT_BACK: CostPart = CostPart::fixed("input port: not straight back", "1", 1, FIGURE_3);

/// The status of the links of all minimal hops, one in each dimension.
const MINIMAL_LINKS: CostPart =
    CostPart::on("status of the links of minimal hops", "n", |at| at.dimensions(), FIGURE_10);
const ALL_LINKS: CostPart =
    CostPart::on("status of all links of the node", "a comparison for each link", |at| at.ports(), TURN_MODEL);
const INPUT_PORT: CostPart = CostPart::fixed("input port", "1", 1, TURN_MODEL);

/// Comparisons of f-cube.
const FCUBE_TESTS: &[CostPart] =
    &[COORDINATES, TYPE_TEST, ONE_LINK, DIRECTION_TEST, POSITION_TEST, STRAIGHT_BACK, WRAP];

/// e-cube, on all networks: no fault knowledge, and nothing in the header but the destination.
pub(in crate::routing) const ECUBE: CostRules =
    CostRules::new(Nothing, &[], &[DESTINATION, TIES], &[COORDINATES, WRAP]);

/// f-cube2, f-cube4 and their counterexamples: status, direction and type of a message.
pub(in crate::routing) const FCUBE: CostRules =
    CostRules::new(Rings, &[OWN_LINKS, RING_POSITIONS], &[DESTINATION, TYPE, STATUS, DIRECTION, TIES], FCUBE_TESTS);

/// The address of the gate of a destination in a notch.
const GATE: CostPart =
    CostPart::on("gate of the destination", "ceil(log2 k) in each dimension", |at| at.address_bits(), NOTCHES);
/// The gates of all notch nodes, which sources have to know.
const GATES: CostPart = CostPart::on(
    "gates of nodes in notches",
    "an address for each node, at most",
    |at| at.nodes() * at.address_bits(),
    NOTCHES,
);
const NOTCHES: CostSource = CostSource::Counted("search trees of notches, this program");

/// f-cube2 and f-cube4 with notches.
pub(in crate::routing) const FCUBE_NOTCHES: CostRules = CostRules::new(
    Network,
    &[OWN_LINKS, RING_POSITIONS, GATES],
    &[DESTINATION, GATE, TYPE, STATUS, DIRECTION],
    FCUBE_TESTS,
);

/// LH4 with notches.
pub(in crate::routing) const LH_NOTCHES: CostRules = CostRules::new(
    Network,
    &[OWN_LINKS, RING_POSITIONS, GATES],
    &[DESTINATION, GATE, VIRTUAL_NETWORK, TYPE, AFFECTED, DIRECTION],
    LH_TESTS,
);

/// The virtual network of Linder & Harden: a direction in all dimensions but the first.
const VIRTUAL_NETWORK: CostPart = CostPart::on(
    "virtual network",
    "n - 1",
    |at| at.dimensions().saturating_sub(1),
    CostSource::Counted("Linder & Harden; Boppana & Chalasani, section V"),
);
const AFFECTED_TEST: CostPart = CostPart::fixed("status of the message", "1", 1, FIGURE_10);

/// Linder-Harden.
pub(in crate::routing) const LH: CostRules =
    CostRules::new(OwnLinks, &[OWN_LINKS], &[DESTINATION, VIRTUAL_NETWORK], &[COORDINATES, MINIMAL_LINKS, WRAPS]);

/// LH2 and LH4: Linder-Harden with status, type and direction of affected messages.
pub(in crate::routing) const LH_RINGS: CostRules = CostRules::new(
    Rings,
    &[OWN_LINKS, RING_POSITIONS],
    &[DESTINATION, VIRTUAL_NETWORK, TYPE, AFFECTED, DIRECTION],
    LH_TESTS,
);
const LH_TESTS: &[CostPart] =
    &[COORDINATES, MINIMAL_LINKS, AFFECTED_TEST, TYPE_TEST, DIRECTION_TEST, POSITION_TEST, STRAIGHT_BACK, WRAPS];

/// LH2 with the shorter way around a region.
pub(in crate::routing) const LH_SHORTER: CostRules = CostRules::new(
    Rings,
    &[OWN_LINKS, RING_POSITIONS, RING_ENDS],
    &[DESTINATION, VIRTUAL_NETWORK, TYPE, AFFECTED, DIRECTION],
    &[
        COORDINATES,
        MINIMAL_LINKS,
        AFFECTED_TEST,
        TYPE_TEST,
        DIRECTION_TEST,
        POSITION_TEST,
        STRAIGHT_BACK,
        CostPart::fixed("distances to the ends of the ring", "1", 1, DUATO),
    ],
);

/// Weakly adaptive routing without fault tolerance.
pub(in crate::routing) const WEAK: CostRules =
    CostRules::new(OwnLinks, &[OWN_LINKS], &[DESTINATION], &[COORDINATES, MINIMAL_LINKS]);

/// Weakly adaptive routing with f-cube as escape: f-cube, and whether it routes the rest.
pub(in crate::routing) const WEAK_FCUBE: CostRules = CostRules::new(
    Rings,
    &[OWN_LINKS, RING_POSITIONS],
    &[DESTINATION, TYPE, STATUS, DIRECTION, CostPart::fixed("f-cube for the rest of the journey", "1", 1, DUATO), TIES],
    &[
        COORDINATES,
        MINIMAL_LINKS,
        CostPart::fixed("f-cube for the rest of the journey", "1", 1, DUATO),
        TYPE_TEST,
        DIRECTION_TEST,
        POSITION_TEST,
        STRAIGHT_BACK,
        WRAP,
    ],
);

/// O1TURN: the order of the dimensions.
pub(in crate::routing) const O1TURN: CostRules = CostRules::new(
    Nothing,
    &[],
    &[DESTINATION, CostPart::fixed("order of the dimensions", "1", 1, RANDOMIZED)],
    &[COORDINATES, CostPart::fixed("order of the dimensions", "1", 1, RANDOMIZED)],
);

/// Valiant and ROMM: the intermediate node, until the message passes it.
pub(in crate::routing) const TWO_PHASE: CostRules = CostRules::new(
    Nothing,
    &[],
    &[
        DESTINATION,
        CostPart::on("intermediate node", "ceil(log2 k) in each dimension", |at| at.address_bits(), RANDOMIZED),
        CostPart::fixed("phase", "1", 1, RANDOMIZED),
    ],
    &[COORDINATES, CostPart::fixed("phase", "1", 1, RANDOMIZED)],
);

/// West-first and north-last: minimal hops, from coordinates alone.
pub(in crate::routing) const TURNS: CostRules =
    CostRules::new(OwnLinks, &[OWN_LINKS], &[DESTINATION], &[COORDINATES, MINIMAL_LINKS]);

/// Up*/down* tables: the order of the nodes, and for each destination the ports of a message that may
/// still go up and of one that may not.
pub(in crate::routing) const UP_DOWN: CostRules = CostRules::new(
    Network,
    &[CostPart::on(
        "ports towards each destination",
        "two bits for each destination and link: before and after a hop down",
        |at| 2 * at.nodes() * at.ports(),
        UP_DOWN_TABLES,
    )],
    &[DESTINATION],
    &[CostPart::fixed("table entry of the destination, with the input port", "1", 1, UP_DOWN_TABLES)],
);

const UP_DOWN_TABLES: CostSource = CostSource::Counted("tables of up*/down* routing");

/// Source of the costs of backtracking probes.
const BACKTRACKING: CostSource = CostSource::Counted("Gaughan & Yalamanchili, backtracking with misroutes");

/// State of a node for one circuit that is being set up through it.
const HISTORY: CostPart = CostPart::on(
    "links tried, for each circuit that is being set up",
    "a bit for each link of the node",
    |at| at.ports(),
    BACKTRACKING,
);

/// Direction of a probe: forward or back.
const FORWARD_OR_BACK: CostPart = CostPart::fixed("forward or back", "1", 1, BACKTRACKING);

/// Comparisons of a probe: coordinates, and for each link whether it is live, free and untried.
const PROBE_TESTS: &[CostPart] = &[
    COORDINATES,
    CostPart::on("links that are live, free and not tried", "2n", |at| 2 * at.dimensions(), BACKTRACKING),
    FORWARD_OR_BACK,
];

/// MB-0: no misroutes.
pub(in crate::routing) const MB_0: CostRules =
    CostRules::new(OwnLinks, &[OWN_LINKS, HISTORY], &[DESTINATION, FORWARD_OR_BACK], PROBE_TESTS);

/// MB-2: at most two misroutes.
pub(in crate::routing) const MB_2: CostRules = CostRules::new(
    OwnLinks,
    &[OWN_LINKS, HISTORY],
    &[DESTINATION, FORWARD_OR_BACK, CostPart::fixed(MISROUTES_LEFT, MISROUTE_BITS, 2, BACKTRACKING)],
    PROBE_TESTS,
);

/// MB-any: misroutes are not counted.
pub(in crate::routing) const MB_ANY: CostRules = MB_0;

const MISROUTES_LEFT: &str = "misroutes left";
const MISROUTE_BITS: &str = "ceil(log2 (m + 1))";

/// Returns the costs of backtracking with at most `misroutes` misroutes.
pub(in crate::routing) fn misrouting(misroutes: u16) -> CostRules {
    let left = CostPart::fixed(MISROUTES_LEFT, MISROUTE_BITS, bits(u128::from(misroutes) + 1), BACKTRACKING);
    let mut header = MB_0.header.into_owned();
    header.push(left);
    CostRules { header: header.into(), ..MB_0 }
}

/// Odd-even: parities of columns, and the input port.
pub(in crate::routing) const ODD_EVEN: CostRules = CostRules::new(
    OwnLinks,
    &[OWN_LINKS],
    &[DESTINATION],
    &[
        COORDINATES,
        MINIMAL_LINKS,
        CostPart::fixed("parity of the node's and of the destination's column", "2", 2, ODD_EVEN_MODEL),
        CostPart::fixed("destination in the next column", "1", 1, ODD_EVEN_MODEL),
        CostPart::fixed("input port", "1", 1, ODD_EVEN_MODEL),
    ],
);

/// Negative-first over minimal paths.
pub(in crate::routing) const NEGATIVE_FIRST: CostRules =
    CostRules::new(OwnLinks, &[OWN_LINKS], &[DESTINATION], &[COORDINATES, ALL_LINKS, INPUT_PORT]);

/// Negative-first with fault tolerance: hops off the border.
pub(in crate::routing) const NEGATIVE_FIRST_TOLERANT: CostRules = CostRules::new(
    OwnLinks,
    &[OWN_LINKS],
    &[
        DESTINATION,
        CostPart::fixed("hops left to pass a fault on the border, 0 to 3", "ceil(log2 4)", 2, TURN_MODEL),
        CostPart::on("direction along the border", "ceil(log2 2n)", |at| bits(2 * at.dimensions()), TURN_MODEL),
    ],
    &[
        COORDINATES,
        CostPart::on("next to the destination's coordinate", "n", |at| at.dimensions(), TURN_MODEL),
        CostPart::on("node on the border", "n", |at| at.dimensions(), TURN_MODEL),
        ALL_LINKS,
        INPUT_PORT,
        CostPart::fixed("hops left to pass the border", "1", 1, TURN_MODEL),
    ],
);

/// Planar-adaptive routing: the plane and direction, and the input port of misrouted messages.
pub(in crate::routing) const PLANAR_ADAPTIVE: CostRules = CostRules::new(
    OwnLinks,
    &[OWN_LINKS, CostPart::fixed("deactivated node", "1", 1, PLANAR)],
    &[
        DESTINATION,
        CostPart::on("plane and direction", "ceil(log2 2n)", |at| bits(2 * at.dimensions()), PLANAR),
        CostPart::fixed("status: normal or misrouted", "1", 1, PLANAR),
    ],
    &[
        COORDINATES,
        CostPart::fixed("status of the links of the plane", "4", 4, PLANAR),
        CostPart::fixed("plane of the message", "1", 1, PLANAR),
        CostPart::fixed("input port", "1", 1, PLANAR),
    ],
);

/// The static algorithm: the number of reversals, 0 to 3.
pub(in crate::routing) const DR_STATIC: CostRules = CostRules::new(
    OwnLinks,
    &[OWN_LINKS],
    &[DESTINATION, CostPart::fixed("dimension reversals, 0 to 3", "ceil(log2 4)", 2, REVERSAL)],
    &[COORDINATES, ALL_LINKS, LAST_DIMENSION, REVERSALS_TEST],
);
const LAST_DIMENSION: CostPart =
    CostPart::on("dimension of the last hop against each other dimension", "n", |at| at.dimensions(), REVERSAL);
const REVERSALS_TEST: CostPart = CostPart::fixed("dimension reversals", "1", 1, REVERSAL);

/// The dynamic algorithm: reversals up to 7, and those of the holders of the requested channels.
pub(in crate::routing) const DR_DYNAMIC: CostRules = CostRules::new(
    OwnLinks,
    &[
        OWN_LINKS,
        CostPart::on(
            "dimension reversals of the holder of each channel",
            "ceil(log2 8) for each link of the node",
            |at| 3 * at.ports(),
            REVERSAL,
        ),
    ],
    &[
        DESTINATION,
        CostPart::fixed("dimension reversals, 0 to 7", "ceil(log2 8)", 3, REVERSAL),
        CostPart::fixed("dimension order for the rest of the journey", "1", 1, REVERSAL),
    ],
    &[
        COORDINATES,
        ALL_LINKS,
        LAST_DIMENSION,
        REVERSALS_TEST,
        CostPart::on(
            "dimension reversals of the holders of the requested channels",
            "a comparison for each link",
            |at| at.ports(),
            REVERSAL,
        ),
    ],
);

/// Source of the costs of rules that users write.
pub(in crate::routing) const TEXT: CostSource = CostSource::Counted("the text of the rules");

/// A status bit of each neighbour, for rules with `disabled`, `ringed` or `single`.
pub(in crate::routing) const fn neighbors(name: &'static str) -> CostPart {
    CostPart::on(name, "a bit for each link of the node", |at| at.ports(), TEXT)
}
