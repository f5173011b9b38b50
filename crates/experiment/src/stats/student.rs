//! Quantiles of the normal and of Student's distribution, by arithmetic that gives identical bits
//! on every target.

/// The 97.5% quantile of the standard normal distribution: half the width of its central 95%.
pub const NORMAL_95: f64 = 1.959_963_984_540_054;

/// The 97.5% quantiles of Student's t distribution with 1 to 12 degrees of freedom.
///
/// The tests compare them with a library, whose own functions do not give identical bits on every
/// target.
const T: [f64; 12] = [
    12.706_204_736_174_7,
    4.302_652_729_749_46,
    3.182_446_305_283_71,
    2.776_445_105_197_79,
    2.570_581_835_636_31,
    2.446_911_851_144_97,
    2.364_624_251_592_78,
    2.306_004_135_204_17,
    2.262_157_162_798_2,
    2.228_138_851_986_27,
    2.200_985_160_091_64,
    2.178_812_829_667_23,
];

/// Returns the 97.5% quantile of Student's t distribution, beyond the table by the Cornish-Fisher
/// expansion, whose error is then below 10^-5.
pub(crate) fn student_t(degrees: u64) -> f64 {
    match degrees {
        0 => f64::INFINITY,
        1..=12 => T[degrees as usize - 1],
        _ => {
            let v = degrees as f64;
            let z2 = NORMAL_95 * NORMAL_95;
            let g1 = (z2 + 1.0) / 4.0;
            let g2 = ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
            let g3 = (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
            let g4 = ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92160.0;
            NORMAL_95 * (1.0 + (g1 + (g2 + (g3 + g4 / v) / v) / v) / v)
        }
    }
}

/// Returns the probability that the mean of independent normal values with mean 0 exceeds the mean
/// of `values`.
///
/// The mean is measured in units of the observed standard deviation. `None` for fewer than two
/// values, or if all are 0. For equal values other than 0, the probability is 0 or 1.
pub(super) fn mean_test_p_value(values: &[f64]) -> Option<f64> {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let squares: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    if values.len() < 2 || values.iter().all(|&value| value == 0.0) {
        return None;
    }
    if squares <= mean * mean * n * 1e-24 {
        return Some(if mean > 0.0 { 0.0 } else { 1.0 });
    }
    Some(upper_tail(mean / (squares / (n * (n - 1.0))).sqrt(), values.len() as u64 - 1))
}

/// Returns the probability that Student's t with `degrees` degrees of freedom, at least 1, exceeds
/// `t`.
///
/// The calculation uses the finite series of M. Abramowitz and I. A. Stegun, "Handbook of
/// Mathematical Functions", 26.7.3 and 26.7.4. Cost: proportional to `degrees`.
fn upper_tail(t: f64, degrees: u64) -> f64 {
    let angle = libm::atan(t / (degrees as f64).sqrt());
    let (sine, cosine) = (libm::sin(angle), libm::cos(angle));
    let is_odd = degrees % 2 == 1;
    // The first term is the cosine to the power 1 or 0; each further term has two more powers.
    let (mut term, mut sum) = (if is_odd { cosine } else { 1.0 }, 0.0);
    let mut power = if is_odd { 1 } else { 0 };
    while power + 2 <= degrees {
        sum += term;
        power += 2;
        let next = power as f64;
        term *= cosine * cosine * (next - 1.0) / next;
    }
    let inside = if is_odd { std::f64::consts::FRAC_2_PI * (angle + sine * sum) } else { sine * sum };
    (1.0 - inside) / 2.0
}

/// Returns the upper bound of the probability of an event that has not occurred in `n` trials.
///
/// The bound is that of Wilson's interval with Student's quantile; 1 for one trial.
pub(super) fn rare_event_bound(n: u64) -> f64 {
    let t = student_t(n.saturating_sub(1));
    if t.is_finite() { t * t / (n as f64 + t * t) } else { 1.0 }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn quantiles_match_statrs() {
        use statrs::distribution::{ContinuousCDF, StudentsT};
        for degrees in (1..60).chain([100, 1000, 100_000]) {
            let exact = StudentsT::new(0.0, 1.0, degrees as f64).unwrap().inverse_cdf(0.975);
            assert!((student_t(degrees) - exact).abs() < 1e-5, "{degrees}: {} {exact}", student_t(degrees));
        }
    }

    #[test]
    fn tail_probabilities_match_statrs() {
        use statrs::distribution::{ContinuousCDF, StudentsT};
        for degrees in (1..40).chain([999, 1000]) {
            let library = StudentsT::new(0.0, 1.0, degrees as f64).unwrap();
            for t in [-4.0, -1.0, 0.0, 0.3, 2.0, 5.0] {
                let exact = 1.0 - library.cdf(t);
                assert!(
                    (upper_tail(t, degrees) - exact).abs() < 1e-9,
                    "{degrees} {t}: {} {exact}",
                    upper_tail(t, degrees)
                );
            }
        }
    }
}
