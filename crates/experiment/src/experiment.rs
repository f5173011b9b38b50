//! The [`Experiment`] value, which contains everything that decides a result.

use faultlab_core::ParseError;
use faultlab_core::names;
use std::sync::Arc;

use super::chart_options::ChartOptions;
use super::kind::{EndpointRole, Kind};
use super::metric::{Metric, Plot};
use super::parameter::{Parameter, ParameterRole};
use super::{Setting, Vary, Version, kinds::KINDS};
use faultlab_core::fault::{FaultModel, FaultSpec};
use faultlab_core::routing::rules::RuleText;
use faultlab_core::routing::{self, Algorithm, UseCase};
use faultlab_core::topology::{Hypercube, Link, Mesh, Network, NodeId};
use faultlab_core::traffic::{Pair, Pattern};

/// An experiment: the fields that all kinds share, the setting of its own kind, and its view.
///
/// The text form of an experiment ([`std::fmt::Display`], [`std::str::FromStr`]) is the page's
/// link, the command line's argument and the content of an experiment file. A parsed value is
/// valid. [`Experiment::validate`] checks a value made by other means.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// Version of the experiment's text.
    pub version: Version,
    /// Network in which messages move.
    pub network: Network,
    /// Fault model and manual edits of the faults.
    pub faults: FaultSpec,
    /// Source node; `None` selects the default of [`Experiment::ends`].
    pub from: Option<NodeId>,
    /// Destination node; `None` selects the default of [`Experiment::ends`].
    pub to: Option<NodeId>,
    /// User-defined routings, which `routing` may name besides the built-in ones.
    pub rules: Option<Arc<RuleText>>,
    /// Algorithms to compare, at least one, without duplicates.
    pub routing: Vec<Arc<Algorithm>>,
    /// Setting of the experiment's kind. It also determines the kind.
    pub setting: Setting,
    /// Parameter that a sweep varies, with its values.
    pub vary: Option<Vary>,
    /// Target half-width of the 95% confidence interval of the first metric, at which a point
    /// stops.
    ///
    /// The kind decides whether the width is absolute or a share of the mean. Range: 0.0001 to 0.5,
    /// or [`Experiment::ALL_TRIALS`].
    pub within: f64,
    /// Upper limit of the trials of a point, 1 to 10^9.
    ///
    /// The kind decides the unit: messages, fault sets or message sets.
    pub trials: u64,
    /// Seed of all random numbers.
    pub seed: u64,
    /// View of the experiment. Only `sample` affects results.
    pub view: ViewOptions,
}

/// View of an experiment: the tab, the layout and the chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewOptions {
    /// Selected tab.
    pub tab: Tab,
    /// Trial number of the random pattern that Watch shows.
    pub sample: u64,
    /// Layout of the network.
    pub layout: Layout,
    /// Metric or distribution on the chart; `None` for the first metric of the kind.
    pub plot: Option<Plot>,
    /// Metric of a second chart, below the first one along the same axis; never beside a
    /// distribution.
    pub second_metric: Option<&'static Metric>,
    /// Hop, cycle or time at which Watch opens, at least 0; `None` for the kind's default.
    pub time: Option<f64>,
    /// Index of the algorithm that Watch explains, from 0, and the number of the message that it
    /// follows; Watch chooses the message if the number is `None`.
    pub follow: Option<(u32, Option<u64>)>,
    /// Chart options.
    pub chart: ChartOptions,
    /// Name of the paper, or of the item of a paper, that Papers shows; `None` for the first paper
    /// with experiments of the kind.
    pub paper: Option<String>,
}

/// Tab of the page.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// Animation of the network and its messages.
    #[default]
    Watch,
    /// Sweeps and charts.
    Measure,
    /// Theorems checked on this instance.
    Check,
    /// Published tables and figures, recomputed.
    Papers,
}

/// Layout of a hypercube.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// Layers by distance from the destination.
    #[default]
    Layers,
    /// Projection with one direction of the plane for each dimension.
    Cube,
    /// Grid with rows and columns in Gray code order: neighbours differ in one bit.
    Grid,
}

names! {
    Tab { Watch: "watch", Measure: "measure", Check: "check", Papers: "papers" }
}

names! {
    Layout { Layers: "layers", Cube: "cube", Grid: "grid" }
}

impl Default for Experiment {
    fn default() -> Self {
        KINDS[0].behavior.default_experiment(Version::LATEST, None)
    }
}

impl Experiment {
    /// Value of [`Experiment::within`] that disables early stopping: every point runs all its
    /// trials.
    pub const ALL_TRIALS: f64 = 0.0;

