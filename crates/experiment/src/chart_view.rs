//! How a chart is looked at: its axes, which curves are hidden, which part of it is seen.

use faultlab_core::ParseError;
use std::fmt;

/// What is chosen of a chart. It decides no result; what is not chosen is as it fits the numbers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ChartView {
    /// Whether the x axis is logarithmic; `None`: if its values ask for it.
    pub x_log: Option<bool>,
    /// Whether the y axis is logarithmic.
    pub y_log: bool,
    /// The hidden curves by their places in the legend, ascending, from 0.
    pub hidden: Vec<u16>,
    /// The part of the x axis that is seen.
    pub zoom: Option<(f64, f64)>,
}

impl ChartView {
    /// What [`ChartView::parse`] accepts.
    pub(crate) const ACCEPTED: &'static str = "x:log, x:linear, y:log, y:linear, zoom:LOW..HIGH along x, hide:N for the Nth entry of the \
                                               legend; several are separated by commas";

    /// Reads the text of a view, for example `x:log,hide:2`; an empty text chooses nothing.
    ///
    /// # Errors
    ///
    /// Says which part of the text is not understood.
    pub fn parse(text: &str) -> Result<Self, ParseError> {
        let mut view = Self::default();
        for part in text.split(',').filter(|part| !part.is_empty()) {
            match part {
                "x:log" => view.x_log = Some(true),
                "x:linear" => view.x_log = Some(false),
                "y:log" => view.y_log = true,
                "y:linear" => view.y_log = false,
                _ => view.read(part).ok_or_else(|| format!("{part} is nothing to choose"))?,
            }
        }
        view.hidden.sort();
        view.hidden.dedup();
        Ok(view)
    }

    fn read(&mut self, part: &str) -> Option<()> {
        if let Some(number) = part.strip_prefix("hide:") {
            self.hidden.push(number.parse::<u16>().ok()?.checked_sub(1)?);
        } else {
            let (low, high) = part.strip_prefix("zoom:")?.split_once("..")?;
            let ends: (f64, f64) = (low.parse().ok()?, high.parse().ok()?);
            self.zoom = Some(ends).filter(|(low, high)| low.is_finite() && high.is_finite() && low < high);
            self.zoom?;
        }
        Some(())
    }

    /// Hides the curve at this place of the legend, or shows it again.
    pub fn toggle(&mut self, place: usize) {
        let Ok(place) = u16::try_from(place) else { return };
        match self.hidden.binary_search(&place) {
            Ok(found) => _ = self.hidden.remove(found),
            Err(found) => self.hidden.insert(found, place),
        }
    }

    /// Whether the curve at this place of the legend is hidden.
    pub fn hides(&self, place: usize) -> bool {
        self.hidden.iter().any(|&hidden| usize::from(hidden) == place)
    }
}

impl fmt::Display for ChartView {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let x = self.x_log.map(|log| if log { "x:log" } else { "x:linear" }.to_owned());
        let y = self.y_log.then(|| "y:log".to_owned());
        let zoom = self.zoom.map(|(low, high)| format!("zoom:{low}..{high}"));
        let hidden = self.hidden.iter().map(|place| format!("hide:{}", u32::from(*place) + 1));
        f.write_str(&x.into_iter().chain(y).chain(zoom).chain(hidden).collect::<Vec<_>>().join(","))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_chosen_reads_back() {
        for text in ["", "x:log", "x:linear,y:log,zoom:0.1..0.4,hide:1,hide:12"] {
            assert_eq!(ChartView::parse(text).map(|view| view.to_string()).as_deref(), Ok(text));
        }
        assert_eq!(
            ChartView::parse("hide:3,hide:1,y:linear,hide:3").map(|view| view.to_string()),
            Ok("hide:1,hide:3".into())
        );
        for text in ["hide:0", "zoom:2..1", "zoom:1..1", "zoom:0..inf", "zoom:NaN..1", "z:log", "hide:70000"] {
            assert!(ChartView::parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn what_is_hidden_can_be_shown_again() {
        let mut view = ChartView::default();
        [4, 2, 4, 1, 1_000_000].into_iter().for_each(|place| view.toggle(place));
        assert_eq!(view.hidden, [1, 2]);
        assert!(view.hides(2) && !view.hides(4));
    }
}
