"""Progress of long computations."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass

__all__ = ["Progress", "ProgressOption"]


@dataclass(frozen=True)
class Progress:
    """Progress of a computation.

    Attributes:
        name: Name of the algorithm or item; empty if there is only one computation.
        share: Predicted share of the work that is done, 0 to 1.
        done: Number of finished points; 0 for searches.
        points: Number of all points; 0 for searches.
        text: Description.
    """

    name: str
    share: float
    done: int
    points: int
    text: str


ProgressOption = bool | Callable[[Progress], object]
"""`True` shows a line on standard error; a function is called about ten times a second."""

RawCallback = Callable[[str, float, int, int, str], object]


@contextmanager
def callback(option: ProgressOption) -> Generator[RawCallback | None, None, None]:
    """Returns the callback for the extension module."""
    if option is False:
        yield None
    elif option is True:
        yield _show
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    else:
        function = option
        yield lambda name, share, done, points, text: function(Progress(name, share, done, points, text))


def _show(name: str, share: float, done: int, points: int, text: str) -> None:
    prefix = f"{name}: " if name else ""
    print(f"\r{prefix}{share:4.0%}, {text}\x1b[K", end="", file=sys.stderr, flush=True)
