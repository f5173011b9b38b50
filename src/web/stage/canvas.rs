//! Rendering of pictures and charts on a canvas, in device pixels and in the colours of the style
//! sheet.

use wasm_bindgen::{Clamped, JsCast as _};
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, ImageData};
use yew::NodeRef;

use crate::report::chart::draw;
use crate::report::chart::figure::Figure;
use crate::report::chart::print::Print;
use crate::report::files::png;
use crate::report::picture::geometry::{Point, Size};
use crate::report::picture::palette;
use crate::report::picture::scene::{Anchor, Role, Scene, Shape};
use crate::web::dom;

/// Canvas pixels per CSS pixel of a printed chart.
const PRINTED: f64 = 4.0;

/// Current colours of the page: light, dark or forced.
pub(crate) struct Colors {
    canvas: HtmlCanvasElement,
    context: Option<CanvasRenderingContext2d>,
}

impl Colors {
    pub(crate) fn new(canvas: &HtmlCanvasElement) -> Self {
        Self { canvas: canvas.clone(), context: context(canvas) }
    }

    /// Returns the colour of `role`, as `#rrggbb`.
    fn css(&self, role: Role) -> String {
        let name = match role {
            Role::Paper => "--paper".to_owned(),
            Role::Ink => "--ink".to_owned(),
            Role::Soft => "--soft".to_owned(),
            Role::Link => "--free".to_owned(),
            Role::Idle => "--idle".to_owned(),
            Role::Fault => "--fault".to_owned(),
            Role::Detour => "--detour".to_owned(),
            Role::Done => "--done".to_owned(),
            Role::Trap => "--trap".to_owned(),
            Role::Series(number) => format!("--series-{}", number % 7),
        };
        let value = dom::css_property(&self.canvas, &name);
        // The canvas converts any CSS colour, system colours included, to #rrggbb.
        let normal = value.zip(self.context.as_ref()).map(|(value, context)| {
            context.set_fill_style_str(&value);
            context.fill_style().as_string().unwrap_or(value)
        });
        normal.unwrap_or_else(|| palette::print_css(role))
    }
}

fn context(canvas: &HtmlCanvasElement) -> Option<CanvasRenderingContext2d> {
    canvas.get_context("2d").ok().flatten()?.dyn_into().ok()
}

/// Sets the size of the canvas to the device pixels that it covers; returns its size in CSS pixels.
fn prepare(canvas: &HtmlCanvasElement, ratio: f64) -> Size {
    let size = dom::size_of(canvas);
    // The edges on the screen lie between device pixels: one column more or less would blur every
    // stroke.
    let rect = canvas.get_bounding_client_rect();
    let pixels = |low: f64, length: f64, css: f64| {
        let scale = if length > 0.0 { css * ratio / length } else { ratio };
        let edge = |place: f64| (place * scale + 0.5).floor();
        (edge(low + length) - edge(low)) as u32
    };
    let (columns, rows) =
        (pixels(rect.left(), rect.width(), size.width), pixels(rect.top(), rect.height(), size.height));
    if (canvas.width(), canvas.height()) != (columns, rows) {
        canvas.set_width(columns);
        canvas.set_height(rows);
    }
    size
}

/// Returns the size of the canvas in CSS pixels.
pub(crate) fn size(canvas: &HtmlCanvasElement) -> Size {
    dom::size_of(canvas)
}

/// Returns the size of a canvas that may not be rendered, in CSS pixels.
pub(crate) fn size_of(canvas: &NodeRef) -> Size {
    canvas.cast().map_or_else(Size::default, |element| size(&element))
}

/// Draws a picture, with `ratio` canvas pixels per CSS pixel.
pub(crate) fn paint(canvas: &HtmlCanvasElement, scene: &Scene, ratio: f64) {
    let colors = Colors::new(canvas);
    paint_in(canvas, scene, ratio, Ground::Opaque, |role| colors.css(role));
}

/// Draws a picture in the colours of exported figures, on white.
pub(crate) fn paint_for_file(canvas: &HtmlCanvasElement, scene: &Scene, ratio: f64) {
    paint_in(canvas, scene, ratio, Ground::Opaque, palette::print_css);
}

/// Background of a picture.
#[derive(Clone, Copy, PartialEq)]
enum Ground {
    Opaque,
    Transparent,
}