    /// Returns the experiment that an empty text of a kind with this setting means on `network`: no
    /// faults, the default routing.
    pub(crate) fn with_defaults(
        version: Version,
        setting: Setting,
        network: Network,
        within: f64,
        trials: u64,
    ) -> Self {
        let kind = setting.kind();
        Self {
            version,
            network,
            faults: FaultSpec::NONE,
            from: None,
            to: None,
            rules: None,
            routing: usual_routing(kind, network),
            setting,
            vary: None,
            within,
            trials,
            seed: 1,
            view: ViewOptions::default(),
        }
    }

    /// Returns the kind of this experiment.
    pub fn kind(&self) -> &'static Kind {
        self.setting.kind()
    }

    /// Returns this experiment in the latest version of the text. A default of `trials` becomes
    /// that of the latest version.
    pub fn updated(&self) -> Self {
        let trials = |version| self.kind().behavior.default_experiment(version, Some(self.network)).trials;
        let is_usual = self.trials == trials(self.version);
        let version = Version::LATEST;
        Self { version, trials: if is_usual { trials(version) } else { self.trials }, ..self.clone() }
    }

    /// Returns the known defect of the method that measures this experiment; `None` if there is
    /// none.
    pub fn known_defect(&self) -> Option<&'static str> {
        self.version.known_defect().filter(|_| self.kind().is_under_load())
    }

    /// Returns the hypercube of this experiment; `None` on other networks.
    pub fn cube(&self) -> Option<Hypercube> {
        self.network.cube()
    }

    /// Returns the mesh of this experiment; `None` on other networks.
    pub fn mesh(&self) -> Option<Mesh> {
        self.network.mesh()
    }

    /// Returns source and destination, with defaults for missing ends.
    ///
    /// The default source is node 0, or the node opposite of a set destination. The default
    /// destination is the node opposite of the source. If the source is in the middle of a mesh,
    /// and so its own opposite, the destination is node 0.
    pub fn ends(&self) -> Pair {
        self.ends_in(self.network)
    }

    /// Returns source and destination as in [`Experiment::ends`], in another network.
    pub(super) fn ends_in(&self, network: Network) -> Pair {
        let opposite = |node| match network.opposite(node) {
            same if same == node => NodeId(0),
            other => other,
        };
        let from = self.from.unwrap_or_else(|| self.to.map_or(NodeId(0), opposite));
        Pair { from, to: self.to.unwrap_or_else(|| opposite(from)) }
    }

    /// Returns the experiment at the value `x` of its varied parameter; unchanged for `None` or
    /// without such a parameter.
    pub(super) fn at(&self, x: Option<f64>) -> Self {
        let mut at = self.clone();
        if let (Some(vary), Some(x)) = (&self.vary, x) {
            (vary.parameter.apply)(&mut at, x);
        }
        at
    }

    /// Returns one point of the sweep for Watch: the experiment at the value `x` of its varied
    /// parameter, which explains `algorithm`. The order of the algorithms, and with it their
    /// colours, stays as it is.
    pub fn for_watch(&self, x: Option<f64>, algorithm: &Algorithm) -> Self {
        let mut watched = self.at(x);
        watched.vary = None;
        let place = watched.routing.iter().position(|other| **other == *algorithm).unwrap_or(0);
        let follow = (place > 0).then_some((place as u32, None));
        watched.view =
            ViewOptions { tab: Tab::Watch, time: None, follow, chart: ChartOptions::default(), ..watched.view };
        watched
    }

    /// Returns the experiments at all values of the varied parameter; only this one if it varies
    /// nothing.
    pub fn points(&self) -> Vec<Self> {
        match &self.vary {
            Some(vary) => vary.values().into_iter().map(|x| self.at(Some(x))).collect(),
            None => vec![self.clone()],
        }
    }

    /// Returns the nodes that never fail: the ends of a single message, otherwise none.
    pub(super) fn protected_nodes(&self) -> [NodeId; 2] {
        match (self.kind().endpoint_role, self.ends()) {
            (EndpointRole::Protected, ends) => [ends.from, ends.to],
            _ => [NodeId::NONE; 2],
        }
    }

    /// Returns whether the fault set is the same in every trial.
    pub fn faults_are_fixed(&self) -> bool {
        self.faults.model == FaultModel::None
    }

    /// Returns whether the two experiments differ only in their views.
    pub fn is_same_measurement(&self, other: &Self) -> bool {
        let view = self.view.clone();
        *self == Self { view, ..other.clone() }
    }
}

