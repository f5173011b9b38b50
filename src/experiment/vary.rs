//! What a sweep varies, and over which values.

use std::fmt;

use super::RelationSetting;
use crate::routing::fat_tree::ScheduleTerms;
use crate::switching::Switching;
use crate::topology::fat_tree::MAX_PROCESSORS;

/// What can be varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// The fault rate p of `faults=nodes:P`, `share:P` or `links:P`.
    Rate,
    /// The number of faults of `faults=count:F` or `link-count:F`.
    Count,
    /// The dimension n of the cube.
    Dimension,
    /// The maximum path length, as a multiple of n.
    PathLimit,
    /// The rate at which nodes generate messages, of circuits.
    MessageRate,
    /// The load of worms, as a share of what saturates the bisection of the mesh without faults.
    Load,
    /// The number of messages that a source may be injecting at once.
    Injection,
    /// The flits of a message.
    Length,
    /// The virtual channels of each channel.
    VirtualChannels,
    /// The number of rows and columns of a square mesh.
    Radix,
    /// The tolerance of Algorithms A and B.
    Tolerance,
    /// The h of an h-relation.
    Copies,
    /// The processors of a fat-tree.
    Leaves,
    /// The constant k1 of RANDOM.
    K1,
    /// The constant k2 of RANDOM.
    K2,
    /// The congestion parameter r of RANDOM.
    Congestion,
    /// The node of a mesh that is faulty besides all others, by its number.
    Place,
}

impl Parameter {
    /// Every parameter.
    pub const ALL: [Self; 17] = [
        Self::Rate,
        Self::Count,
        Self::Dimension,
        Self::PathLimit,
        Self::MessageRate,
        Self::Load,
        Self::Injection,
        Self::Length,
        Self::VirtualChannels,
        Self::Radix,
        Self::Tolerance,
        Self::Copies,
        Self::Leaves,
        Self::K1,
        Self::K2,
        Self::Congestion,
        Self::Place,
    ];

    /// Its name in experiment texts.
    pub fn id(self) -> &'static str {
        match self {
            Self::Rate => "p",
            Self::Count => "f",
            Self::Dimension => "n",
            Self::PathLimit => "mpl",
            Self::MessageRate => "rate",
            Self::Load => "load",
            Self::Injection => "inject",
            Self::Length => "length",
            Self::VirtualChannels => "vc",
            Self::Radix => "k",
            Self::Tolerance => "tolerance",
            Self::Copies => "h",
            Self::Leaves => "leaves",
            Self::K1 => "k1",
            Self::K2 => "k2",
            Self::Congestion => "r",
            Self::Place => "at",
        }
    }

    /// Whether experiments with this kind of switching can vary it.
    pub fn fits(self, switching: Switching) -> bool {
        match self {
            Self::Rate => true,
            Self::Count => switching != Switching::Delivery,
            Self::Dimension => switching != Switching::Delivery,
            Self::Leaves | Self::K1 | Self::K2 | Self::Congestion => switching == Switching::Delivery,
            Self::PathLimit => switching == Switching::Message,
            Self::MessageRate => switching == Switching::Circuit,
            Self::Length => matches!(switching, Switching::Wormhole | Switching::Batch),
            Self::Tolerance => switching.is_oblivious() || switching == Switching::Wormhole,
            Self::Copies => switching.is_oblivious(),
            Self::Load | Self::Injection | Self::VirtualChannels | Self::Radix | Self::Place => {
                switching == Switching::Wormhole
            }
        }
    }

    /// Its name on an axis.
    pub fn axis(self) -> &'static str {
        match self {
            Self::Rate => "fault rate p",
            Self::Count => "number of faults f",
            Self::Dimension => "dimension n",
            Self::PathLimit => "maximum path length, in multiples of n",
            Self::MessageRate => "message rate per node",
            Self::Load => "load, as a share of bisection saturation",
            Self::Injection => "injection limit, messages per node",
            Self::Length => "message length, flits",
            Self::VirtualChannels => "virtual channels per channel",
            Self::Radix => "nodes in each dimension k",
            Self::Tolerance => "tolerance, share of faulty paths",
            Self::Copies => "messages for every node h",
            Self::Leaves => "processors n",
            Self::K1 => "constant k1",
            Self::K2 => "constant k2",
            Self::Congestion => "congestion parameter r",
            Self::Place => "position of one more faulty node",
        }
    }

    /// The smallest and largest value, and whether only whole numbers make sense.
    pub fn range(self) -> (f64, f64, bool) {
        match self {
            Self::Rate => (0.0, 1.0, false),
            Self::Count => (0.0, 1e15, true),
            Self::Dimension => (1.0, 64.0, true),
            Self::PathLimit => (1.0, 1000.0, false),
            Self::MessageRate => (0.0001, 10.0, false),
            Self::Load => (0.0, 4.0, false),
            Self::Injection => (1.0, 64.0, true),
            Self::Length => (1.0, 256.0, true),
            Self::VirtualChannels => (1.0, 32.0, true),
            Self::Radix => (2.0, 1024.0, true),
            Self::Tolerance => (0.0, 1.0, false),
            Self::Copies => (1.0, f64::from(RelationSetting::MAX_H), true),
            Self::Leaves => (2.0, f64::from(MAX_PROCESSORS), true),
            Self::K1 | Self::K2 | Self::Congestion => (ScheduleTerms::LEAST, ScheduleTerms::MOST, false),
            Self::Place => (0.0, 4095.0, true),
        }
    }
}

