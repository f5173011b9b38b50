//! Files that a user opens: experiments, rules, results of Faultlab, and points from elsewhere. The
//! content of a file decides its type, not its name.

use serde::Deserialize;
use std::collections::BTreeMap;

use super::csv_records::records;
use crate::chart::figure::{Curve, CurveStyle, MissingMean};
use crate::picture::scene::Role;
use faultlab_core::routing::rules::RuleText;
use faultlab_experiment::{Experiment, KINDS, Parameter, TextReading, Vary};

/// Maximum size of a file, in bytes. The page reads a file in its main thread, which must not block
/// for long; the results of common sweeps are much smaller.
pub const MAX_BYTES: usize = 10_000_000;

/// Maximum number of points in a file from elsewhere, all of which the chart draws. Curves of Faultlab
/// have as many points as a sweep may have values.
pub const MAX_POINTS: usize = 5000;

/// Maximum number of curves in a file of points.
const MAX_CURVES: usize = 20;

/// Maximum number of curves in results of Faultlab, which have a curve for each algorithm and metric.
const MAX_RESULT_CURVES: usize = 1000;

/// Accepted files, for error messages.
pub const ACCEPTED: &str = "an experiment or a link, rules, CSV or JSON that Measure has saved, or a CSV file of numbers with x \
                            in its first column";

/// Content of a file.
#[derive(Clone, Debug, PartialEq)]
pub enum OpenedFile {
    /// Experiment, with the errors of its text.
    Experiment(Box<TextReading>),
    /// Valid rules.
    Rules(String),
    /// Curves of results or of points.
    Curves(Box<SavedCurves>),
}

/// Curves from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedCurves {
    /// Name of the file.
    pub name: String,
    /// Experiment that measured the curves; `None` for points from elsewhere.
    pub experiment: Option<Experiment>,
    /// Name of the first column of points from elsewhere; empty if it has none.
    pub x_name: String,
    /// Curves.
    pub curves: Vec<SavedCurve>,
}

impl SavedCurves {
    /// Checks that points from elsewhere belong on an x axis: the name of their first column must not
    /// be another parameter of experiments.
    ///
    /// # Errors
    /// Returns both names, and how to open a chart with the axis of the points.
    pub fn check_x_axis(&self, x_axis: &str) -> Result<(), String> {
        let is_named = |parameter: &&Parameter| {
            [parameter.id, parameter.axis].iter().any(|name| name.eq_ignore_ascii_case(&self.x_name))
        };
        let kinds: Vec<(&str, &str)> =
            KINDS.iter().filter_map(|kind| Some((kind.name, kind.parameters.iter().find(is_named)?.axis))).collect();
        let Some(&(_, axis)) = kinds.first() else { return Ok(()) };
        if kinds.iter().any(|(_, axis)| *axis == x_axis) {
            return Ok(());
        }
        let names: Vec<_> = kinds.iter().map(|(name, _)| *name).collect();
        Err(format!(
            "its first column is {}, but the x axis of this chart is {x_axis}; in an experiment with {}, choose {axis} \
             under Vary and open the file again; or name the column x to draw it here",
            self.x_name,
            names.join(" or ")
        ))
    }
}

/// Curve from a file.
#[derive(Clone, Debug, PartialEq)]
pub struct SavedCurve {
    /// Name of the metric in experiment texts; `None` for points from elsewhere.
    pub metric: Option<String>,
    /// Curve.
    pub curve: Curve,
}

/// Recognizes and reads a file.
///
/// # Errors
/// Returns a sentence with the problem and the accepted files.
pub fn open(name: &str, bytes: &[u8]) -> Result<OpenedFile, String> {
    if bytes.len() > MAX_BYTES {
        return Err(too_large(bytes.len() as f64));
    }
    let text = std::str::from_utf8(bytes).ok().filter(|text| !text.contains('\0'));
    let text = text.ok_or_else(|| format!("this is not a text file; accepted: {ACCEPTED}"))?;
    let content = text.trim_start_matches('\u{feff}');
    let text = content.trim();
    if text.is_empty() {
        Err(format!("the file is empty; accepted: {ACCEPTED}"))
    } else if text.starts_with('<') {
        Err(format!("this is a page or a picture: open a saved figure in a browser; accepted: {ACCEPTED}"))
    } else if text.starts_with(['{', '[']) {
        open_json(name, text)
    } else if text.starts_with("# faultlab ") {
        open_faultlab_csv(name, text)
    } else if first_line(text).split_whitespace().next() == Some("routing") {
        RuleText::parse(text).map(|rules| OpenedFile::Rules(rules.text().to_owned())).map_err(|error| error.to_string())
    } else if is_experiment(content) {
        open_experiment(text)
    } else {
        // Blanks at the start are lines to count, or an empty cell before a tab.
        open_points(name, content).map(|saved| OpenedFile::Curves(Box::new(saved)))
    }
}

