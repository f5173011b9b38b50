//! Tests with random texts and random rules: no panics, printing and parsing round-trip, and
//! compiled rules agree with the interpreter.

use faultlab::fault::BlockFaults;
use faultlab::random::{Generator, below};
use faultlab::routing::rules::tree::{
    Atom, Condition, CoordinateName, Family, Meaning, Name, NetworkKind, Permission, Ports, RulePosition,
    RuleStatement, Set, Test, Tree, Way, When,
};
use faultlab::routing::rules::{EXAMPLES, EXERCISES, RuleText};
use faultlab::routing::{
    AlgorithmState, Header, Links, LocalRouting, Position, WormHeader, WormPosition, WormRouting, WormStatus,
};
use faultlab::topology::{NodeId, Port};

use super::interpreter::{Choice, Evaluation};
use super::{cubes, generator, other_meshes, parse, plane_sets, tori, worm_routing};
use crate::common::{mesh_with_radices, random_faults};

/// Network family for which rules are generated.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Plane,
    Mesh,
    Cube,
}

struct Draw {
    generator: Generator,
    kind: Kind,
    states: Vec<Name>,
    classes: u8,
    sets: Vec<Name>,
    conditions: Vec<Name>,
}

fn name(text: &str) -> Name {
    Name(text.to_owned(), RulePosition::default())
}

impl Draw {
    fn below(&mut self, most: usize) -> usize {
        below(&mut self.generator, most as u32) as usize
    }

    fn one<T: Clone>(&mut self, all: &[T]) -> T {
        all[self.below(all.len())].clone()
    }

    fn atom(&mut self) -> Atom {
        let mut all = vec![Atom::Minimal, Atom::Minimal, Atom::All, Atom::Live, Atom::Live, Atom::Faulty];
        if self.kind == Kind::Cube {
            // References to the previous hop limit rules to three states.
            all.extend([Atom::Wrong, Atom::Right, Atom::Up, Atom::Down, Atom::Dimension(0), Atom::Dimension(3)]);
            all.push(Atom::Back);
        } else {
            all.extend([Atom::Back, Atom::Ahead, Atom::Positive, Atom::Negative, Atom::Wrapping, Atom::Disabled]);
            all.extend((0..2).map(Atom::Signed));
        }
        if self.kind == Kind::Plane {
            all.extend([Atom::Ringed, Atom::Single]);
            all.extend((0..4).map(Atom::Compass));
        }
        self.one(&all)
    }

    fn set(&mut self, depth: usize) -> Set {
        let deeper = |draw: &mut Self| Box::new(draw.set(depth - 1));
        match self.below(if depth == 0 { 4 } else { 10 }) {
            0 if !self.sets.is_empty() => {
                let sets = self.sets.clone();
                Set::Named(self.one(&sets))
            }
            0..=4 => Set::Atom(self.atom(), RulePosition::default()),
            5 => Set::Lowest(deeper(self)),
            6 => Set::Highest(deeper(self)),
            7 => Set::Not(deeper(self)),
            8 => Set::And(deeper(self), deeper(self)),
            _ => Set::Or(deeper(self), deeper(self)),
        }
    }

    /// Returns a random set that a simple test may begin with.
    fn plain(&mut self) -> Set {
        let atom = Set::Atom(self.atom(), RulePosition::default());
        if self.below(3) == 0 { Set::Lowest(Box::new(atom)) } else { atom }
    }

    fn condition(&mut self, depth: usize) -> Condition {
        let deeper = |draw: &mut Self| Box::new(draw.condition(depth - 1));
        match self.below(if depth == 0 { 7 } else { 10 }) {
            0 if !self.conditions.is_empty() => {
                let conditions = self.conditions.clone();
                Condition::Named(self.one(&conditions))
            }
            1 if self.kind != Kind::Cube => Condition::AtSource(RulePosition::default()),
            2 if self.kind == Kind::Plane => Condition::Around(RulePosition::default()),
            3 if self.kind != Kind::Cube => {
                let (of_destination, odd, at) = (self.below(2) == 0, self.below(2) == 0, RulePosition::default());
                let called = if self.kind == Kind::Plane { CoordinateName::Row } else { CoordinateName::Coordinate };
                Condition::Parity { of_destination, dim: 1, called, odd, at }
            }
            4 if self.kind != Kind::Cube => {
                let hops = 1 + self.below(3) as u8;
                Condition::Test(Test::Some, self.set(1), Set::Atom(Atom::Away(hops), RulePosition::default()))
            }
            0..=5 => {
                let test = self.one(&[Test::Some, Test::No, Test::Every]);
                Condition::Test(test, self.set(1), self.set(1))
            }
            6 => Condition::Test(Test::Plain, self.plain(), self.set(1)),
            7 => Condition::Not(deeper(self)),
            8 => Condition::And(deeper(self), deeper(self)),
            _ => Condition::Or(deeper(self), deeper(self)),
        }
    }

