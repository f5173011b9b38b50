//! Arguments of the command line.

use std::path::PathBuf;

use clap::error::ErrorKind;
use clap::{Args, Parser, Subcommand};

use faultlab::experiment::Shard;
use faultlab::experiment::saturation::RESOLUTION;

use crate::output::{CliError, print};

/// A laboratory for fault-tolerant routing in interconnection networks.
///
/// EXPERIMENT is an experiment's text such as "net=cube:20&faults=nodes:0.5" (quote it), a page
/// link pasted whole, preset:ID, the path of a file, or - for standard input. `faultlab help
/// experiment` explains the text.
#[derive(Debug, Parser)]
#[command(name = "faultlab", version, disable_help_subcommand = true, max_term_width = 110)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Measure: send messages until the confidence intervals are narrow enough
    Run(RunArgs),
    /// Trace one message and explain every hop; for permutations and batches, trace one of all
    /// messages
    Route(RouteArgs),
    /// Check the theorems on this instance: dependency graph, exact probabilities
    Check(CheckArgs),
    /// Count what routers know and do: bits of routing state and of headers, comparisons per hop,
    /// virtual channels
    Cost(CostArgs),
    /// Render the figure's initial state as SVG: for slides and papers, or as a placeholder until a
    /// page loads the figure
    Draw(DrawArgs),
    /// Compare routings with the first one, trial by trial on the same faults and messages:
    /// difference, gain, crossover
    Compare(CompareArgs),
    /// Find where networks under load saturate: the load from which on less traffic is accepted than
    /// offered
    Saturation(SaturationArgs),
    /// Count the active nodes of Algorithms A and B, without routes, in hypercubes of up to 24
    /// dimensions
    Activity(ActivityArgs),
    /// Search for the worst-case faults: the set of F faulty nodes or links that degrades a metric
    /// most
    Worst(WorstArgs),
    /// Search for the fewest faults with which a routing loses messages, livelocks or deadlocks
    Refute(RefuteArgs),
    /// Merge the journals of all shards of a run; prints the same result as one machine
    Merge(MergeArgs),
    /// Print a script that runs a measurement as a Slurm array job and merges its shards
    Slurm(SlurmArgs),
    /// Recompute the papers' tables, figures and claims and compare with what they print
    Papers(PapersArgs),
    /// Print the messages of a collective operation, for --messages: all-reduce, all-to-all,
    /// broadcast, halo exchange
    Trace(TraceArgs),
    /// List the presets
    Presets(PresetsArgs),
    /// Generate shell completions
    Completions(CompletionsArgs),
    /// Write the man pages, one for each command, into a folder; without a folder, print the man
    /// page of faultlab
    Man(ManArgs),
    /// Explain a command, the text of an experiment (`faultlab help experiment`), its terms
    /// (`faultlab help words`), or the language of user-defined routings (`faultlab help rules`)
    Help {
        /// A command, `experiment`, `rules` or `words`
        topic: Option<String>,
    },
}

impl Command {
    /// Returns the name of the command, as messages show it.
    pub(crate) fn name(&self) -> &'static str {
        match self {
            Self::Run(RunArgs { plan: true, .. }) => "faultlab run --plan",
            Self::Run(_) => "faultlab run",
            Self::Route(_) => "faultlab route",
            Self::Check(_) => "faultlab check",
            Self::Cost(_) => "faultlab cost",
            Self::Draw(_) => "faultlab draw",
            Self::Compare(_) => "faultlab compare",
            Self::Saturation(_) => "faultlab saturation",
            Self::Activity(_) => "faultlab activity",
            Self::Worst(_) => "faultlab worst",
            Self::Refute(_) => "faultlab refute",
            Self::Merge(_) => "faultlab merge",
            Self::Slurm(_) => "faultlab slurm",
            Self::Papers(_) => "faultlab papers",
            Self::Trace(_) => "faultlab trace",
            Self::Presets(_) => "faultlab presets",
            Self::Completions(_) => "faultlab completions",
            Self::Man(_) => "faultlab man",
            Self::Help { .. } => "faultlab help",
        }
    }

    /// Returns whether the command only writes to standard output, after a long computation.
    pub(crate) fn only_prints(&self) -> bool {
        match self {
            Self::Run(run) => run.plan,
            Self::Draw(draw) => draw.svg.is_none(),
            Self::Route(_)
            | Self::Check(_)
            | Self::Cost(_)
            | Self::Compare(_)
            | Self::Saturation(_)
            | Self::Activity(_)
            | Self::Worst(_)
            | Self::Refute(_) => true,
            _ => false,
        }
    }
}

