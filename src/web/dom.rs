//! Browser functions that the page needs. Missing features give `None`, never a panic.

use std::cell::RefCell;

use gloo_timers::callback::Timeout;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, BlobPropertyBag, Document, HtmlAnchorElement, HtmlElement, Response, Url, Window};

use crate::random::mix;
use crate::report::picture::geometry::Size;
use crate::worker::panic_for_test;

pub(super) fn window() -> Option<Window> {
    web_sys::window()
}

pub(super) fn document() -> Option<Document> {
    window()?.document()
}

/// Returns the time since the page was opened, in milliseconds.
pub(super) fn now() -> f64 {
    window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}

/// Calls `act` after `wait` milliseconds, unless the timeout is dropped. All callers share one
/// instance of the code.
pub(super) fn set_timeout(wait: u32, act: impl FnOnce() + 'static) -> Timeout {
    let act: Box<dyn FnOnce()> = Box::new(act);
    Timeout::new(wait, act)
}

/// Returns the width and height of the visible page, in CSS pixels.
pub(super) fn view_size() -> Size {
    let root = document().and_then(|document| document.document_element());
    root.map(|root| Size::new(root.client_width().into(), root.client_height().into())).unwrap_or_default()
}

/// Returns whether the page is higher than its window, or is a part of a page that may be.
pub(super) fn is_page_scrollable() -> bool {
    let root = document().and_then(|document| document.document_element());
    is_embedded() || root.is_some_and(|root| root.scroll_height() > root.client_height())
}

/// Returns whether the page is in a frame of another page.
fn is_embedded() -> bool {
    window().is_some_and(|window| window.parent().ok().flatten().is_some_and(|parent| parent != window))
}

/// Scale factor of the presentation mode; the style sheet contains the same value.
const PRESENTATION_SCALE: f64 = 1.75;

/// Returns the current scale factor.
pub(super) fn scale_factor() -> f64 {
    let presented = document().and_then(|document| document.query_selector(".page--present").ok().flatten()).is_some();
    if presented { PRESENTATION_SCALE } else { 1.0 }
}

/// Returns the number of device pixels per CSS pixel of a figure.
pub(super) fn pixel_ratio() -> f64 {
    let larger = scale_factor();
    window().map_or(1.0, |window| window.device_pixel_ratio() * larger).clamp(0.5, 4.0)
}

/// Enters or leaves full screen, where the browser allows it.
pub(super) fn set_full_screen(full: bool) {
    let Some(document) = document() else { return };
    match (full, document.document_element()) {
        // Without full screen, the page fills its window.
        (true, Some(root)) if has_user_activation() => drop(root.request_fullscreen()),
        _ if document.fullscreen_element().is_some() => document.exit_fullscreen(),
        _ => {}
    }
}

/// Returns whether the user has just pressed a key or a button, which browsers require for full screen.
/// True in browsers that do not provide this information.
fn has_user_activation() -> bool {
    let part = |object: &JsValue, name: &str| {
        js_sys::Reflect::get(object, &name.into()).ok().filter(|part| !part.is_undefined())
    };
    let active = window().and_then(|window| part(&window.navigator(), "userActivation"));
    active.and_then(|active| part(&active, "isActive")).is_none_or(|active| active.is_truthy())
}

/// Returns whether the page is in full screen.
pub(super) fn is_full_screen() -> bool {
    document().is_some_and(|document| document.fullscreen_element().is_some())
}

/// Returns whether a media query matches, such as `(prefers-reduced-motion: reduce)`.
pub(super) fn matches_media(query: &str) -> bool {
    window().and_then(|window| window.match_media(query).ok().flatten()).is_some_and(|list| list.matches())
}