    fn take(&mut self) -> Permission {
        let ports = match self.below(12) {
            0 => Ports::Nothing,
            1 | 2 if self.kind == Kind::Plane => Ports::Ring(RulePosition::default()),
            3 | 4 if self.kind == Kind::Plane => {
                let way = self.one(&[Way::Clockwise, Way::CounterClockwise, Way::Either]);
                Ports::Onto(way, self.set(2), RulePosition::default())
            }
            _ => Ports::Sets((0..1 + self.below(2)).map(|_| self.set(2)).collect()),
        };
        let states = self.states.clone();
        let then = (!states.is_empty() && self.below(2) == 0).then(|| self.one(&states));
        Permission { ports, class: self.below(self.classes as usize) as u8, then }
    }

    fn line(&mut self) -> RuleStatement {
        let states = self.states.clone();
        let states = if !states.is_empty() && self.below(3) == 0 { vec![self.one(&states)] } else { Vec::new() };
        let when = match self.below(6) {
            0 => When::Always,
            _ => When::Condition(self.condition(2)),
        };
        let mut takes: Vec<_> = (0..1 + self.below(2)).map(|_| self.take()).collect();
        let mut when = when;
        if self.kind == Kind::Cube && self.below(3) == 0 {
            // If no port of its set is live, the next rule applies. Such rules become tiers of
            // messages.
            let (set, live) = (self.set(1), Set::Atom(Atom::Live, RulePosition::default()));
            let is_live = Condition::Test(Test::Some, set.clone(), live);
            when = When::Condition(match (self.below(2), when) {
                (0, When::Condition(rest)) => Condition::And(Box::new(rest), Box::new(is_live)),
                _ => is_live,
            });
            takes.truncate(1);
            takes[0].ports = Ports::Sets(vec![set]);
        }
        let sentence = (self.below(2) == 0).then(|| "why".to_owned());
        RuleStatement { states, when, takes, sentence, at: RulePosition::default() }
    }

    fn tree(seed: u64, kind: Kind) -> Tree {
        let (states, sets, conditions) = (Vec::new(), Vec::new(), Vec::new());
        let mut draw = Self { generator: generator(seed), kind, states, classes: 1, sets, conditions };
        draw.states = ["A", "B", "C", "D", "E"].map(name)[..draw.below(4)].to_vec();
        draw.classes = 1 + draw.below(3) as u8;
        let mut definitions = Vec::new();
        if draw.below(2) == 0 {
            definitions.push((name("some-set"), Meaning::Set(draw.set(2))));
            draw.sets.push(name("some-set"));
            definitions.push((name("some-condition"), Meaning::Condition(draw.condition(2))));
            draw.conditions.push(name("some-condition"));
        }
        let starts = draw.states.clone();
        let starts = starts.into_iter().skip(1).map(|state| (state, draw.condition(1))).collect();
        let family = |family| NetworkKind { family, dimensions: (kind == Kind::Plane).then_some(2) };
        let networks = match kind {
            Kind::Cube => vec![NetworkKind { family: Family::Cube, dimensions: None }],
            _ => vec![family(Family::Mesh), family(Family::Torus)],
        };
        let rules = (0..1 + draw.below(5)).map(|_| draw.line()).collect();
        Tree {
            name: name("random"),
            networks,
            classes: draw.classes,
            escapes: 0,
            states: draw.states,
            starts,
            definitions,
            rules,
        }
    }
}

pub(super) fn random_tree(number: u64) -> Tree {
    // A built-in algorithm already has the name "random".
    let kind = [Kind::Plane, Kind::Mesh, Kind::Cube, Kind::Plane][number as usize % 4];
    Tree { name: name("drawn"), ..Draw::tree(number, kind) }
}

#[test]
fn printed_rules_round_trip() {
    for number in 0..2000 {
        let tree = random_tree(number);
        let text = tree.to_string();
        let read = parse(&text);
        assert_eq!(read.trees(), std::slice::from_ref(&tree), "{text}");
        assert_eq!(read.trees()[0].to_string(), text);
    }
    for example in EXAMPLES {
        for tree in parse(example.text).trees() {
            assert_eq!(parse(&tree.to_string()).trees(), std::slice::from_ref(tree));
        }
    }
}

