//! Watch view of pairs: the network, whose faults can be edited, and a matrix of the disconnected
//! pairs for every algorithm.

use std::rc::Rc;

use web_sys::{KeyboardEvent, MouseEvent, PointerEvent};
use yew::prelude::*;

use super::pair_counts::PairCountTable;
use crate::experiment::{Experiment, Layout};
use crate::report::files::file_name;
use crate::report::pairs::matrix::{MatrixPicture, sheet};
use crate::report::pairs::wording::{Column, PairTable};
use crate::report::picture::cube::{CubePicture, LinkStyle, NetworkElement, NodeStyle};
use crate::report::picture::geometry::Size;
use crate::report::picture::layout::NodePositions;
use crate::report::picture::scene::{Role, Scene};
use crate::report::picture::viewport::Viewport;
use crate::report::source_note;
use crate::report::wording::cut_off;
use crate::topology::{Link, NodeId};
use crate::traffic::Pair;
use crate::web::app_context::AppContext;
use crate::web::dom;
use crate::web::stage::canvas;
use crate::web::stage::files::{export, save_png, save_svg, texts};
use crate::web::stage::kind_view::layout as layouts;
use crate::web::stage::picture::{DrawFn, point, use_picture};
use crate::web::stage::view::instance_key;
use crate::web::stage::zoom::{PanZoom, ZOOM_KEYS, use_pan_zoom, use_wheel_zoom, wheel_hint};

#[derive(Properties, PartialEq)]
pub(crate) struct Props {
    pub(crate) context: AppContext,
}

/// Table that is compared by identity.
#[derive(Clone)]
struct SharedPairTable(Rc<PairTable>);

impl PartialEq for SharedPairTable {
    fn eq(&self, other: &Self) -> bool {
        Rc::ptr_eq(&self.0, &other.0)
    }
}

/// Pair that the pointer or the keys have selected.
#[derive(Clone, Copy, PartialEq)]
struct PointedPair {
    /// Index of the matrix, in the order of the algorithms.
    column: usize,
    pair: Pair,
}

#[component]
pub(crate) fn PairsWatch(props: &Props) -> Html {
    let context = &props.context;
    let relabel = use_state_eq(|| false);
    let pointed = use_state_eq(|| None::<PointedPair>);
    // Figures show only one matrix.
    let chosen = use_state_eq(|| 0usize);
    // All matrices share one magnification, so that equal pairs stay side by side.
    let zoom = use_pan_zoom();
    let found = use_memo((instance_key(&context.experiment), *relabel), {
        let experiment = Rc::clone(&context.experiment);
        move |(_, relabel)| PairTable::new(&experiment, *relabel).map(|table| SharedPairTable(Rc::new(table)))
    });
    let Some(found) = &*found else { return html! { <PairCountTable experiment={Rc::clone(&context.experiment)} /> } };
    let table = &found.0;
    let point_at = {
        let pointed = pointed.clone();
        Callback::from(move |pair: Option<PointedPair>| pointed.set(pair))
    };
    let shown_column = (*chosen).min(table.columns.len().saturating_sub(1));
    let matrix = |(column, _): (usize, _)| {
        let pointed = pointed.filter(|pointed| pointed.column == column).map(|pointed| pointed.pair);
        html! {
            <Matrix key={column} context={context.clone()} found={found.clone()} {column} {pointed} point_at={point_at.clone()}
                zoom={zoom.clone()} is_chosen={column == shown_column} />
        }
    };
    let toggle = {
        let relabel = relabel.clone();
        Callback::from(move |_: MouseEvent| relabel.set(!*relabel))
    };
    // The pair under the pointer may not exist any more.
    let shown = pointed.filter(|PointedPair { column, pair }| {
        *column < table.columns.len() && table.cube.contains(pair.from) && table.cube.contains(pair.to)
    });
    let told = shown.map_or_else(
        || {
            "Point at a matrix, or move through it with the arrow keys: a row is a source, a column a destination."
                .into()
        },
        |PointedPair { column, pair }| format!("{}: {}", table.columns[column].name, table.describe(column, pair)),
    );
    html! {
        <section class="stage stage--wide" aria-label="The network and its pairs" role={context.role()}>
            <div class="caption">
                <h2>{table.title()}</h2>
                <p>{"Click a node or a one-way link to break it, again to mend it. A dot marks a pair without a live permitted path; a line through a row and a column marks a faulty node."}</p>
            </div>
            <div class="pairs">
                <Network context={context.clone()} found={found.clone()} pointed={shown} />
                <div>
                    { relabel_button(table, *relabel, &toggle) }
                    <div class={classes!("matrices", (table.cube.dimension() > 5).then_some("matrices--fine"))}>{ for table.columns.iter().enumerate().map(matrix) }</div>
                    { tabs(table, shown_column, &chosen) }
                    <div class="figure-tools">{ files(context, found) }</div>
                    { pairs_as_text(table) }
                    <p class={classes!("result-text", shown.map(|_| "result-text--on"))} aria-live="polite">{told}</p>
                </div>
            </div>
        </section>
    }
}

