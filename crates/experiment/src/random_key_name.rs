//! Name by which a point of an experiment enters its random key.
//!
//! The names decide every published number. They never change, even if networks and fault models
//! are renamed elsewhere: the spellings below are those of version 1.0.

use faultlab_core::fault::{Adversary, FaultModel};
use faultlab_core::topology::Network;

/// Returns the name of the points of `network` under `model`.
///
/// Manual edits of nodes and links and the ends of a message are left out: breaking one node must
/// not resample the others.
pub(super) fn key_name(network: Network, model: FaultModel) -> String {
    let model = model_name(model);
    format!("{network} FaultSpec {{ model: {model}, broken: [], mended: [] }} 0 {}", network.last_node())
}

/// Returns the name of a fault model. Probabilities are the shortest decimals that read back to the
/// same number, with at least one place.
fn model_name(model: FaultModel) -> String {
    match model {
        FaultModel::None => "None".to_owned(),
        FaultModel::Nodes(p) => format!("Nodes({p:?})"),
        FaultModel::Share(p) => format!("Share({p:?})"),
        FaultModel::Count(count) => format!("Count({count})"),
        FaultModel::Links(p) => format!("Links({p:?})"),
        FaultModel::LinkCount(count) => format!("LinkCount({count})"),
        FaultModel::Isolated(p) => format!("Isolated({p:?})"),
        FaultModel::IsolatedCount(nodes, links) => format!("IsolatedCount({nodes}, {links})"),
        FaultModel::Adversarial(adversary, count) => format!("Placed({}, {count})", adversary_name(adversary)),
        FaultModel::Wires(p) => format!("Wires({p:?})"),
    }
}

fn adversary_name(adversary: Adversary) -> &'static str {
    match adversary {
        Adversary::Random => "Random",
        Adversary::Subcube => "Subcube",
        Adversary::Ball => "Ball",
        Adversary::Neighbors => "Neighbors",
        Adversary::Greedy { squares: false } => "Greedy { squares: false }",
        Adversary::Greedy { squares: true } => "Greedy { squares: true }",
        Adversary::Busiest => "Busiest",
        Adversary::Funnel => "Funnel",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every fault model with its name in version 1.0.
    const NAMES: [(&str, &str); 21] = [
        ("none", "None"),
        ("nodes:0.3", "Nodes(0.3)"),
        ("nodes:1", "Nodes(1.0)"),
        ("nodes:0", "Nodes(0.0)"),
        ("nodes:0.00000001", "Nodes(1e-8)"),
        ("nodes:0.30000000000000004", "Nodes(0.30000000000000004)"),
        ("share:0.5", "Share(0.5)"),
        ("count:7", "Count(7)"),
        ("links:0.05", "Links(0.05)"),
        ("link-count:12", "LinkCount(12)"),
        ("isolated:0.1", "Isolated(0.1)"),
        ("isolated:4+8", "IsolatedCount(4, 8)"),
        ("subcube:8", "Placed(Subcube, 8)"),
        ("ball:6", "Placed(Ball, 6)"),
        ("neighbors:5", "Placed(Neighbors, 5)"),
        ("greedy-a:4", "Placed(Greedy { squares: false }, 4)"),
        ("greedy-b:3", "Placed(Greedy { squares: true }, 3)"),
        ("busiest:2", "Placed(Busiest, 2)"),
        ("funnel:1", "Placed(Funnel, 1)"),
        ("funnel:4294967295", "Placed(Funnel, 4294967295)"),
        ("wires:0.25", "Wires(0.25)"),
    ];

    #[test]
    fn fault_models_keep_the_names_of_version_1() {
        for (text, name) in NAMES {
            assert_eq!(model_name(FaultModel::parse(text).unwrap()), name, "{text}");
        }
    }

    #[test]
    fn points_keep_the_names_of_version_1() {
        for (network, last) in [
            ("cube:6", "63"),
            ("cube:64", "18446744073709551615"),
            ("mesh:4x5", "19"),
            ("torus:3x3x3", "26"),
            ("tree:64", "63"),
            ("tree2:16", "15"),
            ("tree2-3d:64", "63"),
        ] {
            let name = key_name(Network::parse(network).unwrap(), FaultModel::Count(2));
            let expected = format!("{network} FaultSpec {{ model: Count(2), broken: [], mended: [] }} 0 {last}");
            assert_eq!(name, expected);
        }
    }
}