/// Returns every header possible at a position: every state, around each region in either direction
/// or none.
fn headers(tree: &Tree, faults: &BlockFaults) -> Vec<WormHeader> {
    use faultlab::fault::block::{Orientation, RegionId};
    let states = 0..tree.states.len().max(1) as u8;
    let plain = |state| WormHeader {
        memory: AlgorithmState::State(state),
        ..WormHeader::normal(faultlab::routing::WormType::WE)
    };
    let around = |state| {
        let regions = (0..faults.regions().len().min(2)).filter_map(RegionId::new);
        regions.flat_map(move |region| {
            Orientation::ALL.map(|way| WormHeader {
                status: WormStatus::Misrouted,
                region: Some(region),
                orientation: Some(way),
                ..plain(state)
            })
        })
    };
    states.flat_map(|state| std::iter::once(plain(state)).chain(around(state))).collect()
}

pub(super) fn compare(tree: &Tree, routing: &dyn WormRouting, faults: &BlockFaults) -> u64 {
    let mesh = faults.mesh();
    let mut positions = 0;
    for here in faults.members() {
        for to in faults.members().filter(|&to| to != here) {
            let at = WormPosition { here, to, input_port: None, header: routing.initial_header(faults, here, to, 0) };
            assert_eq!(at.header.memory, AlgorithmState::State(Evaluation { tree, faults, at: &at }.start()), "{tree}");
            let open = mesh.ports().filter(|&port| faults.is_open(here, port.opposite()));
            for came in open.map(Some).chain([None]).take(3) {
                for header in headers(tree, faults) {
                    let at = WormPosition { here, to, input_port: came, header };
                    let expected = dense(Evaluation { tree, faults, at: &at }.choices());
                    // Evaluate twice: the first result is computed, the second comes from the
                    // cache.
                    for _ in 0..2 {
                        assert_eq!(
                            library_choices(routing, faults, &at),
                            expected,
                            "{tree}\n{at:?} on {mesh} {:?}",
                            faults.regions()
                        );
                    }
                    positions += 1;
                }
            }
        }
    }
    positions
}

/// Returns the choices in the interpreter's representation.
fn library_choices(routing: &dyn WormRouting, faults: &BlockFaults, at: &WormPosition) -> Vec<Choice> {
    let choices = routing.choices(faults, at);
    let mut rank = 0;
    let mut found = Vec::new();
    for (index, choice) in choices.iter().enumerate() {
        let AlgorithmState::State(state) = choice.header.memory else { unreachable!("another header") };
        rank += u8::from(choices.is_later(index));
        let around = choice.header.region.zip(choice.header.orientation);
        found.push((choice.port, choice.class, state, around, choice.rule.user_rule().expect("an own rule"), rank));
    }
    found
}

#[test]
fn compiled_rules_agree_with_interpreter() {
    let (planes, meshes, tori, cubes) = (plane_sets(), other_meshes(), tori(), cubes());
    let small = |all: &[BlockFaults]| all.iter().filter(|it| it.mesh().nodes() <= 25).cloned().collect::<Vec<_>>();
    let mut planar = small(&planes);
    planar.extend(small(&tori).into_iter().filter(|it| it.mesh().is_plane()));
    let any = [small(&meshes), small(&tori)].concat();
    let cubes = small(&cubes);
    let mut positions = 0;
    for number in 0..240u64 {
        let tree = random_tree(number);
        let text = parse(&tree.to_string());
        let routing = worm_routing(&text.routings()[0]);
        let sets = match number % 4 {
            1 => &any,
            2 => &cubes,
            _ => &planar,
        };
        let faults = &sets[(number / 4) as usize % sets.len()];
        positions += compare(&tree, &*routing, faults);
    }
    assert!(positions > 100_000, "{positions}");
}

/// Handwritten rules for constructs that random rules rarely contain.
#[test]
fn compiled_rare_constructs_agree_with_interpreter() {
    let planes = [
        // Every live port is examined, although only one port is named.
        "when every live is East take East otherwise take minimal",
        "when no live is East take North otherwise take minimal",
        "when every East is live take East otherwise take minimal",
    ];
    let on_cubes = [
        "always take lowest (wrong and up)",
        "always take lowest (wrong and live) before not back",
        "when some back is dimension 0 take wrong otherwise take not back",
        "states A B in A always take wrong then B in B when some back is up take back then A otherwise take all",
    ];
    let all = planes.map(|rules| ("mesh 2", rules, plane_sets())).into_iter();
    for (on, rules, sets) in all.chain(on_cubes.map(|rules| ("cube", rules, cubes()))) {
        let text = parse(&format!("routing mine on {on} {rules}"));
        for faults in sets.iter().filter(|faults| faults.mesh().nodes() <= 25) {
            compare(&text.trees()[0], &*worm_routing(&text.routings()[0]), faults);
        }
    }
    // One routing runs on meshes with different numbers of dimensions, one after the other.
    let text = parse("routing mine on mesh when 0+ is minimal take 0+ before minimal otherwise take minimal");
    let routing = worm_routing(&text.routings()[0]);
    for radices in [&[5, 4][..], &[3, 2, 3], &[7], &[2, 2, 2, 2], &[4, 5]] {
        let faults = random_faults(mesh_with_radices(radices), 2, &mut generator(u64::from(radices[0])));
        compare(&text.trees()[0], &*routing, &faults);
    }
}

