"""Every function gives the bytes of the command line."""

import pytest

import faultlab as fl
from faultlab import _faultlab

from conftest import KINDS, CommandLine


def test_results_have_the_bytes_of_the_command_line(text: str, command_line: CommandLine) -> None:
    result = fl.Experiment(text).run()
    for output, option in [(result.to_text(), "--table"), (result.to_csv(), "--csv"), (result.to_json(), "--json")]:
        assert output == command_line("run", text, option, "--quiet")
    assert result.to_svg() == command_line("run", text, "--svg", "-", "--quiet")


def test_reports_have_the_bytes_of_the_command_line(text: str, command_line: CommandLine) -> None:
    experiment = fl.Experiment(text)
    for name in _faultlab.reports():
        native = command_line.process(name, text)
        if native.returncode != 0:
            with pytest.raises(fl.ExperimentError) as error:
                getattr(experiment, name)()
            assert native.stderr == f"faultlab: {error.value}\n"
            continue
        report = getattr(experiment, name)()
        assert report.text == native.stdout
        assert report.csv == command_line(name, text, "--csv")
        assert report.json == command_line(name, text, "--json")


def test_searches_have_the_bytes_of_the_command_line(command_line: CommandLine) -> None:
    worm = "switch=wormhole&net=mesh:4x4&faults=none&route=e-cube,f-cube2&within=0.2&load=0.1"
    experiment = fl.Experiment(worm)
    assert experiment.refute(faults=1).json == command_line("refute", worm, "--faults", "1", "--json", "--quiet")
    assert experiment.compare().csv == command_line("compare", worm, "--csv", "--quiet")
    options = ["--resolution", "0.2", "--json", "--quiet"]
    assert experiment.saturation(resolution=0.2).json == command_line("saturation", worm, *options)
    cube = "net=cube:3&faults=none&within=0.1&trials=200"
    found = fl.Experiment(cube).worst(faults=2, links=True, sets=20).text
    assert found == command_line("worst", cube, "--faults", "2", "--links", "--sets", "20", "--quiet")


def test_figures_have_the_bytes_of_the_command_line(command_line: CommandLine) -> None:
    text = KINDS["message"]
    figure = fl.Experiment(text).to_svg(view="watch", size=(500, 300))
    assert figure == command_line("draw", text, "--view", "watch", "--size", "500x300")
    chart = fl.Experiment(text).to_svg(view="measure")
    assert chart == command_line("draw", text, "--view", "measure", "--quiet")


def test_lengths_and_their_refusal(command_line: CommandLine) -> None:
    text = KINDS["message"]
    assert fl.Experiment(text).run().lengths() == command_line("run", text, "--lengths", "--quiet")
    with pytest.raises(fl.ExperimentError, match="accepted: switch=message"):
        fl.Experiment(KINDS["worm"]).run().lengths()


def test_threads_do_not_change_results() -> None:
    experiment = fl.Experiment(KINDS["worm"])
    assert experiment.run(threads=1).to_json() == experiment.run(threads=5).to_json()


def test_papers_and_presets(command_line: CommandLine) -> None:
    found = fl.papers("table4", within=0.2)
    assert found.csv == command_line("papers", "table4", "--within", "0.2", "--csv", "--quiet")
    assert found.records()[0]["paper"] == "gordon-stout"
    assert fl.errata().json == command_line("papers", "errata", "--json")
    assert fl.paper_rows("erratum").csv == command_line("papers", "rows", "erratum", "--csv")
    presets = fl.presets()
    assert fl.Experiment(f"preset:{presets[0]['id']}").text == fl.Experiment(presets[0]["experiment"]).text


def test_version(command_line: CommandLine) -> None:
    assert command_line("--version").split()[1] == fl.__version__
