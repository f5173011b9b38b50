"""Browser and notebook servers of the tests.

The browser's driver is the one of the page's tests: `cargo xtask test notebooks` starts it and sets
`WEBDRIVER_URL` and `FAULTLAB_ENGINE`.
"""

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.common.options import ArgOptions

NOTEBOOKS = Path(__file__).parents[2] / "examples" / "notebooks"
TOKEN = "faultlab"
TIMEOUT = 60.0

# The settings of this machine's user have no influence, and do not change.
for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "IPYTHONDIR", "XDG_CONFIG_HOME", "XDG_STATE_HOME"):
    os.environ[name] = tempfile.mkdtemp(prefix="faultlab-notebooks-")


class Page:
    """Page of a browser."""

    def __init__(self, driver: webdriver.Remote) -> None:
        self.driver = driver

    def open(self, url: str) -> None:
        self.driver.get(url)

    def run(self, script: str, *arguments: object) -> object:
        return self.driver.execute_script(SCRIPTS + script, *arguments)

    def wait(self, what: str, script: str, seconds: float = TIMEOUT) -> object:
        """Waits until a script returns a true value, and returns it."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                value = self.run(script)
            except WebDriverException:
                value = None
            if value:
                return value
            time.sleep(0.1)
        self.screenshot("timeout")
        raise AssertionError(f"{what}: {script}")

    def screenshot(self, name: str) -> None:
        """Takes a screenshot, if a folder for them is set."""
        if folder := os.environ.get("FAULTLAB_SCREENSHOTS"):
            self.driver.save_screenshot(f"{folder}/{name}.png")


@pytest.fixture(scope="session")
def driver() -> Iterator[webdriver.Remote]:
    options: ArgOptions
    if os.environ.get("FAULTLAB_ENGINE") == "firefox":
        options = webdriver.FirefoxOptions()
        options.add_argument("-headless")
    else:
        options = webdriver.ChromeOptions()
        for switch in ("--headless=new", "--no-sandbox", "--disable-dev-shm-usage"):
            options.add_argument(switch)
    browser = webdriver.Remote(os.environ["WEBDRIVER_URL"], options=options)
    browser.set_window_size(1200, 1400)
    yield browser
    browser.quit()


@pytest.fixture
def page(driver: webdriver.Remote) -> Page:
    return Page(driver)


def free_port() -> int:
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return int(server.getsockname()[1])


@pytest.fixture(scope="session")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., str]]:
    """Starts a server as a module of Python, and returns its address when it answers."""
    servers: list[subprocess.Popen[bytes]] = []

    def start(module: str, *arguments: str, folder: Path, path: str = "/") -> str:
        port = free_port()
        command = [sys.executable, "-m", module, *(argument.format(port=port) for argument in arguments)]
        log = (tmp_path_factory.mktemp("server") / "log").open("wb")
        servers.append(subprocess.Popen(command, cwd=folder, stdout=log, stderr=log))
        url = f"http://127.0.0.1:{port}"
        end = time.monotonic() + TIMEOUT
        while time.monotonic() < end:
            try:
                urllib.request.urlopen(url + path, timeout=5).close()
                return url
            except OSError:
                time.sleep(0.2)
        raise AssertionError(f"{module} does not answer: {Path(log.name).read_text()}")

    yield start
    for server in servers:
        server.terminate()
    for server in servers:
        server.wait(timeout=20)


@pytest.fixture(scope="session")
def jupyter(serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Path]:
    """Address of a server of JupyterLab and Notebook, and its folder."""
    folder = tmp_path_factory.mktemp("jupyter")
    arguments = ["--no-browser", "--allow-root", "--port={port}", f"--IdentityProvider.token={TOKEN}"]
    arguments.append("--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate")
    # The tests run commands of the applications by `jupyterapp`.
    arguments += [f"--{name}.expose_app_in_browser=True" for name in ("LabApp", "JupyterNotebookApp")]
    url = serve("jupyterlab", *arguments, f"--ServerApp.root_dir={folder}", folder=folder, path="/api")
    return url, folder


# Functions of the tests' scripts: the figures of a page, also those in shadow trees, and their parts.
SCRIPTS = """
    const find = (root, selector) => [...root.querySelectorAll('*')].flatMap(one =>
        [...one.matches(selector) ? [one] : [], ...one.shadowRoot && one.localName !== 'fault-lab' ? find(one.shadowRoot, selector) : []]);
    const figures = () => find(document, 'fault-lab');
    const inside = (place, selector) => figures()[place]?.shadowRoot?.querySelector(selector);
    const title = place => inside(place, '.stage h2')?.textContent ?? '';
"""


def write_notebook(path: Path, *cells: str) -> None:
    """Writes a notebook with code cells."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(notebook, path)
