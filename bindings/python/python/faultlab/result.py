"""Results of measurements."""

from __future__ import annotations

import html
import math
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from . import _faultlab
from .errors import ExperimentError
from .graph import network_graph

if TYPE_CHECKING:
    import networkx
    import pandas
    import polars
    import pyarrow
    from matplotlib.axes import Axes

    from .experiment import Experiment, PathLike

__all__ = ["Columns", "ChannelColumns", "Metric", "Result"]


class Columns(TypedDict):
    """Results, a row for each algorithm, value of the varied parameter, and metric. The columns are
    those of the CSV."""

    series: list[str]
    x: list[float | None]
    outcome: list[str]
    metric: list[str]
    unit: list[str]
    mean: list[float | None]
    ci95_low: list[float | None]
    ci95_high: list[float | None]
    n: list[int]
    runs: list[int]
    reason: list[str]


ChannelColumns = TypedDict(
    "ChannelColumns",
    {
        "series": list[str],
        "x": list[float | None],
        "from": list[str],
        "to": list[str],
        "direction": list[str],
        "utilization": list[float | None],
        "ci95_low": list[float | None],
        "ci95_high": list[float | None],
        "runs": list[int],
    },
)
"""Utilization of every live channel, a row for each algorithm, value and channel."""


class Metric(NamedTuple):
    """Measured quantity.

    Attributes:
        id: Name in the columns.
        axis: Axis title, with the unit.
        unit: Unit of the values.
        meaning: Explanation in one sentence.
        is_probability: True for shares, 0 to 1.
    """

    id: str
    axis: str
    unit: str
    meaning: str
    is_probability: bool


