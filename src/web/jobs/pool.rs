//! The page's workers: started, watched, replaced.

use wasm_bindgen::prelude::*;
use web_sys::{ErrorEvent, Event, MessageEvent, Worker, WorkerOptions, WorkerType};

use crate::web::dom;
use crate::worker::protocol::{self, FromWorker, ToWorker};

/// What a worker has to say, and which.
pub(crate) enum News {
    /// A message.
    Said(FromWorker),
    /// It is broken: what the browser says.
    Broke(String),
}

/// One worker. Dropping it ends it.
pub(crate) struct Hand {
    worker: Worker,
    _message: Closure<dyn FnMut(MessageEvent)>,
    _error: Closure<dyn FnMut(Event)>,
}

impl Hand {
    /// Starts a worker whose news go to `hear`.
    ///
    /// # Errors
    /// What the browser says when it starts none.
    pub(crate) fn start(hear: impl Fn(News) + Clone + 'static) -> Result<Self, String> {
        let options = WorkerOptions::new();
        let url = dom::home().worker;
        // A script that fetches the worker's own. Pages without an origin, as from a disk, start no module from there.
        if !url.starts_with("blob:") {
            options.set_type(WorkerType::Module);
        }
        let worker = Worker::new_with_options(&url, &options).map_err(|error| format!("{error:?}"))?;
        let message = Closure::<dyn FnMut(MessageEvent)>::new({
            let hear = hear.clone();
            move |event: MessageEvent| {
                hear(match protocol::read(event.data()) {
                    Ok(message) => News::Said(message),
                    Err(error) => News::Broke(format!("unreadable message from a worker: {error}")),
                });
            }
        });
        let error = Closure::<dyn FnMut(Event)>::new(move |event: Event| {
            event.prevent_default();
            // A script that cannot be loaded gives a plain event, without a message.
            let problem = event.dyn_ref::<ErrorEvent>().map(ErrorEvent::message);
            hear(News::Broke(problem.unwrap_or("its script cannot be loaded: perhaps the network is gone".into())));
        });
        worker.set_onmessage(Some(message.as_ref().unchecked_ref()));
        worker.set_onerror(Some(error.as_ref().unchecked_ref()));
        Ok(Self { worker, _message: message, _error: error })
    }

    /// Tells it something.
    pub(crate) fn tell(&self, message: &ToWorker) {
        // Fails only for values that cannot be copied; bytes can.
        let _ = self.worker.post_message(&protocol::write(message));
    }
}

impl Drop for Hand {
    fn drop(&mut self) {
        self.worker.set_onmessage(None);
        self.worker.set_onerror(None);
        self.worker.terminate();
    }
}
