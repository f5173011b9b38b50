//! Checks of captions about circuits (Chiu, Chalasani & Raghavendra). `chiu` checks the crossovers
//! in the 3-cube and the 5-cube.

use faultlab::experiment::crossover::{Crossover, crossover, gain, jams_at};
use faultlab::experiment::{Estimate, Status, Sweep, sampler};

use super::{assert_between, assert_compatible, mean, preset_sweep, preset_sweep_with};
use crate::common::experiment;

/// Preset "many-links": "one to twelve random one-way links .. more than twice as many pairs".
#[test]
fn many_links_cost_e_cube_more_than_twice_as_many_pairs() {
    let sweep = preset_sweep("many-links", "f:1,4,12", 0.001);
    for f in [1.0, 4.0, 12.0] {
        let [e, up, dp] = ["e-cube", "up", "dp"].map(|series| mean(&sweep, series, f, "cut-off"));
        assert!(e > 2.0 * up && e > 2.0 * dp, "{f}: {e} {up} {dp}");
    }
    let saved = |f| {
        let [up, either] = ["up", "up-or-dp"].map(|series| mean(&sweep, series, f, "cut-off"));
        1.0 - either / up
    };
    assert!(saved(1.0) > saved(4.0) && saved(4.0) > saved(12.0));
}

/// Preset "circuit-figure4": UP saturates at 0.6 in the 3-cube and has no mean.
#[test]
fn up_jams_in_the_3_cube_at_0_6() {
    let sweep = preset_sweep("circuit-figure4", "rate:0.4,0.6", 0.05);
    let [better, ecube] = ["up", "e-cube"].map(|series| mean(&sweep, series, 0.4, "setup"));
    assert!(better < ecube, "{better} {ecube}");
    let jammed = sweep.points().iter().find(|point| &*point.algorithm.id == "up" && point.x == Some(0.6));
    assert_eq!(jammed.map(|point| point.status), Some(Status::Unstable));
}

/// Preset "circuit-retry": at the rate 0.7, "any minimal path needs three attempts per message; if
/// messages hold their links, it deadlocks".
#[test]
fn retrying_needs_three_attempts_where_holding_deadlocks() {
    let sweep = preset_sweep_with("circuit-retry", "route=minimal&vary=rate:0.7&within=0.1&trials=200000");
    assert_between(mean(&sweep, "minimal", 0.7, "attempts"), 2.8, 3.2);
    let sweep = preset_sweep_with("circuit-retry", "route=minimal&setup=hold&vary=rate:0.7&within=0.1&trials=200000");
    assert_eq!(sweep.points()[0].status, Status::Deadlocked);
}

/// Preset "connectivity": "Below one half, most networks remain connected; above it, few do, and
/// fewer in larger cubes. At one half, mostly single nodes are cut off".
#[test]
fn cubes_fall_apart_around_one_half() {
    let shares = |n: u8| {
        let changes = format!("net=cube:{n}&route=global&vary=p:0.4,0.5,0.6&trials=300");
        let sweep = preset_sweep_with("connectivity", &changes);
        ["connected", "single-nodes"].map(|metric| [0.4, 0.5, 0.6].map(|p| mean(&sweep, "global", p, metric)))
    };
    let ([small, _], [large, single]) = (shares(5), shares(8));
    assert!(large[0] > 0.8 && large[2] < 0.3 && large[2] < small[2], "{small:?} {large:?}");
    assert!(single[1] > 0.9, "{single:?}");
}

fn saved(sweep: &Sweep, challenger: &str, rate: f64) -> Estimate {
    gain(sweep, challenger, "e-cube", rate).expect("a gain")
}

/// Preset "circuit-figure7": "saves a tenth of the setup time over most of the range, and becomes
/// slower than e-cube between the rates 0.5 and 0.55".
#[test]
#[ignore = "slow: run by `cargo xtask test --thorough`"]
fn hierarchy_of_figure_7_saves_a_tenth_until_rate_0_5() {
    let sweep = preset_sweep("circuit-figure7", "rate:0.1,0.3,0.4,0.5,0.55", 0.05);
    let saved = |rate| saved(&sweep, "2e+2f+3f", rate);
    for rate in [0.1, 0.3, 0.4] {
        assert_compatible(saved(rate), 0.05, 0.15);
    }
    assert!(saved(0.5).low > 0.0 && saved(0.55).high < 0.0, "{:?} {:?}", saved(0.5), saved(0.55));
}

