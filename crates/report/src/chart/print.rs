//! Charts as files: as wide as a column of a paper, light, with legible text and a caption that
//! states their source.

use super::draw;
use super::figure::Figure;
use super::frame::PlotArea;
use super::map_grid;
use crate::picture::geometry::{Point, Size};
use crate::picture::palette::print_css;
use crate::picture::scene::{Anchor, Role, Scene, Shape};
use crate::wording::wrap;

/// Width of a column of a paper, in millimetres.
const COLUMN: f64 = 85.0;
/// Width of two columns of a paper with the space between them, in millimetres.
const TWO_COLUMNS: f64 = 175.0;

/// Width of a chart of one column in CSS pixels. Text of 12 pixels is 8 points high at that width.
const WIDTH: f64 = 360.0;

/// Height of a plot with its axes.
const PLOT: f64 = 246.0;
/// Height of all maps.
const MAPS: f64 = 330.0;

/// Height of a line of the caption.
const LINE: f64 = 16.0;
/// Number of characters in a line of the caption of a chart of one column.
const CAPTION_COLUMNS: f64 = 47.0;

/// Form of a printed chart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PrintOptions {
    /// True if the title is written below the chart.
    pub caption: bool,
    /// True if the caption contains the source. The file contains it in any case, in its description.
    pub source: bool,
    /// True if the chart is as wide as two columns.
    pub is_wide: bool,
    /// True if the background is transparent instead of white.
    pub transparent: bool,
}

impl Default for PrintOptions {
    fn default() -> Self {
        Self { caption: true, source: false, is_wide: false, transparent: false }
    }
}

impl PrintOptions {
    /// Returns the width in millimetres.
    fn millimetres(self) -> f64 {
        if self.is_wide { TWO_COLUMNS } else { COLUMN }
    }

    /// Returns the width in CSS pixels, so that text has the same height in both widths.
    fn width(self) -> f64 {
        libm::round(WIDTH * self.millimetres() / COLUMN)
    }

    /// Returns the number of characters in a line of the caption.
    fn caption_columns(self) -> usize {
        (CAPTION_COLUMNS * self.millimetres() / COLUMN) as usize
    }
}

/// Chart as it is printed, or several below each other.
pub struct Print<'a> {
    /// Figures to draw.
    pub figures: &'a [Figure],
    /// Title, in a few words.
    pub title: &'a str,
    /// Sentence that follows the title, such as the messages that the values leave out.
    pub remark: Option<&'a str>,
    /// Source of the chart: version, seed and experiment.
    pub notes: &'a str,
    /// Form of the picture.
    pub options: PrintOptions,
}

impl Print<'_> {
    /// Returns the size in CSS pixels.
    pub fn size(&self) -> Size {
        let caption = self.caption();
        let below = if caption.is_empty() { 0.0 } else { LINE * (caption.len() as f64 + 0.75) };
        Size::new(self.options.width(), self.charts() + below)
    }

    /// Returns the height of all charts.
    fn charts(&self) -> f64 {
        self.figures.iter().map(|figure| height(figure, self.options.width())).sum()
    }

    /// Returns the lines of the caption; none without a caption.
    fn caption(&self) -> Vec<String> {
        if !self.options.caption {
            return Vec::new();
        }
        let columns = self.options.caption_columns();
        let mut lines = wrap(&format!("{}.", self.title), columns);
        lines.extend(self.remark.into_iter().flat_map(|remark| wrap(remark, columns)));
        if self.options.source {
            lines.extend(split_at_separators(self.notes, columns));
        }
        lines
    }

    /// Draws the charts with their caption as a picture.
    pub fn scene(&self) -> Scene {
        let mut scene = Scene { size: self.size(), shapes: Vec::new() };
        let mut top = 0.0;
        for figure in self.figures {
            let size = Size::new(self.options.width(), height(figure, self.options.width()));
            scene.add_at(draw::scene(figure, size), Point::new(0.0, top));
            top += size.height;
        }
        for (number, text) in self.caption().into_iter().enumerate() {
            let at = Point::new(8.0, top + LINE * (number as f64 + 0.6));
            scene.shapes.push(Shape::Label { at, anchor: Anchor::Start, role: Role::Ink, size: 12.0, turn: 0.0, text });
        }
        scene
    }

    /// Writes the picture as a self-contained SVG document, as wide as one or two columns.
    pub fn svg(&self) -> String {
        let (Size { width, height }, wide) = (self.size(), self.options.millimetres());
        let size = [wide, wide * height / width].map(|side| format!("{side:.2}mm"));
        let ground = if self.options.transparent { None } else { Some(Role::Paper) };
        self.scene().svg_of_size(size, print_css, ground, self.notes)
    }
}

