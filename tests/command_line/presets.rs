//! Tests of the command `presets`.

use crate::{json, keys, stdout_of};

/// Every format lists the same number of presets, each with an experiment.
#[test]
fn presets_as_json_and_csv() {
    let presets = json(&["presets", "--json"]);
    let presets = presets.as_array().expect("a list");
    let named = stdout_of(&["presets"]).lines().filter(|line| line.starts_with("preset:")).count();
    assert_eq!(presets.len(), named);
    for preset in presets {
        assert_eq!(keys(preset), ["experiment", "id", "question", "sentence", "title"]);
        let text = preset["experiment"].as_str().expect("a text");
        assert!(text.starts_with("v=2&"), "{text}");
    }
    let csv = stdout_of(&["presets", "--csv"]);
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some(concat!("# faultlab ", env!("CARGO_PKG_VERSION"))));
    assert_eq!(lines.next(), Some("id,title,sentence,question,experiment"));
    let ids: Vec<_> = lines.filter_map(|line| line.split(',').next()).collect();
    let same: Vec<_> = presets.iter().filter_map(|preset| preset["id"].as_str()).collect();
    assert_eq!(ids, same);
}
