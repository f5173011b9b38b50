//! The legend of a chart: what is drawn, by name, as it looks; pressed away, it is not drawn.

use yew::prelude::*;

use crate::report::chart::figure::{Curve, Figure, Kind};
use crate::report::chart::look;
use crate::report::picture::scene::Role;

/// An entry for every curve of `figure`, in an element called `id`; `hides` says of its place whether it is hidden, `toggle` takes the place of one that is
/// pressed.
pub(crate) fn legend(id: &str, figure: &Figure, hides: impl Fn(usize) -> bool, toggle: &Callback<usize>) -> Html {
    let entry = |(place, curve): (usize, &Curve)| {
        let onclick = toggle.reform(move |_: MouseEvent| place);
        html! {
            <button type="button" {onclick} aria-pressed={(!hides(place)).to_string()}>{ swatch(curve) }{curve.name.clone()}</button>
        }
    };
    html! {
        <div class="legend" id={id.to_owned()} role="group" aria-label="What is drawn">{ for figure.curves.iter().enumerate().map(entry) }</div>
    }
}

/// A piece of a curve, as it is drawn.
fn swatch(curve: &Curve) -> Html {
    let color = match curve.role {
        Role::Series(number) => format!("--series-{}", number % 7),
        _ => "--ink".to_owned(),
    };
    let dashes: Vec<_> = look::dashes(curve.dash).iter().map(f64::to_string).collect();
    let width = if curve.kind == Kind::ClosedForm { "1.2" } else { "2.4" };
    let outline = match curve.kind {
        Kind::Measured | Kind::Apart => look::marker(curve.dash, 4.0),
        Kind::Published => look::disc(5.0),
        Kind::Distribution | Kind::ClosedForm | Kind::Band => Vec::new(),
    };
    let hollow = curve.kind == Kind::Published || look::is_hollow(curve.dash);
    let points: Vec<_> = outline.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    html! {
        <svg viewBox="-14 -7 28 14" aria-hidden="true" style={format!("color:var({color})")}>
            if curve.kind != Kind::Published {
                <path d="M-14 0H14" stroke-width={width} stroke-dasharray={dashes.join(" ")} />
            }
            <polygon points={points.join(" ")} class={hollow.then_some("hollow")} />
        </svg>
    }
}
