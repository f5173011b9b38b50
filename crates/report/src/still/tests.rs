//! Tests of stills of all kinds and views.

use super::*;
use crate::kinds::proved;
use faultlab_experiment::{Version, run};

fn watched_still(text: &str, options: &str, size: Size) -> Still {
    let (ui, wrong) = FigureOptions::from_text(options);
    assert!(wrong.is_empty(), "{wrong:?}");
    watch_still(&text.parse().unwrap(), &ui, size).unwrap()
}

/// Checks the document. Its numbers may be large or negative, but not NaN.
fn check(still: &Still) {
    let Still { alt_text: words, svg } = still;
    assert!(svg.starts_with("<svg xmlns=") && svg.ends_with("</svg>\n") && !svg.contains("NaN"), "{words}");
    assert!(svg.contains("<title>") && svg.contains("<desc>Faultlab ") && words.len() > 10, "{words}");
    assert!(svg.contains("@media(prefers-color-scheme:dark)") && svg.contains("[fill=\"#fbfaf6\"]{fill:#14171b}"));
    assert!(!svg.contains("<script") && !svg.contains("href") && !svg.contains("url("), "{words}");
    assert_eq!(svg.matches("<svg").count(), svg.matches("</svg>").count(), "{words}");
}

#[test]
fn every_kind_has_a_still() {
    for kind in faultlab_experiment::KINDS {
        let experiment = kind.behavior.default_experiment(Version::LATEST, None);
        for size in [Size::new(640.0, 420.0), Size::new(360.0, 300.0)] {
            let still = watch_still(&experiment, &FigureOptions::default(), size);
            check(&still.unwrap_or_else(|| panic!("{}", kind.id)));
        }
    }
}

#[test]
fn colours_match_the_page_in_light_and_dark() {
    let still = watched_still("faults=nodes:0.3&sample=11&time=4", "", Size::new(640.0, 420.0));
    check(&still);
    assert!(still.svg.contains("width=\"614\" height=\"308\""), "{}", &still.svg[..200]);
    assert!(still.svg.contains("#c2410c") && still.svg.contains("[fill=\"#c2410c\"]{fill:#ff7a45}"), "faults");
    assert!(!still.svg.contains("#c8430b"), "nothing is as on white paper");
}

#[test]
fn narrow_figures_show_only_the_first_picture() {
    let text = "net=cube:3&switch=circuit&route=e-cube,minimal&time=24";
    let (wide, narrow) =
        (watched_still(text, "", Size::new(700.0, 420.0)), watched_still(text, "", Size::new(360.0, 420.0)));
    check(&wide);
    check(&narrow);
    assert!(wide.svg.contains(">e-cube</text>") && wide.svg.contains(">any minimal path</text>"));
    assert!(narrow.svg.contains(">e-cube</text>") && !narrow.svg.contains(">any minimal path</text>"));
    check(&watched_still(text, "ui.show=network,chart", Size::new(240.0, 160.0)));
    let charted = watched_still(text, "ui.show=network,chart", Size::new(700.0, 420.0));
    check(&charted);
    assert!(charted.svg.len() > wide.svg.len() + 1000, "a chart below");
}

#[test]
fn of_scene_adds_notes_and_dark_colours() {
    let experiment = "faults=nodes:0.3&sample=11".parse().unwrap();
    let watch = new_watch(&experiment).unwrap();
    let svg = of_scene(&watch.draw(0, Size::new(500.0, 300.0), &ViewState::default()).unwrap(), &watch.notes());
    assert!(svg.contains("</desc><style>") && svg.contains("[fill=\"#c2410c\"]{fill:#ff7a45}"), "{}", &svg[..400]);
}

#[test]
fn charts_and_checks_have_stills() {
    let mut sweep =
        Sweep::new(&"net=cube:5&faults=nodes:0.3&vary=p:0.1,0.5&within=0.05&plot=success,length".parse().unwrap());
    run(&mut sweep);
    check(&sweep_still(&sweep, Size::new(240.0, 160.0)));
    let still = sweep_still(&sweep, Size::new(640.0, 420.0));
    check(&still);
    assert!(still.alt_text.contains(" against "), "{}", still.alt_text);
    for text in ["net=cube:3&switch=pairs&route=minimal,up", "net=mesh:8x8&switch=wormhole&break=3.3&route=f-cube2"] {
        let experiment = text.parse().unwrap();
        let found = proved(&experiment, false).unwrap();
        for size in [Size::new(746.0, 420.0), Size::new(354.0, 420.0)] {
            let still = check_still(&experiment, &*found, size);
            check(&still);
            assert!(still.svg.contains("</text>"), "{text}");
        }
    }
}
