//! Step `notebooks` of the tests: the figures of the Python package in notebooks, driven by a browser.
//! The tests are written in Python like the servers of the notebooks; the driver of the browser is
//! the one of the page's tests.

use std::path::Path;

use anyhow::Result;

use crate::browser::Driver;
use crate::browser_engine::{CHROMIUM, FIREFOX};
use crate::checks::is_thorough;
use crate::{python, run};

/// Folder of the tests.
const TESTS: &str = "tests/notebooks";

/// Executes the example notebooks, and uses figures in JupyterLab, Notebook, marimo and exported
/// pages: in Chromium, in thorough runs also in Firefox.
pub(crate) fn check() -> Result<String> {
    python::ensure_environment()?;
    let site = python::tested_package()?;
    python::add_figure_script(&site.join("faultlab"))?;
    let engines: &[_] = if is_thorough() { &[&CHROMIUM, &FIREFOX] } else { &[&CHROMIUM] };
    for engine in engines {
        let driver = Driver::start(engine)?;
        let mut tests = python::in_environment("pytest");
        tests.env("PYTHONPATH", &site).env("PYTHONDONTWRITEBYTECODE", "1");
        tests.env("WEBDRIVER_URL", driver.url()).env("FAULTLAB_ENGINE", engine.name);
        run::run(tests.args(["--quiet", "--durations=5", "-p", "no:cacheprovider"]).arg(Path::new(TESTS)))?;
    }
    Ok(format!("figures play in {}", if is_thorough() { "Chromium and Firefox" } else { "Chromium" }))
}