/// Renders the choice of the matrix that a figure shows.
fn tabs(table: &PairTable, shown: usize, chosen: &UseStateHandle<usize>) -> Html {
    let tab = |(column, found): (usize, &Column)| {
        let choose = chosen.clone();
        let onclick = Callback::from(move |_: MouseEvent| choose.set(column));
        html! { <button type="button" {onclick} aria-pressed={(column == shown).to_string()}>{&found.name}</button> }
    };
    html! {
        <div class="tabs"><div class="series" role="group" aria-label="Algorithms">{ for table.columns.iter().enumerate().map(tab) }</div></div>
    }
}

/// Renders the button that relabels the nodes, and a description of the new labels.
fn relabel_button(table: &PairTable, pressed: bool, onclick: &Callback<MouseEvent>) -> Html {
    let words = table.suggestion.as_ref().map(|found| cut_off::relabelling(table.cube, found));
    html! {
        <div class="relabel">
            <button type="button" aria-pressed={pressed.to_string()} {onclick}>{"Relabel"}</button>
            <p class="hint">
                if let Some((what, why)) = words {
                    {"New labels: "}<b>{what}</b>{". "}{why}{"."}
                } else {
                    {"Relabelling gives the nodes labels under which these faults cut off fewer pairs. Only the routing uses the labels."}
                }
            </p>
        </div>
    }
}

fn files(context: &AppContext, found: &SharedPairTable) -> Html {
    let with = |act: fn(&PairTable, &Experiment)| {
        let (table, experiment) = (Rc::clone(&found.0), Rc::clone(&context.experiment));
        move || act(&table, &experiment)
    };
    let text = |write: fn(&PairTable, &Experiment) -> String| {
        let (table, experiment) = (Rc::clone(&found.0), Rc::clone(&context.experiment));
        move || write(&table, &experiment)
    };
    html! {
        <div class="exports" role="group" aria-label="Export pairs">
            { texts(&file_name::stem(&context.experiment, "pairs"), text(PairTable::csv), text(PairTable::json)) }
            { export("SVG", with(|table, experiment| save_svg(&file_name::stem(experiment, "pairs"), &sheet(table), &source_note(experiment)))) }
            { export("PNG", with(|table, experiment| save_png(&file_name::stem(experiment, "pairs"), &sheet(table), &source_note(experiment)))) }
        </div>
    }
}

/// Maximum number of pairs that are listed for an algorithm.
const LISTED: usize = 300;

/// Renders the matrices as text.
fn pairs_as_text(table: &PairTable) -> Html {
    let column = |column: &Column| {
        let count = column.cut_off.counts().cut_off as usize;
        let pairs: Vec<_> = column.cut_off.pairs().take(LISTED).map(cut_off::pair).collect();
        let more =
            if count > LISTED { format!(", and {} more (all in the CSV)", count - LISTED) } else { String::new() };
        let pairs = if pairs.is_empty() { "none".into() } else { pairs.join(", ") };
        html! { <><dt>{&column.name}</dt><dd>{pairs}{more}</dd></> }
    };
    html! {
        <details class="hint"><summary>{"The pairs cut off, as text"}</summary>
            <dl>{ for table.columns.iter().map(column) }</dl>
        </details>
    }
}

