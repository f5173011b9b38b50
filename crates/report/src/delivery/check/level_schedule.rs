//! Leiserson's off-line schedule of the messages of a check (Greenberg & Leiserson section 6).

use super::DeliveryChecks;
use super::facts::LOAD_PREMISE;
use crate::files::bound_rows::BoundRow;
use crate::wording::facts::{BoundCheck, Fact};
use faultlab_core::switching::delivery::OfflineSchedule;
use faultlab_core::theory::oblivious::BoundSide;

/// Largest number of messages for which a check builds the schedule.
const MAX_MESSAGES: u32 = 1 << 16;

/// Returns the cycles of the schedule with their bound, and whether no channel is overloaded;
/// `None` with dead wires, on the second network and for many messages.
fn schedule(checks: &DeliveryChecks) -> Option<(BoundCheck, bool)> {
    let trial = &checks.trial;
    let (channels, messages) = (&trial.channels, &trial.messages);
    let small = trial.live.is_none() && messages.len() <= MAX_MESSAGES;
    let found = OfflineSchedule::by_levels(channels, messages).filter(|_| small)?;
    let bound = OfflineSchedule::level_bound(channels, messages, trial.load_factor.value());
    let claim = BoundCheck::new(f64::from(found.cycles()), BoundSide::AtMost, bound as f64);
    let claim = claim.with_premise(trial.load_factor.load() > 0, LOAD_PREMISE);
    Some((claim, found.verify(channels, messages).is_ok()))
}

/// Returns the schedule as a fact.
pub(super) fn fact(checks: &DeliveryChecks) -> Option<Fact> {
    let (claim, is_valid) = schedule(checks)?;
    let verified = if is_valid { "no channel is overloaded" } else { "a channel is overloaded" };
    let meaning = format!(
        "cycles of Leiserson's deterministic off-line schedule, which section 6 compares: the messages that turn at \
         one height are halved until every part fits; {verified}. The bound is the power of two from `lambda` on for each of \
         `lg n` heights, `O(lambda lg n)`"
    );
    Some(claim.fact("Level schedule", &meaning))
}

/// Returns the rows of the schedule.
pub(super) fn rows(checks: &DeliveryChecks) -> Vec<BoundRow> {
    schedule(checks).map_or_else(Vec::new, |(claim, is_valid)| {
        vec![BoundRow::bounded("level-schedule", claim), BoundRow::holds("level-schedule-verified", is_valid)]
    })
}
