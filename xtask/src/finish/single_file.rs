//! Single-file edition: contains the program, workers, answers, rows and styles in compressed form, and
//! can be opened from a disk or sent by mail.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use flate2::Compression;
use flate2::write::GzEncoder;

use super::scripts::{BOOT, Files, check_no_placeholders, fill_placeholders};
use crate::wasm_program::CompiledProgram;

const PAGE: &str = include_str!("../../../src/web/boot/single.html");
const START: &str = include_str!("../../../src/web/boot/single.js");

/// Returns the text of the single-file edition of the page in `site`.
pub(super) fn render(site: &Path, files: &Files, worker: &CompiledProgram) -> Result<String> {
    let part = |name: &str| compress_file(site, name);
    let boot = fill_placeholders(BOOT, files).replace("location.protocol === 'file:'", "false");
    let parts = [
        ("%SHEET%", files.sheets.clone()),
        ("%BOOT%", boot),
        ("%GLUE%", part(&files.glue)?),
        ("%WASM%", part(&files.wasm)?),
        ("%WORKER_GLUE%", compress_base64(worker.glue.as_bytes())?),
        ("%WORKER_WASM%", compress_base64(&worker.wasm)?),
        ("%ANSWERS%", part(&files.answers)?),
        ("%ROWS%", part(&files.rows)?),
        ("%START%", fill_placeholders(START, files)),
    ];
    let page = parts.into_iter().fold(PAGE.to_owned(), |page, (place, text)| page.replace(place, &text));
    check_no_placeholders("faultlab.html", &page)?;
    Ok(page)
}

/// Compresses a file of the page and encodes it as text.
pub(super) fn compress_file(site: &Path, name: &str) -> Result<String> {
    compress_base64(&fs::read(site.join(name)).with_context(|| format!("reading {name}"))?)
}

/// Compresses bytes and encodes them as text.
pub(super) fn compress_base64(bytes: &[u8]) -> Result<String> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(STANDARD.encode(encoder.finish()?))
}
