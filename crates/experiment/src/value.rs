//! The value that says everything that decides a result.

use faultlab_core::ParseError;
use faultlab_core::names;
use std::sync::Arc;

use super::chart_view::ChartView;
use super::kind::{Breaks, Ends, Kind};
use super::metric::{Metric, Plot};
use super::parameter::{Parameter, Role};
use super::{Setting, Vary, Version, kinds::KINDS};
use faultlab_core::fault::{FaultModel, FaultSpec};
use faultlab_core::routing::rules::RuleText;
use faultlab_core::routing::{self, Algorithm};
use faultlab_core::topology::{Hypercube, Link, Mesh, Network, NodeId};
use faultlab_core::traffic::{Pair, Pattern};

/// An experiment: what all kinds share, and the setting of its own kind; and how it is looked at.
///
/// Its text form ([`std::fmt::Display`], [`std::str::FromStr`]) is the page's link, the command line's argument and
/// the content of an experiment file. A value made by parsing is valid; [`Experiment::validate`] checks one made by
/// hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Experiment {
    /// The version of its text.
    pub version: Version,
    /// The network.
    pub network: Network,
    /// What is broken.
    pub faults: FaultSpec,
    /// The source; `None` means as [`Experiment::ends`] says.
    pub from: Option<NodeId>,
    /// The destination; `None` means as [`Experiment::ends`] says.
    pub to: Option<NodeId>,
    /// Routings of one's own, that `routing` may name besides the built-in ones.
    pub rules: Option<Arc<RuleText>>,
    /// The algorithms to compare, at least one, none twice.
    pub routing: Vec<Arc<Algorithm>>,
    /// What decides it besides: of its kind, which it names.
    pub setting: Setting,
    /// What a sweep varies.
    pub vary: Option<Vary>,
    /// A point stops when the 95% confidence interval of its first metric is within this half-width: absolutely, or as a share of the
    /// mean, as its kind says; 0.0001 to 0.5, or [`Experiment::ALL_TRIALS`].
    pub within: f64,
    /// A point stops after this many messages, sets of faults or of messages, as its kind says, in any case; 1 to 10^9.
    pub trials: u64,
    /// The seed of everything random.
    pub seed: u64,
    /// How it is looked at; decides no result except `sample`.
    pub view: View,
}

/// How an experiment is looked at.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct View {
    /// Which of the four views.
    pub tab: Tab,
    /// Which of the random patterns is watched: the number of the trial in the sweep.
    pub sample: u64,
    /// How the network is laid out.
    pub layout: Layout,
    /// What a chart shows; `None` for the first metric of the kind.
    pub plot: Option<Plot>,
    /// The metric that a second chart shows, below the first one along the same axis; never beside a distribution.
    pub below: Option<&'static Metric>,
    /// The hop, the cycle or the time at which Watch opens, at least 0; `None` for where the kind begins.
    pub time: Option<f64>,
    /// The message that Watch follows, by its number, and the number of its algorithm among those that are compared, from 0.
    pub follow: Option<(u32, u64)>,
    /// How the chart is looked at.
    pub chart: ChartView,
}

/// The four views.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tab {
    /// The network, messages moving.
    #[default]
    Watch,
    /// Sweeps and charts.
    Measure,
    /// The theorems on this instance.
    Check,
    /// The published tables and figures, recomputed.
    Papers,
}

