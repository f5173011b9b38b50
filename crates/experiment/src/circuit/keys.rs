//! Keys of experiment texts that only circuit experiments have.

use super::CircuitSetting;
use crate::text::key::{NOT_A_KNOWN_NAME, TextKey, UNSUPPORTED_KEY, number};
use crate::{Experiment, later_faults};
use faultlab_core::ParseError;
use faultlab_core::switching::{LinkSelection, ProbeConfig, SetupPolicy, WaitPolicy};
use faultlab_core::traffic::Pattern;

/// Keys, in the order in which they are written.
pub(super) static KEYS: &[TextKey] = &[
    TextKey {
        name: "rate",
        meaning: "messages that each node generates per unit of time (the mean transmission time)",
        accepted: |_| "a number from 0.0001 to 10".into(),
        example: "0.4",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.rate = number(text, 0.0001, 10.0)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.rate.to_string()),
    },
    TextKey {
        name: "traffic",
        meaning: "the destinations of messages",
        accepted: |_| Pattern::ACCEPTED.into(),
        example: "transpose",
        read: |experiment, text| {
            let none = || format!("not a traffic pattern of {}", experiment.network);
            let parsed = experiment.mesh().map_or_else(|| Pattern::parse(text), |mesh| Pattern::parse_on(mesh, text));
            setting(experiment)?.traffic = parsed.ok_or_else(none)??;
            Ok(())
        },
        write: |experiment| {
            let mesh = experiment.mesh();
            format_setting(experiment, |setting| {
                mesh.map_or_else(|| setting.traffic.to_string(), |mesh| setting.traffic.text_on(mesh))
            })
        },
    },
    TextKey {
        name: "avail",
        meaning: "the link that a message takes if several legal links are free: lowest, that of the lowest legal dimension if \
                  it is free, else one at random; random; highest; lowest-free; or lowest-only, which waits for the lowest \
                  legal dimension even if others are free",
        accepted: |_| "lowest, random, highest, lowest-free or lowest-only".into(),
        example: "random",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.avail = LinkSelection::parse(text).ok_or(NOT_A_KNOWN_NAME)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.avail.to_string()),
    },
    TextKey {
        name: "wait",
        meaning: "the link for which a message waits if no legal link is free: first, the first to be released; or shortest, the \
                  one with the shortest queue",
        accepted: |_| "first or shortest".into(),
        example: "shortest",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.wait = WaitPolicy::parse(text).ok_or(NOT_A_KNOWN_NAME)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.wait.to_string()),
    },
    TextKey {
        name: "setup",
        meaning: "what a message does if no legal link is free: hold, it keeps its links and waits (reserve and hold); or \
                  retry:BACKOFF, it releases them and tries again from its source after a random time, exponential with mean \
                  BACKOFF, 1 if omitted (backtrack and retry). wait has no effect under retry. On meshes and tori this is \
                  about e-cube; a search of mb-0, mb-1 and so on never waits, and one that fails always begins again after \
                  BACKOFF",
        accepted: |_| SetupPolicy::ACCEPTED.into(),
        example: "retry:0.5",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.setup = SetupPolicy::parse(text).ok_or("not one of the two policies")?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.setup.to_string()),
    },
    TextKey {
        name: "hop",
        meaning: "on meshes and tori, the time in which the probe of a circuit passes a link, forward or back, and its \
                  acknowledgement too, in mean transmission times. The default is that of a message of 20 flits",
        accepted: |_| "a number from 0 to 1, on meshes and tori".into(),
        example: "0.02",
        read: |experiment, text| {
            if experiment.mesh().is_none() {
                return Err("a key of meshes and tori; on hypercubes reservations take no time".into());
            }
            setting(experiment)?.hop = number(text, *ProbeConfig::HOPS.start(), *ProbeConfig::HOPS.end())?;
            Ok(())
        },
        // On hypercubes the key has its default, which texts omit.
        write: |experiment| {
            let is_mesh = experiment.mesh().is_some();
            let hop = |setting: &CircuitSetting| if is_mesh { setting.hop } else { ProbeConfig::DEFAULT_HOP };
            format_setting(experiment, |setting| hop(setting).to_string())
        },
    },
    TextKey {
        name: "onset",
        meaning: "the time at which the faults arrive while messages move, in mean transmission times; with 0 they exist \
                  before the first message",
        accepted: |_| "a number from 0 to 1000000".into(),
        example: "100",
        read: |experiment, text| {
            setting(experiment)?.onset = number(text, 0.0, CircuitSetting::LATEST_FAULT)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.onset.to_string()),
    },
    TextKey {
        name: "later",
        meaning: "nodes and links that break while messages move, each at a time in mean transmission times, in addition to the \
                  other faults",
        accepted: |experiment| {
            let example = if experiment.mesh().is_some() { "50:3.3-3.4,80.5:5.5" } else { "50:3,80.5:5_1" };
            format!(
                "elements TIME:NODE or TIME:LINK such as {example}, at most 64; times are numbers from 0.001 to 1000000"
            )
        },
        example: "50:3",
        read: |experiment, text| {
            setting(experiment)?.later = later_faults::parse(experiment.network, text, time)?;
            Ok(())
        },
        write: |experiment| later_faults::format(experiment.network, experiment.setting.later()),
    },
];

/// Parses the time of a later fault.
fn time(text: &str) -> Result<f64, ParseError> {
    number(text, 0.001, CircuitSetting::LATEST_FAULT)
}

fn setting(experiment: &mut Experiment) -> Result<&mut CircuitSetting, ParseError> {
    experiment.setting.circuit_mut().ok_or_else(|| UNSUPPORTED_KEY.into())
}

fn format_setting(experiment: &Experiment, value: impl Fn(&CircuitSetting) -> String) -> Option<String> {
    experiment.setting.circuit().map(value)
}
