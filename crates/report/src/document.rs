//! What can be written down for people and for programs.

/// An answer that can be read in three forms.
pub trait Document {
    /// For people, on a terminal.
    fn text(&self) -> String;
    /// As comma-separated values, with what made them in the first lines.
    fn csv(&self) -> String;
    /// As JSON: one value, or a line with one for each series.
    fn json(&self) -> String;
}
