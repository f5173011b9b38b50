//! Commands `run` and `papers`: parallel sweeps, with progress.

use std::fmt::Write as _;

use faultlab::experiment::journal::JournalHeader;
use faultlab::experiment::worm::check_channels;
use faultlab::experiment::{Experiment, Shard, Sweep};
use faultlab::papers::{Item, PaperValue, ROWS, Verdict, errata_of, items, papers as all_papers};
use faultlab::report::chart::print::{Print, PrintOptions};
use faultlab::report::errata::Errata;
use faultlab::report::files::{csv, json, table};
use faultlab::report::paper_rows::PaperRows;
use faultlab::report::source_note;
use faultlab::report::sweep_charts::caption::Caption;
use faultlab::report::sweep_charts::panels::{panels, printable_figures};
use faultlab::report::wording::formula::plain;
use faultlab::report::wording::numbers::fixed;
use faultlab::report::worm::channels;

use crate::arguments::{OutputArgs, PapersArgs, RunArgs};
use crate::output::{CliError, print, print_document};
use crate::output_target::{OutputTarget, check_distinct_files};
use crate::work::{JournalWriter, Spinner, header_for, measure, run_sweep};
use crate::{input, interrupt, plan};

/// Runs `faultlab run`.
pub(crate) fn run(arguments: &RunArgs) -> Result<(), CliError> {
    let experiment = input::experiment(&arguments.given)?;
    let mut sweep = Sweep::new(&experiment).in_turn();
    if let Some(shard) = arguments.shard {
        sweep = sweep.shard(shard);
    }
    let own = sweep.local_points();
    if arguments.plan {
        return plan::plan(arguments, &sweep, &own);
    }
    check_channels_option(&experiment, &arguments.printed)?;
    if arguments.printed.lengths {
        csv::check_kind_lengths(experiment.kind()).map_err(|error| CliError::BadInput(error.to_string()))?;
    }
    refuse_overwriting(arguments)?;
    let place = arguments.printed.svg.as_deref().map(OutputTarget::at).transpose()?;
    let journal = match &arguments.journal {
        Some(path) => Some(JournalWriter::at(path, &header_for(&experiment, arguments.shard))?),
        None => None,
    };
    let sweep = run_sweep(sweep, &arguments.effort, "", journal.as_ref())?;
    sweep.check_measured().map_err(|why| input::infeasible_failure(&experiment, &why))?;
    let (all, undone) = (own.len(), own.iter().filter(|&&slot| !sweep.is_shard_complete(slot)).count());
    match arguments.shard {
        Some(shard) => print(&format!("shard {shard}: {} of {all} points are finished", all - undone))?,
        None => print_sweep(&sweep, &arguments.printed, place)?,
    }
    if !interrupt::is_stop_requested() {
        return Ok(());
    }
    let kept = match &arguments.journal {
        Some(journal) => format!("the same command with --journal {} resumes from here", journal.display()),
        None => "nothing is stored; with --journal FILE a run can be resumed".into(),
    };
    Err(CliError::Stopped(format!("stopped: {undone} of {all} points are not finished (cancelled); {kept}")))
}

/// Refuses a chart that would overwrite the journal or an input file.
fn refuse_overwriting(arguments: &RunArgs) -> Result<(), CliError> {
    let Some(svg) = arguments.printed.svg.as_deref() else { return Ok(()) };
    if let Some(journal) = &arguments.journal {
        check_distinct_files(("--svg", svg), ("--journal", journal))?;
    }
    input::refuse_overwriting(&arguments.given, svg)
}

/// Checks that the runs of the experiment count what `--channels` and `--hot-spots` print.
fn check_channels_option(experiment: &Experiment, printed: &OutputArgs) -> Result<(), CliError> {
    let option = match printed {
        OutputArgs { channels: true, .. } => "--channels",
        OutputArgs { hot_spots: Some(_), .. } => "--hot-spots",
        _ => return Ok(()),
    };
    check_channels(experiment).map_err(|why| CliError::BadInput(format!("{option}: {why}")))
}

