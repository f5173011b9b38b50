"""Figures in marimo."""

from collections.abc import Callable
from pathlib import Path

from conftest import Page

PROGRAM = '''\
import marimo

app = marimo.App()


@app.cell
def _():
    import faultlab as fl
    import marimo as mo

    figure = mo.ui.anywidget(fl.Experiment("net=mesh:8x8&switch=wormhole&break=3.3").figure())
    figure
    return figure, fl, mo


@app.cell
def _(figure, mo):
    mo.md(f"Time {figure.value['time']}, faults {figure.faults}")
    return


if __name__ == "__main__":
    app.run()
'''


def test_figure_follows_its_reader(page: Page, serve: Callable[..., str], tmp_path: Path) -> None:
    (tmp_path / "figure.py").write_text(PROGRAM)
    arguments = ["run", "figure.py", "--headless", "--no-token", "--port={port}"]
    page.open(serve("marimo", *arguments, folder=tmp_path))
    page.wait("the figure opens", "return title(0).length > 0")
    page.run("figures()[0].seek(9)")
    page.wait("the figure moves", "return Number(inside(0, '.transport input').value) === 9")
    page.wait("the other cell follows", "return document.body.textContent.includes('Time 9')")
    page.screenshot("marimo")
