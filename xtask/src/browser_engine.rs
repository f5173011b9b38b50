//! Supported browser engines, and their drivers.

use std::env;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::{search_path, tools};

/// Browser engine with its driver.
pub(crate) struct BrowserEngine {
    /// Name in the tests of the page.
    pub(crate) name: &'static str,
    /// Display name.
    pub(crate) title: &'static str,
    /// Environment variable that may name the driver. The test runner of wasm-bindgen reads the
    /// same variables; for WebKit's driver it uses the variable of Safari's.
    pub(crate) variable: &'static str,
    driver: &'static str,
    /// Programs needed besides the driver: one program of each row.
    programs: &'static [&'static [&'static str]],
    /// Debian packages that contain the driver and the programs.
    packages: &'static [&'static str],
    /// Function that installs what no Debian package contains.
    ensure_rest: fn() -> Result<()>,
    /// Path of the driver's shutdown request, which closes its browsers. Drivers without one have
    /// closed their browsers with the sessions.
    pub(crate) shutdown: Option<&'static str>,
    /// True if the engine needs a display even without a visible window.
    pub(crate) needs_display: bool,
}

/// Chromium. Browser and driver must have the same version, so they come from one source.
pub(crate) static CHROMIUM: BrowserEngine = BrowserEngine {
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

/// Firefox. Its driver is a crate instead of a Debian package; the two may have different versions.
pub(crate) static FIREFOX: BrowserEngine = BrowserEngine {
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

/// WebKitGTK of GNOME, which shares its engine with Safari.
pub(crate) static WEBKIT: BrowserEngine = BrowserEngine {
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

/// All engines.
pub(crate) static ENGINES: [&BrowserEngine; 3] = [&CHROMIUM, &FIREFOX, &WEBKIT];

impl BrowserEngine {
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
                "the tests in {} need {programs} and {} on PATH; or set {} to the path of the driver",
                self.title, self.driver, self.variable
            )
        };
        tools::install_packages(self.packages).with_context(wanted)?;
        installed().with_context(wanted)
    }
}
