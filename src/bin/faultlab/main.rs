//! Command line: a thin layer over the library.

mod activity;
mod arguments;
mod check;
mod compare;
mod cost;
mod draw;
mod help;
mod input;
mod interrupt;
mod manual;
mod measure;
mod merge;
mod output;
mod output_target;
mod plan;
mod refute;
mod route;
mod saturation;
mod slurm;
mod trace;
mod work;
mod worst;

use std::process::ExitCode;

use faultlab::report::presets::Presets;

use arguments::{Arguments, Command};
use output::{CliError, exit_when_output_closes, print, print_document};

fn main() -> ExitCode {
    interrupt::install_handler();
    match arguments::parse_arguments().and_then(execute) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(),
    }
}

fn execute(arguments: Arguments) -> Result<(), CliError> {
    interrupt::set_command(arguments.command.name());
    if arguments.command.only_prints() {
        exit_when_output_closes();
    }
    match arguments.command {
        Command::Run(run) => measure::run(&run),
        Command::Route(route) => route::route(&route),
        Command::Draw(draw) => draw::draw(&draw),
        Command::Compare(compare) => compare::compare(&compare),
        Command::Saturation(saturation) => saturation::saturation(&saturation),
        Command::Check(check) => check::check(&check),
        Command::Cost(cost) => cost::cost(&cost),
        Command::Activity(activity) => activity::activity(&activity),
        Command::Worst(worst) => worst::worst(&worst),
        Command::Refute(refute) => refute::refute(&refute),
        Command::Merge(merge) => merge::merge(&merge),
        Command::Papers(papers) => measure::papers(&papers),
        Command::Slurm(slurm) => slurm::slurm(&slurm),
        Command::Trace(trace) => trace::trace(&trace),
        Command::Presets(presets) => print_document(&Presets, presets.json, presets.csv),
        Command::Completions(completions) => manual::completions(&completions),
        Command::Man(man) => manual::man(&man),
        Command::Help { topic } => print(&help::topic(topic.as_deref())?),
    }
}
