//! Conversion of an experiment to another kind or another network, for the page.

use super::kind::FaultDomain;
use super::text::keys::LEADING_KEYS;
use super::{Experiment, ViewOptions};
use faultlab_core::fault::FaultModel;
use faultlab_core::topology::{Link, Network};

/// Converted experiment, with a list of the settings that were dropped.
#[derive(Clone, Debug, PartialEq)]
pub struct Converted {
    /// Experiment after the conversion.
    pub experiment: Experiment,
    /// Dropped settings, in words.
    pub dropped: Vec<String>,
    /// Settings of `other` that this experiment did not have and a reader may not expect, in words.
    pub added: Vec<String>,
}

impl Experiment {
    /// Converts this experiment to the kind and network family of `other`.
    ///
    /// `other` is the last experiment of that kind and network, or its opening experiment. The seed
    /// and the view are kept. On a network of the same family, the network and the manual edits of
    /// the faults are kept too. Sampled faults are those of `other`, because a fault rate that one
    /// message tolerates is too high for permutations.
    pub fn converted_to(&self, other: &Self) -> Converted {
        let mut next = Self { seed: self.seed, ..other.clone() };
        next.view = ViewOptions { tab: self.view.tab, layout: self.view.layout, ..other.view.clone() };
        let mut lost = Vec::new();
        let network = self.network_for(other);
        // A default network is replaced by that of `other`, which is small enough to understand.
        let is_chosen = self.network != self.kind().behavior.default_experiment(self.version, None).network;
        if let Some(network) = network.filter(|_| is_chosen) {
            next = next.resized(network);
            if network != self.network {
                lost.push(format!("the network: {} is too large for this kind", self.network));
            }
        }
        let by_hand = self.faults.has_overrides();
        if by_hand && network.is_some() {
            lost.extend(next.copy_fault_edits(self));
        } else if by_hand {
            lost.push("the faults set by hand".into());
        }
        if !self.setting.later().is_empty() {
            lost.push("the faults that arrive later".into());
        }
        if self.faults.model != FaultModel::None && self.faults.model != next.faults.model {
            let here = match next.faults.model {
                FaultModel::None => String::new(),
                ref model => format!("; the new faults are {model}"),
            };
            lost.push(format!("the random faults ({}){here}", self.faults.model));
        }
        let broken = next.faults_by_hand().filter(|broken| self.faults_by_hand().as_ref() != Some(broken));
        let added = broken.filter(|_| !by_hand || network.is_none()).map(|broken| format!("broken: {broken}"));
        Converted { experiment: next, dropped: lost, added: added.into_iter().collect() }
    }

    /// Returns the elements that are broken by hand, as the text names them.
    fn faults_by_hand(&self) -> Option<String> {
        LEADING_KEYS.iter().find(|key| key.name == "break").and_then(|key| key.value(self))
    }

    /// Returns the network of this experiment, reduced to a size that the kind of `other` supports;
    /// `None` if `other` has a network of another family, or the kind supports none.
    fn network_for(&self, other: &Self) -> Option<Network> {
        let family = |network: Network| std::mem::discriminant(&network);
        if family(self.network) != family(other.network) {
            return None;
        }
        other.kind().network_like(self.network, self.kind())
    }

    /// Copies the manual edits of `before` as far as the elements exist here. Returns a description
    /// of the dropped edits.
    fn copy_fault_edits(&mut self, before: &Self) -> Option<String> {
        let (network, protected) = (self.network, self.protected_nodes());
        let nodes = [&before.faults.faulty_nodes, &before.faults.live_nodes].map(|nodes| {
            let moved = nodes.iter().filter_map(|&node| before.map_node(node, network));
            moved.filter(|node| !protected.contains(node)).collect::<Vec<_>>()
        });
        let with_links = self.kind().fault_domain == FaultDomain::NodesAndLinks;
        let links = [&before.faults.faulty_links, &before.faults.live_links].map(|links| {
            let moved =
                links.iter().filter_map(|&link| Some(Link { from: before.map_node(link.from, network)?, ..link }));
            moved.filter(|&link| with_links && network.has_link(link)).collect::<Vec<_>>()
        });
        let count = |faults: &faultlab_core::fault::FaultSpec| {
            let wires = faults.dead_wires.len() + faults.live_channels.len();
            faults.faulty_nodes.len()
                + faults.live_nodes.len()
                + faults.faulty_links.len()
                + faults.live_links.len()
                + wires
        };
        [self.faults.faulty_nodes, self.faults.live_nodes] = nodes;
        [self.faults.faulty_links, self.faults.live_links] = links;
        if self.kind().fault_domain == FaultDomain::Wires {
            self.faults.dead_wires.clone_from(&before.faults.dead_wires);
            self.faults.live_channels.clone_from(&before.faults.live_channels);
            // The channels that exist, and their capacities, depend on the kind.
            self.kind().behavior.resize(before, self);
        }
        let gone = count(&before.faults) - count(&self.faults);
        (gone > 0).then(|| match self.kind().fault_domain {
            FaultDomain::NodesAndLinks => format!("{gone} of the broken or mended nodes and links"),
            FaultDomain::Wires => format!("{gone} of the broken or mended channels"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn converted(from: &str, to: &str) -> (String, Vec<String>) {
        let turned = from.parse::<Experiment>().unwrap().converted_to(&to.parse().unwrap());
        assert_eq!(turned.experiment.validate(), Ok(()), "{from} {to}");
        (turned.experiment.to_string(), turned.dropped)
    }

    #[test]
    fn conversion_keeps_dimension_manual_faults_and_seed() {
        let (text, lost) = converted("net=cube:4&break=3,5&seed=7", "net=cube:3&switch=circuit&rate=0.4");
        assert_eq!(text, "v=1&net=cube:4&switch=circuit&break=3,5&rate=0.4&seed=7");
        assert!(lost.is_empty(), "{lost:?}");
        // A default network is replaced.
        let (text, lost) = converted("faults=nodes:0.3&sample=11", "net=cube:4&switch=permutation");
        assert_eq!(text, "v=1&net=cube:4&switch=permutation");
        assert_eq!(lost, ["the random faults (nodes:0.3)"]);
    }

    #[test]
    fn conversion_reports_what_it_drops() {
        let (text, lost) = converted("net=cube:40&faults=nodes:0.3", "net=cube:4&switch=permutation");
        assert!(text.contains("switch=permutation") && lost[0].contains("cube:40 is too large"), "{text} {lost:?}");
        let (text, lost) = converted("net=mesh:6x6&switch=wormhole&break=3.3", "net=cube:4");
        assert!(text.contains("net=cube:4") && !text.contains("break"), "{text}");
        assert_eq!(lost, ["the faults set by hand"]);
        let (text, lost) = converted("net=cube:4&break=3,2_1", "net=cube:4&switch=permutation");
        assert!(text.contains("break=3,2_1") && lost.is_empty(), "{text} {lost:?}");
        let (text, lost) = converted("net=cube:4&break=3,9_1", "net=cube:3&switch=circuit");
        assert!(text.contains("net=cube:4") && text.contains("9_1") && lost.is_empty(), "{text} {lost:?}");
    }
}
