//! Syntax of `lab:` links, which define how a number in a lesson is computed.
//!
//!     [82.7%](lab:net=cube:5&faults=nodes:0.5 "success of sidetracking")
//!
//! The title is `[SOURCE:]KEY[@X] [of ROUTE] [= VALUE]`. The source is a command of the command
//! line; the default is `run`.

/// Accepted titles, for error messages.
const ACCEPTED: &str = "accepted: [SOURCE:]KEY[@X] [of ROUTE] [= VALUE], with the source run (the default), compare, check, route or \
     watch, such as \"success@0.5 of backtracking\" or \"check:acyclic of up = true\"";

/// Command that computes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum SourceCommand {
    /// A metric: its mean, or an end of its interval with the suffix `.low` or `.high`.
    Run,
    /// `METRIC.FIELD` of a comparison with the first routing, such as `setup.gain`.
    Compare,
    /// A fact.
    Check,
    /// A property of the traced message, or of all messages.
    Route,
    /// A row of the counts at the experiment's `time`, or the time of an event.
    Watch,
}

/// Source of a number in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reading {
    /// Command that computes the number.
    pub(crate) source: SourceCommand,
    /// Key in the output of the command. Dots access fields of objects and elements of lists;
    /// `count` is the length of a list.
    pub(crate) key: String,
    /// Point of a sweep.
    pub(crate) x: Option<f64>,
    /// Algorithm; the default is the first.
    pub(crate) route: Option<String>,
    /// Value, if the text expresses it in other words.
    pub(crate) value: Option<String>,
}

impl Reading {
    /// Parses the title of a link.
    ///
    /// # Errors
    /// Returns the problem, and the accepted forms.
    pub(crate) fn parse(title: &str) -> Result<Self, String> {
        let wrong = |what: &str| format!("the title \"{title}\" {what}; {ACCEPTED}");
        let (rest, value) = match title.split_once(" = ") {
            Some((rest, value)) => (rest, Some(value.to_owned())),
            None => (title, None),
        };
        let (rest, route) = match rest.split_once(" of ") {
            Some((rest, route)) => (rest, Some(route.to_owned())),
            None => (rest, None),
        };
        let (rest, x) = match rest.split_once('@') {
            Some((rest, x)) => (rest, Some(x.parse::<f64>().map_err(|_| wrong("has no number after @"))?)),
            None => (rest, None),
        };
        let (source, key) = match rest.split_once(':') {
            None => (SourceCommand::Run, rest),
            Some((name, key)) => (source(name).ok_or_else(|| wrong(&format!("names the unknown source {name}")))?, key),
        };
        let words = [Some(key), route.as_deref(), value.as_deref()];
        if words.into_iter().flatten().any(|word| word.is_empty() || word != word.trim()) {
            return Err(wrong("has an empty or padded word"));
        }
        // Keys of Watch are row names, which may contain spaces; all other keys are one word.
        if source != SourceCommand::Watch && key.contains(' ') {
            return Err(wrong("has a space in its key"));
        }
        if source == SourceCommand::Compare && key.split('.').count() != 2 {
            return Err(wrong("does not name METRIC.FIELD of a comparison"));
        }
        Ok(Self { source, key: key.to_owned(), x, route, value })
    }
}

fn source(name: &str) -> Option<SourceCommand> {
    Some(match name {
        "run" => SourceCommand::Run,
        "compare" => SourceCommand::Compare,
        "check" => SourceCommand::Check,
        "route" => SourceCommand::Route,
        "watch" => SourceCommand::Watch,
        _ => return None,
    })
}

/// Number as it is printed in the text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PrintedNumber {
    /// Value; a percentage is converted to a share.
    pub(crate) value: f64,
    /// Half a unit of the last digit.
    pub(crate) rounding: f64,
    /// Half-width of an interval after ±, with its rounding.
    pub(crate) half_width: Option<(f64, f64)>,
}

/// Words that are parsed as numbers.
const WORDS: [&str; 21] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
    "twenty",
];

impl PrintedNumber {
    /// Parses the only number in the text of a link: in digits or, without digits, as a word from
    /// zero to twenty.
    ///
    /// # Errors
    /// Returns the problem, and the accepted forms.
    pub(crate) fn parse(text: &str) -> Result<Self, String> {
        const ACCEPTED: &str = "accepted: one number such as 82.7%, 1,024, 0.51 ± 0.02 or a word from zero to twenty";
        let numbers = numbers(text);
        match numbers.as_slice() {
            [] => {
                let words = || text.split(|letter: char| !letter.is_alphabetic());
                let mut found = words().filter_map(|word| WORDS.iter().position(|one| one.eq_ignore_ascii_case(word)));
                match (found.next(), found.next()) {
                    (Some(value), None) => Ok(Self { value: value as f64, rounding: 0.5, half_width: None }),
                    _ => Err(format!("\"{text}\" does not contain exactly one number; {ACCEPTED}")),
                }
            }
            [one] => Ok(Self { value: one.value(text), rounding: one.rounding(), half_width: None }),
            // A percent sign after both numbers applies to both.
            [one, width] if text[one.end..width.start].trim_matches([' ', '%']) == "±" => {
                let percent = one.percent || width.percent;
                let (one, width) = (Digits { percent, ..*one }, Digits { percent, ..*width });
                let half_width = Some((width.value(text), width.rounding()));
                Ok(Self { value: one.value(text), rounding: one.rounding(), half_width })
            }
            _ => Err(format!("\"{text}\" has more than one number in it; {ACCEPTED}")),
        }
    }

