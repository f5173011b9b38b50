//! Hierarchical routing: levels of dimensions, each with its own criterion (Chiu, Chalasani &
//! Raghavendra section V.B).

use crate::ParseError;
use std::borrow::Cow;
use std::sync::Arc;

use super::worm::CriterionWorm;
use crate::routing::{Algorithm, Criterion, DeadlockFreedom, Method, Promises, Shared, cost};
use crate::topology::Hypercube;

/// Syntax of a hierarchy, for error messages.
pub const HIERARCHY_ACCEPTED: &str = "a hierarchy such as 2e+3f: for each level, the lowest first, its number of \
                                      dimensions with e (e-cube), f (UP), r (restricted UP) or d (DP); the numbers sum \
                                      to the dimension of the cube";

/// Returns the hierarchy called `id`, such as `2e+2f+3f`.
///
/// # Errors
/// Returns an error that describes the problem with the name.
pub(crate) fn find(id: &str) -> Result<Algorithm, ParseError> {
    let (criterion, dimension) = parse(id)?;
    Ok(Algorithm {
        id: Cow::Owned(id.to_owned()),
        name: Cow::Owned(id.to_owned()),
        summary: "Takes the required links level by level, the lowest level of dimensions first; each level uses e-cube (e), \
                  UP (f), restricted UP (r) or DP (d).",
        guarantee: "Shortest paths, never deadlocks: no two levels share a link.",
        promises: Promises::shortest(DeadlockFreedom::Always),
        paper: "Chiu, Chalasani & Raghavendra, section V.B",
        cost: cost::hypercube::HIERARCHY,
        method: Method::Criterion(criterion),
        dimension: Some(dimension),
        worm: Some(Shared::Arc(Arc::new(CriterionWorm(criterion)))),
    })
}

/// Parses `id` to its criterion and the number of dimensions.
fn parse(id: &str) -> Result<(Criterion, u8), ParseError> {
    let mut criterion = Criterion::SEQUENTIAL;
    let mut dimensions = 0u32;
    if !id.bytes().any(|byte| byte.is_ascii_digit()) {
        return Err(format!("no algorithm is called {id}").into());
    }
    for level in id.split('+') {
        let problem = || format!("{level} in {id} is not a level such as 2e or 3f");
        let (mark_at, mark) = level.char_indices().next_back().ok_or_else(problem)?;
        let digits = &level[..mark_at];
        // Accept only one spelling of each number, because names are compared as texts.
        let plain = !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
        let size: u32 = digits.parse().ok().filter(|_| plain).ok_or_else(problem)?;
        let most = u32::from(Hypercube::MAX_DIMENSION);
        let end = dimensions.checked_add(size).filter(|&end| end <= most);
        let end = end.ok_or_else(|| format!("{id} has more than {most} dimensions"))?;
        let dims = (u64::MAX >> (64 - end)) & !(1u64.checked_shl(dimensions).unwrap_or(0).wrapping_sub(1));
        match mark {
            'e' => {}
            'f' => criterion.up |= dims,
            'r' => {
                criterion.up |= dims;
                criterion.restricted |= dims;
            }
            'd' => criterion.down |= dims,
            _ => return Err(problem().into()),
        }
        criterion.ends |= 1 << (end - 1);
        dimensions = end;
    }
    Ok((criterion, dimensions as u8))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routing::{Header, Position};
    use crate::topology::NodeId;

    #[test]
    fn each_level_applies_its_own_criterion() {
        let algorithm = find("2e+3f").unwrap();
        assert_eq!(algorithm, find("2e+3f").unwrap());
        assert_ne!(algorithm, find("3e+2f").unwrap());
        assert_eq!(algorithm.dimension, Some(5));
        let criterion = algorithm.criterion().unwrap();
        let legal = |here, to: u64| {
            criterion.legal(Position { here: NodeId(here), wrong: here ^ to, header: Header::default() })
        };
        // In the e-cube level, only the lowest link is legal. In the UP level, every required link
        // that leads up is legal too.
        assert_eq!(legal(0b00000, 0b11111), (0b00001, 0));
        assert_eq!(legal(0b00000, 0b11100), (0b00100, 0b11000));
        assert_eq!(legal(0b11000, 0b00111), (0b00001, 0));
        assert_eq!(legal(0b01011, 0b10111), (0b00100, 0b10000));
    }

    #[test]
    fn malformed_names_are_rejected() {
        for text in ["", "2", "e", "2e+", "0e+3f", "02e", "2x", "2e 3f", "60e+60f", "+2e", "999999999999e", "2é", "up2"]
        {
            assert!(find(text).is_err(), "{text}");
        }
        assert!(find("64f").is_ok());
    }
}
