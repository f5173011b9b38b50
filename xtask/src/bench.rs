//! `cargo xtask bench`: the same kernels natively and in Chromium; `cargo xtask coverage`: how often intervals cover the truth.

use anyhow::Result;

use crate::browser::Lab;
use crate::engine::CHROMIUM;
use crate::{build, run};

/// Measures every kernel, or those whose name contains `name`; the page's test reads it from `FAULTLAB_BENCH`.
pub(crate) fn command(name: Option<&str>) -> Result<()> {
    let mut native = run::cargo("bench --package faultlab --bench *");
    if let Some(name) = name {
        native.args(["--", name]);
    }
    run::run(&mut native)?;
    build::build()?;
    let lab = Lab::open(&CHROMIUM)?;
    let mut page = run::cargo("test --package faultlab --release --test page -- --nocapture --ignored bench::");
    page.env("FAULTLAB_BENCH", name.unwrap_or_default());
    run::run(lab.equip(&mut page))
}

/// Measures the coverage at every point, or at those that the arguments of the program `examples/coverage` choose.
pub(crate) fn coverage(points: &[&str]) -> Result<()> {
    let mut command = run::cargo("run --package faultlab --release --quiet --example coverage");
    run::run(command.arg("--").args(points))
}
