"""Notebooks as web pages: by nbconvert, and as a book."""

import subprocess
import sys
from pathlib import Path

import nbclient
import nbformat
from conftest import Page, write_notebook

FIGURES = """\
import faultlab as fl
for route in ("f-cube2", "lh2"):
    display(fl.Experiment("net=mesh:8x8&switch=wormhole&break=3.3,3.4", route=route).figure(height=320))
"""


def execute(path: Path) -> None:
    """Writes an executed notebook, which holds the state of its widgets."""
    write_notebook(path, FIGURES)
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook).execute()
    nbformat.write(notebook, path)


def play(page: Page) -> None:
    """Waits for the stills of both figures, and plays the second one."""
    page.wait("stills are shown", "return figures().length === 2 && figures().every(one => one.querySelector('img')?.naturalWidth)")
    page.wait("the program is there", "return inside(1, '.still button')?.offsetHeight > 0")
    page.run("inside(1, '.still button').click()")
    page.wait("the second figure opens", "return title(1).includes('LH2')")
    page.wait("it plays", "return Number(inside(1, '.transport input')?.value) > 300")
    assert page.run("return inside(0, 'canvas.network') === null"), "the first figure still waits"


def test_exported_page_plays_from_a_disk(page: Page, tmp_path: Path) -> None:
    execute(tmp_path / "figures.ipynb")
    command = [sys.executable, "-m", "nbconvert", "--to", "faultlab", "--log-level=ERROR", "figures.ipynb"]
    subprocess.run(command, cwd=tmp_path, check=True)
    text = (tmp_path / "figures.html").read_text(encoding="utf-8")
    assert text.count("const PARTS =") == 1
    assert "jupyter-widgets/html-manager" not in text
    assert 3e6 < len(text) < 6e6
    page.open((tmp_path / "figures.html").as_uri())
    play(page)
    page.screenshot("nbconvert")


def test_book_shows_figures(page: Page, tmp_path: Path) -> None:
    """A book of MyST-NB has the script of figures among its files."""
    import faultlab

    execute(tmp_path / "index.ipynb")
    (tmp_path / "_static").mkdir()
    faultlab.figure_script(tmp_path / "_static" / "faultlab-figures.js")
    (tmp_path / "conf.py").write_text(
        'extensions = ["myst_nb"]\n'
        'html_static_path = ["_static"]\n'
        'html_js_files = ["faultlab-figures.js"]\n'
        'nb_mime_priority_overrides = [("html", "text/html", 0)]\n'
        'nb_execution_mode = "off"\n'
        # No script of another host.
        "nb_ipywidgets_js = {}\n"
    )
    subprocess.run([sys.executable, "-m", "sphinx", "-q", "-b", "html", ".", "book"], cwd=tmp_path, check=True)
    page.open((tmp_path / "book" / "index.html").as_uri())
    play(page)
    page.screenshot("book")