/// Draws a picture in the colours that `color` returns.
fn paint_in(canvas: &HtmlCanvasElement, scene: &Scene, ratio: f64, ground: Ground, color: impl Fn(Role) -> String) {
    prepare(canvas, ratio);
    let Some(context) = context(canvas) else { return };
    let mut known: Vec<(Role, String)> = Vec::new();
    let mut css = |role: Role| match known.iter().find(|(other, _)| *other == role) {
        Some((_, css)) => css.clone(),
        None => {
            let css = color(role);
            known.push((role, css.clone()));
            css
        }
    };
    // Fails only on a canvas that no longer exists.
    let _ = context.set_transform(ratio, 0.0, 0.0, ratio, 0.0, 0.0);
    context.set_global_alpha(1.0);
    // The last column and row may be wider than the picture.
    let (width, height) = (scene.size.width + 1.0, scene.size.height + 1.0);
    match ground {
        Ground::Opaque => {
            context.set_fill_style_str(&css(Role::Paper));
            context.fill_rect(0.0, 0.0, width, height);
        }
        Ground::Transparent => context.clear_rect(0.0, 0.0, width, height),
    }
    let mut style = None;
    for shape in &scene.shapes {
        paint_shape(&context, shape, &mut css, &mut style);
    }
    context.set_global_alpha(1.0);
    let _ = context.set_transform(1.0, 0.0, 0.0, 1.0, 0.0, 0.0);
}

/// Look of the lines of a shape.
#[derive(PartialEq)]
struct StrokeStyle<'a> {
    role: Role,
    width: f64,
    dash: &'a [f64],
    alpha: f64,
}

/// Sets the look of lines. The calls take longer than those that draw a short line, so nothing is set
/// again if `current` is the same.
fn set_style<'a>(
    context: &CanvasRenderingContext2d,
    style: StrokeStyle<'a>,
    current: &mut Option<StrokeStyle<'a>>,
    css: &mut impl FnMut(Role) -> String,
) {
    if current.as_ref() == Some(&style) {
        return;
    }
    let dashes = style.dash.iter().map(|&length| wasm_bindgen::JsValue::from(length)).collect::<js_sys::Array>();
    let _ = context.set_line_dash(&dashes);
    context.set_line_cap(if style.dash.is_empty() { "round" } else { "butt" });
    context.set_global_alpha(style.alpha);
    context.set_stroke_style_str(&css(style.role));
    context.set_line_width(style.width);
    *current = Some(style);
}

fn stroke<'a>(context: &CanvasRenderingContext2d, lines: impl Iterator<Item = &'a [Point]>) {
    context.begin_path();
    for (first, rest) in lines.filter_map(|points| points.split_first()) {
        context.move_to(first.x, first.y);
        rest.iter().for_each(|point| context.line_to(point.x, point.y));
    }
    context.stroke();
}

/// Paints a shape. `style` is the look of lines that is set.
fn paint_shape<'a>(
    context: &CanvasRenderingContext2d,
    shape: &'a Shape,
    css: &mut impl FnMut(Role) -> String,
    style: &mut Option<StrokeStyle<'a>>,
) {
    let look = match shape {
        Shape::Line { role, width, alpha, .. } | Shape::Mesh { role, width, alpha, .. } => {
            Some((role, width, &[][..], alpha))
        }
        Shape::Stroke { role, width, dash, alpha, .. } => Some((role, width, dash.as_slice(), alpha)),
        _ => None,
    };
    match look {
        Some((&role, &width, dash, &alpha)) => set_style(context, StrokeStyle { role, width, dash, alpha }, style, css),
        None if style.take().is_some() => context.set_global_alpha(1.0),
        None => {}
    }
    match shape {
        Shape::Line { ends, .. } => stroke(context, std::iter::once(&ends[..])),
        Shape::Stroke { points, .. } => stroke(context, std::iter::once(points.as_slice())),
        Shape::Mesh { lines, .. } => stroke(context, lines.iter().map(Vec::as_slice)),
        Shape::Disc { at: Point { x, y }, radius, fill, stroke } => {
            context.begin_path();
            let _ = context.arc(*x, *y, radius.max(0.5), 0.0, std::f64::consts::TAU);
            context.set_fill_style_str(&css(*fill));
            context.fill();
            if let Some((role, width)) = stroke {
                let _ = context.set_line_dash(&js_sys::Array::new());
                context.set_stroke_style_str(&css(*role));
                context.set_line_width(*width);
                context.stroke();
            }
        }
        Shape::Cross { at: Point { x, y }, radius: r, role } => {
            context.set_fill_style_str(&css(*role));
            context.fill_rect(x - r, y - r, 2.0 * r, 2.0 * r);
            if *r > 2.5 {
                let _ = context.set_line_dash(&js_sys::Array::new());
                context.set_stroke_style_str(&css(Role::Paper));
                context.set_line_width((r / 4.0).max(1.0));
                context.begin_path();
                let h = r / 2.0;
                context.move_to(x - h, y - h);
                context.line_to(x + h, y + h);
                context.move_to(x + h, y - h);
                context.line_to(x - h, y + h);
                context.stroke();
            }
        }
        Shape::Area { points, role, alpha } => {
            context.begin_path();
            points.iter().for_each(|point| context.line_to(point.x, point.y));
            context.set_global_alpha(*alpha);
            context.set_fill_style_str(&css(*role));
            context.fill();
            context.set_global_alpha(1.0);
        }
        Shape::Cells { corner, side, columns, opacities, role } => {
            let color = css(*role);
            if let Some(cells) = cells(&color, *columns, opacities) {
                let (width, height) = (f64::from(cells.width()) * side, f64::from(cells.height()) * side);
                context.set_image_smoothing_enabled(false);
                // Fails only on a canvas that no longer exists.
                let _ = context
                    .draw_image_with_html_canvas_element_and_dw_and_dh(&cells, corner.x, corner.y, width, height);
            }
        }
        Shape::Label { at: Point { x, y }, anchor, role, size, turn, text } => {
            set_font(context, *size, *anchor);
            context.set_fill_style_str(&css(*role));
            context.save();
            let _ = context.translate(*x, *y);
            let _ = context.rotate(turn.to_radians());
            let _ = context.fill_text(text, 0.0, 0.0);
            context.restore();
        }
        Shape::Text { at: Point { x, y }, anchor, role, size, text } => {
            set_font(context, *size, *anchor);
            // A halo in the background colour keeps the text readable over links.
            let _ = context.set_line_dash(&js_sys::Array::new());
            context.set_stroke_style_str(&css(Role::Paper));
            context.set_line_width(4.0);
            let _ = context.stroke_text(text, *x, *y);
            context.set_fill_style_str(&css(*role));
            let _ = context.fill_text(text, *x, *y);
        }
    }
}

