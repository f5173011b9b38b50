//! Compared cases: one description, from which the configurations of all programs are generated.

/// Number of flits of a message. Faultlab's buffers hold up to as many flits, and CAMINOS needs
/// buffers for whole messages with several channels.
pub(super) const LENGTH: u32 = 16;

/// Load at which messages do not interact, for zero-load latencies, in flits per node and cycle.
pub(super) const ZERO_LOAD: f64 = 0.002;

/// Network with a traffic pattern and a number of virtual channels.
#[derive(Clone, Copy)]
pub(super) struct Case {
    pub(super) network: CaseNetwork,
    pub(super) is_transpose: bool,
    pub(super) channels: u32,
}

impl Case {
    /// Returns all cases, or a few for a quick comparison.
    pub(super) fn all(quick: bool) -> Vec<Self> {
        let networks = if quick { &NETWORKS[..1] } else { NETWORKS };
        let channels = if quick { &CHANNELS[..2] } else { &CHANNELS };
        let with = |network: CaseNetwork| channels.iter().filter(move |&&channels| network.supports(channels));
        let both =
            |network| with(network).flat_map(move |&channels| [(network, false, channels), (network, true, channels)]);
        let cases = networks.iter().flat_map(|&network| both(network));
        cases.map(|(network, is_transpose, channels)| Self { network, is_transpose, channels }).collect()
    }

    /// Returns the buffer size of a virtual channel, in flits. With one channel all programs
    /// simulate wormhole switching, with the buffers of the paper. With several channels, CAMINOS
    /// supports only cut-through switching, with space for a message.
    pub(super) fn buffer(self) -> u32 {
        if self.channels == 1 { 2 } else { LENGTH }
    }

    /// Returns the flits per node and cycle on the busiest channel at a load of one.
    fn busiest(self) -> f64 {
        let nodes = self.network.nodes();
        let mut carried = vec![0.0; (nodes * 2 * self.network.dimensions) as usize];
        for from in 0..nodes {
            if self.is_transpose {
                self.network.carry(from, self.network.transposed(from), 1.0, &mut carried);
            } else {
                let share = 1.0 / f64::from(nodes - 1);
                (0..nodes).for_each(|to| self.network.carry(from, to, share, &mut carried));
            }
        }
        carried.into_iter().fold(0.0, f64::max)
    }

    /// Returns the capacity under dimension-order routing: at this load the busiest channel, or the
    /// link of a source, is always busy.
    pub(super) fn capacity(self) -> f64 {
        self.busiest().max(1.0).recip()
    }

    /// Returns the share of the nodes that send.
    pub(super) fn senders(self) -> f64 {
        let nodes = self.network.nodes();
        let silent = (0..nodes).filter(|&node| self.is_transpose && self.network.transposed(node) == node).count();
        1.0 - silent as f64 / f64::from(nodes)
    }

    /// Returns the name of the pattern.
    pub(super) fn traffic(self) -> &'static str {
        if self.is_transpose { "transpose" } else { "uniform" }
    }

    /// Returns the measurement window at a load of `rate`, in flits per node and cycle. Faultlab
    /// uses the same window, see `window` in crates/experiment/src/worm/trial.rs.
    pub(super) fn window(self, rate: f64) -> Window {
        let warm_up = 100 * (self.network.diameter() + LENGTH);
        let messages = rate / f64::from(LENGTH) * f64::from(self.network.nodes());
        let span = ((13_000.0 / messages) as u32).clamp(warm_up, 30 * warm_up);
        // The span has six equal parts.
        Window { warm_up, span: span / 6 * 6 }
    }
}

/// Warm-up, and the number of measured cycles after it.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) warm_up: u32,
    pub(super) span: u32,
}

#[derive(Clone, Copy, PartialEq)]
pub(super) enum CaseFamily {
    Mesh,
    Torus,
    /// Mesh with two nodes in each dimension.
    Cube,
}

/// Network with the same number of nodes, `side`, in each dimension.
#[derive(Clone, Copy)]
pub(super) struct CaseNetwork {
    pub(super) family: CaseFamily,
    pub(super) side: u32,
    pub(super) dimensions: u32,
}

/// Networks in ascending order of their number of nodes.
const NETWORKS: &[CaseNetwork] = &[
    CaseNetwork { family: CaseFamily::Mesh, side: 8, dimensions: 2 },
    CaseNetwork { family: CaseFamily::Torus, side: 8, dimensions: 2 },
    // In a ring of odd length, one direction to a destination is always shorter.
    CaseNetwork { family: CaseFamily::Torus, side: 7, dimensions: 2 },
    CaseNetwork { family: CaseFamily::Cube, side: 2, dimensions: 6 },
    CaseNetwork { family: CaseFamily::Mesh, side: 16, dimensions: 2 },
];

const CHANNELS: [u32; 3] = [1, 4, 8];