/// Returns the message about a file of this size, in bytes.
pub fn too_large(size: f64) -> String {
    let megabytes = |bytes: f64| format!("{:.1} MB", bytes / 1e6);
    format!("the file has {}, the maximum is {}", megabytes(size), megabytes(MAX_BYTES as f64))
}

/// Returns the first line that is neither empty nor a comment, with its tabs.
fn first_line(text: &str) -> &str {
    let is_content = |line: &&str| !line.trim().is_empty() && !line.starts_with('#');
    text.lines().map(|line| line.trim_matches(' ')).find(is_content).unwrap_or_default()
}

/// Returns whether a text is an experiment or a link rather than a table.
fn is_experiment(text: &str) -> bool {
    let first = first_line(text);
    let key = first.split_once('=').map_or("", |(key, _)| key.trim());
    let is_known =
        key == "v" || key == "ui" || key.starts_with("ui.") || KINDS.iter().any(|kind| kind.key(key).is_some());
    is_known
        || (first.contains('&') && first.contains('='))
        || first.contains("://")
        || text.trim_start().starts_with("#v=")
        || !first.contains([',', ';', '\t'])
}

/// Reads an experiment, with the errors of its text.
fn open_experiment(text: &str) -> Result<OpenedFile, String> {
    let reading = Experiment::read_text(text);
    match reading.errors.first() {
        _ if !text.contains('=') => Err(format!("the content is not recognized; accepted: {ACCEPTED}")),
        Some(error) if reading.key_count == 0 => Err(format!("{} Accepted: {ACCEPTED}", error.summary())),
        _ => Ok(OpenedFile::Experiment(Box::new(reading))),
    }
}

/// Numbers of the JSON of a sweep, as [`super::json::run`] writes it.
#[derive(Deserialize)]
struct RunFile {
    experiment: String,
    points: Vec<PointFile>,
}

#[derive(Deserialize)]
struct PointFile {
    series: String,
    x: Option<f64>,
    outcome: String,
    metrics: BTreeMap<String, EstimateFile>,
}

#[derive(Deserialize)]
struct EstimateFile {
    mean: Option<f64>,
    ci95: [Option<f64>; 2],
}

/// Part that every JSON object of Faultlab has.
#[derive(Deserialize)]
struct SourceFile {
    experiment: String,
}

/// Reads JSON of Faultlab: the results of a sweep, or the experiment of another document.
fn open_json(name: &str, text: &str) -> Result<OpenedFile, String> {
    if let Ok(run) = serde_json::from_str::<RunFile>(text) {
        let mut results = Results::new(name, &run.experiment)?;
        for point in &run.points {
            for (metric, estimate) in &point.metrics {
                let [low, high] = estimate.ci95;
                results.add(&point.series, metric, point.x, &point.outcome, [estimate.mean, low, high])?;
            }
        }
        return results.into_file();
    }
    // Some documents have an object in each line. All of them name the same experiment.
    match serde_json::Deserializer::from_str(text).into_iter::<SourceFile>().next() {
        Some(Ok(source)) => open_experiment(&source.experiment),
        Some(Err(error)) if !error.is_data() => Err(format!("this JSON is damaged: {error}; save it again")),
        _ => Err(format!("this JSON is not from Faultlab; accepted: {ACCEPTED}")),
    }
}

