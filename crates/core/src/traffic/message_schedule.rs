//! Messages with given start cycles, lengths and dependencies.

use std::fmt;

use super::MessageLengths;
use super::message_lengths::parse_length;
use crate::ParseError;
use crate::topology::{Network, NodeId};

/// One message of a [`MessageSchedule`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScheduledMessage {
    /// Cycle in which the message starts; with dependencies, the number of cycles after the last of
    /// them has arrived.
    pub cycle: u32,
    /// Source.
    pub from: NodeId,
    /// Destination, different from the source.
    pub to: NodeId,
    /// Length in flits, 1 to [`MessageLengths::LONGEST`].
    pub length: u16,
    /// Indices of the messages that must have arrived before this one starts.
    pub after: Vec<u32>,
}

/// List of messages, each with its cycle, length and dependencies. There is no other traffic.
///
/// # Example
/// ```
/// use faultlab_core::topology::Network;
/// use faultlab_core::traffic::MessageSchedule;
///
/// let network = Network::parse("mesh:2x2").ok_or("no network")?;
/// // The second message starts 5 cycles after the first has arrived.
/// let schedule = MessageSchedule::parse(network, "0.0-0.1:16,5:0.1-1.1:8@1")?;
/// assert_eq!((schedule.messages().len(), schedule.depth(), schedule.longest()), (2, 2, 16));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessageSchedule {
    messages: Vec<ScheduledMessage>,
    /// Indices of the messages that depend on each message.
    dependents: Vec<Vec<u32>>,
    depth: u32,
}

/// Reason why messages are not a schedule.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ScheduleError {
    /// There are no messages.
    Empty,
    /// There are more than [`MessageSchedule::MAX_MESSAGES`] messages, or more than
    /// [`MessageSchedule::MAX_DEPENDENCIES`] dependencies.
    TooMany,
    /// The message with this index goes from a node to itself.
    SameEnds(usize),
    /// The message with this index has no flits, or too many.
    Length(usize),
    /// The message with this index starts after [`MessageSchedule::LAST_CYCLE`].
    Cycle(usize),
    /// The message with this index depends on a message that does not exist, or on itself.
    Unknown(usize),
    /// The messages with these indices wait for each other: each for the next, the last for the
    /// first.
    Circular(Vec<u32>),
}

impl MessageSchedule {
    /// Maximum number of messages.
    pub const MAX_MESSAGES: usize = 16_384;

    /// Maximum number of dependencies of all messages together.
    pub const MAX_DEPENDENCIES: usize = 8 * Self::MAX_MESSAGES;

    /// Latest cycle in which a message may start, or largest delay after its dependencies.
    pub const LAST_CYCLE: u32 = 1_000_000;

    /// Syntax that [`MessageSchedule::parse`] accepts.
    pub const ACCEPTED: &'static str = "messages CYCLE:FROM-TO:LENGTH@A+B separated by commas, at most 16384, such as \
         0.0-0.1:16,5:0.1-1.1:8@1: a message of 16 flits starts in cycle 0, and 5 cycles after message 1 has arrived one of \
         8 flits; CYCLE: is left out if it is 0, and @A+B, the messages that must arrive before, if there are none";

    /// Creates a schedule of messages.
    ///
    /// # Errors
    /// Returns an error if a message is invalid or dependencies are circular.
    pub fn new(messages: Vec<ScheduledMessage>) -> Result<Self, ScheduleError> {
        let dependencies: usize = messages.iter().map(|message| message.after.len()).sum();
        if messages.is_empty() {
            return Err(ScheduleError::Empty);
        }
        if messages.len() > Self::MAX_MESSAGES || dependencies > Self::MAX_DEPENDENCIES {
            return Err(ScheduleError::TooMany);
        }
        for (index, message) in messages.iter().enumerate() {
            let is_known = |&other: &u32| (other as usize) < messages.len() && other as usize != index;
            let error = match message {
                _ if message.from == message.to => ScheduleError::SameEnds,
                _ if !(1..=MessageLengths::LONGEST).contains(&message.length) => ScheduleError::Length,
                _ if message.cycle > Self::LAST_CYCLE => ScheduleError::Cycle,
                _ if !message.after.iter().all(is_known) => ScheduleError::Unknown,
                _ => continue,
            };
            return Err(error(index));
        }
        let mut dependents = vec![Vec::new(); messages.len()];
        for (index, message) in (0..).zip(&messages) {
            message.after.iter().for_each(|&other| dependents[other as usize].push(index));
        }
        let depth = depth(&messages, &dependents)?;
        Ok(Self { messages, dependents, depth })
    }

