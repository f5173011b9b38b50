//! Files of messages: CSV with a header, or JSON lines.

use std::collections::BTreeMap;

use serde_json::Value;

use faultlab_core::ParseError;
use faultlab_core::topology::{Network, NodeId};
use faultlab_core::traffic::{MessageLengths, MessageSchedule, ScheduleError, ScheduledMessage};

/// Form of the files that [`read_messages`] accepts.
pub const MESSAGE_FILE_ACCEPTED: &str = "CSV with a header, or one JSON object on each line, with the fields cycle, source, \
     destination and length (in flits), and optionally id and after (ids of messages that must arrive before, separated by \
     spaces, in JSON a list)";

/// Fields of a record, in the order of [`Fields`].
const FIELDS: [&str; 6] = ["cycle", "source", "destination", "length", "id", "after"];

/// Number of fields that every record has.
const REQUIRED: usize = 4;

/// Texts of the fields of a record; empty for those that are left out.
type Fields = [String; FIELDS.len()];

/// Message with its line, its id, and the ids that it depends on.
struct Record {
    line: usize,
    id: String,
    after: Vec<String>,
    message: ScheduledMessage,
}

/// Parses the messages of a file, with nodes in the notation of `network`. The columns `from` and
/// `to` are read as `source` and `destination`.
///
/// # Errors
/// Returns an error that names the line, the field and what is accepted.
pub fn read_messages(network: Network, text: &str) -> Result<MessageSchedule, ParseError> {
    let mut lines = (1..).zip(text.trim_start_matches('\u{feff}').lines()).filter(|(_, line)| !line.trim().is_empty());
    let Some((first_number, first)) = lines.next() else {
        return Err(format!("no messages; accepted: {MESSAGE_FILE_ACCEPTED}").into());
    };
    let mut records = Vec::new();
    if first.trim_start().starts_with('{') {
        for (number, line) in std::iter::once((first_number, first)).chain(lines) {
            push(&mut records, network, number, &json_fields(number, line)?)?;
        }
    } else {
        let columns = columns(first_number, first)?;
        for (number, line) in lines {
            push(&mut records, network, number, &csv_fields(number, line, &columns)?)?;
        }
    }
    schedule(records)
}

/// Parses a record and appends it.
fn push(records: &mut Vec<Record>, network: Network, line: usize, fields: &Fields) -> Result<(), ParseError> {
    if records.len() == MessageSchedule::MAX_MESSAGES {
        return Err(at(line, &format!("more than {} messages", MessageSchedule::MAX_MESSAGES)));
    }
    let [cycle, source, destination, length, id, after] = fields;
    let node = |field: &str, name: &str| -> Result<NodeId, ParseError> {
        network.parse_node(name).ok_or_else(|| at(line, &format!("{field} {name:?} is not a node of {network}")))
    };
    let number = |field: &str, text: &str, low: u32, high: u32| -> Result<u32, ParseError> {
        let number = text.parse().ok().filter(|number| (low..=high).contains(number));
        number.ok_or_else(|| at(line, &format!("{field} {text:?} is not a whole number from {low} to {high}")))
    };
    let message = ScheduledMessage {
        cycle: number("cycle", cycle, 0, MessageSchedule::LAST_CYCLE)?,
        from: node("source", source)?,
        to: node("destination", destination)?,
        length: number("length", length, 1, MessageLengths::LONGEST.into())? as u16,
        after: Vec::new(),
    };
    let id = if id.is_empty() { (records.len() + 1).to_string() } else { id.clone() };
    let after = after.split([' ', ';']).filter(|id| !id.is_empty()).map(str::to_owned).collect();
    records.push(Record { line, id, after, message });
    Ok(())
}