/// Input of a command: the experiment, and user-defined routings for it.
#[derive(Args, Debug)]
pub(crate) struct InputArgs {
    /// Text, link, preset:ID, file or - (see `faultlab help experiment`)
    pub(crate) experiment: String,
    /// User-defined routings: a file of rules, which becomes part of the experiment's text (see
    /// `faultlab help rules`)
    #[arg(long, value_name = "FILE")]
    pub(crate) rules: Option<PathBuf>,
    /// Messages of worms, instead of traffic: a file in CSV or JSON lines, also compressed (.gz),
    /// which becomes part of the experiment's text (key messages;
    /// docs/models/messages-from-a-file.md)
    #[arg(long, value_name = "FILE")]
    pub(crate) messages: Option<PathBuf>,
    /// Traffic matrix: a CSV file with a line for each source, of the weights of all destinations,
    /// which becomes the key traffic of the experiment's text
    #[arg(long, value_name = "FILE")]
    pub(crate) matrix: Option<PathBuf>,
}

#[derive(Args, Debug)]
pub(crate) struct RunArgs {
    #[command(flatten)]
    pub(crate) given: InputArgs,
    #[command(flatten)]
    pub(crate) printed: OutputArgs,
    /// Store finished tasks in FILE; a run that is started again with the same file resumes there,
    /// with identical results
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    /// Run only the I-th of N shards of the points, counted from 1, into its own journal; `faultlab
    /// merge` combines them
    #[arg(long, value_name = "I/N", value_parser = parse_shard, requires = "journal", conflicts_with_all = ["format", "channels", "nodes", "records", "svg"])]
    pub(crate) shard: Option<Shard>,
    /// Estimate the points, memory and time of the run, and stop. With --json: {experiment, points,
    /// threads,
    /// memory_least, memory_most, seconds, probes, at_least}
    #[arg(long, conflicts_with_all = ["csv", "lengths", "table", "channels", "nodes", "hot_spots", "decimal_comma", "records", "svg"])]
    pub(crate) plan: bool,
    #[command(flatten)]
    pub(crate) effort: ExecutionArgs,
}

/// Each shell (bash, fish, elvish, PowerShell, zsh) has its own folder for completions, such as
/// ~/.local/share/bash-completion/completions/faultlab for bash.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArgs {
    /// Shell to generate completions for
    pub(crate) shell: clap_complete::Shell,
}

/// Use `man -l FILE` to show a page, or put the pages into a folder man1 of MANPATH.
#[derive(Args, Debug)]
pub(crate) struct ManArgs {
    /// Folder to write to; it is created if it does not exist
    pub(crate) folder: Option<PathBuf>,
}

/// Maximum number of shards of a run.
const MAX_SHARDS: u32 = 100_000;

/// Parses a shard of a run, I/N.
fn parse_shard(text: &str) -> Result<Shard, String> {
    let numbers = text.split_once('/').and_then(|(number, count)| Some((number.parse().ok()?, count.parse().ok()?)));
    let shard = numbers.map(|(number, count)| Shard { number, count });
    let accepted = format!("accepted: I/N, such as 3/8, N up to {MAX_SHARDS} and I from 1 to N");
    shard.filter(|shard| (1..=shard.count).contains(&shard.number) && shard.count <= MAX_SHARDS).ok_or(accepted)
}

/// Merges the journals of `faultlab run --shard I/N --journal FILE` for every I. The result is
/// byte-identical to that of one machine. Missing points are reported.
#[derive(Args, Debug)]
pub(crate) struct MergeArgs {
    /// Journals, in any order; - reads a list of them from standard input, one per line
    #[arg(required = true, value_name = "JOURNAL")]
    pub(crate) journals: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) printed: OutputArgs,
}

/// A job script for Slurm: an array of shards that are requeued when their time limit is near, and
/// a job that merges them when all are done. Save the script, and submit it with bash.
#[derive(Args, Debug)]
pub(crate) struct SlurmArgs {
    #[command(flatten)]
    pub(crate) given: InputArgs,
    /// Number of tasks of the array, from 1 to the number of points
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_SHARDS)))]
    pub(crate) tasks: u32,
    /// Time limit of a task, as Slurm writes it; at least two minutes is recommended
    #[arg(long, value_name = "LIMIT", default_value = "1:00:00", value_parser = parse_time_limit)]
    pub(crate) time: String,
    /// Number of threads of a task
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: u16,
    /// Folder of journals, logs and results; all machines must have access to it
    #[arg(long, value_name = "FOLDER", default_value = "faultlab-run")]
    pub(crate) folder: String,
}

