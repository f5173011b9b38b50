//! Trade-off of delivery cycles: transmissions per message against time.

use crate::chart::figure::{Curve, CurveStyle, Figure, PointLabel};
use crate::picture::scene::Role;
use crate::wording::numbers::varied;
use faultlab_experiment::{Sweep, Vary};

/// Returns a curve for each algorithm, in the order of the sweep. Transmissions per message are
/// along x, delivery cycles in multiples of the load factor along y. Points are labelled with the
/// varied value.
pub(crate) fn trade_off(sweep: &Sweep) -> Figure {
    let kind = sweep.experiment().kind();
    let [Some(sent), Some(cycles)] = ["transmissions", "per-load"].map(|id| kind.metric(id)) else {
        return Figure::default();
    };
    let mut labels: Vec<PointLabel> = Vec::new();
    let mut curves = Vec::new();
    let values = sweep.experiment().vary.as_ref().map_or(Vec::new(), Vary::values);
    for (index, algorithm) in sweep.experiment().routing.iter().enumerate() {
        let of_it = sweep.points().iter().filter(|point| point.algorithm == *algorithm);
        let mut points: Vec<(f64, f64)> = Vec::new();
        let first = labels.len();
        for point in of_it {
            let both = point.estimate(sent).zip(point.estimate(cycles));
            let Some(at) = both.map(|(sent, cycles)| (sent.mean, cycles.mean)) else { continue };
            let text = varied(sweep.experiment(), &values, point.x.unwrap_or_default());
            match labels.last_mut() {
                // Values without an effect share a point.
                Some(PointLabel { at: before, text: words, .. }) if points.last() == Some(&at) && *before == at => {
                    *words = format!("{words}, {text}");
                }
                _ => {
                    points.push(at);
                    labels.push(PointLabel { at, text, role: Role::Series(index as u8) });
                }
            }
        }
        // A single point does not depend on the value, so it needs no label.
        if points.len() < 2 {
            labels.truncate(first);
        }
        curves.push(Curve {
            name: algorithm.name.to_string(),
            role: Role::Series(index as u8),
            dash: index,
            points,
            intervals: Vec::new(),
            marks: Vec::new(),
            kind: CurveStyle::Measured,
        });
    }
    let most = |of: fn(&(f64, f64)) -> f64| curves.iter().flat_map(|curve| &curve.points).map(of).fold(1.0, f64::max);
    let varied = sweep.experiment().vary.as_ref().map(|vary| format!("; labels are {}", vary.parameter.heading));
    Figure {
        x_axis: format!("{}{}", sent.axis, varied.unwrap_or_default()),
        y_axis: cycles.axis.to_owned(),
        x_range: (0.0, most(|point| point.0) * 1.08),
        y_range: (0.0, most(|point| point.1) * 1.1),
        curves,
        labels,
        ..Figure::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep_charts;
    use faultlab_experiment::run;

    #[test]
    fn points_follow_the_order_of_the_varied_parameter() {
        let text = "switch=delivery&net=tree:64&vary=r:0.5,2,8&trials=16&plot=trade-off";
        let mut sweep = Sweep::new(&text.parse().expect("an experiment"));
        assert!(trade_off(&sweep).curves.iter().all(|curve| curve.points.is_empty()));
        run(&mut sweep);
        let figure = sweep_charts::figure::chart(&sweep, sweep.experiment().plot());
        let [greedy, random] = figure.curves.as_slice() else { panic!("two curves") };
        assert_eq!((greedy.points.len(), random.points.len()), (1, 3), "GREEDY has no r");
        assert_eq!(figure.labels.iter().map(|label| label.text.as_str()).collect::<Vec<_>>(), ["0.5", "2", "8"]);
        // Smaller subsets lose fewer messages and take longer.
        assert!(random.points[2].0 < random.points[0].0 && random.points[2].1 > random.points[0].1, "{random:?}");
    }
}
