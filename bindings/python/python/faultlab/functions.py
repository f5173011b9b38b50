"""Functions without an experiment: journals, papers, presets."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import TypedDict

from . import _faultlab
from .errors import check_range
from .experiment import PathLike
from .progress import ProgressOption, callback
from .report import Report
from .result import Result

__all__ = ["Preset", "errata", "merge", "paper_rows", "papers", "presets"]


class Preset(TypedDict):
    """Example of the page: its `experiment` is a text for `Experiment`."""

    id: str
    title: str
    sentence: str
    question: str
    experiment: str


def papers(
    id: str | None = None,
    *,
    within: float | None = None,
    progress: ProgressOption = False,
    threads: int | None = None,
    journal: PathLike | None = None,
) -> Report:
    """Measures tables, figures and claims of the five papers again, and compares them with what the
    papers print, like `faultlab papers`.

    Args:
        id: One item, such as `table4` or `chiu-fig6`, or one paper, such as `gordon-stout`; all
            items by default, which takes long.
        within: Half-width to measure to, 0.0001 to 0.5; that of the item by default.
        progress: See `Experiment.run`.
        threads: See `Experiment.run`.
        journal: See `Experiment.run`.

    Raises:
        ExperimentError: There is no such item, or `within` is out of range.
        KeyboardInterrupt: Ctrl-C ended the measurement; with a journal, it can be resumed.
    """
    check_range("threads", threads, 1, 1024)
    path = None if journal is None else os.fspath(journal)
    with callback(progress) as raw:
        return Report(*_faultlab.papers(id, within, threads, path, raw))


def errata() -> Report:
    """Returns the errors found in the five papers, each with an experiment that shows it."""
    return Report(*_faultlab.errata())


def paper_rows(*words: str) -> Report:
    """Returns the statements of the papers with their status, like `faultlab papers rows`.

    Args:
        words: Only rows that match all words, such as a paper, a status (`works`, `partly`,
            `missing`, `erratum`, `open`) or a word of the statement.

    Raises:
        ExperimentError: No row matches.
    """
    return Report(*_faultlab.paper_rows(list(words)))


def presets() -> list[Preset]:
    """Returns the examples of the page."""
    found: list[Preset] = json.loads(_faultlab.presets()[2])
    return found


def merge(journals: Iterable[PathLike]) -> Result:
    """Combines the journals of all shards of a run, like `faultlab merge`. The result has the bytes
    of a run on one machine.

    Raises:
        ExperimentError: The journals are not of one run.
        OSError: Points are missing or not finished; the message names them.
    """
    return Result(_faultlab.merge([os.fspath(journal) for journal in journals]))
