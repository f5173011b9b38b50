//! Charts as files: as wide as a column of a paper, light, with words that can be read there and what made them below.

use super::draw;
use super::figure::Figure;
use super::frame::Frame;
use super::grid;
use crate::picture::geometry::{Point, Size};
use crate::picture::palette::print_css;
use crate::picture::scene::{Anchor, Role, Scene, Shape};
use crate::words::wrapped;

/// The width of a column of a paper, in millimetres.
const COLUMN: f64 = 85.0;

/// The width of a chart in CSS pixels: words of 12 are 8 points high where it is as wide as a column.
const WIDTH: f64 = 360.0;

/// The height of its plot with its axes; of maps, of all.
const PLOT: f64 = 246.0;
const MAPS: f64 = 330.0;

/// The height of a line of its caption, and how many letters it holds.
const LINE: f64 = 16.0;
const LETTERS: usize = 47;

/// A chart as it is printed, or several below each other.
pub struct Print<'a> {
    /// What is drawn.
    pub figures: &'a [Figure],
    /// What it is, in a few words.
    pub title: &'a str,
    /// What made it: version, seed and experiment.
    pub notes: &'a str,
}

impl Print<'_> {
    /// Its size in CSS pixels.
    pub fn size(&self) -> Size {
        Size::new(WIDTH, self.charts() + LINE * (self.caption().len() as f64 + 0.75))
    }

    /// The height of all charts.
    fn charts(&self) -> f64 {
        self.figures.iter().map(height).sum()
    }

    /// The lines below the chart.
    fn caption(&self) -> Vec<String> {
        let mut lines = wrapped(&format!("{}.", self.title), LETTERS);
        lines.extend(broken(self.notes));
        lines
    }

    /// Draws the charts with their caption as a picture.
    pub fn scene(&self) -> Scene {
        let mut scene = Scene { size: self.size(), shapes: Vec::new() };
        let mut top = 0.0;
        for figure in self.figures {
            let high = height(figure);
            scene.put(draw::scene(figure, Size::new(WIDTH, high)), Point::new(0.0, top));
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

/// The height of a chart alone: what stands above the plot takes nothing from it.
fn height(figure: &Figure) -> f64 {
    match figure.grid {
        // As many maps beside each other as fit, and no more room below than they need.
        Some(shape) => {
            let places = grid::places(figure.curves.len(), shape, Size::new(WIDTH, MAPS));
            places.iter().map(|place| place.bottom(shape)).fold(0.0, f64::max)
        }
        None => PLOT + Frame::new(figure, Size::new(WIDTH, f64::INFINITY)).top,
    }
}

/// The text of an experiment in lines: it has no blanks, and is broken behind `&` and commas.
fn broken(text: &str) -> Vec<String> {
    let mut lines = vec![String::new()];
    for piece in text.split_inclusive(['&', ',', ' ']) {
        match lines.last_mut() {
            Some(line) if line.len() + piece.len() <= LETTERS || line.is_empty() => line.push_str(piece),
            _ => lines.push(piece.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measured;
    use faultlab_experiment::{Sweep, run};

    fn printed(text: &str) -> (String, Size) {
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        let figure = measured::figure::of(&sweep, sweep.experiment().plot());
        let notes = crate::notes(sweep.experiment());
        let print = Print { figures: &[figure], title: "A title", notes: &notes };
        (print.svg(), print.size())
    }

    #[test]
    fn what_jams_is_said_in_the_chart() {
        let (svg, _) = printed("net=cube:2&switch=circuit&route=e-cube,minimal&vary=rate:0.2,3&within=0.5&trials=1000");
        assert!(svg.contains("unstable") && svg.contains("deadlock"));
    }

    #[test]
    fn words_can_be_read_in_a_column() {
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
    fn a_long_text_is_broken_where_it_can_be_read() {
        let text = "Faultlab 1; seed 1; v=1&net=cube:10&faults=nodes:0.5&vary=p:0.001,0.01,0.1,0.5";
        assert_eq!(
            broken(text),
            ["Faultlab 1; seed 1; v=1&net=cube:10&", "faults=nodes:0.5&vary=p:0.001,0.01,0.1,0.5"]
        );
        assert_eq!(broken(text).concat(), text);
    }
}
