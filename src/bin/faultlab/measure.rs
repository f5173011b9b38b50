//! Commands `run` and `papers`: parallel sweeps, with progress.

use faultlab::api::{
    self,
    native::{Error, header_for, item_sweeps, item_text, select_items},
};
use faultlab::experiment::journal::JournalHeader;
use faultlab::experiment::worm::check_channels;
use faultlab::experiment::{Experiment, Shard, Sweep};
use faultlab::papers::{PaperValue, ROWS};
use faultlab::report::chart::print::PrintOptions;
use faultlab::report::errata::Errata;
use faultlab::report::files::decimal_comma::with_decimal_comma;
use faultlab::report::files::{csv, json, table};
use faultlab::report::paper_rows::PaperRows;
use faultlab::report::wording::formula::plain;
use faultlab::report::worm::{channels, messages};

use crate::arguments::{OutputArgs, PapersArgs, RunArgs};
use crate::interrupt::SignalGuard;
use crate::output::{CliError, print, print_document};
use crate::output_target::{OutputTarget, check_distinct_files};
use crate::work::{Spinner, execution, open_journal, run_sweep};
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
    check_decimal_comma(&arguments.printed)?;
    check_channels_option(&experiment, &arguments.printed)?;
    if arguments.printed.lengths {
        csv::check_kind_lengths(experiment.kind()).map_err(|error| CliError::BadInput(error.to_string()))?;
    }
    refuse_overwriting(arguments)?;
    check_records_option(&experiment, arguments)?;
    let place = arguments.printed.svg.as_deref().map(OutputTarget::at).transpose()?;
    let journal = match &arguments.journal {
        Some(path) => Some(open_journal(path, &header_for(&experiment, arguments.shard))?),
        None => None,
    };
    let sweep = run_sweep(sweep, &arguments.effort, journal.as_ref())?;
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
    input::refuse_overwriting(&arguments.given, ("--svg", svg))
}

/// Checks, before anything runs, that `--records` has messages and a file that no other argument
/// names.
fn check_records_option(experiment: &Experiment, arguments: &RunArgs) -> Result<(), CliError> {
    let Some(records) = arguments.printed.records.as_deref() else { return Ok(()) };
    if experiment.setting.worm().is_none() {
        let kind = experiment.kind().id;
        return Err(CliError::BadInput(format!("--records: switch={kind} has no worms; accepted: switch=wormhole")));
    }
    let others = [("--svg", &arguments.printed.svg), ("--journal", &arguments.journal)];
    for (name, other) in others.into_iter().filter_map(|(name, other)| Some((name, other.as_deref()?))) {
        check_distinct_files(("--records", records), (name, other))?;
    }
    input::refuse_overwriting(&arguments.given, ("--records", records))?;
    OutputTarget::at(records).map(drop)
}

/// Checks that `--decimal-comma` is given with a format of CSV.
fn check_decimal_comma(printed: &OutputArgs) -> Result<(), CliError> {
    let is_csv = printed.csv || printed.channels || printed.nodes || printed.lengths;
    match printed.decimal_comma && !is_csv {
        true => Err(CliError::BadInput(
            "--decimal-comma: accepted with --csv, --channels, --nodes or --lengths only".into(),
        )),
        false => Ok(()),
    }
}

/// Checks that the runs of the experiment count what `--channels`, `--nodes` and `--hot-spots`
/// print.
fn check_channels_option(experiment: &Experiment, printed: &OutputArgs) -> Result<(), CliError> {
    let option = match printed {
        OutputArgs { channels: true, .. } => "--channels",
        OutputArgs { nodes: true, .. } => "--nodes",
        OutputArgs { hot_spots: Some(_), .. } => "--hot-spots",
        _ => return Ok(()),
    };
    check_channels(experiment).map_err(|why| CliError::BadInput(format!("{option}: {why}")))
}

/// Prints a sweep, then draws it into `place`.
pub(crate) fn print_sweep(sweep: &Sweep, printed: &OutputArgs, place: Option<OutputTarget>) -> Result<(), CliError> {
    check_decimal_comma(printed)?;
    check_channels_option(sweep.experiment(), printed)?;
    if printed.lengths && !interrupt::is_stop_requested() {
        csv::check_lengths(sweep).map_err(|error| CliError::BadInput(error.to_string()))?;
    }
    if !place.as_ref().is_some_and(OutputTarget::is_out) {
        let text = match printed {
            OutputArgs { channels: true, json: true, .. } => channels::json(sweep),
            OutputArgs { channels: true, .. } => channels::csv(sweep),
            OutputArgs { nodes: true, json: true, .. } => channels::nodes_json(sweep),
            OutputArgs { nodes: true, .. } => channels::nodes_csv(sweep),
            OutputArgs { hot_spots: Some(count), .. } => channels::hot_spot_texts(sweep, usize::from(*count)),
            OutputArgs { json: true, .. } => json::run(sweep),
            OutputArgs { csv: true, .. } => csv::csv(&table::table(sweep)),
            OutputArgs { lengths: true, .. } => csv::lengths(sweep),
            _ => table::text(sweep),
        };
        print(&if printed.decimal_comma { with_decimal_comma(&text) } else { text })?;
    }
    if let Some(records) = printed.records.as_deref().filter(|_| !interrupt::is_stop_requested()) {
        let messages = messages::csv(sweep).map_err(|why| CliError::BadInput(format!("--records: {why}")))?;
        OutputTarget::at(records)?.write(&messages)?;
    }
    place.map_or(Ok(()), |place| place.write(&api::chart(sweep, PrintOptions::default())))
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
    let asked = select_items(arguments.id.as_deref(), &[ERRATA, ROWS])?;
    let journal =
        arguments.journal.as_deref().map(|path| open_journal(path, &journal_header(arguments))).transpose()?;
    let execution = execution(&arguments.effort);
    let mut cells: Vec<PaperValue> = Vec::new();
    for item in asked {
        let paper = item.paper;
        let files = arguments.json || arguments.csv;
        if !files && cells.last().is_none_or(|cell| cell.paper != paper.id) {
            print(&format!("{}, {}\n{}\n\n", paper.authors, paper.title, plain(paper.about)))?;
        }
        let sweeps = {
            let _hearing = SignalGuard::begin();
            item_sweeps(item, arguments.within, &execution, journal.as_ref())
        };
        let sweeps = match sweeps {
            Err(Error::Cancelled) => break,
            sweeps => sweeps?,
        };
        let found = {
            let _waiting = Spinner::new(item.id);
            item.cells(&sweeps)
        };
        if !files {
            print(&item_text(item, arguments.within, &found))?;
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
