//! Chart options: axes, hidden curves and the visible range.

use faultlab_core::ParseError;
use std::fmt;

/// Options of a chart, which affect no result. Defaults follow from the data.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartOptions {
    /// Logarithmic x axis; `None` to decide by the values.
    pub x_log: Option<bool>,
    /// Logarithmic y axis.
    pub y_log: bool,
    /// Indices of the hidden curves in the legend, ascending, from 0.
    pub hidden: Vec<u16>,
    /// Visible range of the x axis.
    pub zoom: Option<(f64, f64)>,
    /// Visible range of the y axis of the upper chart.
    pub y_zoom: Option<(f64, f64)>,
    /// Index of the algorithm whose distribution a sweep shows, from 0; `None` for every algorithm.
    pub algorithm: Option<u16>,
}

impl ChartOptions {
    /// Texts that [`ChartOptions::parse`] accepts, in words.
    pub(crate) const ACCEPTED: &'static str = "x:log, x:linear, y:log, y:linear, zoom:LOW..HIGH along x, \
                                               y-zoom:LOW..HIGH along y, hide:N for the Nth entry of the legend, of:N \
                                               for the distribution of the Nth algorithm only; several are separated \
                                               by commas";

    /// Parses chart options, for example `x:log,hide:2`. An empty text has only defaults.
    ///
    /// # Errors
    ///
    /// Returns an error that names the malformed part of the text.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut view = Self::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            match part {
                "x:log" => view.x_log = Some(true),
                "x:linear" => view.x_log = Some(false),
                "y:log" => view.y_log = true,
                "y:linear" => view.y_log = false,
                _ => view.read(part).ok_or_else(|| format!("{part} is not an option"))?,
            }
        }
        view.hidden.sort();
        view.hidden.dedup();
        Ok(view)
    }

    /// Returns whether only a part of the chart is visible.
    pub fn is_zoomed(&self) -> bool {
        self.zoom.is_some() || self.y_zoom.is_some()
    }

    fn read(&mut self, part: &str) -> Option<()> {
        let index = |number: &str| number.parse::<u16>().ok()?.checked_sub(1);
        if let Some(number) = part.strip_prefix("hide:") {
            self.hidden.push(index(number)?);
        } else if let Some(number) = part.strip_prefix("of:") {
            self.algorithm = Some(index(number)?);
        } else {
            let (zoom, range) = match part.strip_prefix("y-zoom:") {
                Some(range) => (&mut self.y_zoom, range),
                None => (&mut self.zoom, part.strip_prefix("zoom:")?),
            };
            let (low, high) = range.split_once("..")?;
            let ends: (f64, f64) = (low.parse().ok()?, high.parse().ok()?);
            *zoom = Some(ends).filter(|(low, high)| low.is_finite() && high.is_finite() && low < high);
            (*zoom)?;
        }
        Some(())
    }

    /// Hides the curve with this legend index, or shows it again.
    pub fn toggle(&mut self, place: usize) {
        let Ok(place) = u16::try_from(place) else { return };
        match self.hidden.binary_search(&place) {
            Ok(found) => _ = self.hidden.remove(found),
            Err(found) => self.hidden.insert(found, place),
        }
    }

    /// Returns whether the curve with this legend index is hidden.
    pub fn is_hidden(&self, place: usize) -> bool {
        self.hidden.iter().any(|&hidden| usize::from(hidden) == place)
    }
}

impl fmt::Display for ChartOptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let x = self.x_log.map(|log| if log { "x:log" } else { "x:linear" }.to_owned());
        let y = self.y_log.then(|| "y:log".to_owned());
        let zoom = self.zoom.map(|(low, high)| format!("zoom:{low}..{high}"));
        let y_zoom = self.y_zoom.map(|(low, high)| format!("y-zoom:{low}..{high}"));
        let hidden = self.hidden.iter().map(|place| format!("hide:{}", u32::from(*place) + 1));
        let algorithm = self.algorithm.map(|index| format!("of:{}", u32::from(index) + 1));
        let parts = x.into_iter().chain(y).chain(zoom).chain(y_zoom).chain(hidden).chain(algorithm);
        f.write_str(&parts.collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_round_trip_and_invalid_ones_are_rejected() {
        for text in ["", "x:log", "x:linear,y:log,zoom:0.1..0.4,y-zoom:0..0.05,hide:1,hide:12", "hide:2,of:3"] {
            assert_eq!(ChartOptions::parse(text).map(|view| view.to_string()).as_deref(), Ok(text));
        }
        assert_eq!(
            ChartOptions::parse("hide:3,hide:1,y:linear,hide:3").map(|view| view.to_string()),
            Ok("hide:1,hide:3".into())
        );
        for text in [
            "hide:0",
            "zoom:2..1",
            "zoom:1..1",
            "zoom:0..inf",
            "zoom:NaN..1",
            "y-zoom:3..2",
            "z:log",
            "hide:70000",
            "of:0",
        ] {
            assert!(ChartOptions::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn toggle_hides_and_shows_curves() {
        let mut view = ChartOptions::default();
        [4, 2, 4, 1, 1_000_000].into_iter().for_each(|place| view.toggle(place));
        assert_eq!(view.hidden, [1, 2]);
        assert!(view.is_hidden(2) && !view.is_hidden(4));
    }
}
