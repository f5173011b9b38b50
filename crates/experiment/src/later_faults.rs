//! Nodes and links that break while messages move, each at its own time.

use crate::limits::network_name;
use crate::{Experiment, Problem, Setting};
use faultlab_core::ParseError;
use faultlab_core::fault::{FaultSpec, SampledFaults};
use faultlab_core::topology::{Link, Network, NodeId};

/// Node or link of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum FaultyElement {
    /// A node.
    Node(NodeId),
    /// A link: in a hypercube one way, in a mesh both.
    Link(Link),
}

/// Node or link that breaks while messages move.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub struct LaterFault {
    /// Time at which the element breaks, in the kind's unit: for worms a whole number of cycles,
    /// for circuits mean transmission times.
    pub time: f64,
    /// Element that breaks.
    pub element: FaultyElement,
}

/// Maximum number of later faults of an experiment: each time can change the routes of all
/// messages.
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

    /// Returns the element with its node replaced; `None` if `node` returns none, or there is no
    /// such link in `network`.
    fn mapped(self, network: Network, node: impl Fn(NodeId) -> Option<NodeId>) -> Option<Self> {
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
    /// Adds the element to the faults of a mesh.
    pub(crate) fn add_to(self, faults: &mut SampledFaults) {
        match self.element {
            FaultyElement::Node(node) => insert(&mut faults.nodes, node),
            FaultyElement::Link(link) => insert(&mut faults.links, link),
        }
    }

    /// Adds the element to the faults set by hand.
    pub(crate) fn add_to_spec(self, spec: &mut FaultSpec) {
        match self.element {
            FaultyElement::Node(node) => spec.set_node(node, true),
            FaultyElement::Link(link) => spec.set_link(link, true),
        }
    }
}

fn insert<T: Ord>(sorted: &mut Vec<T>, item: T) {
    if let Err(place) = sorted.binary_search(&item) {
        sorted.insert(place, item);
    }
}

/// Sorts later faults by time, those of one time by element.
pub(crate) fn sort(faults: &mut [LaterFault]) {
    faults.sort_by(|one, other| one.time.total_cmp(&other.time).then(one.element.cmp(&other.element)));
}

/// Parses a list such as `500:3.3-3.4,800:5.5`, with times that `parse_time` accepts. The result is
/// sorted.
pub(crate) fn parse(
    network: Network,
    text: &str,
    parse_time: fn(&str) -> Result<f64, ParseError>,
) -> Result<Vec<LaterFault>, ParseError> {
    let one = |text: &str| {
        let (time, element) = text.split_once(':').ok_or_else(|| format!("{text} is not TIME:ELEMENT"))?;
        let time = parse_time(time)?;
        let found = FaultyElement::parse(network, element);
        let element = found.ok_or_else(|| format!("{element} is not a node or link of {network}"))?;
        Ok::<_, ParseError>(LaterFault { time, element })
    };
    if text.split(',').nth(MAX_LATER_FAULTS).is_some() {
        return Err(format!("more than {MAX_LATER_FAULTS} nodes and links").into());
    }
    let mut faults = text.split(',').map(one).collect::<Result<Vec<_>, _>>()?;
    sort(&mut faults);
    let mut elements: Vec<_> = faults.iter().map(|fault| fault.element).collect();
    elements.sort();
    match elements.windows(2).find(|pair| pair[0] == pair[1]) {
        Some(pair) => Err(format!("{} breaks twice", pair[0].to_text(network)).into()),
        None => Ok(faults),
    }
}

/// Formats later faults; `None` if there are none.
pub(crate) fn format(network: Network, faults: &[LaterFault]) -> Option<String> {
    let text = |fault: &LaterFault| format!("{}:{}", fault.time, fault.element.to_text(network));
    (!faults.is_empty()).then(|| faults.iter().map(text).collect::<Vec<_>>().join(","))
}

/// Returns the faults of `before` that `network` has too, at the nodes that correspond.
pub(crate) fn resized(before: &Experiment, network: Network) -> Vec<LaterFault> {
    let moved = |fault: &LaterFault| {
        let element = fault.element.mapped(network, |node| before.map_node(node, network))?;
        Some(LaterFault { element, ..*fault })
    };
    before.setting.later().iter().filter_map(moved).collect()
}

/// Checks that every network of the sweep has the elements that break later, and that they are not
/// mended.
pub(crate) fn check(experiment: &Experiment) -> Result<(), Problem> {
    for fault in experiment.setting.later() {
        let (node, link) = match fault.element {
            FaultyElement::Node(node) => (Some(node), None),
            FaultyElement::Link(link) => (None, Some(link)),
        };
        for network in experiment.networks() {
            if let Some(what) = experiment.missing(node.as_slice(), link.as_slice(), network) {
                let key = if network == experiment.network { "later" } else { "vary" };
                return Err(Problem::new(key, format!("{what} does not exist in {}", network_name(network))));
            }
        }
        let is_mended = node.is_some_and(|node| experiment.faults.live_nodes.contains(&node))
            || link.is_some_and(|link| experiment.faults.live_links.contains(&link));
        if is_mended {
            return Err(Problem::new("later", format!("{} is also mended", fault.element.to_text(experiment.network))));
        }
    }
    Ok(())
}

impl Setting {
    /// Returns the nodes and links that break while messages move, ascending by time.
    pub fn later(&self) -> &[LaterFault] {
        match self {
            Self::Worm(setting) => &setting.later,
            Self::Circuit(setting) => &setting.later,
            _ => &[],
        }
    }

    /// Returns the list of nodes and links that break while messages move; `None` for kinds without
    /// one.
    pub fn later_mut(&mut self) -> Option<&mut Vec<LaterFault>> {
        match self {
            Self::Worm(setting) => Some(&mut setting.later),
            Self::Circuit(setting) => Some(&mut setting.later),
            _ => None,
        }
    }

    /// Returns the time at which the faults of the experiment arrive; 0 if they exist from the
    /// start.
    fn onset(&self) -> f64 {
        match self {
            Self::Worm(setting) => f64::from(setting.onset),
            Self::Circuit(setting) => setting.onset,
            _ => 0.0,
        }
    }

    /// Returns whether the faults of the experiment arrive after `time`.
    pub(crate) fn arrives_after(&self, time: f64) -> bool {
        self.onset() > time
    }

    /// Returns the times above 0 at which faults arrive, ascending, each once.
    pub(crate) fn onsets(&self) -> Vec<f64> {
        let times = self.later().iter().map(|fault| fault.time).chain([self.onset()]);
        let mut times: Vec<f64> = times.filter(|&time| time > 0.0).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }
}