/// Output formats of a run.
#[derive(Args, Debug)]
pub(crate) struct OutputArgs {
    /// Print {experiment, seed, version, points: [{series, x, outcome, reason, metrics, lengths}]}
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print one line for each algorithm, value and metric
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
    /// Print the histogram of path lengths as CSV
    #[arg(long, group = "format")]
    pub(crate) lengths: bool,
    /// Print the utilization of every channel of a network with worms as CSV:
    /// series,x,from,to,direction,utilization,ci95_low,ci95_high,runs. With --json: {experiment,
    /// seed, version, series, x, outcome, channels: [{from, to, direction, utilization, ci95_low,
    /// ci95_high, runs}]}, one line for each point
    #[arg(long, conflicts_with_all = ["lengths", "table"])]
    pub(crate) channels: bool,
    /// Print the flits per cycle that enter and leave every node of a network with worms by its
    /// channels, as CSV: series,x,node,entering,entering_low,entering_high,leaving,leaving_low,
    /// leaving_high. With --json: {experiment, seed, version, series, x, outcome, nodes: [{node,
    /// entering, ...}]}, one line for each point
    #[arg(long, conflicts_with_all = ["lengths", "table", "channels"])]
    pub(crate) nodes: bool,
    /// Print, for each point of a run of worms, the experiment's text with the N busiest nodes as
    /// faults (key break): the text of the next run
    #[arg(long, value_name = "N", group = "format", conflicts_with_all = ["channels", "nodes"],
        value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) hot_spots: Option<u16>,
    /// Print CSV with decimal commas, and semicolons between the fields, as spreadsheets in many
    /// languages read it; with --csv, --channels, --nodes or --lengths
    #[arg(long, conflicts_with_all = ["json", "table", "hot_spots"])]
    pub(crate) decimal_comma: bool,
    /// Print aligned tables, one for each metric (the default)
    #[arg(long, group = "format")]
    pub(crate) table: bool,
    /// Also write the messages of a run of worms into FILE as CSV, a line for each message of the
    /// first counted run of every point:
    /// series,x,run,message,from,to,generated,injected,finished,latency,hops,length,outcome,counted
    #[arg(long, value_name = "FILE")]
    pub(crate) records: Option<PathBuf>,
    /// Also draw the experiment's plot into FILE; with - draw it on standard output and print
    /// nothing else
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
}

/// Options of the execution of a measurement. They never change results.
#[derive(Args, Debug)]
pub(crate) struct ExecutionArgs {
    /// Number of threads (default: one per processor); the results do not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(crate) threads: Option<u16>,
    /// Show no progress: no bar on a terminal, and no line every 30 seconds elsewhere
    #[arg(long)]
    pub(crate) quiet: bool,
}

#[derive(Args, Debug)]
pub(crate) struct RouteArgs {
    #[command(flatten)]
    pub(crate) given: InputArgs,
    /// Source node, instead of the experiment's source
    #[arg(long, value_name = "NODE")]
    pub(crate) from: Option<String>,
    /// Destination node, instead of the experiment's destination
    #[arg(long, value_name = "NODE")]
    pub(crate) to: Option<String>,
    /// Print {experiment, seed, version, series, outcome, hops: [{from, to, class, rule, reason}],
    /// ending}, one line for each algorithm; on meshes hops have port, type, status and direction
    /// too; for permutations and batches {experiment, seed, version, series, outcome, nodes,
    /// messages, congestion, cycles, circle, message: {number, from, via, to, hops}, ...}
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print one line for each hop of each algorithm: series,outcome,hop,from,to,class,rule,reason;
    /// on meshes series,outcome,hop,from,to,port,class,type,status,direction,rule,reason; for
    /// permutations and batches
    /// series,outcome,message,hop,from,to,class,phase,dimension,thesis,reason
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
}

#[derive(Args, Debug)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) given: InputArgs,
    /// Print {experiment, seed, version, series, acyclic, channels, dependencies, cycle, ...}, one
    /// line for each algorithm
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print one line for each algorithm: series,acyclic,channels,dependencies,cycle,connected,
    /// ...; for permutations, one line for each number:
    /// series,item,measured,side,bound,supposed,holds
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
}

