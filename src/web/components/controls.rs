//! The left rail: the experiment, part by part, and as text.

use web_sys::{HtmlTextAreaElement, MouseEvent};
use yew::prelude::*;

use super::Bench;
use super::field::{ChoiceField, RangeField, TextField};
use crate::experiment::{Experiment, KEYS, KeyInfo, Tab, runs_on};
use crate::fault::{FaultModel, FaultSpec};
use crate::report::words;
use crate::routing::{self, ALGORITHMS, Algorithm, HIERARCHY_ACCEPTED};
use crate::switching::Switching;
use crate::topology::{Hypercube, Link, Mesh, Network, NodeId};
use crate::traffic::Permutation;
use crate::web::dom;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) bench: Bench,
}

#[component]
pub(super) fn Controls(props: &Props) -> Html {
    let bench = &props.bench;
    let measuring = bench.experiment.view.tab == Tab::Measure;
    if bench.experiment.view.tab == Tab::Papers {
        return html! {};
    }
    html! {
        <form class="rail" aria-label="The experiment" onsubmit={Callback::from(|event: SubmitEvent| event.prevent_default())}>
            { switching(bench) }
            { network(bench) }
            { faults(bench) }
            { routing(bench) }
            { match bench.experiment.switching {
                Switching::Wormhole if bench.experiment.view.tab != Tab::Check => html! {},
                Switching::Permutation | Switching::Batch => relation(bench),
                Switching::Delivery => super::tree_controls::deliveries(bench),
                _ => message(bench),
            } }
            { match bench.experiment.switching {
                Switching::Circuit => circuits(bench),
                Switching::Wormhole => worms(bench),
                _ => html! {},
            } }
            if measuring { { super::sweep::sweep(bench) } }
            { seed(bench) }
            { text(bench) }
        </form>
    }
}

pub(super) fn group(title: &str, inside: Html) -> Html {
    html! { <fieldset><legend>{title}</legend>{inside}</fieldset> }
}

fn key(name: &str) -> Option<&'static KeyInfo> {
    KEYS.iter().find(|key| key.name == name)
}

/// Changes one key of the experiment as if it had been written in its text.
pub(super) fn set(bench: &Bench, name: &'static str) -> Callback<String> {
    let bench = bench.clone();
    Callback::from(move |value: String| match bench.experiment.with_key(name, &value) {
        Ok(next) => bench.edit.emit(next),
        Err(error) => bench.refuse.emit(error.to_string()),
    })
}

/// As [`set`], of a key whose value is a node. What fields show without a prefix is binary for small cubes.
pub(super) fn set_node(bench: &Bench, name: &'static str) -> Callback<String> {
    let digits = bench.experiment.cube().map(|cube| usize::from(cube.dimension())).filter(|&digits| digits <= 10);
    set(bench, name).reform(move |text: String| {
        let binary = digits == Some(text.len()) && text.bytes().all(|byte| matches!(byte, b'0' | b'1'));
        if binary { format!("0b{text}") } else { text }
    })
}

pub(super) fn hint(name: &str) -> String {
    key(name).map_or(String::new(), |key| format!("{}: {}", key.meaning, key.accepted))
}

/// What the kinds of switching are called.
const KINDS: [(Switching, &str, &str); 7] = [
    (Switching::Message, "one message", "One message at a time, hop by hop, alone in the network."),
    (
        Switching::Circuit,
        "circuits under load",
        "Messages reserve their paths link by link, hold them, and wait for each other.",
    ),
    (
        Switching::Wormhole,
        "worms, flit by flit",
        "Messages follow their headers flit by flit, hold the virtual channels they are in, and wait for each other.",
    ),
    (
        Switching::Permutation,
        "a permutation, counted",
        "Every active node sends to another; all routes are laid over each other and counted.",
    ),
    (
        Switching::Batch,
        "a permutation, as worms",
        "The same messages as worms that all start at once, hold what they have and wait for each other.",
    ),
    (
        Switching::Delivery,
        "a fat-tree, cycle by cycle",
        "All messages of a delivery cycle start together; where too many come, some are lost and sent again.",
    ),
    (Switching::Pairs, "pairs cut off", "Which pairs of nodes still have a path that the routing permits."),
];

