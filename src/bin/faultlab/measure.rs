//! `run` and `papers`: sweeps, in parallel, with progress.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use faultlab::experiment::papers::{Item, PaperCell, Verdict, errata_of, items, papers as all_papers};
use faultlab::experiment::{Experiment, Sweep, run_parallel};
use faultlab::report::chart::print::Print;
use faultlab::report::errata::Errata;
use faultlab::report::files::{csv, json, table};
use faultlab::report::measured::caption::Caption;
use faultlab::report::measured::panels::{panels, printed};
use faultlab::report::notes;
use faultlab::report::words::formula::plain;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::arguments::{Effort, Papers, Run};
use crate::input;
use crate::output::{Failure, document, print};

/// `faultlab run`.
pub(crate) fn run(arguments: &Run) -> Result<(), Failure> {
    let experiment = input::experiment(&arguments.experiment)?;
    let sweep = measured(&experiment, &arguments.effort, "")?;
    if let Some(why) = sweep.obstacle() {
        return Err(input::impossible(&experiment, &why));
    }
    if let Some(file) = &arguments.svg {
        draw(&sweep, file)?;
    }
    print(&match arguments {
        Run { json: true, .. } => json::run(&sweep),
        Run { csv: true, .. } => csv::csv(&table::table(&sweep)),
        Run { lengths: true, .. } => csv::lengths(&sweep),
        _ => table::text(&sweep),
    })
}

/// Draws the metric that the experiment plots into `file`.
fn draw(sweep: &Sweep, file: &Path) -> Result<(), Failure> {
    let experiment = sweep.experiment();
    let figures = printed(panels(sweep, &experiment.view, &[]));
    let title = Caption::of(experiment, experiment).title;
    let svg = Print { figures: &figures, title: &title, notes: &notes(experiment) }.svg().map_err(Failure::System)?;
    fs::write(file, svg).map_err(|error| Failure::System(format!("cannot write {}: {error}", file.display())))
}

/// The sweep of `experiment`, run to its end.
pub(crate) fn measured(experiment: &Experiment, effort: &Effort, name: &str) -> Result<Sweep, Failure> {
    let pool = threads(effort)?;
    let bar = progress_bar(effort.quiet);
    bar.set_prefix(name.to_owned());
    let mut sweep = Sweep::new(experiment);
    pool.install(|| {
        run_parallel(&mut sweep, |sweep| {
            let progress = sweep.progress();
            bar.set_position((progress.share * BAR as f64) as u64);
            bar.set_message(format!("{} of {} points", progress.done, progress.points));
        });
    });
    bar.finish_and_clear();
    Ok(sweep)
}

/// The threads that are asked for.
pub(crate) fn threads(effort: &Effort) -> Result<rayon::ThreadPool, Failure> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(effort.threads.unwrap_or(0).into()).build();
    pool.map_err(|error| Failure::System(format!("cannot start threads: {error}")))
}

/// The bar's length, in steps.
pub(crate) const BAR: u64 = 1000;

/// A bar on standard error; nothing where that is no terminal.
pub(crate) fn progress_bar(quiet: bool) -> ProgressBar {
    let target = if quiet { ProgressDrawTarget::hidden() } else { ProgressDrawTarget::stderr() };
    let bar = ProgressBar::with_draw_target(Some(BAR), target);
    match ProgressStyle::with_template("{prefix} {bar:40} {percent}%, {msg}, {eta} left") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

/// What `faultlab papers` takes in place of an item to list the papers' errors.
const ERRATA: &str = "errata";

/// `faultlab papers`.
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
    let mut cells: Vec<PaperCell> = Vec::new();
    for item in asked {
        let paper = item.paper;
        let files = arguments.json || arguments.csv;
        if !files && cells.last().is_none_or(|cell| cell.paper != paper.id) {
            print(&format!("{}, {}\n{}\n\n", paper.authors, paper.title, plain(paper.about)))?;
        }
        let experiments = item.experiments(arguments.within);
        let sweeps = experiments.iter().map(|experiment| measured(experiment, &arguments.effort, item.id));
        let found = item.cells(&sweeps.collect::<Result<Vec<_>, _>>()?);
        if !files {
            print(&told(item, &experiments, &found))?;
        }
        cells.extend(found);
    }
    match arguments {
        Papers { json: true, .. } => print(&json::papers(&cells)),
        Papers { csv: true, .. } => print(&csv::papers(&cells)),
        _ => Ok(()),
    }
}

fn unknown_item(id: &str) -> Failure {
    let ids: Vec<_> =
        items().map(|item| item.id).chain(all_papers().iter().map(|paper| paper.id)).chain([ERRATA]).collect();
    Failure::BadInput(format!("{id}: no such item; accepted: {}", ids.join(", ")))
}

/// An item with its cells, for people.
fn told(item: &Item, experiments: &[Experiment], cells: &[PaperCell]) -> String {
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
        ends => ends.map(|[low, high]| format!("[{low:.digits$}, {high:.digits$}]")),
    };
    vec![
        cell.cell.clone(),
        dash(Some(cell.printed.clone()).filter(|printed| !printed.is_empty())),
        dash(cell.measured.map(|value| format!("{value:.digits$}"))),
        dash(interval),
        cell.verdict.id().into(),
    ]
}
