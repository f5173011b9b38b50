//! Stills: pictures that a web page shows in place of a figure until the reader starts it. Readers
//! who do not start it download no program.

mod facts;
mod sheet;

use super::chart::curve_style::dashes;
use super::check_report::CheckReport;
use super::kinds::{new_watch, reports};
use super::pairs::matrix;
use super::pairs::wording::PairTable;
use super::picture::geometry::{Point, Size};
use super::picture::palette::light_css;
use super::picture::scene::{Anchor, Role, Scene, Shape};
use super::source_note;
use super::sweep_charts::caption::Caption;
use super::sweep_charts::left_out::left_out_of_charts;
use super::sweep_charts::panels::{panels, printable_figures};
use super::watch::{ViewState, Watch, visible_panels};
use faultlab_experiment::figure_options::{FigureOptions, FigurePart};
use faultlab_experiment::{Experiment, Sweep, Tab, pairs};
use sheet::{Sheet, SheetArea};

/// Margin of a figure, both sides together.
const SIDES: f64 = 26.0;
/// Height of a figure's sentence, controls and caption.
const LINES: f64 = 112.0;
/// Height of a narrow figure's sentence, controls and caption.
const NARROW: f64 = 166.0;

/// Maximum number of pictures side by side.
const PANELS: usize = 4;
/// Minimum width of a figure with more than one picture.
const ROOM: f64 = 420.0;

/// Space between pictures.
const GAP: f64 = 10.0;
/// Height of the name above a picture.
const NAME: f64 = 22.0;
/// Height of a chart below the pictures.
const CHART: f64 = 126.0;

/// Maximum width of a character of a name, in pixels.
const LETTER: f64 = 7.0;

/// Still of a figure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Still {
    /// Sentence of the figure, for readers who do not see it.
    pub alt_text: String,
    /// Picture as an SVG document whose colours follow the light or dark scheme.
    pub svg: String,
}

/// Returns a picture as the still of a figure, with `notes` as its description.
pub fn of_scene(scene: &Scene, notes: &str) -> String {
    let svg = scene.svg(light_css, notes);
    let dark = sheet::styles(&svg);
    svg.replacen(" font-family", " class=\"n\" font-family", 1).replacen(
        "</desc>",
        &format!("</desc><style>{dark}</style>"),
        1,
    )
}

/// Returns the sheet of a figure of size `size`.
fn sheet_of(size: Size) -> Sheet {
    let lines = if size.width < ROOM { NARROW } else { LINES };
    // A very low figure keeps a third of its height for the picture.
    Sheet::new(Size::new((size.width - SIDES).max(1.0), (size.height - lines).max(size.height / 3.0)))
}

fn still(sheet: Sheet, words: String, experiment: &Experiment) -> Still {
    let svg = sheet.into_svg(&words, &source_note(experiment));
    Still { alt_text: words, svg }
}

/// Returns the still of the watched run at the time at which the figure opens. `size` is the size
/// of the figure in pixels. Returns `None` if the experiment has no picture.
pub fn watch_still(experiment: &Experiment, ui: &FigureOptions, size: Size) -> Option<Still> {
    if experiment.kind() == &pairs::KIND {
        let table = PairTable::new(experiment, false)?;
        let mut sheet = sheet_of(size);
        let whole = sheet.area();
        sheet.picture(&matrix::sheet(&table), whole);
        return Some(still(sheet, table.title(), experiment));
    }
    let mut watch = new_watch(experiment)?;
    let shown = seek_to_opening(&mut *watch, experiment);
    let mut sheet = sheet_of(size);
    let mut rest = sheet.area();
    if let Some(chart) = watch.chart().filter(|_| ui.shows(FigurePart::Chart, Tab::Watch)) {
        let shows_more = ui.shows(FigurePart::Network, Tab::Watch);
        let above = if shows_more { (rest.size.height - CHART).max(rest.size.height / 2.0) } else { 0.0 };
        sheet.chart(&chart.figure, rest.below(above + if shows_more { GAP / 2.0 } else { 0.0 }));
        rest.size.height = above;
    }
    if rest.size.height > 0.0 {
        sheet.picture(&pictures(&*watch, &shown, rest.size), rest);
    }
    Some(still(sheet, watch.title(&shown), experiment))
}