/// Returns a canvas with a pixel for each of `opacities`, in rows of `columns`, in a colour
/// `#rrggbb`.
fn cells(color: &str, columns: u32, opacities: &[u8]) -> Option<HtmlCanvasElement> {
    let rows = opacities.len() as u32 / columns.max(1);
    let [_, red, green, blue] = u32::from_str_radix(color.strip_prefix('#')?, 16).ok()?.to_be_bytes();
    let pixels: Vec<u8> = opacities.iter().flat_map(|&opacity| [red, green, blue, opacity]).collect();
    let image = ImageData::new_with_u8_clamped_array(Clamped(&pixels), columns).ok()?;
    let canvas = dom::document()?.create_element("canvas").ok()?.dyn_into::<HtmlCanvasElement>().ok()?;
    canvas.set_width(columns);
    canvas.set_height(rows);
    context(&canvas)?.put_image_data(&image, 0.0, 0.0).ok()?;
    Some(canvas)
}

/// Sets the font, and aligns texts vertically by their middle and horizontally by `anchor`.
fn set_font(context: &CanvasRenderingContext2d, size: f64, anchor: Anchor) {
    context.set_font(&format!("{size}px system-ui, sans-serif"));
    context.set_text_baseline("middle");
    context.set_text_align(match anchor {
        Anchor::Start => "start",
        Anchor::Middle => "center",
        Anchor::End => "end",
    });
}

/// Draws a chart, with `ratio` canvas pixels per CSS pixel.
pub(crate) fn plot(canvas: &HtmlCanvasElement, figure: &Figure, ratio: f64) {
    paint(canvas, &draw::scene(figure, size(canvas)), ratio);
}

/// Draws a chart in its printed form, in the colours of exported figures.
pub(crate) fn print(canvas: &HtmlCanvasElement, print: &Print<'_>) {
    let ground = if print.options.transparent { Ground::Transparent } else { Ground::Opaque };
    paint_in(canvas, &print.scene(), PRINTED, ground, palette::print_css);
}

/// Returns the PNG file of the picture that `redraw` draws on a canvas of this CSS size, with `notes`
/// in the file. The density equals the density of the screen, but is at least 2. Returns `None` if
/// the browser cannot make the picture, such as for lack of memory.
pub(crate) fn png(size: Size, notes: &str, redraw: impl Fn(&HtmlCanvasElement, f64)) -> Option<Vec<u8>> {
    let document = dom::document()?;
    let copy = document.create_element("canvas").ok()?.dyn_into::<HtmlCanvasElement>().ok()?;
    let (width, height) = (format!("{}px", size.width), format!("{}px", size.height));
    for (key, value) in [("position", "fixed"), ("left", "-9999px"), ("width", &width), ("height", &height)] {
        // Fails only for properties that do not exist.
        let _ = copy.style().set_property(key, value);
    }
    document.body()?.append_child(&copy).ok()?;
    redraw(&copy, dom::pixel_ratio().max(2.0));
    let bytes = copy.to_data_url().ok().and_then(|url| dom::decode_data_url(&url));
    copy.remove();
    png::with_description(&bytes?, notes)
}
