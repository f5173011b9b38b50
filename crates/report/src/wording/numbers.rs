//! Number formats for display. Files have all digits.

use faultlab_core::topology::NodeId;
use faultlab_experiment::{Experiment, ParameterRole};

/// Returns a number without trailing zeros: four digits after the decimal point, or three
/// significant digits below 0.1.
pub fn plain(value: f64) -> String {
    let size = value.abs();
    if size > 0.0 && !(1e-6..1e9).contains(&size) {
        return trim_zeros(&format!("{value:.2e}"));
    }
    let digits = if size > 0.0 && size < 0.1 { 2.0 - libm::floor(libm::log10(size)) } else { 4.0 };
    trim_zeros(&format!("{value:.0$}", digits.max(4.0) as usize))
}

/// Returns `value` with `digits` digits after the point; zero has no sign, also after rounding.
pub fn fixed(value: f64, digits: usize) -> String {
    let text = format!("{value:.digits$}");
    let is_zero = text.bytes().all(|byte| matches!(byte, b'-' | b'0' | b'.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

/// Returns `value` with `digits` digits after the point; from a million on without decimals and in
/// groups of three digits, and from 10^15 on in scientific form.
pub fn grouped(value: f64, digits: usize) -> String {
    match value.abs() {
        ..1e6 => fixed(value, digits),
        ..1e15 => with_separators(&format!("{value:.0}")),
        _ => trim_zeros(&format!("{value:.3e}")),
    }
}

/// Inserts narrow spaces that do not break between the groups of three digits of a whole number.
fn with_separators(number: &str) -> String {
    let mut text = String::new();
    for (place, digit) in number.char_indices() {
        let behind = number.len() - place;
        if place > 0 && behind.is_multiple_of(3) && !text.ends_with('-') {
            text.push('\u{202f}');
        }
        text.push(digit);
    }
    text
}

/// Removes the trailing zeros of a number.
fn trim_zeros(text: &str) -> String {
    let (digits, power) = text.find('e').map_or((text, ""), |at| text.split_at(at));
    let digits = if digits.contains('.') { digits.trim_end_matches('0').trim_end_matches('.') } else { digits };
    if digits == "-0" { "0".into() } else { [digits, power].concat() }
}

/// Returns a number with its noun, whose plural is given: "1 message", "2 messages", "1 set of
/// messages".
pub fn counted(number: u64, plural: &str) -> String {
    if number != 1 {
        return format!("{number} {plural}");
    }
    // The first plural word is the head of the noun.
    let is_plural = |word: &&str| word.ends_with('s');
    let head = plural.split(' ').find(is_plural).unwrap_or_default();
    format!("1 {}", plural.replacen(head, head.trim_end_matches('s'), 1))
}

/// Returns a value of the varied parameter with the digits that distinguish it from its neighbours
/// among the ascending `values`; for the position of a faulty node, the node.
pub fn varied(experiment: &Experiment, values: &[f64], x: f64) -> String {
    if experiment.vary.as_ref().is_some_and(|vary| vary.parameter.role == ParameterRole::FaultyNode) {
        return experiment.network.format_node(NodeId(x as u64));
    }
    let place = values.partition_point(|value| *value < x);
    let neighbours = [place.checked_sub(1), Some(place + 1)].map(|place| values.get(place?).copied());
    let is_told_apart = |write: &dyn Fn(f64) -> String| {
        let text = write(x);
        neighbours.into_iter().flatten().all(|other| write(other) != text).then_some(text)
    };
    let longer = || (5..12).find_map(|digits| is_told_apart(&|value| format!("{value:.digits$}")));
    is_told_apart(&plain).or_else(longer).unwrap_or_else(|| x.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plain_formats_numbers_briefly() {
        for (value, text) in [
            (0.010_112_36, "0.0101"),
            (0.5, "0.5"),
            (0.8125, "0.8125"),
            (0.001_234_5, "0.00123"),
            (0.000_01, "0.00001"),
            (1e-9, "1e-9"),
            (-0.0, "0"),
            (0.0, "0"),
            (1_048_576.0, "1048576"),
            (100.0, "100"),
            (2e15, "2e15"),
        ] {
            assert_eq!(plain(value), text);
        }
    }

    #[test]
    fn counted_nouns_are_singular_after_one() {
        let nouns = ["runs", "sets of messages", "fault sets"];
        assert_eq!(nouns.map(|noun| counted(1, noun)), ["1 run", "1 set of messages", "1 fault set"]);
        assert_eq!(counted(2, "fault sets"), "2 fault sets");
    }

    #[test]
    fn varied_values_use_the_fewest_distinguishing_digits() {
        let told = |text: &str| {
            let experiment: Experiment = ["faults=nodes:0.5&", text].concat().parse().unwrap();
            let values = experiment.vary.as_ref().unwrap().values();
            values.iter().map(|&x| varied(&experiment, &values, x)).collect::<Vec<_>>()
        };
        assert_eq!(told("vary=p:0.01011236,0.3"), ["0.0101", "0.3"]);
        assert_eq!(told("vary=p:0.101123,0.101124,0.5"), ["0.101123", "0.101124", "0.5"]);
        assert_eq!(told("vary=p:0.1..0.2:4"), ["0.1", "0.1333", "0.1667", "0.2"]);
        assert_eq!(told("vary=n:8,10"), ["8", "10"]);
    }

    #[test]
    fn large_numbers_are_grouped() {
        for (value, digits, text) in [
            (-0.001, 2, "0.00"),
            (999_999.0, 0, "999999"),
            (1_521_497_563.39, 2, "1\u{202f}521\u{202f}497\u{202f}563"),
            (-100_000_000.0, 0, "-100\u{202f}000\u{202f}000"),
            (2.5e17, 2, "2.5e17"),
        ] {
            assert_eq!(grouped(value, digits), text);
        }
    }

    #[test]
    fn fixed_writes_zero_without_a_sign() {
        for (value, digits, text) in [
            (-0.0, 0, "0"),
            (-0.001, 2, "0.00"),
            (-0.5, 0, "0"),
            (-0.51, 0, "-1"),
            (-0.01, 2, "-0.01"),
            (0.0, 1, "0.0"),
        ] {
            assert_eq!(fixed(value, digits), text);
        }
    }
}
