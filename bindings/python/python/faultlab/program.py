"""Script of figures, which contains the player of the page."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .experiment import PathLike

__all__ = ["figure_script"]

_SCRIPT = Path(__file__).parent / "program" / "faultlab-figures.js"


def figure_script(path: PathLike | None = None) -> str:
    """Returns the script of figures; also writes it to `path`, if there is one.

    The script has 3.6 MB and contains everything that figures need: a page with the script
    plays the figures of `Figure.to_html`, also from a disk and without a network.

    Raises:
        FileNotFoundError: This installation lacks the script, as in a checkout.
    """
    try:
        text = _SCRIPT.read_text(encoding="utf-8")
    except FileNotFoundError:
        message = "this installation of faultlab lacks the script of figures; install a wheel made by `cargo xtask python`"
        raise FileNotFoundError(message) from None
    if path is not None:
        Path(path).write_text(text, encoding="utf-8", newline="")
    return text
