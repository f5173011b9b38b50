//! Messages that are routed as one batch: a permutation or a list.

use super::{LinearMap, ListedMessage, Permutation};
use crate::ParseError;
use crate::topology::{Network, NodeId};

/// Messages that are routed together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BatchTraffic {
    /// A permutation: one message for every active node.
    Rule(Permutation),
    /// Listed messages, in order.
    List(Vec<ListedMessage>),
}

impl BatchTraffic {
    /// Syntax that [`BatchTraffic::parse`] accepts.
    pub const ACCEPTED: &'static str = "random, transpose, bit-reversal, complement, worst (for bit-fixing), \
                                        linear:ROWS+VECTOR: bit i of the destination is the parity of the source's bits \
                                        in row i, inverted if VECTOR has bit i; one hexadecimal row for each bit from \
                                        bit 0 on, such as linear:4.2.1+7; or a list of at most 4096 messages FROM-TO, \
                                        or FROM-VIA-TO through a given node, such as 0-7,5-3-1";

    /// Maximum number of messages of a list.
    pub const MAX_LISTED: usize = 4096;

    /// Parses the traffic of a batch, for example `random` or `0-7,5-3-1`, with nodes in the
    /// notation of `network`.
    ///
    /// # Errors
    ///
    /// Returns an error if the text is neither a permutation nor a list of messages. The error
    /// names the invalid message or node.
    pub fn parse(network: Network, text: &str) -> Result<Self, ParseError> {
        if let Some(permutation) = Permutation::parse(text) {
            return Ok(Self::Rule(permutation));
        }
        if let Some(map) = LinearMap::parse(text) {
            return map.map(|map| Self::Rule(Permutation::Linear(map)));
        }
        if !text.contains('-') {
            return Err("neither a permutation nor a list of messages".into());
        }
        if text.split(',').nth(Self::MAX_LISTED).is_some() {
            return Err(format!("more than {} messages", Self::MAX_LISTED).into());
        }
        text.split(',').map(|message| parse_message(network, message)).collect::<Result<_, _>>().map(Self::List)
    }

    /// Returns the text of the traffic, with nodes in the notation of `network`.
    pub fn to_text(&self, network: Network) -> String {
        match self {
            Self::Rule(permutation) => permutation.to_string(),
            Self::List(messages) => {
                let message = |message: &ListedMessage| {
                    let nodes = [Some(message.from), message.via, Some(message.to)];
                    let texts: Vec<_> = nodes.into_iter().flatten().map(|node| network.format_node(node)).collect();
                    texts.join("-")
                };
                messages.iter().map(message).collect::<Vec<_>>().join(",")
            }
        }
    }

    /// Returns the nodes of the listed messages.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        let messages = match self {
            Self::Rule(_) => &[],
            Self::List(messages) => messages.as_slice(),
        };
        messages.iter().flat_map(|message| [Some(message.from), message.via, Some(message.to)]).flatten()
    }

    /// Maps every node with `to`, or returns `None` if a node has no image.
    pub fn map_nodes(&self, to: impl Fn(NodeId) -> Option<NodeId>) -> Option<Self> {
        let Self::List(messages) = self else { return Some(self.clone()) };
        let moved = |message: &ListedMessage| {
            let via = match message.via {
                None => None,
                Some(via) => Some(to(via)?),
            };
            Some(ListedMessage { from: to(message.from)?, via, to: to(message.to)? })
        };
        messages.iter().map(moved).collect::<Option<_>>().map(Self::List)
    }

    /// Returns whether the traffic is random.
    pub fn is_random(&self) -> bool {
        *self == Self::Rule(Permutation::Random)
    }
}

fn parse_message(network: Network, text: &str) -> Result<ListedMessage, ParseError> {
    let node = |text: &str| network.parse_node(text).ok_or_else(|| format!("{text} is not a node of {network}"));
    let nodes = text.split('-').map(node).collect::<Result<Vec<_>, _>>()?;
    match *nodes {
        [from, to] => Ok(ListedMessage { from, via: None, to }),
        [from, via, to] => Ok(ListedMessage { from, via: Some(via), to }),
        _ => Err(format!("{text} is not a message FROM-TO or FROM-VIA-TO").into()),
    }
}