/// Returns the schedule of the records, with ids resolved.
fn schedule(records: Vec<Record>) -> Result<MessageSchedule, ParseError> {
    let mut indices = BTreeMap::new();
    for (index, record) in (0u32..).zip(&records) {
        if let Some(other) = indices.insert(record.id.as_str(), index) {
            let other = records[other as usize].line;
            return Err(at(record.line, &format!("id {:?} is already that of line {other}", record.id)));
        }
    }
    let mut messages = Vec::with_capacity(records.len());
    for record in &records {
        let index = |id: &String| {
            let problem =
                || format!("after {id:?}: no message has this id (without a field id, the number of the message)");
            indices.get(id.as_str()).copied().ok_or_else(|| at(record.line, &problem()))
        };
        let after = record.after.iter().map(index).collect::<Result<_, _>>()?;
        messages.push(ScheduledMessage { after, ..record.message.clone() });
    }
    let line = |index: usize| records.get(index).map_or(0, |record| record.line);
    MessageSchedule::new(messages).map_err(|error| match error {
        ScheduleError::Empty => format!("no messages; accepted: {MESSAGE_FILE_ACCEPTED}").into(),
        ScheduleError::SameEnds(index) => at(line(index), "source and destination are the same node"),
        ScheduleError::Unknown(index) => at(line(index), "the message comes after itself"),
        ScheduleError::Circular(circle) => {
            let ids: Vec<_> = circle.iter().chain(circle.first()).map(|&it| records[it as usize].id.as_str()).collect();
            at(line(circle[0] as usize), &format!("messages wait for each other: {}", ids.join(" for ")))
        }
        other => other.to_string().into(),
    })
}

/// Returns the position of each field in a header.
fn columns(line: usize, header: &str) -> Result<[Option<usize>; FIELDS.len()], ParseError> {
    let mut columns = [None; FIELDS.len()];
    for (place, name) in header.split(',').enumerate() {
        let name = unquoted(name).to_lowercase();
        let Some(field) = field(&name) else {
            return Err(at(line, &format!("{name:?} is not a column; accepted: {}", FIELDS.join(", "))));
        };
        if columns[field].replace(place).is_some() {
            return Err(at(line, &format!("two columns are called {}", FIELDS[field])));
        }
    }
    match (0..REQUIRED).find(|&field| columns[field].is_none()) {
        Some(missing) => Err(at(line, &format!("no column {}; accepted: {MESSAGE_FILE_ACCEPTED}", FIELDS[missing]))),
        None => Ok(columns),
    }
}

/// Returns the index of a field in [`FIELDS`].
fn field(name: &str) -> Option<usize> {
    let name = match name {
        "from" => "source",
        "to" => "destination",
        other => other,
    };
    FIELDS.iter().position(|field| *field == name)
}

fn csv_fields(line: usize, text: &str, columns: &[Option<usize>; FIELDS.len()]) -> Result<Fields, ParseError> {
    let values: Vec<_> = text.split(',').map(unquoted).collect();
    let expected = columns.iter().flatten().count();
    if values.len() != expected {
        return Err(at(line, &format!("{} fields, but the header has {expected}", values.len())));
    }
    Ok(columns.map(|column| column.and_then(|place| values.get(place)).map_or_else(String::new, |it| (*it).to_owned())))
}

fn json_fields(line: usize, text: &str) -> Result<Fields, ParseError> {
    let Ok(Value::Object(object)) = serde_json::from_str(text) else {
        return Err(at(line, &format!("not a JSON object; accepted: {MESSAGE_FILE_ACCEPTED}")));
    };
    let mut fields = Fields::default();
    let mut present = [false; FIELDS.len()];
    for (name, value) in &object {
        let place = field(name)
            .ok_or_else(|| at(line, &format!("{name:?} is not a field; accepted: {}", FIELDS.join(", "))))?;
        let text = match value {
            Value::Array(values) => values.iter().map(scalar).collect::<Option<Vec<_>>>().map(|texts| texts.join(" ")),
            other => scalar(other),
        };
        fields[place] = text.ok_or_else(|| at(line, &format!("{name} is neither a number nor a text")))?;
        present[place] = true;
    }
    match (0..REQUIRED).find(|&field| !present[field]) {
        Some(missing) => Err(at(line, &format!("no field {}; accepted: {MESSAGE_FILE_ACCEPTED}", FIELDS[missing]))),
        None => Ok(fields),
    }
}

/// Returns a JSON number or text as a text.
fn scalar(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    }
}

/// Returns a CSV field without blanks and quotation marks around it.
fn unquoted(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix('"').and_then(|text| text.strip_suffix('"')).unwrap_or(text)
}

fn at(line: usize, problem: &str) -> ParseError {
    format!("line {line}: {problem}").into()
}