/// Counts the costs of each algorithm of EXPERIMENT on its network: fault knowledge and routing
/// state of a node, header of a message, comparisons for a hop, virtual channels and buffers. Each
/// number has its formula and its source; where a paper gives no number, the number is counted from
/// the rules. User-defined routings (--rules) are counted from their text. Nothing is simulated.
#[derive(Args, Debug)]
pub(crate) struct CostArgs {
    #[command(flatten)]
    pub(crate) given: InputArgs,
    /// Print {experiment, seed, version, series, knowledge, state_bits, header_bits,
    /// relative_address_bits, comparisons, classes, buffer_flits, parts: [{cost, name, amount,
    /// formula, source}]}, one line for each algorithm
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print the same fields without parts as CSV, one line for each algorithm
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
}

/// Prints the messages of a collective operation of all nodes of EXPERIMENT's network, a mesh,
/// torus or hypercube, as a file for `faultlab run EXPERIMENT --messages FILE`: CSV with the
/// columns id, cycle, source, destination, length, after. A message starts when those of its column
/// after have arrived.
#[derive(Args, Debug)]
pub(crate) struct TraceArgs {
    /// all-reduce-ring, all-reduce-tree, all-reduce-doubling, all-to-all, broadcast or halo
    pub(crate) operation: String,
    /// Experiment or network, such as net=mesh:4x4
    pub(crate) experiment: String,
    /// Flits of the data of a node; around a ring every message has 1/N of them, rounded up
    #[arg(long, value_name = "FLITS", default_value_t = 16)]
    pub(crate) length: u32,
    /// Rounds of halo
    #[arg(long, value_name = "ROUNDS", default_value_t = 1)]
    pub(crate) rounds: u32,
    /// Print EXPERIMENT with these messages as its text, instead of a file
    #[arg(long)]
    pub(crate) inline: bool,
}

/// Renders the initial state of a figure: the still picture that <fault-lab> shows until a reader
/// starts it. The colours follow the light or dark scheme, and <title> contains the summary.
/// Charts are measured completely. The experiment's text may contain options of a figure, such as
/// ui.show=network,chart. With --caption, --width or --ground a chart has the form in which Measure
/// saves it: light, as wide as a column of a paper.
#[derive(Args, Debug)]
pub(crate) struct DrawArgs {
    #[command(flatten)]
    pub(crate) given: InputArgs,
    /// Size of the figure in CSS pixels, from 240x160 to 1600x1200. The picture is smaller: it
    /// leaves space for the summary above it, the controls and the caption
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "640x420", value_parser = parse_size)]
    pub(crate) size: (u32, u32),
    /// View, instead of the experiment's own: watch, measure or check
    #[arg(long, value_name = "VIEW")]
    pub(crate) view: Option<String>,
    /// Parts to show, separated by commas; only network and chart are drawn
    #[arg(long, value_name = "PARTS")]
    pub(crate) show: Option<String>,
    /// Writes the title below a chart for papers (default: yes), or the title and the experiment (source)
    #[arg(long, value_name = "YES|NO|SOURCE", value_parser = ["yes", "no", "source"], conflicts_with = "size")]
    pub(crate) caption: Option<String>,
    /// Width of a chart for papers: one column, 85 mm (the default), or two columns, 175 mm
    #[arg(long, value_name = "WIDTH", value_parser = ["one-column", "two-columns"], conflicts_with = "size")]
    pub(crate) width: Option<String>,
    /// Background of a chart for papers: white (the default) or transparent
    #[arg(long, value_name = "GROUND", value_parser = ["white", "transparent"], conflicts_with = "size")]
    pub(crate) ground: Option<String>,
    /// Write to FILE instead of standard output
    #[arg(long, value_name = "FILE")]
    pub(crate) svg: Option<PathBuf>,
    /// Store the measurements of a chart in FILE and reuse them, so that a chart in another size is
    /// not measured again
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) effort: ExecutionArgs,
}

/// Parses the size of a figure, WIDTHxHEIGHT.
fn parse_size(text: &str) -> Result<(u32, u32), String> {
    let sides = text.split_once('x').and_then(|(width, height)| Some((width.parse().ok()?, height.parse().ok()?)));
    let fits = |&(width, height): &(u32, u32)| (240..=1600).contains(&width) && (160..=1200).contains(&height);
    sides.filter(fits).ok_or_else(|| "accepted: WIDTHxHEIGHT in pixels, from 240x160 to 1600x1200".into())
}

