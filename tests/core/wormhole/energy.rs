//! Tests of the energy of messages against its linear model.

use faultlab::experiment::{Estimate, Experiment};

use crate::common::measure;

fn estimate(text: &str, metric: &str) -> Estimate {
    let point = measure(text).remove(0);
    point.estimate(point.config.setting.kind().metric(metric).expect("a metric")).expect("an estimate")
}

/// A message of 20 flits over 14 hops passes 15 routers, and is written and transferred 14 times.
#[test]
fn a_single_message_takes_the_energy_of_its_path() {
    let text = "v=2&net=mesh:8x8&switch=wormhole&traffic=0.0-7.7&route=e-cube";
    assert_eq!(estimate(text, "energy").mean, 20.0 * (15.0 + 14.0 + 14.0));
    let [router, write, link] = [0.5, 1.25, 2.0];
    let found = estimate(&format!("{text}&energy={router},{write},{link}"), "energy");
    assert_eq!(found.mean, 20.0 * (15.0 * router + 14.0 * (write + link)));
}

/// Under uniform traffic on a k x k mesh the mean distance is 2 (k^2 - 1) / (3 k) N / (N - 1).
#[test]
fn mean_energy_is_that_of_the_mean_distance() {
    let text = "v=2&net=mesh:6x6&switch=wormhole&faults=none&route=e-cube&load=0.2&length=5&within=0.02&energy=1,2,3";
    let hops = 2.0 * 35.0 / 18.0 * 36.0 / 35.0;
    let (found, wanted) = (estimate(text, "energy"), 5.0 * (hops + 1.0 + 5.0 * hops));
    assert!((found.mean - wanted).abs() <= 1.5 * found.half_width(), "{found:?}, not {wanted}");
    assert!(found.half_width() < 0.02 * wanted, "{found:?}");
}

#[test]
fn coefficients_are_three_numbers() {
    for value in ["1,2", "1,2,3,4", "1,-2,3", "a,2,3", "1,2,inf"] {
        let error = format!("net=mesh:4x4&switch=wormhole&energy={value}").parse::<Experiment>().expect_err(value);
        assert!(error.to_string().contains("ROUTER,WRITE,LINK"), "{error}");
    }
}