/// Reads a CSV file that starts with the lines of its source.
fn open_faultlab_csv(name: &str, text: &str) -> Result<OpenedFile, String> {
    let mut experiments =
        text.lines().map_while(|line| line.strip_prefix("# ")).filter_map(|line| line.strip_prefix("experiment "));
    let experiment = experiments.next().ok_or("the line \"# experiment\" is missing; save the file again")?;
    if experiments.next().is_some() {
        return Err(format!("this file has results of several experiments; accepted: {ACCEPTED}"));
    }
    let mut lines = records(text, ',');
    let (_, head) = lines.next().ok_or("the file has no table; save it again")?;
    let column = |name: &str| head.iter().position(|cell| cell == name);
    let columns = ["series", "metric", "x", "outcome", "mean", "ci95_low", "ci95_high"].map(column);
    let [Some(series), Some(metric), Some(x), Some(outcome), Some(mean), Some(low), Some(high)] = columns else {
        // Other tables, such as histograms, cannot be laid over a chart.
        return open_experiment(experiment);
    };
    let mut results = Results::new(name, experiment)?;
    for (number, cells) in lines {
        let cell = |column: usize| cells.get(column).map_or("", String::as_str);
        let value = |column: usize| number_in(cell(column), number, column, false);
        let estimate = [value(mean)?, value(low)?, value(high)?];
        results.add(cell(series), cell(metric), value(x)?, cell(outcome), estimate)?;
    }
    results.into_file()
}

/// Results of a file while they are read.
struct Results {
    saved: SavedCurves,
    reading: TextReading,
    /// Indices of the curves, by series and metric.
    places: BTreeMap<String, BTreeMap<String, usize>>,
}

impl Results {
    /// Starts with the experiment of the file, whose text must be valid.
    fn new(name: &str, experiment: &str) -> Result<Self, String> {
        let reading = Experiment::read_text(experiment);
        if let Some(error) = reading.errors.first() {
            return Err(format!("the experiment in the file cannot be read: {error}"));
        }
        let experiment = Some(reading.experiment.clone());
        Ok(Self {
            saved: SavedCurves { name: name.to_owned(), experiment, x_name: String::new(), curves: Vec::new() },
            reading,
            places: BTreeMap::new(),
        })
    }

    /// Adds a point; `estimate` is the mean with the ends of its interval. Unfinished points, and
    /// points without x, are not part of a curve.
    fn add(
        &mut self,
        series: &str,
        metric: &str,
        x: Option<f64>,
        outcome: &str,
        [mean, low, high]: [Option<f64>; 3],
    ) -> Result<(), String> {
        let Some(x) = x.filter(|_| !matches!(outcome, "running" | "cancelled")) else { return Ok(()) };
        let curve = self.curve(series, metric)?;
        if curve.points.len() + curve.marks.len() >= Vary::MAX_VALUES as usize {
            return Err(format!("{series} has more than {} values of {metric}; save the file again", Vary::MAX_VALUES));
        }
        match mean {
            Some(mean) => curve.points.push((x, mean)),
            None => curve.marks.extend(missing_mean(outcome).map(|mark| (x, mark))),
        }
        if let (Some(_), Some(low), Some(high)) = (mean, low, high) {
            curve.intervals.push((x, low, high));
        }
        Ok(())
    }

    /// Returns the curve of a series and a metric, which it adds if it is missing.
    fn curve(&mut self, series: &str, metric: &str) -> Result<&mut Curve, String> {
        let known = self.places.get(series).and_then(|metrics| metrics.get(metric)).copied();
        let place = match known {
            Some(place) => place,
            None if self.saved.curves.len() >= MAX_RESULT_CURVES => {
                return Err(format!(
                    "the file has more than {MAX_RESULT_CURVES} curves, the maximum, one for each series and metric; \
                     save the results of fewer algorithms"
                ));
            }
            None => self.add_curve(series, metric),
        };
        Ok(&mut self.saved.curves[place].curve)
    }

    /// Adds an empty curve and returns its index.
    fn add_curve(&mut self, series: &str, metric: &str) -> usize {
        let routing = &self.reading.experiment.routing;
        let index = routing.iter().position(|algorithm| algorithm.id == series);
        let name = index.map_or_else(|| series.to_owned(), |index| routing[index].name.to_string());
        let curve = empty_curve(name, Role::Series(index.unwrap_or(0) as u8), CurveStyle::Kept);
        let place = self.saved.curves.len();
        self.saved.curves.push(SavedCurve { metric: Some(metric.to_owned()), curve });
        self.places.entry(series.to_owned()).or_default().insert(metric.to_owned(), place);
        place
    }