/// Returns the value of a custom CSS property of `element`.
pub(super) fn css_property(element: &HtmlElement, name: &str) -> Option<String> {
    let style = window()?.get_computed_style(element).ok().flatten()?;
    style.get_property_value(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

/// Returns the experiment text in the address, without `#`.
pub(super) fn address_text() -> String {
    let hash = window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
    hash.trim_start_matches('#').to_owned()
}

/// Writes `text` into the address, as a new history entry or in place of the current one.
pub(super) fn set_address(text: &str, new_entry: bool) {
    let Some(history) = window().and_then(|window| window.history().ok()) else { return };
    let url = format!("#{text}");
    // Some embedding pages forbid changes of the address: the link is then only in the Share
    // dialog.
    // In an embedded page, the Back button belongs to the embedding page.
    let _ = if new_entry && !is_embedded() {
        history.push_state_with_url(&JsValue::NULL, "", Some(&url))
    } else {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&url))
    };
}

/// Addresses of the program's files: the page, the worker's script, and the precomputed answers and
/// the rows of Papers.
#[derive(Clone, Default)]
pub(super) struct ProgramFiles {
    pub(super) page: String,
    pub(super) worker: String,
    pub(super) answers: String,
    pub(super) rows: String,
}

thread_local! {
    static HOME: RefCell<ProgramFiles> = RefCell::default();
}

/// Sets the addresses of the program's files, before anything is shown.
pub(super) fn set_program_files(home: ProgramFiles) {
    HOME.set(home);
}

/// Returns the addresses of the program's files.
pub(super) fn program_files() -> ProgramFiles {
    HOME.with_borrow(ProgramFiles::clone)
}

/// Returns the address of a file in the program's folder; `None` in the single-file edition, which
/// has no folder.
pub(super) fn sibling_url(name: &str) -> Option<String> {
    let answers = program_files().answers;
    let (folder, _) = answers.rsplit_once('/').filter(|_| !answers.starts_with("blob:"))?;
    Some(format!("{folder}/{name}"))
}

/// Returns the address of the page with `text` after its `#`.
pub(super) fn link(text: &str) -> String {
    format!("{}#{text}", program_files().page)
}

/// Fetches the file at an address; `None` if that fails, for example in a page opened from a disk.
pub(super) async fn bytes_at(url: &str) -> Option<Vec<u8>> {
    let response = JsFuture::from(window()?.fetch_with_str(url)).await.ok()?;
    let response: Response = response.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    let buffer = JsFuture::from(response.array_buffer().ok()?).await.ok()?;
    Some(js_sys::Uint8Array::new(&buffer).to_vec())
}

/// Scrolls to the top of the page.
pub(super) fn scroll_to_top() {
    if let Some(window) = window() {
        window.scroll_to_with_x_and_y(0.0, 0.0);
    }
}

/// Scrolls the figure into view if it is above the controls, as on a phone.
pub(super) fn scroll_to_figure() {
    if matches_media("(max-width: 820px)") {
        scroll_to_top();
    }
}

/// Scrolls the network into view and gives it the focus.
pub(super) fn focus_figure() {
    focus("main canvas[tabindex]");
    scroll_into_view("#figure .caption");
}

/// Gives the focus to the first element that matches `selector`.
pub(super) fn focus(selector: &str) {
    let found = document().and_then(|document| document.query_selector(selector).ok().flatten());
    if let Some(found) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        // Fails only for elements that cannot have the focus.
        let _ = found.focus();
    }
}

/// Scrolls the first element that matches `selector` into view, if less than half of its height is
/// visible.
pub(super) fn scroll_into_view(selector: &str) {
    let Some(found) = document().and_then(|document| document.query_selector(selector).ok().flatten()) else { return };
    let (around, height) = (found.get_bounding_client_rect(), view_size().height);
    let seen = around.bottom().min(height) - around.top().max(0.0);
    if seen < around.height() / 2.0 {
        found.scroll_into_view();
    }
}

/// Scrolls a list to the entry that matches `selector`, without moving the page.
pub(super) fn scroll_list(selector: &str) {
    let found = || document()?.query_selector(selector).ok()??.dyn_into::<HtmlElement>().ok();
    let Some((entry, list)) = found().and_then(|entry| Some((entry.clone(), entry.closest("ol").ok()??))) else {
        return;
    };
    let (here, around) = (entry.get_bounding_client_rect(), list.get_bounding_client_rect());
    if here.top() < around.top() || here.bottom() > around.bottom() {
        let by = here.top() - around.top() - (around.height() - here.height()) / 2.0;
        list.set_scroll_top(list.scroll_top() + by as i32);
    }
}

