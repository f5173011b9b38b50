//! Tests that draw every network with every fault model: Watch in every view, and stills of Watch
//! and Check.

use std::time::Instant;

use faultlab::experiment::figure_options::FigureOptions;
use faultlab::experiment::{Experiment, KINDS};
use faultlab::report::kinds::{new_watch, proved};
use faultlab::report::picture::geometry::{Point, Size};
use faultlab::report::picture::palette::light_css;
use faultlab::report::picture::projection::MeshView;
use faultlab::report::picture::viewport::Viewport;
use faultlab::report::still;
use faultlab::report::watch::{ViewState, Watch, element_at, visible_picture};
use faultlab::topology::{Network, NodeId};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;

use crate::random_texts::{kind_pairs, worm_pairs};
use crate::{is_thorough, output_formats, runner, seconds};

/// Networks of every family and number of dimensions, small enough to be drawn often.
const NETWORKS: [&str; 33] = [
    "cube:1",
    "cube:2",
    "cube:3",
    "cube:4",
    "cube:5",
    "cube:7",
    "mesh:2",
    "mesh:3",
    "mesh:4",
    "mesh:9",
    "mesh:1x5",
    "mesh:5x1",
    "mesh:2x2",
    "mesh:3x3",
    "mesh:6x4",
    "mesh:3x4x3",
    "mesh:2x3x2x3",
    "mesh:2x2x3x2x2",
    "torus:2",
    "torus:3",
    "torus:6",
    "torus:2x2",
    "torus:3x3",
    "torus:2x5",
    "torus:8x8",
    "torus:3x3x4",
    "torus:3x2x3x3",
    "torus:3x2x2x3x2",
    "tree:2",
    "tree:8",
    "tree:32",
    "tree2:16",
    "tree2-3d:8",
];

/// Fault models of all networks; unsupported combinations are skipped.
const FAULTS: [&str; 13] = [
    "none",
    "nodes:0.1",
    "nodes:0.3",
    "nodes:0.6",
    "count:1",
    "count:3",
    "links:0.1",
    "links:0.4",
    "link-count:2",
    "isolated:0.1",
    "isolated:1+1",
    "wires:0.3",
    "ball:1",
];

/// Seed of the fault models; random texts have their own seeds.
const SEED: u64 = 3;

/// Picture sizes in pixels: tiny, figure, wide window.
const SIZES: [Size; 3] = [Size::new(150.0, 90.0), Size::new(614.0, 308.0), Size::new(1500.0, 900.0)];

/// Returns the view options to draw a network with.
fn view_options(network: Network) -> Vec<ViewState> {
    let plain = ViewState::default();
    let last = network.last_node().0;
    let solid = MeshView::Projected { yaw: 0.7, pitch: -0.4 };
    vec![
        plain,
        ViewState { focus: Some((0, 0)), heat: true, ..plain },
        ViewState { focus: Some((0, last)), positions: true, view: MeshView::SOLID, ..plain },
        ViewState {
            viewport: Viewport::WHOLE.zoomed(4.0, 8.0, Point::new(100.0, 40.0), SIZES[0]),
            positions: true,
            construction_step: Some(0),
            ..plain
        },
        ViewState {
            view: solid,
            construction_step: Some(1),
            playing: true,
            step_fraction: 0.5,
            explained: Some(0),
            ..plain
        },
    ]
}

/// Draws all panels of `watch` in all views and checks that the SVG parses. Checks the texts of
/// `watch` too. Returns the number of pictures.
fn draw(watch: &dyn Watch, looks: &[ViewState]) -> usize {
    let mut drawn = 0;
    for (shown, size) in looks.iter().zip(SIZES.iter().cycle()) {
        for panel in 0..watch.panels() {
            if let Some(scene) = visible_picture(watch, panel, *size, shown) {
                output_formats::svg(&scene.svg(light_css, &watch.notes()), &watch.experiment().to_string());
                drawn += 1;
            }
            let middle = Point::new(size.width / 2.0, size.height / 2.0);
            for point in [Point::ORIGIN, middle, Point::new(size.width - 20.0, 20.0)] {
                let place = element_at(watch, *size, point, true, shown);
                watch.neighbor(*size, place, (1, 0));
            }
        }
        let said = [
            watch.title(shown),
            watch.subtitle(shown).to_string(),
            watch.text_alternative(shown),
            watch.time_text().to_string(),
        ];
        assert!(!said[0].is_empty() && said.iter().all(|text| !text.contains("NaN")), "{said:?}");
    }
    drawn
}

