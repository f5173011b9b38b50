"""Fault-tolerant routing in interconnection networks: simulate, measure, check.

>>> import faultlab as fl
>>> result = fl.Experiment(net="cube:6", faults="nodes:0.3").run()
>>> result.columns()["metric"][0]
'success'

An experiment is a text that determines every number. The command line, the web page and this
package give the same bytes for the same text.
"""

from ._faultlab import __version__
from .errors import ExperimentError, Interrupted
from .experiment import Experiment
from .functions import errata, merge, paper_rows, papers, presets
from .program import figure_script
from .progress import Progress
from .report import Report
from .result import Result

__all__ = [
    "Experiment",
    "ExperimentError",
    "Interrupted",
    "Progress",
    "Report",
    "Result",
    "__version__",
    "errata",
    "figure_script",
    "merge",
    "paper_rows",
    "papers",
    "presets",
]
