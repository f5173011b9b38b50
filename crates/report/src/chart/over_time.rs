//! Charts over time: counts so far, and the current time.

use super::figure::{Curve, CurveStyle, Figure};
use crate::picture::scene::Role;
use faultlab_experiment::TimeSeries;

/// Returns the chart of the histories of several networks up to `end`, with the current time;
/// `titles` are the titles of the axes.
pub(crate) fn over_time(histories: &[(&str, &TimeSeries)], now: f64, end: f64, titles: [&str; 2]) -> Figure {
    let known = |history: &TimeSeries| history.points().take_while(|point| point.0 <= end.max(1.0)).collect();
    let all: Vec<_> = histories.iter().map(|(name, history)| (*name, known(history))).collect();
    curves_over_time(&all, now, end, titles)
}

/// Named counts over time: points of time and count.
pub(crate) type NamedCounts<'a> = (&'a str, Vec<(f64, f64)>);

/// Returns the chart of named counts over time, with the current time.
pub(crate) fn curves_over_time(all: &[NamedCounts<'_>], now: f64, end: f64, [x, y]: [&str; 2]) -> Figure {
    let end = end.max(1.0);
    let curve = |(index, (name, points)): (usize, &NamedCounts<'_>)| Curve {
        name: (*name).to_owned(),
        role: Role::Series(index as u8),
        dash: index,
        points: points.clone(),
        intervals: Vec::new(),
        marks: Vec::new(),
        kind: CurveStyle::Distribution,
    };
    let mut curves: Vec<_> = all.iter().enumerate().map(curve).collect();
    let most = curves.iter().flat_map(|curve| &curve.points).map(|point| point.1).fold(4.0, f64::max) * 1.06;
    curves.push(Curve {
        name: "now".into(),
        role: Role::Ink,
        // The dashes differ from the first curve's: without colours both lines look alike.
        dash: 5,
        points: vec![(now, 0.0), (now, most)],
        intervals: Vec::new(),
        marks: Vec::new(),
        kind: CurveStyle::ClosedForm,
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
