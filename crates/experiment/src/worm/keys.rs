//! Keys of experiment texts that only wormhole experiments have.

use super::{Setting, Traffic};
use crate::Experiment;
use crate::text::key::{Key, NOT_A_KNOWN_NAME, UNSUPPORTED_KEY, number, whole};
use crate::text::tolerance;
use faultlab_core::ParseError;
use faultlab_core::switching::{Arbitration, InjectionPolicy};
use faultlab_core::traffic::Pattern;

/// Keys, in the order in which they are written.
pub(super) static KEYS: &[Key] = &[
    Key {
        name: "traffic",
        meaning: "where messages go",
        accepted: |_| {
            [
                Pattern::ACCEPTED,
                "; or a list such as 1.1-2.6,3.4-0.0 (of hypercubes 3-12,0-7) of messages FROM-TO, which all start in cycle 0, and no \
                 others",
            ]
            .concat()
        },
        example: "transpose",
        read: |experiment, text| {
            setting(experiment)?.traffic = Traffic::parse(experiment.network, text)?;
            Ok(())
        },
        write: |experiment| written(experiment, |setting| setting.traffic.text(experiment.network)),
    },
    tolerance::key(
        |experiment, text| {
            setting(experiment)?.tolerance = tolerance::parse(text)?;
            Ok(())
        },
        |experiment| written(experiment, |setting| tolerance::text(setting.tolerance)),
    ),
    Key {
        name: "load",
        meaning: "messages that are generated, as a share of what saturates the bisection of the network without faults",
        accepted: |_| "a number from 0 to 4".into(),
        example: "0.9",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.load = number(text, 0.0, 4.0)?;
            Ok(())
        },
        write: |experiment| written(experiment, |setting| setting.load.to_string()),
    },
    Key {
        name: "vc",
        meaning: "virtual channels of each channel, one for each class of the routing and the others for whoever comes",
        accepted: |_| {
            "a whole number from 1 to 32, at least the classes of the routing (on hypercubes 1; on meshes e-cube and f-cube1 1, f-cube2 2, the others \
                   more), or own: for each routing just its classes".into()
        },
        example: "4",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            let own = text == "own";
            setting.virtual_channels = if own { Setting::OWN } else { whole(text, 1, 32)? as u8 };
            Ok(())
        },
        write: |experiment| {
            written(experiment, |setting| match setting.virtual_channels {
                Setting::OWN => "own".into(),
                channels => channels.to_string(),
            })
        },
    },
    Key {
        name: "buffer",
        meaning: "flits that the buffer of a virtual channel holds",
        accepted: |_| "a whole number from 1 to 16".into(),
        example: "4",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.buffer = whole(text, 1, 16)? as u8;
            Ok(())
        },
        write: |experiment| written(experiment, |setting| setting.buffer.to_string()),
    },
    Key {
        name: "length",
        meaning: "flits of a message",
        accepted: |_| "a whole number from 1 to 256".into(),
        example: "64",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.length = whole(text, 1, 256)? as u16;
            Ok(())
        },
        write: |experiment| written(experiment, |setting| setting.length.to_string()),
    },
    Key {
        name: "inject",
        meaning: "messages of a source whose tails may still be there at once, the injection limit",
        accepted: |_| "a whole number from 1 to 64".into(),
        example: "5",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.injection.limit = whole(text, 1, 64)? as u16;
            Ok(())
        },
        write: |experiment| written(experiment, |setting| setting.injection.limit.to_string()),
    },
    Key {
        name: "policy",
        meaning: "what becomes of a message that is generated above the injection limit: it is discarded, or queues at its \
                  source",
        accepted: |_| "discard or queue".into(),
        example: "queue",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.injection.policy = InjectionPolicy::parse(text).ok_or(NOT_A_KNOWN_NAME)?;
            Ok(())
        },
        write: |experiment| written(experiment, |setting| setting.injection.policy.to_string()),
    },
    Key {
        name: "arbitrate",
        meaning: "which virtual channel sends a flit where several could: each in turn, that of the oldest message, or one \
                  at random",
        accepted: |_| "round-robin, oldest or random".into(),
        example: "oldest",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.arbitration = Arbitration::parse(text).ok_or(NOT_A_KNOWN_NAME)?;
            Ok(())
        },
        write: |experiment| written(experiment, |setting| setting.arbitration.to_string()),
    },
    Key {
        name: "warmup",
        meaning: "cycles of a run before anything counts, and at least as many count then",
        accepted: |_| "a whole number from 0 to 10000000, or auto: as many as the network takes (docs/runs.md)".into(),
        example: "5000",
        read: |experiment, text| {
            let cycles = (text != "auto").then(|| whole(text, 0, Setting::LONGEST_WARM_UP.into())).transpose()?;
            setting(experiment)?.warm_up = cycles.map(|cycles| cycles as u32);
            Ok(())
        },
        write: |experiment| {
            written(experiment, |setting| setting.warm_up.map_or_else(|| "auto".into(), |cycles| cycles.to_string()))
        },
    },
];

fn setting(experiment: &mut Experiment) -> Result<&mut Setting, ParseError> {
    experiment.setting.worm_mut().ok_or_else(|| UNSUPPORTED_KEY.into())
}

fn written(experiment: &Experiment, value: impl Fn(&Setting) -> String) -> Option<String> {
    experiment.setting.worm().map(value)
}
