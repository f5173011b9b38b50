//! Commands `run` and `papers`: parallel sweeps, with progress.

use std::fmt::Write as _;

use faultlab::experiment::journal::Head;
use faultlab::experiment::{Experiment, Sweep};
use faultlab::papers::{Item, PaperCell, Verdict, errata_of, items, papers as all_papers};
use faultlab::report::chart::print::Print;
use faultlab::report::errata::Errata;
use faultlab::report::files::{csv, json, table};
use faultlab::report::measured::caption::Caption;
use faultlab::report::measured::panels::{panels, printed};
use faultlab::report::notes;
use faultlab::report::words::formula::plain;
use faultlab::report::words::numbers::fixed;

use crate::arguments::{Papers, Printed, Run};
use crate::output::{Failure, document, print};
use crate::place::{Place, refuse_same};
use crate::work::{Keeping, Waiting, head_of, measured, swept};
use crate::{input, interrupt, plan};

/// Runs `faultlab run`.
pub(crate) fn run(arguments: &Run) -> Result<(), Failure> {
    let experiment = input::experiment(&arguments.given)?;
    let mut sweep = Sweep::new(&experiment).in_turn();
    if let Some(share) = arguments.shard {
        sweep = sweep.of_share(share);
    }
    let own = sweep.own_slots();
    if arguments.plan {
        return plan::plan(arguments, &sweep, &own);
    }
    if arguments.printed.lengths {
        csv::check_kind_lengths(experiment.kind()).map_err(|error| Failure::BadInput(error.to_string()))?;
    }
    refuse_overwriting(arguments)?;
    let place = arguments.printed.svg.as_deref().map(Place::at).transpose()?;
    let keeping = match &arguments.journal {
        Some(path) => Some(Keeping::at(path, &head_of(&experiment, arguments.shard))?),
        None => None,
    };
    let sweep = swept(sweep, &arguments.effort, "", keeping.as_ref())?;
    sweep.check_measured().map_err(|why| input::impossible(&experiment, &why))?;
    let (all, undone) = (own.len(), own.iter().filter(|&&slot| !sweep.has_all(slot)).count());
    match arguments.shard {
        Some((share, of)) => print(&format!("shard {share}/{of}: {} of its {all} points are done", all - undone))?,
        None => told(&sweep, &arguments.printed, place)?,
    }
    if !interrupt::stopped() {
        return Ok(());
    }
    let kept = match &arguments.journal {
        Some(journal) => format!("the same command with --journal {} goes on from here", journal.display()),
        None => "nothing of it is kept; with --journal FILE it could go on from here".into(),
    };
    Err(Failure::Stopped(format!("stopped: {undone} of {all} points are not done (cancelled); {kept}")))
}

/// Refuses a chart that would overwrite the journal or an input file.
fn refuse_overwriting(arguments: &Run) -> Result<(), Failure> {
    let Some(svg) = arguments.printed.svg.as_deref() else { return Ok(()) };
    if let Some(journal) = &arguments.journal {
        refuse_same(("--svg", svg), ("--journal", journal))?;
    }
    input::refuse_overwriting(&arguments.given, svg)
}

/// Prints a sweep, then draws it into `place`.
pub(crate) fn told(sweep: &Sweep, printed: &Printed, place: Option<Place>) -> Result<(), Failure> {
    if printed.lengths && !interrupt::stopped() {
        csv::check_lengths(sweep).map_err(|error| Failure::BadInput(error.to_string()))?;
    }
    if !place.as_ref().is_some_and(Place::is_out) {
        print(&match printed {
            Printed { json: true, .. } => json::run(sweep),
            Printed { csv: true, .. } => csv::csv(&table::table(sweep)),
            Printed { lengths: true, .. } => csv::lengths(sweep),
            _ => table::text(sweep),
        })?;
    }
    place.map_or(Ok(()), |place| place.write(&drawn(sweep)))
}

/// Draws the plotted metric of the experiment as SVG.
fn drawn(sweep: &Sweep) -> String {
    let experiment = sweep.experiment();
    let figures = printed(panels(sweep, &experiment.view, &[]));
    let title = Caption::of(experiment, experiment).title;
    Print { figures: &figures, title: &title, notes: &notes(experiment) }.svg()
}

