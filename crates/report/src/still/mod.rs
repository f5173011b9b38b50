//! A figure that stands still: the picture that a page shows in its place until a reader wants more, so that nobody downloads a program
//! who only reads.

mod facts;
mod sheet;

use super::chart::look::dashes;
use super::checked::Checked;
use super::kinds::{played, reports_of};
use super::measured::caption::Caption;
use super::measured::panels::{panels, printed};
use super::notes;
use super::pairs::matrix;
use super::pairs::words::PairTable;
use super::picture::geometry::{Point, Size};
use super::picture::palette::light_css;
use super::picture::scene::{Anchor, Role, Scene, Shape};
use super::watch::{Shown, Watch};
use faultlab_experiment::ui::{Part, Ui};
use faultlab_experiment::{Experiment, Sweep, Tab, pairs};
use sheet::{Place, Sheet};

/// What a figure has around its picture: margins at its sides; its sentence, its controls and its caption, in a narrow one in more lines.
const SIDES: f64 = 26.0;
const LINES: f64 = 112.0;
const NARROW: f64 = 166.0;

/// The most pictures beside each other, and the least width of a figure that has room for more than one.
const PANELS: usize = 4;
const ROOM: f64 = 420.0;

/// The room between pictures, for the name above each, and for a chart below them.
const GAP: f64 = 10.0;
const NAME: f64 = 22.0;
const CHART: f64 = 126.0;

/// How wide a letter of a name is at most, in pixels.
const LETTER: f64 = 7.0;

/// A figure that stands still.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Still {
    /// The sentence that the figure says, for those who do not see it.
    pub words: String,
    /// The picture, as an SVG document whose colours follow light and dark.
    pub svg: String,
}

/// A picture as the still of a figure, with `notes` as its description.
pub fn of_scene(scene: &Scene, notes: &str) -> String {
    let svg = scene.svg(light_css, notes);
    let dark = sheet::styles(&svg);
    svg.replacen(" font-family", " class=\"n\" font-family", 1).replacen(
        "</desc>",
        &format!("</desc><style>{dark}</style>"),
        1,
    )
}

/// The sheet of a figure of this size.
fn sheet_of(size: Size) -> Sheet {
    let lines = if size.width < ROOM { NARROW } else { LINES };
    // Of a very low one, whatever it says, a part is left.
    Sheet::new(Size::new((size.width - SIDES).max(1.0), (size.height - lines).max(size.height / 3.0)))
}

fn still(sheet: Sheet, words: String, experiment: &Experiment) -> Still {
    let svg = sheet.end(&words, &notes(experiment));
    Still { words, svg }
}

/// What is watched, at the moment at which the figure opens, in a figure of this size in pixels; `None` if there is nothing to see.
pub fn watched(experiment: &Experiment, ui: &Ui, size: Size) -> Option<Still> {
    if experiment.kind() == &pairs::KIND {
        let table = PairTable::new(experiment, false)?;
        let mut sheet = sheet_of(size);
        let whole = sheet.whole();
        sheet.picture(&matrix::sheet(&table), whole);
        return Some(still(sheet, table.title(), experiment));
    }
    let mut watch = played(experiment)?;
    let shown = opened(&mut *watch, experiment);
    let mut sheet = sheet_of(size);
    let mut rest = sheet.whole();
    if let Some(chart) = watch.chart().filter(|_| ui.shows(Part::Chart, Tab::Watch)) {
        let shows_more = ui.shows(Part::Network, Tab::Watch);
        let above = if shows_more { (rest.size.height - CHART).max(rest.size.height / 2.0) } else { 0.0 };
        sheet.chart(&chart.figure, rest.below(above + if shows_more { GAP / 2.0 } else { 0.0 }));
        rest.size.height = above;
    }
    if rest.size.height > 0.0 {
        sheet.picture(&pictures(&*watch, &shown, rest.size), rest);
    }
    Some(still(sheet, watch.title(&shown), experiment))
}

/// Goes to the moment at which a figure opens.
fn opened(watch: &mut dyn Watch, experiment: &Experiment) -> Shown {
    let mut shown = Shown::default();
    let start = watch.begin(None, &mut shown);
    let time = experiment.view.time.unwrap_or(start);
    if let Some((index, message)) = experiment.view.follow {
        (shown.chosen, shown.message) = (Some((index as usize, message)), message);
    }
    while watch.end() < time && watch.work() {}
    watch.seek(time);
    while !watch.is_there() {
        watch.work();
    }
    watch.follow(&shown);
    shown
}

/// The pictures beside each other, each under the name of its algorithm; in a narrow figure the first one.
fn pictures(watch: &dyn Watch, shown: &Shown, size: Size) -> Scene {
    let names = watch.names();
    let most = if size.width + SIDES < ROOM { 1 } else { PANELS };
    let count = watch.panels().min(most);
    let wide = (size.width + GAP) / count.max(1) as f64 - GAP;
    let above = if watch.is_shared() { 0.0 } else { NAME };
    let mut all = Scene { size, shapes: Vec::new() };
    for panel in 0..count {
        let scene = watch.draw(panel, Size::new(wide, (size.height - above).max(1.0)), shown).unwrap_or_default();
        let mut shapes: Vec<Shape> =
            scene.shapes.into_iter().map(|shape| shape.moved(Point::new(0.0, above))).collect();
        if let Some(name) = names.get(panel).filter(|_| above > 0.0) {
            shapes.extend(named(panel, name, &watch.short(panel), Size::new(wide, above)));
        }
        let aside = Point::new(panel as f64 * (wide + GAP), 0.0);
        all.shapes.extend(shapes.into_iter().map(|shape| shape.moved(aside)));
    }
    all
}

/// The name of an algorithm after a piece of its line; at the other end a few words, if there is room.
fn named(number: usize, name: &str, short: &str, size: Size) -> Vec<Shape> {
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

/// What a sweep has measured, in a figure of this size in pixels.
pub fn measured(sweep: &Sweep, size: Size) -> Still {
    let experiment = sweep.experiment();
    let figures = printed(panels(sweep, &experiment.view, &[]));
    let mut sheet = sheet_of(size);
    let whole = sheet.whole();
    let high = whole.size.height / figures.len().max(1) as f64;
    for (number, figure) in figures.iter().enumerate() {
        let at = Point::new(0.0, number as f64 * high);
        sheet.chart(figure, Place { at, size: Size::new(whole.size.width, high) });
    }
    still(sheet, Caption::of(experiment, experiment).title, experiment)
}

/// What is proved, in a figure of this size in pixels.
pub fn checked(experiment: &Experiment, found: &dyn Checked, size: Size) -> Still {
    let mut sheet = sheet_of(size);
    facts::draw(experiment, found, &mut sheet);
    let words = format!("What can be said exactly: {}", (reports_of(experiment).heading)(experiment));
    still(sheet, words, experiment)
}

#[cfg(test)]
mod tests;