impl CaseNetwork {
    /// Returns the name in the syntax of Faultlab.
    pub(super) fn name(self) -> String {
        let Self { family, side, dimensions } = self;
        match family {
            CaseFamily::Mesh => format!("mesh:{side}x{side}"),
            CaseFamily::Torus => format!("torus:{side}x{side}"),
            CaseFamily::Cube => format!("cube:{dimensions}"),
        }
    }

    pub(super) fn nodes(self) -> u32 {
        self.side.pow(self.dimensions)
    }

    /// Returns whether the network is compared with `channels` virtual channels. Dimension-order
    /// routing on a torus needs two channels in Faultlab. Eight channels on the largest network
    /// take CAMINOS minutes.
    fn supports(self, channels: u32) -> bool {
        (self.family != CaseFamily::Torus || channels >= 2) && (self.nodes() < 256 || channels <= 4)
    }

    fn diameter(self) -> u32 {
        let longest = if self.family == CaseFamily::Torus { self.side / 2 } else { self.side - 1 };
        longest * self.dimensions
    }

    fn coordinate(self, node: u32, dimension: u32) -> u32 {
        node / self.side.pow(dimension) % self.side
    }

    /// Returns the node whose address has the halves of `node` swapped.
    fn transposed(self, node: u32) -> u32 {
        let half = self.side.pow(self.dimensions / 2);
        node % half * half + node / half
    }

    /// Adds `share` to every channel of the dimension-order path between two nodes. For opposite
    /// nodes of a ring, each direction gets half of the share.
    fn carry(self, from: u32, to: u32, share: f64, carried: &mut [f64]) {
        let mut at = from;
        for dimension in 0..self.dimensions {
            let (here, there) = (self.coordinate(at, dimension), self.coordinate(to, dimension));
            let up = (there + self.side - here) % self.side;
            let [up_share, down_share] = match self.family {
                CaseFamily::Torus if 2 * up == self.side => [share / 2.0; 2],
                CaseFamily::Torus if 2 * up < self.side => [share, 0.0],
                CaseFamily::Mesh | CaseFamily::Cube if here < there => [share, 0.0],
                _ => [0.0, share],
            };
            let weight = self.side.pow(dimension);
            let mut add = |coordinate: u32, is_up: u32, share: f64| {
                let node = at - here * weight + coordinate % self.side * weight;
                carried[(2 * (node * self.dimensions + dimension) + is_up) as usize] += share;
            };
            (0..up).for_each(|step| add(here + step, 1, up_share));
            let down = (self.side - up) % self.side;
            (0..down).for_each(|step| add(here + self.side - step, 0, down_share));
            at = at - here * weight + there * weight;
        }
    }

    /// Returns the load in flits per node and cycle at which uniform traffic saturates the
    /// bisection. Faultlab's loads are shares of it.
    pub(super) fn saturation(self) -> f64 {
        let ways = if self.family == CaseFamily::Torus { 2 } else { 1 };
        let column = self.nodes() / self.side;
        let (nodes, links, near) =
            (f64::from(self.nodes()), f64::from(ways * column), f64::from(self.side / 2 * column));
        links * (nodes - 1.0) / (near * (nodes - near))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saturation_matches_bisection_formulas() {
        let near = |network: CaseNetwork, rate: f64| (network.saturation() - rate).abs() < 1e-12;
        // The formulas are 4 (N - 1) / (k N) for k x k, twice that with wraparound links, and 2 (N
        // - 1) / N for an n-cube.
        assert!(near(NETWORKS[0], 4.0 * 63.0 / (8.0 * 64.0)) && near(NETWORKS[1], 8.0 * 63.0 / (8.0 * 64.0)));
        assert!(near(NETWORKS[2], 14.0 * 48.0 / (21.0 * 28.0)) && near(NETWORKS[3], 2.0 * 63.0 / 64.0));
    }

    #[test]
    fn capacity_is_limited_by_the_busiest_channel() {
        let case = |network, is_transpose| Case { network, is_transpose, channels: 1 };
        let near = |case: Case, rate: f64| (case.capacity() - rate).abs() < 1e-9;
        // The bisection limits uniform traffic; in the hypercube the injection limit is lower.
        assert!(NETWORKS[..2].iter().all(|&network| near(case(network, false), network.saturation())));
        assert!(near(case(NETWORKS[3], false), 1.0));
        // In a row of the mesh seven messages turn at its diagonal. In a hypercube of even n,
        // 2^(n/2 - 1) messages share a channel.
        assert!(near(case(NETWORKS[0], true), 1.0 / 7.0) && near(case(NETWORKS[3], true), 0.25));
        assert!((case(NETWORKS[0], true).senders() - 7.0 / 8.0).abs() < 1e-12);
    }

    #[test]
    fn all_lists_24_cases_and_4_quick_ones() {
        assert_eq!(Case::all(false).len(), 24);
        assert_eq!(Case::all(true).len(), 4);
    }
}
