"""Figures in JupyterLab and in Jupyter Notebook, with a kernel and without one."""

import json
import time
from pathlib import Path

import nbclient
import nbformat
import pytest
from conftest import TOKEN, Page, write_notebook
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

FIGURES = """\
import faultlab as fl
import ipywidgets
block = fl.Experiment("net=mesh:8x8&switch=wormhole&break=3.3,3.4&route=f-cube2&load=0.3")
one = block.figure(caption="One")
cube = fl.Experiment("net=cube:4&faults=nodes:0.2&route=sidetracking")
slider = ipywidgets.FloatSlider(0.2, min=0, max=0.5, step=0.1)
slider.observe(lambda change: [figure.change(faults=f"nodes:{change['new']:.1f}") for figure in (two, three, four)], "value")
two, three, four = cube.figure(height=320), cube.figure(height=320), cube.figure(view="measure", height=320)
one"""
DRIVEN = """\
one.faults, one.time = ["5.5"], 7
one.experiment"""
SLIDER = "ipywidgets.VBox([slider, two, three, four])"
MOVED = "slider.value = 0.4"
REPORT = """\
import json
print(json.dumps([one.experiment, one.faults, one.time, two.experiment, four.experiment, bool(four.result)]))"""


def open_notebook(page: Page, application: str, server: tuple[str, Path], name: str) -> None:
    url, _ = server
    page.open(f"{url}/{application}/{name}?token={TOKEN}")
    ready = "return window.jupyterapp?.shell.currentWidget?.context?.sessionContext.session?.kernel?.status === 'idle'"
    page.wait("the kernel is idle", ready)
    # A dialog about news covers the page.
    page.run("document.querySelectorAll('.jp-toast-button, .Toastify__close-button').forEach(one => one.click())")


def run_cell(page: Page, cell: int) -> None:
    page.driver.execute_async_script(
        "jupyterapp.shell.currentWidget.content.activeCellIndex = arguments[0];"
        "jupyterapp.commands.execute('notebook:run-cell').then(arguments[1], arguments[1])",
        cell,
    )


def output(page: Page, cell: int) -> str:
    """Returns the text that a cell has printed."""
    script = f"return find(document, '.jp-CodeCell')[{cell}]?.querySelector('.jp-OutputArea-output pre')?.textContent"
    return str(page.wait(f"cell {cell} prints", script))


def break_node(page: Page) -> None:
    """Clicks on the picture of the first figure until a click breaks another node."""
    page.run("figures()[0].scrollIntoView({ block: 'center' })")
    canvas = page.run("return inside(0, 'canvas.network')")
    # The distance of two nodes is about 36 pixels, and their width 14.
    for down in range(20, 68, 12):
        ActionChains(page.driver).move_to_element_with_offset(canvas, 0, down).click().perform()
        page.wait("the picture has the focus", "return figures()[0].shadowRoot.activeElement?.matches('canvas')")
        # A second click on the same node would mend it.
        time.sleep(0.5)
        if page.run("return /break=[^&]*,/.test(figures()[0].experiment)"):
            return
    raise AssertionError("no click breaks a node")


def set_theme(page: Page, theme: str, background: list[int]) -> None:
    """Changes the theme of the notebook, and waits until a picture is painted in its colours."""
    page.run("jupyterapp.commands.execute('apputils:change-theme', { theme: arguments[0] })", theme)
    pixel = "[...inside(1, 'canvas.network').getContext('2d').getImageData(3, 3, 1, 1).data].slice(0, 3)"
    page.wait("the figure has the colours of the notebook", f"return `${{{pixel}}}` === `${{{background}}}`")
    page.wait("the theme is complete", "return !document.querySelector('#jupyterlab-splash')")


@pytest.mark.parametrize("application", ["lab/tree", "notebooks"])
def test_figures_follow_readers_and_kernels(page: Page, jupyter: tuple[str, Path], application: str) -> None:
    name = f"{application.split('/')[0]}.ipynb"
    write_notebook(jupyter[1] / name, FIGURES, DRIVEN, SLIDER, MOVED, REPORT)
    open_notebook(page, application, jupyter, name)
    run_cell(page, 0)
    page.wait("the figure opens", "return title(0).length > 0 && !!inside(0, 'canvas.network')")
    page.screenshot(f"{name}-first")
    # The kernel drives the figure.
    run_cell(page, 1)
    page.wait("the fault is drawn", "return figures()[0].experiment.includes('&break=5.5&')")
    page.wait("the time is set", "return Number(inside(0, '.transport input').value) === 7")
    break_node(page)
    ActionChains(page.driver).click(page.run("return inside(0, '.transport input')")).perform()
    page.wait("the time moves", "return (window.time = Number(inside(0, '.transport input').value)) > 100")
    # Keys in a figure are no commands of the notebook: B would insert a cell.
    page.wait("the bar has the focus", "return figures()[0].shadowRoot.activeElement?.matches('input')")
    ActionChains(page.driver).send_keys("b", Keys.ARROW_RIGHT).perform()
    page.wait("the time moves", "return Number(inside(0, '.transport input').value) === time + 1")
    assert page.run("return find(document, '.jp-CodeCell').length") == 5
    page.run("document.addEventListener('result', () => { window.isMeasured = true; })")
    run_cell(page, 2)
    page.wait("three more figures", "return figures().length === 4")
    page.run("figures()[2].scrollIntoView({ block: 'center' })")
    page.wait("the second figure opens", "return title(1).length > 0")
    run_cell(page, 3)
    page.wait("all follow the slider", "return figures().slice(1).every(one => one.experiment.includes('nodes:0.4'))")
    page.run("figures()[3].scrollIntoView({ block: 'center' })")
    page.wait("the chart is measured", "return window.isMeasured")
    page.screenshot(f"{name}-slider")
    set_theme(page, "JupyterLab Dark", [20, 23, 27])
    page.screenshot(f"{name}-dark")
    set_theme(page, "JupyterLab Light", [251, 250, 246])
    run_cell(page, 4)
    experiment, faults, moment, second, fourth, measured = json.loads(output(page, 4))
    assert experiment == page.run("return figures()[0].experiment")
    assert len(faults) == 2 and "5.5" in faults
    assert moment == page.run("return time + 1")
    assert second == "v=1&net=cube:4&faults=nodes:0.4" and fourth == f"{second}&view=measure"
    assert measured


def test_saved_notebook_shows_stills_without_a_kernel(page: Page, jupyter: tuple[str, Path]) -> None:
    """A notebook that `jupyter execute` has saved holds the state of its figures."""
    folder = jupyter[1]
    write_notebook(folder / "saved.ipynb", FIGURES)
    notebook = nbformat.read(folder / "saved.ipynb", as_version=4)
    nbclient.NotebookClient(notebook).execute()
    nbformat.write(notebook, folder / "saved.ipynb")
    open_notebook(page, "lab/tree", jupyter, "saved.ipynb")
    # An untrusted notebook shows the HTML without scripts and unknown elements.
    page.wait("the still is shown", "return find(document, '.jp-RenderedHTML img')[0]?.naturalWidth > 100")
    page.run("jupyterapp.commands.execute('notebook:trust')")
    page.wait("a dialog asks", "return !!document.querySelector('.jp-Dialog .jp-mod-warn')")
    page.run("document.querySelector('.jp-Dialog .jp-mod-warn').click()")
    page.wait("the still is shown", "return find(document, 'fault-lab img')[0]?.naturalWidth > 100")
    # Nothing has been executed, so that the page has no program.
    assert page.run("return customElements.get('fault-lab') === undefined")
    page.screenshot("still")
