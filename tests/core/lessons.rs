//! Tests of the lessons: every figure can be drawn, every link leads to an experiment, and every
//! number in the prose agrees with its experiment.
#![cfg(not(target_arch = "wasm32"))]

// Share the parser with the renderer. xtask itself is compiled without the library.
#[path = "../../xtask/src/lessons/text/mod.rs"]
mod text;

use std::collections::HashMap;
use std::fs;
use std::path::Path;

use faultlab::experiment::{Comparison, Experiment, Sweep, Tab, compare};
use faultlab::report::document::Document;
use faultlab::report::files::json;
use faultlab::report::kinds::{new_watch, proved, route_writer};
use faultlab::report::picture::geometry::Size;
use faultlab::report::watch::{ViewState, Watch};
use serde_json::Value;

use crate::common::{is_thorough, run};
use text::figure::LessonFigure;
use text::link::{PrintedNumber, Reading, SourceCommand};
use text::{Lesson, LessonClaim, LessonPart};

/// Returns the texts of all lessons with their file names.
fn texts() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("lessons");
    let names = fs::read_dir(&folder).expect("lessons").map(|entry| entry.expect("a file").file_name());
    let mut names: Vec<_> = names.map(|name| name.into_string().expect("a name in UTF-8")).collect();
    names.retain(|name| name.strip_suffix(".md").and_then(text::address).is_some());
    names.sort();
    names
        .into_iter()
        .map(|name| (fs::read_to_string(folder.join(&name)).expect("a text"), name))
        .map(|(text, name)| (name, text))
        .collect()
}

