//! Tests of every chart, which read back the SVG document.

use super::figure::{Curve, Figure, VerticalMarker};
use super::frame::PlotArea;
use super::print::{Print, PrintOptions};
use crate::picture::geometry::{Point, Size, text_width};
use crate::picture::scene::Role;

/// Text of an SVG document and its bounding box: left, top, right, bottom, in CSS pixels.
type Word = (String, [f64; 4]);

/// Texts and lines of an SVG document.
struct SvgDocument {
    words: Vec<Word>,
    lines: Vec<Vec<Point>>,
}

impl SvgDocument {
    /// Reads the printed picture of `figure`.
    fn printed(figure: &Figure) -> Self {
        let print = Print {
            figures: std::slice::from_ref(figure),
            title: "A title",
            remark: None,
            notes: "Notes",
            options: PrintOptions::default(),
        };
        Self::read(&print.svg(), print.size().width)
    }

    /// Reads a document that is `width` CSS pixels wide.
    fn read(svg: &str, width: f64) -> Self {
        let document = roxmltree::Document::parse(svg).expect("an SVG document");
        let number = |text: &str| text.trim().parse::<f64>().expect("a number");
        let view = document.root_element().attribute("viewBox").expect("a view box");
        let scale = width / view.split(' ').nth(2).map(number).expect("its width");
        let (mut words, mut lines) = (Vec::new(), Vec::new());
        for node in document.descendants() {
            let value = |name| node.attribute(name).map(number);
            let at = |x, y| Some(Point::new(value(x)? * scale, value(y)? * scale));
            match node.tag_name().name() {
                "text" => {
                    let (size, Point { x, y }) =
                        (value("font-size").expect("a size") * scale, at("x", "y").expect("a place"));
                    let text = node.text().unwrap_or_default().trim().to_owned();
                    let wide = text_width(&text, size);
                    let left = match node.attribute("text-anchor") {
                        Some("end") => -wide,
                        Some("middle") => -wide / 2.0,
                        _ => 0.0,
                    };
                    words.push(match node.attribute("transform") {
                        None => (text, [x + left, y - size * 0.75, x + left + wide, y + size * 0.2]),
                        // A vertical text is rotated about the middle of its height.
                        Some(_) => {
                            let y = y - size * 0.35;
                            (text, [x - size * 0.4, y - left - wide, x + size * 0.55, y - left])
                        }
                    });
                }
                "line" => lines.push(vec![at("x1", "y1").expect("a start"), at("x2", "y2").expect("an end")]),
                "polyline" => {
                    let points = node.attribute("points").expect("points").split_whitespace().map(|point| {
                        let (x, y) = point.split_once(',').expect("two coordinates");
                        Point::new(number(x) * scale, number(y) * scale)
                    });
                    lines.push(points.collect());
                }
                _ => {}
            }
        }
        Self { words, lines }
    }

    /// Returns whether there is a line between two points.
    fn has_line(&self, ends: [Point; 2]) -> bool {
        let near = |a: Point, b: Point| (a.x - b.x).abs() < 0.6 && (a.y - b.y).abs() < 0.6;
        self.lines.iter().filter_map(|line| Some((*line.first()?, *line.last()?))).any(|(first, last)| {
            near(first, ends[0]) && near(last, ends[1]) || near(first, ends[1]) && near(last, ends[0])
        })
    }

    fn has_word(&self, text: &str) -> bool {
        self.words.iter().any(|word| word.0 == text)
    }

    /// Returns two texts that overlap, if there are any.
    fn overlap(&self) -> Option<(&Word, &Word)> {
        let pairs = self
            .words
            .iter()
            .enumerate()
            .flat_map(|(number, word)| self.words[..number].iter().map(move |other| (word, other)));
        pairs.into_iter().find(|(word, other)| {
            let ([left, top, right, bottom], [x, y, far, low]) = (word.1, other.1);
            left < far && x < right && top < low && y < bottom
        })
    }
}

