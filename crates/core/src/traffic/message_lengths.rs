//! Lengths of messages, in flits: all alike, or drawn for each message by weight.

use std::fmt;
use std::sync::Arc;

use super::pattern::uniform_half_open;
use crate::ParseError;
use crate::random::Generator;

/// Distribution of the lengths of messages, in flits.
///
/// # Example
/// ```
/// use faultlab_core::traffic::MessageLengths;
///
/// let lengths = MessageLengths::parse("200:1,10:9")?;
/// assert_eq!(lengths.to_string(), "10:9,200:1");
/// assert_eq!((lengths.shortest(), lengths.longest(), lengths.mean()), (10, 200, 29.0));
/// # Ok::<(), faultlab_core::ParseError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub enum MessageLengths {
    /// All messages have this length.
    Fixed(u16),
    /// Each message has one of these lengths, with a probability in proportion to the weight. The
    /// lengths are different and ascend.
    Mixed(Arc<[WeightedLength]>),
}

/// One of several lengths of messages.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WeightedLength {
    /// Length in flits, 1 to [`MessageLengths::LONGEST`].
    pub length: u16,
    /// Weight, positive and finite.
    pub weight: f64,
}

impl MessageLengths {
    /// Syntax that [`MessageLengths::parse`] accepts.
    pub const ACCEPTED: &'static str = "a whole number from 1 to 256; or LENGTH:WEIGHT,...: each message has one of at most 8 \
         different lengths by weight, such as 10:0.9,200:0.1";

    /// Longest message, in flits.
    pub const LONGEST: u16 = 256;

    /// Maximum number of different lengths.
    pub const MAX_NUMBER: usize = 8;

    /// Parses a length, or lengths with weights such as `10:0.9,200:0.1`.
    ///
    /// # Errors
    ///
    /// Returns an error if a length or a weight is out of range, two lengths are equal, or there
    /// are too many lengths.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        if !text.contains(':') {
            return parse_length(text).map(Self::Fixed);
        }
        let mut lengths = text.split(',').map(parse_weighted).collect::<Result<Vec<_>, ParseError>>()?;
        if lengths.len() > Self::MAX_NUMBER {
            return Err(format!("more than {} lengths", Self::MAX_NUMBER).into());
        }
        lengths.sort_by_key(|part| part.length);
        if let Some(two) = lengths.windows(2).find(|two| two[0].length == two[1].length) {
            return Err(format!("the length {} is given twice", two[0].length).into());
        }
        Ok(match lengths.as_slice() {
            [only] => Self::Fixed(only.length),
            _ => Self::Mixed(lengths.into()),
        })
    }

    /// Returns whether messages have different lengths.
    pub fn is_mixed(&self) -> bool {
        matches!(self, Self::Mixed(_))
    }

    /// Returns the mean length, in flits.
    pub fn mean(&self) -> f64 {
        match self {
            Self::Fixed(length) => f64::from(*length),
            Self::Mixed(parts) => {
                let flits: f64 = parts.iter().map(|part| part.weight * f64::from(part.length)).sum();
                flits / total_weight(parts)
            }
        }
    }

    /// Returns the shortest length, in flits.
    pub fn shortest(&self) -> u16 {
        match self {
            Self::Fixed(length) => *length,
            Self::Mixed(parts) => parts.iter().map(|part| part.length).min().unwrap_or(1),
        }
    }

    /// Returns the longest length, in flits.
    pub fn longest(&self) -> u16 {
        match self {
            Self::Fixed(length) => *length,
            Self::Mixed(parts) => parts.iter().map(|part| part.length).max().unwrap_or(1),
        }
    }

    /// Draws the length of a message. Takes nothing from the generator if all lengths are alike.
    pub fn draw(&self, generator: &mut Generator) -> u16 {
        let parts = match self {
            Self::Fixed(length) => return *length,
            Self::Mixed(parts) => parts,
        };
        let mut rest = uniform_half_open(generator) * total_weight(parts);
        for part in parts.iter() {
            rest -= part.weight;
            if rest < 0.0 {
                return part.length;
            }
        }
        self.longest()
    }
}

