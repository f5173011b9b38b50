//! Clipping of lines at the edges of a plot.

use super::frame::PlotArea;

/// Returns the parts of a line that lie in the plot, cut where the line crosses an edge; plotters
/// would draw beyond the edge. Points without a position on an axis are left out.
pub(crate) fn clip_to_plot(frame: &PlotArea, line: &[(f64, f64)]) -> Vec<Vec<(f64, f64)>> {
    let shares = line.iter().map(|&(x, y)| (frame.x.share(x), frame.y.share(y)));
    let parts = in_square(shares.filter(|(x, y)| x.is_finite() && y.is_finite()).collect());
    let value = |(x, y)| (frame.x.value(x), frame.y.value(y));
    parts.into_iter().map(|part| part.into_iter().map(value).collect()).collect()
}

/// Returns the parts of a line inside the square between 0 and 1.
fn in_square(line: Vec<(f64, f64)>) -> Vec<Vec<(f64, f64)>> {
    let mut parts = vec![line];
    // A quarter turn brings the next edge to the top; four turns restore the orientation.
    for _ in 0..4 {
        let turned = |part: Vec<(f64, f64)>| part.into_iter().map(|(x, y)| (1.0 - y, x)).collect();
        parts = parts.iter().flat_map(|part| clip_below(part, 1.0)).map(turned).collect();
    }
    parts
}

/// Returns the parts of a line at or below `top`, cut where it crosses.
fn clip_below(line: &[(f64, f64)], top: f64) -> Vec<Vec<(f64, f64)>> {
    let mut parts = vec![Vec::new()];
    let mut before: Option<(f64, f64)> = None;
    for &(x, y) in line {
        if let Some((x0, y0)) = before.filter(|before| (before.1 > top) != (y > top)) {
            let crossing = (x0 + (x - x0) * (top - y0) / (y - y0), top);
            match parts.last_mut() {
                Some(part) if y > top => part.push(crossing),
                _ => parts.push(vec![crossing]),
            }
        }
        if let Some(part) = parts.last_mut().filter(|_| y <= top) {
            part.push((x, y));
        }
        before = Some((x, y));
    }
    parts.retain(|part| !part.is_empty());
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clip_below_cuts_lines_at_the_edge() {
        let line = [(0.0, 1.0), (1.0, 3.0), (2.0, 5.0), (3.0, 1.0)];
        assert_eq!(clip_below(&line, 2.0), [vec![(0.0, 1.0), (0.5, 2.0)], vec![(2.75, 2.0), (3.0, 1.0)]]);
        assert_eq!(clip_below(&line[1..3], 2.0), Vec::<Vec<(f64, f64)>>::new());
        assert_eq!(clip_below(&line[..1], 2.0), [vec![(0.0, 1.0)]]);
    }

    #[test]
    fn in_square_cuts_lines_at_all_edges() {
        let line = vec![(-0.5, 0.0), (0.5, 1.0), (1.5, 0.0)];
        assert_eq!(in_square(line), [[(0.0, 0.5), (0.5, 1.0), (1.0, 0.5)]]);
        assert_eq!(in_square(vec![(0.0, 0.5), (0.25, 1.5), (0.5, -0.5)]).len(), 2);
        assert!(in_square(vec![(1.25, 0.5), (1.5, 0.5)]).is_empty());
    }
}