#[derive(Properties, PartialEq)]
struct MatrixProps {
    context: AppContext,
    found: SharedPairTable,
    column: usize,
    pointed: Option<Pair>,
    point_at: Callback<Option<PointedPair>>,
    zoom: PanZoom,
    /// True if a figure shows this matrix, and if it has the buttons that magnify all matrices.
    is_chosen: bool,
}

/// Renders a matrix with its name and its counts.
#[component]
fn Matrix(props: &MatrixProps) -> Html {
    let canvas = use_node_ref();
    let (found, column, pointed, zoom) = (props.found.clone(), props.column, props.pointed, props.zoom.clone());
    let viewport = zoom.viewport();
    let draw: DrawFn = Rc::new(move |size| {
        let picture = MatrixPicture::on_canvas(&found.0, column, size, viewport);
        let mut shapes = picture.shapes();
        shapes.extend(pointed.into_iter().flat_map(|pair| picture.mark(pair)));
        viewport.crop(Scene { size: viewport.picture_size(size), shapes })
    });
    use_picture(&canvas, draw);
    use_wheel_zoom(&canvas, &zoom, props.context.is_figure);
    let table = &props.found.0;
    let Some(of) = table.columns.get(column) else { return html! {} };
    let hit = {
        let (canvas, found, zoom) = (canvas.clone(), props.found.clone(), zoom.clone());
        move |event: &MouseEvent| {
            let size = canvas::size(&canvas.cast()?);
            let at = zoom.to_picture(point(event), size);
            MatrixPicture::on_canvas(&found.0, column, size, viewport).hit(at)
        }
    };
    let onpointermove = {
        let (hit, point_at, zoom, canvas) = (hit.clone(), props.point_at.clone(), zoom.clone(), canvas.clone());
        Callback::from(move |event: PointerEvent| {
            if !zoom.on_pointer_move(&event, canvas::size_of(&canvas)) {
                point_at.emit(hit(&event).map(|pair| PointedPair { column, pair }));
            }
        })
    };
    let (onpointerdown, onpointerup) = pointer_handlers(&zoom);
    let onpointerleave = {
        let (point_at, onpointerup) = (props.point_at.clone(), onpointerup.clone());
        Callback::from(move |event: PointerEvent| {
            onpointerup.emit(event);
            point_at.emit(None);
        })
    };
    let look_at = {
        let context = props.context.clone();
        move |pair: Pair| {
            if pair.from != pair.to {
                context.edit_with(|next| (next.from, next.to) = (Some(pair.from), Some(pair.to)));
            }
        }
    };
    let onclick = {
        let (look_at, point_at, zoom) = (look_at.clone(), props.point_at.clone(), zoom.clone());
        Callback::from(move |event: MouseEvent| {
            if let Some(pair) = hit(&event).filter(|_| !zoom.take_dragged(&event)) {
                point_at.emit(Some(PointedPair { column, pair }));
                look_at(pair);
            }
        })
    };
    let onkeydown = {
        let (found, point_at, zoom, canvas) =
            (props.found.clone(), props.point_at.clone(), zoom.clone(), canvas.clone());
        Callback::from(move |event: KeyboardEvent| {
            let pair = pointed.unwrap_or(found.0.ends);
            if event.ctrl_key() || event.meta_key() || event.alt_key() {
                return;
            }
            let next = match event.key().as_str() {
                "Enter" => {
                    look_at(pair);
                    Some(pair)
                }
                "Escape" if pointed.is_some() => None,
                key if zoom.on_key(key, &canvas) => pointed,
                key => match pair_after_key(&found.0, column, pair, pointed.is_none(), key) {
                    Some(next) => Some(next),
                    None => return,
                },
            };
            if let Some(pair) = next.filter(|_| next != pointed) {
                let size = canvas::size_of(&canvas);
                let at = MatrixPicture::on_canvas(&found.0, column, size, viewport).middle(pair.from.0, pair.to.0);
                zoom.reveal(at, size);
            }
            point_at.emit(next.map(|pair| PointedPair { column, pair }));
            event.prevent_default();
        })
    };
    let counts = of.cut_off.counts();
    let share = counts.share().map_or("no pairs".into(), |share| format!("{:.2}%", share * 100.0));
    let label = format!(
        "Pairs cut off under {}: {} of {}. Arrow keys move, dot and comma go to the next and the previous pair cut off, Enter \
         examines a pair.{ZOOM_KEYS}",
        of.name, counts.cut_off, counts.live
    );
    let buttons = props.is_chosen.then(|| zoom.buttons(&canvas));
    html! {
        <figure class={classes!("matrix", props.is_chosen.then_some("matrix--chosen"))}>
            <figcaption><b>{&of.name}</b><span class="count">{format!("{} of {}", counts.cut_off, counts.live)}</span><small>{share}</small>{ for buttons }</figcaption>
            <canvas ref={canvas} class={classes!(zoom.class())} tabindex="0" role="application" aria-label={label}
                {onclick} {onpointerdown} {onpointerup} {onpointermove} {onpointerleave} {onkeydown}></canvas>
            { wheel_hint() }
        </figure>
    }
}

