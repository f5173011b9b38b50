//! Whether the parts of an experiment fit together.

use super::value::switching_fits;
use super::{Experiment, ExperimentError, KEYS, Parameter};
use crate::fault::FaultModel;
use crate::routing::Method;
use crate::switching::{PathFinder, Switching};
use crate::topology::{Hypercube, Link, Network, NodeId};
use crate::traffic::Pair;

/// What is wrong: the key to change, and why.
type Problem = (&'static str, String);

impl Experiment {
    /// Whether its parts fit together; the error names the key to change.
    ///
    /// # Errors
    /// When ends coincide or are broken, when there are more faults than nodes or links, when the varied parameter has
    /// nothing to vary, or when an algorithm cannot run on such a cube or under such switching.
    pub fn validate(&self) -> Result<(), ExperimentError> {
        let checks = [Self::check_ends, Self::check_faults, Self::check_places, Self::check_routing, Self::check_vary];
        match checks.into_iter().find_map(|check| check(self)) {
            None => Ok(()),
            Some((key, problem)) => {
                let info = KEYS.iter().find(|info| info.name == key);
                let value = info.and_then(|info| info.value(self)).unwrap_or_default();
                Err(ExperimentError::new(key, &value, problem, info.map_or("", |info| info.accepted)))
            }
        }
    }

    fn check_ends(&self) -> Option<Problem> {
        let ends = self.ends();
        if ends.from == ends.to {
            return Some((if self.to.is_some() { "to" } else { "from" }, "source and destination coincide".into()));
        }
        if self.switching != Switching::Message {
            return None;
        }
        self.cells_cubes().find_map(|cube| {
            let ends = Pair::antipodal(cube, self.from, self.to);
            let node = self.faults.broken.iter().find(|&&node| ends.has(node))?;
            let network = Network::Hypercube(cube);
            Some(("break", format!("node {node} is the source or the destination in {network}")))
        })
    }

    fn check_faults(&self) -> Option<Problem> {
        let smallest = self.smallest();
        let faults = &self.faults;
        if let Some(node) = faults.broken.iter().find(|node| faults.mended.binary_search(node).is_ok()) {
            return Some(("break", format!("node {node} is also mended")));
        }
        if let Some(link) = faults.broken_links.iter().find(|link| faults.mended_links.binary_search(link).is_ok()) {
            return Some(("break", format!("link {link} is also mended")));
        }
        let too_many = |count: u64, most: u64, what: &str| {
            (count > most).then(|| ("faults", format!("at most {most} {what} can be faulty")))
        };
        match faults.model {
            FaultModel::Count(count) => too_many(count, smallest.others(), "of the other nodes"),
            FaultModel::LinkCount(count) => too_many(count, smallest.links().unwrap_or(u64::MAX), "links"),
            _ => None,
        }
    }

    /// Every node and link that is named exists in every cube that is visited.
    fn check_places(&self) -> Option<Problem> {
        let smallest = self.smallest();
        let faults = &self.faults;
        let named = |key: &'static str, nodes: &[NodeId], links: &[Link]| {
            let node = nodes.iter().find(|&&node| !smallest.contains(node));
            let lies = |link: &Link| smallest.contains(link.from) && link.dim < smallest.dimension();
            let link = links.iter().find(|link| !lies(link));
            let what = node.map(|node| (format!("node {node}"), self.cube().contains(*node)));
            let what = what.or_else(|| link.map(|link| (format!("link {link}"), self.cube().contains(link.from))));
            let (what, exists) = what?;
            let key = if self.vary.is_some() && exists { "vary" } else { key };
            Some((key, format!("{what} does not exist in the {}-cube", smallest.dimension())))
        };
        named("from", self.from.as_slice(), &[])
            .or_else(|| named("to", self.to.as_slice(), &[]))
            .or_else(|| named("break", &faults.broken, &faults.broken_links))
            .or_else(|| named("mend", &faults.mended, &faults.mended_links))
            .or_else(|| {
                let problem = || format!("the hot node does not exist in the {}-cube", smallest.dimension());
                (!self.traffic.is_on(smallest)).then(|| ("traffic", problem()))
            })
    }

    fn check_routing(&self) -> Option<Problem> {
        let (largest, most) = (self.largest(), self.largest_dimension());
        if self.routing.is_empty() {
            return Some(("route", "no algorithm".into()));
        }
        if largest.dimension() > most {
            let key = if self.cube().dimension() > most { "net" } else { "vary" };
            let kind = Switching::ALL.iter().find(|(kind, _)| *kind == self.switching).map_or("", |kind| kind.1);
            return Some((key, format!("switch={kind} looks at whole cubes, up to n = {most}")));
        }
        self.routing.iter().find_map(|algorithm| {
            if !switching_fits(self.switching, algorithm) {
                let why = match self.switching {
                    Switching::Message => "compares whole networks: use it with switch=pairs",
                    Switching::Circuit => {
                        "sets up no circuits: use e-cube, up, dp, restricted-up, minimal, up-dp-mix or a \
                                           hierarchy"
                    }
                    Switching::Pairs => {
                        "has no permitted paths to look for: use e-cube, up, dp, restricted-up, up-or-dp, \
                                         minimal, up-dp-mix or a hierarchy"
                    }
                };
                return Some(("route", format!("{} {why}", algorithm.id)));
            }
            if matches!(algorithm.method, Method::Global) && largest.dimension() > PathFinder::MAX_DIMENSION {
                return Some((
                    "route",
                    format!("global looks at whole cubes, up to n = {}", PathFinder::MAX_DIMENSION),
                ));
            }
            let sum = algorithm.dimension?;
            let cube = self.cells_cubes().find(|cube| cube.dimension() != sum)?;
            let (id, n) = (algorithm.id, cube.dimension());
            Some(("route", format!("the levels of {id} sum to {sum}, not to the {n} dimensions of the cube")))
        })
    }

    fn check_vary(&self) -> Option<Problem> {
        let vary = self.vary.as_ref()?;
        let problem = match (vary.parameter, self.faults.model) {
            (parameter, _) if !parameter.fits(self.switching) => {
                let kinds = Switching::ALL.iter().filter(|(kind, _)| parameter.fits(*kind)).map(|kind| kind.1);
                let kinds = kinds.collect::<Vec<_>>().join(" or ");
                Some(format!("{} can only be varied with switch={kinds}", parameter.id()))
            }
            (Parameter::Rate, FaultModel::None | FaultModel::Count(_) | FaultModel::LinkCount(_)) => {
                Some("p is varied, so faults must be nodes:P, share:P or links:P".into())
            }
            (Parameter::Count, FaultModel::Count(_)) => {
                let others = self.cube().others();
                (vary.last() > others as f64).then(|| format!("at most {others} of the other nodes can be faulty"))
            }
            (Parameter::Count, FaultModel::LinkCount(_)) => {
                let most = self.cube().links().unwrap_or(u64::MAX).min(FaultModel::MAX_LINKS);
                (vary.last() > most as f64).then(|| format!("at most {most} links can be faulty"))
            }
            (Parameter::Count, _) => Some("f is varied, so faults must be count:F or link-count:F".into()),
            _ => None,
        };
        problem.map(|problem| ("vary", problem))
    }

    /// The cubes that a sweep visits.
    fn cells_cubes(&self) -> impl Iterator<Item = Hypercube> {
        let varied = self.vary.as_ref().filter(|vary| vary.parameter == Parameter::Dimension);
        let dimensions = varied.map(|vary| vary.values()).unwrap_or_default();
        std::iter::once(self.cube()).chain(dimensions.into_iter().filter_map(|n| Hypercube::new(n as u8)))
    }

    fn smallest(&self) -> Hypercube {
        self.cells_cubes().min_by_key(|cube| cube.dimension()).unwrap_or(self.cube())
    }

    fn largest(&self) -> Hypercube {
        self.cells_cubes().max_by_key(|cube| cube.dimension()).unwrap_or(self.cube())
    }
}
