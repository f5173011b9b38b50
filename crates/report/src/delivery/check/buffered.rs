//! Theorem 10: networks with buffers, simulated step by step, and their messages on the fat-tree.

use super::DeliveryChecks;
use super::files::named;
use crate::files::bound_rows::BoundRow;
use crate::wording::facts::{Fact, fact};
use crate::wording::{count, number};
use faultlab_core::random::Key;
use faultlab_core::routing::fat_tree::ScheduleConstants;
use faultlab_core::theory::fat_tree::{BufferedNetwork, BufferedSimulation};
use faultlab_core::topology::fat_tree::{FatTree, Leaves};
use faultlab_core::traffic::MessageSet;
use faultlab_experiment::DeliveryTrial;
use faultlab_experiment::delivery::{DeliveryDemand, DeliverySetting};

/// Maximum number of processors: for the page, and for a thorough check.
const MAX_PROCESSORS: [u32; 2] = [1 << 10, 1 << 12];

/// Simulations of one network with buffers, by size.
#[derive(Clone, Debug)]
pub struct BufferedResult {
    /// Network.
    pub network: BufferedNetwork,
    /// Simulations on fat-trees of 16, 64, .. processors with the same kind of messages, and on the
    /// experiment's fat-tree, which is the last.
    pub sizes: Vec<BufferedSimulation>,
}

/// Simulates networks with buffers on `tree` with the messages of `trial`, and on smaller trees if
/// a rule generates the messages.
pub(super) fn simulate(
    tree: FatTree,
    trial: &DeliveryTrial,
    setting: &DeliverySetting,
    thorough: bool,
    key: Key,
) -> Vec<BufferedResult> {
    if trial.live.is_some() || tree.processors() > MAX_PROCESSORS[usize::from(thorough)] {
        return Vec::new();
    }
    let simulate = |network, tree: FatTree, messages: &MessageSet| {
        let r = setting.r.value_for(&tree.channels());
        let constants = ScheduleConstants::new(setting.k1, setting.k2, r).ok()?;
        BufferedSimulation::new(network, tree, messages, &constants, key.child(tree.processors().into()))
    };
    let smaller = |network, processors: u32| {
        let DeliveryDemand::Pattern(pattern) = setting.demand else { return None };
        let tree = Leaves::new(processors.into())?.tree(&setting.profile)?.ok()?;
        let messages =
            MessageSet::new(processors.into(), pattern, key.named("messages").child(processors.into())).ok()?;
        simulate(network, tree, &messages)
    };
    let result = |network| {
        let own = simulate(network, tree, &trial.messages)?;
        let sizes = (2..).map(|half| 1u32 << (2 * half)).take_while(|&size| size < tree.processors());
        let sizes = sizes.filter_map(|size| smaller(network, size)).chain([own]).collect();
        Some(BufferedResult { network, sizes })
    };
    BufferedNetwork::ALL.into_iter().filter_map(result).collect()
}

/// Returns the fact on each network.
pub(super) fn facts(checks: &DeliveryChecks) -> impl Iterator<Item = Fact> {
    checks.buffered.iter().filter_map(|result| Some(fact_on(result, result.sizes.last()?)))
}

fn fact_on(result: &BufferedResult, found: &BufferedSimulation) -> Fact {
    let (what, routes) = match result.network {
        BufferedNetwork::Mesh => ("Theorem 10: a mesh with buffers", "a mesh in Z-order, routed along rows first,"),
        BufferedNetwork::Hypercube => ("Theorem 10: a hypercube with buffers", "a hypercube, routed by e-cube,"),
    };
    let value = format!("{}, t = {}", count(found.cycles as u32, "cycle"), found.steps);
    let at = |ratio: &dyn Fn(&BufferedSimulation) -> u64| {
        let listed = result.sizes.iter().map(|size| number(size.ratio(ratio(size))));
        listed.collect::<Vec<_>>().join(", ")
    };
    let sizes: Vec<_> = result.sizes.iter().map(|size| size.processors.to_string()).collect();
    let meaning = format!(
        "{routes} delivers these messages in {} steps, each channel a message per step; RANDOM delivers them at once in \
         {} cycles. Their load factor on the tree, {}, is at most `t` times the largest of a step, {}. If RANDOM delivers \
         the moves of one step after the other, it takes {} cycles. The theorem allows `O(t + lg lg n)` cycles of \
         `O(lg^2 n)` bit times on a volume-universal tree of the same volume. At n = {} the cycles are {} times \
         `t + lg lg n` at once, and {} times step by step",
        found.steps,
        found.cycles,
        number(found.load_factor.value()),
        number(found.step_load_factor.value()),
        found.stepwise_cycles,
        sizes.join(", "),
        at(&|size| size.cycles),
        at(&|size| size.stepwise_cycles)
    );
    fact(what, value, meaning)
}

/// Returns the rows on each network and size.
pub(super) fn rows(checks: &DeliveryChecks) -> Vec<BoundRow> {
    let all = checks.buffered.iter().flat_map(|result| result.sizes.iter().map(|size| (result.network, size)));
    let rows = all.flat_map(|(network, found)| {
        let name = match network {
            BufferedNetwork::Mesh => "mesh",
            BufferedNetwork::Hypercube => "hypercube",
        };
        named(
            &format!("theorem-10-{name}-{}", found.processors),
            [
                ("processors", f64::from(found.processors)),
                ("steps", f64::from(found.steps)),
                ("moves", found.moves as f64),
                ("load-factor", found.load_factor.value()),
                ("step-load-factor", found.step_load_factor.value()),
                ("cycles", found.cycles as f64),
                ("stepwise-cycles", found.stepwise_cycles as f64),
                ("ratio", found.ratio(found.cycles)),
                ("stepwise-ratio", found.ratio(found.stepwise_cycles)),
            ],
        )
    });
    rows.collect()
}
