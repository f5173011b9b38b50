//! Shares of a whole, stacked.

use super::figure::{Curve, CurveStyle, Figure};
use crate::picture::scene::Role;
use faultlab_experiment::{PointResult, Sweep};

/// Half the width of a bar, in a chart without a sweep.
const HALF: f64 = 0.32;

/// Returns the shares of the algorithm at `index` along the sweep as bands; without a sweep, of every
/// algorithm as bars.
pub(super) fn figure(sweep: &Sweep, of: fn(&PointResult) -> Vec<(&'static str, f64)>, index: usize) -> Figure {
    let experiment = sweep.experiment();
    let shown = experiment.routing.get(index);
    let is_shown = |point: &&PointResult| experiment.vary.is_none() || shown == Some(&point.algorithm);
    let points: Vec<_> = sweep.points().iter().filter(is_shown).map(|point| (point.x, of(point))).collect();
    let names: Vec<&str> =
        points.first().map(|(_, shares)| shares.iter().map(|share| share.0).collect()).unwrap_or_default();
    let seen = |place: &usize| points.iter().any(|(_, shares)| shares.get(*place).is_some_and(|share| share.1 > 0.0));
    let bands = (0..names.len()).filter(seen).enumerate().map(|(index, place)| {
        let below = |shares: &[(&str, f64)]| shares.iter().take(place).map(|share| share.1).sum::<f64>();
        let ends = points.iter().enumerate().flat_map(|(at, (x, shares))| {
            let low = below(shares);
            let high = low + shares.get(place).map_or(0.0, |share| share.1);
            match x {
                Some(x) => vec![(*x, low, high)],
                None => vec![(at as f64 - HALF, low, high), (at as f64 + HALF, low, high)],
            }
        });
        let intervals: Vec<_> = ends.collect();
        Curve {
            name: names[place].to_owned(),
            role: Role::Series(index as u8),
            dash: index,
            // A name is beside the middle of its band.
            points: intervals.iter().map(|(x, low, high)| (*x, (low + high) / 2.0)).collect(),
            intervals,
            marks: Vec::new(),
            kind: CurveStyle::Band,
        }
    });
    let curves: Vec<_> = bands.collect();
    let names: Vec<_> = match experiment.vary {
        Some(_) => Vec::new(),
        None => experiment.routing.iter().map(|algorithm| algorithm.name.to_string()).collect(),
    };
    let along = || points.iter().filter_map(|(x, _)| *x);
    let x_range = match names.len() {
        0 => (along().fold(f64::INFINITY, f64::min), along().fold(f64::NEG_INFINITY, f64::max)),
        count => (-0.5, count as f64 - 0.5),
    };
    Figure {
        x_axis: experiment.vary.as_ref().map_or("algorithm", |vary| vary.parameter.axis).to_owned(),
        y_axis: match experiment.vary {
            Some(_) => format!("messages, {}", shown.map_or("", |algorithm| &algorithm.name)),
            None => "messages".into(),
        },
        x_range: if x_range.0 < x_range.1 { x_range } else { (0.0, 1.0) },
        y_range: (0.0, 1.0),
        percent: true,
        names,
        curves,
        ..Figure::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep_charts;
    use faultlab_experiment::{Plot, run};

    #[test]
    fn outcome_shares_add_up_to_one() {
        let text =
            "net=cube:6&faults=nodes:0.5&mpl=3&route=backtracking,sidetracking&vary=p:0.5..0.9:3&within=0.1&plot=ends";
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        let Plot::Spread(_) = sweep.experiment().plot() else { panic!("a distribution") };
        let figure = sweep_charts::figure::chart(&sweep, sweep.experiment().plot());
        let [first, .., last] = figure.curves.as_slice() else { panic!("several bands") };
        assert_eq!((first.name.as_str(), first.intervals.len()), ("delivered", 3));
        assert!(first.intervals.iter().all(|(_, low, _)| *low == 0.0));
        assert!(last.intervals.iter().all(|(_, _, high)| (high - 1.0).abs() < 1e-12));
        for (lower, upper) in figure.curves.iter().zip(&figure.curves[1..]) {
            assert!(
                lower.intervals.iter().zip(&upper.intervals).all(|(below, above)| (below.2 - above.1).abs() < 1e-12)
            );
        }
    }
}
