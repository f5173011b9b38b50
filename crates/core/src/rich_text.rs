//! Sentences whose parts refer to nodes, links, channels and messages of a network.
//!
//! A [`RichText`] prints as plain text. An interface that draws the network beside it can also
//! highlight what each part refers to. The macro [`rich!`](crate::rich) concatenates parts:
//!
//! ```
//! use faultlab_core::rich;
//! use faultlab_core::rich_text::{Entity, RichText};
//! use faultlab_core::topology::NodeId;
//!
//! let node = RichText::reference(Entity::Node(NodeId(5)), "0101");
//! let text = rich!["The message waits at ", node, " since cycle ", 12u8, "."];
//! assert_eq!(text.to_string(), "The message waits at 0101 since cycle 12.");
//! assert_eq!(text.spans()[1].entity, Some(Entity::Node(NodeId(5))));
//! ```

use std::borrow::Cow;
use std::fmt;

use crate::topology::fat_tree::ChannelLocation;
use crate::topology::{Link, NodeId};

/// Part of a network that a text can refer to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Entity {
    /// A node, or a processor of a fat-tree.
    Node(NodeId),
    /// A link: one direction on a hypercube; both on a mesh, named by the node whose successor is
    /// the other end.
    Link(Link),
    /// A channel of a fat-tree.
    Channel(ChannelLocation),
    /// A message, by its number.
    Message(u64),
}

/// Part of a text that refers to at most one entity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Span {
    /// Text of the span.
    pub text: Cow<'static, str>,
    /// Entity that the text names.
    pub entity: Option<Entity>,
}

/// Text made of spans. Adjacent spans without an entity are merged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RichText {
    spans: Vec<Span>,
}

impl RichText {
    /// Creates a text with one span that refers to `entity`.
    pub fn reference(entity: Entity, name: impl Into<Cow<'static, str>>) -> Self {
        Self { spans: vec![Span { text: name.into(), entity: Some(entity) }] }
    }

    /// Returns the spans in reading order; none is empty.
    pub fn spans(&self) -> &[Span] {
        &self.spans
    }

    /// Returns whether there is no text.
    pub fn is_empty(&self) -> bool {
        self.spans.is_empty()
    }

    /// Appends a text.
    pub fn push(&mut self, part: impl Into<Self>) {
        for span in part.into().spans {
            match self.spans.last_mut() {
                Some(last) if last.entity.is_none() && span.entity.is_none() => last.text.to_mut().push_str(&span.text),
                _ => self.spans.push(span),
            }
        }
    }

    /// Concatenates `parts` with `separator` between them.
    pub fn join(parts: impl IntoIterator<Item = Self>, separator: &'static str) -> Self {
        let mut text = Self::default();
        for (number, part) in parts.into_iter().enumerate() {
            if number > 0 {
                text.push(separator);
            }
            text.push(part);
        }
        text
    }

    /// Capitalizes the first letter.
    #[must_use]
    pub fn capitalized(mut self) -> Self {
        if let Some(first) = self.spans.first_mut() {
            let text = first.text.to_mut();
            if let Some(letter) = text.get_mut(..1) {
                letter.make_ascii_uppercase();
            }
        }
        self
    }
}

impl fmt::Display for RichText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.spans.iter().try_for_each(|span| f.write_str(&span.text))
    }
}

/// Compares the text and ignores the entities.
impl PartialEq<str> for RichText {
    fn eq(&self, other: &str) -> bool {
        let mut rest = Some(other);
        for span in &self.spans {
            rest = rest.and_then(|rest| rest.strip_prefix(&*span.text));
        }
        rest == Some("")
    }
}

/// Compares the text and ignores the entities.
impl PartialEq<&str> for RichText {
    fn eq(&self, other: &&str) -> bool {
        self == *other
    }
}

impl From<Cow<'static, str>> for RichText {
    fn from(text: Cow<'static, str>) -> Self {
        let spans = if text.is_empty() { Vec::new() } else { vec![Span { text, entity: None }] };
        Self { spans }
    }
}

impl From<&'static str> for RichText {
    fn from(text: &'static str) -> Self {
        Cow::Borrowed(text).into()
    }
}

impl From<String> for RichText {
    fn from(text: String) -> Self {
        Cow::<str>::Owned(text).into()
    }
}

macro_rules! from_numbers {
    ($($number:ty),*) => {$(
        impl From<$number> for RichText {
            fn from(number: $number) -> Self {
                number.to_string().into()
            }
        }
    )*};
}

from_numbers!(u8, u16, u32, u64, usize);

/// Concatenates texts, strings and whole numbers to a [`RichText`](crate::rich_text::RichText).
#[macro_export]
macro_rules! rich {
    ($($part:expr),* $(,)?) => {{
        let mut text = $crate::rich_text::RichText::default();
        $(text.push($part);)*
        text
    }};
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn adjacent_plain_spans_are_merged_and_references_kept() {
        let message = || RichText::reference(Entity::Message(7), "message 7");
        let text = rich!["after ", 3u8, " cycles ", message(), "", message(), String::from(".")];
        let spans: Vec<_> = text.spans().iter().map(|span| (&*span.text, span.entity.is_some())).collect();
        assert_eq!(spans, [("after 3 cycles ", false), ("message 7", true), ("message 7", true), (".", false)]);
        assert_eq!(text.capitalized().to_string(), "After 3 cycles message 7message 7.");
        assert!(rich!["", RichText::default()].is_empty());
        assert_eq!(RichText::join([message(), message()], " and ").to_string(), "message 7 and message 7");
    }
}
