//! Faultlab: a laboratory for fault-tolerant routing in interconnection networks.
//!
//! One sentence, read from top to bottom; each room may use those above it and none below:
//!
//! * [`topology`]: what the network is,
//! * [`fault`]: what is broken,
//! * [`traffic`]: who talks to whom, and when,
//! * [`routing`]: where a message may go next, and why,
//! * [`switching`]: how messages move in time,
//! * [`theory`]: what the papers prove,
//! * [`experiment`]: what is asked and answered,
//! * [`report`]: how an answer is written,
//! * `module`: what other people's scripts see (feature `module`),
//! * `worker`: what computes beside the page (feature `worker`),
//! * `web`: what a person sees and touches (feature `web`).
//!
//! A first experiment: its text says everything that decides a result.
//!
//! ```
//! use faultlab::experiment::{Experiment, Sweep, run};
//!
//! let experiment: Experiment = "net=cube:4&faults=nodes:0.2&route=sidetracking&seed=7".parse()?;
//! let mut sweep = Sweep::new(&experiment);
//! run(&mut sweep);
//! let point = &sweep.points()[0];
//! let success = point.estimate(experiment.plotted_metric()).expect("messages were sent");
//! // The interval is as narrow as the experiment asks: 1 point by default.
//! assert!(success.low < success.mean && success.mean < success.high && success.high - success.low < 0.0201);
//! # Ok::<(), faultlab::experiment::ExperimentError>(())
//! ```
//!
//! A routing of one's own, in the language of rules, beside built-in ones; `faultlab help rules` explains it, and [`routing::WormRouting`] shows one in Rust:
//!
//! ```
//! use faultlab::experiment::Experiment;
//! use faultlab::report::kinds::proved;
//!
//! let rules = "routing mine on mesh 2\nwhen some minimal is live take minimal \"any minimal hop\"";
//! let experiment = Experiment::with_rules("net=mesh:4x4&faults=none&route=mine,west-first", rules)?;
//! let told = proved(&experiment, false)?.text();
//! assert!(told.contains("mine") && told.contains("west-first"), "{told}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Features: `cli` (the default) is the command line with threads and charts; `charts` draws charts as scenes and SVG documents; `worker` and `web` are the page, `module` is the npm package. Without
//! any, the library is the pure core. What is to go is marked `#[deprecated]` for a minor version at least, with what takes its place.
//!
//! Everything above `module` is pure and deterministic: the same [`experiment::Experiment`] text gives the same bits on
//! every target and any number of threads.

pub use faultlab_core::{VERSION, fault, random, routing, switching, theory, topology, traffic};
pub use faultlab_experiment as experiment;
pub use faultlab_papers as papers;
pub use faultlab_report as report;

#[cfg(feature = "module")]
pub mod module;
#[cfg(feature = "web")]
pub mod web;
#[cfg(feature = "worker")]
pub mod worker;