/// Renumbers ranks without gaps. Ranks without a port do not affect the order.
fn dense(mut choices: Vec<Choice>) -> Vec<Choice> {
    let mut ranks: Vec<_> = choices.iter().map(|choice| choice.5).collect();
    ranks.dedup();
    choices.iter_mut().for_each(|choice| choice.5 = ranks.iter().position(|&rank| rank == choice.5).unwrap_or(0) as u8);
    choices
}

#[test]
fn messages_agree_with_worms() {
    // On a hypercube, a message with the same live links may take the first choices of a worm.
    for number in (2..400u64).step_by(4) {
        let tree = random_tree(number);
        let text = parse(&tree.to_string());
        let algorithm = &text.routings()[0];
        let (worm, local) = (worm_routing(algorithm), algorithm.local().expect("of messages"));
        for faults in cubes().iter().filter(|faults| faults.mesh().nodes() <= 16) {
            let all = u64::from(faults.mesh().nodes()) - 1;
            for here in faults.members() {
                let live = (0..faults.mesh().dimensions())
                    .filter(|&dim| faults.is_open(here, Port::along(dim, here.0 >> dim & 1 == 0)));
                let links = Links { all, live: live.fold(0, |live, dim| live | 1 << dim) };
                for to in faults.members().filter(|&to| to != here) {
                    same_way(&*worm, local, faults, here, to, links, &tree);
                }
            }
        }
    }
}

fn same_way(
    worm: &dyn WormRouting,
    local: &dyn LocalRouting,
    faults: &BlockFaults,
    here: NodeId,
    to: NodeId,
    links: Links,
    tree: &Tree,
) {
    let at = WormPosition { here, to, input_port: None, header: worm.initial_header(faults, here, to, 0) };
    let choices = worm.choices(faults, &at);
    let position = Position { here, wrong: here.0 ^ to.0, header: Header::default() };
    let tiers = local.tiers_with_links(position, links);
    // At the source, tiers that only lead backward are skipped.
    let dims = tiers.iter().filter(|tier| !tier.dimensions.is_backward(position.wrong));
    let dims = dims.map(|tier| tier.dimensions.mask(position.wrong, links.all) & links.live).filter(|&dims| dims != 0);
    let taken = choices.iter().fold(0u64, |dims, choice| dims | 1 << choice.port.dim());
    let first = dims.clone().next();
    assert!(first.is_none_or(|first| first & taken == first), "{tree} {here} {to} {first:?} {taken:b}");
    if !local.yields_to_traffic() {
        assert_eq!(first.unwrap_or(0) != 0, taken != 0, "{tree} {here} {to}");
    }
    if let (Some(first), AlgorithmState::State(_)) = (first, at.header.memory) {
        let dim = first.trailing_zeros() as u8;
        let next = local.header_after_with_links(position, links, dim);
        assert!(next.0 < local.header_count().max(1), "{tree}");
    }
}

#[test]
fn parser_never_panics() {
    let words: Vec<&str> =
        EXAMPLES.iter().map(|example| example.text).chain(EXERCISES.iter().map(|it| it.flawed)).collect();
    let mut draw = generator(77);
    let mut understood = 0;
    for _ in 0..4000 {
        let text = words[below(&mut draw, words.len() as u32) as usize];
        let mut bytes = text.as_bytes().to_vec();
        for _ in 0..=below(&mut draw, 4) {
            let at = below(&mut draw, bytes.len() as u32) as usize;
            match below(&mut draw, 4) {
                0 => bytes[at] = below(&mut draw, 256) as u8,
                1 => {
                    bytes.remove(at);
                }
                2 => bytes.truncate(at.max(1)),
                _ => {
                    let part = bytes[at..].iter().copied().take(40).collect::<Vec<_>>();
                    let to = below(&mut draw, bytes.len() as u32) as usize;
                    bytes.splice(to..to, part);
                }
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        match RuleText::parse(&text) {
            Ok(_) => understood += 1,
            Err(error) => assert!(error.line >= 1 && error.column >= 1 && !error.accepted.is_empty(), "{error}"),
        }
    }
    assert!(understood > 100, "{understood}");
}