impl Experiment {
    /// Returns the algorithms to compare when the text names none.
    ///
    /// User-defined routings that run on the network are preferred to the kind's defaults.
    pub(super) fn default_routing(&self) -> Vec<Arc<Algorithm>> {
        let own = self.rules.iter().flat_map(|rules| rules.routings()).cloned();
        let own: Vec<_> = own.filter(|own| self.kind().takes(own, self.network).is_ok()).collect();
        match (own.is_empty(), &self.rules) {
            (false, _) => own,
            // Keep routings that do not fit, so that validation reports the reason.
            (true, Some(rules)) => rules.routings().to_vec(),
            (true, None) => usual_routing(self.kind(), self.network),
        }
    }

    /// Reads user-defined routings and updates the compared algorithms.
    ///
    /// Compared user-defined routings are replaced by the new ones of the same name, or removed.
    /// New routings are added.
    pub(super) fn read_rules(&mut self, text: &str) -> Result<(), ParseError> {
        let rules = match text.is_empty() {
            true => None,
            false => Some(Arc::new(RuleText::parse(text).map_err(|error| error.to_string())?)),
        };
        let before = std::mem::replace(&mut self.rules, rules);
        let was_own = |id: &str| before.as_ref().is_some_and(|before| before.find(id).is_some());
        let now = |id: &str| self.rules.as_ref().and_then(|rules| rules.find(id)).cloned();
        let kept =
            self.routing.iter().filter_map(|old| if was_own(&old.id) { now(&old.id) } else { Some(old.clone()) });
        let mut routing: Vec<_> = kept.collect();
        let own = self.rules.iter().flat_map(|rules| rules.routings());
        let new = own.filter(|own| !was_own(&own.id) && self.kind().takes(own, self.network).is_ok());
        routing.extend(new.cloned());
        self.routing = if routing.is_empty() { self.default_routing() } else { routing };
        Ok(())
    }

    /// Returns the algorithm called `id`, user-defined or built-in.
    ///
    /// # Errors
    /// Returns the reason why the name is wrong.
    pub(super) fn find_routing(&self, id: &str) -> Result<Arc<Algorithm>, ParseError> {
        let own = self.rules.as_ref().and_then(|rules| rules.find(id)).cloned();
        own.map_or_else(|| routing::find(id), Ok)
    }
}

/// Returns why `pattern` is not defined on `network`; `None` if it is defined.
pub(super) fn pattern_problem(pattern: &Pattern, network: Network) -> Option<String> {
    match network {
        Network::Hypercube(cube) => pattern.problem_on(cube),
        Network::Mesh(mesh) => pattern.problem_on(mesh),
        Network::FatTree(_) => None,
        Network::Butterfly(butterfly) => pattern.problem_on(butterfly.row_cube()),
    }
}

/// Returns the built-in algorithms to compare when a text names none, those that best show the
/// network's behaviour.
pub(super) fn usual_routing(kind: &Kind, network: Network) -> Vec<Arc<Algorithm>> {
    kind.behavior.default_routing(network).iter().filter_map(|id| routing::find(id).ok()).collect()
}

/// Conversions to other parameters, networks and kinds.
impl Experiment {
    /// Returns this experiment varying the parameter called `id` over suggested values.
    ///
    /// The result varies nothing if there is no such parameter. The fault model changes if the
    /// parameter requires another one.
    pub fn varying(&self, id: &str) -> Self {
        let mut next = self.clone();
        next.vary = None;
        let Some(parameter) = self.kind().parameter(id) else { return next };
        let values = format!("{id}:{}", (parameter.suggested_values)(self));
        next.vary = Vary::parse(self.kind(), &values).ok();
        next.faults.model = self.faults_to_vary(parameter);
        // Named ends exist only in some of the networks.
        if matches!(parameter.role, ParameterRole::Size { .. }) && self.cube().is_some() {
            (next.from, next.to) = (None, None);
        }
        next
    }

    /// Returns a fault model that supports `parameter`: a fault rate, for example, needs a model
    /// with a rate.
    fn faults_to_vary(&self, parameter: &Parameter) -> FaultModel {
        let model = self.faults.model;
        match parameter.role {
            ParameterRole::FaultRate if model.rate().is_none() => self.kind().rated_faults(self.network),
            ParameterRole::FaultCount if model.fault_count().is_none() => self.kind().behavior.counted_faults(self),
            _ => model,
        }
    }