/// A parameter and its values, ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    /// What is varied.
    pub parameter: Parameter,
    /// Its values: 1 to [`Vary::MAX_VALUES`], strictly ascending.
    pub values: Values,
}

/// The values of a sweep, as they were given.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Evenly spaced, both ends included.
    Range {
        /// The first value.
        first: f64,
        /// The last value.
        last: f64,
        /// How many.
        count: u32,
    },
    /// One by one.
    List(Vec<f64>),
}

impl Vary {
    /// The most values of a sweep.
    pub const MAX_VALUES: u32 = 1024;

    /// What [`Vary::parse`] accepts.
    pub const ACCEPTED: &'static str = "PARAMETER:FIRST..LAST:COUNT or PARAMETER:V1,V2,... ascending, at most 1024 values; PARAMETER is p (0 to 1), f (whole), \
         n (1 to 64, whole), mpl (1 to 1000) or rate (0.0001 to 10); of worms p, f, load (0 to 4), inject (1 to 64, whole), \
         length (1 to 256, whole), vc (1 to 16, whole), k (rows and columns, 2 to 64, whole) or \
         at (one more faulty node, by its number row * columns + column: a map); of permutations p, f, n, h (1 to 64, whole) or \
         tolerance (0 to 1), of batches also length; of fat-trees p, leaves (powers of two, of tree2 of four, from 2 to 1048576), k1, k2 or r \
         (0.001 to 10000000)";

    /// Reads a sweep from its text, such as `p:0.5..0.95:10`; the error says what is wrong.
    pub fn parse(text: &str) -> Result<Self, String> {
        let (name, values) = text.split_once(':').ok_or("no parameter before a colon")?;
        let parameter = Parameter::ALL
            .into_iter()
            .find(|parameter| parameter.id() == name)
            .ok_or_else(|| format!("no parameter is called {name}"))?;
        let values = match values.split_once("..") {
            Some((first, rest)) => parse_range(first, rest)?,
            None => Values::List(values.split(',').map(number).collect::<Result<_, _>>()?),
        };
        let vary = Self { parameter, values };
        vary.validate()?;
        Ok(vary)
    }

    /// The values, ascending.
    pub fn values(&self) -> Vec<f64> {
        match &self.values {
            Values::List(values) => values.clone(),
            Values::Range { first, count: 1, .. } => vec![*first],
            Values::Range { first, last, count } => {
                let steps = f64::from(count - 1);
                (0..*count).map(|i| tidy(first + (last - first) * f64::from(i) / steps)).collect()
            }
        }
    }

    /// The largest value.
    pub fn last(&self) -> f64 {
        self.values().last().copied().unwrap_or(0.0)
    }

    fn validate(&self) -> Result<(), String> {
        let (low, high, whole) = self.parameter.range();
        let values = self.values();
        if values.is_empty() || values.len() > Self::MAX_VALUES as usize {
            return Err(format!("{} values", values.len()));
        }
        for value in &values {
            if !(low..=high).contains(value) {
                return Err(format!("{} = {value} is outside {low} to {high}", self.parameter.id()));
            }
            if whole && value.fract() != 0.0 {
                return Err(format!("{} = {value} is not a whole number", self.parameter.id()));
            }
        }
        if values.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err("the values do not ascend".into());
        }
        Ok(())
    }
}

fn parse_range(first: &str, rest: &str) -> Result<Values, String> {
    let (last, count) = rest.split_once(':').ok_or("no number of values after the range")?;
    let count = count.parse().ok().filter(|count| (1..=Vary::MAX_VALUES).contains(count));
    let count = count.ok_or("the number of values is not 1 to 1024")?;
    Ok(Values::Range { first: number(first)?, last: number(last)?, count })
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| format!("{text} is not a number"))
}

/// Evenly spaced values without the last digits' noise: 0.55, not 0.55000000000000004.
fn tidy(value: f64) -> f64 {
    format!("{value:.9}").parse().unwrap_or(value)
}

impl fmt::Display for Vary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.parameter.id())?;
        match &self.values {
            Values::Range { first, last, count } => write!(f, "{first}..{last}:{count}"),
            Values::List(values) => {
                let texts: Vec<_> = values.iter().map(f64::to_string).collect();
                f.write_str(&texts.join(","))
            }
        }
    }
}
