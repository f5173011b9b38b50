//! The legend of a chart: what is drawn, by name, as it looks; pressed away, it is not drawn.

use yew::prelude::*;

use crate::report::chart::figure::{Curve, Kind};
use crate::report::chart::look;
use crate::report::picture::geometry::Point;
use crate::report::picture::scene::Role;

/// An entry for every curve at its place, in an element called `id`; `hides` says of a place whether it is hidden, `toggle` takes the place of one that is
/// pressed.
pub(crate) fn legend(
    id: String,
    curves: &[(usize, &Curve)],
    hides: impl Fn(usize) -> bool,
    toggle: &Callback<usize>,
) -> Html {
    let entry = |&(place, curve): &(usize, &Curve)| {
        let onclick = toggle.reform(move |_: MouseEvent| place);
        html! {
            <button type="button" {onclick} aria-pressed={(!hides(place)).to_string()}>{ swatch(curve) }{curve.name.clone()}</button>
        }
    };
    html! {
        <div class="legend" {id} role="group" aria-label="What is drawn">{ for curves.iter().map(entry) }</div>
    }
}

/// A piece of a curve, as it is drawn.
pub(crate) fn swatch(curve: &Curve) -> Html {
    let color = match curve.role {
        Role::Series(number) => format!("--series-{}", number % 7),
        _ => "--ink".to_owned(),
    };
    let dashes: Vec<_> = look::dashes(curve.dash).iter().map(f64::to_string).collect();
    let (_, width) = curve.stroke();
    let outline = match curve.kind {
        Kind::Measured | Kind::Apart | Kind::Kept => look::marker(curve.dash, 4.0),
        Kind::Published => look::disc(5.0),
        Kind::Distribution | Kind::ClosedForm | Kind::Band => Vec::new(),
    };
    let hollow = curve.is_hollow();
    let points: Vec<_> = outline.iter().map(|Point { x, y }| format!("{x:.1},{y:.1}")).collect();
    html! {
        <svg viewBox="-14 -7 28 14" aria-hidden="true" color={format!("var({color})")}>
            if curve.kind != Kind::Published {
                <path d="M-14 0H14" stroke-width={width.to_string()} stroke-dasharray={dashes.join(" ")} />
            }
            <polygon points={points.join(" ")} class={hollow.then_some("hollow")} />
        </svg>
    }
}
