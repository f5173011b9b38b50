//! Results as columns: lists for Python, and an Arrow table.

use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, RecordBatch, StringArray, UInt64Array};
use arrow_schema::{ArrowError, DataType, Field, Schema};
use faultlab::experiment::worm::{ChannelEstimate, channel_estimates};
use faultlab::experiment::{Estimate, Sweep};
use faultlab::report::files::table::{TableRow, table};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Column of a table.
pub(crate) enum Column {
    /// Texts.
    Text(Vec<String>),
    /// Numbers; `None` where there is none.
    Number(Vec<Option<f64>>),
    /// Counts.
    Count(Vec<u64>),
}

/// Columns with their names.
pub(crate) type Columns = Vec<(&'static str, Column)>;

/// Returns the results of a sweep: a row for each algorithm, value and metric, in the columns of its
/// CSV.
pub(crate) fn result_columns(sweep: &Sweep) -> Columns {
    let rows = table(sweep).rows;
    let text = |value: fn(&TableRow) -> String| Column::Text(rows.iter().map(value).collect());
    let number = |value: fn(&TableRow) -> Option<f64>| Column::Number(rows.iter().map(value).collect());
    let count = |value: fn(&TableRow) -> u64| Column::Count(rows.iter().map(value).collect());
    vec![
        ("series", text(|row| row.series.to_string())),
        ("x", number(|row| row.x)),
        ("outcome", text(|row| row.outcome.id().to_owned())),
        ("metric", text(|row| row.metric.id.to_owned())),
        ("unit", text(|row| row.metric.unit.to_owned())),
        ("mean", number(|row| finite(row.estimate.as_ref()?.mean))),
        ("ci95_low", number(|row| end(row, |estimate| estimate.low))),
        ("ci95_high", number(|row| end(row, |estimate| estimate.high))),
        ("n", count(|row| row.estimate.map_or(0, |estimate| estimate.n))),
        ("runs", count(|row| row.estimate.map_or(0, |estimate| estimate.runs))),
        ("reason", text(|row| row.reason.to_string())),
    ]
}

/// Returns the end of an interval; `None` if the interval is unbounded, or the number exact.
fn end(row: &TableRow, end: fn(&Estimate) -> f64) -> Option<f64> {
    row.estimate.as_ref().filter(|estimate| !estimate.is_exact()).map(end).and_then(finite)
}

/// Returns a finite number, without the sign of zero, as the files have it.
fn finite(value: f64) -> Option<f64> {
    value.is_finite().then_some(value + 0.0)
}

/// Returns the utilization of every live channel of a run of worms, in the columns of its CSV.
pub(crate) fn channel_columns(sweep: &Sweep) -> Columns {
    let (mut series, mut from, mut to, mut direction) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut x, mut numbers, mut runs) = (Vec::new(), [Vec::new(), Vec::new(), Vec::new()], Vec::new());
    for point in sweep.points() {
        let Some(mesh) = point.config.network.wormhole_mesh() else { continue };
        for ChannelEstimate { from: start, to: stop, port, utilization } in channel_estimates(point) {
            series.push(point.algorithm.id.to_string());
            x.push(point.x);
            from.push(mesh.format_node(start));
            to.push(mesh.format_node(stop));
            direction.push(mesh.port_name(port).to_owned());
            for (column, value) in numbers.iter_mut().zip([utilization.mean, utilization.low, utilization.high]) {
                column.push(finite(value));
            }
            runs.push(utilization.runs);
        }
    }
    let [utilization, low, high] = numbers.map(Column::Number);
    vec![
        ("series", Column::Text(series)),
        ("x", Column::Number(x)),
        ("from", Column::Text(from)),
        ("to", Column::Text(to)),
        ("direction", Column::Text(direction)),
        ("utilization", utilization),
        ("ci95_low", low),
        ("ci95_high", high),
        ("runs", Column::Count(runs)),
    ]
}

/// Returns the columns as lists by name.
pub(crate) fn to_dict(py: Python<'_>, columns: Columns) -> PyResult<Bound<'_, PyDict>> {
    let dict = PyDict::new(py);
    for (name, column) in columns {
        match column {
            Column::Text(values) => dict.set_item(name, values)?,
            Column::Number(values) => dict.set_item(name, values)?,
            Column::Count(values) => dict.set_item(name, values)?,
        }
    }
    Ok(dict)
}

/// Returns the columns as an Arrow table of one batch.
pub(crate) fn to_arrow(columns: Columns) -> Result<RecordBatch, ArrowError> {
    let (mut fields, mut arrays): (Vec<Field>, Vec<ArrayRef>) = (Vec::new(), Vec::new());
    for (name, column) in columns {
        let (kind, array): (DataType, ArrayRef) = match column {
            Column::Text(values) => (DataType::Utf8, Arc::new(StringArray::from(values))),
            Column::Number(values) => (DataType::Float64, Arc::new(Float64Array::from(values))),
            Column::Count(values) => (DataType::UInt64, Arc::new(UInt64Array::from(values))),
        };
        fields.push(Field::new(name, kind.clone(), kind == DataType::Float64));
        arrays.push(array);
    }
    RecordBatch::try_new(Arc::new(Schema::new(fields)), arrays)
}
