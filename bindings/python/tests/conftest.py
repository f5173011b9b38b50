"""Command line of the same version, whose bytes the package must give."""

import os
import subprocess

import pytest

KINDS = {
    "message": "net=cube:5&faults=nodes:0.3&route=sidetracking,random&vary=p:0.2,0.4&within=0.03",
    "circuit": "switch=circuit&net=cube:4&faults=count:1&route=e-cube,up&rate=0.2&within=0.2",
    "pairs": "switch=pairs&net=cube:5&faults=link-count:2&within=0.05",
    "worm": "v=2&switch=wormhole&net=mesh:6x6&faults=none&break=2.2&route=f-cube2,lh2&load=0.3&within=0.1",
    "permutation": "switch=permutation&net=cube:6&faults=count:2&within=0.1",
    "batch": "switch=batch&net=cube:5&length=4&within=0.1",
    "delivery": "switch=delivery&net=tree:64&within=0.05",
}


class CommandLine:
    """Command line of Faultlab."""

    def __call__(self, *arguments: str) -> str:
        return self.process(*arguments, check=True).stdout

    def process(self, *arguments: str, check: bool = False) -> "subprocess.CompletedProcess[str]":
        command = [os.environ["FAULTLAB"], *arguments]
        return subprocess.run(command, check=check, capture_output=True, encoding="utf-8")


@pytest.fixture(scope="session")
def command_line() -> CommandLine:
    return CommandLine()


@pytest.fixture(params=KINDS)
def text(request: pytest.FixtureRequest) -> str:
    """Experiment of each kind."""
    return KINDS[request.param]