/// Draws `experiment` in Watch at its start, in the middle and at its end. Returns the number of
/// pictures.
fn watch(experiment: &Experiment) -> usize {
    let Some(mut watch) = new_watch(experiment) else { return 0 };
    let looks = view_options(experiment.network);
    let mut shown = looks[0];
    let start = watch.begin(None, &mut shown);
    let mut drawn = 0;
    for time in [0.0, start, start + 40.0] {
        for _ in 0..20 {
            watch.work();
        }
        watch.seek(time.min(watch.end()));
        while !watch.is_ready() {
            watch.work();
        }
        watch.follow(&shown);
        drawn += draw(&*watch, &looks);
    }
    drawn
}

/// Draws all views of `experiment` and returns the number of pictures.
pub(crate) fn draw_all_views(experiment: &Experiment) -> usize {
    let mut drawn = watch(experiment);
    let of = experiment.to_string();
    for size in [Size::new(240.0, 160.0), Size::new(640.0, 420.0)] {
        if let Some(still) = still::watch_still(experiment, &FigureOptions::default(), size) {
            output_formats::svg(&still.svg, &of);
            drawn += 1;
        }
        if let Ok(found) = proved(experiment, false) {
            output_formats::svg(&still::check_still(experiment, &*found, size).svg, &of);
            drawn += 1;
        }
    }
    drawn
}

/// Returns manual fault lists: single nodes, links and wires, and adjacent ones.
fn manual_faults(network: Network) -> Vec<String> {
    let node = |number: u64| network.format_node(NodeId(number.min(network.last_node().0)));
    let last = network.last_node().0;
    match network.leaves() {
        Some(leaves) if leaves.is_second() => vec!["u0.1.0".to_owned(), "d0.0.0,u1.0.1".to_owned()],
        Some(_) => vec!["u0.1".to_owned(), "d0.0,u1.1".to_owned()],
        None => vec![
            node(0),
            node(last / 2),
            format!("{},{}", node(last), node(last / 2 + 1)),
            format!("{}-{}", node(0), node(1)),
            format!("{}-{},{}", node(0), node(1), node(last)),
        ],
    }
}

/// Draws `net` as every kind of experiment that accepts `keys`. Returns the number of pictures.
fn every_kind(net: &str, keys: &str) -> usize {
    let network = Network::parse(net).expect(net);
    let texts = KINDS
        .iter()
        .filter(|kind| kind.behavior.fits(network))
        .map(|kind| format!("net={net}&switch={}&{keys}", kind.id));
    texts.filter_map(|text| text.parse().ok()).map(|experiment| draw_all_views(&experiment)).sum()
}

/// A thorough run draws every network with every fault model. Other runs draw a sixth of the pairs:
/// each network with every sixth fault model, and each fault model with every sixth network.
#[test]
fn every_network_is_drawn_with_faults_of_every_sort() {
    for (number, net) in NETWORKS.into_iter().enumerate() {
        let mut drawn = 0;
        let chosen = FAULTS.iter().enumerate().filter(|(index, _)| is_thorough() || (index + number) % 6 == 0);
        for (_, faults) in chosen {
            drawn += every_kind(net, &format!("faults={faults}&seed={SEED}"));
        }
        for broken in manual_faults(Network::parse(net).expect(net)) {
            drawn += every_kind(net, &format!("faults=none&break={broken}"));
        }
        assert!(drawn > 20, "{net}: {drawn} pictures");
    }
}

/// Numbers of random texts in regular and thorough runs; `cargo xtask fuzz` runs for a fixed time
/// instead.
const TEXTS: [u32; 2] = [75, 150];
/// Node limit of random networks; pictures of larger ones take too long.
const MOST_NODES: u64 = 300;

#[test]
fn random_texts_are_drawn() {
    let seconds = seconds();
    let mut runner = runner();
    let strategy = prop_oneof![4 => kind_pairs(), 1 => worm_pairs()];
    let (mut texts, mut drawn, begun) = (0, 0, Instant::now());
    while seconds.map_or(texts < TEXTS[usize::from(is_thorough())], |seconds| begun.elapsed() < seconds) {
        let text = strategy.new_tree(&mut runner).expect("a text").current().join("&");
        let Ok(experiment) = text.parse::<Experiment>() else { continue };
        if experiment.network.last_node().0 < MOST_NODES {
            texts += 1;
            drawn += draw_all_views(&experiment);
        }
    }
    println!("{texts} texts, {drawn} pictures");
    assert!(drawn > texts as usize, "of {texts} texts only {drawn} pictures");
}
