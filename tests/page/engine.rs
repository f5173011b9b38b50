//! Browser engines, selected by `cargo xtask test`.
#![allow(clippy::panic, reason = "a test that cannot go on has failed")]

use serde_json::{Map, Value, json};

use crate::browser::required_env;

/// Browser engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum BrowserEngine {
    /// Default engine of all tests. Its driver has a log, and its DevTools protocol can emulate
    /// devices.
    Chromium,
    Firefox,
    WebKit,
}

impl BrowserEngine {
    /// Returns the engine that the driver controls.
    pub(crate) fn from_env() -> Self {
        match required_env("FAULTLAB_ENGINE").as_str() {
            "chromium" => Self::Chromium,
            "firefox" => Self::Firefox,
            "webkit" => Self::WebKit,
            other => panic!("FAULTLAB_ENGINE={other}: not an engine"),
        }
    }

    /// Returns the WebDriver capabilities to request.
    pub(crate) fn capabilities(self) -> Map<String, Value> {
        let wanted = match self {
            Self::Chromium => {
                let mut wanted: Value =
                    serde_json::from_str(include_str!("../../webdriver.json")).expect("webdriver.json holds JSON");
                wanted["goog:loggingPrefs"] = json!({ "browser": "ALL" });
                wanted
            }
            Self::Firefox => json!({ "moz:firefoxOptions": { "args": ["-headless"] } }),
            Self::WebKit => json!({}),
        };
        let Value::Object(wanted) = wanted else { panic!("{wanted} is no object") };
        wanted
    }
}