fn switching(bench: &Bench) -> Html {
    let item = |(kind, name, title): (Switching, &'static str, &'static str)| {
        let onchange = {
            let bench = bench.clone();
            Callback::from(move |_: Event| bench.edit.emit(bench.experiment.switched(kind)))
        };
        html! {
            <label class="check" {title}>
                <input type="radio" name="switch" checked={bench.experiment.switching == kind} {onchange} />
                <span>{name}</span>
            </label>
        }
    };
    group("What moves", html! { <>{ for KINDS.map(item) }</> })
}

fn network(bench: &Bench) -> Html {
    if let Some(leaves) = bench.experiment.network.leaves() {
        return super::tree_controls::network(bench, leaves);
    }
    let Some(n) = bench.experiment.cube().map(Hypercube::dimension) else { return mesh(bench) };
    let size = match n {
        0..=30 => format!("{} nodes", 1u64 << n),
        _ => format!("2^{n} nodes"),
    };
    let commit = {
        let bench = bench.clone();
        Callback::from(move |n: f64| {
            if let Some(cube) = Hypercube::new(n as u8) {
                bench.edit.emit(bench.experiment.resized(Network::Hypercube(cube)));
            }
        })
    };
    group(
        "Network",
        html! {
            <>
                { for (bench.experiment.switching == Switching::Wormhole).then(|| kind(bench)) }
                <RangeField label="Hypercube" value={f64::from(n)} low=1.0 high={f64::from(bench.experiment.largest_dimension())} step=1.0 words={format!("n = {n}, {size}")} {commit} />
            </>
        },
    )
}

/// Meshes to choose from.
const SIZES: [&str; 4] = ["8x8", "16x16", "4x4x4", "3x3x3x3"];

fn mesh(bench: &Bench) -> Html {
    let mesh = bench.experiment.mesh();
    let size = mesh.map_or(String::new(), |mesh| mesh.to_string());
    let kind = if mesh.is_some_and(Mesh::is_torus) { "torus" } else { "mesh" };
    let resize = {
        let bench = bench.clone();
        Callback::from(move |text: String| match Network::parse(&text) {
            Some(network) => bench.edit.emit(bench.experiment.resized(network)),
            None => bench.refuse.emit(format!("{text}: no mesh or torus; accepted: {}", hint("net"))),
        })
    };
    let chip = |wanted: &'static str| {
        let resize = resize.clone();
        let onclick = Callback::from(move |_: MouseEvent| resize.emit(format!("{kind}:{wanted}")));
        html! { <button type="button" class="chip" {onclick} aria-pressed={(size == wanted).to_string()}>{wanted}</button> }
    };
    let commit = resize.reform(move |size: String| format!("{kind}:{size}"));
    group(
        "Network",
        html! {
            <>
                { self::kind(bench) }
                <TextField label="Size" value={size.clone()} {commit} hint={hint("net")} />
                <div class="chips">{ for SIZES.map(chip) }</div>
            </>
        },
    )
}

/// What kind of network worms move in. Between meshes and hypercubes, faults and routing start anew.
fn kind(bench: &Bench) -> Html {
    let experiment = &bench.experiment;
    let (kind, size) = match experiment.mesh() {
        Some(mesh) => (if mesh.is_torus() { "torus" } else { "mesh" }, mesh.to_string()),
        None => ("hypercube", "8x8".into()),
    };
    let options = ["mesh", "torus", "hypercube"].map(|kind| (kind.into(), kind.into())).to_vec();
    let bench = bench.clone();
    let commit = Callback::from(move |kind: String| {
        let text = if kind == "hypercube" { "cube:5".into() } else { format!("{kind}:{size}") };
        let Some(network) = Network::parse(&text) else { return };
        let experiment = &bench.experiment;
        bench.edit.emit(match (experiment.mesh(), network.mesh()) {
            (Some(_), Some(_)) => experiment.resized(network),
            _ => Experiment { network, ..Experiment::default_on(experiment.switching, network) },
        });
    });
    html! { <ChoiceField label="Kind" {options} value={kind} {commit} /> }
}

