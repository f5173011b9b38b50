//! What can be asked on the command line.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};

use crate::output::{Failure, print};

/// A laboratory for fault-tolerant routing in interconnection networks.
///
/// EXPERIMENT is an experiment's text such as "net=cube:20&faults=nodes:0.5" (quote it), a page link pasted whole,
/// preset:ID, the path of a file, or - for standard input. `faultlab help experiment` explains the text.
#[derive(Debug, Parser)]
#[command(name = "faultlab", version, disable_help_subcommand = true, max_term_width = 110)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure: send messages until the intervals are narrow enough
    Run(Run),
    /// Send one message and say of each hop why it was taken; of permutations and batches, one of all of them
    Route(Route),
    /// Check the theorems on this instance: dependency graph, exact probabilities
    Check(Check),
    /// Draw a figure as it stands at first, as SVG: for a page that opens the figure when a reader wants it, for slides and papers
    Draw(Draw),
    /// Compare routings with the first one, trial by trial on the same faults and messages: difference, gain, crossover
    Compare(Compare),
    /// Count the active nodes of Algorithms A and B, without any routes, in cubes of up to 24 dimensions
    Activity(Activity),
    /// Search for the faults that hurt most: the set of F faulty nodes or links that is worst for a metric
    Worst(Worst),
    /// Search for the fewest faults with which a routing loses messages, sends them round for ever or deadlocks
    Refute(Refute),
    /// Put the journals of all shards of a run together: what one machine would have printed
    Merge(Merge),
    /// Print a script that runs a measurement as an array job of Slurm and puts its shards together
    Slurm(Slurm),
    /// Recompute the papers' tables, figures and claims and compare with what they print
    Papers(Papers),
    /// List the presets
    Presets(Presets),
    /// Print what completes faultlab's commands and options in a shell
    Completions(Completions),
    /// Write the man pages, one for each command, into a folder; without one print that of faultlab itself
    Man(Man),
    /// Explain a command, or the text of an experiment: `faultlab help experiment`, or its words: `faultlab help words`, or the language
    /// of routings of your own: `faultlab help rules`
    Help {
        /// A command, `experiment`, `rules` or `words`
        topic: Option<String>,
    },
}

impl Command {
    /// Name of the command, as messages show it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Run(Run { plan: true, .. }) => "faultlab run --plan",
            Self::Run(_) => "faultlab run",
            Self::Route(_) => "faultlab route",
            Self::Check(_) => "faultlab check",
            Self::Draw(_) => "faultlab draw",
            Self::Compare(_) => "faultlab compare",
            Self::Activity(_) => "faultlab activity",
            Self::Worst(_) => "faultlab worst",
            Self::Refute(_) => "faultlab refute",
            Self::Merge(_) => "faultlab merge",
            Self::Slurm(_) => "faultlab slurm",
            Self::Papers(_) => "faultlab papers",
            Self::Presets(_) => "faultlab presets",
            Self::Completions(_) => "faultlab completions",
            Self::Man(_) => "faultlab man",
            Self::Help { .. } => "faultlab help",
        }
    }

    /// Returns whether the command writes to standard output and nowhere else, after long work.
    pub(crate) fn only_prints(&self) -> bool {
        match self {
            Self::Run(run) => run.plan,
            Self::Draw(draw) => draw.svg.is_none(),
            Self::Route(_)
            | Self::Check(_)
            | Self::Compare(_)
            | Self::Activity(_)
            | Self::Worst(_)
            | Self::Refute(_) => true,
            _ => false,
        }
    }
}

/// The experiment, and routings of one's own for it.
#[derive(Args, Debug)]
pub(crate) struct Given {
    /// Text, link, preset:ID, file or - (see `faultlab help experiment`)
    pub(crate) experiment: String,
    /// Routings of your own: a file of rules, which becomes part of the experiment's text (see `faultlab help rules`)
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct Run {
    #[command(flatten)]
    pub(crate) given: Given,
    #[command(flatten)]
    pub(crate) printed: Printed,
    /// Keep what is done in FILE; started again with the same file, it goes on where it was, to the same numbers
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// Run only the I-th of N shares of the points, from 1, into its own journal: `faultlab merge` puts them together
    #[arg(long, value_name = "I/N", value_parser = shard, requires = "journal", conflicts_with_all = ["format", "svg"])]
    pub(crate) shard: Option<(u32, u32)>,
    /// Say how many points there are, and about how much memory and time they take, and stop. With --json: {experiment, points, threads,
    /// memory_least, memory_most, seconds, probes, at_least}
    #[arg(long, conflicts_with_all = ["csv", "lengths", "table", "svg"])]
    pub(crate) plan: bool,
    #[command(flatten)]
    pub(crate) effort: Effort,
}

/// Where a shell looks for it: bash, fish, elvish, PowerShell and zsh each say so themselves, such as
/// ~/.local/share/bash-completion/completions/faultlab for bash.
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// Which shell
    pub(crate) shell: clap_complete::Shell,
}

