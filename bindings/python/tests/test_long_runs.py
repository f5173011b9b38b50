"""Progress, Ctrl-C, journals, shards and threads."""

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import faultlab as fl

from conftest import KINDS, CommandLine

HEAVY = "switch=wormhole&net=mesh:32x32&faults=none&route=e-cube&vary=load:0.01,0.6&within=0.001"


def load_factor() -> float:
    """Returns the factor by which time limits grow on a busy machine, at least 1: the runnable
    processes per processor in the last minute."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


INTERRUPTED = f"""
import time, sys
import faultlab as fl
print("begun", flush=True)
try:
    fl.Experiment({HEAVY!r}).run(journal=sys.argv[1])
except fl.Interrupted as error:
    ended = time.time()
    result = error.result
    print(ended, result.is_complete, sum(result.columns()["n"]), flush=True)
"""


def test_ctrl_c_stops_within_half_a_second_and_keeps_the_results(tmp_path: Path) -> None:
    journal = tmp_path / "journal"
    command = [sys.executable, "-c", INTERRUPTED, str(journal)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(2)
        sent = time.time()
        process.send_signal(signal.SIGINT)
        ended, is_complete, messages = process.stdout.readline().split()
        assert process.wait(timeout=10) == 0
    assert float(ended) - sent < 0.5 * load_factor()
    assert is_complete == "False"
    assert int(messages) > 0 and journal.stat().st_size > 100


@pytest.mark.parametrize("call", ["check()", "compare()", "worst(sets=1000000)", "saturation()", "replace(net='mesh:24x24').refute(faults=9)"])
def test_ctrl_c_stops_reports_and_searches(call: str) -> None:
    text = "switch=wormhole&net=mesh:48x48&faults=none&route=odd-even,f-cube2&within=0.001"
    script = f"import faultlab as fl\ne = fl.Experiment({text!r})\nprint('begun', flush=True)\ne.{call}"
    command = [sys.executable, "-c", script]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8") as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.3)
        sent = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=60)
        assert time.monotonic() - sent < load_factor()
    assert process.returncode != 0
    assert "KeyboardInterrupt" in errors or "Interrupted" in errors


def test_other_threads_of_python_run_meanwhile() -> None:
    turns = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal turns
        while not stop.wait(0.01):
            turns += 1

    thread = threading.Thread(target=count)
    thread.start()
    fl.Experiment(HEAVY).replace(trials=20_000, within=0.05).run(threads=1)
    stop.set()
    thread.join()
    assert turns > 5


def test_progress_is_shown_and_reported(capsys: pytest.CaptureFixture[str]) -> None:
    experiment = fl.Experiment(HEAVY).replace(trials=30_000, within=0.05)
    seen: list[fl.Progress] = []
    experiment.run(progress=seen.append)
    assert seen and all(0 <= progress.share <= 1 and progress.points == 2 for progress in seen)
    assert [progress.done for progress in seen] == sorted(progress.done for progress in seen)
    experiment.run(progress=True)
    assert "of 2 points" in capsys.readouterr().err


def test_an_exception_of_the_callback_ends_the_run() -> None:
    def fail(progress: fl.Progress) -> None:
        raise LookupError(progress.text)

    began = time.monotonic()
    with pytest.raises(LookupError, match="points"):
        fl.Experiment(HEAVY).run(progress=fail)
    assert time.monotonic() - began < 10


def test_journals_resume_and_shards_merge(tmp_path: Path, command_line: CommandLine) -> None:
    text = KINDS["message"]
    experiment = fl.Experiment(text)
    whole = experiment.run().to_json()
    journal = tmp_path / "journal"
    assert experiment.run(journal=journal).to_json() == whole
    with pytest.warns(UserWarning, match="resumes after"):
        assert experiment.run(journal=journal).to_json() == whole
    # The command line resumes the journal of the package.
    assert command_line("run", text, "--journal", str(journal), "--json", "--quiet") == whole
    shards = [tmp_path / f"shard{number}" for number in (1, 2)]
    part = experiment.run(journal=shards[0], shard=(1, 2))
    assert not part.is_complete
    with pytest.raises(OSError, match="missing or not finished"):
        fl.merge(shards[:1])
    experiment.run(journal=shards[1], shard=(2, 2))
    assert fl.merge(shards).to_json() == whole
    with pytest.raises(fl.ExperimentError, match="use a different file"):
        experiment.replace(seed=2).run(journal=journal)


def test_children_of_a_fork_can_measure() -> None:
    experiment = fl.Experiment(KINDS["worm"])
    experiment.check()
    whole = experiment.run().to_json()
    child = os.fork()
    if child == 0:
        os._exit(int(experiment.run().to_json() != whole or not experiment.check().text))
    assert os.waitpid(child, 0)[1] == 0
