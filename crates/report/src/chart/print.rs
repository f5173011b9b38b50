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

/// Width of a chart in CSS pixels. Text of 12 pixels is 8 points high at the width of a column.
const WIDTH: f64 = 360.0;

/// Height of a plot with its axes.
const PLOT: f64 = 246.0;
/// Height of all maps.
const MAPS: f64 = 330.0;

/// Height of a line of the caption.
const LINE: f64 = 16.0;
/// Number of characters in a line of the caption.
const CAPTION_COLUMNS: usize = 47;

/// Chart as it is printed, or several below each other.
pub struct Print<'a> {
    /// Figures to draw.
    pub figures: &'a [Figure],
    /// Title, in a few words.
    pub title: &'a str,
    /// Source of the chart: version, seed and experiment.
    pub notes: &'a str,
}

impl Print<'_> {
    /// Returns the size in CSS pixels.
    pub fn size(&self) -> Size {
        Size::new(WIDTH, self.charts() + LINE * (self.caption().len() as f64 + 0.75))
    }

    /// Returns the height of all charts.
    fn charts(&self) -> f64 {
        self.figures.iter().map(height).sum()
    }

    /// Returns the lines of the caption.
    fn caption(&self) -> Vec<String> {
        let mut lines = wrap(&format!("{}.", self.title), CAPTION_COLUMNS);
        lines.extend(split_at_separators(self.notes));
        lines
    }

    /// Draws the charts with their caption as a picture.
    pub fn scene(&self) -> Scene {
        let mut scene = Scene { size: self.size(), shapes: Vec::new() };
        let mut top = 0.0;
        for figure in self.figures {
            let high = height(figure);
            scene.add_at(draw::scene(figure, Size::new(WIDTH, high)), Point::new(0.0, top));
            top += high;
        }
        for (number, text) in self.caption().into_iter().enumerate() {
            let at = Point::new(8.0, top + LINE * (number as f64 + 0.6));
            scene.shapes.push(Shape::Label { at, anchor: Anchor::Start, role: Role::Ink, size: 12.0, turn: 0.0, text });
        }
        scene
    }

    /// Writes the picture as a self-contained SVG document, as wide as a column.
    pub fn svg(&self) -> String {
        let Size { width, height } = self.size();
        let size = [COLUMN, COLUMN * height / width].map(|side| format!("{side:.2}mm"));
        self.scene().svg_of_size(size, print_css, self.notes)
    }
}

/// Returns the height of a chart alone. Space above the plot is added to the height of the plot.
fn height(figure: &Figure) -> f64 {
    match figure.grid {
        // As many maps as fit are side by side, without unused space below them.
        Some(shape) => {
            let places = map_grid::places(figure.curves.len(), shape, Size::new(WIDTH, MAPS));
            places.iter().map(|place| place.bottom(shape)).fold(0.0, f64::max)
        }
        None => PLOT + PlotArea::new(figure, Size::new(WIDTH, f64::INFINITY)).top,
    }
}

/// Splits the text of an experiment, which has no blanks, into lines after `&` and commas.
fn split_at_separators(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for piece in text.split_inclusive(['&', ',', ' ']) {
        match lines.last_mut() {
            Some(line) if line.len() + piece.len() <= CAPTION_COLUMNS || line.is_empty() => line.push_str(piece),
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
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        let figure = sweep_charts::figure::chart(&sweep, sweep.experiment().plot());
        let notes = crate::source_note(sweep.experiment());
        let print = Print { figures: &[figure], title: "A title", notes: &notes };
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
            assert!(svg.contains("A title.") && svg.contains("seed 1; v=1&amp;"), "{text}");
        }
    }

    #[test]
    fn long_texts_are_split_at_separators() {
        let text = "Faultlab 1; seed 1; v=1&net=cube:10&faults=nodes:0.5&vary=p:0.001,0.01,0.1,0.5";
        assert_eq!(
            split_at_separators(text),
            ["Faultlab 1; seed 1; v=1&net=cube:10&", "faults=nodes:0.5&vary=p:0.001,0.01,0.1,0.5"]
        );
        assert_eq!(split_at_separators(text).concat(), text);
    }
}
