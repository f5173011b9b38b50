"""Figures of notebooks, without a browser; `tests/notebooks` uses them in browsers."""

import base64
import re
from pathlib import Path

import nbformat
import pytest
import traitlets

import faultlab as fl
import faultlab.program
from faultlab.exporter import FigureExporter

WIDGET = "application/vnd.jupyter.widget-view+json"
BLOCK = "v=1&net=mesh:8x8&switch=wormhole&break=3.3,3.4&route=f-cube2"


def test_traits_follow_each_other() -> None:
    figure = fl.Experiment(BLOCK).figure()
    assert (figure.experiment, figure.faults, figure.time) == (BLOCK, ["3.3", "3.4"], None)
    figure.faults = ["5.5", "1.1"]
    assert figure.experiment == BLOCK.replace("3.3,3.4", "1.1,5.5")
    assert figure.faults == ["1.1", "5.5"], "in the order of the text"
    figure.experiment = BLOCK.replace("3.3,3.4", "2.2")
    assert figure.faults == ["2.2"]
    figure.change(load=0.4, break_="6.6")
    assert figure.experiment == BLOCK.replace("3.3,3.4", "6.6") + "&load=0.4"
    figure.faults = []
    assert figure.experiment == BLOCK.replace("&break=3.3,3.4", "") + "&load=0.4"


def test_faults_of_linked_figures_agree() -> None:
    leader, follower = (fl.Experiment(BLOCK).replace(route=route).figure() for route in ("f-cube2", "lh2"))
    traitlets.dlink((leader, "faults"), (follower, "faults"))
    leader.change(break_=["0.0", "1.1"])
    assert follower.faults == ["0.0", "1.1"]
    assert follower.experiment == leader.experiment.replace("f-cube2", "lh2")


def test_invalid_values_change_nothing() -> None:
    figure = fl.Experiment(BLOCK).figure()
    for name, value in (("experiment", "net=moon"), ("faults", ["9.9"])):
        with pytest.raises(fl.ExperimentError):
            setattr(figure, name, value)
    with pytest.raises(fl.ExperimentError):
        figure.change(load="much")
    assert (figure.experiment, figure.faults) == (BLOCK, ["3.3", "3.4"])


def test_results_of_the_page_become_records() -> None:
    sweep = fl.Experiment("net=cube:4&faults=nodes:0.2&within=0.1")
    figure = sweep.figure(view="measure")
    figure.result = sweep.run().to_json()
    (record,) = figure.records()
    assert record["points"][0]["series"] == "sidetracking"


def test_options_are_those_of_the_element() -> None:
    figure = fl.Experiment(BLOCK).figure(lock="all", play=False, speed=3, theme="dark", caption='A "block" & more')
    assert figure._options == {
        "lock": "all",
        "play": "no",
        "speed": "3",
        "theme": "dark",
        "caption": 'A "block" & more',
    }
    with pytest.raises(fl.ExperimentError, match="controls=fly; accepted: "):
        fl.Experiment(BLOCK).figure(controls="fly")
    with pytest.raises(fl.ExperimentError, match="height=20; accepted: 160 to 1200"):
        fl.Experiment(BLOCK).figure(height=20)


def test_view_of_a_figure_stays() -> None:
    figure = fl.Experiment("net=cube:4").figure(view="measure")
    figure.experiment = "net=cube:5"
    assert figure.experiment == "v=1&net=cube:5&view=measure"
    figure = fl.Experiment("net=cube:4").figure()
    figure.experiment = "net=cube:5&view=measure"
    assert figure.experiment == "v=1&net=cube:5"


def test_stored_output_has_a_still() -> None:
    figure = fl.Experiment(BLOCK).figure(caption="1 < 2", height=320)
    bundle = figure._repr_mimebundle_()
    assert bundle is not None
    data = bundle[0]
    still = fl.Experiment(BLOCK).to_svg(size=(640, 320))
    assert data["image/svg+xml"] == still
    embedded = re.search('src="data:image/svg\\+xml;base64,(.*?)"', data["text/html"])
    assert embedded is not None
    assert base64.b64decode(embedded[1]).decode() == still
    assert 'experiment="v=1&amp;net=mesh:8x8&amp;' in data["text/html"]
    assert 'caption="1 &lt; 2"' in data["text/html"]
    assert WIDGET in data
    # A still shows the experiment of the figure when it is displayed.
    figure.faults = []
    bundle = figure._repr_mimebundle_()
    assert bundle is not None
    assert bundle[0]["image/svg+xml"] == fl.Experiment(figure.experiment).to_svg(size=(640, 320))


def test_charts_are_measured_for_a_still_only_on_demand() -> None:
    experiment = fl.Experiment("net=cube:4&faults=nodes:0.2&within=0.1")
    assert "image/svg+xml" not in (experiment.figure(view="measure")._repr_mimebundle_() or ({}, {}))[0]
    figure = experiment.figure(view="measure", still=True)
    assert figure._still == experiment.replace(view="measure").to_svg(size=(640, 420))
    # A network that is not drawn has no still, and its figure says why.
    assert fl.Experiment("net=cube:4").figure(still=False)._still == ""


def test_exporter_adds_the_script_once(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    script = tmp_path / "faultlab-figures.js"
    script.write_text("the script of figures")
    monkeypatch.setattr(faultlab.program, "_SCRIPT", script)
    outputs = [
        nbformat.v4.new_output("display_data", data={WIDGET: {"model_id": "1"}, "text/html": "<fault-lab a></fault-lab>"})
        for _ in range(2)
    ]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1", outputs=outputs)])
    page, _ = FigureExporter().from_notebook_node(notebook)
    assert page.count("the script of figures") == 1
    assert page.count("</fault-lab>") == 2
    plain = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1")])
    assert "the script of figures" not in FigureExporter().from_notebook_node(plain)[0]


def test_missing_script_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(faultlab.program, "_SCRIPT", tmp_path / "none.js")
    with pytest.raises(FileNotFoundError, match="install a wheel"):
        fl.figure_script()
