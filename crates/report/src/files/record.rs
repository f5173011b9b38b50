//! Named values of one series, listed once and written as CSV and as JSON, so that both formats
//! agree.

use std::fmt::Display;

use serde::{Serialize, Serializer};

use super::csv::{line, source_header};
use super::json::{SafeInteger, to_json};
use faultlab_core::VERSION;
use faultlab_core::topology::{Link, NodeId};
use faultlab_experiment::Experiment;

/// Value in a file.
#[derive(Debug)]
pub(crate) enum Value {
    /// Missing value, or value that cannot be computed: null, and an empty field.
    Nothing,
    /// Boolean.
    Flag(bool),
    /// Whole number.
    Count(u64),
    /// Floating-point number; non-finite numbers are written as [`Value::Nothing`].
    Number(f64),
    /// Text.
    Text(String),
    /// List of values; in CSV separated by blanks.
    List(Vec<Value>),
    /// Values by name; in CSV written as a list.
    Object(Record),
}

/// Named values in the order in which they are written.
#[derive(Debug, Default)]
pub(crate) struct Record(Vec<Field>);

/// Named value.
#[derive(Debug)]
struct Field {
    name: &'static str,
    value: Value,
    /// CSV field that replaces the value.
    field: Option<String>,
}

impl Record {
    /// Adds `value` under `name`.
    pub(crate) fn with(self, name: &'static str, value: impl Into<Value>) -> Self {
        self.push(Field { name, value: value.into(), field: None })
    }

    /// Adds `value` under `name`, with `field` as its CSV field.
    pub(crate) fn with_field(self, name: &'static str, value: impl Into<Value>, field: String) -> Self {
        self.push(Field { name, value: value.into(), field: Some(field) })
    }

    /// Adds all values of `other`.
    pub(crate) fn merged(mut self, other: Self) -> Self {
        self.0.extend(other.0);
        self
    }

    fn push(mut self, item: Field) -> Self {
        self.0.push(item);
        self
    }

    /// Returns the CSV field of the column `name`, or of `outer.name` inside an object; empty if
    /// there is none.
    fn field(&self, name: &str) -> String {
        let (outer, inner) = name.split_once('.').map_or((name, None), |(outer, inner)| (outer, Some(inner)));
        let item = self.0.iter().find(|item| item.name == outer);
        if let Some(inner) = inner {
            let value = item.map_or(&Value::Nothing, |item| &item.value);
            return if let Value::Object(record) = value { record.field(inner) } else { String::new() };
        }
        item.map_or(String::new(), |item| item.field.clone().unwrap_or_else(|| item.value.field()))
    }
}

impl Value {
    fn field(&self) -> String {
        match self {
            Self::Nothing => String::new(),
            Self::Flag(flag) => flag.to_string(),
            Self::Count(count) => count.to_string(),
            Self::Number(number) if !number.is_finite() => String::new(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => text.clone(),
            Self::List(values) => values.iter().map(Self::field).collect::<Vec<_>>().join(" "),
            Self::Object(record) => record.0.iter().map(|item| item.value.field()).collect::<Vec<_>>().join(" "),
        }
    }
}

/// Returns the CSV file of `experiment` with the columns `columns` and a line for each record.
pub(crate) fn csv(experiment: &Experiment, columns: &[&str], records: &[Record]) -> String {
    source_header([experiment]) + &table(columns, records)
}

/// Returns the column headings and a line for each record.
pub(crate) fn table(columns: &[&str], records: &[Record]) -> String {
    let mut csv = columns.join(",") + "\n";
    for record in records {
        let fields: Vec<_> = columns.iter().map(|column| record.field(column)).collect();
        let fields: Vec<&dyn Display> = fields.iter().map(|field| field as &dyn Display).collect();
        line(&mut csv, &fields);
    }
    csv
}

/// Returns the JSON of `experiment`: a line for each record, which starts with the fields of
/// [`super::json::ResultSource`].
pub(crate) fn json(experiment: &Experiment, records: Vec<Record>) -> String {
    let text = experiment.to_string();
    let line = |record: Record| {
        let made = Record::default().with("experiment", text.as_str()).with("seed", experiment.seed);
        let mut whole = made.with("version", VERSION);
        whole.0.extend(record.0);
        to_json(&whole) + "\n"
    };
    records.into_iter().map(line).collect()
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|item| (item.name, &item.value)))
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Nothing => serializer.serialize_none(),
            Self::Flag(flag) => serializer.serialize_bool(*flag),
            Self::Count(count) => SafeInteger(*count).serialize(serializer),
            Self::Number(number) => serializer.serialize_f64(*number),
            Self::Text(text) => serializer.serialize_str(text),
            Self::List(values) => serializer.collect_seq(values),
            Self::Object(record) => record.serialize(serializer),
        }
    }
}

macro_rules! values {
    ($($from:ty => |$value:ident| $made:expr;)*) => {
        $(impl From<$from> for Value {
            fn from($value: $from) -> Self {
                $made
            }
        })*
    };
}

values! {
    bool => |flag| Self::Flag(flag);
    u8 => |count| Self::Count(count.into());
    u32 => |count| Self::Count(count.into());
    u64 => |count| Self::Count(count);
    usize => |count| Self::Count(count as u64);
    f64 => |number| Self::Number(number);
    &str => |text| Self::Text(text.to_owned());
    String => |text| Self::Text(text);
    NodeId => |node| Self::Text(node.to_string());
    Link => |link| Self::Text(link.to_string());
    Record => |record| Self::Object(record);
}

impl<T: Into<Value>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Nothing, Into::into)
    }
}

impl<T: Into<Value>> FromIterator<T> for Value {
    fn from_iter<I: IntoIterator<Item = T>>(values: I) -> Self {
        Self::List(values.into_iter().map(Into::into).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_above_2_53_are_written_as_text() {
        let json = |seed: u64| {
            let experiment: Experiment = format!("net=cube:3&seed={seed}").parse().unwrap();
            json(&experiment, vec![Record::default().with("pairs", seed)])
        };
        assert!(
            json(1 << 53).contains("\"seed\":9007199254740992,")
                && json(1 << 53).contains("\"pairs\":9007199254740992}")
        );
        let beyond = json((1 << 53) + 1);
        assert!(
            beyond.contains("\"seed\":\"9007199254740993\"") && beyond.contains("\"pairs\":\"9007199254740993\""),
            "{beyond}"
        );
    }

    #[test]
    fn csv_follows_columns_and_json_follows_record_order() {
        let experiment: Experiment = "net=cube:3".parse().unwrap();
        let hop = Record::default().with("to", NodeId(u64::MAX)).with("class", 0u8);
        let record = Record::default()
            .with("series", "random")
            .with("share", f64::NAN)
            .with("length", Some(2.5))
            .with_field("hops", Value::from_iter([hop]), "1".into())
            .with("none", None::<u32>)
            .with("links", Value::from_iter([true, false]));
        let records = vec![record];
        let csv = csv(&experiment, &["series", "hops", "share", "length", "none", "links"], &records);
        assert_eq!(csv.lines().last(), Some("random,1,,2.5,,true false"));
        let json = json(&experiment, records);
        let end = "\"series\":\"random\",\"share\":null,\"length\":2.5,\"hops\":[{\"to\":\"18446744073709551615\",\"class\":0}],\
                   \"none\":null,\"links\":[true,false]}\n";
        assert!(json.ends_with(end), "{json}");
        assert!(json.starts_with("{\"experiment\":\"v=1&net=cube:3\",\"seed\":1,\"version\":"), "{json}");
    }
}
