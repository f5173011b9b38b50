//! Tests for every engine, of features that engines may implement differently: WebAssembly,
//! workers, the canvas, files, the dialog element. `cargo xtask test engines` runs them in Firefox
//! and WebKitGTK; Chromium runs them with all other tests.

use fantoccini::key::Key;
use serde_json::json;

use crate::browser::{Page, faultlab, is_thorough};
use crate::engine::BrowserEngine;
use crate::first_visit::COUNT_COLORS;
use crate::idle::KINDS;
use crate::measure::{RECORD_FILES, assert_pictures, exported, wait_for_sweep};

/// A small sweep of each kind.
const SWEEPS: [&str; 8] = [
    "v=2&net=cube:6&faults=nodes:0.3&route=sidetracking,global&vary=p:0.1,0.5&within=0.05",
    "v=2&switch=circuit&vary=rate:0.2,0.3&within=0.2",
    "v=2&net=mesh:6x6&switch=wormhole&break=2.2&vary=load:0.2,0.4&within=0.2",
    "v=2&net=cube:4&switch=wormhole&vary=load:0.1,0.2&within=0.2",
    "v=2&net=cube:5&switch=permutation&vary=n:4,5&within=0.05",
    "v=2&net=cube:5&switch=batch&vary=length:1,4&within=0.1",
    "v=2&net=tree:16&switch=delivery&vary=leaves:4,16&within=0.1",
    "v=2&net=cube:5&switch=pairs&faults=count:3&vary=f:1,3&within=0.05",
];

#[tokio::test]
async fn the_engine_is_the_one_that_was_asked_for() {
    let page = Page::open("").await;
    let mark = match BrowserEngine::from_env() {
        BrowserEngine::Chromium => "Chrome/",
        BrowserEngine::Firefox => "Firefox/",
        BrowserEngine::WebKit => "Version/",
    };
    let agent = page.run("return navigator.userAgent").await;
    assert!(agent.as_str().is_some_and(|agent| agent.contains(mark)), "{agent}");
    page.assert_no_log();
}

#[tokio::test]
async fn every_kind_is_drawn_and_plays() {
    let page = Page::blank().await;
    for kind in KINDS {
        // Without this, playback of the previous kind would go on, and the click would stop it.
        page.visit("v=2&view=papers").await;
        page.visit(kind).await;
        page.wait_until("a picture is painted", &format!("{COUNT_COLORS} > 8")).await;
        if page.run("return !!document.querySelector('.play')").await == json!(true) {
            page.wait_until("it can be played", "return !!document.querySelector('.play:not([aria-disabled])')").await;
            let before = page.text("output.time").await;
            page.click(".play").await;
            let moved = format!("return document.querySelector('output.time').textContent !== {}", json!(before));
            page.wait_until(&format!("time runs: {kind}"), &moved).await;
        }
    }
    page.assert_no_log();
}

#[tokio::test]
async fn every_kind_is_measured_to_the_bytes_of_the_command_line() {
    let page = Page::open("").await;
    // The golden results of every kind are compared in every engine. In others than Chromium, regular
    // runs measure single messages and worms.
    let is_short = BrowserEngine::from_env() != BrowserEngine::Chromium && !is_thorough();
    let sweeps = if is_short { [0, 2].map(|kind| SWEEPS[kind]).to_vec() } else { SWEEPS.to_vec() };
    for sweep in sweeps {
        page.visit(&format!("{sweep}&view=measure")).await;
        // An open page keeps the previous numbers for a moment, so reload it.
        page.reload().await;
        page.run(RECORD_FILES).await;
        wait_for_sweep(&page).await;
        let csv = exported(&page, "CSV", ".csv").await;
        assert_eq!(csv, faultlab(&["run", &page.link().await, "--csv", "--quiet"]), "{sweep}");
    }
    page.assert_no_log();
}

#[tokio::test]
async fn pictures_of_chart_and_network_are_exported() {
    let page = Page::open(&format!("{}&view=measure", SWEEPS[0])).await;
    page.run(RECORD_FILES).await;
    wait_for_sweep(&page).await;
    assert_pictures(&page, "", &page.link().await).await;
    page.visit("v=2&faults=nodes:0.3&sample=11").await;
    page.wait_until("the network is there", "return !!document.querySelector('canvas.network')").await;
    assert_pictures(&page, "network", "v=2&faults=nodes:0.3&sample=11").await;
    page.assert_no_log();
}

#[tokio::test]
async fn dialogs_restore_focus() {
    let page = Page::open("v=2&faults=nodes:0.3&sample=11").await;
    for dialog in ["Examples", "Share", "?"] {
        page.click_labelled(dialog).await;
        page.find("dialog[open]").await;
        page.key(Key::Escape.into()).await;
        page.wait_until("Escape closes it", "return !document.querySelector('dialog')").await;
        let back = page.run("return document.activeElement.textContent").await;
        assert_eq!(back, json!(dialog), "the focus returns to where it was");
    }
    page.click_labelled("Examples").await;
    page.click(".tile").await;
    page.wait_until("the choice closes it", "return !document.querySelector('dialog')").await;
    page.wait_until("there is a story", "return !!document.querySelector('.story')").await;
    page.assert_no_log();
}

/// A panic shows a message with a report, and a button opens the previous experiment.
#[tokio::test]
async fn panic_offers_report_and_previous_experiment() {
    let page = Page::open("v=2&net=cube:5").await;
    page.wait_until("a picture is painted", &format!("{COUNT_COLORS} > 8")).await;
    page.run("window.__faultlab_panic = 'cube:7'; location.hash = 'v=2&net=cube:7'").await;
    page.until_text("#app [role=alert]", "stopped because of an internal error").await;
    let report = page.run("return document.querySelector('#app textarea').value").await;
    let report = report.as_str().unwrap_or_default();
    for part in ["Faultlab 1.", "a test requested this panic\n", "Experiment: v=2&net=cube:7\n", "Browser: Mozilla/5.0"]
    {
        assert!(report.contains(part), "{part}: {report}");
    }
    page.click_labelled("Open the last experiment that was drawn").await;
    page.wait_until("the page is there", "return !!document.querySelector('main')").await;
    page.until_link("v=2&net=cube:5").await;
    page.wait_until("a picture is painted", &format!("{COUNT_COLORS} > 8")).await;
}

/// Presentation mode enlarges the picture by the same factor as its labels: sharp and undistorted.
#[tokio::test]
async fn presentation_mode_is_sharp() {
    let page = Page::open("v=2&faults=nodes:0.3&sample=11").await;
    page.wait_until("a picture is painted", &format!("{COUNT_COLORS} > 8")).await;
    page.run("document.querySelector('canvas.network').focus()").await;
    page.key('p').await;
    page.find(".page--present").await;
    // The enlarged canvas has 1.75 times its layout width in pixels, times the pixel ratio.
    let sharp = "const canvas = document.querySelector('canvas.network');
        return Math.abs(canvas.width - 1.75 * devicePixelRatio * canvas.offsetWidth) < 3";
    page.wait_until("it is as sharp as the screen", sharp).await;
    // One Escape ends the presentation, also with the focus in the picture.
    page.key(Key::Escape.into()).await;
    page.wait_until("it is small again", "return !document.querySelector('.page--present')").await;
    page.assert_no_log();
}
