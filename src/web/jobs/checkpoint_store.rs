//! Store of checkpoints: the browser's IndexedDB, where the page may use it.
//!
//! A failure means that nothing is loaded, or that nothing is saved. The name of a checkpoint names
//! the program that saved it, the time, and the experiment. Every checkpoint is saved as a whole,
//! so tabs with the same experiment may overwrite each other's checkpoints.

use js_sys::{Array, Date, Promise, Uint8Array};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Event, IdbDatabase, IdbRequest, IdbTransactionMode};
use yew::platform::spawn_local;

use crate::VERSION;
use crate::web::dom;

/// Name of the database, and of its only table.
const DATABASE: &str = "faultlab";

/// Maximum number of checkpoints; the oldest are deleted.
const MAX_CHECKPOINTS: usize = 6;

/// Maximum size of a checkpoint.
pub(super) const MAX_BYTES: usize = 1 << 20;

/// Name and content of a checkpoint.
pub(super) type Entry = (String, Vec<u8>);

/// Request to the store.
pub(super) enum Request {
    /// Load the last checkpoint of the experiment with this cache key.
    Load(String),
    /// Save a checkpoint under a name; delete surplus checkpoints and checkpoints of other programs.
    Save(String, Vec<u8>),
    /// Delete the checkpoints of the experiment with this cache key.
    Delete(String),
}

/// Returns whether this page may save anything. The single-file edition may not, because other
/// files may share its origin.
pub(super) fn is_available() -> bool {
    !dom::program_files().worker.starts_with("blob:")
}

/// Returns the prefix of all names that this program writes. The worker's file is named after its
/// content, so the prefix identifies the build.
fn prefix() -> String {
    let worker = dom::program_files().worker;
    format!("{VERSION} {}|", worker.rsplit('/').next().unwrap_or_default())
}

/// Returns a name for a checkpoint of the experiment with this cache key.
pub(super) fn name(key: &str) -> String {
    format!("{}{:015}|{key}", prefix(), Date::now() as u64)
}

/// Returns whether this program saved the checkpoint `name` for the experiment with this cache key.
fn matches(name: &str, key: &str) -> bool {
    let rest = name.strip_prefix(&prefix()).and_then(|rest| rest.split_once('|'));
    rest.is_some_and(|(_, saved)| saved == key)
}

/// Sends a request to the store. `on_done` receives the loaded entry, if there is one.
pub(super) fn send(request: Request, on_done: impl FnOnce(Option<Entry>) + 'static) {
    let on_done: Box<dyn FnOnce(Option<Entry>)> = Box::new(on_done);
    spawn_local(async move {
        // A browser that refuses access, or has no space left, saves nothing.
        on_done(run(request).await.ok().flatten());
    });
}

async fn run(request: Request) -> Result<Option<Entry>, JsValue> {
    let database = OpenDatabase(open().await?);
    let mode = IdbTransactionMode::Readwrite;
    let table = database.0.transaction_with_str_and_mode(DATABASE, mode)?.object_store(DATABASE)?;
    // The names are in ascending order: the oldest checkpoint of each program is the first.
    let names = Array::from(&result_of(&table.get_all_keys()?).await?);
    let names: Vec<String> = names.iter().filter_map(|name| name.as_string()).collect();
    match request {
        Request::Load(key) => {
            let Some(name) = names.into_iter().rfind(|name| matches(name, &key)) else { return Ok(None) };
            let bytes = result_of(&table.get(&name.as_str().into())?).await?;
            return Ok(Some((name, Uint8Array::new(&bytes).to_vec())));
        }
        Request::Save(name, bytes) => {
            let prefix = prefix();
            let (own, foreign): (Vec<_>, Vec<_>) =
                names.iter().rev().filter(|other| **other != name).partition(|other| other.starts_with(&prefix));
            for surplus in foreign.into_iter().chain(own.into_iter().skip(MAX_CHECKPOINTS - 1)) {
                table.delete(&surplus.as_str().into())?;
            }
            table.put_with_key(&Uint8Array::from(bytes.as_slice()), &name.into())?;
        }
        Request::Delete(key) => {
            for name in names.iter().filter(|name| matches(name, &key)) {
                table.delete(&name.as_str().into())?;
            }
        }
    }
    Ok(None)
}

async fn open() -> Result<IdbDatabase, JsValue> {
    let factory = dom::window().and_then(|window| window.indexed_db().ok().flatten()).ok_or(JsValue::NULL)?;
    let request = factory.open_with_u32(DATABASE, 1)?;
    let on_upgrade = Closure::<dyn FnMut(Event)>::new({
        let request = request.clone();
        move |_| {
            if let Ok(database) = request.result() {
                // Without the table, the transaction of the request fails.
                let _ = database.unchecked_into::<IdbDatabase>().create_object_store(DATABASE);
            }
        }
    });
    request.set_onupgradeneeded(Some(on_upgrade.as_ref().unchecked_ref()));
    result_of(&request).await?.dyn_into()
}

/// An open database; dropping it closes the connection.
struct OpenDatabase(IdbDatabase);

impl Drop for OpenDatabase {
    fn drop(&mut self) {
        self.0.close();
    }
}

/// Waits for the result of a request.
async fn result_of(request: &IdbRequest) -> Result<JsValue, JsValue> {
    let promise = Promise::new(&mut |resolve, reject| {
        request.set_onsuccess(Some(&resolve));
        request.set_onerror(Some(&reject));
    });
    JsFuture::from(promise).await?;
    request.result()
}
