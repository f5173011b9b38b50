//! Script of figures in one file: contains the element, the program, its workers and styles, for
//! notebooks and for pages without a server.

use std::path::Path;

use anyhow::Result;

use super::scripts::{ELEMENT, Files, PACKED, check_no_placeholders, fill_placeholders};
use super::single_file::{compress_base64, compress_file};
use crate::wasm_program::CompiledProgram;

/// Style that hides the link into the page, which this edition lacks.
const NO_LINK: &str = ".figure__foot a { display: none !important; }";

/// Returns the text of the script. It is a classic script, which pages may contain, and which
/// browsers also load from a disk.
pub(super) fn render(site: &Path, files: &Files, worker: &CompiledProgram) -> Result<String> {
    let program = PACKED
        .replace("%GLUE%", &compress_file(site, &files.glue)?)
        .replace("%WASM%", &compress_file(site, &files.wasm)?)
        .replace("%WORKER_GLUE%", &compress_base64(worker.glue.as_bytes())?)
        .replace("%WORKER_WASM%", &compress_base64(&worker.wasm)?);
    let element = ELEMENT.replace("%PROGRAM%", &program).replace("%SHEET%", &format!("%SHEET% + '{NO_LINK}'"));
    let script = fill_placeholders(&element, files).replace("location.protocol === 'file:'", "false");
    check_no_placeholders("faultlab-figures.js", &script)?;
    Ok(format!("(() => {{\n{script}}})();\n"))
}
