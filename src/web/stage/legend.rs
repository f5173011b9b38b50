//! Legend of a chart: the curves with their names; a press hides a curve.

use yew::prelude::*;

use crate::report::chart::curve_style;
use crate::report::chart::figure::{Curve, CurveStyle};
use crate::report::picture::geometry::Point;
use crate::report::picture::scene::Role;

/// Renders an entry for every curve and its index, in an element called `id`, with a square instead
/// of a piece of the curve for maps. `hides` returns whether an index is hidden, and `toggle`
/// receives the index that is pressed.
pub(crate) fn legend(
    id: String,
    curves: &[(usize, &Curve)],
    are_maps: bool,
    hides: impl Fn(usize) -> bool,
    toggle: &Callback<usize>,
) -> Html {
    let entry = |&(place, curve): &(usize, &Curve)| {
        let onclick = toggle.reform(move |_: MouseEvent| place);
        html! {
            <button type="button" {onclick} aria-pressed={(!hides(place)).to_string()}>{ if are_maps { map_swatch(curve) } else { swatch(curve) } }{curve.name.clone()}</button>
        }
    };
    html! {
        <div class="legend" {id} role="group" aria-label="Legend">{ for curves.iter().map(entry) }</div>
    }
}

/// Renders the name of an algorithm in a narrow place: lines break between its words only, not after
/// their hyphens.
pub(crate) fn unbroken_words(name: &str) -> Html {
    let words = name.split(' ').map(|word| html! { <><span class="word">{word.to_owned()}</span>{" "}</> });
    html! { <>{ for words }</> }
}

/// Renders a square in the colour of a map.
fn map_swatch(curve: &Curve) -> Html {
    html! {
        <svg viewBox="-14 -7 28 14" aria-hidden="true" color={format!("var({})", color_variable(curve))}>
            <polygon points="-6,-6 6,-6 6,6 -6,6" />
        </svg>
    }
}

/// Returns the CSS variable with the colour of a curve.
fn color_variable(curve: &Curve) -> String {
    match curve.role {
        Role::Series(number) => format!("--series-{}", number % 7),
        _ => "--ink".to_owned(),
    }
}

/// Renders a piece of a curve in its style.
pub(crate) fn swatch(curve: &Curve) -> Html {
    let color = color_variable(curve);
    let dashes: Vec<_> = curve_style::dashes(curve.dash).iter().map(f64::to_string).collect();
    let (_, width) = curve.stroke();
    let outline = match curve.kind {
        CurveStyle::Measured | CurveStyle::Apart | CurveStyle::Kept => curve_style::marker(curve.dash, 4.0),
        CurveStyle::Published => curve_style::disc(5.0),
        CurveStyle::Distribution | CurveStyle::ClosedForm | CurveStyle::Band => Vec::new(),
    };
    let hollow = curve.is_hollow();
    let points: Vec<_> = outline.iter().map(|Point { x, y }| format!("{x:.1},{y:.1}")).collect();
    html! {
        <svg viewBox="-14 -7 28 14" aria-hidden="true" color={format!("var({color})")}>
            if !matches!(curve.kind, CurveStyle::Published | CurveStyle::Apart) {
                <path d="M-14 0H14" stroke-width={width.to_string()} stroke-dasharray={dashes.join(" ")} />
            }
            <polygon points={points.join(" ")} class={hollow.then_some("hollow")} />
        </svg>
    }
}