/// What is offered on fat-trees only.
const WIRES: (&str, &str) = ("wires", "wires, probability p");

/// What is offered on meshes only.
const ISOLATED: (&str, &str) = ("isolated", "isolated");

const MODELS: [(&str, &str); 6] = [
    ("none", "by hand only"),
    ("nodes", "nodes, probability p"),
    ("share", "nodes, exact share p"),
    ("count", "nodes, exact number f"),
    ("links", "one-way links, probability p"),
    ("link-count", "one-way links, exact number f"),
];

/// Where an adversary places faults.
const ADVERSARIES: [(&str, &str); 7] = [
    ("subcube", "adversary: a subcube"),
    ("ball", "adversary: a Hamming ball"),
    ("neighbors", "adversary: neighbours of a node"),
    ("greedy-a", "adversary: greedy against A"),
    ("greedy-b", "adversary: greedy against B"),
    ("busiest", "adversary: the busiest nodes"),
    ("funnel", "adversary: a funnel"),
];

fn faults(bench: &Bench) -> Html {
    let experiment = &bench.experiment;
    let (kind, value) = match experiment.faults.model {
        FaultModel::None => ("none", None),
        FaultModel::Nodes(p) => ("nodes", Some(p.to_string())),
        FaultModel::Share(p) => ("share", Some(p.to_string())),
        FaultModel::Count(count) => ("count", Some(count.to_string())),
        FaultModel::Links(p) => ("links", Some(p.to_string())),
        FaultModel::LinkCount(count) => ("link-count", Some(count.to_string())),
        FaultModel::Isolated(p) => ("isolated", Some(p.to_string())),
        FaultModel::IsolatedCount(nodes, links) => ("isolated", Some(format!("{nodes}+{links}"))),
        FaultModel::Wires(p) => ("wires", Some(p.to_string())),
        FaultModel::Placed(adversary, count) => (adversary.id(), Some(count.to_string())),
    };
    let oblivious = experiment.switching.is_oblivious();
    let choose = {
        let (set, others, oblivious) = (set(bench, "faults"), experiment.network.others(), oblivious);
        let rate = experiment.faults.model.rate().unwrap_or(if oblivious { 0.01 } else { 0.3 });
        Callback::from(move |kind: String| {
            set.emit(match kind.as_str() {
                "nodes" | "share" | "links" => format!("{kind}:{rate}"),
                "isolated" => "isolated:0.05".into(),
                "wires" => "wires:0.1".into(),
                "link-count" => "link-count:1".into(),
                "count" if oblivious => "count:1".into(),
                "count" => format!("count:{}", (rate * others as f64) as u64),
                "none" => "none".into(),
                adversary => format!("{adversary}:4"),
            });
        })
    };
    let change = set(bench, "faults").reform(move |value: String| format!("{kind}:{value}"));
    let isolated = experiment.mesh().is_some().then_some(ISOLATED);
    let tree = experiment.network.leaves().is_some();
    // The links of a mesh fail in both directions at once.
    let name = |name: &'static str| match name {
        _ if isolated.is_some() => name.trim_start_matches("one-way "),
        "by hand only" if tree => "none",
        _ => name,
    };
    let fits = move |id: &str| if tree { id == "none" } else { !(oblivious && id.starts_with("link")) };
    let models = MODELS.into_iter().filter(move |(id, _)| fits(id)).chain(tree.then_some(WIRES));
    let adversaries = ADVERSARIES.into_iter().filter(|(id, _)| oblivious || *id == kind);
    let options = models.chain(isolated).chain(adversaries).map(|(value, of)| (value.into(), name(of).into()));
    let options = options.collect::<Vec<_>>();
    let label = match kind {
        "link-count" => "Faulty links",
        "nodes" | "share" | "links" | "isolated" | "wires" => "Fault rate p",
        _ => "Faulty nodes",
    };
    group(
        "Faults",
        html! {
            <>
                <ChoiceField label="Drawn" {options} value={kind} commit={choose} />
                if let Some(value) = value {
                    <TextField {label} {value} commit={change} hint={hint("faults")} mode="decimal" />
                }
                if !tree { { edits(bench) } }
                if !experiment.faults_are_fixed() {
                    { another(bench) }
                }
            </>
        },
    )
}