/// Runs `check` on all parts of the lessons and returns the problems, each with its line.
fn problems(check: &mut impl FnMut(&LessonPart<'_>) -> Result<(), (usize, String)>) -> Vec<String> {
    let mut found = Vec::new();
    for (name, text) in texts() {
        match text::read(&text) {
            Ok(Lesson { parts, .. }) => {
                let wrong = parts.iter().filter_map(|part| check(part).err());
                found.extend(wrong.map(|(line, about)| format!("{name}:{line}: {about}")));
            }
            Err(wrong) => found.extend(wrong.iter().map(|wrong| format!("{name}:{}: {}", wrong.line, wrong.about))),
        }
    }
    found
}

/// Parses an experiment and checks that it can be run.
fn parse_feasible(text: &str) -> Result<Experiment, String> {
    let experiment: Experiment = text.parse().map_err(|error| format!("{text}: {error}"))?;
    // The feasibility of enumerating all fault sets is known only after an attempt, so it is not
    // checked here.
    if experiment.setting.message().is_some_and(|setting| setting.all_sets) {
        return Ok(experiment);
    }
    experiment.check_feasible().map_err(|why| format!("{text}: nothing of it can be run: {why}"))?;
    Ok(experiment)
}

/// Returns a player of an experiment at its opening time.
fn play(experiment: &Experiment) -> Option<Box<dyn Watch>> {
    let mut play = new_watch(experiment)?;
    let mut shown = ViewState::default();
    let opens = play.begin(None, &mut shown);
    let time = experiment.view.time.unwrap_or(opens);
    play.seek(time);
    while play.work() {}
    play.seek(time);
    while !play.is_ready() {
        play.work();
    }
    Some(play)
}

#[test]
fn there_are_eight_lessons_two_of_them_a_whole_class() {
    let texts = texts();
    let minutes = texts.iter().filter_map(|(_, text)| text::read(text).ok()).map(|lesson| lesson.minutes);
    assert!(texts.len() >= 8 && minutes.filter(|minutes| *minutes == 45).count() >= 2);
}

#[test]
fn every_figure_can_be_drawn() {
    let problems = problems(&mut |part| match part {
        LessonPart::Figure(figure) => drawn(figure).map_err(|problem| (figure.line, problem)),
        _ => Ok(()),
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn drawn(figure: &LessonFigure) -> Result<(), String> {
    let experiment = parse_feasible(&figure.experiment)?;
    let named = figure.attributes.iter().find(|(name, _)| *name == "view").map(|(_, value)| value.as_str());
    let tab = match named {
        None => experiment.view.tab,
        Some("watch") => Tab::Watch,
        Some("measure") => Tab::Measure,
        Some("check") => Tab::Check,
        Some(other) => return Err(format!("no view {other}")),
    };
    match tab {
        Tab::Watch => {
            let play = play(&experiment).ok_or("nothing of it can be watched")?;
            let time = experiment.view.time.unwrap_or(0.0);
            if time > play.end() {
                return Err(format!("it opens at {time}, and ends at {}", play.end()));
            }
            let scene = (0..play.panels())
                .all(|panel| play.draw(panel, Size::new(480.0, 320.0), &ViewState::default()).is_some());
            if scene { Ok(()) } else { Err("it has no picture".into()) }
        }
        Tab::Check => proved(&experiment, false).map(drop).map_err(|error| error.to_string()),
        // A whole sweep may take long; its first task shows that it can be run.
        Tab::Measure | Tab::Papers => {
            let mut sweep = Sweep::new(&experiment);
            let task = sweep.next_task().ok_or("nothing of it can be measured")?;
            let sampler = Sweep::sampler(sweep.experiment(), task.slot);
            let tally = sampler.ok_or("it has no such point")?.run(task.first, task.count);
            sweep.submit(task, &tally);
            sweep.check_measured().map_err(|why| why.to_string())
        }
    }
}

#[test]
fn every_link_leads_to_an_experiment() {
    let problems = problems(&mut |part| match part {
        LessonPart::Claim(claim) => {
            parse_feasible(&claim.experiment).map(drop).map_err(|problem| (claim.line, problem))
        }
        _ => Ok(()),
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

#[test]
fn every_number_is_what_its_experiment_gives() {
    let mut answers = Answers::default();
    // Number the experiments in lesson order. A thorough run takes all of them, other runs every
    // third one.
    let (mut experiments, step) = (Vec::new(), if is_thorough() { 1 } else { 3 });
    let mut is_taken = |experiment: &String| {
        let place = experiments.iter().position(|other| other == experiment).unwrap_or(experiments.len());
        if place == experiments.len() {
            experiments.push(experiment.clone());
        }
        place % step == 0
    };
    let problems = problems(&mut |part| match part {
        LessonPart::Claim(LessonClaim { line, experiment, text, reading: Some(reading) }) if is_taken(experiment) => {
            answers.compare(experiment, text, reading).map_err(|problem| (*line, problem))
        }
        _ => Ok(()),
    });
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

/// Cache of the results of commands.
#[derive(Default)]
struct Answers(HashMap<(SourceCommand, String, String), Vec<Value>>);

/// Computed value, with the half-width of its interval.
struct Measured {
    value: Value,
    half_width: Option<f64>,
}

impl Answers {
    fn compare(&mut self, experiment: &str, text: &str, reading: &Reading) -> Result<(), String> {
        let about = |what: &str| format!("\"{text}\", {experiment}, {reading:?}: {what}");
        let experiment = parse_feasible(experiment)?;
        let found = match reading.source {
            SourceCommand::Watch => watched(&experiment, reading),
            _ => self.read(&experiment, reading),
        };
        let Measured { value, half_width } = found.map_err(|what| about(&what))?;
        let computed = match &value {
            Value::String(word) => word.clone(),
            other => other.to_string(),
        };
        if let Some(said) = &reading.value {
            return if *said == computed { Ok(()) } else { Err(about(&format!("it is {computed}"))) };
        }
        let printed = PrintedNumber::parse(text)?;
        let number = value
            .as_f64()
            .or_else(|| computed.parse().ok())
            .ok_or_else(|| about(&format!("{computed} is no number")))?;
        if !printed.agrees_with(number) {
            return Err(about(&format!("it is {number}")));
        }
        match half_width {
            _ if printed.half_width.is_none() => Ok(()),
            Some(width) if printed.agrees_with_half_width(width) => Ok(()),
            width => Err(about(&format!("half of the interval is {width:?}"))),
        }
    }

    fn read(&mut self, experiment: &Experiment, reading: &Reading) -> Result<Measured, String> {
        let (metric, field) = match (reading.source, reading.key.split_once('.')) {
            (SourceCommand::Compare, Some((metric, field))) => (metric, Some(field)),
            _ => ("", None),
        };
        let key = (reading.source, metric.to_owned(), experiment.to_string());
        if !self.0.contains_key(&key) {
            let lines = command_json(experiment, reading.source, metric)?;
            let lines = lines.lines().map(serde_json::from_str).collect::<Result<Vec<Value>, _>>();
            self.0.insert(key.clone(), lines.map_err(|error| error.to_string())?);
        }
        let lines = &self.0[&key];
        let points = match reading.source {
            SourceCommand::Run => lines[0]["points"].as_array().ok_or("no points")?,
            _ => lines,
        };
        let first = experiment.routing.first().map(|route| route.id.to_string());
        let series = |point: &&Value| match &reading.route {
            Some(route) => point["series"] == route.as_str(),
            // A comparison is between the first routing and another. Facts of a fat-tree and its
            // messages belong to no algorithm.
            None => {
                !matches!(reading.source, SourceCommand::Run)
                    || Some(point["series"].as_str().unwrap_or("")) == first.as_deref()
            }
        };
        let at = |point: &&Value| {
            reading.x.is_none_or(|x| point["x"].as_f64().is_some_and(|other| (other - x).abs() < 1e-9))
        };
        let points: Vec<&Value> = points.iter().filter(series).filter(at).collect();
        if reading.source == SourceCommand::Run && points.len() != 1 {
            return Err(format!("{} points fit; say which by @X and of ROUTE", points.len()));
        }
        let field = field.unwrap_or(&reading.key);
        let found = points.iter().find_map(|point| value_at_path(point, reading.source, field));
        found.ok_or_else(|| format!("no {field} in {}", points.first().map_or(String::new(), |point| keys(point))))
    }
}

/// Returns the names in an object, for error messages.
fn keys(value: &Value) -> String {
    let object = value.get("metrics").unwrap_or(value).as_object();
    object.map_or(String::new(), |object| object.keys().cloned().collect::<Vec<_>>().join(", "))
}

/// Returns the JSON output of a command.
fn command_json(experiment: &Experiment, source: SourceCommand, metric: &str) -> Result<String, String> {
    match source {
        SourceCommand::Run => {
            let mut sweep = Sweep::new(experiment);
            run(&mut sweep);
            Ok(json::run(&sweep))
        }
        SourceCommand::Compare => {
            let metric = experiment.kind().metric(metric).ok_or_else(|| format!("no metric {metric}"))?;
            let mut comparison = Comparison::new(experiment, metric).map_err(|error| error.to_string())?;
            compare(&mut comparison);
            Ok(comparison.json())
        }
        SourceCommand::Check => {
            let found = proved(experiment, true);
            found.map(|found| found.json()).map_err(|error| error.to_string())
        }
        SourceCommand::Route | SourceCommand::Watch => {
            let route = route_writer(experiment).ok_or("no message is followed by itself")?;
            route(experiment).map(|routes| routes.json()).map_err(|error| error.to_string())
        }
    }
}

/// Returns the value at a dotted path.
fn value_at_path(point: &Value, source: SourceCommand, path: &str) -> Option<Measured> {
    if source == SourceCommand::Run && path != "outcome" {
        let (metric, field) = path.split_once('.').unwrap_or((path, "mean"));
        let metric = point["metrics"].get(metric)?;
        let ends = [&metric["ci95"][0], &metric["ci95"][1]].map(Value::as_f64);
        let value = match field {
            "low" => metric["ci95"].get(0)?,
            "high" => metric["ci95"].get(1)?,
            field => metric.get(field)?,
        };
        let half_width = if let [Some(low), Some(high)] = ends { Some((high - low) / 2.0) } else { None };
        return Some(Measured { value: value.clone(), half_width });
    }
    // A part of the path that is not a field is the name of a row of facts.
    let rows = point.get("rows");
    let first = path.split('.').next()?;
    let mut value = if point.get(first).is_some() { point } else { rows? }.clone();
    for step in path.split('.') {
        value = match &value {
            Value::Array(list) if step == "count" => list.len().into(),
            Value::Array(list) => match step.parse::<usize>() {
                Ok(index) => list.get(index)?.clone(),
                Err(_) => list.iter().find(|row| row["item"] == step)?.clone(),
            },
            other => other.get(step)?.clone(),
        };
    }
    // A row represents its measured value.
    let value = value.get("measured").cloned().unwrap_or(value);
    let half_width = point
        .get(format!("{path}_low"))
        .and_then(Value::as_f64)
        .zip(point.get(format!("{path}_high")).and_then(Value::as_f64));
    Some(Measured { value, half_width: half_width.map(|(low, high)| (high - low) / 2.0) })
}

/// Returns a row of the counts beside the picture at its opening time, or the time of an event.
fn watched(experiment: &Experiment, reading: &Reading) -> Result<Measured, String> {
    let play = play(experiment).ok_or("nothing of it can be watched")?;
    let at = match &reading.route {
        None => 0,
        Some(route) => experiment.routing.iter().position(|other| other.id == *route).ok_or("no such routing")?,
    };
    let rows = play.counts();
    let row = rows.iter().find(|(name, _)| *name == reading.key).and_then(|(_, values)| values.get(at)).cloned();
    let events = play.events();
    let event = || events.iter().find(|event| event.description == reading.key).map(|event| event.time);
    let value = row.map(Value::from).or_else(|| event().map(Value::from));
    value.map(|value| Measured { value, half_width: None }).ok_or_else(|| {
        let names = rows
            .iter()
            .map(|(name, _)| (*name).to_owned())
            .chain(events.iter().map(|event| event.description.to_string()));
        format!("neither a row nor an event; there are {}", names.collect::<Vec<_>>().join(", "))
    })
}