    /// Parses messages such as `0.0-0.1:16,5:0.1-1.1:8@1`, with nodes in the notation of `network`.
    /// Dependencies are the positions of messages in the list, from 1 on.
    ///
    /// # Errors
    /// Returns an error that names the message, if one is invalid or dependencies are circular.
    pub fn parse(network: Network, text: &str) -> Result<Self, ParseError> {
        if text.split(',').nth(Self::MAX_MESSAGES).is_some() {
            return Err(format!("more than {} messages", Self::MAX_MESSAGES).into());
        }
        let messages = text.split(',').map(|message| parse_message(network, message)).collect::<Result<_, _>>()?;
        Self::new(messages).map_err(|error| error.to_string().into())
    }

    /// Returns the canonical text, with nodes in the notation of `network`.
    pub fn to_text(&self, network: Network) -> String {
        let mut text = String::new();
        for message in &self.messages {
            let (from, to) = (network.format_node(message.from), network.format_node(message.to));
            let comma = if text.is_empty() { "" } else { "," };
            let cycle = if message.cycle == 0 { String::new() } else { format!("{}:", message.cycle) };
            text += &format!("{comma}{cycle}{from}-{to}:{}", message.length);
            for (place, other) in message.after.iter().enumerate() {
                text += if place == 0 { "@" } else { "+" };
                text += &(other + 1).to_string();
            }
        }
        text
    }

    /// Returns the messages.
    pub fn messages(&self) -> &[ScheduledMessage] {
        &self.messages
    }

    /// Returns the indices of the messages that depend on the message with index `index`.
    pub fn dependents(&self, index: usize) -> &[u32] {
        self.dependents.get(index).map_or(&[], Vec::as_slice)
    }

    /// Returns the number of messages of the longest chain in which each depends on the one before.
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Returns the shortest length of a message, in flits.
    pub fn shortest(&self) -> u16 {
        self.messages.iter().map(|message| message.length).min().unwrap_or(1)
    }

    /// Returns the longest length of a message, in flits.
    pub fn longest(&self) -> u16 {
        self.messages.iter().map(|message| message.length).max().unwrap_or(1)
    }

    /// Returns the nodes of the messages.
    pub fn nodes(&self) -> impl Iterator<Item = NodeId> + '_ {
        self.messages.iter().flat_map(|message| [message.from, message.to])
    }

    /// Maps every node with `to`, or returns `None` if a node has no image or two ends have the
    /// same.
    pub fn map_nodes(&self, to: impl Fn(NodeId) -> Option<NodeId>) -> Option<Self> {
        let moved = |message: &ScheduledMessage| {
            Some(ScheduledMessage { from: to(message.from)?, to: to(message.to)?, ..message.clone() })
        };
        Self::new(self.messages.iter().map(moved).collect::<Option<_>>()?).ok()
    }
}

/// Returns the number of messages of the longest chain of dependencies.
fn depth(messages: &[ScheduledMessage], dependents: &[Vec<u32>]) -> Result<u32, ScheduleError> {
    let mut missing: Vec<_> = messages.iter().map(|message| message.after.len()).collect();
    let mut depths = vec![1; messages.len()];
    let mut startable: Vec<_> = (0..messages.len()).filter(|&index| missing[index] == 0).collect();
    let mut place = 0;
    while let Some(&index) = startable.get(place) {
        place += 1;
        for &next in &dependents[index] {
            let next = next as usize;
            depths[next] = depths[next].max(depths[index] + 1);
            missing[next] -= 1;
            if missing[next] == 0 {
                startable.push(next);
            }
        }
    }
    if place == messages.len() {
        return Ok(depths.into_iter().max().unwrap_or(0));
    }
    Err(ScheduleError::Circular(circle(messages, &missing)))
}

/// Returns messages that wait for each other, each for the next. `missing` is not 0 for messages
/// that can never start.
fn circle(messages: &[ScheduledMessage], missing: &[usize]) -> Vec<u32> {
    let never = |&index: &u32| missing[index as usize] > 0;
    let mut path: Vec<u32> = (0..messages.len() as u32).find(never).into_iter().collect();
    let mut places = vec![None; messages.len()];
    while let Some(&last) = path.last() {
        if let Some(first) = places[last as usize].replace(path.len() - 1) {
            path.pop();
            return path.split_off(first);
        }
        // A message that never starts depends on another one.
        path.extend(messages[last as usize].after.iter().copied().find(never));
    }
    path
}