impl From<u16> for MessageLengths {
    fn from(length: u16) -> Self {
        Self::Fixed(length)
    }
}

impl fmt::Display for MessageLengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(length) => write!(f, "{length}"),
            Self::Mixed(parts) => {
                let texts: Vec<_> = parts.iter().map(|part| format!("{}:{}", part.length, part.weight)).collect();
                f.write_str(&texts.join(","))
            }
        }
    }
}

fn total_weight(parts: &[WeightedLength]) -> f64 {
    parts.iter().map(|part| part.weight).sum()
}

/// Parses a length in flits.
pub(super) fn parse_length(text: &str) -> Result<u16, ParseError> {
    let length = text.parse().ok().filter(|length| (1..=MessageLengths::LONGEST).contains(length));
    length.ok_or_else(|| format!("{text} is not a length from 1 to {} flits", MessageLengths::LONGEST).into())
}

fn parse_weighted(text: &str) -> Result<WeightedLength, ParseError> {
    let (length, weight) = text.split_once(':').ok_or_else(|| format!("{text} is not a part LENGTH:WEIGHT"))?;
    let number = weight.parse().ok().filter(|weight| (1e-6..=1e6).contains(weight));
    let weight = number.ok_or_else(|| format!("the weight in {text} is not a number from 0.000001 to 1000000"))?;
    Ok(WeightedLength { length: parse_length(length)?, weight })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Key;

    #[test]
    fn texts_are_canonical() {
        for (text, canonical) in
            [("20", "20"), ("256", "256"), ("200:0.1,10:0.9", "10:0.9,200:0.1"), ("7:3", "7"), ("1:1,2:2", "1:1,2:2")]
        {
            let lengths = MessageLengths::parse(text).unwrap();
            assert_eq!(lengths.to_string(), canonical);
            assert_eq!(MessageLengths::parse(canonical), Ok(lengths));
        }
    }

    #[test]
    fn malformed_texts_are_rejected() {
        for (text, says) in [
            ("", " is not a length from 1 to 256"),
            ("0", "0 is not a length from 1 to 256"),
            ("257", "257 is not a length"),
            ("10,20", "10,20 is not a length"),
            ("10:1,20", "20 is not a part LENGTH:WEIGHT"),
            ("10:0,20:1", "the weight in 10:0 is not a number from"),
            ("10:NaN", "the weight in 10:NaN is not a number from"),
            ("0:1,20:1", "0 is not a length"),
            ("10:1,10:2", "the length 10 is given twice"),
            ("1:1,2:1,3:1,4:1,5:1,6:1,7:1,8:1,9:1", "more than 8 lengths"),
        ] {
            let error = MessageLengths::parse(text).expect_err(text).to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }

    #[test]
    fn shares_follow_the_weights() {
        const DRAWS: u32 = 200_000;
        let lengths = MessageLengths::parse("1:1,10:3,256:4").unwrap();
        let mut generator = Key::from_seed(1).generator();
        let mut counts = [0u32; 257];
        (0..DRAWS).for_each(|_| counts[usize::from(lengths.draw(&mut generator))] += 1);
        for (length, share) in [(1, 0.125), (10, 0.375), (256, 0.5)] {
            let wanted = share * f64::from(DRAWS);
            // Four standard deviations.
            let most_off = 4.0 * (wanted * (1.0 - share)).sqrt();
            assert!((f64::from(counts[length]) - wanted).abs() < most_off, "{length}: {}", counts[length]);
        }
        assert_eq!(counts.iter().sum::<u32>(), counts[1] + counts[10] + counts[256]);
        assert!((lengths.mean() - 131.875).abs() < 1e-12);
    }
}
