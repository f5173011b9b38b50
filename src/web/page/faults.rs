//! Controls of faults, by a model and by hand.

use web_sys::MouseEvent;
use yew::prelude::*;

use super::worst::WorstFaults;
use crate::experiment::{Experiment, Tab};
use crate::fault::{FaultModel, FaultSpec};
use crate::report::wording;
use crate::routing::UseCase;
use crate::web::app_context::AppContext;
use crate::web::form::field::{ChoiceField, Commit, TextField};
use crate::web::form::keys::{fieldset, hint, parse_number, setter};
use crate::web::kinds;

/// Fault model that only meshes have.
const ISOLATED: (&str, &str) = ("isolated", "isolated");

const MODELS: [(&str, &str); 6] = [
    ("none", "by hand only"),
    ("nodes", "nodes, probability p"),
    ("share", "nodes, exact share p"),
    ("count", "nodes, exact number f"),
    ("links", "one-way links, probability p"),
    ("link-count", "one-way links, exact number f"),
];

/// Fault model that only fat-trees have.
const WIRES: (&str, &str) = ("wires", "wires, probability p");

/// Adversaries that place faults.
const ADVERSARIES: [(&str, &str); 7] = [
    ("subcube", "adversary: a subcube"),
    ("ball", "adversary: a Hamming ball"),
    ("neighbors", "adversary: neighbours of a node"),
    ("greedy-a", "adversary: greedy against A"),
    ("greedy-b", "adversary: greedy against B"),
    ("busiest", "adversary: the busiest nodes"),
    ("funnel", "adversary: a funnel"),
];

/// Renders the controls of the faults.
pub(crate) fn faults(context: &AppContext) -> Html {
    let experiment = &context.experiment;
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
        FaultModel::Adversarial(adversary, count) => (adversary.id(), Some(count.to_string())),
    };
    let oblivious = experiment.kind().use_case == UseCase::Permutations;
    let choose = {
        let (set, others, oblivious) = (setter(context, "faults"), experiment.network.inner_node_count(), oblivious);
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
            })
        })
    };
    let change = parameter_setter(context, kind);
    let isolated = experiment.mesh().is_some().then_some(ISOLATED);
    let tree = experiment.network.leaves().is_some();
    // The links of a mesh fail in both directions at once.
    let name = |name: &'static str| match name {
        _ if isolated.is_some() => name.trim_start_matches("one-way "),
        _ => name,
    };
    let fits = move |id: &str| !tree || id == "none";
    let models = MODELS.into_iter().filter(move |(id, _)| fits(id)).chain(tree.then_some(WIRES));
    let adversaries = ADVERSARIES.into_iter().filter(|(id, _)| oblivious || *id == kind);
    let options = models.chain(isolated).chain(adversaries).map(|(value, of)| (value.into(), name(of).into()));
    let options = options.collect::<Vec<_>>();
    let label = match kind {
        "link-count" => "Faulty links",
        "nodes" | "share" | "links" | "isolated" | "wires" => "Fault rate p",
        _ => "Faulty nodes",
    };
    fieldset(
        "Faults",
        html! {
            <>
                <ChoiceField label="Fault model" {options} value={kind} commit={choose} hint={hint(context, "faults")} />
                if let Some(value) = value {
                    <TextField {label} {value} commit={change} hint={parameter_help(kind)} mode="decimal" />
                }
                { manual_edits(context) }
                if !experiment.faults_are_fixed() {
                    { pattern_buttons(context) }
                }
                if !tree { <WorstFaults context={context.clone()} /> }
            </>
        },
    )
}

/// Returns the help text for the parameter of the fault model `kind`.
fn parameter_help(kind: &str) -> &'static str {
    match kind {
        "nodes" => "Each node fails independently with this probability.",
        "share" => "Exactly this share of the nodes fails, at random places.",
        "count" => "Exactly this many nodes fail, at random places.",
        "links" => "Each link fails independently with this probability.",
        "link-count" => "Exactly this many links fail, at random places.",
        "isolated" => "Nodes and links fail, each with its own fault ring, until this share of the links is faulty.",
        "wires" => "Each wire fails independently with this probability.",
        _ => "This many nodes fail, at places that the adversary chooses.",
    }
}

/// Returns a callback that sets the parameter of the fault model `kind`.
fn parameter_setter(context: &AppContext, kind: &'static str) -> Commit {
    let set = setter(context, "faults");
    Callback::from(move |value: String| {
        let text = format!("{kind}:{}", parse_number(&value));
        if FaultModel::parse(&text).is_some() {
            return set.emit(text);
        }
        let accepted = match kind {
            "nodes" | "share" | "links" | "wires" => "write 0 to 1, such as 0.3 or 30%",
            "isolated" => "write 0 to 1, or nodes+links such as 5+3",
            _ => "write a whole number, such as 3",
        };
        Err(accepted.to_owned())
    })
}

/// Maximum number of manual edits of each sort that are listed.
const MAX_CHIPS: usize = 60;

/// Function that reverts a manual edit.
type RevertFn = Box<dyn Fn(&mut Experiment)>;

