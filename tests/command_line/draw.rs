//! Tests of the command `draw`, which renders figures as static SVG.

use std::fs;

use faultlab::experiment::presets::presets;

use crate::{faultlab, stdout_of};

#[test]
fn every_view_is_drawn() {
    for (text, options, says) in [
        ("net=cube:4", &[][..], "<title>A message leaves 0000 for 1111"),
        ("net=cube:4&ui.view=check", &[], "<title>Exact results: 4-cube"),
        ("net=cube:4&switch=circuit&time=3", &["--show", "network,chart"], ">now<"),
        (
            "net=cube:4&faults=nodes:0.2&vary=p:0.1,0.3&within=0.05",
            &["--view=measure", "--quiet"],
            "success probability",
        ),
    ] {
        let svg = stdout_of(&[&["draw", text][..], options].concat());
        assert!(svg.starts_with("<svg xmlns=") && svg.contains("width=\"614\" height=\"308\""), "{text}");
        assert!(svg.contains(says) && svg.contains("<desc>Faultlab "), "{text}: {svg}");
    }
}

#[test]
fn writes_svg_file_of_requested_size() {
    let path = std::env::temp_dir().join(format!("faultlab-still-{}.svg", std::process::id()));
    let name = path.to_string_lossy();
    assert_eq!(stdout_of(&["draw", "net=cube:3", "--size", "480x320", "--svg", &name]), "");
    let svg = fs::read_to_string(&path).expect("a picture");
    fs::remove_file(&path).expect("it can be removed");
    assert!(svg.contains("width=\"454\" height=\"208\""), "{svg}");
}

#[test]
fn draws_chart_from_journal_without_measuring() {
    let path = std::env::temp_dir().join(format!("faultlab-chart-{}.journal", std::process::id()));
    let journal = format!("--journal={}", path.display());
    let draw = |options: &[&str]| {
        let text = "net=cube:4&faults=nodes:0.2&vary=p:0.1,0.3&within=0.05";
        let output = faultlab(&[&["draw", text, "--view=measure", "--quiet"][..], options].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        output.stdout
    };
    let first = draw(&[&journal]);
    let kept = fs::read(&path).expect("a journal");
    let again = draw(&[&journal]);
    let smaller = draw(&[&journal, "--size=480x320"]);
    let after = fs::read(&path).expect("a journal");
    fs::remove_file(&path).expect("it can be removed");
    assert_eq!(first, draw(&[]));
    assert_eq!(first, again);
    assert_eq!(smaller, draw(&["--size=480x320"]));
    // Every measurement is appended to the journal, so an unchanged journal means that none was
    // made.
    assert_eq!(kept, after);
}

/// The options of a picture have the names and the meaning that they have on the page.
#[test]
fn charts_for_papers_have_caption_width_and_ground() {
    let text = "net=cube:4&faults=nodes:0.2&vary=p:0.1,0.3&within=0.05";
    let draw = |options: &[&str]| stdout_of(&[&["draw", text, "--view=measure", "--quiet"][..], options].concat());
    let column = draw(&["--width", "one-column"]);
    assert_eq!(column, stdout_of(&["run", text, "--quiet", "--svg", "-"]), "the form in which run draws a chart");
    assert!(column.contains("width=\"85.00mm\"") && column.contains("<rect width=\"100%\""), "{column}");
    let wide = draw(&["--caption=no", "--width=two-columns", "--ground=transparent"]);
    assert!(wide.contains("width=\"175.00mm\"") && !wide.contains("<rect width=\"100%\""), "{wide}");
    let has_source = |svg: &str| svg.split("</desc>").nth(1).is_some_and(|shapes| shapes.contains("net=cube:4"));
    let sourced = draw(&["--caption=source"]);
    assert!(has_source(&sourced) && !has_source(&column) && !has_source(&wide), "{sourced}");
}

#[test]
fn rejects_invalid_options() {
    for (arguments, says) in [
        (["net=cube:4", "--size", "10x10"], "from 240x160 to 1600x1200"),
        (["net=cube:4", "--view", "sky"], "--view sky; accepted: watch, measure or check"),
        (["net=cube:4", "--show", "moon"], "--show moon; accepted: some of network, chart"),
        (["net=cube:4", "--journal", "never.journal"], "accepted with --view measure"),
        (["net=cube:4", "--ground", "white"], "only charts have these options; accepted with --view measure"),
        (["net=cube:4", "--width", "90mm"], "one-column, two-columns"),
    ] {
        let output = faultlab(&[&["draw"][..], &arguments[..]].concat());
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && error.lines().count() == 1 && error.contains(says), "{error}");
    }
}

/// `index.html` shows the first example before the program has loaded. Its picture and texts must
/// equal those of the program.
#[test]
fn the_start_page_shows_the_first_example() {
    let page = fs::read_to_string("index.html").expect("index.html");
    let first = presets().first().expect("presets");
    let picture = stdout_of(&["draw", &format!("preset:{}", first.id), "--size", "760x660", "--quiet"]);
    let (_, title) = picture.split_once("<title>").expect("a picture with a title");
    let heading = title.split_once("</title>").expect("a title").0;
    for text in [&first.title, &first.sentence, heading] {
        assert!(page.contains(&format!(">{text}<")), "index.html lacks: {text}");
    }
    let kept = fs::read_to_string("docs/first-example.svg").expect("docs/first-example.svg");
    let command = format!("faultlab draw preset:{} --size 760x660 --svg docs/first-example.svg", first.id);
    assert!(kept == picture, "docs/first-example.svg is not what is drawn now; draw it again: {command}");
}
