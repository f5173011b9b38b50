//! Single-file edition of the page with an embedded experiment.

use super::escape::html;

/// Start and end of the tag in the single file that holds the initial experiment; empty in between
/// at first.
const PLACE: (&str, &str) = ("<meta name=\"faultlab-experiment\" content=\"", "\">");

/// Returns the single-file page that opens with `text`; `None` if `page` lacks the empty tag.
pub fn with_experiment(page: &str, text: &str) -> Option<String> {
    let (before, after) = page.split_once(&format!("{}{}", PLACE.0, PLACE.1))?;
    Some([before, PLACE.0, &html(text), PLACE.1, after].concat())
}

/// Returns the address of the file called `name` in the folder of the page.
pub fn beside(page: &str, name: &str) -> String {
    let path = &page[..page.find('?').unwrap_or(page.len())];
    let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
    format!("{folder}{name}")
}