/// `man -l FILE` shows a page; in a folder man1 of MANPATH all are found.
#[derive(Args, Debug)]
pub(crate) struct Man {
    /// Where they go; it is made if it is not there
    pub(crate) folder: Option<PathBuf>,
}

/// The most shares of a run.
const MAX_SHARDS: u32 = 100_000;

/// Reads a share of a run, I/N.
fn shard(text: &str) -> Result<(u32, u32), String> {
    let numbers = text.split_once('/').and_then(|(share, of)| Some((share.parse().ok()?, of.parse().ok()?)));
    let accepted = format!("accepted: I/N, such as 3/8, N up to {MAX_SHARDS} and I from 1 to N");
    numbers.filter(|&(share, of)| (1..=of).contains(&share) && of <= MAX_SHARDS).ok_or(accepted)
}

/// Puts together what `faultlab run --shard I/N --journal FILE` has kept for every I: the numbers, to the byte, that one machine would have
/// printed. Says what is missing.
#[derive(Args, Debug)]
pub(crate) struct Merge {
    /// The journals, in any order; - for a list of them on standard input, one a line
    #[arg(required = true, value_name = "JOURNAL")]
    pub(crate) journals: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) printed: Printed,
}

/// A job script for Slurm: an array of shards that go back into the queue when their time is nearly over, and a job that merges them
/// when all are done. Save it, and submit it with bash.
#[derive(Args, Debug)]
pub(crate) struct Slurm {
    #[command(flatten)]
    pub(crate) given: Given,
    /// How many tasks the array has, one to the number of points
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SHARDS)))]
    pub(crate) tasks: u32,
    /// The time limit of a task, as Slurm writes it: from two minutes on it is worth its while
    #[arg(long, value_name = "LIMIT", default_value = "1:00:00", value_parser = time)]
    pub(crate) time: String,
    /// How many threads a task has
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// Where journals, logs and results go; all machines must see it
    #[arg(long, value_name = "FOLDER", default_value = "faultlab-run")]
    pub(crate) folder: String,
}

/// What is printed of a run.
#[derive(Args, Debug)]
pub(crate) struct Printed {
    /// Print {experiment, seed, version, points: [{series, x, outcome, reason, metrics, lengths}]}
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print one line for each algorithm, value and metric
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
    /// Print the histogram of path lengths as CSV
    #[arg(long, group = "format")]
    pub(crate) lengths: bool,
    /// Print aligned tables, one for each metric (the default)
    #[arg(long, group = "format")]
    pub(crate) table: bool,
    /// Also draw the experiment's plot into FILE; with - draw it on standard output and print nothing else
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

/// How a measurement is run; decides no result.
#[derive(Args, Debug)]
pub(crate) struct Effort {
    /// How many threads (default: one for each processor); the numbers are the same with any
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// No progress, neither a bar on a terminal nor a line every half minute elsewhere
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Route {
    #[command(flatten)]
    pub(crate) given: Given,
    /// The source, instead of the experiment's
    #[arg(long, value_name = "NODE")]
    pub(crate) from: Option<String>,
    /// The destination, instead of the experiment's
    #[arg(long, value_name = "NODE")]
    pub(crate) to: Option<String>,
    /// Print {experiment, seed, version, series, outcome, hops: [{from, to, class, rule, reason}], ending}, one line for
    /// each algorithm; on meshes hops have port, type, status and direction too; of permutations and batches {experiment,
    /// seed, version, series, outcome, nodes, messages, congestion, cycles, circle, message: {number, from, via, to, hops}, ...}
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print one line for each hop of each algorithm: series,outcome,hop,from,to,class,rule,reason; on meshes
    /// series,outcome,hop,from,to,port,class,type,status,direction,rule,reason; of permutations and batches
    /// series,outcome,message,hop,from,to,class,phase,dimension,thesis,reason
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Check {
    #[command(flatten)]
    pub(crate) given: Given,
    /// Print {experiment, seed, version, series, acyclic, channels, dependencies, cycle, ...}, one line for each
    /// algorithm
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print one line for each algorithm: series,acyclic,channels,dependencies,cycle,connected, ...; of permutations one
    /// for each number: series,item,measured,side,bound,supposed,holds
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
}

/// The still of a figure: what <fault-lab> shows until a reader wants more, as a picture whose colours follow light and dark. It says its
/// sentence in its <title>. Of a chart all is measured that the experiment asks for. Options of a figure, such as ui.show=network,chart, may
/// stand in the experiment's text.
#[derive(Args, Debug)]
pub(crate) struct Draw {
    #[command(flatten)]
    pub(crate) given: Given,
    /// The size of the figure in CSS pixels, from 240x160 to 1600x1200. The picture is smaller: it leaves room for the sentence above it, the
    /// controls and the caption
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "640x420", value_parser = size)]
    pub(crate) size: (u32, u32),
    /// Which view, in place of the experiment's own: watch, measure or check
    #[arg(long, value_name = "VIEW")]
    pub(crate) view: Option<String>,
    /// The parts that are shown, of which network and chart are drawn, separated by commas
    #[arg(long, value_name = "PARTS")]
    pub(crate) show: Option<String>,
    /// Write it into FILE; without, on standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Keep what is measured for a chart in FILE, and take from there what it has: the same chart in another size is not measured again
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) effort: Effort,
}