/// Returns the pair that a key moves to; the first key press only shows the current pair.
fn pair_after_key(table: &PairTable, column: usize, pair: Pair, first: bool, key: &str) -> Option<Pair> {
    let last = table.cube.mask();
    let step = |node: NodeId, up: bool| NodeId(if up { (node.0 + 1).min(last) } else { node.0.saturating_sub(1) });
    let here = (pair.from, pair.to);
    Some(match key {
        "ArrowLeft" | "ArrowRight" | "ArrowUp" | "ArrowDown" if first => pair,
        "ArrowLeft" => Pair { to: step(pair.to, false), ..pair },
        "ArrowRight" => Pair { to: step(pair.to, true), ..pair },
        "ArrowUp" => Pair { from: step(pair.from, false), ..pair },
        "ArrowDown" => Pair { from: step(pair.from, true), ..pair },
        "." => table.columns.get(column)?.cut_off.pairs().find(|next| (next.from, next.to) > here).unwrap_or(pair),
        "," => {
            let before = table.columns.get(column)?.cut_off.pairs().take_while(|next| (next.from, next.to) < here);
            before.last().unwrap_or(pair)
        }
        _ => return None,
    })
}

#[derive(Properties, PartialEq)]
struct NetworkProps {
    context: AppContext,
    found: SharedPairTable,
    pointed: Option<PointedPair>,
}

