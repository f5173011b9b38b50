//! Validation of the combination of an experiment's parts.

use super::experiment::pattern_problem;
use super::kind::{EndpointRole, FaultDomain};
use super::kinds::KINDS;
use super::limits::{check_fault_count, network_name};
use super::parameter::ParameterRole;
use super::{Experiment, ExperimentError, Problem};
use faultlab_core::fault::FaultModel;
use faultlab_core::routing::{Algorithm, Method, Unsupported};
use faultlab_core::switching::PathFinder;
use faultlab_core::topology::{Hypercube, Link, Network, NodeId};
use faultlab_core::traffic::{BatchTraffic, Pattern, Permutation};

impl Experiment {
    /// Checks that the parts of the experiment are compatible; the error names the key to change.
    ///
    /// # Errors
    /// Returns an error in these cases:
    ///
    /// - the kind does not support the network;
    /// - ends coincide or are broken;
    /// - there are more faults than nodes or links;
    /// - the varied parameter does not apply;
    /// - an algorithm does not support the network or the kind.
    pub fn validate(&self) -> Result<(), ExperimentError> {
        self.check().map_err(|Problem { key, reason: why }| {
            let info = self.kind().key(key);
            let value = info.and_then(|info| info.value(self)).unwrap_or_default();
            let accepted = info.map_or_else(String::new, |info| (info.accepted)(self));
            ExperimentError::new(key, &value, why, accepted)
        })
    }

    /// Runs all checks in a fixed order, up to the first problem.
    fn check(&self) -> Result<(), Problem> {
        self.check_network()?;
        self.check_ends()?;
        self.check_faults()?;
        self.check_named_elements()?;
        self.check_routing()?;
        self.kind().behavior.check(self)?;
        self.check_vary()
    }

    fn check_network(&self) -> Result<(), Problem> {
        let kind = self.kind();
        if !kind.behavior.fits(self.network) {
            let others = KINDS
                .iter()
                .filter(|other| other.behavior.fits(self.network))
                .map(|other| format!("switch={}", other.id));
            let others = others.collect::<Vec<_>>().join(", ");
            let why = format!(
                "switch={} runs on {}; for {} use {others}",
                kind.id,
                kind.networks,
                network_name(self.network)
            );
            return Err(Problem::new("net", why));
        }
        let largest = self.networks().filter_map(|network| Some(network.cube()?.dimension())).max().unwrap_or(0);
        let most = kind.largest_cube;
        if largest > most {
            let key = if self.cube().is_some_and(|cube| cube.dimension() > most) { "net" } else { "vary" };
            return Err(Problem::new(key, format!("switch={} supports hypercubes up to n = {most}", kind.id)));
        }
        Ok(())
    }

    fn check_ends(&self) -> Result<(), Problem> {
        let (ends, meaning) = (self.ends(), self.kind().endpoint_role);
        if ends.from == ends.to && !matches!(meaning, EndpointRole::MayCoincide | EndpointRole::None) {
            let key = if self.to.is_some() { "to" } else { "from" };
            return Err(Problem::new(key, "source and destination coincide"));
        }
        if meaning != EndpointRole::Protected {
            return Ok(());
        }
        for network in self.networks() {
            let ends = self.ends_in(network);
            if let Some(node) = self.faults.faulty_nodes.iter().find(|&&node| ends.contains(node)) {
                let why = format!("node {node} is the source or the destination in {network}");
                return Err(Problem::new("break", why));
            }
        }
        Ok(())
    }

    fn check_faults(&self) -> Result<(), Problem> {
        let faults = &self.faults;
        if let Some(&node) = faults.faulty_nodes.iter().find(|node| faults.live_nodes.binary_search(node).is_ok()) {
            return Err(Problem::new("break", format!("node {} is also mended", self.network.format_node(node))));
        }
        if let Some(&link) = faults.faulty_links.iter().find(|link| faults.live_links.binary_search(link).is_ok()) {
            return Err(Problem::new("break", format!("link {} is also mended", self.network.format_link(link))));
        }
        match self.kind().fault_domain {
            FaultDomain::NodesAndLinks => self.check_no_wires()?,
            FaultDomain::Wires => self.check_wires_only()?,
        }
        self.networks().try_for_each(|network| check_fault_count("faults", faults.model, network))
    }

    fn check_no_wires(&self) -> Result<(), Problem> {
        if matches!(self.faults.model, FaultModel::Wires(_)) {
            let why = format!("switch={} has nodes and links, not wires", self.kind().id);
            return Err(Problem::new("faults", why));
        }
        Ok(())
    }

    fn check_wires_only(&self) -> Result<(), Problem> {
        let faults = &self.faults;
        if !matches!(faults.model, FaultModel::Wires(_) | FaultModel::None) {
            return Err(Problem::new("faults", "in fat-trees only wires fail: use wires:P"));
        }
        if let Some(&node) = faults.faulty_nodes.first().or(faults.live_nodes.first()) {
            let key = if faults.faulty_nodes.is_empty() { "mend" } else { "break" };
            return Err(Problem::new(key, format!("{node} is a processor, but in fat-trees only wires fail")));
        }
        Ok(())
    }