    /// Returns the curves, or only the experiment if the file has no curves.
    fn into_file(mut self) -> Result<OpenedFile, String> {
        if self.saved.curves.is_empty() {
            return Ok(OpenedFile::Experiment(Box::new(self.reading)));
        }
        self.saved.curves.iter_mut().for_each(|saved| sort(&mut saved.curve));
        Ok(OpenedFile::Curves(Box::new(self.saved)))
    }
}

/// Counts a point, unless there are too many.
fn count_point(count: &mut usize) -> Result<(), String> {
    *count += 1;
    if *count > MAX_POINTS {
        return Err(format!("the file has more than {MAX_POINTS} points, the maximum; remove some"));
    }
    Ok(())
}

fn empty_curve(name: String, role: Role, kind: CurveStyle) -> Curve {
    let (points, intervals, marks) = (Vec::new(), Vec::new(), Vec::new());
    Curve { name, role, dash: 0, points, intervals, marks, kind }
}

/// Sorts a curve by ascending x.
fn sort(curve: &mut Curve) {
    curve.points.sort_by(|a, b| a.0.total_cmp(&b.0));
    curve.intervals.sort_by(|a, b| a.0.total_cmp(&b.0));
    curve.marks.sort_by(|a, b| a.0.total_cmp(&b.0));
}

/// Returns the mark of an outcome without a mean.
fn missing_mean(outcome: &str) -> Option<MissingMean> {
    match outcome {
        "unstable" => Some(MissingMean::Unstable),
        "deadlocked" => Some(MissingMean::Deadlocked),
        _ => None,
    }
}

/// Reads a table of numbers: x in the first column, the y values of a curve in each other column.
/// Names of the columns may precede the numbers.
fn open_points(name: &str, text: &str) -> Result<SavedCurves, String> {
    let first = first_line(text);
    let separator = ['\t', ';', ','].into_iter().find(|&separator| first.contains(separator)).unwrap_or(',');
    // In a table with another separator, commas may be decimal commas.
    let has_decimal_commas = separator != ',';
    let mut rows = records(text, separator).peekable();
    let parse = |cell: &str| parse_number(cell, has_decimal_commas);
    let head = rows.peek().map_or(Vec::new(), |(_, cells)| cells.clone());
    let is_head = !head.iter().any(|cell| parse(cell).is_some());
    if is_head {
        rows.next();
    }
    let columns = head.len();
    if !(2..=MAX_CURVES + 1).contains(&columns) {
        return Err(format!("the first line has {columns} columns; accepted: x, and 1 to {MAX_CURVES} columns of y"));
    }
    if rows.peek().is_none() {
        return Err("the file has no numbers; accepted: lines such as 0.1,35.2 with x first".to_owned());
    }
    let curve_name = |column: usize| match (is_head && !head[column].is_empty(), columns) {
        (true, _) => head[column].clone(),
        (false, 2) => name.to_owned(),
        (false, _) => format!("{name}, column {}", column + 1),
    };
    let curve =
        |column| SavedCurve { metric: None, curve: empty_curve(curve_name(column), Role::Ink, CurveStyle::Apart) };
    let mut curves: Vec<SavedCurve> = (1..columns).map(curve).collect();
    let mut count = 0;
    for (line, cells) in rows {
        let value =
            |column: usize| number_in(cells.get(column).map_or("", String::as_str), line, column, has_decimal_commas);
        if cells.len() > columns {
            return Err(format!("line {line} has {} columns, the first line has {columns}", cells.len()));
        }
        let x = value(0)?.ok_or_else(|| format!("line {line}: x, the first column, is empty"))?;
        for (column, saved) in (1..columns).zip(&mut curves) {
            if let Some(y) = value(column)? {
                count_point(&mut count)?;
                saved.curve.points.push((x, y));
            }
        }
    }
    curves.retain(|saved| !saved.curve.points.is_empty());
    curves.iter_mut().for_each(|saved| sort(&mut saved.curve));
    if curves.is_empty() {
        return Err("every y value is empty; accepted: lines such as 0.1,35.2 with x first".to_owned());
    }
    let x_name = if is_head { head[0].trim().to_owned() } else { String::new() };
    Ok(SavedCurves { name: name.to_owned(), experiment: None, x_name, curves })
}

