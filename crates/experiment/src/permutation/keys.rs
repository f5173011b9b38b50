//! Keys of experiment texts that only whole permutations and batches have.

use super::Setting;
use crate::Experiment;
use crate::text::key::{Key, UNSUPPORTED_KEY, whole};
use crate::text::tolerance;
use faultlab_core::ParseError;
use faultlab_core::traffic::BatchTraffic;

/// Keys of whole permutations, in the order in which they are written.
pub(super) static KEYS: &[Key] = &[TRAFFIC, H, TOLERANCE];

/// Keys of batches, in the order in which they are written.
pub(super) static BATCH_KEYS: &[Key] = &[TRAFFIC, H, TOLERANCE, LENGTH];

const TRAFFIC: Key = Key {
    name: "traffic",
    meaning: "which messages are routed together",
    accepted: |_| BatchTraffic::ACCEPTED.into(),
    example: "transpose",
    read: |experiment, text| {
        setting(experiment)?.demand = BatchTraffic::parse(experiment.network, text)?;
        Ok(())
    },
    write: |experiment| written(experiment, |setting| setting.demand.to_text(experiment.network)),
};

const H: Key = Key {
    name: "h",
    meaning: "how many of them at once, the h of an h-relation",
    accepted: |_| "a whole number from 1 to 64".into(),
    example: "2",
    read: |experiment, text| {
        let setting = setting(experiment)?;
        setting.h = whole(text, 1, Setting::MAX_H.into())? as u32;
        Ok(())
    },
    write: |experiment| written(experiment, |setting| setting.h.to_string()),
};

const TOLERANCE: Key = tolerance::key(
    |experiment, text| {
        setting(experiment)?.tolerance = tolerance::parse(text)?;
        Ok(())
    },
    |experiment| written(experiment, |setting| tolerance::text(setting.tolerance)),
);

const LENGTH: Key = Key {
    name: "length",
    meaning: "flits of a message",
    accepted: |_| "a whole number from 1 to 256".into(),
    example: "64",
    read: |experiment, text| {
        let batch = experiment.setting.batch_mut().ok_or(UNSUPPORTED_KEY)?;
        batch.length = whole(text, 1, 256)? as u16;
        Ok(())
    },
    write: |experiment| experiment.setting.batch().map(|batch| batch.length.to_string()),
};

fn setting(experiment: &mut Experiment) -> Result<&mut Setting, ParseError> {
    experiment.setting.permutation_mut().ok_or_else(|| UNSUPPORTED_KEY.into())
}

fn written(experiment: &Experiment, value: impl Fn(&Setting) -> String) -> Option<String> {
    experiment.setting.permutation().map(value)
}
