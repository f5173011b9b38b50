//! Pool of browsers for the tests, which use a browser one after the other.
//!
//! Starting a browser takes a second, a new window a quarter of one.

use std::sync::{Mutex, OnceLock, PoisonError};
use std::thread;

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use tokio::runtime::{Builder, Handle};

use crate::browser::required_env;
use crate::engine::BrowserEngine;

/// Browsers without a test, with the ids of their sessions.
static IDLE: Mutex<Vec<(Client, String)>> = Mutex::new(Vec::new());

/// Returns a browser that has passed a test.
pub(crate) fn take_idle() -> Option<(Client, String)> {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop()
}

/// Keeps a browser for the next test.
pub(crate) fn keep(client: Client, session: String) {
    IDLE.lock().unwrap_or_else(PoisonError::into_inner).push((client, session));
}

/// Starts a browser and returns it with the id of its session.
pub(crate) async fn start(engine: BrowserEngine) -> (Client, String) {
    // The runtime of a test ends with the test, and so would the tasks of its connections.
    let connected = runtime().spawn(async move {
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(engine.capabilities()).connect(&required_env("WEBDRIVER_URL")).await
    });
    let client = connected.await.expect("the task ends").expect("the driver starts a browser");
    let session = client.session_id().await.ok().flatten().expect("the browser has a session");
    (client, session)
}

/// Returns the runtime of all connections to browsers.
fn runtime() -> &'static Handle {
    static RUNTIME: OnceLock<Handle> = OnceLock::new();
    RUNTIME.get_or_init(|| {
        let runtime = Builder::new_current_thread().enable_all().build().expect("a runtime");
        let handle = runtime.handle().clone();
        thread::spawn(move || runtime.block_on(std::future::pending::<()>()));
        handle
    })
}
