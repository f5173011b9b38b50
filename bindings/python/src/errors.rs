//! Errors as the exceptions of `faultlab.errors`.

use faultlab::api::native::Error;
use faultlab::experiment::{ExperimentError, TextReading};
use pyo3::exceptions::{PyKeyboardInterrupt, PyOSError};
use pyo3::prelude::*;

/// Returns the exception of the invalid value of one key or argument.
pub(crate) fn bad_value(py: Python<'_>, key: &str, value: &str, accepted: &str) -> PyErr {
    let message = format!("{key}={value}; accepted: {accepted}");
    new_exception(py, &message, Some((key, value, accepted, None)))
}

/// Returns the exception of a sentence that describes invalid input.
pub(crate) fn bad_input(py: Python<'_>, message: &str) -> PyErr {
    new_exception(py, message, None)
}

/// Returns the exception of an experiment's text that has errors.
pub(crate) fn bad_text(py: Python<'_>, reading: TextReading) -> PyErr {
    let first = reading.errors.first().cloned();
    let message = reading.into_result_with_all_errors().err().unwrap_or_default();
    let parts = first.as_ref().map(|ExperimentError { key, value, accepted, suggestion, .. }| {
        (key.as_str(), value.as_str(), accepted.as_str(), suggestion.as_deref())
    });
    new_exception(py, &message, parts)
}

/// Returns the exception of an error of a computation.
pub(crate) fn failure(py: Python<'_>, error: Error) -> PyErr {
    match error {
        Error::BadInput(message) => bad_input(py, &message),
        Error::System(message) => PyOSError::new_err(message),
        Error::Cancelled => PyKeyboardInterrupt::new_err(()),
    }
}

/// Key, value, accepted values and suggestion of an invalid value.
type Parts<'a> = (&'a str, &'a str, &'a str, Option<&'a str>);

/// Creates `faultlab.ExperimentError`, which is written in Python.
fn new_exception(py: Python<'_>, message: &str, parts: Option<Parts<'_>>) -> PyErr {
    let class = py.import("faultlab.errors").and_then(|module| module.getattr("ExperimentError"));
    let exception = class.and_then(|class| match parts {
        Some((key, value, accepted, suggestion)) => class.call1((message, key, value, accepted, suggestion)),
        None => class.call1((message,)),
    });
    exception.map_or_else(|error| error, PyErr::from_value)
}
