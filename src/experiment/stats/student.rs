//! Quantiles of the normal and of Student's distribution, by arithmetic that is the same on every target.

/// The 97.5% quantile of the normal distribution.
pub(crate) const Z: f64 = 1.959_963_984_540_054;

/// The 97.5% quantiles of Student's t distribution with 1 to 12 degrees of freedom; the tests compare them with a
/// library, whose own functions are not the same bits on every target.
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

/// The 97.5% quantile of Student's t distribution; beyond the table by the Cornish-Fisher expansion, whose error is
/// below 10^-5 there.
pub(crate) fn student_t(degrees: u64) -> f64 {
    match degrees {
        0 => f64::INFINITY,
        1..=12 => T[degrees as usize - 1],
        _ => {
            let v = degrees as f64;
            let z2 = Z * Z;
            let g1 = (z2 + 1.0) / 4.0;
            let g2 = ((5.0 * z2 + 16.0) * z2 + 3.0) / 96.0;
            let g3 = (((3.0 * z2 + 19.0) * z2 + 17.0) * z2 - 15.0) / 384.0;
            let g4 = ((((79.0 * z2 + 776.0) * z2 + 1482.0) * z2 - 1920.0) * z2 - 945.0) / 92160.0;
            Z * (1.0 + (g1 + (g2 + (g3 + g4 / v) / v) / v) / v)
        }
    }
}

/// The greatest probability of what has not occurred in `n` trials, by Wilson's interval with Student's quantile; 1 for one trial.
pub(super) fn never(n: u64) -> f64 {
    let t = student_t(n.saturating_sub(1));
    if t.is_finite() { t * t / (n as f64 + t * t) } else { 1.0 }
}

#[cfg(all(test, not(target_arch = "wasm32")))]
mod tests {
    use super::*;

    #[test]
    fn student_t_is_the_librarys() {
        use statrs::distribution::{ContinuousCDF, StudentsT};
        for degrees in (1..60).chain([100, 1000, 100_000]) {
            let exact = StudentsT::new(0.0, 1.0, degrees as f64).unwrap().inverse_cdf(0.975);
            assert!((student_t(degrees) - exact).abs() < 1e-5, "{degrees}: {} {exact}", student_t(degrees));
        }
    }
}