/// Reads the size of a figure, WIDTHxHEIGHT.
fn size(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let fits = |&(width, height): &(u32, u32)| (240..=1600).contains(&width) && (160..=1200).contains(&height);
    sides.filter(fits).ok_or_else(|| "accepted: WIDTHxHEIGHT in pixels, from 240x160 to 1600x1200".into())
}

/// What the faults of EXPERIMENT leave active: any experiment on a hypercube, above n = 20 one without switch. Of a single message source
/// and destination are live.
#[derive(Args, Debug)]
pub(crate) struct Activity {
    #[command(flatten)]
    pub(crate) given: Given,
    /// Also measure F50: the least number of random faults that leave at most half of all nodes active, on average over trials, in each of
    /// which faults are added one by one
    #[arg(long)]
    pub(crate) half: bool,
    /// With how many trials: at n = 24 each takes a second, with --half some fifteen
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub(crate) trials: u32,
    /// Print {experiment, seed, version, series, n, nodes, faults, limit, active, share, faulty_paths, supposed, half, half_low,
    /// half_high, trials}, one line for each of Algorithms A and B
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print the same as one line for each
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) effort: Effort,
}

/// For each algorithm of the experiment the set of F faults, besides those that it has, that hurts the metric most. All sets are
/// measured if they are few enough; else random ones and, from several starts, one fault after the other and exchanges. They meet the same
/// draws, as many trials each; the worst of them is measured once more with others, until its interval is as narrow as the experiment asks,
/// and is told beside the metric without these faults and the mean over random sets.
#[derive(Args, Debug)]
pub(crate) struct Worst {
    #[command(flatten)]
    pub(crate) given: Given,
    /// What is to be hurt, a metric of this kind of experiment (default: what plot says)
    #[arg(long, value_name = "METRIC")]
    pub(crate) metric: Option<String>,
    /// How many faults, F
    #[arg(long, value_name = "F", default_value_t = 1)]
    pub(crate) faults: u32,
    /// Links fail, of a cube one-way links, and not nodes
    #[arg(long)]
    pub(crate) links: bool,
    /// How many sets are measured at most
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) sets: u64,
    /// With how many trials each (default: those of the first round of `run`)
    #[arg(long, value_name = "N")]
    pub(crate) trials: Option<u64>,
    /// Print {experiment, seed, version, series, metric, unit, better, faults, outcome, mean, ci95_low, ci95_high, n, without,
    /// without_low, without_high, random, random_low, random_high, sets, of, trials, exact, text}, one line for each algorithm;
    /// text is the experiment with these faults, and the seed with which they were measured
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print the same as one line for each algorithm
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) effort: Effort,
}