/// Argument of `faultlab papers` that lists the papers' errors.
const ERRATA: &str = "errata";

/// Runs `faultlab papers`.
pub(crate) fn papers(arguments: &Papers) -> Result<(), Failure> {
    if let Some(within) = arguments.within.filter(|within| !(0.0001..=0.5).contains(within)) {
        return Err(Failure::BadInput(format!(
            "--within {within}: out of range; accepted: a number from 0.0001 to 0.5"
        )));
    }
    if arguments.id.as_deref() == Some(ERRATA) {
        return document(&Errata, arguments.json, arguments.csv);
    }
    let is_asked = |item: &&Item| arguments.id.as_ref().is_none_or(|id| item.id == id || item.paper.id == id);
    let asked: Vec<&Item> = items().filter(is_asked).collect();
    if let (Some(id), []) = (&arguments.id, asked.as_slice()) {
        return Err(unknown_item(id));
    }
    let keeping = arguments.journal.as_deref().map(|path| Keeping::at(path, &head(arguments))).transpose()?;
    let mut cells: Vec<PaperCell> = Vec::new();
    for item in asked {
        let paper = item.paper;
        let files = arguments.json || arguments.csv;
        if !files && cells.last().is_none_or(|cell| cell.paper != paper.id) {
            print(&format!("{}, {}\n{}\n\n", paper.authors, paper.title, plain(paper.about)))?;
        }
        let experiments = item.experiments(arguments.within);
        let sweeps =
            experiments.iter().map(|experiment| measured(experiment, &arguments.effort, item.id, keeping.as_ref()));
        let sweeps = sweeps.collect::<Result<Vec<_>, _>>()?;
        if interrupt::stopped() {
            break;
        }
        let found = {
            let _waiting = Waiting::new(item.id);
            item.cells(&sweeps)
        };
        if !files {
            print(&item_told(item, &experiments, &found))?;
        }
        cells.extend(found);
    }
    match arguments {
        Papers { json: true, .. } => print(&json::papers(&cells))?,
        Papers { csv: true, .. } => print(&csv::papers(&cells))?,
        _ => {}
    }
    if !interrupt::stopped() {
        return Ok(());
    }
    let kept = if keeping.is_some() {
        "the same command goes on from here"
    } else {
        "with --journal FILE it could go on from here"
    };
    Err(Failure::Stopped(format!("stopped after {} cells; {kept}", cells.len())))
}

/// Returns the journal header of `faultlab papers`.
fn head(arguments: &Papers) -> Head {
    let within = arguments.within.map_or(String::new(), |within| format!(" --within {within}"));
    Head::about(format!("papers {}{within}", arguments.id.as_deref().unwrap_or("(all)")), (1, 1))
}

fn unknown_item(id: &str) -> Failure {
    let ids: Vec<_> =
        items().map(|item| item.id).chain(all_papers().iter().map(|paper| paper.id)).chain([ERRATA]).collect();
    Failure::BadInput(format!("{id}: no such item; accepted: {}", ids.join(", ")))
}

/// Returns an item with its cells as readable text.
fn item_told(item: &Item, experiments: &[Experiment], cells: &[PaperCell]) -> String {
    let mut text = format!("{}\n{}\n", plain(item.title), plain(item.about));
    for experiment in experiments {
        let _ = writeln!(text, "  {experiment}");
    }
    let head = ["cell", "published", "measured", "95% interval", "verdict"].map(str::to_owned).to_vec();
    let lines: Vec<_> = std::iter::once(head).chain(cells.iter().map(line)).collect();
    let remarks = std::iter::once("").chain(cells.iter().map(|cell| cell.remark.as_str()));
    for (line, remark) in table::aligned(&lines).iter().zip(remarks) {
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

fn line(cell: &PaperCell) -> Vec<String> {
    let dash = |text: Option<String>| text.unwrap_or("-".into());
    let digits = match cell.ci95 {
        _ if cell.is_exact() => 0,
        Some([low, high]) => table::digits((high - low) / 2.0),
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