/// Largest absolute value of a number. Ranges of axes stay finite.
const MAX_VALUE: f64 = 1e15;

/// Parses a number of at most [`MAX_VALUE`], whose decimal sign may be a comma.
fn parse_number(cell: &str, has_decimal_commas: bool) -> Option<f64> {
    let value = if has_decimal_commas { cell.replace(',', ".").parse() } else { cell.parse() };
    value.ok().filter(|value: &f64| value.abs() <= MAX_VALUE)
}

/// Parses the cell in a line, counted from 1, and a column, counted from 0; an empty cell is `None`.
fn number_in(cell: &str, line: usize, column: usize, has_decimal_commas: bool) -> Result<Option<f64>, String> {
    if cell.is_empty() {
        return Ok(None);
    }
    let problem = || {
        let shown: String = cell.chars().take(40).collect();
        format!("line {line}, column {}: \"{shown}\" is not a number; correct it or leave it empty", column + 1)
    };
    parse_number(cell, has_decimal_commas).map(Some).ok_or_else(problem)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{csv, json, table};
    use faultlab_experiment::{Sweep, run};

    const TEXT: &str = "net=cube:4&faults=nodes:0.1&route=random,sidetracking&vary=p:0.1,0.3&within=0.1";

    fn curves(name: &str, text: &str) -> SavedCurves {
        match open(name, text.as_bytes()) {
            Ok(OpenedFile::Curves(curves)) => *curves,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn csv_and_json_of_a_sweep_have_the_same_curves() {
        let mut sweep = Sweep::new(&TEXT.parse().unwrap());
        run(&mut sweep);
        let mut csv = curves("a", &csv::csv(&table::table(&sweep)));
        let mut json = curves("a", &json::run(&sweep));
        let key = |saved: &SavedCurve| (saved.metric.clone(), saved.curve.name.clone());
        csv.curves.sort_by_key(key);
        json.curves.sort_by_key(key);
        // JSON numbers are read with an error of the last bit.
        let rounded =
            |saved: &SavedCurve| -> Vec<_> { saved.curve.points.iter().map(|(x, y)| format!("{x} {y:.9}")).collect() };
        assert!(csv.curves.iter().map(key).eq(json.curves.iter().map(key)));
        assert!(csv.curves.iter().map(rounded).eq(json.curves.iter().map(rounded)));
        assert_eq!(csv.experiment, json.experiment);
        assert_eq!(csv.experiment.as_ref(), Some(sweep.experiment()));
        let success = csv.curves.iter().find(|saved| saved.metric.as_deref() == Some("success")).unwrap();
        assert_eq!(success.curve.name, "random, local");
        assert_eq!(success.curve.points.iter().map(|point| point.0).collect::<Vec<_>>(), [0.1, 0.3]);
        let estimate = sweep.points()[0].estimate(sweep.experiment().kind().first_metric()).unwrap();
        assert_eq!(success.curve.points[0].1, estimate.mean);
        assert_eq!(success.curve.intervals[0], (0.1, estimate.low, estimate.high));
    }

    /// The numbers of a map of more than a thousand nodes, in all metrics, are more than a file from
    /// elsewhere may have.
    #[test]
    fn results_of_a_long_sweep_are_opened() {
        let text = "switch=wormhole&net=mesh:32x32&route=e-cube,west-first&vary=at:0..1023:1024";
        let sweep = Sweep::new(&text.parse().unwrap());
        let metrics = sweep.experiment().kind().metrics;
        let head = csv::source_header([sweep.experiment()]);
        let mut file = head + "series,x,outcome,metric,mean,ci95_low,ci95_high\n";
        for point in sweep.points() {
            let (id, x) = (&point.algorithm.id, point.x.unwrap());
            file.extend(metrics.iter().map(|metric| format!("{id},{x},converged,{},1.5,1.25,1.75\n", metric.id)));
        }
        let saved = curves("a.csv", &file);
        assert_eq!(saved.curves.len(), 2 * metrics.len());
        assert!(saved.curves.iter().all(|saved| saved.curve.points.len() == 1024));
        assert!(1024 * saved.curves.len() > MAX_POINTS);
    }

    #[test]
    fn experiments_links_and_rules_are_recognized_by_content() {
        for text in [
            "net=cube:4\n# a comment\nseed=3",
            "https://example.org/#v=1&net=cube:4&seed=3",
            "\u{feff}# mine\nnet=cube:4&seed=3&rout=e-cube",
        ] {
            let Ok(OpenedFile::Experiment(reading)) = open("a", text.as_bytes()) else { panic!("{text}") };
            assert_eq!(reading.experiment.to_string(), "v=1&net=cube:4&seed=3");
            assert_eq!(reading.errors.len(), usize::from(text.contains("rout")));
        }
        let lines = "{\"experiment\": \"v=1&net=cube:4\"}\n{\"experiment\": \"v=1&net=cube:4\"}\n";
        assert!(matches!(open("a", lines.as_bytes()), Ok(OpenedFile::Experiment(_))));
        let rules = "# a comment\nrouting mine on cube\nalways take wrong";
        assert_eq!(open("a", rules.as_bytes()), Ok(OpenedFile::Rules(rules.to_owned())));
        assert!(open("a", b"routing mine on cube\nalways tkae wrong").unwrap_err().contains("did you mean take"));
    }

    #[test]
    fn points_have_names_from_their_header_or_file() {
        let own = curves("mine.csv", "load,BookSim,\"other, one\"\n0.2,30,\n0.1,20.5,25\n");
        let names: Vec<_> = own.curves.iter().map(|saved| saved.curve.name.as_str()).collect();
        assert_eq!(names, ["BookSim", "other, one"]);
        assert_eq!(own.curves[0].curve.points, [(0.1, 20.5), (0.2, 30.0)]);
        assert_eq!(own.curves[1].curve.points, [(0.1, 25.0)]);
        // The name of the first column may be empty or contain `&`.
        for head in ["\tmine", "A & B\tmine"] {
            let table = curves("mine.tsv", &format!("{head}\n0.1\t20.5\n"));
            assert_eq!((table.curves[0].curve.name.as_str(), table.curves.len()), ("mine", 1), "{head}");
        }
        let german = curves("mine.csv", "0,1;20,5\r\n0,2;30\r\n");
        assert_eq!((german.curves[0].curve.name.as_str(), german.curves[0].curve.points[0]), ("mine.csv", (0.1, 20.5)));
    }

    #[test]
    fn bad_files_are_refused_with_a_reason() {
        let many = "1,2\n".repeat(MAX_POINTS + 1);
        let mut series =
            "# faultlab 1.0.0\n# experiment net=cube:4\nseries,x,outcome,metric,mean,ci95_low,ci95_high\n".to_owned();
        series.extend((0..=MAX_RESULT_CURVES).map(|number| format!("s{number},0.1,converged,success,0.5,0.4,0.6\n")));
        for (bytes, said) in [
            (&b""[..], "the file is empty; accepted: "),
            (b"\x89PNG\r\n\x1a\n\0", "not a text file"),
            (b"<!doctype html>\n<html>", "open a saved figure in a browser"),
            (b"{\"a\": 1}", "not from Faultlab"),
            (b"{\"experiment\": ", "damaged"),
            (b"# faultlab 1.0.0\nseries,x\n", "\"# experiment\" is missing"),
            (b"# faultlab 1.0.0\n# experiment net=cube:99\nseries,x\n", "at most 64 dimensions"),
            (b"hello world", "not recognized"),
            (b"x,y\n1,2\n2,abc\n", "line 3, column 2: \"abc\" is not a number"),
            (b"x,y\n1,2,3\n", "line 2 has 3 columns"),
            (b"\n\nx,y\n1,2,3\n", "line 4 has 3 columns"),
            (b"x,y\n,2\n", "line 2: x, the first column, is empty"),
            (b"x,y\n", "no numbers"),
            (many.as_bytes(), "more than 5000 points"),
            (series.as_bytes(), "more than 1000 curves"),
        ] {
            let error = open("a", bytes).unwrap_err();
            assert!(error.contains(said), "{error}");
        }
        assert_eq!(
            open("a", &vec![b'1'; MAX_BYTES + 100_000]),
            Err("the file has 10.1 MB, the maximum is 10.0 MB".into())
        );
    }
}