/// Presets "circuit-figure5" ("steeply towards a rate of 0.5. .. the 3-cube about twice as high")
/// and "circuit-figure8" ("2e+2f+2f+3f becomes worse between 0.45 and 0.5; 4e+2f+3f
/// .. is still better at 0.475"). The threshold is ten mean transmission times, as in item
/// "chiu-fig5".
#[test]
#[ignore = "slow: run by `cargo xtask test --thorough`"]
fn the_9_cube_carries_half_of_what_the_3_cube_does_and_its_hierarchies_fall_behind() {
    // Version 2 would not settle a network of 512 nodes with so few messages.
    let short = "v=1&within=0.2&trials=500000";
    let nine = preset_sweep_with("circuit-figure8", &format!("route=e-cube,2e+2f+2f+3f&vary=rate:0.45,0.5&{short}"));
    let setup = |sweep: &Sweep, rate| super::estimate(sweep, "e-cube", rate, "setup");
    assert!(setup(&nine, 0.45).high < 10.0 && setup(&nine, 0.5).low > 10.0, "0.5 to a digit");
    let three = preset_sweep_with("circuit-figure5", "v=1&net=cube:3&vary=rate:0.9,1.05&within=0.2&trials=500000");
    assert!(setup(&three, 0.9).high < 10.0 && setup(&three, 1.05).low > 10.0, "0.9/0.5 to 1.05/0.45, about twice");
    let longer = |rate| saved(&nine, "2e+2f+2f+3f", rate);
    assert!(longer(0.45).low > 0.0 && longer(0.5).high < 0.0, "{:?} {:?}", longer(0.45), longer(0.5));
    let later = preset_sweep_with("circuit-figure8", &format!("route=e-cube,4e+2f+3f&vary=rate:0.475&{short}"));
    assert!(saved(&later, "4e+2f+3f", 0.475).low > 0.0);
}

/// Item "chiu-claims": "in the 4-cube and the 5-cube UP jams before it becomes worse". `chiu`
/// checks the 5-cube too.
#[test]
fn up_jams_in_the_4_cube_before_it_comes_to_be_worse() {
    let text = "net=cube:4&switch=circuit&route=e-cube,up&vary=rate:0.3,0.4,0.5&within=0.05";
    let sweep = crate::common::sweep(text);
    assert_eq!(crossover(&sweep, "up", "e-cube"), Some(Crossover::Collapse { from: 0.4, until: 0.5 }));
    assert!(!jams_at(&sweep, "e-cube", 0.5));
}

/// Item "chiu-fig6": "over long runs it is 11 to 12%; a single short run may show 17", the 17.44%
/// of the paper.
#[test]
fn a_short_run_may_show_17_percent() {
    let gains = (1..=200).map(|seed| {
        let text = format!("net=cube:5&switch=circuit&route=e-cube,2f+3f&rate=0.4&seed={seed}");
        let experiment = experiment(&text);
        let [ecube, ours] = [0, 1].map(|number: usize| {
            // The first run is short, about four thousand messages.
            let tally = sampler(&experiment, None, &experiment.routing[number]).run(0, 1);
            tally.circuits().expect("circuits").0[0].1.mean_setup().expect("messages")
        });
        1.0 - ours / ecube
    });
    let gains: Vec<f64> = gains.collect();
    let most = gains.iter().copied().fold(f64::MIN, f64::max);
    assert!(most > 0.1744, "{most}");
    assert_between(gains.iter().sum::<f64>() / 200.0, 0.105, 0.125);
}

/// Preset "circuit-figure6": "by 11 to 12% at 0.4; the paper prints 17.44%. UP on the whole cube
/// gains more at low load and saturates first."
#[test]
fn two_levels_save_11_to_12_percent_at_0_4() {
    let sweep = preset_sweep_with("circuit-figure6", "route=e-cube,2f+3f,up&vary=rate:0.1,0.4&within=0.02");
    assert_compatible(saved(&sweep, "2f+3f", 0.4), 0.105, 0.125);
    let low = |series| saved(&sweep, series, 0.1);
    assert!(low("up").low > low("2f+3f").high, "{:?} {:?}", low("up"), low("2f+3f"));
    let jammed = |series| jams_at(&sweep, series, 0.4);
    assert!(jammed("up") && !jammed("2f+3f") && !jammed("e-cube"));
}