/// Returns the height of a chart alone. Space above the plot is added to the height of the plot.
fn height(figure: &Figure, width: f64) -> f64 {
    match figure.grid {
        // As many maps as fit are side by side, without unused space below them.
        Some(shape) => {
            let places = map_grid::places(figure.curves.len(), shape, Size::new(width, MAPS));
            places.iter().map(|place| place.bottom(shape)).fold(0.0, f64::max)
        }
        None => PLOT + PlotArea::new(figure, Size::new(width, f64::INFINITY)).top,
    }
}

/// Splits the text of an experiment, which has no blanks, into lines after `&` and commas.
fn split_at_separators(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for piece in text.split_inclusive(['&', ',', ' ']) {
        match lines.last_mut() {
            Some(line) if line.len() + piece.len() <= columns || line.is_empty() => line.push_str(piece),
            _ => lines.push(piece.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep_charts;
    use faultlab_experiment::{Sweep, run};

    fn printed(text: &str) -> (String, Size) {
        printed_with(text, PrintOptions::default())
    }

    fn printed_with(text: &str, options: PrintOptions) -> (String, Size) {
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        let figure = sweep_charts::figure::chart(&sweep, sweep.experiment().plot());
        let notes = crate::source_note(sweep.experiment());
        let print = Print { figures: &[figure], title: "A title", remark: Some("A remark."), notes: &notes, options };
        (print.svg(), print.size())
    }

    #[test]
    fn unstable_and_deadlocked_points_are_labelled() {
        let (svg, _) = printed("net=cube:2&switch=circuit&route=e-cube,minimal&vary=rate:0.2,3&within=0.5&trials=1000");
        assert!(svg.contains("unstable") && svg.contains("deadlock"));
    }

    #[test]
    fn text_has_at_least_8_points_in_a_column() {
        for text in [
            "net=cube:5&faults=nodes:0.3&route=sidetracking,random&vary=p:0.01,0.2,0.5&within=0.05",
            "switch=wormhole&net=mesh:3x3&faults=none&vary=at:0..8:9&trials=100",
        ] {
            let (svg, Size { width, .. }) = printed(text);
            assert!(svg.contains("width=\"85.00mm\" height=\"") && svg.contains("<desc>Faultlab "), "{}", &svg[..90]);
            let sizes =
                svg.split("font-size=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
            let least = sizes.fold(f64::INFINITY, f64::min);
            let points = least / width * COLUMN / 25.4 * 72.0;
            assert!(points >= 8.0, "{text}: {points} points");
            assert!(
                svg.contains("A title.") && svg.contains("A remark.") && svg.contains("seed 1; v=1&amp;"),
                "{text}"
            );
            assert_eq!(svg.matches(">Faultlab").count(), 1, "only the description has the source: {text}");
        }
    }

    #[test]
    fn options_change_caption_width_and_ground() {
        let text = "net=cube:4&faults=nodes:0.3&vary=p:0.1,0.5&within=0.1";
        let options = PrintOptions { caption: false, is_wide: true, transparent: true, source: true };
        let (plain, (wide, size)) = (printed(text).0, printed_with(text, options));
        assert!(wide.contains("width=\"175.00mm\"") && size.width == 741.0, "{}", &wide[..120]);
        assert!(plain.contains("A title.") && !wide.contains("A title.") && !wide.contains("A remark."));
        assert!(plain.contains("<rect width=\"100%\"") && !wide.contains("<rect width=\"100%\""));
        let with_source = printed_with(text, PrintOptions { source: true, ..PrintOptions::default() }).0;
        assert!(with_source.contains(">Faultlab") && with_source.contains("A title."));
        // The file names its source without a caption too.
        assert!(wide.contains("seed 1; v=1&amp;net=cube:4"));
    }

    #[test]
    fn long_texts_are_split_at_separators() {
        let text = "Faultlab 1; seed 1; v=1&net=cube:10&faults=nodes:0.5&vary=p:0.001,0.01,0.1,0.5";
        assert_eq!(
            split_at_separators(text, 47),
            ["Faultlab 1; seed 1; v=1&net=cube:10&", "faults=nodes:0.5&vary=p:0.001,0.01,0.1,0.5"]
        );
        assert_eq!(split_at_separators(text, 47).concat(), text);
    }
}
