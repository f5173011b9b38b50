//! Another kind of experiment, or another network: what a person keeps who turns from one to the other.

use super::kind::Breaks;
use super::{Experiment, View};
use faultlab_core::fault::FaultModel;
use faultlab_core::topology::{Link, Network};

/// An experiment after a turn, and what of the one before has no place in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Turned {
    /// The experiment.
    pub experiment: Experiment,
    /// What was left behind, in words.
    pub lost: Vec<String>,
}

impl Experiment {
    /// What becomes of this experiment when a person turns to one such as `other`: the last one of that kind and network, or the one
    /// with which it opens. The seed, the view and, on a network of the same family, the network and what was broken by hand are
    /// kept; faults that are drawn are those of `other`, because the share that one message gets by leaves no permutation.
    pub fn turned(&self, other: &Self) -> Turned {
        let mut next = Self { seed: self.seed, ..other.clone() };
        next.view = View { tab: self.view.tab, layout: self.view.layout, ..other.view.clone() };
        let mut lost = Vec::new();
        let network = self.network_for(other);
        // A network that nobody has chosen gives way to one that is small enough to be understood.
        let is_chosen = self.network != self.kind().behavior.default_experiment(self.version, None).network;
        if let Some(network) = network.filter(|_| is_chosen) {
            next = next.resized(network);
            if network != self.network {
                lost.push(format!("the network: {} is too large here", self.network));
            }
        }
        let by_hand = self.faults.has_edits();
        if by_hand && network.is_some() {
            lost.extend(next.broken_like(self));
        } else if by_hand {
            lost.push("what was broken by hand".into());
        }
        if self.faults.model != FaultModel::None && self.faults.model != next.faults.model {
            let here = match next.faults.model {
                FaultModel::None => String::new(),
                ref model => format!(": here they are {model}"),
            };
            lost.push(format!("the faults that were drawn ({}){here}", self.faults.model));
        }
        Turned { experiment: next, lost }
    }

    /// The network of this experiment, as far as such a one as `other` can have it; `None` if it runs on others.
    fn network_for(&self, other: &Self) -> Option<Network> {
        let family = |network: Network| std::mem::discriminant(&network);
        if family(self.network) != family(other.network) {
            return None;
        }
        other.kind().network_like(self.network, self.kind())
    }

    /// Breaks what is broken in `before`, where it exists; what does not, in words.
    fn broken_like(&mut self, before: &Self) -> Option<String> {
        let (network, spared) = (self.network, self.spared());
        let nodes = [&before.faults.broken, &before.faults.mended].map(|nodes| {
            let moved = nodes.iter().filter_map(|&node| before.moved(node, network));
            moved.filter(|node| !spared.contains(node)).collect::<Vec<_>>()
        });
        let with_links = self.kind().breaks == Breaks::NodesAndLinks;
        let links = [&before.faults.broken_links, &before.faults.mended_links].map(|links| {
            let moved = links.iter().filter_map(|&link| Some(Link { from: before.moved(link.from, network)?, ..link }));
            moved.filter(|&link| with_links && network.has_link(link)).collect::<Vec<_>>()
        });
        let count = |faults: &faultlab_core::fault::FaultSpec| {
            let wires = faults.broken_wires.len() + faults.mended_channels.len();
            faults.broken.len() + faults.mended.len() + faults.broken_links.len() + faults.mended_links.len() + wires
        };
        [self.faults.broken, self.faults.mended] = nodes;
        [self.faults.broken_links, self.faults.mended_links] = links;
        if self.kind().breaks == Breaks::Wires {
            self.faults.broken_wires.clone_from(&before.faults.broken_wires);
            self.faults.mended_channels.clone_from(&before.faults.mended_channels);
            // Which channels there are, and how thick, only the kind knows.
            self.kind().behavior.resize(before, self);
        }
        let gone = count(&before.faults) - count(&self.faults);
        (gone > 0).then(|| match self.kind().breaks {
            Breaks::NodesAndLinks => format!("{gone} of the nodes and links that were broken or mended by hand"),
            Breaks::Wires => format!("{gone} of the channels that were broken or mended by hand"),
            Breaks::Nodes => {
                format!("{gone} that were broken or mended by hand: here nodes fail, and not the ends or links")
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turned(from: &str, to: &str) -> (String, Vec<String>) {
        let turned = from.parse::<Experiment>().unwrap().turned(&to.parse().unwrap());
        assert_eq!(turned.experiment.validate(), Ok(()), "{from} {to}");
        (turned.experiment.to_string(), turned.lost)
    }

    #[test]
    fn a_chosen_dimension_what_is_broken_by_hand_and_the_seed_are_kept() {
        let (text, lost) = turned("net=cube:4&break=3,5&seed=7", "net=cube:3&switch=circuit&rate=0.4");
        assert_eq!(text, "v=1&net=cube:4&switch=circuit&break=3,5&rate=0.4&seed=7");
        assert!(lost.is_empty(), "{lost:?}");
        // A network that nobody chose gives way.
        let (text, lost) = turned("faults=nodes:0.3&sample=11", "net=cube:4&switch=permutation");
        assert_eq!(text, "v=1&net=cube:4&switch=permutation");
        assert_eq!(lost, ["the faults that were drawn (nodes:0.3)"]);
    }

    #[test]
    fn what_has_no_place_is_said() {
        let (text, lost) = turned("net=cube:40&faults=nodes:0.3", "net=cube:4&switch=permutation");
        assert!(text.contains("switch=permutation") && lost[0].contains("cube:40 is too large"), "{text} {lost:?}");
        let (text, lost) = turned("net=mesh:6x6&switch=wormhole&break=3.3", "net=cube:4");
        assert!(text.contains("net=cube:4") && !text.contains("break"), "{text}");
        assert_eq!(lost, ["what was broken by hand"]);
        let (text, lost) = turned("net=cube:4&break=3,2_1", "net=cube:4&switch=permutation");
        assert!(text.contains("break=3") && !text.contains("2_1"), "{text}");
        assert!(lost[0].starts_with("1 that were broken"), "{lost:?}");
    }
}