/// Counts the nodes that the faults of EXPERIMENT leave active. EXPERIMENT needs a hypercube; above
/// n = 20 it must not contain switch. For single messages the source and the destination are
/// fault-free.
#[derive(Args, Debug)]
pub(crate) struct ActivityArgs {
    #[command(flatten)]
    pub(crate) given: InputArgs,
    /// Also measure F50: the least number of random faults that leave at most half of all nodes
    /// active. F50 is the mean over trials, each of which adds faults one by one
    #[arg(long = "half")]
    pub(crate) measure_half: bool,
    /// Number of trials; at n = 24 each takes a second, with --half about fifteen
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u32).range(2..=100_000))]
    pub(crate) trials: u32,
    /// Print {experiment, seed, version, series, n, nodes, faults, limit, active, share,
    /// faulty_paths, supposed, half, half_low, half_high, trials}, one line for each of Algorithms
    /// A and B
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print the same fields as CSV, one line for each algorithm
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) effort: ExecutionArgs,
}

/// For each algorithm of the experiment, finds the set of F additional faults that degrades the
/// metric most. All sets are measured if they are few enough. Otherwise the search measures random
/// sets and, from several starts, adds faults one by one and exchanges them. All sets use the same
/// random numbers and number of trials. The worst set is measured once more with new draws, until
/// its interval is as narrow as the experiment requires. The output also has the metric without
/// these faults and the mean over random sets.
#[derive(Args, Debug)]
pub(crate) struct WorstArgs {
    #[command(flatten)]
    pub(crate) given: InputArgs,
    /// Metric to degrade, one of this kind of experiment (default: the plotted metric)
    #[arg(long, value_name = "METRIC")]
    pub(crate) metric: Option<String>,
    /// Number of faults, F
    #[arg(long, value_name = "F", default_value_t = 1)]
    pub(crate) faults: u32,
    /// Fail links (one-way links on hypercubes) instead of nodes
    #[arg(long)]
    pub(crate) links: bool,
    /// Maximum number of sets to measure
    #[arg(long, value_name = "N", default_value_t = 1000)]
    pub(crate) sets: u64,
    /// Number of trials for each set (default: those of the first round of `run`)
    #[arg(long, value_name = "N")]
    pub(crate) trials: Option<u64>,
    /// Print {experiment, seed, version, series, metric, unit, better, faults, outcome, mean,
    /// ci95_low, ci95_high, n, without, without_low, without_high, random, random_low, random_high,
    /// sets, of, trials, exact, text}, one line for each algorithm; text is the experiment with
    /// these faults, and the seed with which they were measured
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print the same fields as CSV, one line for each algorithm
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) effort: ExecutionArgs,
}

/// For each algorithm of the experiment (worms, single messages or circuits), finds the smallest
/// sets of faults with which the algorithm fails: messages between connected nodes are lost,
/// livelock, or deadlock in a cyclic wait. The search tries all sets of 0, 1, 2, ... faults while
/// they are few enough, then random ones. For each set, the search examines all pairs of nodes, all
/// choices and all dependencies between channels. For each flaw, the output has an experiment that
/// shows the flaw; without flaws, it lists what was examined.
#[derive(Args, Debug)]
pub(crate) struct RefuteArgs {
    #[command(flatten)]
    pub(crate) given: InputArgs,
    /// Maximum number of faults, besides those of the experiment
    #[arg(long, value_name = "F", default_value_t = 2)]
    pub(crate) faults: u32,
    /// Fail links (one-way links on hypercubes) instead of nodes
    #[arg(long)]
    pub(crate) links: bool,
    /// Maximum number of sets to examine
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub(crate) sets: u64,
    /// Print {experiment, seed, version, series, flaw, found, faults, struck, pairs, seen,
    /// looked_at, text}, one line for each algorithm and flaw; text is the experiment that shows it
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print the same fields as CSV, one line for each algorithm and flaw
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) effort: ExecutionArgs,
}

