//! The parameter that a sweep varies, and its values.

use faultlab_core::ParseError;
use std::fmt;

use super::Experiment;
use super::kind::Kind;
use super::kinds::KINDS;
use super::parameter::{Parameter, ParameterRole};

/// Parameter of a sweep with its values, ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct Vary {
    /// Varied parameter.
    pub parameter: &'static Parameter,
    /// Values: 1 to [`Vary::MAX_VALUES`], strictly ascending.
    pub values: Values,
}

/// Values of a sweep in their textual form.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Evenly spaced values, both ends included.
    Range {
        /// First value.
        first: f64,
        /// Last value.
        last: f64,
        /// Number of values.
        count: u32,
    },
    /// Explicit list of values.
    List(Vec<f64>),
}

impl Vary {
    /// Maximum number of values of a sweep.
    pub const MAX_VALUES: u32 = 1024;

    /// Describes the texts that [`Vary::parse`] accepts in an experiment of this kind.
    pub(crate) fn accepted(experiment: &Experiment) -> String {
        let parameters: Vec<_> = experiment.kind().parameters.iter().map(Parameter::accepted).collect();
        format!(
            "PARAMETER:FIRST..LAST:COUNT or PARAMETER:V1,V2,... ascending, at most {} values; PARAMETER is {}",
            Self::MAX_VALUES,
            parameters.join(", ")
        )
    }

    /// Parses the varied parameter of an experiment of this kind, for example `p:0.5..0.95:10`.
    ///
    /// # Errors
    ///
    /// Returns an error that names the part of the text that is malformed or out of range.
    pub fn parse(kind: &Kind, text: &str) -> Result<Self, ParseError> {
        let (name, values) = text.split_once(':').ok_or("no parameter before a colon")?;
        let parameter = kind.parameter(name).ok_or_else(|| unknown(name))?;
        let values = match values.split_once("..") {
            Some((first, rest)) => parse_range(first, rest)?,
            None => Values::List(values.split(',').map(number).collect::<Result<_, _>>()?),
        };
        let vary = Self { parameter, values };
        vary.validate()?;
        Ok(vary)
    }

    /// Returns the values, ascending.
    pub fn values(&self) -> Vec<f64> {
        match &self.values {
            Values::List(values) => values.clone(),
            Values::Range { first, count: 1, .. } => vec![*first],
            Values::Range { first, last, count } => {
                let steps = f64::from(count - 1);
                (0..*count).map(|i| round_to_nine_decimals(first + (last - first) * f64::from(i) / steps)).collect()
            }
        }
    }

    /// Returns the values as evenly spaced ones from `first` to `last`; each argument keeps its
    /// present value if it is `None`.
    ///
    /// Whole numbers keep their step if only the ends change, and are rounded. Sizes that double
    /// become powers of two. [`Vary::parse`] checks the text of the result.
    pub fn respaced(&self, first: Option<f64>, last: Option<f64>, count: Option<u32>) -> Self {
        let known = self.values();
        let [low, high] = [known.first(), known.last()].map(|value| value.copied().unwrap_or_default());
        let (first, last) = (first.unwrap_or(low), last.unwrap_or(high));
        let is_doubling = self.parameter.role == ParameterRole::Size { doubling: true };
        let range =
            |first, last, count| Self { parameter: self.parameter, values: Values::Range { first, last, count } };
        // Values that cannot be spaced are left to the checks of the text.
        let has_space = first < last && (first > 0.0 || !is_doubling);
        let is_count = count.is_none_or(|count| (1..=Self::MAX_VALUES).contains(&count));
        if !self.parameter.is_integer || !has_space || !is_count {
            return range(first, last, count.unwrap_or(known.len().max(2) as u32));
        }
        let scaled = |value: f64| if is_doubling { libm::log2(value) } else { value };
        let [low, high, from, to] = [low, high, first, last].map(scaled);
        let steps = (known.len().max(2) - 1) as f64;
        let kept = if high > low { (to - from) / (high - low) * steps } else { steps };
        let most = f64::from(Self::MAX_VALUES);
        let even = range(from, to, count.unwrap_or((libm::round(kept) + 1.0).clamp(1.0, most) as u32));
        let mut whole: Vec<f64> = even
            .values()
            .iter()
            .map(|&value| libm::round(if is_doubling { libm::exp2(libm::round(value)) } else { value }))
            .collect();
        whole.dedup();
        if whole == even.values() { even } else { Self { values: Values::List(whole), ..even } }
    }

