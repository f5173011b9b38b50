//! Faultlab: a laboratory for fault-tolerant routing in interconnection networks.
//!
//! The library re-exports the crates of the workspace. Each module uses only those above it in this
//! table, and [`random`]:
//!
//! | module | contents |
//! |---|---|
//! | [`topology`] | hypercubes, meshes, tori and fat-trees |
//! | [`fault`] | fault models, fault rings, fault-free paths |
//! | [`traffic`] | sources and destinations of messages, and when they are generated |
//! | [`routing`] | the routing algorithms of five papers, and a language for new ones |
//! | [`switching`] | the engines that simulate messages, circuits, flits and delivery cycles |
//! | [`theory`] | dependency graphs, deadlock conditions, closed forms and exact counts |
//! | [`experiment`] | the [`experiment::Experiment`] value and its text, sweeps, statistics |
//! | [`papers`] | the tables, figures and claims of the papers, recomputed |
//! | [`report`] | text, charts, pictures, CSV and JSON |
//! | [`api`] | what the command line and the packages for other languages share |
//! | `module`, `worker`, `web` | the npm package, the workers and the page, each behind a feature |
//!
//! A first experiment. Its text contains everything that determines the results:
//!
//! ```
//! use faultlab::experiment::{Experiment, Sweep, run};
//!
//! let experiment: Experiment = "net=cube:4&faults=nodes:0.2&route=sidetracking&seed=7".parse()?;
//! let mut sweep = Sweep::new(&experiment);
//! run(&mut sweep);
//! let point = &sweep.points()[0];
//! let success = point.estimate(experiment.plotted_metric()).expect("messages were sent");
//! // The interval is as narrow as the experiment requires: 1 point by default.
//! assert!(success.low < success.mean && success.mean < success.high && success.high - success.low < 0.0201);
//! # Ok::<(), faultlab::experiment::ExperimentError>(())
//! ```
//!
//! A user-defined routing in the rule language, compared with a built-in one. `faultlab help rules`
//! explains the language, and [`routing::WormRouting`] shows a routing in Rust:
//!
//! ```
//! use faultlab::experiment::Experiment;
//! use faultlab::report::kinds::proved;
//!
//! let rules = "routing mine on mesh 2\nwhen some minimal is live take minimal \"any minimal hop\"";
//! let experiment = Experiment::with_rules("net=mesh:4x4&faults=none&route=mine,west-first", rules)?;
//! let text = proved(&experiment, false)?.text();
//! assert!(text.contains("mine") && text.contains("west-first"), "{text}");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | feature | adds |
//! |---|---|
//! | `cli` (default) | the command line, with `native` |
//! | `threads` | sweeps and searches on all threads |
//! | `native` | [`api`] for programs on an operating system: journals, free memory, cancellation |
//! | `charts` | charts as scenes and SVG documents |
//! | `module` | the npm package |
//! | `worker`, `web` | the page |
//!
//! Deprecated items are marked `#[deprecated]` for at least one minor version; the mark names the
//! replacement.
//!
//! All modules above `module` in the table are pure and deterministic. The same
//! [`experiment::Experiment`] text gives the same bits on every target and with any number of
//! threads.

pub use faultlab_core::{VERSION, fault, random, rich, rich_text, routing, switching, theory, topology, traffic};
pub use faultlab_experiment as experiment;
pub use faultlab_papers as papers;
pub use faultlab_report as report;

pub mod api;
#[cfg(feature = "module")]
pub mod module;
#[cfg(feature = "web")]
pub mod web;
#[cfg(feature = "worker")]
pub mod worker;
