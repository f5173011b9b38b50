//! Short reference of the rule language for the current network; `docs/rules.md` has the full one.

use std::fmt::Write as _;

use yew::prelude::*;

use crate::experiment::Experiment;
use crate::routing::UseCase;
use crate::routing::rules::words_on;

/// Forms of a rule that all networks have; the form with `before` is inserted between them.
const FORMS: [&str; 5] = [
    "`when C take A`: fires where the condition C holds",
    "`otherwise take A`: fires wherever no rule above fires",
    "`take A and not B`: avoids B; also `A or B`, `lowest A`, `highest A`",
    "`take nothing`: the message is lost",
    "`states X Y`, below the first line: `in X when C take A then Y` changes the state; a message starts in X",
];

/// Help text for the classes of virtual channels, which only wormhole rules have.
const CLASSES: &str = "`classes 2`, below the first line: `take A on class 1 also take B on class 0` requests both";
/// Help text for rules about fault rings, which only two-dimensional meshes and tori have.
const RINGS: &str =
    "`take ring either way of A` enters the ring of the fault that closes A; `take ring` continues along it";

/// Renders the reference of the language, collapsed at first.
pub(super) fn language(experiment: &Experiment) -> Html {
    let (network, uses) = (experiment.network, experiment.kind().use_case);
    let mesh = network.mesh().filter(|mesh| !mesh.is_cube());
    let is_plane = mesh.is_some_and(|mesh| mesh.is_plane());
    let [head, such, numbered] = match mesh {
        None => ["cube", "`some wrong is live`", "`dimension 0`"],
        Some(mesh) if is_plane && mesh.is_torus() => ["torus 2", PLANE, SIGNED],
        Some(_) if is_plane => ["mesh 2", PLANE, SIGNED],
        Some(_) => ["mesh, torus", "`some minimal is live`; `at source`", SIGNED],
    };
    let before = match uses {
        UseCase::Worms => "`take A before B`: takes a port of A, or of B if none of A is idle; waits for all of them",
        UseCase::Messages => "`take A before B`: takes a port of A, or of B if A has no live port",
        _ => "`take A before B`: takes any port of A or B that still leads to the destination",
    };
    let mut forms: Vec<&str> = FORMS.to_vec();
    forms.insert(2, before);
    forms.extend((uses == UseCase::Worms).then_some(CLASSES));
    forms.extend(is_plane.then_some(RINGS));
    let begin = format!(
        "The first line is `routing mine on {head}`; rules follow. At each node the first rule that applies fires: the message \
         takes one of its ports that faults leave open. Without an open port, the message is lost. A rule may end with its \
         reason in quotes; `#` begins a comment."
    );
    let conditions = format!(
        "Conditions, joined by `and`, `or`, `not`: {such}. A condition on several ports begins with `some`, `no` or `every`."
    );
    let mut ports = String::from("Ports: ");
    for (word, meaning) in words_on(network) {
        // Writing to a string does not fail.
        let _ = write!(ports, "`{word}`{}{meaning}; ", if meaning.is_empty() { "" } else { " " });
    }
    ports.push_str(numbered);
    ports.push_str(", by number.");
    html! {
        <details class="language">
            <summary>{"How rules are written"}</summary>
            <p>{ coded(&begin) }</p>
            <ul>{ for forms.into_iter().map(|form| html! { <li>{ coded(form) }</li> }) }</ul>
            <p>{ coded(&conditions) }</p>
            <p>{ coded(&ports) }</p>
        </details>
    }
}

const PLANE: &str = "`East is live`; `East is 1 away`; `column is odd`; `at source`; `around` a fault";
const SIGNED: &str = "`0+` and `0-`";

/// Renders a text whose parts between back quotes are code.
fn coded(text: &str) -> Html {
    let part = |(number, part): (usize, &str)| match number % 2 {
        0 => html! { {part.to_owned()} },
        _ => html! { <code>{part.to_owned()}</code> },
    };
    text.split('`').enumerate().map(part).collect()
}
