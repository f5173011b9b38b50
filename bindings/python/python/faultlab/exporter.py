"""Export of notebooks as HTML with figures that play: `jupyter nbconvert --to faultlab`."""

from __future__ import annotations

import copy
from typing import Any

from nbconvert.exporters import HTMLExporter

from .program import figure_script

__all__ = ["FigureExporter"]

_WIDGET = "application/vnd.jupyter.widget-view+json"


class FigureExporter(HTMLExporter):
    """Exports a notebook as one HTML file, which needs no network and no kernel for its figures.

    Each figure shows its still until a reader starts it. The script of figures is in the page once.
    """

    export_from_notebook = "HTML with Faultlab figures"

    def from_notebook_node(self, nb: Any, resources: Any = None, **kwargs: Any) -> Any:
        nb = copy.deepcopy(nb)
        figures = [output["data"] for output in _outputs(nb) if "<fault-lab" in _html(output)]
        for data in figures:
            data.pop(_WIDGET, None)
        if not any(_WIDGET in output.get("data", {}) for output in _outputs(nb)):
            # Without other widgets, the page does not load their program from the network.
            nb.get("metadata", {}).pop("widgets", None)
        page, resources = super().from_notebook_node(nb, resources, **kwargs)
        if figures:
            before, body, after = page.rpartition("</body>")
            page = f"{before}<script>{figure_script()}</script>\n{body}{after}"
        return page, resources


def _outputs(nb: Any) -> list[Any]:
    return [output for cell in nb["cells"] for output in cell.get("outputs", [])]


def _html(output: Any) -> str:
    text = output.get("data", {}).get("text/html", "")
    return text if isinstance(text, str) else "".join(text)
