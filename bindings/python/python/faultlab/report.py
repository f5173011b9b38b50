"""Reports: answers that are computed and not measured, or searched."""

from __future__ import annotations

import html
import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

__all__ = ["Report"]


@dataclass(frozen=True, repr=False)
class Report:
    """Report in the three formats of the command line, byte for byte.

    Attributes:
        text: Readable text.
        csv: Comma-separated values; the first lines name the experiment.
        json: One JSON value, or one line for each algorithm.
    """

    text: str
    csv: str
    json: str

    def records(self) -> list[dict[str, Any]]:
        """Returns the JSON as Python values: one dictionary for each algorithm, flaw or cell.

        Node numbers are strings, as in the JSON.
        """
        values = [json.loads(line) for line in self.json.splitlines() if line]
        return values[0] if len(values) == 1 and isinstance(values[0], list) else values

    def to_pandas(self) -> pandas.DataFrame:
        """Returns the records as a data frame, one row for each record (needs pandas)."""
        import pandas

        return pandas.DataFrame.from_records(self.records())

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return self.text

    def _repr_html_(self) -> str:
        return f"<pre>{html.escape(self.text)}</pre>"
