//! Circuit switching: pictures, descriptions and files.

pub mod files;
pub mod mesh;
mod onset;
pub mod picture;
pub mod play;
pub mod watch;
pub mod wording;

#[cfg(test)]
mod tests {
    use faultlab_experiment::{CircuitWatch, CubePointConfig};

    /// Returns the experiment of `text`, watched until `time`.
    pub(super) fn watch(text: &str, time: f64) -> CircuitWatch {
        let experiment = text.parse().unwrap();
        let mut watch = CircuitWatch::new(&experiment, CubePointConfig::new(&experiment, None).unwrap());
        while watch.work(100_000) {}
        watch.seek(time);
        while !watch.is_at_target() {
            watch.work(1000);
        }
        watch
    }
}
