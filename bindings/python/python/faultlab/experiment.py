"""Experiments."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import quote

from . import _faultlab
from .errors import ExperimentError, Interrupted, check_range
from .graph import network_graph
from .progress import ProgressOption, callback
from .report import Report
from .result import Result

if TYPE_CHECKING:
    import networkx

    from .figure import Figure

__all__ = ["Experiment", "Key", "PathLike"]

PathLike = str | os.PathLike[str]

Value = str | int | float
Key = Value | Iterable[Value] | Mapping[str, Value | Iterable[Value]]
"""Value of a key: `route=["f-cube2", "lh2"]` is `route=f-cube2,lh2`, and `vary={"load": [0.1, 0.2]}`
is `vary=load:0.1,0.2`."""

View = Literal["watch", "measure", "check"]

_SIZES = ((240, 1600), (160, 1200))

_MAX_THREADS = 1024
_MAX_FAULTS = 2**32 - 1
_MAX_COUNT = 2**63 - 1


class Experiment:
    """An experiment: network, faults, routings, traffic, and everything else that determines the
    results.

    Args:
        text: Experiment text such as `net=cube:6&faults=nodes:0.3`, a link of the page, or
            `preset:ID`. `faultlab help experiment` and the book explain the keys.
        rules: Routings of your own: a text in the rule language, or the path of a file
            (`pathlib.Path`). They become part of the experiment's text.
        keys: Keys of the text as keywords. A trailing underscore is removed, for `from_` and
            `break_`. Lists are joined by commas.

    Raises:
        ExperimentError: A key or value is invalid. The exception names it, and what is accepted.

    >>> Experiment(net="mesh:16x16", route=["f-cube2", "lh2"], load=0.6).text
    'v=1&net=mesh:16x16&switch=wormhole&route=f-cube2,lh2&load=0.6'
    """

    __slots__ = ("_core",)

    def __init__(
        self, text: str = "", /, *, rules: PathLike | None = None, **keys: Key
    ) -> None:
        if not isinstance(text, str):
            raise TypeError("an experiment is a text, such as net=cube:6&faults=nodes:0.3")
        parts = [text] if text.strip() else []
        parts += [f"{name.rstrip('_')}={quote(_value_text(value), safe=':,.*-+_')}" for name, value in keys.items()]
        if keys and text.startswith("preset:"):
            raise ExperimentError(
                f"{text}: a preset has no further keys; accepted: Experiment({text!r}).replace(...)"
            )
        self._core = _faultlab.Experiment("&".join(parts), _rules_text(rules))

    @property
    def text(self) -> str:
        """Text with everything that determines the results; keys with default values are left
        out."""
        return self._core.text

    @property
    def kind(self) -> str:
        """Kind of the experiment, the value of `switch`: what moves, and how."""
        return self._core.kind

    @property
    def network(self) -> str:
        """Network, the value of `net`."""
        return self._core.network

    @property
    def seed(self) -> int:
        """Seed of all random numbers."""
        return self._core.seed

    @property
    def algorithms(self) -> list[str]:
        """Names of the compared algorithms, in their order."""
        return self._core.algorithms

    @property
    def remarks(self) -> list[str]:
        """Warnings of the rules, and problems with options of a figure; they change no result."""
        return self._core.remarks

    def replace(self, *, rules: PathLike | None = None, **keys: Key) -> Experiment:
        """Returns the experiment with other values of these keys.

        Raises:
            ExperimentError: A key or value is invalid.
        """
        names = {name.rstrip("_") for name in keys} | ({"rules"} if rules is not None else set())
        kept = [pair for pair in self.text.split("&") if pair.partition("=")[0] not in names]
        return Experiment("&".join(kept), rules=rules, **keys)

    def run(
        self,
        *,
        progress: ProgressOption = False,
        threads: int | None = None,
        journal: PathLike | None = None,
        shard: tuple[int, int] | None = None,
    ) -> Result:
        """Measures the experiment until its 95% intervals are narrow enough, like `faultlab run`.

        Python's lock is released. Ctrl-C ends the run within half a second.

        Args:
            progress: `True` shows the progress; a function receives a `Progress`.
            threads: Number of threads, 1 to 1024; one per processor by default. It does not change
                the results.
            journal: File in which finished tasks are stored. A run that is started again with the
                same file resumes there, with identical results.
            shard: `(I, N)` runs only the I-th of N shards, counted from 1, into its own journal;
                `merge` combines them.

        Raises:
            Interrupted: Ctrl-C ended the run; its `result` has the results so far.
            ExperimentError: No point of the experiment can run, or an argument is invalid.
            OSError: The journal cannot be written.
        """
        check_range("threads", threads, 1, _MAX_THREADS)
        for number in shard or ():
            check_range("shard", number, 0, _MAX_FAULTS)
        path = None if journal is None else os.fspath(journal)
        with callback(progress) as raw:
            core, interrupt = self._core.run(threads, path, shard, raw)
        result = Result(core)
        if isinstance(interrupt, KeyboardInterrupt):
            raise Interrupted(result) from None
        if interrupt is not None:
            raise interrupt
        return result

    def route(self) -> Report:
        """Traces the watched message hop by hop, with a reason for each hop, like `faultlab route`.

        For permutations and fat-trees the report has all messages.

        Raises:
            ExperimentError: Messages of this kind are not followed, or nothing can run.
        """
        return Report(*self._core.report("route"))

    def check(self) -> Report:
        """Checks the theorems on this instance, like `faultlab check`: dependency graph, deadlock,
        exact probabilities, bounds.

        Raises:
            ExperimentError: There is nothing to check.
        """
        return Report(*self._core.report("check"))

    def cost(self) -> Report:
        """Counts what routers know and do, like `faultlab cost`: bits of routing state and of
        headers, comparisons per hop, virtual channels. Nothing is simulated."""
        return Report(*self._core.report("cost"))

    def compare(
        self, *, metric: str | None = None, progress: ProgressOption = False, threads: int | None = None
    ) -> Report:
        """Compares the routings with the first one, trial by trial on the same faults and messages,
        like `faultlab compare`: difference, gain, crossover, each with its 95% interval.

        Args:
            metric: Metric to compare; the plotted one by default.
            progress: See `run`.
            threads: See `run`.

        Raises:
            ExperimentError: The metric does not exist, or there is nothing to compare.
            KeyboardInterrupt: Ctrl-C ended the comparison.
        """
        check_range("threads", threads, 1, _MAX_THREADS)
        with callback(progress) as raw:
            return Report(*self._core.compare(metric, threads, raw))

    def saturation(
        self, *, resolution: float = 0.02, progress: ProgressOption = False, threads: int | None = None
    ) -> Report:
        """Finds the offered traffic from which on a network accepts less than it is offered, like
        `faultlab saturation`.

        Args:
            resolution: Width down to which intervals are narrowed, 0.001 to 1, in units of the
                offered traffic.
            progress: See `run`.
            threads: See `run`.

        Raises:
            ExperimentError: Experiments of this kind do not saturate.
            KeyboardInterrupt: Ctrl-C ended the search.
        """
        check_range("threads", threads, 1, _MAX_THREADS)
        with callback(progress) as raw:
            return Report(*self._core.saturation(resolution, threads, raw))

    def worst(
        self,
        *,
        metric: str | None = None,
        faults: int = 1,
        links: bool = False,
        sets: int = 1000,
        trials: int | None = None,
        progress: ProgressOption = False,
        threads: int | None = None,
    ) -> Report:
        """Searches for the set of faults that degrades a metric most, like `faultlab worst`.

        Args:
            metric: Metric to degrade; the plotted one by default.
            faults: Number of faults, besides those of the experiment.
            links: `True` to fail links (one-way links on hypercubes) instead of nodes.
            sets: Maximum number of sets to measure.
            trials: Number of trials for each set; by default those of the first round of `run`.
            progress: See `run`.
            threads: See `run`.

        Raises:
            ExperimentError: An argument is invalid.
            KeyboardInterrupt: Ctrl-C ended the search: an incomplete search would be misleading.
        """
        check_range("threads", threads, 1, _MAX_THREADS)
        check_range("faults", faults, 0, _MAX_FAULTS)
        check_range("sets", sets, 1, _MAX_COUNT)
        check_range("trials", trials, 1, _MAX_COUNT)
        with callback(progress) as raw:
            return Report(*self._core.worst(metric, faults, links, sets, trials, threads, raw))

    def refute(
        self,
        *,
        faults: int = 2,
        links: bool = False,
        sets: int = 10_000,
        progress: ProgressOption = False,
        threads: int | None = None,
    ) -> Report:
        """Searches for the fewest faults with which a routing loses messages, livelocks or
        deadlocks, like `faultlab refute`. Each record has the text of an experiment that shows the
        flaw.

        Args:
            faults: Maximum number of faults, besides those of the experiment.
            links: `True` to fail links (one-way links on hypercubes) instead of nodes.
            sets: Maximum number of sets to examine.
            progress: See `run`.
            threads: See `run`.

        Raises:
            ExperimentError: Routings of this kind cannot be refuted, or an argument is invalid.
            Interrupted: Ctrl-C ended the search; its `result` covers the sets examined so far.
        """
        check_range("threads", threads, 1, _MAX_THREADS)
        check_range("faults", faults, 0, _MAX_FAULTS)
        check_range("sets", sets, 1, _MAX_COUNT)
        with callback(progress) as raw:
            texts, interrupt = self._core.refute(faults, links, sets, threads, raw)
        report = Report(*texts)
        if isinstance(interrupt, KeyboardInterrupt):
            raise Interrupted(report) from None
        if interrupt is not None:
            raise interrupt
        return report

    def to_svg(
        self,
        *,
        view: View | None = None,
        show: str | None = None,
        size: tuple[int, int] = (640, 420),
    ) -> str:
        """Renders the initial state of the figure as SVG, like `faultlab draw`; charts are measured
        completely.

        Args:
            view: View, instead of the experiment's own.
            show: Parts to show, separated by commas.
            size: Width and height in CSS pixels, from 240x160 to 1600x1200.

        Raises:
            ExperimentError: Nothing can be drawn, or an argument is invalid.
        """
        for side, (least, most) in zip(size, _SIZES, strict=True):
            if not least <= side <= most:
                accepted = "width and height in pixels, from (240, 160) to (1600, 1200)"
                raise ExperimentError(f"size={size}; accepted: {accepted}", "size", str(size), accepted)
        return self._core.draw(view, show, float(size[0]), float(size[1]))

    def figure(
        self,
        *,
        view: View | None = None,
        show: str | None = None,
        controls: str | None = None,
        lock: Literal["open", "faults", "all"] | None = None,
        play: bool | None = None,
        speed: int | None = None,
        theme: Literal["auto", "light", "dark"] | None = None,
        caption: str | None = None,
        height: int = 420,
        still: bool | None = None,
    ) -> Figure:
        """Returns the figure as a widget, for the last line of a notebook cell (needs anywidget:
        `pip install faultlab[notebook]`).

        The options are those of the tag `<fault-lab>`.

        Args:
            view: View, instead of the experiment's own.
            show: Parts to show, separated by commas: `network`, `chart`, `check`, `reasons`,
                `table`.
            controls: Controls, separated by spaces: `play`, `step`, `scrub`, `speed`, `export`; or
                `none`.
            lock: What readers may change: everything, faults, or nothing (`"all"`).
            play: `True` to start playback at once; `False` to let the reader start a sweep.
            speed: Steps per second, as a power of 2, -4 to 12.
            theme: Colours; by default those of the notebook.
            caption: Sentence below the figure.
            height: Height in CSS pixels, 160 to 1200.
            still: `True` to draw the picture that a saved notebook shows without a kernel. By
                default charts have none, because they must be measured completely first.

        Raises:
            ExperimentError: An option is invalid, or nothing can be drawn.
            ImportError: anywidget is not installed.
        """
        try:
            from .figure import Figure
        except ImportError as error:
            raise ImportError("figures need anywidget: pip install faultlab[notebook]") from error
        shown = self if view is None else self.replace(view=view)
        given: dict[str, object] = {
            "show": show,
            "controls": controls,
            "lock": lock,
            "play": None if play is None else ("yes" if play else "no"),
            "speed": speed,
            "theme": theme,
            "caption": caption,
        }
        options = {name: str(value) for name, value in given.items() if value is not None}
        return Figure(shown.text, options, height=height, still=shown._still(still, show, height))

    def _still(self, wanted: bool | None, show: str | None, height: int) -> str:
        """Returns the still of a figure; empty if it has none."""
        if wanted is False or (wanted is None and "view=measure" in self.text.split("&")):
            return ""
        try:
            return self.to_svg(show=show, size=(640, height))
        except ExperimentError:
            # The player shows why a network is not drawn.
            if wanted:
                raise
            return ""

    def to_networkx(self) -> networkx.DiGraph[str]:
        """Returns the network as a directed graph with the faults of the watched trial (needs
        NetworkX).

        Every channel is an edge; a link of a mesh or hypercube is two channels. Nodes are named as
        in experiment texts. Their attributes are `coordinates` (a tuple, the highest dimension
        first; height and number in fat-trees), `faulty`, and `disabled` (fault-free, but part of a
        fault region). Edges have `wires`, `live_wires` (0 at a faulty link or node), `faulty` (no
        live wire) and `direction`. The key `sample` selects the trial.

        Raises:
            ExperimentError: The network has more than 2^18 channels.
        """
        return network_graph(self._core)

    def __repr__(self) -> str:
        return f"Experiment({self.text!r})"

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Experiment) and self.text == other.text

    def __hash__(self) -> int:
        return hash(self.text)

    def __reduce__(self) -> tuple[type[Experiment], tuple[str]]:
        return (Experiment, (self.text,))


def _value_text(value: Key) -> str:
    """Returns a value as in experiment texts."""
    if isinstance(value, str):
        return value
    if isinstance(value, Mapping):
        return ",".join(f"{name}:{_value_text(values)}" for name, values in value.items())
    if isinstance(value, Iterable):
        return ",".join(_value_text(one) for one in value)
    return str(value)


def _rules_text(rules: PathLike | None) -> str | None:
    """Returns the text of rules; a path that is not a `str` is read."""
    if rules is None or isinstance(rules, str):
        return rules
    return Path(rules).read_text(encoding="utf-8")