/// Prints a sweep, then draws it into `place`.
pub(crate) fn print_sweep(sweep: &Sweep, printed: &OutputArgs, place: Option<OutputTarget>) -> Result<(), CliError> {
    check_channels_option(sweep.experiment(), printed)?;
    if printed.lengths && !interrupt::is_stop_requested() {
        csv::check_lengths(sweep).map_err(|error| CliError::BadInput(error.to_string()))?;
    }
    if !place.as_ref().is_some_and(OutputTarget::is_out) {
        print(&match printed {
            OutputArgs { channels: true, json: true, .. } => channels::json(sweep),
            OutputArgs { channels: true, .. } => channels::csv(sweep),
            OutputArgs { hot_spots: Some(count), .. } => channels::hot_spot_texts(sweep, usize::from(*count)),
            OutputArgs { json: true, .. } => json::run(sweep),
            OutputArgs { csv: true, .. } => csv::csv(&table::table(sweep)),
            OutputArgs { lengths: true, .. } => csv::lengths(sweep),
            _ => table::text(sweep),
        })?;
    }
    place.map_or(Ok(()), |place| place.write(&plot_svg(sweep, PrintOptions::default())))
}

/// Draws the plotted metric of the experiment as SVG.
pub(crate) fn plot_svg(sweep: &Sweep, options: PrintOptions) -> String {
    let experiment = sweep.experiment();
    let figures = printable_figures(panels(sweep, &experiment.view, &[]));
    let title = Caption::new(experiment, experiment).title;
    Print { figures: &figures, title: &title, notes: &source_note(experiment), options }.svg()
}

/// Argument of `faultlab papers` that lists the papers' errors.
const ERRATA: &str = "errata";

/// Runs `faultlab papers`.
pub(crate) fn papers(arguments: &PapersArgs) -> Result<(), CliError> {
    if let Some(within) = arguments.within.filter(|within| !(0.0001..=0.5).contains(within)) {
        return Err(CliError::BadInput(format!(
            "--within {within}: out of range; accepted: a number from 0.0001 to 0.5"
        )));
    }
    if arguments.id.as_deref() == Some(ERRATA) {
        check_no_words(arguments)?;
        return print_document(&Errata, arguments.json, arguments.csv);
    }
    if arguments.id.as_deref() == Some(ROWS) {
        let rows = PaperRows::matching(&arguments.words).map_err(CliError::BadInput)?;
        return print_document(&rows, arguments.json, arguments.csv);
    }
    check_no_words(arguments)?;
    let is_asked = |item: &&Item| arguments.id.as_ref().is_none_or(|id| item.id == id || item.paper.id == id);
    let asked: Vec<&Item> = items().filter(is_asked).collect();
    if let (Some(id), []) = (&arguments.id, asked.as_slice()) {
        return Err(unknown_item(id));
    }
    let journal =
        arguments.journal.as_deref().map(|path| JournalWriter::at(path, &journal_header(arguments))).transpose()?;
    let mut cells: Vec<PaperValue> = Vec::new();
    for item in asked {
        let paper = item.paper;
        let files = arguments.json || arguments.csv;
        if !files && cells.last().is_none_or(|cell| cell.paper != paper.id) {
            print(&format!("{}, {}\n{}\n\n", paper.authors, paper.title, plain(paper.about)))?;
        }
        let experiments = item.experiments(arguments.within);
        let sweeps =
            experiments.iter().map(|experiment| measure(experiment, &arguments.effort, item.id, journal.as_ref()));
        let sweeps = sweeps.collect::<Result<Vec<_>, _>>()?;
        if interrupt::is_stop_requested() {
            break;
        }
        let found = {
            let _waiting = Spinner::new(item.id);
            item.cells(&sweeps)
        };
        if !files {
            print(&item_text(item, &experiments, &found))?;
        }
        cells.extend(found);
    }
    match arguments {
        PapersArgs { json: true, .. } => print(&json::papers(&cells))?,
        PapersArgs { csv: true, .. } => print(&csv::papers(&cells))?,
        _ => {}
    }
    if !interrupt::is_stop_requested() {
        return Ok(());
    }
    let kept = if journal.is_some() {
        "the same command resumes from here"
    } else {
        "with --journal FILE a run can be resumed"
    };
    Err(CliError::Stopped(format!("stopped after {} cells; {kept}", cells.len())))
}

