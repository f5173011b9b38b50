"""Texts and keywords of experiments, and their errors."""

import pickle
from pathlib import Path

import pytest

import faultlab as fl

RULES = 'routing mine on mesh 2\nwhen some minimal is live take minimal "any minimal hop"\n'


def test_keywords_are_keys_of_the_text() -> None:
    keywords = fl.Experiment(net="mesh:16x16", route=["f-cube2", "lh2"], load=0.6, from_="1.1", break_=["3.3", "3.4"])
    text = fl.Experiment("net=mesh:16x16&route=f-cube2,lh2&load=0.6&from=1.1&break=3.3,3.4")
    assert keywords == text
    assert hash(keywords) == hash(text)
    assert str(keywords) == keywords.text
    assert eval(repr(keywords), {"Experiment": fl.Experiment}) == keywords
    assert pickle.loads(pickle.dumps(keywords)) == keywords
    swept = fl.Experiment("net=cube:4&faults=nodes:0.3", vary={"p": [0.1, 0.2]})
    assert swept == fl.Experiment("net=cube:4&faults=nodes:0.3&vary=p:0.1,0.2")


def test_attributes() -> None:
    experiment = fl.Experiment("net=mesh:8x8&route=e-cube,west-first&seed=7")
    assert (experiment.kind, experiment.network, experiment.seed) == ("wormhole", "mesh:8x8", 7)
    assert experiment.algorithms == ["e-cube", "west-first"]
    assert experiment.remarks == []


def test_replace_changes_keys() -> None:
    experiment = fl.Experiment("preset:around")
    other = experiment.replace(seed=9)
    assert (other.seed, other.network) == (9, experiment.network)
    assert other.replace(seed=experiment.seed) == experiment


def test_rules_are_text_or_a_file(tmp_path: Path) -> None:
    path = tmp_path / "mine.rules"
    path.write_text(RULES)
    text = "net=mesh:4x4&faults=none&route=mine"
    assert fl.Experiment(text, rules=RULES) == fl.Experiment(text, rules=path)
    assert "mine" in fl.Experiment(text, rules=RULES).check().text


def test_errors_carry_key_value_and_accepted() -> None:
    with pytest.raises(fl.ExperimentError) as error:
        fl.Experiment(net="cube:99")
    assert isinstance(error.value, ValueError)
    assert (error.value.key, error.value.value) == ("net", "cube:99")
    assert error.value.accepted is not None and error.value.accepted.startswith("cube:N")
    with pytest.raises(fl.ExperimentError) as error:
        fl.Experiment("net=cube:4&rout=up")
    assert (error.value.key, error.value.suggestion) == ("rout", "route")
    with pytest.raises(fl.ExperimentError, match="2 errors") as error:
        fl.Experiment("net=cube:4&rout=up&trials=0")
    with pytest.raises(fl.ExperimentError, match="empty") as error:
        fl.Experiment("")
    assert error.value.key is None
    assert error.value.accepted == "an experiment's text, such as net=cube:6&faults=nodes:0.3"
    with pytest.raises(fl.ExperimentError, match="no such preset"):
        fl.Experiment("preset:none")
    with pytest.raises(TypeError, match="an experiment is a text"):
        fl.Experiment(7)  # type: ignore[arg-type]  # pyright: ignore[reportArgumentType]


def test_invalid_arguments_say_what_is_accepted() -> None:
    experiment = fl.Experiment("net=cube:4&within=0.2")
    with pytest.raises(fl.ExperimentError, match="threads=0; accepted: a whole number from 1 to 1024"):
        experiment.run(threads=0)
    for call in (experiment.worst, experiment.refute):
        with pytest.raises(fl.ExperimentError, match="faults=-1; accepted: a whole number from 0"):
            call(faults=-1)
    with pytest.raises(fl.ExperimentError, match="accepted: a shard with a journal"):
        experiment.run(shard=(1, 2))
    with pytest.raises(fl.ExperimentError, match=r"shard=\(3, 2\); accepted"):
        experiment.run(shard=(3, 2), journal="none")
    with pytest.raises(fl.ExperimentError, match="size="):
        experiment.to_svg(size=(10, 10))
    with pytest.raises(fl.ExperimentError, match="metric none: not measured.*accepted: success"):
        experiment.worst(metric="none")
    with pytest.raises(fl.ExperimentError, match="accepted: a number from 0.001 to 1"):
        experiment.saturation(resolution=7)
    with pytest.raises(fl.ExperimentError, match="no such item"):
        fl.papers("none")
    with pytest.raises(fl.ExperimentError, match="no point can run"):
        fl.Experiment("net=mesh:2x2&faults=none&break=0.0,0.1,1.0").run()


def test_experiments_that_exceed_the_memory_are_refused() -> None:
    with pytest.raises(fl.ExperimentError):
        fl.Experiment("net=cube:30").to_networkx()
