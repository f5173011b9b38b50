//! The edition in one file, with an experiment in it.

use super::escape::html;

/// Where the one file has the text that it opens with; between the two, nothing yet.
const PLACE: (&str, &str) = ("<meta name=\"faultlab-experiment\" content=\"", "\">");

/// The text of the page in one file, opening with `text`; `None` if `page` is none that waits for one.
pub fn with_experiment(page: &str, text: &str) -> Option<String> {
    let (before, after) = page.split_once(&format!("{}{}", PLACE.0, PLACE.1))?;
    Some([before, PLACE.0, &html(text), PLACE.1, after].concat())
}

/// The address of the file called `name` beside the page.
pub fn beside(page: &str, name: &str) -> String {
    let path = &page[..page.find('?').unwrap_or(page.len())];
    let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
    format!("{folder}{name}")
}
