//! Functions that report on one experiment without measuring it.

use crate::experiment::{Experiment, KINDS, Kind, Version};
use crate::report::cost::CostReport;
use crate::report::document::Document;
use crate::report::kinds::{proved, route_writer, supports_routes};

/// Function of every package that reports on an experiment.
#[derive(Clone, Copy, Debug)]
pub struct ReportFunction {
    /// Name in the packages and on the command line.
    pub name: &'static str,
    /// Function that writes the report. The error is a sentence.
    pub report: fn(&Experiment) -> Result<Box<dyn Document>, String>,
}

/// Functions that report on an experiment, in every package under the same names.
pub static REPORTS: [ReportFunction; 3] = [
    ReportFunction { name: "route", report: route },
    ReportFunction { name: "check", report: check },
    ReportFunction { name: "cost", report: cost },
];

/// Returns the function called `name`.
///
/// # Errors
/// Returns a sentence with the names if there is no such function.
pub fn find_report(name: &str) -> Result<ReportFunction, String> {
    REPORTS.into_iter().find(|function| function.name == name).ok_or_else(|| {
        let names = REPORTS.map(|function| function.name);
        format!("report {name}: unknown; accepted: {}", names.join(", "))
    })
}

/// Routes the watched message hop by hop, with a reason for each hop; on fat-trees all messages,
/// cycle by cycle. Cost: as one run.
///
/// # Errors
/// Returns a sentence if no point can run, if messages of this kind are not followed, or if the
/// experiment is invalid.
pub fn route(experiment: &Experiment) -> Result<Box<dyn Document>, String> {
    experiment.check_feasible().map_err(|why| super::infeasible_message(experiment, &why))?;
    let route = route_writer(experiment).ok_or_else(|| {
        let has_routes = |kind: &&Kind| supports_routes(&kind.behavior.default_experiment(Version::LATEST, None));
        let accepted: Vec<_> = KINDS.into_iter().filter(has_routes).map(|kind| kind.id).collect();
        format!(
            "switch={}: this kind has no routes to print; accepted: switch={}; faultlab check shows what this kind \
             of experiment permits",
            experiment.kind().id,
            accepted.join(", ")
        )
    })?;
    experiment.validate().map_err(|error| error.to_string())?;
    route(experiment).map_err(|error| error.to_string())
}

/// Runs the thorough check of the watched instance. Experiments that cannot run are checked too:
/// the report states that. Cost: seconds at most, on large networks.
///
/// # Errors
/// Returns a sentence with the reason if there is nothing to report.
pub fn check(experiment: &Experiment) -> Result<Box<dyn Document>, String> {
    proved(experiment, true).map(|found| found as Box<dyn Document>).map_err(|error| error.to_string())
}

/// Counts what routers know and do, without simulating. Cost: a few steps for each algorithm.
///
/// # Errors
/// Returns no error: every experiment has costs.
pub fn cost(experiment: &Experiment) -> Result<Box<dyn Document>, String> {
    Ok(Box::new(CostReport::from_experiment(experiment)))
}

/// Renders a document in the named format: text, csv or json.
///
/// # Errors
/// Returns the list of formats if `format` is none of them.
pub fn render(document: &dyn Document, format: &str) -> Result<String, String> {
    match format {
        "text" => Ok(document.text()),
        "csv" => Ok(document.csv()),
        "json" => Ok(document.json()),
        _ => Err(format!("format {format}: unknown; accepted: text, csv, json")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_report_has_all_formats() {
        let experiment = "net=mesh:4x4&faults=none&route=west-first".parse().unwrap();
        for function in &REPORTS {
            let document = (function.report)(&experiment).unwrap();
            for format in ["text", "csv", "json"] {
                let text = render(&*document, format).unwrap();
                assert!(text.contains("west-first"), "{} {format}: {text}", function.name);
            }
            assert!(render(&*document, "xml").unwrap_err().contains("accepted: text, csv, json"));
            assert_eq!(find_report(function.name).unwrap().name, function.name);
        }
        assert!(find_report("fly").unwrap_err().contains("accepted: route, check, cost"));
    }
}