impl fmt::Display for ScheduleError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (most, last) = (MessageSchedule::MAX_MESSAGES, MessageSchedule::LAST_CYCLE);
        match self {
            Self::Empty => f.write_str("no messages"),
            Self::TooMany => {
                write!(f, "more than {most} messages, or {} dependencies", MessageSchedule::MAX_DEPENDENCIES)
            }
            Self::SameEnds(index) => write!(f, "message {} goes from a node to itself", index + 1),
            Self::Length(index) => {
                write!(f, "the length of message {} is not 1 to {} flits", index + 1, MessageLengths::LONGEST)
            }
            Self::Cycle(index) => write!(f, "the cycle of message {} is not 0 to {last}", index + 1),
            Self::Unknown(index) => {
                write!(f, "message {} depends on itself, or on a message that is not in the list", index + 1)
            }
            Self::Circular(circle) => {
                let numbers: Vec<_> = circle.iter().chain(circle.first()).map(|it| (it + 1).to_string()).collect();
                write!(f, "messages wait for each other: {}", numbers.join(" for "))
            }
        }
    }
}

impl std::error::Error for ScheduleError {}

fn parse_message(network: Network, text: &str) -> Result<ScheduledMessage, ParseError> {
    let (message, after) = text.split_once('@').map_or((text, None), |(message, after)| (message, Some(after)));
    let form = || format!("{text} is not a message CYCLE:FROM-TO:LENGTH@A+B");
    let (ends, length) = message.rsplit_once(':').ok_or_else(form)?;
    let (cycle, ends) = ends.split_once(':').map_or((None, ends), |(cycle, ends)| (Some(cycle), ends));
    let (from, to) = ends.split_once('-').ok_or_else(form)?;
    let node = |name: &str| network.parse_node(name).ok_or_else(|| format!("{name} is not a node of {network}"));
    let number = |text: &str, what: &str, low: u32, high: u32| {
        let number = text.parse().ok().filter(|number| (low..=high).contains(number));
        number.ok_or_else(|| format!("{what} {text} is not a whole number from {low} to {high}"))
    };
    let cycle = cycle.map(|cycle| number(cycle, "the cycle", 0, MessageSchedule::LAST_CYCLE)).transpose()?;
    let index = |text: &str| -> Result<u32, String> {
        Ok(number(text, "the message", 1, MessageSchedule::MAX_MESSAGES as u32)? - 1)
    };
    Ok(ScheduledMessage {
        cycle: cycle.unwrap_or(0),
        from: node(from)?,
        to: node(to)?,
        length: parse_length(length)?,
        after: after.into_iter().flat_map(|after| after.split('+')).map(index).collect::<Result<_, String>>()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn network(text: &str) -> Network {
        Network::parse(text).expect("a network")
    }

    #[test]
    fn texts_are_canonical() {
        for (net, text, canonical) in [
            ("mesh:4x4", "0.0-0.1:16,5:0.1-1.1:8@1,3.3-0.0:256@1+2", None),
            ("mesh:4x4", "0:0.0-0.1:16", Some("0.0-0.1:16")),
            ("cube:4", "0b11-12:4", Some("3-12:4")),
        ] {
            let schedule = MessageSchedule::parse(network(net), text).expect(text);
            let canonical = canonical.unwrap_or(text);
            assert_eq!(schedule.to_text(network(net)), canonical);
            assert_eq!(MessageSchedule::parse(network(net), canonical), Ok(schedule));
        }
    }

    #[test]
    fn malformed_texts_are_rejected() {
        for (text, says) in [
            ("", "is not a message CYCLE:FROM-TO:LENGTH"),
            ("0.0-0.1", "0.0-0.1 is not a message CYCLE:FROM-TO:LENGTH"),
            ("0.0-0.4:1", "0.4 is not a node of mesh:4x4"),
            ("0.0-0.0:1", "message 1 goes from a node to itself"),
            ("0.0-0.1:0", "0 is not a length from 1 to 256"),
            ("0.0-0.1:257", "257 is not a length"),
            ("x:0.0-0.1:1", "the cycle x is not a whole number from 0 to 1000000"),
            ("1000001:0.0-0.1:1", "the cycle 1000001 is not"),
            ("0.0-0.1:1@0", "the message 0 is not a whole number from 1"),
            ("0.0-0.1:1@1", "message 1 depends on itself"),
            ("0.0-0.1:1@2", "a message that is not in the list"),
            ("0.0-0.1:1@2,0.1-0.2:1@3,0.2-0.3:1@2", "wait for each other: 2 for 3 for 2"),
        ] {
            let error = MessageSchedule::parse(network("mesh:4x4"), text).expect_err(text).to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
        let many = vec!["0.0-0.1:1"; MessageSchedule::MAX_MESSAGES + 1].join(",");
        assert!(MessageSchedule::parse(network("mesh:4x4"), &many).is_err());
    }

    #[test]
    fn depth_counts_the_longest_chain() {
        let schedule =
            MessageSchedule::parse(network("cube:3"), "0-1:1@3,1-2:1,2-3:1@2,3-4:1@1+2,5-6:1").expect("messages");
        assert_eq!(schedule.depth(), 4);
        assert_eq!(schedule.dependents(1), [2, 3]);
    }
}