#[derive(Args, Debug)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) given: InputArgs,
    /// Metric to compare (default: the plotted metric; with v=1 the first metric of the kind); see
    /// `faultlab help experiment`
    #[arg(long, value_name = "METRIC")]
    pub(crate) metric: Option<String>,
    /// Print {experiment, seed, version, series, against, x, outcome, reason, metric, unit,
    /// difference, gain, base, trials, apart, crossing, ...}, one line for each routing and value;
    /// the ends of intervals have _low and _high
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print the same fields as CSV
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) effort: ExecutionArgs,
}

/// Measures a sweep over the offered traffic, and then more values where each algorithm saturates:
/// where 95% of the messages are accepted, without those that faults make impossible. A sweep of the
/// experiment over the same parameter replaces the first sweep.
#[derive(Args, Debug)]
pub(crate) struct SaturationArgs {
    #[command(flatten)]
    pub(crate) given: InputArgs,
    /// Width down to which intervals are narrowed, in units of the load or the rate
    #[arg(long, value_name = "WIDTH", default_value_t = RESOLUTION, value_parser = parse_resolution)]
    pub(crate) resolution: f64,
    /// Print {experiment, seed, version, series, parameter, saturation, bound, peak, peak_at,
    /// latency, latency_at, points, ...}, one line for each algorithm; the ends of intervals have
    /// _low and _high
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print the same fields as CSV
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
    #[command(flatten)]
    pub(crate) effort: ExecutionArgs,
}

/// Parses the largest width of the intervals of saturation.
fn parse_resolution(text: &str) -> Result<f64, String> {
    let accepted = || "accepted: a number from 0.001 to 1".to_owned();
    text.parse().ok().filter(|width| (0.001..=1.0).contains(width)).ok_or_else(accepted)
}

#[derive(Args, Debug)]
pub(crate) struct PresetsArgs {
    /// Print [{id, title, sentence, question, experiment}]
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print one line for each preset: id,title,sentence,question,experiment
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
}

#[derive(Args, Debug)]
pub(crate) struct PapersArgs {
    /// Selection: one item, such as table4 or chiu-fig6; one paper, such as gordon-stout; errata, to
    /// list the papers' errors; or rows, to list every statement of the papers with its status
    pub(crate) id: Option<String>,
    /// After rows: print only the rows that match all words, such as a paper, a status (works,
    /// partly, missing, erratum, open), an id (T13) or a word of the statement
    #[arg(value_name = "WORDS")]
    pub(crate) words: Vec<String>,
    /// Print [{paper, item, cell, published, measured, ci95, verdict, remark, experiment, seed,
    /// version}]
    #[arg(long, group = "format")]
    pub(crate) json: bool,
    /// Print one line for each cell: paper,item,cell,published,measured, ...
    #[arg(long, group = "format")]
    pub(crate) csv: bool,
    /// Measure to this half-width, 0.0001 to 0.5: absolute for success probabilities (default: the
    /// paper's 0.01), relative for mean setup times (default: 0.003 to 0.03, by item)
    #[arg(long, value_name = "W")]
    pub(crate) within: Option<f64>,
    /// Store finished tasks in FILE; a run that is started again with the same file resumes there,
    /// with identical results
    #[arg(long, value_name = "FILE")]
    pub(crate) journal: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) effort: ExecutionArgs,
}

/// Returns the parsed arguments of this process. Prints help and version, and exits, if they are
/// requested.
pub(crate) fn parse_arguments() -> Result<Arguments, CliError> {
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
            Err(CliError::BadInput("no command; faultlab --help lists them".into()))
        }
        _ => Err(CliError::BadInput(first_message(&error.render().to_string()))),
    }
}

/// Returns the first message of clap as one line, without headings, hints and usage.
fn first_message(message: &str) -> String {
    let lines = message.lines().map(str::trim).take_while(|line| !line.is_empty());
    let line = lines.collect::<Vec<_>>().join(" ");
    format!("{}; see faultlab --help", line.strip_prefix("error: ").unwrap_or(&line))
}

/// Parses a time limit in Slurm's notation.
fn parse_time_limit(text: &str) -> Result<String, String> {
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
    fn time_limits_follow_slurm_syntax() {
        for good in ["30", "2:00:00", "1-12:00:00", "0:05"] {
            assert_eq!(parse_time_limit(good).as_deref(), Ok(good));
        }
        for bad in ["", "0", "0:00:00", "-5", "2h", "1:2:3:4", "1-", "soon", "$(x)", "12345"] {
            assert!(parse_time_limit(bad).is_err(), "{bad}");
        }
    }
}