    /// Checks that every network of the sweep has every named node and link.
    fn check_named_elements(&self) -> Result<(), Problem> {
        let faults = &self.faults;
        let of_setting = self.kind().behavior.named_nodes(self);
        let named = [
            ("traffic", of_setting.as_slice(), &[][..]),
            ("from", self.from.as_slice(), &[]),
            ("to", self.to.as_slice(), &[]),
            ("break", &faults.faulty_nodes, &faults.faulty_links),
            ("mend", &faults.live_nodes, &faults.live_links),
        ];
        for (key, nodes, links) in named {
            for network in self.networks() {
                if let Some(what) = self.missing(nodes, links, network) {
                    let key = if network == self.network { key } else { "vary" };
                    return Err(Problem::new(key, format!("{what} does not exist in {}", network_name(network))));
                }
            }
        }
        Ok(())
    }

    /// Checks that every network of the sweep defines the traffic pattern.
    pub(super) fn check_pattern(&self, pattern: &Pattern) -> Result<(), Problem> {
        let undefined = self.networks().find(|&network| self.map_pattern(pattern, network).is_none());
        undefined.map_or(Ok(()), |network| {
            let key = if network == self.network { "traffic" } else { "vary" };
            let what = pattern_problem(pattern, network).unwrap_or_else(|| "a hot spot is not one of its nodes".into());
            Err(Problem::new(key, format!("{} does not support the pattern: {what}", network_name(network))))
        })
    }

    /// Checks that every network of the sweep defines the permutation of the traffic.
    pub(super) fn check_permutation(&self, traffic: &BatchTraffic) -> Result<(), Problem> {
        let BatchTraffic::Rule(Permutation::Linear(map)) = traffic else { return Ok(()) };
        self.check_pattern(&Pattern::Linear(*map))
    }

    /// Returns the first of the nodes and links that does not exist in `network`.
    pub(super) fn missing(&self, nodes: &[NodeId], links: &[Link], network: Network) -> Option<String> {
        let node = nodes.iter().find(|&&node| self.map_node(node, network).is_none());
        let moved = |link: Link| self.map_node(link.from, network).map(|from| Link { from, ..link });
        let link = links.iter().find(|&&link| !moved(link).is_some_and(|link| network.has_link(link)));
        let node = node.map(|&node| format!("node {}", self.network.format_node(node)));
        node.or_else(|| link.map(|&link| format!("link {}", self.network.format_link(link))))
    }

    fn check_routing(&self) -> Result<(), Problem> {
        if self.routing.is_empty() {
            return Err(Problem::new("route", "no algorithm"));
        }
        self.routing.iter().try_for_each(|algorithm| self.check_algorithm(algorithm))
    }

    /// Checks that the algorithm runs on every network of the sweep.
    fn check_algorithm(&self, algorithm: &Algorithm) -> Result<(), Problem> {
        let id = &algorithm.id;
        for network in self.networks() {
            let fits = self.kind().takes(algorithm, network);
            fits.map_err(|misfit| Problem::new("route", unsupported_reason(id, network, misfit)))?;
        }
        let cubes = || self.networks().filter_map(|network| network.cube().map(Hypercube::dimension));
        let most = PathFinder::MAX_DIMENSION;
        if matches!(algorithm.method, Method::Global) && cubes().any(|n| n > most) {
            return Err(Problem::new("route", format!("{id} supports hypercubes up to n = {most}")));
        }
        if let Some(sum) = algorithm.dimension
            && let Some(n) = cubes().find(|&n| n != sum)
        {
            let why = format!("the levels of {id} sum to {sum}, not to the {n} dimensions of the cube");
            return Err(Problem::new("route", why));
        }
        Ok(())
    }

    fn check_vary(&self) -> Result<(), Problem> {
        self.vary.as_ref().map_or(Ok(()), |vary| (vary.parameter.check)(self, &vary.values()))
    }

    /// Returns the networks that a sweep visits, its own first.
    pub(super) fn networks(&self) -> impl Iterator<Item = Network> {
        let sizes = self.vary.as_ref().filter(|vary| matches!(vary.parameter.role, ParameterRole::Size { .. }));
        let visited = sizes.map_or_else(Vec::new, |_| self.points());
        std::iter::once(self.network).chain(visited.into_iter().map(|point| point.network))
    }
}

/// Returns the reason why the algorithm called `id` is not used on `network`, with the kinds that
/// support it.
fn unsupported_reason(id: &str, network: Network, misfit: Unsupported) -> String {
    match misfit {
        Unsupported::OtherUse(uses) => {
            let kinds = KINDS.iter().filter(|kind| uses.contains(&kind.use_case));
            let kinds: Vec<_> = kinds.map(|kind| format!("switch={}", kind.id)).collect();
            format!("{id} {misfit}: use it with {}", kinds.join(" or "))
        }
        Unsupported::NetworkRequirement(_) | Unsupported::Blocks => {
            format!("{id} does not run on {}: it {misfit}", network_name(network))
        }
        _ => format!("{id} {misfit}"),
    }
}
