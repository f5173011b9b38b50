//! Keys of experiment texts that only single-message experiments have.

use super::MessageSetting;
use crate::Experiment;
use crate::text::key::{TextKey, UNSUPPORTED_KEY, number};
use faultlab_core::ParseError;

/// Keys, in the order in which they are written.
pub(super) static KEYS: &[TextKey] = &[
    TextKey {
        name: "mpl",
        meaning: "the maximum path length of a single message, as a multiple of the dimension n",
        accepted: |_| "a number from 1 to 1000".into(),
        example: "20",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.path_limit = number(text, 1.0, 1000.0)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.path_limit.to_string()),
    },
    TextKey {
        name: "sets",
        meaning: "whether sets of faulty nodes are drawn, or all sets are enumerated with all choices of the algorithm: \
                  exact, up to n = 5",
        accepted: |_| "drawn or all".into(),
        example: "all",
        read: |experiment, text| {
            setting(experiment)?.all_sets = match text {
                "drawn" => false,
                "all" => true,
                _ => return Err("neither drawn nor all".into()),
            };
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| if setting.all_sets { "all" } else { "drawn" }.into()),
    },
];

fn setting(experiment: &mut Experiment) -> Result<&mut MessageSetting, ParseError> {
    experiment.setting.message_mut().ok_or_else(|| UNSUPPORTED_KEY.into())
}

fn format_setting(experiment: &Experiment, value: impl Fn(&MessageSetting) -> String) -> Option<String> {
    experiment.setting.message().map(value)
}
