//! Commands `cargo xtask bench` (the same kernels natively and in Chromium) and `cargo xtask
//! coverage` (coverage of the confidence intervals).

use anyhow::Result;

use crate::browser::TestBed;
use crate::engine::CHROMIUM;
use crate::{build, run};

/// Measures every kernel, or those whose name contains `name`; the test of the page reads it from
/// `FAULTLAB_BENCH`.
pub(crate) fn command(name: Option<&str>) -> Result<()> {
    let mut native = run::cargo("bench --package faultlab --bench *");
    if let Some(name) = name {
        native.args(["--", name]);
    }
    run::run(&mut native)?;
    build::build()?;
    let lab = TestBed::open(&CHROMIUM)?;
    let mut page = run::cargo("test --package faultlab --release --test page -- --nocapture --ignored bench::");
    page.env("FAULTLAB_BENCH", name.unwrap_or_default());
    run::run(lab.set_environment(&mut page))
}

/// Measures the coverage at all points, or at those that the arguments of the program
/// `examples/coverage` select.
pub(crate) fn coverage(points: &[&str]) -> Result<()> {
    let mut command = run::cargo("run --package faultlab --release --quiet --example coverage");
    run::run(command.arg("--").args(points))
}