/// Returns two measured curves with intervals between 0 and 1.
fn figure() -> Figure {
    let mut curves = vec![
        Curve::through("the first curve", &[(0.1, 0.9), (0.2, 0.7), (0.4, 0.5)]),
        Curve::through("the second curve", &[(0.1, 0.4), (0.2, 0.2), (0.4, 0.02)]),
    ];
    for (number, curve) in curves.iter_mut().enumerate() {
        (curve.role, curve.dash) = (Role::Series(number as u8), number);
        curve.intervals = curve.points.iter().map(|&(x, y)| (x, y * 0.9, (y * 1.1).min(1.0))).collect();
    }
    let (x_axis, y_axis) = ("fault rate".to_owned(), "success".to_owned());
    Figure { x_axis, y_axis, x_range: (0.09, 0.41), y_range: (0.0, 1.0), percent: true, curves, ..Figure::default() }
}

/// Returns a figure with the curves of `figure` along logarithmic axes.
fn logarithmic() -> Figure {
    let (powers, y_powers) = (vec![0.1, 0.2], vec![0.01, 0.1, 1.0]);
    Figure { y_range: (0.01, 1.0), powers, y_powers, ..figure() }
}

/// Returns figures of various kinds.
fn figures() -> Vec<Figure> {
    let names: Vec<_> = ["e-cube", "sidetracking", "random, blind"].map(str::to_owned).to_vec();
    let mut limited = figure();
    limited.limits = vec![
        VerticalMarker { x: 0.15, label: "the network carries so much".into(), role: Role::Fault, measured: false },
        VerticalMarker { x: 0.35, label: "and never more".into(), role: Role::Ink, measured: true },
    ];
    let above = Figure { y_range: (0.0, 0.6), ..figure() };
    let part = Figure { x_range: (0.15, 0.3), ..figure() };
    let named = Figure { names, x_range: (-0.5, 2.5), ..figure() };
    vec![figure(), logarithmic(), limited, above, part, named]
}

#[test]
fn axes_have_titles_and_numbers() {
    let linear = SvgDocument::printed(&figure());
    for text in ["fault rate", "success", "0%", "20%", "100%", "0.1", "0.2", "0.3", "0.4"] {
        assert!(linear.has_word(text), "{text}: {:?}", linear.words);
    }
    let log = SvgDocument::printed(&logarithmic());
    for text in ["fault rate, logarithmic", "success, logarithmic", "1%", "10%", "100%", "0.1", "0.2"] {
        assert!(log.has_word(text), "{text}: {:?}", log.words);
    }
    for document in [&linear, &log] {
        assert!(document.has_word("the first curve") && document.has_word("the second curve"));
    }
}

#[test]
fn intervals_are_drawn_from_end_to_end() {
    for figure in figures() {
        let document = SvgDocument::printed(&figure);
        let frame =
            PlotArea::new(&figure, Size::new(360.0, 246.0 + PlotArea::new(&figure, Size::new(360.0, 246.0)).top));
        for (x, low, high) in figure.curves.iter().flat_map(|curve| &curve.intervals) {
            let ((first, last), (bottom, top)) = (figure.x_range, figure.y_range);
            let is_seen = (first..=last).contains(x) && *low <= top && *high >= bottom;
            let ends = [frame.to_pixel((*x, low.max(bottom))), frame.to_pixel((*x, high.min(top)))];
            assert_eq!(document.has_line(ends), is_seen, "{x} {low} {high}: {ends:?}");
        }
    }
}

#[test]
fn texts_do_not_overlap() {
    for figure in figures() {
        let document = SvgDocument::printed(&figure);
        assert_eq!(document.overlap(), None);
        // All text lies inside the picture.
        let outside =
            document.words.iter().find(|(_, [left, top, right, _])| *left < 0.0 || *top < 0.0 || *right > 360.0);
        assert_eq!(outside, None);
    }
}

#[test]
fn nothing_is_drawn_beyond_the_plot() {
    for figure in figures() {
        let document = SvgDocument::printed(&figure);
        let frame = PlotArea::new(&figure, Size::new(360.0, 300.0));
        // Markers, caps and ticks reach slightly over the edge; a piece of each curve precedes its
        // name.
        let beyond = document
            .lines
            .iter()
            .flatten()
            .find(|Point { x, y }| (*x < frame.left - 8.0 && *y > frame.top) || *x > frame.right + 8.0);
        assert_eq!(beyond, None);
    }
}
