//! Keys of experiment texts that only circuit experiments have.

use super::Setting;
use crate::Experiment;
use crate::text::key::{Key, NOT_A_KNOWN_NAME, UNSUPPORTED_KEY, number};
use faultlab_core::ParseError;
use faultlab_core::switching::{LinkSelection, WaitPolicy};
use faultlab_core::traffic::Pattern;

/// Keys, in the order in which they are written.
pub(super) static KEYS: &[Key] = &[
    Key {
        name: "rate",
        meaning: "messages that each node generates in a unit of time, the mean transmission time",
        accepted: |_| "a number from 0.0001 to 10".into(),
        example: "0.4",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.rate = number(text, 0.0001, 10.0)?;
            Ok(())
        },
        write: |experiment| written(experiment, |setting| setting.rate.to_string()),
    },
    Key {
        name: "traffic",
        meaning: "where messages go",
        accepted: |_| Pattern::ACCEPTED.into(),
        example: "transpose",
        read: |experiment, text| {
            let none = || format!("not a traffic pattern of {}", experiment.network);
            setting(experiment)?.traffic = Pattern::parse(text).ok_or_else(none)?;
            Ok(())
        },
        write: |experiment| written(experiment, |setting| setting.traffic.to_string()),
    },
    Key {
        name: "avail",
        meaning: "which of several free legal links is taken: the lowest legal dimension if it is free, else one at random; \
                  always one at random; the highest; the lowest free one; or lowest-only: a message waits for the lowest legal \
                  dimension alone, whatever else is free",
        accepted: |_| "lowest, random, highest, lowest-free or lowest-only".into(),
        example: "random",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.avail = LinkSelection::parse(text).ok_or(NOT_A_KNOWN_NAME)?;
            Ok(())
        },
        write: |experiment| written(experiment, |setting| setting.avail.to_string()),
    },
    Key {
        name: "wait",
        meaning: "for which links a message waits when no legal one is free: for the first of them to be released, \
                  or for the one with the shortest queue",
        accepted: |_| "first or shortest".into(),
        example: "shortest",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.wait = WaitPolicy::parse(text).ok_or(NOT_A_KNOWN_NAME)?;
            Ok(())
        },
        write: |experiment| written(experiment, |setting| setting.wait.to_string()),
    },
];

fn setting(experiment: &mut Experiment) -> Result<&mut Setting, ParseError> {
    experiment.setting.circuit_mut().ok_or_else(|| UNSUPPORTED_KEY.into())
}

fn written(experiment: &Experiment, value: impl Fn(&Setting) -> String) -> Option<String> {
    experiment.setting.circuit().map(value)
}