/// Checks that no words follow a selection other than `rows`.
fn check_no_words(arguments: &PapersArgs) -> Result<(), CliError> {
    match (arguments.words.first(), arguments.id.as_deref()) {
        (Some(word), Some(id)) => Err(CliError::BadInput(format!(
            "{word}: words are accepted after rows only; give one selection, such as faultlab papers {id}"
        ))),
        _ => Ok(()),
    }
}

/// Returns the journal header of `faultlab papers`.
fn journal_header(arguments: &PapersArgs) -> JournalHeader {
    let within = arguments.within.map_or(String::new(), |within| format!(" --within {within}"));
    JournalHeader::about(format!("papers {}{within}", arguments.id.as_deref().unwrap_or("(all)")), Shard::WHOLE)
}

fn unknown_item(id: &str) -> CliError {
    let ids: Vec<_> =
        items().map(|item| item.id).chain(all_papers().iter().map(|paper| paper.id)).chain([ERRATA, ROWS]).collect();
    CliError::BadInput(format!("{id}: no such item; accepted: {}", ids.join(", ")))
}

/// Returns an item with its cells as readable text.
fn item_text(item: &Item, experiments: &[Experiment], cells: &[PaperValue]) -> String {
    let mut text = format!("{}\n{}\n", plain(item.title), plain(item.about));
    for experiment in experiments {
        let _ = writeln!(text, "  {experiment}");
    }
    let head = ["cell", "published", "measured", "95% interval", "verdict"].map(str::to_owned).to_vec();
    let lines: Vec<_> = std::iter::once(head).chain(cells.iter().map(cell_columns)).collect();
    let remarks = std::iter::once("").chain(cells.iter().map(|cell| cell.remark.as_str()));
    for (line, remark) in table::align_columns(&lines).iter().zip(remarks) {
        let _ = writeln!(text, "{}", format!("  {line}   {remark}").trim_end());
    }
    let counts = [Verdict::Reproduced, Verdict::Close, Verdict::NotReproduced, Verdict::NoNumber, Verdict::Undecided]
        .map(|verdict| (verdict.id(), cells.iter().filter(|cell| cell.verdict == verdict).count()))
        .map(|(id, count)| format!("{count} {id}"));
    let _ = writeln!(text, "{} cells: {}", cells.len(), counts.join(", "));
    for erratum in errata_of(item.id) {
        let _ = writeln!(text, "erratum, {}: {}", plain(erratum.place), plain(erratum.about));
    }
    text.push('\n');
    text
}

fn cell_columns(cell: &PaperValue) -> Vec<String> {
    let dash = |text: Option<String>| text.unwrap_or("-".into());
    let digits = match cell.ci95 {
        _ if cell.is_exact() => 0,
        Some([low, high]) => table::significant_digits((high - low) / 2.0),
        None => 2,
    };
    let interval = match cell.ci95 {
        _ if cell.is_exact() => Some("exact".to_owned()),
        ends => ends.map(|ends| ends.map(|end| fixed(end, digits))).map(|[low, high]| format!("[{low}, {high}]")),
    };
    vec![
        cell.cell.clone(),
        dash(Some(cell.printed.clone()).filter(|printed| !printed.is_empty())),
        dash(cell.measured.map(|value| fixed(value, digits))),
        dash(interval),
        cell.verdict.id().into(),
    ]
}
