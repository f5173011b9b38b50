//! Charts as files: as wide as a column of a paper, light, with words that can be read there and what made them below.

use plotters::prelude::*;

use super::draw::{draw_on, print_color};
use super::figure::Figure;
use super::frame::Frame;
use super::grid;
use super::pen::{Pen, RIGHT};
use super::sheet::{DrawError, SVG_TEXT, Style};
use super::surface::Surface;
use crate::report::picture::scene::{Role, escape};
use crate::report::words::wrapped;

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

/// Pixels of the file for each CSS pixel: plotters draws at whole ones.
pub const SCALE: f64 = 4.0;

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
    pub fn size(&self) -> (f64, f64) {
        (WIDTH, self.charts() + LINE * (self.caption().len() as f64 + 0.75))
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

    /// Draws it on the whole of `backend`, on which text is `text` times smaller than asked for.
    ///
    /// # Errors
    /// What the backend says when it cannot draw.
    pub fn draw(&self, backend: impl DrawingBackend, text: f64) -> Result<(), DrawError> {
        let style = Style { color: &print_color, scale: SCALE, text };
        let all = Surface::new(backend).into_drawing_area();
        all.fill(&print_color(Role::Paper)).map_err(|error| error.to_string())?;
        let mut rest = all.clone();
        for figure in self.figures {
            let (chart, below) = rest.split_vertically(style.px(height(figure)));
            draw_on(&chart, figure, &style)?;
            rest = below;
        }
        let pen = Pen { area: &all, style: &style };
        for (number, line) in self.caption().into_iter().enumerate() {
            let at = (8.0, self.charts() + LINE * (number as f64 + 0.6));
            pen.words(line, at, (12.0, Role::Ink), RIGHT).map_err(|error| error.to_string())?;
        }
        all.present().map_err(|error| error.to_string())
    }

    /// It as a self-contained SVG document.
    ///
    /// # Errors
    /// What the backend says when it cannot draw.
    pub fn svg(&self) -> Result<String, DrawError> {
        let mut document = String::new();
        let size = self.size();
        let [width, height] = [size.0, size.1].map(|side| (side * SCALE).round() as u32);
        self.draw(SVGBackend::with_string(&mut document, (width, height)), SVG_TEXT)?;
        // Plotters says pixels; whoever lays out a page needs to know how large it is meant to be.
        let (pixels, high) = (format!("width=\"{width}\" height=\"{height}\""), COLUMN * size.1 / size.0);
        let document = document.replacen(&pixels, &format!("width=\"{COLUMN}mm\" height=\"{high:.2}mm\""), 1);
        let description = format!("<desc>{}</desc>", escape(self.notes));
        Ok(match document.find('>').filter(|_| document.starts_with("<svg")) {
            Some(end) => format!("{}{description}{}", &document[..=end], &document[end + 1..]),
            None => document,
        })
    }
}

/// The height of a chart alone: what stands above the plot takes nothing from it.
fn height(figure: &Figure) -> f64 {
    match figure.grid {
        // As many maps beside each other as fit, and no more room below than they need.
        Some(shape) => {
            let places = grid::places(figure.curves.len(), shape, (WIDTH, MAPS), 1.0);
            places.iter().map(|place| place.bottom(shape)).fold(0.0, f64::max)
        }
        None => PLOT + Frame::of(figure, (WIDTH, PLOT)).top,
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
    use crate::experiment::{Sweep, run};
    use crate::report::measured;

    fn printed(text: &str) -> (String, (f64, f64)) {
        let mut sweep = Sweep::new(&text.parse().unwrap());
        run(&mut sweep);
        let figure = measured::figure::of(&sweep, sweep.experiment().plot());
        let notes = crate::report::notes(sweep.experiment());
        let print = Print { figures: &[figure], title: "A title", notes: &notes };
        (print.svg().unwrap(), print.size())
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
            let (svg, (width, _)) = printed(text);
            assert!(
                svg.starts_with("<svg width=\"85mm\" height=\"") && svg.contains("<desc>Faultlab "),
                "{}",
                &svg[..90]
            );
            let sizes =
                svg.split("font-size=\"").skip(1).filter_map(|rest| rest.split('"').next()?.parse::<f64>().ok());
            let least = sizes.fold(f64::INFINITY, f64::min);
            let points = least / (width * SCALE) * COLUMN / 25.4 * 72.0;
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
