//! Interactive chart of an item, with its legend.

use std::rc::Rc;

use yew::prelude::*;

use crate::experiment::{ChartOptions, Experiment};
use crate::report::chart::chart_point::ChartPoint;
use crate::report::chart::figure::Figure;
use crate::report::chart::scale;
use crate::web::app_context::AppContext;
use crate::web::stage::interactive_chart::{ChartPart, InteractiveChart};
use crate::web::stage::legend::legend;

#[derive(Properties, PartialEq)]
pub(super) struct Props {
    pub(super) context: AppContext,
    /// Id of the canvas.
    pub(super) id: AttrValue,
    pub(super) figure: Rc<Figure>,
    /// Experiment of the chart.
    pub(super) experiment: Rc<Experiment>,
    /// Callback that describes a point.
    pub(super) tell: Callback<ChartPoint, Vec<String>>,
}

/// Renders the chart, which has its own state of hidden curves and of the visible part of the axis.
#[component]
pub(super) fn PaperChart(props: &Props) -> Html {
    let view = use_state_eq(ChartOptions::default);
    let mut figure = Figure { unnamed: true, ..(*props.figure).clone() };
    let places: Vec<_> = (0..figure.curves.len()).collect();
    scale::hide_curves(&mut figure, &view, &places);
    scale::set_x_axis(&mut figure, &view);
    scale::set_y_axis(&mut figure, &view);
    let toggle = {
        let view = view.clone();
        Callback::from(move |place: usize| {
            let mut next = (*view).clone();
            next.toggle(place);
            view.set(next);
        })
    };
    let zoom = {
        let view = view.clone();
        Callback::from(move |part: Option<ChartPart>| {
            let mut next = (*view).clone();
            next.zoom = part.and_then(|part| part.x.or(next.zoom));
            next.y_zoom = part.and_then(|part| part.y.or(next.y_zoom));
            view.set(next);
        })
    };
    let watch = {
        let experiment = Rc::clone(&props.experiment);
        Callback::from(move |spot: ChartPoint| {
            let x = experiment.vary.as_ref().map(|_| spot.value.0);
            experiment.routing.get(spot.curve).map(|algorithm| experiment.for_watch(x, algorithm))
        })
    };
    let curves: Vec<_> = props.figure.curves.iter().enumerate().collect();
    html! {
        <>
            <InteractiveChart id={props.id.clone()} tip={format!("{}-tip", props.id)} figure={Some(Rc::new(figure))} layout_version={props.context.layout_version}
                tell={props.tell.clone()} {watch} open={props.context.on_edit.clone()} {zoom} is_zoomed={view.is_zoomed()} />
            <div class="legends">{ legend(format!("{}-legend", props.id), &curves, props.figure.grid.is_some(), |place| view.is_hidden(place), &toggle) }</div>
        </>
    }
}