class Result:
    """Results of a measurement, with 95% confidence intervals.

    A result is also an Arrow stream (`__arrow_c_stream__`), which pandas, polars, DuckDB and
    pyarrow read.
    """

    __slots__ = ("_core",)

    def __init__(self, core: _faultlab.Sweep) -> None:
        self._core = core

    @property
    def experiment(self) -> Experiment:
        """Experiment of the results, including the seed."""
        from .experiment import Experiment

        return Experiment(self._core.text)

    @property
    def metrics(self) -> list[Metric]:
        """Metrics of the experiment, in the order of the rows."""
        return [Metric(*metric) for metric in self._core.metrics()]

    @property
    def is_complete(self) -> bool:
        """False if a point was cancelled, by Ctrl-C or because it belongs to another shard."""
        return "cancelled" not in self.columns()["outcome"]

    def columns(self) -> Columns:
        """Returns the results as lists by column.

        `None` stands for the empty fields of the CSV: `x` if nothing is varied; `mean` without a
        message that contributes; the ends of an unbounded interval, as with one trial, and of an
        exact number. `n` is the number of messages in a mean, `runs` the number of independent
        trials from which its interval is computed.
        """
        return self._core.columns()

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the rows of `columns` as a data frame (needs pandas); missing numbers are NaN."""
        import pandas

        numbers = dict.fromkeys(("x", "mean", "ci95_low", "ci95_high"), "float64")
        return pandas.DataFrame(dict(self.columns())).astype(numbers)

    def to_polars(self) -> polars.DataFrame:
        """Returns the rows of `columns` as a data frame (needs polars); missing numbers are null."""
        import polars

        return polars.DataFrame(self)

    def to_arrow(self) -> pyarrow.Table:
        """Returns the rows of `columns` as an Arrow table (needs pyarrow)."""
        import pyarrow

        return pyarrow.table(self)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Returns a stream of the Arrow PyCapsule interface."""
        return self._core.__arrow_c_stream__(requested_schema)

    def to_text(self) -> str:
        """Returns aligned tables, one for each metric, with the bytes of `faultlab run`."""
        return self._core.results("text")

    def to_csv(self, path: PathLike | None = None) -> str:
        """Returns the results as CSV, with the bytes of `faultlab run --csv`; also writes them to
        `path`, if there is one."""
        return _written(self._core.results("csv"), path)

    def to_json(self, path: PathLike | None = None) -> str:
        """Returns the results as JSON, with the bytes of `faultlab run --json`; also writes them to
        `path`, if there is one."""
        return _written(self._core.results("json"), path)

    def lengths(self, path: PathLike | None = None) -> str:
        """Returns the histogram of path lengths as CSV, with the bytes of `faultlab run --lengths`.

        Raises:
            ExperimentError: Experiments of this kind count no path lengths, or no message has
                arrived.
        """
        return _written(self._core.results("lengths"), path)

    def channels(self) -> ChannelColumns:
        """Returns the utilization of every live channel of a run of worms as lists by column: the
        share of cycles in which a flit crosses the channel, 0 to 1.

        Raises:
            ExperimentError: The runs of this experiment do not count channels.
        """
        return self._core.channels()

    def to_networkx(self, *, series: str | None = None, x: float | None = None) -> networkx.DiGraph[str]:
        """Returns the graph of `Experiment.to_networkx` with the measured channel loads (needs
        NetworkX): edges also have `utilization`, `ci95_low` and `ci95_high`.

        Args:
            series: Algorithm; the first one by default.
            x: Value of the varied parameter; the first one by default.

        Raises:
            ExperimentError: The runs count no channels, or no such point was measured.
        """
        channels = self.channels()
        points = sorted(set(zip(channels["series"], channels["x"], strict=True)), key=str)
        wanted = [
            point
            for point in zip(channels["series"], channels["x"], strict=True)
            if (series is None or point[0] == series) and (x is None or point[1] == x)
        ]
        if not wanted:
            accepted = ", ".join(str(point) for point in points)
            raise ExperimentError(f"series={series}, x={x}: no such point; accepted: {accepted}", "series", series)
        graph = network_graph(self.experiment._core)
        for row, point in enumerate(zip(channels["series"], channels["x"], strict=True)):
            if point == wanted[0]:
                graph.edges[channels["from"][row], channels["to"][row]].update(
                    utilization=channels["utilization"][row],
                    ci95_low=channels["ci95_low"][row],
                    ci95_high=channels["ci95_high"][row],
                )
        return graph

    def plot(self, metric: str | None = None, *, ax: Axes | None = None, **errorbar: Any) -> Axes:
        """Plots a metric with 95% intervals, one curve for each algorithm (needs matplotlib).

        Args:
            metric: Name of the metric; that of the experiment's chart by default.
            ax: Axes to draw into; new ones by default.
            errorbar: Further arguments of `Axes.errorbar`.

        Returns:
            The axes. Unstable and deadlocked points have no mean and leave a gap.

        Raises:
            ExperimentError: There is no such metric.
        """
        from matplotlib import pyplot

        metrics = {one.id: one for one in self.metrics}
        name = metric or self._core.plotted_metric()
        if name not in metrics:
            accepted = ", ".join(metrics)
            raise ExperimentError(f"metric={name}: not measured; accepted: {accepted}", "metric", name, accepted)
        if ax is None:
            ax = pyplot.subplots()[1]
        columns = self.columns()
        rows = [row for row, other in enumerate(columns["metric"]) if other == name]
        axis = self._core.x_axis()
        style: dict[str, Any] = {"marker": "o", "markersize": 4, "capsize": 2, **errorbar}
        for number, series in enumerate(dict.fromkeys(columns["series"])):
            own = [row for row in rows if columns["series"][row] == series]
            xs: list[float] = [number if axis is None else _number(columns["x"][row]) for row in own]
            means = [_number(columns["mean"][row]) for row in own]
            below = [_width(means[at], columns["ci95_low"][row]) for at, row in enumerate(own)]
            above = [_width(means[at], columns["ci95_high"][row]) for at, row in enumerate(own)]
            ax.errorbar(xs, means, yerr=[below, above], label=series, **style)
        if axis is None:
            names = list(dict.fromkeys(columns["series"]))
            ax.set_xticks(range(len(names)), names)
        else:
            ax.set_xlabel(axis)
            ax.legend()
        ax.set_ylabel(metrics[name].axis)
        return ax

    def to_svg(
        self, *, caption: bool = True, source: bool = False, wide: bool = False, transparent: bool = False
    ) -> str:
        """Draws the chart for a paper as SVG, with the bytes of `faultlab run --svg`.

        Args:
            caption: Write the title below the chart.
            source: Add the experiment to the caption.
            wide: Two columns of a paper (175 mm) instead of one (85 mm).
            transparent: Leave out the white background.
        """
        return self._core.chart(caption, source, wide, transparent)

    def __len__(self) -> int:
        return len(self.columns()["series"])

    def __repr__(self) -> str:
        return self.to_text()

    def _repr_html_(self) -> str:
        figure = self._core.figure(640.0, 420.0)
        table = html.escape(self.to_text())
        return f"{figure}<details><summary>Table</summary><pre>{table}</pre></details>"


def _written(text: str, path: PathLike | None) -> str:
    if path is not None:
        with open(path, "w", encoding="utf-8", newline="") as file:
            file.write(text)
    return text


def _number(value: float | None) -> float:
    return math.nan if value is None else value


def _width(mean: float, end: float | None) -> float:
    """Returns the distance of an end of an interval from the mean; 0 without an interval."""
    return 0.0 if end is None or math.isnan(mean) else abs(end - mean)
