"""Results as columns, data frames, Arrow tables and plots."""

import csv
import math

import pytest

import faultlab as fl

from conftest import KINDS


@pytest.fixture(scope="module")
def result() -> fl.Result:
    return fl.Experiment(KINDS["message"]).run()


def csv_rows(result: fl.Result) -> list[dict[str, str]]:
    return list(csv.DictReader(line for line in result.to_csv().splitlines() if not line.startswith("#")))


def test_columns_are_those_of_the_csv(result: fl.Result) -> None:
    columns = result.columns()
    rows = csv_rows(result)
    assert list(columns) == list(rows[0])
    assert len(result) == len(rows) == 2 * 2 * len(result.metrics)
    for number, row in enumerate(rows):
        for name in ("x", "mean", "ci95_low", "ci95_high"):
            value = columns[name][number]
            assert (value is None) == (row[name] == "") and (value is None or value == float(row[name]))
        assert [columns[name][number] for name in ("series", "outcome", "metric", "unit", "reason")] == [
            row[name] for name in ("series", "outcome", "metric", "unit", "reason")
        ]
        assert (columns["n"][number], columns["runs"][number]) == (int(row["n"]), int(row["runs"]))
    assert result.is_complete


def test_every_kind_has_columns(text: str) -> None:
    result = fl.Experiment(text).run()
    assert len(result.to_pandas()) == len(csv_rows(result)) == len(result)


def test_pandas_polars_and_arrow_have_the_same_rows(result: fl.Result) -> None:
    pandas = result.to_pandas()
    polars = result.to_polars()
    arrow = result.to_arrow()
    columns = result.columns()
    assert list(pandas.columns) == polars.columns == arrow.column_names == list(columns)
    assert polars.to_dict(as_series=False) == arrow.to_pydict() == columns
    assert str(pandas["mean"].dtype) == "float64"
    assert [None if math.isnan(value) else value for value in pandas["mean"]] == columns["mean"]
    # A success of 100% has an interval, too; exact numbers have none.
    exact = fl.Experiment("net=cube:3&faults=none&switch=pairs").run().to_pandas()
    assert exact["ci95_low"].isna().all() and str(exact["x"].dtype) == "float64"


def test_plot_has_a_curve_with_intervals_for_each_algorithm(result: fl.Result) -> None:
    import matplotlib

    matplotlib.use("Agg")
    axes = result.plot()
    columns = result.columns()
    labels = [text.get_text() for text in axes.get_legend().get_texts()]  # type: ignore[union-attr]
    assert labels == ["sidetracking", "random"]
    drawn = axes.containers[0].lines[0].get_xydata().tolist()  # type: ignore[attr-defined]
    rows = [row for row, name in enumerate(columns["metric"]) if name == "success"][:2]
    assert drawn == [[columns["x"][row], columns["mean"][row]] for row in rows]
    assert result.plot("length", ax=axes) is axes
    with pytest.raises(fl.ExperimentError, match="accepted: success"):
        result.plot("none")
    alone = fl.Experiment("net=cube:4&within=0.2").run().plot()
    assert [tick.get_text() for tick in alone.get_xticklabels()] == ["sidetracking"]


def test_notebooks_show_the_figure_and_the_table(result: fl.Result) -> None:
    html = result._repr_html_()
    assert html.startswith("<svg") and "<pre>" in html
    assert "<script" not in html
    assert repr(result) == result.to_text()


def test_files_have_the_bytes_of_the_texts(result: fl.Result, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("files") / "result.csv"
    assert result.to_csv(path).encode() == path.read_bytes()


def test_reports_are_records() -> None:
    report = fl.Experiment("net=mesh:4x4&faults=none&route=west-first,e-cube").cost()
    assert [record["series"] for record in report.records()] == ["west-first", "e-cube"]
    assert list(report.to_pandas()["series"]) == ["west-first", "e-cube"]
    assert report._repr_html_().startswith("<pre>")