/// Scrolls the element with this id into view and gives the focus to its first heading or control.
pub(super) fn focus_section(id: &str) {
    let Some(element) = document().and_then(|document| document.get_element_by_id(id)) else { return };
    element.scroll_into_view();
    let heading = element.query_selector("h2, h3, select, input").ok().flatten();
    if let Some(heading) = heading.and_then(|heading| heading.dyn_into::<HtmlElement>().ok()) {
        // Fails only for elements that cannot have the focus.
        let _ = heading.focus();
    }
}

/// Scrolls the element with this id into view if the focus is inside it.
pub(super) fn scroll_to_focused_section(id: &str) {
    let selector = format!("#{id}:focus-within");
    if let Some(section) = document().and_then(|document| document.query_selector(&selector).ok().flatten()) {
        section.scroll_into_view();
    }
}

/// Downloads a text file.
pub(super) fn download(name: &str, mime: &str, content: &str) {
    download_bytes(name, mime, content.as_bytes());
}

/// Downloads a file.
pub(super) fn download_bytes(name: &str, mime: &str, content: &[u8]) {
    let options = BlobPropertyBag::new();
    options.set_type(mime);
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(content));
    let url = Blob::new_with_u8_array_sequence_and_options(&parts, &options)
        .and_then(|blob| Url::create_object_url_with_blob(&blob));
    let Ok(url) = url else { return };
    let anchor = document().and_then(|document| document.create_element("a").ok());
    if let Some(anchor) = anchor.and_then(|element| element.dyn_into::<HtmlAnchorElement>().ok()) {
        anchor.set_href(&url);
        anchor.set_download(name);
        anchor.click();
    }
    // The click has started the download; some time later the address is no longer needed.
    gloo_timers::callback::Timeout::new(10_000, move || {
        // Fails only for addresses that do not exist.
        let _ = Url::revoke_object_url(&url);
    })
    .forget();
}

/// Decodes a `data:` address in base 64.
pub(super) fn decode_data_url(url: &str) -> Option<Vec<u8>> {
    let (_, encoded) = url.split_once(";base64,")?;
    let binary = window()?.atob(encoded).ok()?;
    Some(binary.chars().map(|letter| letter as u8).collect())
}

/// Copies `text` to the clipboard. Returns whether the browser allowed it.
pub(super) async fn copy_to_clipboard(text: &str) -> bool {
    let Some(navigator) = window().map(|window| window.navigator()) else { return false };
    // Browsers provide the clipboard to secure pages only.
    match js_sys::Reflect::get(&navigator, &"clipboard".into()) {
        Ok(clipboard) if !clipboard.is_undefined() => {
            JsFuture::from(navigator.clipboard().write_text(text)).await.is_ok()
        }
        _ => false,
    }
}

/// Copies a PNG picture to the clipboard. Returns whether the browser allowed it; some browsers and
/// unsecured pages have no clipboard for pictures.
pub(super) async fn copy_picture_to_clipboard(png: &[u8]) -> bool {
    let Some(written) = window().and_then(|window| write_picture(&window, png).ok()) else { return false };
    JsFuture::from(written).await.is_ok()
}

/// Starts to write a picture to the clipboard. Properties are looked up by name, because a browser
/// may lack them.
fn write_picture(window: &Window, png: &[u8]) -> Result<js_sys::Promise, JsValue> {
    const TYPE: &str = "image/png";
    let options = BlobPropertyBag::new();
    options.set_type(TYPE);
    let parts = js_sys::Array::of1(&js_sys::Uint8Array::from(png));
    let blob = Blob::new_with_u8_array_sequence_and_options(&parts, &options)?;
    let content = js_sys::Object::new();
    js_sys::Reflect::set(&content, &TYPE.into(), &blob)?;
    let constructor = js_sys::Reflect::get(window, &"ClipboardItem".into())?.dyn_into::<js_sys::Function>()?;
    let item = js_sys::Reflect::construct(&constructor, &js_sys::Array::of1(&content))?;
    let clipboard = js_sys::Reflect::get(&window.navigator(), &"clipboard".into())?;
    let write = js_sys::Reflect::get(&clipboard, &"write".into())?.dyn_into::<js_sys::Function>()?;
    write.call1(&clipboard, &js_sys::Array::of1(&item))?.dyn_into()
}

