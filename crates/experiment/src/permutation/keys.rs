//! Keys of experiment texts that only whole permutations and batches have.

use super::{BatchSetting, PermutationSetting};
use crate::Experiment;
use crate::text::key::{NOT_A_KNOWN_NAME, TextKey, UNSUPPORTED_KEY, whole_number};
use crate::text::tolerance;
use faultlab_core::ParseError;
use faultlab_core::switching::FlowControl;
use faultlab_core::traffic::BatchTraffic;

/// Keys of whole permutations, in the order in which they are written.
pub(super) static KEYS: &[TextKey] = &[TRAFFIC, H, TOLERANCE];

/// Keys of batches, in the order in which they are written.
pub(super) static BATCH_KEYS: &[TextKey] = &[TRAFFIC, H, TOLERANCE, LENGTH, FLOW, ONSET];

const TRAFFIC: TextKey = TextKey {
    name: "traffic",
    meaning: "the messages that are routed together",
    accepted: |_| BatchTraffic::ACCEPTED.into(),
    example: "transpose",
    read: |experiment, text| {
        setting(experiment)?.demand = BatchTraffic::parse(experiment.network, text)?;
        Ok(())
    },
    write: |experiment| format_setting(experiment, |setting| setting.demand.to_text(experiment.network)),
};

const H: TextKey = TextKey {
    name: "h",
    meaning: "the number of messages per node, the h of an h-relation",
    accepted: |_| "a whole number from 1 to 64".into(),
    example: "2",
    read: |experiment, text| {
        let setting = setting(experiment)?;
        setting.h = whole_number(text, 1, PermutationSetting::MAX_H.into())? as u32;
        Ok(())
    },
    write: |experiment| format_setting(experiment, |setting| setting.h.to_string()),
};

const TOLERANCE: TextKey = tolerance::key(
    |experiment, text| {
        setting(experiment)?.tolerance = tolerance::parse(text)?;
        Ok(())
    },
    |experiment| format_setting(experiment, |setting| tolerance::text(setting.tolerance)),
);

const LENGTH: TextKey = TextKey {
    name: "length",
    meaning: "the length of a message, in flits",
    accepted: |_| "a whole number from 1 to 256".into(),
    example: "64",
    read: |experiment, text| {
        let batch = experiment.setting.batch_mut().ok_or(UNSUPPORTED_KEY)?;
        batch.length = whole_number(text, 1, 256)? as u16;
        Ok(())
    },
    write: |experiment| experiment.setting.batch().map(|batch| batch.length.to_string()),
};

const FLOW: TextKey = TextKey {
    name: "flow",
    meaning: "the flow control: when a message enters its next channel, and where it waits",
    accepted: |_| "wormhole, cut-through or store-and-forward".into(),
    example: "store-and-forward",
    read: |experiment, text| {
        let batch = experiment.setting.batch_mut().ok_or(UNSUPPORTED_KEY)?;
        batch.flow = FlowControl::parse(text).ok_or(NOT_A_KNOWN_NAME)?;
        Ok(())
    },
    write: |experiment| experiment.setting.batch().map(|batch| batch.flow.id().to_owned()),
};

const ONSET: TextKey = TextKey {
    name: "onset",
    meaning: "the cycle in which the faults arrive while messages move; with 0 they exist before the messages start",
    accepted: |_| "a whole number from 0 to 10000000; only with flow=cut-through or flow=store-and-forward".into(),
    example: "6",
    read: |experiment, text| {
        let batch = experiment.setting.batch_mut().ok_or(UNSUPPORTED_KEY)?;
        batch.onset = whole_number(text, 0, BatchSetting::LATEST_ONSET.into())? as u32;
        Ok(())
    },
    write: |experiment| experiment.setting.batch().map(|batch| batch.onset.to_string()),
};

fn setting(experiment: &mut Experiment) -> Result<&mut PermutationSetting, ParseError> {
    experiment.setting.permutation_mut().ok_or_else(|| UNSUPPORTED_KEY.into())
}

fn format_setting(experiment: &Experiment, value: impl Fn(&PermutationSetting) -> String) -> Option<String> {
    experiment.setting.permutation().map(value)
}
