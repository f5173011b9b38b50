//! The little of the browser that everything here needs. What may be missing gives `None`, never a panic.

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

/// Milliseconds since the page was opened.
pub(super) fn now() -> f64 {
    window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}

/// Calls `act` after `wait` milliseconds, unless the timeout is dropped. All callers share one instance of the code.
pub(super) fn later(wait: u32, act: impl FnOnce() + 'static) -> Timeout {
    let act: Box<dyn FnOnce()> = Box::new(act);
    Timeout::new(wait, act)
}

/// The width and height of what is seen of the page, in CSS pixels.
pub(super) fn view_size() -> Size {
    let root = document().and_then(|document| document.document_element());
    root.map(|root| Size::new(root.client_width().into(), root.client_height().into())).unwrap_or_default()
}

/// How many times larger everything is when it is shown to a room; the style sheet says the same.
const PRESENTED: f64 = 1.75;

/// How many times larger everything is.
pub(super) fn enlarged() -> f64 {
    let presented = document().and_then(|document| document.query_selector(".page--present").ok().flatten()).is_some();
    if presented { PRESENTED } else { 1.0 }
}

/// Device pixels per CSS pixel of a figure.
pub(super) fn pixel_ratio() -> f64 {
    let larger = enlarged();
    window().map_or(1.0, |window| window.device_pixel_ratio() * larger).clamp(0.5, 4.0)
}

/// Fills the screen with the page, or no longer, where the browser lets it.
pub(super) fn set_full_screen(full: bool) {
    let Some(document) = document() else { return };
    match (full, document.document_element()) {
        // Without it the page fills its window, which does as well.
        (true, Some(root)) => drop(root.request_fullscreen()),
        _ if document.fullscreen_element().is_some() => document.exit_fullscreen(),
        _ => {}
    }
}

/// Whether the page fills the screen.
pub(super) fn is_full_screen() -> bool {
    document().is_some_and(|document| document.fullscreen_element().is_some())
}

/// Whether a media query holds, such as `(prefers-reduced-motion: reduce)`.
pub(super) fn media(query: &str) -> bool {
    window().and_then(|window| window.match_media(query).ok().flatten()).is_some_and(|list| list.matches())
}

/// The value of a custom property of the style sheet, as `element` has it.
pub(super) fn css_property(element: &HtmlElement, name: &str) -> Option<String> {
    let style = window()?.get_computed_style(element).ok().flatten()?;
    style.get_property_value(name).ok().map(|value| value.trim().to_owned()).filter(|value| !value.is_empty())
}

/// The experiment text in the address, without `#`.
pub(super) fn address_text() -> String {
    let hash = window().and_then(|window| window.location().hash().ok()).unwrap_or_default();
    hash.trim_start_matches('#').to_owned()
}

/// Makes `text` the address's; as a new entry of the history, or in place of the current one.
pub(super) fn set_address(text: &str, new_entry: bool) {
    let Some(history) = window().and_then(|window| window.history().ok()) else { return };
    let url = format!("#{text}");
    // Some embedding pages forbid it: the link is then only in the Share dialog.
    let embedded = window().is_some_and(|window| window.parent().ok().flatten().is_some_and(|parent| parent != window));
    // Inside somebody else's page, Back belongs to that page.
    let _ = if new_entry && !embedded {
        history.push_state_with_url(&JsValue::NULL, "", Some(&url))
    } else {
        history.replace_state_with_url(&JsValue::NULL, "", Some(&url))
    };
}

/// Where the files of the program are: addresses of the page, of the worker's script and of the answers that Papers opens with.
#[derive(Clone, Default)]
pub(super) struct Home {
    pub(super) page: String,
    pub(super) worker: String,
    pub(super) answers: String,
}

thread_local! {
    static HOME: RefCell<Home> = RefCell::default();
}

/// Says where they are, before anything is shown.
pub(super) fn set_home(home: Home) {
    HOME.set(home);
}

/// Where they are.
pub(super) fn home() -> Home {
    HOME.with_borrow(Home::clone)
}

/// The address of a file that stands beside the program; `None` in the edition in one file, which stands alone.
pub(super) fn beside(name: &str) -> Option<String> {
    let answers = home().answers;
    let (folder, _) = answers.rsplit_once('/').filter(|_| !answers.starts_with("blob:"))?;
    Some(format!("{folder}/{name}"))
}

/// The address of the page with `text` behind its `#`.
pub(super) fn link(text: &str) -> String {
    format!("{}#{text}", home().page)
}

/// The bytes of the file at an address; `None` if they cannot be had, as by a page that was opened from a disk.
pub(super) async fn bytes_at(url: &str) -> Option<Vec<u8>> {
    let response = JsFuture::from(window()?.fetch_with_str(url)).await.ok()?;
    let response: Response = response.dyn_into().ok()?;
    if !response.ok() {
        return None;
    }
    let buffer = JsFuture::from(response.array_buffer().ok()?).await.ok()?;
    Some(js_sys::Uint8Array::new(&buffer).to_vec())
}

