//! Handle of a web worker: spawns it, exchanges messages with it, terminates it.

use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, Event, MessageEvent, Worker, WorkerOptions, WorkerType};

use crate::web::dom;
use crate::worker::protocol::{self, FromWorker, ToWorker};

/// Event of a worker.
pub(super) enum WorkerEvent {
    /// The worker has sent a message.
    Message(FromWorker),
    /// The worker has failed, for the reason that the browser gives.
    Crashed(String),
}

/// A running web worker; dropping the handle terminates it.
pub(super) struct WorkerHandle {
    worker: Worker,
    _on_message: Closure<dyn FnMut(MessageEvent)>,
    _on_error: Closure<dyn FnMut(Event)>,
}

impl WorkerHandle {
    /// Spawns a worker and sends its events to `listener`.
    ///
    /// # Errors
    /// The browser's reason why it spawns no worker.
    pub(super) fn spawn(listener: impl Fn(WorkerEvent) + Copy + 'static) -> Result<Self, String> {
        let options = WorkerOptions::new();
        let url = dom::program_files().worker;
        // A blob address belongs to a script that fetches the worker's script. Pages without an
        // origin, such as files on a disk, start no module from a blob.
        if !url.starts_with("blob:") {
            options.set_type(WorkerType::Module);
        }
        let worker = Worker::new_with_options(&url, &options).map_err(|error| format!("{error:?}"))?;
        let on_message = Closure::<dyn FnMut(MessageEvent)>::new(move |event: MessageEvent| {
            listener(match protocol::read(event.data()) {
                Ok(message) => WorkerEvent::Message(message),
                Err(error) => WorkerEvent::Crashed(format!("unreadable message from a worker: {error}")),
            });
        });
        let on_error = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            event.prevent_default();
            // A script that cannot be loaded causes a plain event, without a message.
            let problem = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message);
            let missing = || "its script cannot be loaded; check the network".into();
            listener(WorkerEvent::Crashed(problem.unwrap_or_else(missing)));
        });
        worker.set_onmessage(Some(on_message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(on_error.as_ref().unchecked_ref()));
        Ok(Self { worker, _on_message: on_message, _on_error: on_error })
    }

    /// Sends a message to the worker.
    pub(super) fn post(&self, message: &ToWorker) {
        // Fails only for values that cannot be copied; bytes can.
        let _ = self.worker.post_message(&protocol::write(message));
    }
}

impl Drop for WorkerHandle {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}
