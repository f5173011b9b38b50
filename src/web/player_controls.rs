//! Interface of the player for its controls.

/// Simulation that can play, pause and seek.
pub(crate) trait PlayerControls {
    /// Plays, from the start if the time is at the end, or pauses.
    fn play(&self, playing: bool);

    /// Plays or pauses.
    fn toggle_play(&self);

    /// Moves one step forward or back, and pauses.
    fn step(&self, forward: bool);

    /// Moves to a time and pauses; infinity is the end.
    fn seek(&self, place: f64);

    /// Sets the speed, a power of 2, per second.
    fn set_speed(&self, speed: f64);

    /// Sets whether the player is visible; time stops while it is not.
    fn set_visible(&self, visible: bool);

    /// Schedules a redraw.
    fn repaint(&self);
}