    /// Returns whether a computed value agrees with the printed value after rounding.
    pub(crate) fn agrees_with(&self, value: f64) -> bool {
        rounds(value, (self.value, self.rounding))
    }

    /// Returns whether a computed half-width agrees with the printed half-width after rounding, if
    /// one is printed.
    pub(crate) fn agrees_with_half_width(&self, value: f64) -> bool {
        self.half_width.is_none_or(|printed| rounds(value, printed))
    }
}

/// Returns whether a value can be rounded to the printed value; ties may go either way.
fn rounds(value: f64, (printed, rounding): (f64, f64)) -> bool {
    (value - printed).abs() <= rounding * (1.0 + 1e-9)
}

/// Position of a number in a text.
#[derive(Clone, Copy)]
pub(super) struct Digits {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Number of decimals.
    pub(super) decimals: u8,
    /// True if a percent sign follows.
    pub(super) percent: bool,
}

impl Digits {
    fn value(&self, text: &str) -> f64 {
        let plain: String = text[self.start..self.end].chars().filter(|letter| *letter != ',').collect();
        plain.parse().unwrap_or(f64::NAN) * self.unit()
    }

    fn rounding(&self) -> f64 {
        (0..self.decimals).fold(0.5, |step, _| step / 10.0) * self.unit()
    }

    fn unit(&self) -> f64 {
        if self.percent { 0.01 } else { 1.0 }
    }
}

/// Finds all numbers in digits. A point or a comma belongs to a number if digits follow it, three
/// of them after a comma.
pub(super) fn numbers(text: &str) -> Vec<Digits> {
    let bytes = text.as_bytes();
    let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (mut found, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let start = at;
        at += digits(start);
        if at == start {
            at += 1;
            continue;
        }
        while bytes.get(at) == Some(&b',') && digits(at + 1) == 3 {
            at += 4;
        }
        let mut decimals = 0;
        if bytes.get(at) == Some(&b'.') && digits(at + 1) > 0 {
            decimals = digits(at + 1);
            at += 1 + decimals;
        }
        let percent = text[at..].trim_start_matches(' ').starts_with('%');
        found.push(Digits { start, end: at, decimals: u8::try_from(decimals).unwrap_or(u8::MAX), percent });
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parse_accepts_valid_titles_and_rejects_others() {
        let read = |title: &str| Reading::parse(title).expect("a title");
        let plain = read("success");
        assert_eq!(
            (plain.source, plain.key.as_str(), plain.x, plain.route),
            (SourceCommand::Run, "success", None, None)
        );
        let full = read("check:network.live@0.5 of 2f+3f = true");
        assert_eq!((full.source, full.key.as_str(), full.x), (SourceCommand::Check, "network.live", Some(0.5)));
        assert_eq!((full.route.as_deref(), full.value.as_deref()), (Some("2f+3f"), Some("true")));
        assert_eq!(read("watch:In the network of up").key, "In the network");
        for wrong in ["", "tell:success", "success@half", "success of ", "check:", "a b", "compare:gain", "x =  1"] {
            let problem = Reading::parse(wrong).expect_err("no title");
            assert!(problem.contains("accepted"), "{wrong}: {problem}");
        }
    }

    #[test]
    fn printed_numbers_match_values_that_round_to_them() {
        let printed = |text: &str| PrintedNumber::parse(text).expect("a number");
        assert!(printed("82.7%").agrees_with(0.8274) && !printed("82.7%").agrees_with(0.8276));
        assert!(printed("1,024 nodes").agrees_with(1024.4) && !printed("1,024 nodes").agrees_with(1025.0));
        assert!(printed("sixteen pairs").agrees_with(16.0) && !printed("Two").agrees_with(3.0));
        let interval = printed("68.4% ± 2.4");
        assert!(
            interval.agrees_with(0.684)
                && interval.agrees_with_half_width(0.0243)
                && !interval.agrees_with_half_width(0.025)
        );
        assert_eq!(printed("0.51 ± 0.02").half_width.map(|(value, _)| value), Some(0.02));
        for wrong in ["many", "two or three", "5 of 6", "1 + 2"] {
            assert!(PrintedNumber::parse(wrong).expect_err("no number").contains("accepted"), "{wrong}");
        }
    }
}