/// How a hypercube is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Layout {
    /// In layers by distance from the destination.
    #[default]
    Layers,
    /// Projected, one direction of the plane for each dimension.
    Cube,
    /// On a grid whose rows and columns follow the Gray code: neighbours differ in one bit.
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
    /// In place of a half-width: no interval ends a point, all its trials are made.
    pub const ALL_TRIALS: f64 = 0.0;

    /// What an empty text of a kind with this setting stands for on `network`: no faults, the usual routing.
    pub(crate) fn usual(version: Version, setting: Setting, network: Network, within: f64, trials: u64) -> Self {
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
            view: View::default(),
        }
    }

    /// Its kind.
    pub fn kind(&self) -> &'static Kind {
        self.setting.kind()
    }

    /// Returns this experiment in the latest version of the text. A default of `trials` becomes that of the latest version.
    pub fn updated(&self) -> Self {
        let trials = |version| self.kind().behavior.default_experiment(version, Some(self.network)).trials;
        let is_usual = self.trials == trials(self.version);
        let version = Version::LATEST;
        Self { version, trials: if is_usual { trials(version) } else { self.trials }, ..self.clone() }
    }

    /// The known defect of how this experiment is measured; `None` if there is none.
    pub fn shortcoming(&self) -> Option<&'static str> {
        self.version.shortcoming().filter(|_| self.kind().is_under_load())
    }

    /// The hypercube it is about; `None` on other networks.
    pub fn cube(&self) -> Option<Hypercube> {
        self.network.cube()
    }

    /// The mesh it is about; `None` on other networks.
    pub fn mesh(&self) -> Option<Mesh> {
        self.network.mesh()
    }

    /// Source and destination. What is not said: the source is node 0, or the node opposite of the destination; the
    /// destination the one opposite of the source, or node 0 if that is the source itself, in the middle of a mesh.
    pub fn ends(&self) -> Pair {
        self.ends_in(self.network)
    }

    /// The same in another network.
    pub(super) fn ends_in(&self, network: Network) -> Pair {
        let opposite = |node| match network.opposite(node) {
            same if same == node => NodeId(0),
            other => other,
        };
        let from = self.from.unwrap_or_else(|| self.to.map_or(NodeId(0), opposite));
        Pair { from, to: self.to.unwrap_or_else(|| opposite(from)) }
    }

    /// The experiment at the value `x` of its varied parameter; without one, or for `None`, as it stands.
    pub(super) fn at(&self, x: Option<f64>) -> Self {
        let mut at = self.clone();
        if let (Some(vary), Some(x)) = (&self.vary, x) {
            (vary.parameter.apply)(&mut at, x);
        }
        at
    }

    /// One point of its sweep to watch: the experiment at the value `x` of what it varies, `algorithm` the first of those compared.
    pub fn watching(&self, x: Option<f64>, algorithm: &Algorithm) -> Self {
        let mut watched = self.at(x);
        watched.vary = None;
        if let Some(place) = watched.routing.iter().position(|other| **other == *algorithm) {
            watched.routing[..=place].rotate_right(1);
        }
        watched.view = View { tab: Tab::Watch, chart: ChartView::default(), ..watched.view };
        watched
    }

    /// Returns this experiment at every value of what it varies; as it stands, if it varies nothing.
    pub fn points(&self) -> Vec<Self> {
        match &self.vary {
            Some(vary) => vary.values().into_iter().map(|x| self.at(Some(x))).collect(),
            None => vec![self.clone()],
        }
    }

    /// The nodes that are never faulty: of a single message its ends, else none.
    pub(super) fn spared(&self) -> [NodeId; 2] {
        match (self.kind().ends, self.ends()) {
            (Ends::Spared, ends) => [ends.from, ends.to],
            _ => [NodeId::NONE; 2],
        }
    }

    /// Whether the fault set is the same in every trial.
    pub fn faults_are_fixed(&self) -> bool {
        self.faults.model == FaultModel::None
    }

    /// Whether the two differ only in how they are looked at.
    pub fn same_question(&self, other: &Self) -> bool {
        let view = self.view.clone();
        *self == Self { view, ..other.clone() }
    }
}

impl Experiment {
    /// The algorithms that are compared when its text names none: its own that run on its network, else those that show most there.
    pub(super) fn usual_routing(&self) -> Vec<Arc<Algorithm>> {
        let own = self.rules.iter().flat_map(|rules| rules.routings()).cloned();
        let own: Vec<_> = own.filter(|own| self.kind().takes(own, self.network).is_ok()).collect();
        match (own.is_empty(), &self.rules) {
            (false, _) => own,
            // What is wrong with them is said of them.
            (true, Some(rules)) => rules.routings().to_vec(),
            (true, None) => usual_routing(self.kind(), self.network),
        }
    }

    /// Reads routings of one's own. Of those that are compared, own ones become those that are called so now, or go; new
    /// ones join them.
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
        self.routing = if routing.is_empty() { self.usual_routing() } else { routing };
        Ok(())
    }

    /// The algorithm called `id`: one of its own, or a built-in one.
    ///
    /// # Errors
    /// What is wrong with the name.
    pub(super) fn find_routing(&self, id: &str) -> Result<Arc<Algorithm>, ParseError> {
        let own = self.rules.as_ref().and_then(|rules| rules.find(id)).cloned();
        own.map_or_else(|| routing::find(id), Ok)
    }
}

/// The algorithms that are compared when a text names none: those that show most on this network.
pub(super) fn usual_routing(kind: &Kind, network: Network) -> Vec<Arc<Algorithm>> {
    kind.behavior.default_routing(network).iter().filter_map(|id| routing::find(id).ok()).collect()
}

/// Experiments made of others: on another network, of another kind.
impl Experiment {
    /// The same experiment, varying what is called `id` over values that make sense; nothing, if there is no such thing. Faults
    /// become such that it can be varied.
    pub fn varying(&self, id: &str) -> Self {
        let mut next = self.clone();
        next.vary = None;
        let Some(parameter) = self.kind().parameter(id) else { return next };
        let values = format!("{id}:{}", (parameter.suggest)(self));
        next.vary = Vary::parse(self.kind(), &values).ok();
        next.faults.model = self.faults_to_vary(parameter);
        // Ends that are named exist in some of the networks only.
        if matches!(parameter.role, Role::Size { .. }) && self.cube().is_some() {
            (next.from, next.to) = (None, None);
        }
        next
    }