/// The most nodes of a kind that are shown one by one.
const CHIPS: usize = 60;

/// The nodes that were broken and mended by hand; a press takes the edit back.
fn edits(bench: &Bench) -> Html {
    let experiment = &bench.experiment;
    let network = experiment.network;
    let chip = |kind: &str, name: String, broken: bool, take_back: Callback<MouseEvent>| {
        let (mark, what) = if broken { ("×", "broken") } else { ("○", "mended") };
        let label = format!("{kind} {name} was {what} by hand: take that back");
        html! {
            <button type="button" class={classes!("chip", broken.then_some("chip--fault"))} onclick={take_back} aria-label={label}>
                {mark}{" "}{name}
            </button>
        }
    };
    let faults = &experiment.faults;
    let node = |broken: bool| {
        move |&node: &NodeId| {
            let bench = bench.clone();
            let take_back = Callback::from(move |_: MouseEvent| {
                bench.edited(|next| {
                    next.faults.broken.retain(|&other| other != node);
                    next.faults.mended.retain(|&other| other != node);
                });
            });
            chip("node", words::node_of(network, node), broken, take_back)
        }
    };
    let link = |broken: bool| {
        move |&link: &Link| {
            let bench = bench.clone();
            let take_back = Callback::from(move |_: MouseEvent| {
                bench.edited(|next| {
                    next.faults.broken_links.retain(|&other| other != link);
                    next.faults.mended_links.retain(|&other| other != link);
                });
            });
            chip("link", network.link_text(link), broken, take_back)
        }
    };
    let broken = faults.broken.iter().take(CHIPS).map(node(true));
    let broken = broken.chain(faults.broken_links.iter().take(CHIPS).map(link(true)));
    let mended = faults.mended.iter().take(CHIPS).map(node(false));
    let mended = mended.chain(faults.mended_links.iter().take(CHIPS).map(link(false)));
    let lists = [faults.broken.len(), faults.mended.len(), faults.broken_links.len(), faults.mended_links.len()];
    let (most, none) = (lists.into_iter().max().unwrap_or(0), !faults.has_edits());
    let clear = {
        let bench = bench.clone();
        Callback::from(move |_: MouseEvent| {
            bench.edited(|next| {
                next.faults = FaultSpec { model: next.faults.model, ..FaultSpec::NONE };
            });
        })
    };
    html! {
        if none {
            <p class="hint">{match experiment.switching {
                Switching::Circuit => "Click a node or a free link to break it, again to mend it.",
                Switching::Wormhole => "Click a node or a free link to break it, again to mend it; B breaks links that are held.",
                _ => "Click a node to break it, again to mend it.",
            }}</p>
        } else {
            <div class="chips">{ for broken }{ for mended }
                if most > CHIPS { <span class="hint">{"and more, in the text below"}</span> }
                <button type="button" class="chip chip--plain" onclick={clear}>{"clear"}</button>
            </div>
        }
    }
}

fn another(bench: &Bench) -> Html {
    let number = bench.experiment.view.sample;
    let step = |by: i64| {
        let bench = bench.clone();
        Callback::from(move |_: MouseEvent| {
            bench.edited(|next| next.view.sample = next.view.sample.saturating_add_signed(by).min(1_000_000_000));
        })
    };
    html! {
        <div class="row">
            <span>{format!("Pattern {number}")}</span>
            <span class="pair">
                <button type="button" onclick={step(-1)} disabled={number == 0}>{"Previous"}</button>
                <button type="button" onclick={step(1)}>{"Next"}</button>
            </span>
        </div>
    }
}