/// Renders a button for one element that was broken or repaired by hand; a press reverts the edit.
fn edit_chip(context: &AppContext, kind: &str, name: String, broken: bool, take_back: RevertFn) -> Html {
    let context = context.clone();
    let onclick = Callback::from(move |_: MouseEvent| context.edit_with(|next| take_back(next)));
    let (mark, what) = if broken { ("×", "broken") } else { ("○", "mended") };
    let label = format!("Undo: {kind} {name} was {what} by hand");
    html! {
        <button type="button" class={classes!("chip", broken.then_some("chip--fault"))} {onclick} aria-label={label}>
            {mark}{" "}{name}
        </button>
    }
}

/// Appends the buttons of the elements that were broken, or repaired, by hand, up to the maximum.
fn edit_chips(context: &AppContext, broken: bool, chips: &mut Vec<Html>) {
    let (network, faults) = (context.experiment.network, &context.experiment.faults);
    let (nodes, links) = match broken {
        true => (&faults.faulty_nodes, &faults.faulty_links),
        false => (&faults.live_nodes, &faults.live_links),
    };
    for &node in nodes.iter().take(MAX_CHIPS) {
        let take_back: RevertFn = Box::new(move |next| {
            next.faults.faulty_nodes.retain(|&other| other != node);
            next.faults.live_nodes.retain(|&other| other != node);
        });
        chips.push(edit_chip(context, "node", wording::node_of(network, node).to_string(), broken, take_back));
    }
    for &link in links.iter().take(MAX_CHIPS) {
        let take_back: RevertFn = Box::new(move |next| {
            next.faults.faulty_links.retain(|&other| other != link);
            next.faults.live_links.retain(|&other| other != link);
        });
        chips.push(edit_chip(context, "link", network.format_link(link), broken, take_back));
    }
    let Some(leaves) = network.leaves() else { return };
    let channels = if broken { faults.dead_wires.len() } else { faults.live_channels.len() };
    for place in 0..channels.min(MAX_CHIPS) {
        let (channel, count) = match broken {
            true => (faults.dead_wires[place].channel, faults.dead_wires[place].count),
            false => (faults.live_channels[place], 1),
        };
        let mut name = leaves.format_channel(channel);
        if count > 1 {
            name.push_str(&format!("*{count}"));
        }
        let take_back: RevertFn = Box::new(move |next| {
            let faults = &mut next.faults;
            let (dead, others_live) = faults.wires_override(channel);
            let (dead, others_live) = if broken { (0, others_live) } else { (dead, false) };
            faults.set_wires(channel, dead, others_live);
        });
        chips.push(edit_chip(context, "channel", name, broken, take_back));
    }
}

/// Appends the buttons of the elements that break while messages move.
fn later_chips(context: &AppContext, chips: &mut Vec<Html>) {
    for &fault in context.experiment.setting.later() {
        let name = fault.element.to_text(context.experiment.network);
        let when = if context.experiment.setting.worm().is_some() { "in cycle" } else { "at" };
        let name = format!("{name} {when} {}", fault.time);
        let take_back: RevertFn = Box::new(move |next| {
            *next = next.without_later_fault(fault.element).unwrap_or_else(|| next.clone());
        });
        chips.push(edit_chip(context, "element", name, true, take_back));
    }
}

/// Renders the nodes, links and wires that were broken or repaired by hand; a press reverts the
/// edit.
fn manual_edits(context: &AppContext) -> Html {
    let experiment = &context.experiment;
    let faults = &experiment.faults;
    let mut shown = Vec::new();
    edit_chips(context, true, &mut shown);
    edit_chips(context, false, &mut shown);
    later_chips(context, &mut shown);
    let lists = [
        faults.faulty_nodes.len(),
        faults.live_nodes.len(),
        faults.faulty_links.len(),
        faults.live_links.len(),
        faults.dead_wires.len(),
        faults.live_channels.len(),
    ];
    let most = lists.into_iter().max().unwrap_or(0);
    let none = !faults.has_overrides() && experiment.setting.later().is_empty();
    let clear = {
        let context = context.clone();
        Callback::from(move |_: MouseEvent| {
            context.edit_with(|next| {
                next.faults = FaultSpec { model: next.faults.model, ..FaultSpec::NONE };
                if let Some(later) = next.setting.later_mut() {
                    later.clear();
                }
            });
        })
    };
    html! {
        if none {
            // Other views have no nodes to click.
            <p class="hint" hidden={experiment.view.tab != Tab::Watch}>{kinds::kind_view(experiment).edits}</p>
        } else {
            <div class="chips">{ for shown }
                if most > MAX_CHIPS { <span class="hint">{"More are in the text below."}</span> }
                <button type="button" class="chip chip--plain" onclick={clear}>{"Clear"}</button>
            </div>
        }
    }
}

fn pattern_buttons(context: &AppContext) -> Html {
    let number = context.experiment.view.sample;
    let step = |by: i64| {
        let context = context.clone();
        Callback::from(move |_: MouseEvent| {
            context.edit_with(|next| next.view.sample = next.view.sample.saturating_add_signed(by).min(1_000_000_000));
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