/// Returns the width and height of an element in CSS pixels, before the scale factor and before the
/// scaling of a preview.
pub(super) fn size_of(element: &HtmlElement) -> Size {
    let rect = element.get_bounding_client_rect();
    let (whole, larger) = (f64::from(element.offset_width()), scale_factor());
    // WebKit measures rectangles before scaling, other browsers after it. `offset_width` is
    // unscaled in all browsers.
    let is = |factor: f64| (rect.width() - whole * factor).abs() < factor.max(1.0);
    match () {
        () if is(1.0) => Size::new(rect.width(), rect.height()),
        () if is(larger) => Size::new(rect.width() / larger, rect.height() / larger),
        () => Size::new(whole, f64::from(element.offset_height())),
    }
}

/// Returns a random seed, short enough to read aloud.
pub(super) fn random_seed() -> u64 {
    getrandom::u64().unwrap_or_else(|_| mix(now().to_bits())) % 1_000_000
}

/// Returns the number of hardware threads; one if the browser does not report it.
pub(super) fn threads() -> usize {
    let told = window().map(|window| window.navigator().hardware_concurrency());
    // A browser without this property gives NaN.
    told.filter(|threads| *threads >= 1.0).map_or(1, |threads| threads.min(32.0) as usize)
}

/// Event listener that is removed when the value is dropped.
pub(super) struct Listener {
    target: web_sys::EventTarget,
    kind: &'static str,
    closure: Closure<dyn FnMut(web_sys::Event)>,
}

impl Listener {
    pub(super) fn new(
        target: web_sys::EventTarget,
        kind: &'static str,
        listen: impl FnMut(web_sys::Event) + 'static,
    ) -> Self {
        let closure = Closure::<dyn FnMut(web_sys::Event)>::new(listen);
        // Fails only for targets that accept no listeners.
        let _ = target.add_event_listener_with_callback(kind, closure.as_ref().unchecked_ref());
        Self { target, kind, closure }
    }

    /// Creates a listener that may prevent scrolling. Yew's listeners for wheels and touches may not.
    pub(super) fn active(
        target: web_sys::EventTarget,
        kind: &'static str,
        listen: impl FnMut(web_sys::Event) + 'static,
    ) -> Self {
        let closure = Closure::<dyn FnMut(web_sys::Event)>::new(listen);
        let options = web_sys::AddEventListenerOptions::new();
        options.set_passive(false);
        // Fails only for targets that accept no listeners.
        let _ = target.add_event_listener_with_callback_and_add_event_listener_options(
            kind,
            closure.as_ref().unchecked_ref(),
            &options,
        );
        Self { target, kind, closure }
    }
}

impl Drop for Listener {
    fn drop(&mut self) {
        let _ = self.target.remove_event_listener_with_callback(self.kind, self.closure.as_ref().unchecked_ref());
    }
}

#[wasm_bindgen]
extern "C" {
    /// Passes a panic message to the page, which shows it: a function of `boot/guard.js`.
    #[wasm_bindgen(js_name = faultlabPanicked)]
    fn panicked(message: &str, text: &str, figure: u32);
}

thread_local! {
    /// Experiment that was drawn last, and the number of the figure that drew it.
    static DRAWN: RefCell<(String, u32)> = RefCell::default();
}

/// Installs a panic hook that reports the message with the experiment that was drawn last.
pub(super) fn report_panics() {
    // Yew replaces any other panic hook by its own.
    yew::set_custom_panic_hook(Box::new(|info| {
        let (text, figure) = DRAWN.with_borrow(Clone::clone);
        panicked(&info.to_string(), &text, figure);
    }));
}

/// Records that `text` is about to be drawn by the figure of this number, or by the page (0).
pub(super) fn set_drawn_experiment(text: &str, figure: u32) {
    DRAWN.set((text.to_owned(), figure));
    panic_for_test(text);
}
