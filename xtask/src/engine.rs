//! The browser engines in which the page is promised to work, and how each is driven.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::{search_path, tools};

/// A browser engine with its driver.
pub(crate) struct Engine {
    /// What the tests of the page call it.
    pub(crate) name: &'static str,
    /// What people call it.
    pub(crate) title: &'static str,
    /// The variable that may name its driver. The runner of wasm-bindgen's tests reads the same ones; WebKit's driver it
    /// knows as Safari's.
    pub(crate) variable: &'static str,
    driver: &'static str,
    /// What must be there besides the driver: one program of each row.
    programs: &'static [&'static [&'static str]],
    /// The packages of Debian that bring all that.
    packages: &'static [&'static str],
    /// Installs what no package of Debian brings.
    ensure_rest: fn() -> Result<()>,
    /// Where its driver is asked to end and to close its browsers. Others just end; their browsers did with their sessions.
    pub(crate) shutdown: Option<&'static str>,
    /// Whether it draws on a display even when nobody looks.
    pub(crate) needs_display: bool,
}

/// Browser and driver must be of one version, so they come from one place.
pub(crate) static CHROMIUM: Engine = Engine {
    name: "chromium",
    title: "Chromium",
    variable: "CHROMEDRIVER",
    driver: "chromedriver",
    programs: &[&["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]],
    packages: &["chromium", "chromium-driver"],
    ensure_rest: || Ok(()),
    shutdown: Some("/shutdown"),
    needs_display: false,
};

/// Its driver is no package of Debian, but a crate; the two need not be of one version.
pub(crate) static FIREFOX: Engine = Engine {
    name: "firefox",
    title: "Firefox",
    variable: "GECKODRIVER",
    driver: "geckodriver",
    programs: &[&["firefox"]],
    packages: &["firefox-esr"],
    ensure_rest: tools::ensure_geckodriver,
    shutdown: None,
    needs_display: false,
};

/// What Debian calls so is GNOME's; Safari is of the same engine.
pub(crate) static WEBKIT: Engine = Engine {
    name: "webkit",
    title: "WebKitGTK",
    variable: "SAFARIDRIVER",
    driver: "WebKitWebDriver",
    programs: &[&["Xvfb"]],
    packages: &["webkit2gtk-driver", "xvfb"],
    ensure_rest: || Ok(()),
    shutdown: None,
    needs_display: true,
};

/// All of them.
pub(crate) static ENGINES: [&Engine; 3] = [&CHROMIUM, &FIREFOX, &WEBKIT];

impl Engine {
    /// Finds the driver, or installs it and its browser on Debian.
    pub(crate) fn ensure_driver(&self) -> Result<PathBuf> {
        if let Some(path) = env::var_os(self.variable) {
            return Ok(path.into());
        }
        (self.ensure_rest)()?;
        let installed = || {
            let complete = self.programs.iter().all(|names| names.iter().any(|name| search_path::find(name).is_some()));
            search_path::find(self.driver).filter(|_| complete)
        };
        if let Some(driver) = installed() {
            return Ok(driver);
        }
        let wanted = || {
            let programs = self.programs.iter().map(|names| names.join(" or ")).collect::<Vec<_>>().join(", ");
            format!(
                "the tests in {} need {programs} and {} on PATH; {} may name the driver elsewhere",
                self.title, self.driver, self.variable
            )
        };
        tools::install_packages(self.packages).with_context(wanted)?;
        installed().with_context(wanted)
    }
}