/// For each algorithm of the experiment, of worms or single messages, the smallest sets of faults with which it fails: messages between
/// connected nodes are lost, go round for ever, or wait for each other in a circle. All sets of no fault, of one, of two and so on are gone
/// through while they are few enough, then random ones; in each all pairs of nodes, all choices and all dependencies between channels. What is
/// found comes with an experiment that shows it, what is not with what was looked at.
#[derive(Args, Debug)]
pub(crate) struct Refute {
    #[command(flatten)]
    pub(crate) given: Given,
    /// How many faults at most, besides those of the experiment
    #[arg(long, value_name = "F", default_value_t = 2)]
    pub(crate) faults: u32,
    /// Links fail, of a cube one-way links, and not nodes
    #[arg(long)]
    pub(crate) links: bool,
    /// How many sets are looked at at most
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) sets: u64,
    /// Print {experiment, seed, version, series, flaw, found, faults, struck, pairs, seen, looked_at, text}, one line for each algorithm and
    /// flaw; text is the experiment that shows it
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print the same as one line for each
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) effort: Effort,
}

#[derive(Args, Debug)]
pub(crate) struct Compare {
    #[command(flatten)]
    pub(crate) given: Given,
    /// By what they are compared (default: the first metric of the kind): see `faultlab help experiment`
    #[arg(long, value_name = "METRIC")]
    pub(crate) metric: Option<String>,
    /// Print {experiment, seed, version, series, against, x, outcome, reason, metric, unit, difference, gain, base, trials, apart,
    /// crossing, ...}, one line for each routing and value; the ends of intervals have _low and _high
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// The same as comma-separated values
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) effort: Effort,
}

#[derive(Args, Debug)]
pub(crate) struct Presets {
    /// Print [{id, title, sentence, question, experiment}]
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print one line for each preset: id,title,sentence,question,experiment
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
}

#[derive(Args, Debug)]
pub(crate) struct Papers {
    /// One item only, such as table4 or chiu-fig6; one paper, such as gordon-stout; or errata, to list the papers' errors
    pub(crate) id: Option<String>,
    /// Print [{paper, item, cell, published, measured, ci95, verdict, remark, experiment, seed, version}]
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print one line for each cell: paper,item,cell,published,measured, ...
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
    /// Measure to this half-width, 0.0001 to 0.5: success probabilities absolutely (default: the paper's 0.01), mean
    /// setup times as a share of them (default: 0.003 to 0.03, by item)
    #[arg(long, value_name = "W")]
    pub(crate) within: Option<f64>,
    /// Keep what is done in FILE; started again with the same file, it goes on where it was, to the same numbers
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) effort: Effort,
}

/// The arguments of this process. Help and version are printed here.
pub(crate) fn read() -> Result<Arguments, Failure> {
    let error = match Arguments::try_parse() {
        Ok(arguments) => return Ok(arguments),
        Err(error) => error,
    };
    match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            print(&error.render().to_string())?;
            std::process::exit(0);
        }
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand => {
            Err(Failure::BadInput("no command; faultlab --help lists them".into()))
        }
        _ => Err(Failure::BadInput(one_line(&error.render().to_string()))),
    }
}

/// What clap says first, without its headings, hints and usage.
fn one_line(message: &str) -> String {
    let lines = message.lines().map(str::trim).take_while(|line| !line.is_empty());
    let line = lines.collect::<Vec<_>>().join(" ");
    format!("{}; see faultlab --help", line.strip_prefix("error: ").unwrap_or(&line))
}

/// Reads a time limit as Slurm writes it.
fn time(text: &str) -> Result<String, String> {
    let (days, rest) = text.split_once('-').map_or((None, text), |(days, rest)| (Some(days), rest));
    let parts: Vec<&str> = rest.split(':').collect();
    let numbers = days.into_iter().chain(parts.iter().copied());
    let is_number = |part: &str| (1..=4).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_digit());
    match numbers.clone().all(is_number)
        && parts.len() <= 3
        && numbers.clone().any(|part| !part.trim_matches('0').is_empty())
    {
        true => Ok(text.to_owned()),
        false => Err("accepted: minutes, HOURS:MINUTES:SECONDS or DAYS-HOURS:MINUTES:SECONDS, such as 2:00:00".into()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_those_of_the_scheduler() {
        for good in ["30", "2:00:00", "1-12:00:00", "0:05"] {
            assert_eq!(time(good).as_deref(), Ok(good));
        }
        for bad in ["", "0", "0:00:00", "-5", "2h", "1:2:3:4", "1-", "soon", "$(x)", "12345"] {
            assert!(time(bad).is_err(), "{bad}");
        }
    }
}
