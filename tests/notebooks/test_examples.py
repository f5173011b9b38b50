"""The example notebooks run, and give the outputs that they contain.

`FAULTLAB_RENEW=1 cargo xtask test notebooks` writes the outputs again.
"""

import os
import re
from pathlib import Path

import nbclient
import nbformat
import pytest
from conftest import NOTEBOOKS

WIDGET = "application/vnd.jupyter.widget-view+json"


def stored(output: nbformat.NotebookNode) -> nbformat.NotebookNode:
    """Returns an output without the number of its widget, which differs between executions."""
    data = output.get("data", {})
    if WIDGET in data:
        data.pop(WIDGET)
    return output


def texts(notebook: nbformat.NotebookNode) -> list[tuple[str, list[str]]]:
    """Returns what each cell prints, and the texts and stills of its other outputs: everything but
    the pixels of matplotlib and the numbers of styles in HTML."""
    found = []
    for cell in notebook.cells:
        outputs = cell.get("outputs", [])
        # Printed text arrives in any number of parts.
        printed = "".join(output.get("text", "") for output in outputs)
        data = [output.get("data", {}).get(kind, "") for output in outputs for kind in ("text/plain", "image/svg+xml")]
        found.append((printed, [re.sub(r" at 0x[0-9a-f]+", "", text) for text in data if text]))
    return found


@pytest.mark.parametrize("path", sorted(NOTEBOOKS.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebook_gives_its_outputs(path: Path) -> None:
    before = nbformat.read(path, as_version=4)
    after = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(after, timeout=120, record_timing=False, store_widget_state=False, resources={"metadata": {"path": path.parent}}).execute()
    for cell in after.cells:
        cell.get("outputs", [])[:] = map(stored, cell.get("outputs", []))
    nbformat.validate(after)
    if os.environ.get("FAULTLAB_RENEW"):
        after.metadata.pop("language_info", None)
        nbformat.write(after, path)
    else:
        assert texts(after) == texts(before)
