//! Keys of an experiment that have no effect beside its other keys.

use faultlab_core::switching::FlowControl;
use faultlab_experiment::Experiment;
use faultlab_experiment::worm::WormSetting;

/// Returns a sentence about a buffer size of worms that has no effect, because buffers hold whole
/// messages; `None` for the default size.
pub(crate) fn unused_buffer(experiment: &Experiment) -> Option<String> {
    let setting = experiment.setting.worm()?;
    let is_unused = setting.flow != FlowControl::Wormhole && setting.buffer != WormSetting::PAPER.buffer;
    is_unused.then(|| {
        format!("The key buffer has no effect: with flow={} a buffer holds a whole message.", setting.flow.id())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_of_whole_messages_have_no_size() {
        let said = |keys: &str| unused_buffer(&format!("net=mesh:4x4&switch=wormhole{keys}").parse().unwrap());
        assert_eq!(said("&buffer=4"), None);
        assert_eq!(said("&flow=cut-through"), None);
        assert!(said("&buffer=4&flow=cut-through").is_some_and(|said| said.contains("flow=cut-through")));
    }
}
