//! Picture of a check: the first facts in columns, beside the dependency cycle if there is one.

use super::sheet::{Sheet, SheetArea};
use crate::check_report::CheckReport;
use crate::picture::geometry::{Point, Size};
use crate::picture::scene::{Anchor, Role, Scene, Shape};
use crate::wording::facts::Fact;
use crate::wording::formula::plain;
use crate::wording::wrap;
use faultlab_experiment::Experiment;

/// Minimum width of a column, in pixels.
const COLUMN: f64 = 250.0;
/// Space between columns, in pixels.
const GAP: f64 = 18.0;

/// Font size of headings and values.
const LARGE: f64 = 14.0;
/// Font size of the names of values.
const SMALL: f64 = 12.0;

/// Approximate width of a character, as a share of the font size.
const LETTER: f64 = 0.52;

/// Draws the results of a check on a sheet.
pub(super) fn draw(experiment: &Experiment, found: &dyn CheckReport, sheet: &mut Sheet) {
    let SheetArea { at, size } = sheet.area();
    let cyclic = (0..found.names().len()).find(|&number| !found.witnesses(number).is_empty());
    let room = match size.width < 2.0 * COLUMN {
        true => Size::new(size.width, size.height / 2.0),
        false => Size::new(size.width - COLUMN - GAP, size.height),
    };
    let cycle = cyclic.and_then(|number| found.cycle(number)).map(|cycle| cycle.draw(experiment, room));
    let mut cards = vec![("This network", found.network_facts())];
    cards.extend(found.names().into_iter().enumerate().map(|(number, name)| (name, found.facts(number))));
    let Some(cycle) = cycle else {
        return columns(sheet, &cards, SheetArea { at, size });
    };
    // Beside the cycle, or above it, there is space for the facts on its algorithm.
    let (corner, rest) = match room.width < size.width {
        true => (Point::new(size.width - room.width, 0.0), Size::new(COLUMN, size.height)),
        false => (Point::new(0.0, size.height - room.height), room),
    };
    sheet.picture(&cycle, SheetArea { at: corner, size: room });
    let card = cyclic.and_then(|number| cards.get(number + 1)).map_or(&cards[..1], std::slice::from_ref);
    columns(sheet, card, SheetArea { at, size: rest });
}

/// Draws cards side by side, as many as fit.
fn columns(sheet: &mut Sheet, cards: &[(&str, Vec<Fact>)], SheetArea { at, size }: SheetArea) {
    let count = ((size.width + GAP) / (COLUMN + GAP)).max(1.0).min(cards.len() as f64) as usize;
    let wide = (size.width + GAP) / count as f64 - GAP;
    for (number, (heading, facts)) in cards.iter().take(count).enumerate() {
        let place =
            SheetArea { at: Point::new(at.x + number as f64 * (wide + GAP), at.y), size: Size::new(wide, size.height) };
        sheet.picture(&card(heading, facts, place.size), place);
    }
}

/// Returns a card: a heading, and below it as many facts as fit.
fn card(heading: &str, facts: &[Fact], size: Size) -> Scene {
    let mut scene = Scene { size, shapes: Vec::new() };
    let mut y = 0.0;
    y += write(&mut scene, heading, y, LARGE, Role::Ink);
    for fact in facts {
        let (what, value) = (lines(&fact.what, size.width, SMALL), lines(&plain(&fact.value), size.width, LARGE));
        let high = 10.0 + height(what.len(), SMALL) + height(value.len(), LARGE);
        if y + high > size.height {
            break;
        }
        let ends = [0.0, size.width].map(|x| Point::new(x, y + 5.0));
        scene.shapes.push(Shape::Line { ends, role: Role::Link, width: 1.0, alpha: 0.5 });
        y += 10.0;
        for (lines, size, role) in [(what, SMALL, Role::Soft), (value, LARGE, Role::Ink)] {
            for line in lines {
                y += write(&mut scene, &line, y, size, role);
            }
        }
    }
    scene
}

fn lines(text: &str, wide: f64, letters: f64) -> Vec<String> {
    wrap(text, (wide / (letters * LETTER)) as usize)
}

fn height(lines: usize, letters: f64) -> f64 {
    lines as f64 * letters * 1.4
}

/// Writes a line below `top`. Returns its height.
fn write(scene: &mut Scene, text: &str, top: f64, size: f64, role: Role) -> f64 {
    let high = height(1, size);
    let at = Point::new(0.0, top + high / 2.0);
    scene.shapes.push(Shape::Text { at, anchor: Anchor::Start, role, size, text: text.to_owned() });
    high
}
