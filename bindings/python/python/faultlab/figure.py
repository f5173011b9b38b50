"""Figures in notebooks (needs anywidget: `pip install faultlab[notebook]`)."""

from __future__ import annotations

import base64
import html
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import anywidget
import traitlets

from . import _faultlab
from .errors import ExperimentError
from .program import figure_script
from .report import Report

if TYPE_CHECKING:
    from .experiment import Key, PathLike

__all__ = ["Figure"]

_MIN_HEIGHT, _MAX_HEIGHT = 160, 1200
_DEFAULT_HEIGHT = 420


class Figure(anywidget.AnyWidget):
    """Figure of an experiment in a notebook: the player of the page.

    Its traits follow the reader, and setting them drives the figure.

    Attributes:
        experiment: Text of the experiment.
        time: Time that is shown, in the unit of the figure's bar: hops, cycles or times. `None`
            until the figure has opened.
        faults: Nodes and links that are broken by hand, the value of the key `break`.
        result: JSON of the last finished sweep or proof, as the command line prints it; empty
            before.

    Raises:
        ExperimentError: A trait is set to an invalid value; the figure keeps the last one.
    """

    _esm = Path(__file__).with_name("figure.js")

    experiment = traitlets.Unicode().tag(sync=True)
    time = traitlets.Float(None, allow_none=True).tag(sync=True)
    faults = traitlets.List(traitlets.Unicode())
    result = traitlets.Unicode().tag(sync=True)
    _options = traitlets.Dict(per_key_traits=None).tag(sync=True)
    _height = traitlets.Int(_DEFAULT_HEIGHT).tag(sync=True)
    _still = traitlets.Unicode().tag(sync=True)

    def __init__(self, experiment: str, options: dict[str, str], *, height: int, still: str) -> None:
        _check_options(experiment, options)
        if not _MIN_HEIGHT <= height <= _MAX_HEIGHT:
            accepted = f"{_MIN_HEIGHT} to {_MAX_HEIGHT} CSS pixels"
            raise ExperimentError(f"height={height}; accepted: {accepted}", "height", str(height), accepted)
        self._view = _keys(experiment).get("view")
        self._drawn = experiment
        super().__init__(experiment=experiment, _options=options, _height=height, _still=still)
        self.on_msg(self._answer)

    def change(self, *, rules: PathLike | None = None, **keys: Key) -> None:
        """Changes keys of the experiment, like `Experiment.replace`: `figure.change(load=0.4)`.

        Raises:
            ExperimentError: A key or value is invalid.
        """
        from .experiment import Experiment

        self.experiment = Experiment(self.experiment).replace(rules=rules, **keys).text

    def records(self) -> list[dict[str, Any]]:
        """Returns `result` as Python values, like `Report.records`."""
        return Report("", "", self.result).records()

    def still(self) -> str:
        """Returns the picture of the current experiment as SVG, which a saved notebook shows; empty
        if the figure has none."""
        from .experiment import Experiment

        if self._still and self.experiment != self._drawn:
            show = self._options.get("show")
            self._still = Experiment(self.experiment)._still(None, show, self._height)
            self._drawn = self.experiment
        return self._still

    def to_html(self) -> str:
        """Returns the tag of the figure with its still, for pages that contain the script of
        figures (`figure_script`). Without the script, the page shows the still."""
        options = {"experiment": self.experiment, **self._options}
        if self._height != _DEFAULT_HEIGHT:
            options["style"] = f"height: {self._height}px"
        attributes = " ".join(f'{name}="{html.escape(value)}"' for name, value in options.items())
        return f"<fault-lab {attributes}>{self._still_html()}</fault-lab>"

    def _still_html(self) -> str:
        still = self.still()
        if not still:
            return f"<code>{html.escape(self.experiment)}</code>"
        title = re.search("<title>(.*?)</title>", still)
        source = base64.b64encode(still.encode()).decode()
        alternative = "" if title is None else title[1].replace('"', "&quot;")
        style = "max-width: 100%"
        return f'<img slot="still" style="{style}" alt="{alternative}" src="data:image/svg+xml;base64,{source}">'

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, Any]] | None:
        bundle = super()._repr_mimebundle_(**kwargs)
        if bundle is None:
            return None
        data = {**bundle[0], "text/plain": repr(self), "text/html": self.to_html()}
        if still := self.still():
            data["image/svg+xml"] = still
        return data, bundle[1]

    def __repr__(self) -> str:
        return f"Figure({self.experiment!r})"

    @traitlets.validate("experiment")
    def _validate_experiment(self, proposal: Any) -> str:
        from .experiment import Experiment

        text = Experiment(str(proposal["value"])).text
        # The view belongs to the figure.
        if _keys(text).get("view") == self._view:
            return text
        return Experiment(text).replace(view=self._view or "watch").text

    @traitlets.validate("faults")
    def _validate_faults(self, proposal: Any) -> list[str]:
        return _faults(self._with_faults(proposal["value"]))

    @traitlets.observe("experiment")
    def _follow_experiment(self, change: Any) -> None:
        self.faults = _faults(change["new"])

    @traitlets.observe("faults")
    def _follow_faults(self, change: Any) -> None:
        if change["new"] != _faults(self.experiment):
            self.experiment = self._with_faults(change["new"])

    def _with_faults(self, faults: list[str]) -> str:
        """Returns the text of the experiment with other nodes and links broken by hand."""
        pairs = {**_keys(self.experiment), "break": ",".join(faults)}
        text = "&".join(f"{name}={value}" for name, value in pairs.items() if value or name != "break")
        return _faultlab.Experiment(text, None).text

    def _answer(self, _widget: Figure, content: Any, _buffers: Any) -> None:
        """Answers a figure that asks for the program."""
        if not isinstance(content, dict) or content.get("kind") != "program":
            return
        try:
            self.send({"kind": "program"}, buffers=[figure_script().encode()])
        except OSError as error:
            self.send({"kind": "program", "problem": str(error)})


def _keys(text: str) -> dict[str, str]:
    """Returns the values of an experiment's text by key."""
    pairs = (pair.partition("=") for pair in text.split("&"))
    return {name: value for name, _, value in pairs}


def _faults(text: str) -> list[str]:
    return [fault for fault in _keys(text).get("break", "").split(",") if fault]


def _check_options(experiment: str, options: dict[str, str]) -> None:
    """Raises the problem with an option of a figure."""
    pairs = [f"ui.{name}={value}" for name, value in options.items() if name != "caption"]
    known = _faultlab.Experiment(experiment, None).remarks
    for remark in _faultlab.Experiment("&".join([experiment, *pairs]), None).remarks:
        if remark not in known:
            raise ExperimentError(remark.removeprefix("ui.").replace(" was ignored", ""))
