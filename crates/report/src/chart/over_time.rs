//! Charts over time: what was counted so far, and the time it is now.

use super::figure::{Curve, Figure, Kind};
use crate::picture::scene::Role;
use faultlab_experiment::History;

/// What was counted over time up to `end` in networks, by name, with the time it is now; under the titles of both axes.
pub(crate) fn over_time(histories: &[(&str, &History)], now: f64, end: f64, titles: [&str; 2]) -> Figure {
    let known = |history: &History| history.points().take_while(|point| point.0 <= end.max(1.0)).collect();
    let all: Vec<_> = histories.iter().map(|(name, history)| (*name, known(history))).collect();
    curves_over_time(&all, now, end, titles)
}

/// What was counted, by name: points in time with their counts.
pub(crate) type Counted<'a> = (&'a str, Vec<(f64, f64)>);

/// The same of counts at points in time.
pub(crate) fn curves_over_time(all: &[Counted<'_>], now: f64, end: f64, [x, y]: [&str; 2]) -> Figure {
    let end = end.max(1.0);
    let curve = |(index, (name, points)): (usize, &Counted<'_>)| Curve {
        name: (*name).to_owned(),
        role: Role::Series(index as u8),
        dash: index,
        points: points.clone(),
        intervals: Vec::new(),
        marks: Vec::new(),
        kind: Kind::Distribution,
    };
    let mut curves: Vec<_> = all.iter().enumerate().map(curve).collect();
    let most = curves.iter().flat_map(|curve| &curve.points).map(|point| point.1).fold(4.0, f64::max) * 1.06;
    curves.push(Curve {
        name: "now".into(),
        role: Role::Ink,
        // Not the dashes of the first curve, which without colours looks the same.
        dash: 5,
        points: vec![(now, 0.0), (now, most)],
        intervals: Vec::new(),
        marks: Vec::new(),
        kind: Kind::ClosedForm,
    });
    Figure {
        x_axis: x.into(),
        y_axis: y.into(),
        x_range: (0.0, end),
        y_range: (0.0, most),
        curves,
        ..Figure::default()
    }
}
