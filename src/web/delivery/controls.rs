//! Controls of fat-trees: processors, capacities, messages, survivors.

use yew::prelude::*;

use crate::topology::Network;
use crate::topology::fat_tree::Leaves;
use crate::web::app_context::AppContext;
use crate::web::form::field::{ChoiceField, RangeField, TextField};
use crate::web::form::keys::{collapsed, fieldset, hint, number_field, options, select_field, setter, value};

/// Largest tree that the page offers: 2^16 processors. The command line accepts larger ones.
const LEVELS: f64 = 16.0;

/// Renders the controls of the number of processors and the channel capacities.
pub(crate) fn network(context: &AppContext, leaves: Leaves) -> Html {
    let (second, levels) = (leaves.is_second(), leaves.levels());
    let step = leaves.dimensions().unwrap_or(1);
    let change = |next: Option<Leaves>, context: &AppContext| match next {
        Some(next) => context.apply(Ok(context.experiment.resized(Network::FatTree(next)))),
        None => Err("not a size".to_owned()),
    };
    let commit = {
        let context = context.clone();
        Callback::from(move |levels: f64| {
            // All sizes that the slider offers are valid.
            let _ = change(leaves.resized(1 << (levels as u64 / u64::from(step) * u64::from(step))), &context);
        })
    };
    let kind = {
        let context = context.clone();
        Callback::from(move |kind: String| {
            // The second network needs a power of four or eight as the number of processors.
            let power = |bits: u8| 1 << (levels.max(bits) / bits * bits);
            let next = match &*kind {
                "tree2" => Leaves::new_second(power(2)),
                "tree2-3d" => Leaves::new_second_in_space(power(3)),
                _ => Leaves::new(1 << levels),
            };
            change(next, &context)
        })
    };
    let kinds = options(&[("tree", "a tree"), ("tree2", "Fig. 8's meshes"), ("tree2-3d", "Fig. 8 in space")]);
    let current = match leaves.dimensions() {
        None => "tree",
        Some(3) => "tree2-3d",
        Some(_) => "tree2",
    };
    html! {
            <>
                <ChoiceField label="Structure" options={kinds} value={current} commit={kind} />
                <RangeField label="Processors" value={f64::from(levels)} low={f64::from(step)} high={LEVELS} step={f64::from(step)}
                    words={format!("n = {}", leaves.processors())} {commit} />
                if !second { { capacities(context, leaves) } }
            </>
    }
}

/// Renders the controls of the capacity profile and of the capacities by level.
fn capacities(context: &AppContext, leaves: Leaves) -> Html {
    let current = value(context, "capacity");
    let names = [
        ("skinny", "skinny, 1"),
        ("doubling", "doubling, 2^h"),
        ("standard", "standard, 2^⌊h/2⌋"),
        ("sibling", "sibling, 2^⌈h/2⌉"),
        ("sqrt2", "2^(h/2), rounded"),
        ("volume", "volume, 4^⌊h/3⌋"),
        ("cbrt4", "4^(h/3), rounded"),
    ];
    let mut options = options(&names);
    if !names.iter().any(|(id, _)| *id == current) {
        options.push((current.clone().into(), "the list below".into()));
    }
    let tree = context.experiment.setting.delivery().and_then(|setting| leaves.tree(&setting.profile)?.ok());
    let list = tree.map(|tree| tree.capacities().map(|capacity| capacity.to_string()).collect::<Vec<_>>().join(","));
    let custom = setter(context, "capacity").reform(|list: String| format!("custom:{list}"));
    html! {
        <>
            <ChoiceField label="Capacities" {options} value={current} commit={setter(context, "capacity")} hint={hint(context, "capacity")} />
            <TextField label="Capacity list" value={list.unwrap_or_default()} commit={custom} hint={hint(context, "capacity")} />
        </>
    }
}

/// Message sets on offer.
const SETS: [(&str, &str); 16] = [
    ("random", "random permutation"),
    ("transpose", "transpose"),
    ("bit-reversal", "bit reversal"),
    ("complement", "complement"),
    ("random*4", "four random permutations"),
    ("cross", "across the middle, random"),
    ("half", "across the middle, i xor n/2"),
    ("neighbors", "both neighbours"),
    ("ring", "the next processor, cyclically"),
    ("one-to-all:0", "one to all"),
    ("all-to-one:0", "all to one"),
    ("out", "out of the root"),
    ("mesh:z-order", "mesh step, Z-order"),
    ("mesh:row-major", "mesh step, by rows"),
    ("cube", "hypercube step"),
    ("bad:48", "bad for GREEDY"),
];

/// Renders the controls of the message set and of its delivery.
pub(crate) fn deliveries(context: &AppContext) -> Html {
    let current = value(context, "traffic");
    let mut sets = options(&SETS);
    let listed = !SETS.iter().any(|(id, _)| *id == current);
    if listed {
        sets.push((current.clone().into(), "the text below".into()));
    }
    let survivors = [
        ("random", "at random"),
        ("left", "the first"),
        ("alternate", "first, then last"),
        ("drop-all", "none"),
        ("drop-fixed", "none, as in the analysis"),
    ];
    let uses_constants =
        context.experiment.routing.iter().any(|algorithm| algorithm.delivery().is_some_and(|it| it.uses_constants));
    let dead = !context.experiment.faults.is_empty();
    let second = context.experiment.network.leaves().is_some_and(Leaves::is_second);
    let rare = html! {
        <>
            <TextField label="Set as text" value={if listed { current.clone() } else { String::new() }}
                commit={setter(context, "traffic")} hint={hint(context, "traffic")} />
            { select_field(context, "Survivors", "survive", &survivors) }
            if dead { { select_field(context, "Cut-off messages", "undeliverable", &[("known", "not sent"), ("sent", "sent anyway")]) } }
            if uses_constants { { number_field(context, "k1", "k1") } { number_field(context, "k2", "k2") } <TextField label="r" value={value(context, "r")} commit={setter(context, "r")} hint={hint(context, "r")} /> }
            if uses_constants && !second && !dead { { number_field(context, "Loops of TRY-GUESS", "loops") } }
            if !second && !dead { { number_field(context, "Off-line schedules", "schedules") } }
        </>
    };
    fieldset(
        "Messages",
        html! {
            <>
                <ChoiceField label="Message set" options={sets} value={current} commit={setter(context, "traffic")} hint={hint(context, "traffic")} />
                { collapsed(context, "More settings", &["survive", "undeliverable", "k1", "k2", "r", "schedules", "loops"], rare) }
            </>
        },
    )
}