fn routing(bench: &Bench) -> Html {
    // One algorithm stays.
    let alone = bench.experiment.routing.len() == 1;
    let item = |algorithm: &'static Algorithm| {
        let place = bench.experiment.routing.iter().position(|other| *other == algorithm);
        let onchange = {
            let bench = bench.clone();
            Callback::from(move |_: Event| {
                bench.edited(|next| match place {
                    Some(place) if next.routing.len() > 1 => {
                        next.routing.remove(place);
                    }
                    Some(_) => {}
                    None => next.routing.push(algorithm),
                });
            })
        };
        let swatch = place.map(|place| html! { <i class={format!("swatch swatch--{}", place % 7)}></i> });
        html! {
            <label class="check" title={format!("{} {}", algorithm.summary, algorithm.guarantee)}>
                <input type="checkbox" checked={place.is_some()} disabled={place.is_some() && alone} {onchange} />
                <span>{algorithm.name}</span>{swatch}
            </label>
        }
    };
    let kind = bench.experiment.switching;
    let listed = ALGORITHMS.iter().filter(|algorithm| runs_on(kind, bench.experiment.network, algorithm));
    // Hierarchies are not in the list: those in use are.
    let others = bench.experiment.routing.iter().copied().filter(|algorithm| algorithm.dimension.is_some());
    let add = {
        let bench = bench.clone();
        Callback::from(move |id: String| match routing::find(id.trim()) {
            Ok(algorithm) => bench.edited(|next| {
                if !next.routing.contains(&algorithm) {
                    next.routing.push(algorithm);
                }
            }),
            Err(problem) => bench.refuse.emit(format!("{problem}. Accepted: {HIERARCHY_ACCEPTED}")),
        })
    };
    group(
        "Routing",
        html! {
            <>
                { for listed.map(item) }
                { for others.map(item) }
                if matches!(kind, Switching::Circuit | Switching::Pairs) {
                    <TextField label="Add levels" value="" commit={add} hint={HIERARCHY_ACCEPTED} />
                }
            </>
        },
    )
}

/// Where messages go.
fn destinations(bench: &Bench) -> Html {
    let experiment = &bench.experiment;
    let hot = format!("hot:{}:0.1", experiment.network.node_text(experiment.ends().to));
    let known = ["uniform", &hot, "complement", "transpose", "bit-reversal"];
    let names = ["uniform", "hot spot", "complement", "transpose", "bit reversal"];
    let current = value(bench, "traffic");
    let mut traffic: Vec<(AttrValue, AttrValue)> =
        known.iter().zip(names).map(|(id, name)| ((*id).to_owned().into(), name.into())).collect();
    if !known.contains(&current.as_str()) {
        traffic.push((current.clone().into(), current.clone().into()));
    }
    html! { <ChoiceField label="To" options={traffic} value={current} commit={set(bench, "traffic")} /> }
}

/// What the key called `name` says, as text.
pub(super) fn value(bench: &Bench, name: &str) -> String {
    key(name).and_then(|key| key.value(&bench.experiment)).unwrap_or_default()
}

/// Values of a key and what they are called.
pub(super) fn named(all: &[(&'static str, &'static str)]) -> Vec<(AttrValue, AttrValue)> {
    all.iter().map(|&(id, name)| (id.into(), name.into())).collect()
}

fn worms(bench: &Bench) -> Html {
    let field = |label: &'static str, name: &'static str| {
        html! { <TextField {label} value={value(bench, name)} commit={set(bench, name)} hint={hint(name)} mode="decimal" /> }
    };
    let policy = named(&[("discard", "discarded"), ("queue", "kept in a queue")]);
    let arbitrate = named(&[("round-robin", "round robin"), ("oldest", "oldest first"), ("random", "at random")]);
    group(
        "Traffic",
        html! {
            <>
                { field("Load", "load") }
                { destinations(bench) }
                { field("Length, flits", "length") }
                { field("Virtual ch.", "vc") }
                { field("Buffer, flits", "buffer") }
                { field("Per source", "inject") }
                <ChoiceField label="Others are" options={policy} value={value(bench, "policy")} commit={set(bench, "policy")} />
                <ChoiceField label="Served" options={arbitrate} value={value(bench, "arbitrate")} commit={set(bench, "arbitrate")} />
            </>
        },
    )
}

