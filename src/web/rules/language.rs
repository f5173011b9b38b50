//! How rules are written, in short: what `docs/rules.md` says at length, for the network that is there.

use yew::prelude::*;

use crate::experiment::Experiment;
use crate::routing::Use;
use crate::routing::rules::words_on;

/// The language, folded until somebody asks.
pub(super) fn language(experiment: &Experiment) -> Html {
    let network = experiment.network;
    let mesh = network.mesh().filter(|mesh| !mesh.is_cube());
    let is_plane = mesh.is_some_and(|mesh| mesh.is_plane());
    let (head, such) = match mesh {
        None => ("routing mine on cube", "some wrong is live"),
        Some(mesh) if is_plane => {
            (if mesh.is_torus() { "routing mine on torus 2" } else { "routing mine on mesh 2" }, "East is live")
        }
        Some(_) => ("routing mine on mesh, torus", "some minimal is live"),
    };
    let before = match experiment.kind().uses {
        Use::Worms => {
            "a port of A is preferred; where none of A is idle, one of B will do, and it waits for all of them"
        }
        Use::Messages => "a port of A; one of B only where faults close all of A",
        _ => "any of them that still leads to the destination, A and B alike",
    };
    let said =
        |form: &str, meaning: &str| html! { <><dt><code>{form.to_owned()}</code></dt><dd>{meaning.to_owned()}</dd></> };
    let words = words_on(network).map(|(word, meaning)| match meaning {
        "" => html! { <><code>{word}</code>{"; "}</> },
        meaning => html! { <><code>{word}</code>{format!(" {meaning}; ")}</> },
    });
    html! {
        <details class="language">
            <summary>{"How rules are written"}</summary>
            <p>
                {"First "}<code>{head}</code>{", then rules. At each node the first one that holds fires: the message takes one of its ports \
                  that faults leave open. If there is none, it is lost. Behind a rule, its reason in quotes; behind "}<code>{"#"}</code>
                {", a note."}
            </p>
            <dl>
                { said("when C take A", "fires where the condition C holds") }
                { said("otherwise take A", "fires wherever no rule above did") }
                { said("take A before B", before) }
                { said("take A and not B", "avoids B; also A or B, lowest A, highest A") }
                { said("take nothing", "the message is lost") }
                if experiment.kind().uses == Use::Worms {
                    { said("classes 2", "below the first line: take A on class 1 also take B on class 0 asks for both") }
                }
                { said("states X Y", "below the first line: in X when C take A then Y remembers; a message starts in X") }
                if is_plane { { said("take ring either way of A", "onto the ring of the fault that closes A; take ring, on along it") } }
            </dl>
            <p>
                {"Conditions, joined by "}<code>{"and"}</code>{", "}<code>{"or"}</code>{", "}<code>{"not"}</code>{": "}<code>{such}</code>
                {", with "}<code>{"some"}</code>{", "}<code>{"no"}</code>{" or "}<code>{"every"}</code>{" before several ports"}
                if mesh.is_some() { {"; "}<code>{"at source"}</code> }
                if is_plane {
                    {"; "}<code>{"column is odd"}</code>{"; "}<code>{"East is 1 away"}</code>{"; "}<code>{"around"}</code>{" on a ring"}
                }
                {"."}
            </p>
            <p>
                {"Ports: "}{ for words }
                if mesh.is_some() { <code>{"0+"}</code>{" and "}<code>{"0-"}</code> } else { <code>{"dimension 0"}</code> }
                {", by number."}
            </p>
        </details>
    }
}
