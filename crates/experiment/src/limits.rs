//! Limits on the number of faults in a network, and names of networks for messages.

use super::Problem;
use faultlab_core::fault::block::isolated_counts;
use faultlab_core::fault::{Adversary, FaultModel};
use faultlab_core::topology::{Mesh, Network};

/// Describes a network in words.
pub(super) fn network_name(network: Network) -> String {
    match network {
        Network::Hypercube(cube) => format!("the {}-cube", cube.dimension()),
        Network::Mesh(mesh) if mesh.is_torus() => format!("the {mesh} torus"),
        Network::Mesh(mesh) => format!("the {mesh} mesh"),
        Network::FatTree(leaves) => format!("the network {leaves}"),
        Network::Butterfly(butterfly) => format!("the butterfly of {} levels of links", butterfly.levels()),
    }
}

/// Maximum expected number of fault regions: region numbers have 16 bits, and random sets vary in
/// size.
const MOST_REGIONS: f64 = 60_000.0;

/// Returns the mean number of faulty nodes or links of a model; `None` for models that need no
/// check on large meshes.
fn expected_faults(model: FaultModel, network: Network) -> Option<f64> {
    match model {
        FaultModel::Nodes(p) | FaultModel::Share(p) => Some(p * (network.last_node().0 as f64 + 1.0)),
        FaultModel::Links(p) => Some(p * network.link_count()? as f64),
        FaultModel::Count(count) => Some(count as f64),
        _ => None,
    }
}

/// Checks that `network` can have as many faults as `model` makes. Errors name `key`.
pub(super) fn check_fault_count(key: &'static str, model: FaultModel, network: Network) -> Result<(), Problem> {
    let refuse = |why: String| Err(Problem::new(key, why));
    let at_most = |count: u64, most: u64, what: &str| {
        if count > most {
            return refuse(format!("at most {most} {what} can be faulty in {}", network_name(network)));
        }
        Ok(())
    };
    let isolated = |mesh: Mesh, (nodes, links): (u32, u32)| {
        // Rings share no links. In every plane, a ring has 8 links around a node and 6 around a
        // link. The faulty links are added.
        let n = u64::from(mesh.dimensions());
        let needed = (4 * n * (n - 1) + 2 * n) * u64::from(nodes) + (6 * (n - 1) + 1) * u64::from(links);
        if needed > u64::from(mesh.links()) {
            return refuse(format!(
                "{nodes} isolated nodes and {links} links with their fault rings need {needed} links, but {} has {}",
                network_name(network),
                mesh.links()
            ));
        }
        Ok(())
    };
    if let (Network::Mesh(mesh), Some(expected)) = (network, expected_faults(model, network)) {
        let regions = expected * f64::from(mesh.dimensions());
        if regions > MOST_REGIONS {
            return refuse(format!(
                "about {expected:.0} faults can form more than {MOST_REGIONS} fault regions, the maximum in {}",
                network_name(network)
            ));
        }
    }
    match (model, network) {
        (FaultModel::Count(count), _) => at_most(count, network.inner_node_count(), "of the other nodes"),
        (FaultModel::LinkCount(count), _) => {
            at_most(count, network.link_count().unwrap_or(u64::MAX).min(FaultModel::MAX_LINKS), "links")
        }
        (FaultModel::Isolated(share), Network::Mesh(mesh)) => isolated(mesh, isolated_counts(mesh, share)),
        (FaultModel::IsolatedCount(nodes, links), Network::Mesh(mesh)) => isolated(mesh, (nodes, links)),
        (FaultModel::Adversarial(..), Network::Mesh(_)) => refuse("adversaries place faults only in hypercubes".into()),
        (FaultModel::Adversarial(..), Network::Hypercube(cube)) if cube.dimension() > Adversary::MAX_DIMENSION => {
            refuse(format!("adversaries place faults only in hypercubes up to n = {}", Adversary::MAX_DIMENSION))
        }
        (FaultModel::Adversarial(_, count), Network::Hypercube(cube)) => {
            at_most(count.into(), cube.mask() + 1, "nodes")
        }
        (model, Network::Hypercube(_)) if model.requires_mesh() => {
            refuse("isolated faults exist only in meshes".into())
        }
        _ => Ok(()),
    }
}
