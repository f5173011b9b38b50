//! Commands `cargo xtask bench` (the same kernels natively and in Chromium) and `cargo xtask
//! coverage` (coverage of the confidence intervals).

use anyhow::Result;

use crate::browser::TestBed;
use crate::browser_engine::CHROMIUM;
use crate::{build, run};

/// Measures every kernel, or the kernels whose names contain `name`. The page test reads the name
/// from `FAULTLAB_BENCH`.
pub(crate) fn command(name: Option<&str>) -> Result<()> {
    let mut native = run::cargo("bench --package faultlab --bench *");
    if let Some(name) = name {
        native.args(["--", name]);
    }
    run::run(&mut native)?;
    build::build()?;
    let lab = TestBed::open(&CHROMIUM)?;
    let mut page =
        run::cargo("test --package faultlab-page-tests --release --test page -- --nocapture --ignored benchmark::");
    page.env("FAULTLAB_BENCH", name.unwrap_or_default());
    run::run(lab.set_environment(&mut page))
}

/// Measures the coverage at all points, or at the points that the arguments of the program
/// `examples/coverage` select.
pub(crate) fn coverage(points: &[&str]) -> Result<()> {
    let mut command = run::cargo("run --package faultlab --release --quiet --example coverage");
    run::run(command.arg("--").args(points))
}