/// Which messages are routed together.
fn relation(bench: &Bench) -> Html {
    let field = |label: &'static str, name: &'static str| {
        html! { <TextField {label} value={value(bench, name)} commit={set(bench, name)} hint={hint(name)} mode="decimal" /> }
    };
    let known = Permutation::ALL.map(|permutation| permutation.id());
    let current = value(bench, "traffic");
    let mut rules: Vec<(AttrValue, AttrValue)> =
        Permutation::ALL.into_iter().map(|permutation| (permutation.id().into(), permutation.name().into())).collect();
    if !known.contains(&current.as_str()) {
        rules.push((current.clone().into(), "a list, below".into()));
    }
    group(
        "Messages",
        html! {
            <>
                <ChoiceField label="To" options={rules} value={current.clone()} commit={set(bench, "traffic")} />
                <TextField label="Or a list" value={if known.contains(&current.as_str()) { String::new() } else { current }}
                    commit={set(bench, "traffic")} hint={hint("traffic")} />
                { field("Times, h", "h") }
                if bench.experiment.switching == Switching::Batch { { field("Length, flits", "length") } }
                { field("Tolerance", "tolerance") }
            </>
        },
    )
}

fn circuits(bench: &Bench) -> Html {
    let avail = [("lowest", "lowest first"), ("random", "at random"), ("highest", "highest first")];
    let wait = [("first", "first released"), ("shortest", "shortest queue")];
    let (avail, wait) = (named(&avail), named(&wait));
    group(
        "Traffic",
        html! {
            <>
                <TextField label="Rate" value={bench.experiment.rate.to_string()} commit={set(bench, "rate")} hint={hint("rate")} mode="decimal" />
                { destinations(bench) }
                <ChoiceField label="Of free links" options={avail} value={value(bench, "avail")} commit={set(bench, "avail")} />
                <ChoiceField label="Wait for" options={wait} value={value(bench, "wait")} commit={set(bench, "wait")} />
            </>
        },
    )
}

fn message(bench: &Bench) -> Html {
    let experiment = &bench.experiment;
    let single = experiment.switching == Switching::Message;
    let (network, ends) = (experiment.network, experiment.ends());
    group(
        if single { "Message" } else { "Pair looked at" },
        html! {
            <>
                <TextField label="From" value={words::node_of(network, ends.from)} commit={set_node(bench, "from")} hint={hint("from")} />
                <TextField label="To" value={words::node_of(network, ends.to)} commit={set_node(bench, "to")} hint={hint("to")} />
                if single {
                    <TextField label="Limit, × n" value={experiment.path_limit.to_string()} commit={set(bench, "mpl")}
                        hint={hint("mpl")} mode="decimal" />
                }
            </>
        },
    )
}

fn seed(bench: &Bench) -> Html {
    let fresh = {
        let bench = bench.clone();
        Callback::from(move |_: MouseEvent| bench.edited(|next| next.seed = dom::fresh_seed()))
    };
    group(
        "Chance",
        html! {
            <div class="seed">
                <TextField label="Seed" value={bench.experiment.seed.to_string()} commit={set(bench, "seed")}
                    hint={hint("seed")} mode="numeric" />
                <button type="button" onclick={fresh}>{"New"}</button>
            </div>
        },
    )
}

fn text(bench: &Bench) -> Html {
    let written = bench.experiment.to_string();
    let onchange = {
        let (bench, current) = (bench.clone(), written.clone());
        Callback::from(move |event: Event| {
            let area: HtmlTextAreaElement = event.target_unchecked_into();
            match area.value().parse::<Experiment>() {
                Ok(next) => bench.edit.emit(next),
                Err(error) => bench.refuse.emit(error.to_string()),
            }
            area.set_value(&current);
        })
    };
    group(
        "This experiment, as text",
        html! {
            <textarea class="text" rows="5" aria-label="This experiment, as text" spellcheck="false" value={written} {onchange} />
        },
    )
}
