//! Input of experiments: from a text, link, preset, file or standard input.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use flate2::read::MultiGzDecoder;

use faultlab::api;
use faultlab::experiment::figure_options::FigureOptions;
use faultlab::experiment::{Experiment, Infeasible};
use faultlab::traffic::TrafficMatrix;

use crate::arguments::InputArgs;
use crate::output::{CliError, note};
use crate::output_target::check_distinct_files;

/// Maximum number of bytes that are read from a file; the library reports texts that are too long.
const MAX_BYTES: u64 = 1 << 20;

/// Maximum number of bytes that are read from a file of messages, after decompression.
const MAX_MESSAGE_BYTES: u64 = 1 << 22;

/// Reads the experiment of the arguments, with the rules of `--rules`, the traffic of `--matrix` and
/// the messages of `--messages`.
pub(crate) fn experiment(given: &InputArgs) -> Result<Experiment, CliError> {
    let mut experiment = experiment_with_rules(given)?;
    if let Some(path) = &given.matrix {
        experiment = with_matrix(&experiment, path)?;
    }
    if let Some(path) = &given.messages {
        experiment = with_messages(&experiment, path)?;
    }
    Ok(experiment)
}

/// Returns the experiment with the messages of a file.
fn with_messages(experiment: &Experiment, path: &Path) -> Result<Experiment, CliError> {
    let bad = |message: String| CliError::BadInput(format!("--messages {}: {message}", path.display()));
    let text = File::open(path).and_then(read_messages).map_err(|error| bad(error.to_string()))?;
    if text.len() as u64 == MAX_MESSAGE_BYTES {
        return Err(bad(format!("too long; accepted: less than {MAX_MESSAGE_BYTES} bytes")));
    }
    api::with_messages(experiment, &text).map_err(bad)
}

/// Returns the experiment with the traffic matrix of a file.
fn with_matrix(experiment: &Experiment, path: &Path) -> Result<Experiment, CliError> {
    let bad = |why: &dyn Display| CliError::BadInput(format!("--matrix {}: {why}", path.display()));
    let traffic = experiment.kind().key("traffic").and_then(|key| key.value(experiment));
    if traffic.is_some_and(|traffic| traffic != "uniform") {
        return Err(bad(&"the experiment already has traffic; omit the key traffic"));
    }
    let csv = File::open(path).and_then(read).map_err(|error| bad(&error))?;
    let matrix = TrafficMatrix::from_csv(&csv).map_err(|error| bad(&error))?;
    experiment.with_key("traffic", &matrix.to_string()).map_err(|error| bad(&error))
}

/// Reads the messages of a file up to the size limit, and decompresses them if it is compressed.
fn read_messages(source: impl Read) -> io::Result<String> {
    let mut bytes = Vec::new();
    source.take(MAX_MESSAGE_BYTES).read_to_end(&mut bytes)?;
    let mut text = String::new();
    match bytes.starts_with(&[0x1f, 0x8b]) {
        true => MultiGzDecoder::new(bytes.as_slice()).take(MAX_MESSAGE_BYTES).read_to_string(&mut text)?,
        false => bytes.as_slice().read_to_string(&mut text)?,
    };
    Ok(text)
}

/// Reads the experiment of the arguments, with the rules of `--rules`.
fn experiment_with_rules(given: &InputArgs) -> Result<Experiment, CliError> {
    let bad = |message: String| CliError::BadInput(message);
    let file =
        |path: &Path| File::open(path).and_then(read).map_err(|error| bad(format!("file {}: {error}", path.display())));
    let rules = given.rules.as_deref().map(file).transpose()?;
    let parse = |text: &str| parse(text, rules.as_deref());
    let given = given.experiment.as_str();
    if given == "-" {
        let text = read(io::stdin().lock()).map_err(|error| bad(format!("standard input: {error}")))?;
        return parse(&text).map_err(|problem| bad(format!("standard input: {problem}")));
    }
    if given.starts_with("preset:") {
        return parse(given).map_err(bad);
    }
    // Special files that can be read, such as a named pipe, are accepted too.
    if Path::new(given).metadata().is_ok_and(|found| !found.is_dir()) {
        let text = file(Path::new(given))?;
        return parse(&text).map_err(|problem| bad(format!("file {given}: {problem}")));
    }
    if !given.contains('=') && !given.contains("://") {
        return Err(bad(format!(
            "{given:?} is neither an experiment nor an existing file; accepted: KEY=VALUE pairs joined by & (faultlab \
             help experiment), a page link, preset:ID, a file, or - for standard input"
        )));
    }
    parse(given).map_err(bad)
}

/// Refuses to write the file of an option over a file from which the experiment is read.
pub(crate) fn refuse_overwriting(given: &InputArgs, written: (&str, &Path)) -> Result<(), CliError> {
    let experiment = Path::new(&given.experiment);
    if experiment.is_file() {
        check_distinct_files(written, ("EXPERIMENT", experiment))?;
    }
    for (option, path) in [("--messages", &given.messages), ("--matrix", &given.matrix)] {
        if let Some(path) = path {
            check_distinct_files(written, (option, path))?;
        }
    }
    given.rules.as_deref().map_or(Ok(()), |rules| check_distinct_files(written, ("--rules", rules)))
}

/// Reads the experiment of the arguments, like [`experiment`]. Returns an error if none of it can
/// be run.
pub(crate) fn feasible_experiment(given: &InputArgs) -> Result<Experiment, CliError> {
    api::require_feasible(experiment(given)?).map_err(CliError::BadInput)
}

/// Returns the error that nothing of `experiment` can be run, with the reason `why`.
pub(crate) fn infeasible_failure(experiment: &Experiment, why: &Infeasible) -> CliError {
    CliError::BadInput(api::infeasible_message(experiment, why))
}

/// Reads text up to the size limit.
fn read(source: impl Read) -> io::Result<String> {
    let mut text = String::new();
    source.take(MAX_BYTES).read_to_string(&mut text)?;
    Ok(text)
}

fn parse(text: &str, rules: Option<&str>) -> Result<Experiment, String> {
    // Options of a figure do not affect results: problems with them are reported as notes only.
    FigureOptions::from_text(text).1.iter().for_each(|remark| note(&format!("note: {remark}")));
    let experiment = api::experiment(text, rules)?;
    for warning in experiment.rules.iter().flat_map(|rules| rules.warnings()) {
        note(&format!("note: rules, line {}: {}", warning.line, warning.problem));
    }
    Ok(experiment)
}
