//! What a sweep varies, and over which values.

use std::fmt;

use crate::switching::Switching;

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
}

impl Parameter {
    /// Every parameter.
    pub const ALL: [Self; 5] = [Self::Rate, Self::Count, Self::Dimension, Self::PathLimit, Self::MessageRate];

    /// Its name in experiment texts.
    pub fn id(self) -> &'static str {
        match self {
            Self::Rate => "p",
            Self::Count => "f",
            Self::Dimension => "n",
            Self::PathLimit => "mpl",
            Self::MessageRate => "rate",
        }
    }

    /// Whether experiments with this kind of switching can vary it.
    pub fn fits(self, switching: Switching) -> bool {
        match self {
            Self::Rate | Self::Count | Self::Dimension => true,
            Self::PathLimit => switching == Switching::Message,
            Self::MessageRate => switching == Switching::Circuit,
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
    pub const MAX_VALUES: u32 = 200;

    /// What [`Vary::parse`] accepts.
    pub const ACCEPTED: &'static str = "PARAMETER:FIRST..LAST:COUNT or PARAMETER:V1,V2,... ascending, at most 200 values; PARAMETER is p (0 to 1), f (whole), \
         n (1 to 64, whole), mpl (1 to 1000) or rate (0.0001 to 10)";

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
    let count = count.ok_or("the number of values is not 1 to 200")?;
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
