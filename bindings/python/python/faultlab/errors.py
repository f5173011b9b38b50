"""Exceptions of this package."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .report import Report
    from .result import Result

__all__ = ["ExperimentError", "Interrupted"]


class ExperimentError(ValueError):
    """Invalid experiment or argument.

    The message is the one of the command line. It names everything that is wrong; the attributes
    describe the first problem.

    Attributes:
        key: Key of the experiment's text, or name of the argument; `None` if the problem is not
            in one key.
        value: Invalid value, shortened if it is long; `None` if the problem is not in one key.
        accepted: Accepted values, in words; `None` if the message does not list them.
        suggestion: Accepted key or value that is spelled almost like the invalid one, if there is
            one.
    """

    key: str | None
    value: str | None
    accepted: str | None
    suggestion: str | None

    def __init__(
        self,
        message: str,
        key: str | None = None,
        value: str | None = None,
        accepted: str | None = None,
        suggestion: str | None = None,
    ) -> None:
        # Errors of the command line name options, which are arguments here.
        super().__init__(message.removeprefix("--"))
        self.key = key
        self.value = value
        if accepted is None and "accepted: " in message:
            accepted = message.rpartition("accepted: ")[2]
        self.accepted = accepted
        self.suggestion = suggestion


def check_range(name: str, value: int | None, least: int, most: int) -> None:
    """Checks that an argument is in its range.

    Raises:
        ExperimentError: It is outside.
    """
    if value is not None and not least <= value <= most:
        accepted = f"a whole number from {least} to {most}"
        raise ExperimentError(f"{name}={value}; accepted: {accepted}", name, str(value), accepted)


class Interrupted(KeyboardInterrupt):
    """Computation that Ctrl-C ended early.

    It is a `KeyboardInterrupt`, so a script ends. The results so far are in `result`; in a notebook
    use `sys.last_value.result`.

    Attributes:
        result: Results of the completed trials: a `Result` whose unfinished points have the outcome
            `cancelled`, or a `Report` on the fault sets that were examined.
    """

    result: Result | Report

    def __init__(self, result: Result | Report) -> None:
        super().__init__("interrupted; the results so far are in the attribute `result`")
        self.result = result
