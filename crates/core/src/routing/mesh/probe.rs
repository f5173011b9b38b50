//! Circuits on meshes and tori: backtracking with at most m misroutes (MB-m; Gaughan & Yalamanchili
//! 1992).

use std::borrow::Cow;

use crate::ParseError;
use crate::routing::cost::{CostRules, mesh as costs};
use crate::routing::probe::ProbeRouting;
use crate::routing::{Algorithm, DeadlockFreedom, Method, Promises};

/// Display name of the paper.
const PAPER: &str = "Gaughan & Yalamanchili, Pipelined circuit-switching";

/// MB-0: exhaustive backtracking over minimal paths.
pub(crate) const PROFITABLE: Algorithm = Algorithm {
    id: Cow::Borrowed("mb-0"),
    name: Cow::Borrowed("MB-0"),
    summary: "The probe of a circuit searches all minimal paths: where every minimal link is faulty or reserved, it goes \
              back over its last link and tries another.",
    guarantee: "Shortest paths; never deadlocks, because a probe releases links instead of waiting. Serves every pair \
                with a minimal path without faults.",
    promises: Promises::shortest(DeadlockFreedom::Always),
    paper: PAPER,
    cost: costs::MB_0,
    method: Method::Probe(ProbeRouting::Backtracking { misroutes: 0 }),
    dimension: None,
    worm: None,
};

/// MB-2: backtracking with at most two misroutes.
pub(crate) const TWO_MISROUTES: Algorithm =
    misrouting("mb-2", "MB-2", ProbeRouting::Backtracking { misroutes: 2 }, costs::MB_2);

/// MB-any: backtracking over all paths.
pub(crate) const EXHAUSTIVE: Algorithm =
    misrouting("mb-any", "MB-any", ProbeRouting::Backtracking { misroutes: ProbeRouting::UNLIMITED }, costs::MB_ANY);

/// Syntax of the names of backtracking with a number of misroutes, for error messages.
pub const MISROUTES_ACCEPTED: &str = "mb-M with M = 0 to 99 misroutes";

/// Largest number of misroutes in a name.
const MAX_MISROUTES: u16 = 99;

const fn misrouting(id: &'static str, name: &'static str, routing: ProbeRouting, cost: CostRules) -> Algorithm {
    Algorithm {
        id: Cow::Borrowed(id),
        name: Cow::Borrowed(name),
        summary: "The probe of a circuit prefers minimal links; where none is free it takes another link, at most m times \
                  on its path, and otherwise goes back over its last link and tries another.",
        guarantee: "May make detours; never deadlocks, because a probe releases links instead of waiting. Serves every \
                    pair with a path without faults that has at most m hops which lead no nearer.",
        promises: Promises::detours(DeadlockFreedom::Always),
        paper: PAPER,
        cost,
        method: Method::Probe(routing),
        dimension: None,
        worm: None,
    }
}

/// Returns the algorithm called `mb-M`; `None` if `id` is not such a name.
///
/// # Errors
/// Returns an error if M is not a number from 0 to 99.
pub(crate) fn find(id: &str) -> Option<Result<Algorithm, ParseError>> {
    let digits = id.strip_prefix("mb-")?;
    let plain = digits == "0" || !digits.starts_with('0') && digits.bytes().all(|byte| byte.is_ascii_digit());
    let misroutes = digits.parse().ok().filter(|&misroutes: &u16| plain && misroutes <= MAX_MISROUTES);
    Some(match misroutes {
        Some(misroutes) => Ok(Algorithm {
            id: Cow::Owned(id.to_owned()),
            name: Cow::Owned(id.to_uppercase()),
            cost: costs::misrouting(misroutes),
            method: Method::Probe(ProbeRouting::Backtracking { misroutes }),
            ..TWO_MISROUTES
        }),
        None => Err(format!("{id} is not {MISROUTES_ACCEPTED}, nor mb-any").into()),
    })
}
