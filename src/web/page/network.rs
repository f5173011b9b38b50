//! Controls of the network and of the kind of experiment.

use yew::prelude::*;

use crate::experiment::{KINDS, Kind, NetworkFamily};
use crate::topology::{Butterfly, Hypercube, Mesh, Network};
use crate::web::app_context::AppContext;
use crate::web::delivery;
use crate::web::form::field::{ChoiceField, RangeField, TextField};
use crate::web::form::keys::{fieldset, hint};

/// Renders the controls of the network family and size.
pub(crate) fn network(context: &AppContext) -> Html {
    let family = NetworkFamily::from_network(context.experiment.network);
    let options = NetworkFamily::ALL.map(|(_, id, name)| (id.into(), name.into())).to_vec();
    let commit = {
        let context = context.clone();
        Callback::from(move |id: String| {
            if let Some((family, ..)) = NetworkFamily::ALL.iter().find(|(_, other, _)| *other == id) {
                switch_family(&context, *family);
            }
            Ok(())
        })
    };
    let size = match (context.experiment.network.leaves(), context.experiment.cube()) {
        (Some(leaves), _) => delivery::controls::network(context, leaves),
        (None, Some(cube)) => dimension(context, cube),
        _ => match context.experiment.network.butterfly() {
            Some(butterfly) => levels(context, butterfly),
            None => mesh(context),
        },
    };
    fieldset("Network", html! { <><ChoiceField label="Topology" {options} value={family.id()} {commit} />{ size }</> })
}

/// Switches to a family of networks. Keeps the kind of experiment if it runs on the family;
/// otherwise takes the usual kind of its networks.
fn switch_family(context: &AppContext, family: NetworkFamily) {
    let experiment = &context.experiment;
    let size = experiment.mesh().map_or("8x8".to_owned(), |mesh| mesh.to_string());
    let other = Network::parse(&format!("{}:{size}", family.id()));
    match (experiment.mesh(), other.filter(|other| other.mesh().is_some())) {
        // Between meshes and tori, all coordinates stay valid.
        (Some(_), Some(other)) => context.on_edit.emit(experiment.resized(other)),
        _ => {
            let opening = |kind: &Kind| kind.opening_experiment(family);
            let here = Some(experiment.kind()).filter(|kind| opening(kind).is_some());
            let usual = || Kind::usual_on(KINDS.into_iter().find_map(opening)?.network);
            if let Some(kind) = here.or_else(usual) {
                context.on_switch_kind.emit((kind, family));
            }
        }
    }
}

fn dimension(context: &AppContext, cube: Hypercube) -> Html {
    let n = cube.dimension();
    let size = match n {
        0..=30 => format!("{} nodes", 1u64 << n),
        _ => format!("2^{n} nodes"),
    };
    let commit = {
        let context = context.clone();
        Callback::from(move |n: f64| {
            if let Some(cube) = Hypercube::new(n as u8) {
                context.on_edit.emit(context.experiment.resized(Network::Hypercube(cube)));
            }
        })
    };
    html! {
        <RangeField label="Dimension" value={f64::from(n)} low={1.0} high={f64::from(context.experiment.kind().largest_cube)} step={1.0}
            words={format!("n = {n}, {size}")} {commit} />
    }
}

fn levels(context: &AppContext, butterfly: Butterfly) -> Html {
    let n = butterfly.levels();
    let commit = {
        let context = context.clone();
        Callback::from(move |n: f64| {
            if let Some(butterfly) = Butterfly::new(n as u8) {
                context.on_edit.emit(context.experiment.resized(Network::Butterfly(butterfly)));
            }
        })
    };
    let most = context.experiment.kind().largest_cube.min(Butterfly::MAX_LEVELS);
    html! {
        <RangeField label="Levels of links" value={f64::from(n)} low={1.0} high={f64::from(most)} step={1.0}
            words={format!("n = {n}, {} rows, {} nodes", butterfly.rows(), butterfly.nodes())} {commit} />
    }
}

/// Mesh sizes on offer.
const SIZES: [&str; 4] = ["8x8", "16x16", "4x4x4", "3x3x3x3"];

/// Returns a size such as `8 x 8`, `8×8` or `8*8` as experiment texts write it: `8x8`.
fn plain_size(size: &str) -> String {
    let letter = |letter: char| if matches!(letter, 'X' | '×' | '*') { 'x' } else { letter };
    size.chars().filter(|letter| !letter.is_whitespace()).map(letter).collect()
}

fn mesh(context: &AppContext) -> Html {
    let mesh = context.experiment.mesh();
    let size = mesh.map_or(String::new(), |mesh| mesh.to_string());
    let kind = if mesh.is_some_and(Mesh::is_torus) { "torus" } else { "mesh" };
    let resize = {
        let context = context.clone();
        Callback::from(move |size: String| {
            let text = format!("{kind}:{}", plain_size(&size));
            match Network::parse(&text) {
                Some(network) => context.apply(Ok(context.experiment.resized(network))),
                None => Err(format!(
                    "{}; write 1 to 5 numbers, such as {}",
                    Network::parse_problem(&text),
                    SIZES.join(", ")
                )),
            }
        })
    };
    let chip = |wanted: &'static str| {
        let resize = resize.clone();
        let onclick = Callback::from(move |_: MouseEvent| {
            // The offered sizes are valid.
            let _ = resize.emit(wanted.to_owned());
        });
        html! { <button type="button" class="chip" {onclick} aria-pressed={(size == wanted).to_string()}>{wanted}</button> }
    };
    html! {
        <>
            <TextField label="Size" value={size.clone()} commit={resize.clone()} hint={hint(context, "net")} />
            <div class="chips">{ for SIZES.map(chip) }</div>
        </>
    }
}

/// Renders the choice of a kind that runs on the network.
pub(crate) fn kind_choice(context: &AppContext) -> Html {
    let family = NetworkFamily::from_network(context.experiment.network);
    let item = |kind: &'static Kind| {
        let onchange = {
            let context = context.clone();
            Callback::from(move |_: Event| context.on_switch_kind.emit((kind, family)))
        };
        html! {
            <label class="check" data-tip={kind.about}>
                <input type="radio" name="switch" checked={*context.experiment.kind() == *kind} {onchange} />
                <span>{kind.name}</span>
            </label>
        }
    };
    let all: Vec<_> = KINDS.into_iter().filter(|kind| kind.opening_experiment(family).is_some()).collect();
    let inside = match all.as_slice() {
        [alone] => html! { <p class="hint">{alone.about}</p> },
        several => html! { <>{ for several.iter().map(|kind| item(kind)) }</> },
    };
    fieldset("What moves", inside)
}
