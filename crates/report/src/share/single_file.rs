//! Single-file edition of the page with an embedded experiment.

use super::escape::html;

/// Start and end of the tag in the single file that holds the initial experiment; its content is
/// empty in the published page.
const EXPERIMENT_TAG: (&str, &str) = ("<meta name=\"faultlab-experiment\" content=\"", "\">");

/// Returns the single-file page that opens with `text`; `None` if `page` lacks the empty tag.
pub fn with_experiment(page: &str, text: &str) -> Option<String> {
    let (before, after) = page.split_once(&format!("{}{}", EXPERIMENT_TAG.0, EXPERIMENT_TAG.1))?;
    Some([before, EXPERIMENT_TAG.0, &html(text), EXPERIMENT_TAG.1, after].concat())
}

/// Returns the address of the file called `name` in the folder of the page.
pub fn sibling_url(page: &str, name: &str) -> String {
    let path = &page[..page.find('?').unwrap_or(page.len())];
    let folder = path.rfind('/').map_or("", |slash| &path[..=slash]);
    format!("{folder}{name}")
}