/// Renders the network, whose nodes and one-way links can be broken and repaired.
#[component]
fn Network(props: &NetworkProps) -> Html {
    let context = &props.context;
    let canvas = use_node_ref();
    let focus = use_state_eq(|| None::<NetworkElement>);
    let (table, layout, pointed) = (Rc::clone(&props.found.0), context.experiment.view.layout, props.pointed);
    let cube = table.cube;
    let spot = focus.filter(|spot| match spot {
        NetworkElement::Node(node) => cube.contains(*node),
        NetworkElement::Link(link) => cube.contains(link.from) && link.dim < cube.dimension(),
    });
    let zoom = use_pan_zoom();
    let viewport = zoom.viewport();
    let draw: DrawFn = Rc::new({
        let table = Rc::clone(&table);
        move |size| picture(&table, layout, size, viewport, pointed, spot)
    });
    use_picture(&canvas, Rc::clone(&draw));
    use_wheel_zoom(&canvas, &zoom, context.is_figure);
    let hit = {
        let (canvas, table, zoom) = (canvas.clone(), Rc::clone(&table), zoom.clone());
        move |event: &MouseEvent, touch: bool| {
            let size = canvas::size(&canvas.cast()?);
            let places = NodePositions::of_cube(cube, table.ends.to, layout, size.aspect())?;
            let at = zoom.to_picture(point(event), size);
            let spot = cube_picture(&table, &places, size, viewport).hit(at, touch);
            // Links from or to a faulty node are not drawn.
            spot.filter(|spot| !matches!(spot, NetworkElement::Link(link) if table.has_faulty_end(*link)))
        }
    };
    let toggle = {
        let context = context.clone();
        move |spot: NetworkElement| {
            let next = match spot {
                NetworkElement::Node(node) => context.experiment.with_node_toggled(node),
                NetworkElement::Link(link) => context.experiment.with_link_toggled(link),
            };
            if let Some(next) = next {
                context.on_edit.emit(next);
            }
        }
    };
    let onclick = {
        let (hit, toggle, focus, zoom) = (hit.clone(), toggle.clone(), focus.clone(), zoom.clone());
        Callback::from(move |event: MouseEvent| {
            let spot = hit(&event, dom::matches_media("(pointer: coarse)")).filter(|_| !zoom.take_dragged(&event));
            if let Some(spot) = spot {
                focus.set(Some(spot));
                toggle(spot);
            }
        })
    };
    let onpointermove = {
        let (focus, zoom, canvas) = (focus.clone(), zoom.clone(), canvas.clone());
        Callback::from(move |event: PointerEvent| {
            if !zoom.on_pointer_move(&event, canvas::size_of(&canvas)) {
                focus.set(hit(&event, false));
            }
        })
    };
    let (onpointerdown, onpointerup) = pointer_handlers(&zoom);
    let onpointerleave = {
        let (focus, onpointerup) = (focus.clone(), onpointerup.clone());
        Callback::from(move |event: PointerEvent| {
            onpointerup.emit(event);
            focus.set(None);
        })
    };
    let onkeydown = {
        let (focus, from, zoom, canvas) = (focus.clone(), table.ends.from, zoom.clone(), canvas.clone());
        let table = Rc::clone(&table);
        let reveal = {
            let zoom = zoom.clone();
            move |spot: NetworkElement, size: Size| {
                let places = NodePositions::of_cube(cube, table.ends.to, layout, size.aspect())?;
                let at = cube_picture(&table, &places, size, viewport).at(spot.node())?;
                zoom.reveal(at, size);
                Some(())
            }
        };
        Callback::from(move |event: KeyboardEvent| {
            if event.ctrl_key() || event.meta_key() || event.alt_key() {
                return;
            }
            match (event.key().as_str(), spot) {
                ("Enter", Some(spot)) => toggle(spot),
                ("Escape", Some(_)) => focus.set(None),
                (key, _) if zoom.on_key(key, &canvas) => {}
                (key, spot) => match element_after_key(spot, from, cube.dimension(), cube.mask(), key) {
                    Some(next) => {
                        // Elements without a position are not drawn.
                        let _ = reveal(next, canvas::size_of(&canvas));
                        focus.set(Some(next));
                    }
                    None => return,
                },
            }
            event.prevent_default();
        })
    };
    let told = spot.map_or(String::new(), |spot| format!("In focus: {}, {}.", spot.name(cube), state(&table, spot)));
    let file = |save: fn(&str, &Scene, &str)| {
        let (canvas, experiment, draw) = (canvas.clone(), Rc::clone(&context.experiment), Rc::clone(&draw));
        move || {
            if let Some(element) = canvas.cast() {
                let name = file_name::stem(&experiment, "network");
                save(&name, &draw(canvas::size(&element)), &source_note(&experiment));
            }
        }
    };
    html! {
        <div>
            <canvas ref={canvas.clone()} class={classes!("network", zoom.class())} tabindex="0" role="application" aria-describedby="summary"
                aria-label={[NETWORK_KEYS, ZOOM_KEYS].concat()}
                {onclick} {onpointerdown} {onpointerup} {onpointermove} {onpointerleave} {onkeydown}></canvas>
            { zoom.buttons(&canvas) }
            { wheel_hint() }
            <p id="summary" class="hidden" aria-live="polite">{format!("{}-cube. {}. {told}", cube.dimension(), table.title())}</p>
            <div class="figure-tools">
                { layouts(context) }
                <div class="exports" role="group" aria-label="Export network">
                    { export("SVG", file(save_svg)) }
                    { export("PNG", file(save_png)) }
                </div>
            </div>
        </div>
    }
}

