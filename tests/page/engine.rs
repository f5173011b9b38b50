//! The browser engines that the tests run in, as `cargo xtask test` chooses them.
#![allow(clippy::panic, reason = "a test that cannot go on has failed")]

use serde_json::{Map, Value, json};

use crate::browser::told;

/// A browser engine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Engine {
    /// All tests run in it: it tells its log, and its DevTools protocol changes what the page is told of the machine.
    Chromium,
    Firefox,
    WebKit,
}

impl Engine {
    /// The one that the driver drives.
    pub(crate) fn told() -> Self {
        match told("FAULTLAB_ENGINE").as_str() {
            "chromium" => Self::Chromium,
            "firefox" => Self::Firefox,
            "webkit" => Self::WebKit,
            other => panic!("FAULTLAB_ENGINE={other}: not an engine"),
        }
    }

    /// What the driver is asked for.
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