    /// The fault model with which this can be varied: one with a fault rate, say, only if there is one.
    fn faults_to_vary(&self, parameter: &Parameter) -> FaultModel {
        let model = self.faults.model;
        match parameter.role {
            Role::FaultRate if model.rate().is_none() => self.kind().rated_faults(self.network),
            Role::FaultCount if model.faults().is_none() => self.kind().behavior.counted_faults(self),
            _ => model,
        }
    }

    /// The same experiment on another network of the same kind, without the ends and edits that do not exist there.
    pub fn resized(&self, network: Network) -> Self {
        let mut next = self.clone();
        next.network = network;
        // Nodes of meshes keep their places.
        let node = |node| self.moved(node, network);
        let link = |link: Link| Some(Link { from: node(link.from)?, ..link }).filter(|&link| network.has_link(link));
        (next.from, next.to) = (self.from.and_then(node), self.to.and_then(node));
        let spared = next.spared();
        for nodes in [&mut next.faults.broken, &mut next.faults.mended] {
            *nodes = nodes.iter().filter_map(|&old| node(old)).filter(|node| !spared.contains(node)).collect();
        }
        for links in [&mut next.faults.broken_links, &mut next.faults.mended_links] {
            *links = links.iter().filter_map(|&old| link(old)).collect();
        }
        match &mut next.faults.model {
            FaultModel::Count(count) => *count = (*count).min(network.others()),
            FaultModel::Placed(_, count) => {
                *count = network.cube().map_or(*count, |cube| u64::from(*count).min(cube.mask() + 1) as u32);
            }
            FaultModel::LinkCount(count) => *count = (*count).min(network.links().unwrap_or(u64::MAX)),
            _ => {}
        }
        self.kind().behavior.resize(self, &mut next);
        let dimension = network.cube().map(Hypercube::dimension);
        next.routing.retain(|algorithm| algorithm.dimension.is_none() || algorithm.dimension == dimension);
        let fits = |algorithm: &Arc<Algorithm>| self.kind().takes(algorithm, network).is_ok();
        next.routing.retain(fits);
        if next.routing.is_empty() {
            next.routing = next.usual_routing();
            next.routing.retain(fits);
        }
        if next.routing.is_empty() {
            // Its own rules are for other networks.
            next.routing = usual_routing(self.kind(), network);
        }
        next
    }

    /// A pattern of its traffic in another network; `None` if it is not defined there.
    pub(super) fn moved_pattern(&self, pattern: Pattern, network: Network) -> Option<Pattern> {
        let pattern = match pattern {
            Pattern::HotSpot { node, share } => Pattern::HotSpot { node: self.moved(node, network)?, share },
            other => other,
        };
        let defined = match network {
            Network::Hypercube(cube) => pattern.is_on(cube),
            Network::Mesh(mesh) => pattern.is_on(mesh),
            Network::FatTree(_) => true,
        };
        defined.then_some(pattern)
    }

    /// The node of `network` that is where `node` is in this one: the same coordinates, the same address bits. `None` if
    /// there is none.
    pub(super) fn moved(&self, node: NodeId, network: Network) -> Option<NodeId> {
        match (self.network, network) {
            (Network::Mesh(here), Network::Mesh(there)) => there.like(here, node),
            (Network::Hypercube(_), Network::Hypercube(_)) | (Network::FatTree(_), Network::FatTree(_)) => {
                network.contains(node).then_some(node)
            }
            _ => None,
        }
    }

    /// The same network and faults in an experiment of another kind: what does not exist there gives way to its default.
    pub fn switched(&self, kind: &'static Kind) -> Self {
        let own = kind.behavior.default_experiment(self.version, None);
        let mut next = Self {
            setting: own.setting.with_what_fits(&self.setting),
            within: own.within,
            trials: own.trials,
            vary: None,
            view: View { plot: None, chart: ChartView::default(), ..self.view.clone() },
            ..self.clone()
        };
        next.routing.retain(|algorithm| algorithm.can(kind.uses).is_ok());
        if next.routing.is_empty() || self.kind().ends == Ends::Spared && self.rules.is_none() {
            next.routing = own.routing;
        }
        if kind.breaks == Breaks::Nodes && self.kind().breaks != Breaks::Nodes {
            // The share of nodes that a single message gets by leaves no permutation.
            next.faults.broken_links.clear();
            next.faults.mended_links.clear();
            next.faults.model = own.faults.model;
        }
        let coincide = next.ends().from == next.ends().to && kind.ends != Ends::MayCoincide;
        if kind.ends == Ends::None || coincide {
            (next.from, next.to) = (None, None);
        }
        let network = kind.network_like(self.network, self.kind()).unwrap_or_else(|| {
            // Faults of a mesh mean nothing in a cube, nor do those of a cube in a mesh.
            next.faults = own.faults;
            own.network
        });
        next.resized(network)
    }
}