    /// Returns this experiment on another network of the same kind, without the ends and edits that
    /// do not exist in `network`.
    pub fn resized(&self, network: Network) -> Self {
        let mut next = self.clone();
        next.network = network;
        // Nodes of meshes keep their coordinates.
        let node = |node| self.map_node(node, network);
        let link = |link: Link| Some(Link { from: node(link.from)?, ..link }).filter(|&link| network.has_link(link));
        (next.from, next.to) = (self.from.and_then(node), self.to.and_then(node));
        let protected = next.protected_nodes();
        for nodes in [&mut next.faults.faulty_nodes, &mut next.faults.live_nodes] {
            *nodes = nodes.iter().filter_map(|&old| node(old)).filter(|node| !protected.contains(node)).collect();
        }
        for links in [&mut next.faults.faulty_links, &mut next.faults.live_links] {
            *links = links.iter().filter_map(|&old| link(old)).collect();
        }
        match &mut next.faults.model {
            FaultModel::Count(count) => *count = (*count).min(network.inner_node_count()),
            FaultModel::Adversarial(_, count) => {
                *count = network.cube().map_or(*count, |cube| u64::from(*count).min(cube.mask() + 1) as u32);
            }
            FaultModel::LinkCount(count) => *count = (*count).min(network.link_count().unwrap_or(u64::MAX)),
            _ => {}
        }
        self.kind().behavior.resize(self, &mut next);
        let dimension = network.cube().map(Hypercube::dimension);
        next.routing.retain(|algorithm| algorithm.dimension.is_none() || algorithm.dimension == dimension);
        let fits = |algorithm: &Arc<Algorithm>| self.kind().takes(algorithm, network).is_ok();
        next.routing.retain(fits);
        if next.routing.is_empty() {
            next.routing = next.default_routing();
            next.routing.retain(fits);
        }
        if next.routing.is_empty() {
            // The user-defined routings are for other networks.
            next.routing = usual_routing(self.kind(), network);
        }
        next
    }

    /// Converts a traffic pattern to another network; `None` if the pattern is not defined on
    /// `network`.
    pub(super) fn map_pattern(&self, pattern: &Pattern, network: Network) -> Option<Pattern> {
        let pattern = pattern.map_nodes(&|node| self.map_node(node, network))?;
        pattern_problem(&pattern, network).is_none().then_some(pattern)
    }

    /// Returns the node of `network` at the coordinates or address bits of `node`; `None` if there
    /// is none.
    pub(super) fn map_node(&self, node: NodeId, network: Network) -> Option<NodeId> {
        match (self.network, network) {
            (Network::Mesh(here), Network::Mesh(there)) => there.map_node_from(here, node),
            (Network::Butterfly(here), Network::Butterfly(there)) => {
                let (row, level) = (here.row(node), here.level(node));
                (row < there.rows() && level <= there.levels()).then(|| there.node(row, level))
            }
            (Network::Hypercube(_), Network::Hypercube(_)) | (Network::FatTree(_), Network::FatTree(_)) => {
                network.contains(node).then_some(node)
            }
            _ => None,
        }
    }

    /// Returns an experiment of another kind with this network and these faults. Defaults replace
    /// what the other kind does not have.
    pub fn converted_to_kind(&self, kind: &'static Kind) -> Self {
        let own = kind.behavior.default_experiment(self.version, None);
        let mut next = Self {
            setting: own.setting.with_shared_values(&self.setting),
            within: own.within,
            trials: own.trials,
            vary: None,
            view: ViewOptions { plot: None, chart: ChartOptions::default(), ..self.view.clone() },
            ..self.clone()
        };
        let like = kind.network_like(self.network, self.kind());
        let target = like.unwrap_or(own.network);
        // Algorithms of circuits differ between hypercubes and meshes.
        let is_supported = |algorithm: &Arc<Algorithm>| match kind.use_case {
            UseCase::Circuits => kind.takes(algorithm, target).is_ok(),
            other => algorithm.check_use(other).is_ok(),
        };
        next.routing.retain(is_supported);
        if next.routing.is_empty() || self.kind().endpoint_role == EndpointRole::Protected && self.rules.is_none() {
            next.routing = if target.mesh().is_some() { usual_routing(kind, target) } else { own.routing };
        }
        let is_permutation = |kind: &Kind| kind.use_case == UseCase::Permutations;
        if is_permutation(kind) && !is_permutation(self.kind()) {
            // A fault rate that a single message tolerates is too high for permutations.
            next.faults.model = own.faults.model;
        }
        let coincide = next.ends().from == next.ends().to && kind.endpoint_role != EndpointRole::MayCoincide;
        if kind.endpoint_role == EndpointRole::None || coincide {
            (next.from, next.to) = (None, None);
        }
        let network = like.unwrap_or_else(|| {
            // Faults of a mesh do not apply to a hypercube, and vice versa.
            next.faults = own.faults;
            own.network
        });
        next.resized(network)
    }
}
