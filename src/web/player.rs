//! What runs in time, as its controls know it.

/// A stage whose time runs, stands, and goes where one wants.
pub(crate) trait Player {
    /// Lets time run, from the start again if it is at its end; or stand.
    fn play(&self, playing: bool);

    /// Plays or pauses.
    fn toggle_play(&self);

    /// A step on or back, and stands there.
    fn step(&self, forward: bool);

    /// Goes to a place in time and stands there; infinity is the end.
    fn seek(&self, place: f64);

    /// Sets the speed: a power of 2, by the second.
    fn set_speed(&self, speed: f64);

    /// Whether it can be seen: time stands while it cannot.
    fn set_visible(&self, visible: bool);

    /// Draws soon.
    fn repaint(&self);
}
