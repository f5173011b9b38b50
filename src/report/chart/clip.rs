//! What of a line lies inside of a chart.

/// The parts of a line between two ends of x and at or below `top`, cut where it crosses.
pub(crate) fn inside(line: &[(f64, f64)], ends: (f64, f64), top: f64) -> Vec<Vec<(f64, f64)>> {
    let flipped = |parts: Vec<Vec<(f64, f64)>>, sign: f64| {
        parts.into_iter().map(move |part| part.into_iter().map(|(x, y)| (y * sign, x * sign)).collect::<Vec<_>>())
    };
    let mut parts = vec![line.to_vec()];
    // As the top, so the right end, with x and y exchanged; and the left end, with their signs changed besides.
    for (sign, end) in [(1.0, ends.1), (-1.0, -ends.0)] {
        let cut = flipped(parts, sign).flat_map(|part| below(&part, end)).collect();
        parts = flipped(cut, sign).collect();
    }
    parts.iter().flat_map(|part| below(part, top)).collect()
}

/// The parts of a line that lie at or below `top`, cut where it crosses.
fn below(line: &[(f64, f64)], top: f64) -> Vec<Vec<(f64, f64)>> {
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
    fn a_line_is_cut_at_the_edge() {
        let line = [(0.0, 1.0), (1.0, 3.0), (2.0, 5.0), (3.0, 1.0)];
        assert_eq!(below(&line, 2.0), [vec![(0.0, 1.0), (0.5, 2.0)], vec![(2.75, 2.0), (3.0, 1.0)]]);
        assert_eq!(below(&line[1..3], 2.0), Vec::<Vec<(f64, f64)>>::new());
        assert_eq!(below(&line[..1], 2.0), [vec![(0.0, 1.0)]]);
    }

    #[test]
    fn a_line_is_cut_at_both_ends() {
        let line = [(0.0, 0.0), (2.0, 2.0), (4.0, 0.0)];
        assert_eq!(inside(&line, (1.0, 3.0), 9.0), [[(1.0, 1.0), (2.0, 2.0), (3.0, 1.0)]]);
        assert_eq!(inside(&line, (0.0, 4.0), 9.0), [line]);
        assert_eq!(inside(&line, (0.0, 4.0), 1.0), [[(0.0, 0.0), (1.0, 1.0)], [(3.0, 1.0), (4.0, 0.0)]]);
        assert!(inside(&line, (5.0, 6.0), 9.0).is_empty());
    }
}
