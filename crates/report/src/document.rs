//! Documents: results that can be written for people and for programs.

/// Result that can be written in three formats.
pub trait Document {
    /// Returns the document as text for a terminal.
    fn text(&self) -> String;
    /// Returns the document as comma-separated values; the first lines state the experiment.
    fn csv(&self) -> String;
    /// Returns the document as JSON: one value, or one line for each series.
    fn json(&self) -> String;
}