/// Brings the figure into sight where it stands above the controls, as on a phone.
pub(super) fn back_to_figure() {
    if let Some(window) = window().filter(|_| media("(max-width: 820px)")) {
        window.scroll_to_with_x_and_y(0.0, 0.0);
    }
}

/// Brings the network into sight, and the keyboard to it.
pub(super) fn to_figure() {
    focus("main canvas[tabindex]");
    show("#figure .caption");
}

/// Gives the first that `selector` finds the focus.
pub(super) fn focus(selector: &str) {
    let found = document().and_then(|document| document.query_selector(selector).ok().flatten());
    if let Some(found) = found.and_then(|found| found.dyn_into::<HtmlElement>().ok()) {
        // Fails only for elements that cannot have it.
        let _ = found.focus();
    }
}

/// Brings the first that `selector` finds into sight, if less than half of its height can be seen.
pub(super) fn show(selector: &str) {
    let Some(found) = document().and_then(|document| document.query_selector(selector).ok().flatten()) else { return };
    let (around, height) = (found.get_bounding_client_rect(), view_size().height);
    let seen = around.bottom().min(height) - around.top().max(0.0);
    if seen < around.height() / 2.0 {
        found.scroll_into_view();
    }
}

/// Has a list show the one of its entries that `selector` finds, without moving the page.
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

/// Brings the element called `id` into sight, and the keyboard to its first heading or control.
pub(super) fn go_to(id: &str) {
    let Some(element) = document().and_then(|document| document.get_element_by_id(id)) else { return };
    element.scroll_into_view();
    let heading = element.query_selector("h2, h3, select, input").ok().flatten();
    if let Some(heading) = heading.and_then(|heading| heading.dyn_into::<HtmlElement>().ok()) {
        // Fails only for elements that cannot have the focus.
        let _ = heading.focus();
    }
}

/// Hands the person a text file.
pub(super) fn download(name: &str, mime: &str, content: &str) {
    download_bytes(name, mime, content.as_bytes());
}

/// Hands the person a file.
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

/// The bytes of a `data:` address in base 64.
pub(super) fn decode_data_url(url: &str) -> Option<Vec<u8>> {
    let (_, encoded) = url.split_once(";base64,")?;
    let binary = window()?.atob(encoded).ok()?;
    Some(binary.chars().map(|letter| letter as u8).collect())
}

/// Copies `text`; whether the browser lets that be.
pub(super) async fn copy(text: &str) -> bool {
    let Some(navigator) = window().map(|window| window.navigator()) else { return false };
    // Browsers give it to secure pages only.
    match js_sys::Reflect::get(&navigator, &"clipboard".into()) {
        Ok(clipboard) if !clipboard.is_undefined() => {
            JsFuture::from(navigator.clipboard().write_text(text)).await.is_ok()
        }
        _ => false,
    }
}

/// Asks for the width and height of an element, in CSS pixels before everything is enlarged, or it is made smaller as in a preview.
pub(super) fn size_of(element: &HtmlElement) -> Size {
    let rect = element.get_bounding_client_rect();
    let (whole, larger) = (f64::from(element.offset_width()), enlarged());
    // WebKit measures rectangles before that, others after it; whole pixels are those before in all.
    let is = |factor: f64| (rect.width() - whole * factor).abs() < factor.max(1.0);
    match () {
        () if is(1.0) => Size::new(rect.width(), rect.height()),
        () if is(larger) => Size::new(rect.width() / larger, rect.height() / larger),
        () => Size::new(whole, f64::from(element.offset_height())),
    }
}

/// A seed that nobody has chosen: short enough to read aloud.
pub(super) fn fresh_seed() -> u64 {
    getrandom::u64().unwrap_or_else(|_| mix(now().to_bits())) % 1_000_000
}

/// The number of hardware threads, at least one; browsers that do not tell it have one.
pub(super) fn threads() -> usize {
    let told = window().map(|window| window.navigator().hardware_concurrency());
    // A browser without this property gives NaN.
    told.filter(|threads| *threads >= 1.0).map_or(1, |threads| threads.min(32.0) as usize)
}

/// Listens to an event of the window for as long as the value lives.
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
        // Fails only for targets that cannot be listened to.
        let _ = target.add_event_listener_with_callback(kind, closure.as_ref().unchecked_ref());
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
    /// Keeps what is said of a panic for what is shown then: a function of `boot/guard.js`.
    #[wasm_bindgen(js_name = faultlabPanicked)]
    fn panicked(message: &str, text: &str, figure: u32);
}

thread_local! {
    /// The experiment that was drawn last, and the number of the figure that it was drawn in.
    static DRAWN: RefCell<(String, u32)> = RefCell::default();
}

/// Has panics reported, with the experiment that was drawn last.
pub(super) fn report_panics() {
    // Yew sets one of its own in the place of any other.
    yew::set_custom_panic_hook(Box::new(|info| {
        let (text, figure) = DRAWN.with_borrow(Clone::clone);
        panicked(&info.to_string(), &text, figure);
    }));
}

/// Notes that `text` is about to be drawn: by the figure of this number, or by the page, which is 0.
pub(super) fn drawing(text: &str, figure: u32) {
    DRAWN.set((text.to_owned(), figure));
    panic_for_test(text);
}