    fn validate(&self) -> Result<(), ParseError> {
        let Parameter { low, high, is_integer: whole, .. } = *self.parameter;
        let values = self.values();
        if values.is_empty() || values.len() > Self::MAX_VALUES as usize {
            return Err(format!("{} values", values.len()).into());
        }
        for value in &values {
            if !(low..=high).contains(value) {
                return Err(format!("{} = {value} is outside {low} to {high}", self.parameter.id).into());
            }
            if whole && value.fract() != 0.0 {
                return Err(format!("{} = {value} is not a whole number", self.parameter.id).into());
            }
        }
        if values.windows(2).any(|pair| pair[0] >= pair[1]) {
            return Err("the values do not ascend".into());
        }
        Ok(())
    }
}

/// Returns the reason why no parameter of this name can be varied.
fn unknown(name: &str) -> String {
    let kinds: Vec<_> = KINDS.iter().filter(|kind| kind.parameter(name).is_some()).map(|kind| kind.id).collect();
    match kinds.is_empty() {
        true => format!("no parameter is called {name}"),
        false => format!("{name} can only be varied with switch={}", kinds.join(" or ")),
    }
}

fn parse_range(first: &str, rest: &str) -> Result<Values, ParseError> {
    let (last, count) = rest.split_once(':').ok_or("no number of values after the range")?;
    let count = count.parse().ok().filter(|count| (1..=Vary::MAX_VALUES).contains(count));
    let count = count.ok_or("the number of values is not 1 to 1024")?;
    Ok(Values::Range { first: number(first)?, last: number(last)?, count })
}

fn number(text: &str) -> Result<f64, ParseError> {
    text.parse().ok().filter(|value: &f64| value.is_finite()).ok_or_else(|| format!("{text} is not a number").into())
}

/// Rounds an evenly spaced value to nine decimals: 0.55, not 0.55000000000000004.
fn round_to_nine_decimals(value: f64) -> f64 {
    format!("{value:.9}").parse().unwrap_or(value)
}

impl fmt::Display for Vary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.parameter.id)?;
        match &self.values {
            Values::Range { first, last, count } => write!(f, "{first}..{last}:{count}"),
            Values::List(values) => {
                let texts: Vec<_> = values.iter().map(f64::to_string).collect();
                f.write_str(&texts.join(","))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the values of `text` with other ends and another number of points.
    fn respaced(text: &str, first: Option<f64>, last: Option<f64>, count: Option<u32>) -> String {
        let (switch, vary) = text.split_once(' ').unwrap_or_default();
        let kind = KINDS.iter().find(|kind| kind.id == switch).unwrap_or(&KINDS[0]);
        Vary::parse(kind, vary).map(|vary| vary.respaced(first, last, count).to_string()).unwrap_or_default()
    }

    #[test]
    fn respaced_values_are_even_whole_or_powers_of_two() {
        let worms = "wormhole load:0.1..0.9:9";
        assert_eq!(respaced(worms, Some(0.2), None, None), "load:0.2..0.9:9");
        assert_eq!(respaced(worms, None, Some(1.0), Some(4)), "load:0.1..1:4");
        assert_eq!(respaced("wormhole load:0.1,0.2,0.9", None, None, None), "load:0.1..0.9:3");
        // Whole numbers keep their step if an end changes.
        assert_eq!(respaced("message n:4..10:7", Some(2.0), None, None), "n:2..10:9");
        assert_eq!(respaced("message n:4,6,8", None, Some(12.0), None), "n:4..12:5");
        assert_eq!(respaced("message n:4..10:7", None, None, Some(3)), "n:4..10:3");
        assert_eq!(respaced("message n:4..10:7", None, None, Some(4)), "n:4..10:4");
        assert_eq!(respaced("message n:4..9:6", None, None, Some(3)), "n:4,7,9");
        assert_eq!(respaced("delivery leaves:16,64,256", None, Some(1024.0), None), "leaves:16,64,256,1024");
        assert_eq!(respaced("delivery leaves:16,64,256", None, None, Some(5)), "leaves:16,32,64,128,256");
        // The checks of the text refuse what cannot be spaced.
        assert_eq!(respaced("message n:4..10:7", Some(12.0), None, None), "n:12..10:7");
        assert_eq!(respaced("message n:4..10:7", None, None, Some(0)), "n:4..10:0");
        assert_eq!(respaced("delivery leaves:16,64", Some(0.0), None, None), "leaves:0..64:2");
    }
}