/// Seeks to the time at which a figure opens.
fn seek_to_opening(watch: &mut dyn Watch, experiment: &Experiment) -> ViewState {
    let mut shown = ViewState::default();
    let start = watch.begin(None, &mut shown);
    let time = experiment.view.time.unwrap_or(start);
    if let Some(follow) = experiment.view.follow {
        shown.open_at(follow);
    }
    while watch.end() < time && watch.work() {}
    watch.seek(time);
    while !watch.is_ready() {
        watch.work();
    }
    watch.follow(&shown);
    shown
}

/// Returns the pictures side by side, each under the name of its algorithm; in a narrow figure only
/// the picture of the explained algorithm.
fn pictures(watch: &dyn Watch, shown: &ViewState, size: Size) -> Scene {
    let names = watch.names();
    let most = if size.width + SIDES < ROOM { 1 } else { PANELS };
    let visible = visible_panels(watch.panels(), most, watch.explained(shown));
    let count = visible.len();
    let wide = (size.width + GAP) / count.max(1) as f64 - GAP;
    let above = if watch.is_shared() { 0.0 } else { NAME };
    let mut all = Scene { size, shapes: Vec::new() };
    for (place, panel) in visible.into_iter().enumerate() {
        let scene = watch.draw(panel, Size::new(wide, (size.height - above).max(1.0)), shown).unwrap_or_default();
        let mut shapes: Vec<Shape> =
            scene.shapes.into_iter().map(|shape| shape.moved(Point::new(0.0, above))).collect();
        if let Some(name) = names.get(panel).filter(|_| above > 0.0) {
            shapes.extend(algorithm_label(panel, name, &watch.status(panel), Size::new(wide, above)));
        }
        let aside = Point::new(place as f64 * (wide + GAP), 0.0);
        all.shapes.extend(shapes.into_iter().map(|shape| shape.moved(aside)));
    }
    all
}

/// Returns the name of an algorithm after a piece of its line, and `short` at the other end, if
/// there is space.
fn algorithm_label(number: usize, name: &str, short: &str, size: Size) -> Vec<Shape> {
    let y = size.height / 2.0 - 2.0;
    let role = Role::Series((number % 7) as u8);
    let points = vec![Point::new(0.0, y), Point::new(22.0, y)];
    let text = |x, anchor, role, text: &str| Shape::Text {
        at: Point::new(x, y),
        anchor,
        role,
        size: 12.5,
        text: text.to_owned(),
    };
    let mut shapes = vec![
        Shape::Stroke { points, role, width: 3.0, dash: dashes(number).to_vec(), alpha: 1.0 },
        text(30.0, Anchor::Start, Role::Ink, name),
    ];
    let letters = (name.chars().count() + short.chars().count()) as f64;
    if letters * LETTER + 45.0 < size.width {
        shapes.push(text(size.width, Anchor::End, Role::Soft, short));
    }
    shapes
}

/// Returns the still of a sweep's charts, for a figure of size `size`, in pixels.
pub fn sweep_still(sweep: &Sweep, size: Size) -> Still {
    let experiment = sweep.experiment();
    let figures = printable_figures(panels(sweep, &experiment.view, &[]));
    let mut sheet = sheet_of(size);
    let whole = sheet.area();
    let high = whole.size.height / figures.len().max(1) as f64;
    for (number, figure) in figures.iter().enumerate() {
        let at = Point::new(0.0, number as f64 * high);
        sheet.chart(figure, SheetArea { at, size: Size::new(whole.size.width, high) });
    }
    let title = Caption::new(experiment, experiment).title;
    let words = left_out_of_charts(sweep).map_or(title.clone(), |left_out| format!("{title}. {left_out}"));
    still(sheet, words, experiment)
}

/// Returns the still of a check, for a figure of size `size`, in pixels.
pub fn check_still(experiment: &Experiment, found: &dyn CheckReport, size: Size) -> Still {
    let mut sheet = sheet_of(size);
    facts::draw(experiment, found, &mut sheet);
    let words = format!("Exact results: {}", (reports(experiment).heading)(experiment));
    still(sheet, words, experiment)
}

#[cfg(test)]
mod tests;
