//! Python package `faultlab`: the extension module `faultlab._faultlab`, a thin layer over
//! [`faultlab::api`]. The classes for users are written in Python (`python/faultlab`).

mod columns;
mod errors;
mod experiment;
mod interruptible;
mod journals;
mod papers;
mod sweep;

use pyo3::pymodule;

/// Core of the package `faultlab`. Use the classes and functions of `faultlab` instead.
#[pymodule]
mod _faultlab {
    #[pymodule_export]
    use super::experiment::{Experiment, reports};
    #[pymodule_export]
    use super::journals::merge;
    #[pymodule_export]
    use super::papers::{errata, paper_rows, papers, presets};
    #[pymodule_export]
    use super::sweep::Sweep;

    #[pymodule_export]
    #[allow(non_upper_case_globals, reason = "the name in Python")]
    const __version__: &str = faultlab::VERSION;
}