/// Description of the network and of its keys.
const NETWORK_KEYS: &str =
    "The network. Left and right move between nodes, up and down between a node's links, Enter breaks or mends.";

/// Returns the handlers of a pointer that is pressed on a picture, and of one that is lifted or leaves.
fn pointer_handlers(zoom: &PanZoom) -> (Callback<PointerEvent>, Callback<PointerEvent>) {
    let (down, up) = (zoom.clone(), zoom.clone());
    (
        Callback::from(move |event: PointerEvent| down.on_pointer_down(&event)),
        Callback::from(move |event: PointerEvent| up.on_pointer_up(&event)),
    )
}

/// Returns the magnified picture of the network for a canvas of this size.
fn cube_picture<'a>(table: &PairTable, places: &'a NodePositions, canvas: Size, viewport: Viewport) -> CubePicture<'a> {
    CubePicture { cube: table.cube, places, size: viewport.picture_size(canvas), zoom: viewport.zoom() }
}

/// Draws the network: the endpoints of the selected pair have a ring, and the element in `spot` has
/// the focus.
fn picture(
    table: &Rc<PairTable>,
    layout: Layout,
    size: Size,
    viewport: Viewport,
    pointed: Option<PointedPair>,
    spot: Option<NetworkElement>,
) -> Scene {
    let cube = table.cube;
    let Some(places) = NodePositions::of_cube(cube, table.ends.to, layout, size.aspect()) else {
        return Scene::default();
    };
    let picture = cube_picture(table, &places, size, viewport);
    let link = |link: Link| {
        if table.has_faulty_end(link) {
            LinkStyle::Absent
        } else if table.is_link_faulty(link) {
            LinkStyle::Faulty
        } else {
            LinkStyle::Free
        }
    };
    let pair = pointed.map_or(table.ends, |pointed| pointed.pair);
    let node = |node: NodeId| {
        let ring = if node == pair.from { Some(Role::Ink) } else { (node == pair.to).then_some(Role::Done) };
        NodeStyle {
            ring,
            ..if table.is_faulty(node) {
                NodeStyle::FAULTY
            } else {
                NodeStyle { label: node.to_string(), ..NodeStyle::IDLE }
            }
        }
    };
    let mut scene = picture.draw(link, node);
    if let Some(spot) = spot {
        scene.shapes.extend(picture.focus(spot, &state(table, spot)));
    }
    viewport.crop(scene)
}

/// Describes the state of a node or a link.
fn state(table: &PairTable, spot: NetworkElement) -> String {
    match spot {
        NetworkElement::Node(node) => if table.is_faulty(node) { "faulty" } else { "live" }.to_owned(),
        NetworkElement::Link(link) if table.has_faulty_end(link) => format!("{link}, at a faulty node"),
        NetworkElement::Link(link) => format!("{link}, {}", if table.is_link_faulty(link) { "faulty" } else { "live" }),
    }
}

/// Returns the element that a key moves to: Left and Right move between nodes, Up and Down between
/// the links of a node.
fn element_after_key(
    spot: Option<NetworkElement>,
    from: NodeId,
    dims: u8,
    last: u64,
    key: &str,
) -> Option<NetworkElement> {
    let (node, place) = match spot {
        None if key.starts_with("Arrow") => return Some(NetworkElement::Node(from)),
        None => return None,
        Some(NetworkElement::Node(node)) => (node, 0),
        Some(NetworkElement::Link(link)) => (link.from, link.dim + 1),
    };
    let at = |place: u8| match place.checked_sub(1) {
        None => NetworkElement::Node(node),
        Some(dim) => NetworkElement::Link(Link { from: node, dim }),
    };
    match key {
        "ArrowLeft" => Some(NetworkElement::Node(NodeId(node.0.checked_sub(1).unwrap_or(last)))),
        "ArrowRight" => Some(NetworkElement::Node(NodeId(if node.0 == last { 0 } else { node.0 + 1 }))),
        "ArrowUp" => Some(at(if place == dims { 0 } else { place + 1 })),
        "ArrowDown" => Some(at(place.checked_sub(1).unwrap_or(dims))),
        _ => None,
    }
}
