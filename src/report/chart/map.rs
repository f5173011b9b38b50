//! Maps: a value for every node of a mesh, as squares; drawn on any plotters backend.

use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::figure::{Curve, Figure, Grid};
use super::grid::{self, Place};
use super::sheet::{Area, DrawError, Drawn, Style};
use crate::report::picture::scene::Role;

/// The smallest square that has room for its value.
const ROOM: f64 = 27.0;

/// Draws one map for every curve, whose x are node numbers: the farther below the largest value, the stronger.
///
/// # Errors
/// What the backend says when it cannot draw.
pub(crate) fn draw(area: &Area<'_>, (figure, grid): (&Figure, Grid), style: &Style<'_>) -> Result<(), DrawError> {
    let (width, height) = area.dim_in_pixel();
    area.fill(&(style.color)(Role::Paper)).map_err(|error| error.to_string())?;
    let places = grid::places(figure.curves.len(), grid, (f64::from(width), f64::from(height)), style.scale);
    let range = range(figure);
    for (curve, place) in figure.curves.iter().zip(places) {
        let map = Map { figure, grid, style, range, place };
        map.draw(area, curve).map_err(|error| error.to_string())?;
    }
    Ok(())
}

/// The smallest and largest value of all maps.
fn range(figure: &Figure) -> (f64, f64) {
    let values = figure.curves.iter().flat_map(|curve| &curve.points).map(|point| point.1);
    values.fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)))
}

/// One map, and where it is.
struct Map<'a> {
    figure: &'a Figure,
    grid: Grid,
    style: &'a Style<'a>,
    range: (f64, f64),
    place: Place,
}

impl Map<'_> {
    fn square(&self, x: f64) -> [(i32, i32); 2] {
        let (at, side) = (self.place.corner(self.grid, x), self.place.side);
        let gap = (side * 0.04).max(1.0);
        [(at.0 as i32, at.1 as i32), ((at.0 + side - gap) as i32, (at.1 + side - gap) as i32)]
    }

    fn text(&self, size: f64, role: Role) -> TextStyle<'static> {
        let middle = Pos::new(HPos::Center, VPos::Center);
        self.style.font(size).color(&(self.style.color)(role)).pos(middle)
    }

    fn draw(&self, area: &Area<'_>, curve: &Curve) -> Drawn {
        let color = (self.style.color)(curve.role);
        let (low, high) = self.range;
        for x in 0..u32::from(self.grid.rows) * u32::from(self.grid.columns) {
            area.draw(&Rectangle::new(self.square(f64::from(x)), (self.style.color)(Role::Link).mix(0.2)))?;
        }
        let digits = self.place.side >= ROOM * self.style.scale;
        for &(x, value) in &curve.points {
            let [from, to] = self.square(x);
            let depth = if high > low { (high - value) / (high - low) } else { 0.0 };
            area.draw(&Rectangle::new([from, to], color.mix(0.06 + 0.84 * depth).filled()))?;
            if digits {
                let at = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
                let role = if depth > 0.55 { Role::Paper } else { Role::Ink };
                let shown = if self.figure.percent { (value * 100.0).round() } else { value.round() };
                area.draw(&Text::new(shown.to_string(), at, self.text(12.0, role)))?;
            }
        }
        self.words(area, curve)
    }

    /// The name, the numbers of rows and columns, and the values at the ends of the scale.
    fn words(&self, area: &Area<'_>, curve: &Curve) -> Drawn {
        let px = |size: f64| (size * self.style.scale) as i32;
        let (rows, columns) = (u32::from(self.grid.rows), u32::from(self.grid.columns));
        let middle = (self.place.left + f64::from(columns) * self.place.side / 2.0) as i32;
        area.draw(&Text::new(
            curve.name.clone(),
            (middle, self.place.top as i32 - px(30.0)),
            self.text(13.0, Role::Ink),
        ))?;
        let every = ((18.0 * self.style.scale / self.place.side).ceil() as usize).max(1);
        let centre = |number: u32| ((f64::from(number) + 0.5) * self.place.side) as i32;
        for column in (0..columns).step_by(every) {
            let at = (self.place.left as i32 + centre(column), self.place.top as i32 - px(9.0));
            area.draw(&Text::new(column.to_string(), at, self.text(12.0, Role::Soft)))?;
        }
        for row in (0..rows).step_by(every) {
            let at = (self.place.left as i32 - px(11.0), self.place.top as i32 + centre(row));
            area.draw(&Text::new(row.to_string(), at, self.text(12.0, Role::Soft)))?;
        }
        let Some(worst) = curve.points.iter().copied().min_by(|a, b| a.1.total_cmp(&b.1)) else { return Ok(()) };
        let most = curve.points.iter().map(|point| point.1).fold(f64::NEG_INFINITY, f64::max);
        let (row, column) = (worst.0 as u32 / columns, worst.0 as u32 % columns);
        // Whole percents, as in the squares: there is little room.
        let [low, high] = [worst.1, most].map(|value| self.figure.y_label((value * 100.0).round() / 100.0));
        let bottom = self.place.top as i32 + (f64::from(rows) * self.place.side) as i32;
        let said = [format!("faint {high}, strong {low}"), format!("least at ({row},{column})")];
        for (line, said) in said.into_iter().zip([14.0, 30.0]).map(|(said, down)| (bottom + px(down), said)) {
            area.draw(&Text::new(said, (middle, line), self.text(12.0, Role::Soft)))?;
        }
        Ok(())
    }
}
