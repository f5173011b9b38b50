//! Nodes and links that break while messages move, each in its own cycle.

use super::WormSetting;
use crate::text::key::whole_number;
use faultlab_core::ParseError;
use faultlab_core::fault::SampledFaults;
use faultlab_core::topology::{Link, Network, NodeId};

/// Node or link of a mesh.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultyElement {
    /// A node.
    Node(NodeId),
    /// A link, in both directions.
    Link(Link),
}

/// Node or link that breaks in a cycle, while messages move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LaterFault {
    /// Cycle in which the element breaks, from 1 to [`WormSetting::LONGEST_WARM_UP`].
    pub cycle: u32,
    /// Element that breaks.
    pub element: FaultyElement,
}

/// Maximum number of later faults of an experiment: each time can change the routes of all messages.
pub(crate) const MAX_LATER_FAULTS: usize = 64;

impl FaultyElement {
    /// Parses a node or link of `network`.
    fn parse(network: Network, text: &str) -> Option<Self> {
        if text.contains(['_', '-']) {
            network.parse_link(text).map(Self::Link)
        } else {
            network.parse_node(text).map(Self::Node)
        }
    }

    /// Formats the element as a part of an experiment text.
    pub fn to_text(self, network: Network) -> String {
        match self {
            Self::Node(node) => network.format_node(node),
            Self::Link(link) => network.format_link(link),
        }
    }

    /// Returns the element with its node replaced; `None` if `node` returns none, or there is no such
    /// link in `network`.
    pub(crate) fn mapped(self, network: Network, node: impl Fn(NodeId) -> Option<NodeId>) -> Option<Self> {
        match self {
            Self::Node(old) => node(old).map(Self::Node),
            Self::Link(old) => {
                let link = Link { from: node(old.from)?, ..old };
                network.has_link(link).then_some(Self::Link(link))
            }
        }
    }
}

impl LaterFault {
    /// Adds the element to `faults`.
    pub(crate) fn add_to(self, faults: &mut SampledFaults) {
        match self.element {
            FaultyElement::Node(node) => insert(&mut faults.nodes, node),
            FaultyElement::Link(link) => insert(&mut faults.links, link),
        }
    }
}

fn insert<T: Ord>(sorted: &mut Vec<T>, item: T) {
    if let Err(place) = sorted.binary_search(&item) {
        sorted.insert(place, item);
    }
}

/// Parses a list such as `500:3.3-3.4,800:5.5`; the result is ascending.
pub(super) fn parse(network: Network, text: &str) -> Result<Vec<LaterFault>, ParseError> {
    let one = |text: &str| {
        let (cycle, element) = text.split_once(':').ok_or_else(|| format!("{text} is not CYCLE:ELEMENT"))?;
        let cycle = whole_number(cycle, 1, WormSetting::LONGEST_WARM_UP.into())? as u32;
        let found = FaultyElement::parse(network, element);
        let element = found.ok_or_else(|| format!("{element} is not a node or link of {network}"))?;
        Ok::<_, ParseError>(LaterFault { cycle, element })
    };
    if text.split(',').nth(MAX_LATER_FAULTS).is_some() {
        return Err(format!("more than {MAX_LATER_FAULTS} nodes and links").into());
    }
    let mut faults = text.split(',').map(one).collect::<Result<Vec<_>, _>>()?;
    faults.sort();
    let mut elements: Vec<_> = faults.iter().map(|fault| fault.element).collect();
    elements.sort();
    match elements.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("{} breaks twice", pair[0].to_text(network)).into()),
        None => Ok(faults),
    }
}

/// Formats later faults; `None` if there are none.
pub(super) fn format(network: Network, faults: &[LaterFault]) -> Option<String> {
    let text = |fault: &LaterFault| format!("{}:{}", fault.cycle, fault.element.to_text(network));
    (!faults.is_empty()).then(|| faults.iter().map(text).collect::<Vec<_>>().join(","))
}