/// Formats messages as the CSV that [`read_messages`] accepts, with nodes in the notation of
/// `network`.
pub fn write_messages(network: Network, schedule: &MessageSchedule) -> String {
    let mut text = String::from("id,cycle,source,destination,length,after\n");
    for (number, message) in (1..).zip(schedule.messages()) {
        let ScheduledMessage { cycle, from, to, length, after } = message;
        let (from, to) = (network.format_node(*from), network.format_node(*to));
        let after: Vec<_> = after.iter().map(|index| (index + 1).to_string()).collect();
        text += &format!("{number},{cycle},{from},{to},{length},{}\n", after.join(" "));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mesh() -> Network {
        Network::parse("mesh:4x4").expect("a mesh")
    }

    const CSV: &str = "id,cycle,source,destination,length,after\na,0,0.0,0.1,16,\nb,5,0.1,1.1,8,a\nc,0,1.1,0.0,4,a b\n";

    #[test]
    fn both_forms_give_the_same_messages() {
        let json = r#"{"id": "a", "cycle": 0, "from": "0.0", "to": "0.1", "length": 16}
            {"id": "b", "cycle": 5, "from": "0.1", "to": "1.1", "length": 8, "after": "a"}
            {"id": "c", "cycle": 0, "source": "1.1", "destination": "0.0", "length": 4, "after": ["a", "b"]}"#;
        let schedule = MessageSchedule::parse(mesh(), "0.0-0.1:16,5:0.1-1.1:8@1,1.1-0.0:4@1+2").expect("messages");
        assert_eq!(read_messages(mesh(), CSV).as_ref(), Ok(&schedule));
        assert_eq!(read_messages(mesh(), &CSV.replace('\n', "\r\n\r\n")).as_ref(), Ok(&schedule));
        assert_eq!(read_messages(mesh(), json).as_ref(), Ok(&schedule));
        assert_eq!(read_messages(mesh(), &write_messages(mesh(), &schedule)).as_ref(), Ok(&schedule));
    }

    #[test]
    fn messages_without_ids_are_numbered() {
        let text = "source,destination,length,cycle,after\n0.0,0.1,16,0,\n\"0.1\",0.2,16,0,1\n";
        let schedule = read_messages(mesh(), text).expect("messages");
        assert_eq!(schedule.to_text(mesh()), "0.0-0.1:16,0.1-0.2:16@1");
    }

    #[test]
    fn errors_name_the_line_and_the_field() {
        for (text, says) in [
            ("", "no messages; accepted: CSV with a header"),
            ("cycle,source,destination,length", "no messages"),
            ("0,0.0,0.1,16", "line 1: \"0\" is not a column; accepted: cycle, source"),
            ("cycle,source,destination", "line 1: no column length"),
            ("cycle,source,destination,length,from", "line 1: two columns are called source"),
            ("cycle,from,to,length\n0,0.0,0.1", "line 2: 3 fields, but the header has 4"),
            ("cycle,from,to,length\n\n0,0.0,0.9,1", "line 3: destination \"0.9\" is not a node of mesh:4x4"),
            ("cycle,from,to,length\n-1,0.0,0.1,1", "line 2: cycle \"-1\" is not a whole number from 0 to 1000000"),
            ("cycle,from,to,length\n0,0.0,0.1,300", "line 2: length \"300\" is not a whole number from 1 to 256"),
            ("cycle,from,to,length\n0,0.1,0.1,3", "line 2: source and destination are the same node"),
            ("cycle,from,to,length,after\n0,0.0,0.1,3,7", "line 2: after \"7\": no message has this id"),
            ("cycle,from,to,length,after\n0,0.0,0.1,3,1", "line 2: the message comes after itself"),
            (
                "cycle,from,to,length,after\n0,0.0,0.1,3,2\n0,0.1,0.2,3,1",
                "line 2: messages wait for each other: 1 for 2 for 1",
            ),
            ("id,cycle,from,to,length\na,0,0.0,0.1,3\na,0,0.1,0.2,3", "line 3: id \"a\" is already that of line 2"),
            ("{\"cycle\": 0", "line 1: not a JSON object"),
            ("{\"cycle\": 0}", "line 1: no field source"),
            ("{\"cycles\": 0}", "line 1: \"cycles\" is not a field"),
            ("{\"cycle\": true}", "line 1: cycle is neither a number nor a text"),
        ] {
            let error = read_messages(mesh(), text).expect_err(text).to_string();
            assert!(error.contains(says), "{text}: {error}");
        }
    }
}
