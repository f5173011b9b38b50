//! Lines cut into dashes.

/// The dashes of a line, by turns as long as the pattern says, a gap behind each; all of it without a pattern.
pub(crate) fn dashed(line: &[(f64, f64)], pattern: &[f64]) -> Vec<Vec<(f64, f64)>> {
    let Some(&first) = pattern.first() else { return vec![line.to_vec()] };
    let (mut turn, mut left) = (0, first);
    let mut dashes = vec![line.first().copied().into_iter().collect::<Vec<_>>()];
    for ends in line.windows(2) {
        let (from, to) = (ends[0], ends[1]);
        let length = libm::hypot(to.0 - from.0, to.1 - from.1);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let at = (from.0 + (to.0 - from.0) * done / length, from.1 + (to.1 - from.1) * done / length);
            match dashes.last_mut() {
                Some(dash) if turn % 2 == 0 => dash.push(at),
                _ => dashes.push(vec![at]),
            }
            turn = (turn + 1) % pattern.len();
            // A pattern of nothing would never come to an end.
            left = pattern[turn].max(1.0);
        }
        left -= length - done;
        if let Some(dash) = dashes.last_mut().filter(|_| turn % 2 == 0) {
            dash.push(to);
        }
    }
    dashes.retain(|dash| dash.len() > 1);
    dashes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_go_around_corners() {
        let line = [(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)];
        assert_eq!(dashed(&line, &[]), [line]);
        let dashes = dashed(&line, &[3.0, 1.0]);
        assert_eq!(
            dashes,
            [vec![(0.0, 0.0), (3.0, 0.0)], vec![(4.0, 0.0), (5.0, 0.0), (5.0, 2.0)], vec![(5.0, 3.0), (5.0, 5.0)]]
        );
        assert!(dashed(&[(1.0, 1.0)], &[3.0, 1.0]).is_empty() && dashed(&[], &[3.0, 1.0]).is_empty());
    }
}
