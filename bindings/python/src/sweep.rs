//! Results of a measurement.

use arrow_array::RecordBatchIterator;
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use faultlab::api;
use faultlab::experiment::worm::check_channels;
use faultlab::report::chart::print::PrintOptions;
use faultlab::report::files::csv;
use faultlab::report::picture::geometry::Size;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};

use crate::columns::{channel_columns, result_columns, to_arrow, to_dict};
use crate::errors;

/// Results of a measurement.
#[pyclass(frozen, module = "faultlab._faultlab")]
pub(crate) struct Sweep {
    pub(crate) sweep: faultlab::experiment::Sweep,
}

#[pymethods]
impl Sweep {
    /// Text of the experiment.
    #[getter]
    fn text(&self) -> String {
        self.sweep.experiment().to_string()
    }

    /// Formats the results like `faultlab run`: text, csv, json or lengths.
    fn results(&self, py: Python<'_>, format: &str) -> PyResult<String> {
        if format == "lengths" {
            csv::check_lengths(&self.sweep).map_err(|error| errors::bad_input(py, &error.to_string()))?;
        }
        api::results(&self.sweep, format).map(api::printed).map_err(|error| errors::bad_input(py, &error))
    }

    /// Draws the chart for a paper, like `faultlab run --svg`.
    fn chart(&self, caption: bool, source: bool, wide: bool, transparent: bool) -> String {
        api::printed(api::chart(&self.sweep, PrintOptions { caption, source, is_wide: wide, transparent }))
    }

    /// Draws the figure, like `faultlab draw --view measure`.
    fn figure(&self, py: Python<'_>, width: f64, height: f64) -> PyResult<String> {
        api::draw_results(&self.sweep, Size::new(width, height)).map_err(|error| errors::bad_input(py, &error))
    }

    /// Returns the results as lists by column.
    fn columns<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        to_dict(py, result_columns(&self.sweep))
    }

    /// Returns the utilization of every channel as lists by column.
    fn channels<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        check_channels(self.sweep.experiment()).map_err(|why| errors::bad_input(py, &why))?;
        to_dict(py, channel_columns(&self.sweep))
    }

    /// Returns the metrics: identifier, axis title, unit, meaning, and true for probabilities.
    fn metrics(&self) -> Vec<(&'static str, &'static str, &'static str, &'static str, bool)> {
        let metrics = self.sweep.experiment().kind().metrics.iter();
        metrics.map(|metric| (metric.id, metric.axis, metric.unit, metric.meaning, metric.probability)).collect()
    }

    /// Returns the identifier of the plotted metric.
    fn plotted_metric(&self) -> &'static str {
        self.sweep.experiment().plotted_metric().id
    }

    /// Returns the axis title of the varied parameter; `None` if nothing is varied.
    fn x_axis(&self) -> Option<String> {
        self.sweep.experiment().vary.as_ref().map(|vary| vary.parameter.axis.to_owned())
    }

    /// Returns the results as a stream of the Arrow C data interface.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // A consumer must accept another schema than the one that it requested.
        let _ = requested_schema;
        let batch =
            to_arrow(result_columns(&self.sweep)).map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let schema = batch.schema();
        let stream = FFI_ArrowArrayStream::new(Box::new(RecordBatchIterator::new([Ok(batch)], schema)));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }
}
