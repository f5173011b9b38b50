//! Cost estimates of experiments with delivery cycles.

use super::setting::DeliveryDemand;
use crate::{Cost, Memory, PointConfig};
use faultlab_core::routing::Algorithm;
use faultlab_core::traffic::MessageSet;

/// Estimated number of transmissions per message until it arrives.
const SENT: f64 = 3.0;

/// Returns the cost of a run at `cell`, including tables of the channels and the messages.
pub(super) fn cost(cell: &PointConfig, _: &Algorithm) -> Cost {
    let (processors, setting) = (cell.network.last_node().0 + 1, cell.setting.delivery());
    let messages = match setting.map(|setting| &setting.demand) {
        Some(DeliveryDemand::Pattern(pattern)) => pattern.max_messages(processors).min(MessageSet::MAX_MESSAGES),
        Some(DeliveryDemand::BadSet(_)) => processors,
        Some(DeliveryDemand::List(messages)) => messages.len() as u64,
        None => 0,
    };
    let (processors, messages) = (processors as f64, messages as f64);
    let loops = setting.map_or(0, |setting| setting.loops);
    let channels = if cell.network.leaves().is_some_and(|leaves| leaves.is_second()) { 4.0 } else { 1.0 };
    Cost {
        memory: Memory::new(12.0 * processors + 8.0 * messages, 128.0 * channels * processors + 128.0 * messages),
        steps: SENT * messages * f64::from(1 + loops),
    }
}
