//! Where sweeps are written down that may be interrupted: the browser's database, if it has one and lets the page use it. Every failure means
//! that nothing is there, or that nothing is kept.
//!
//! A name says the program that wrote, the time and the question; what it stands for is of that question alone, written whole every time. So
//! tabs with the same experiment may write over each other: what is there is always whole.

use js_sys::{Date, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Event, IdbDatabase, IdbRequest, IdbTransactionMode};
use yew::platform::spawn_local;

use crate::VERSION;
use crate::web::dom;

/// The name of the database, and of its only table.
const NAME: &str = "faultlab";

/// The most sweeps that are kept: the last ones.
const SWEEPS: usize = 6;

/// The most bytes of one.
pub(super) const BYTES: usize = 1 << 20;

/// Whether this page may write anything down: the edition in one file lives in other people's places.
pub(super) fn is_here() -> bool {
    !dom::home().worker.starts_with("blob:")
}

/// What begins all names that this very program wrote. The worker's file is named after its content, and that of the program.
fn program() -> String {
    let worker = dom::home().worker;
    format!("{VERSION} {}|", worker.rsplit('/').next().unwrap_or_default())
}

/// A name for the sweep of `question`.
pub(super) fn name(question: &str) -> String {
    format!("{}{:015}|{question}", program(), Date::now() as u64)
}

/// Whether `name` is for `question`, written by this very program.
fn is_for(name: &str, question: &str) -> bool {
    let rest = name.strip_prefix(&program()).and_then(|rest| rest.split_once('|'));
    rest.is_some_and(|(_, asked)| asked == question)
}

/// What is to be done.
pub(super) enum Deed {
    /// To find what was written down last for a question.
    Take(String),
    /// To write bytes down under a name; what is too much then is thrown away, and what another program wrote.
    Put(String, Vec<u8>),
    /// To throw away what was written down for a question.
    Forget(String),
}

/// A name, and the bytes under it.
pub(super) type Found = (String, Vec<u8>);

/// Does it, and hands on what is found.
pub(super) fn send(deed: Deed, hear: impl FnOnce(Option<Found>) + 'static) {
    let hear: Box<dyn FnOnce(Option<Found>)> = Box::new(hear);
    spawn_local(async move {
        // Where it is refused, or there is no room, nothing is kept.
        hear(run(deed).await.ok().flatten());
    });
}

async fn run(deed: Deed) -> Result<Option<Found>, JsValue> {
    let database = Open(open().await?);
    let mode = IdbTransactionMode::Readwrite;
    let table = database.0.transaction_with_str_and_mode(NAME, mode)?.object_store(NAME)?;
    // Ascending: of each program the oldest first.
    let names = js_sys::Array::from(&done(&table.get_all_keys()?).await?);
    let names: Vec<String> = names.iter().filter_map(|name| name.as_string()).collect();
    match deed {
        Deed::Take(question) => {
            let Some(name) = names.into_iter().rfind(|name| is_for(name, &question)) else { return Ok(None) };
            let bytes = done(&table.get(&name.as_str().into())?).await?;
            return Ok(Some((name, Uint8Array::new(&bytes).to_vec())));
        }
        Deed::Put(name, bytes) => {
            let program = program();
            let mut room = SWEEPS - 1;
            for other in names.iter().rev().filter(|other| **other != name) {
                match (other.starts_with(&program), room.checked_sub(1)) {
                    (true, Some(less)) => room = less,
                    _ => drop(table.delete(&other.as_str().into())?),
                }
            }
            table.put_with_key(&Uint8Array::from(bytes.as_slice()), &name.into())?;
        }
        Deed::Forget(question) => {
            for name in names.iter().filter(|name| is_for(name, &question)) {
                table.delete(&name.as_str().into())?;
            }
        }
    }
    Ok(None)
}

async fn open() -> Result<IdbDatabase, JsValue> {
    let factory = dom::window().and_then(|window| window.indexed_db().ok().flatten()).ok_or(JsValue::NULL)?;
    let request = factory.open_with_u32(NAME, 1)?;
    let made = Closure::<dyn FnMut(Event)>::new({
        let request = request.clone();
        move |_| {
            if let Ok(database) = request.result() {
                // What cannot be made is missed later.
                let _ = database.unchecked_into::<IdbDatabase>().create_object_store(NAME);
            }
        }
    });
    request.set_onupgradeneeded(Some(made.as_ref().unchecked_ref()));
    done(&request).await?.dyn_into()
}

/// Closes when all is done.
struct Open(IdbDatabase);

impl Drop for Open {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// What a request comes to.
async fn done(request: &IdbRequest) -> Result<JsValue, JsValue> {
    let promise = Promise::new(&mut |resolve, reject| {
        request.set_onsuccess(Some(&resolve));
        request.set_onerror(Some(&reject));
    });
    JsFuture::from(promise).await?;
    request.result()
}
