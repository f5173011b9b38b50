//! Keys of experiment texts that only delivery experiments have.

use super::{CongestionParameter, DeliveryDemand, DeliverySetting};
use crate::Experiment;
use crate::text::key::{NOT_A_KNOWN_NAME, TextKey, UNSUPPORTED_KEY, number, whole_number};
use faultlab_core::ParseError;
use faultlab_core::routing::fat_tree::ScheduleConstants;
use faultlab_core::switching::delivery::{SurvivorPolicy, Undeliverable};
use faultlab_core::topology::fat_tree::Profile;

/// Accepted values of a constant of RANDOM.
const TERM: &str = "a number from 0.001 to 10000000";

/// Keys, in the order in which they are written.
pub(super) static KEYS: &[TextKey] = &[
    TextKey {
        name: "traffic",
        meaning: "the messages to deliver",
        accepted: |_| DeliveryDemand::ACCEPTED.into(),
        example: "random*4",
        read: |experiment, text| {
            let leaves = experiment.network.leaves().ok_or("the network is not a fat-tree")?;
            setting(experiment)?.demand = DeliveryDemand::parse(leaves, text)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.demand.to_string()),
    },
    TextKey {
        name: "capacity",
        meaning: "the number of wires of a channel above a node of height h, counted from the leaves",
        accepted: |_| Profile::ACCEPTED.into(),
        example: "volume",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.profile = Profile::parse(text).ok_or("not a capacity profile")?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.profile.to_string()),
    },
    TextKey {
        name: "survive",
        meaning: "the messages that survive if more arrive than a channel has wires",
        accepted: |_| SurvivorPolicy::ACCEPTED.into(),
        example: "left",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.policy = SurvivorPolicy::parse(text).ok_or(NOT_A_KNOWN_NAME)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.policy.to_string()),
    },
    TextKey {
        name: "k1",
        meaning: "the constant k1 of RANDOM: cycles of a guess per unit of the guessed load factor",
        accepted: |_| TERM.into(),
        example: "2",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.k1 = number(text, ScheduleConstants::MIN, ScheduleConstants::MAX)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.k1.to_string()),
    },
    TextKey {
        name: "k2",
        meaning: "the constant k2 of RANDOM: minimum cycles of a guess per unit of lg n",
        accepted: |_| TERM.into(),
        example: "2",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.k2 = number(text, ScheduleConstants::MIN, ScheduleConstants::MAX)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.k2.to_string()),
    },
    TextKey {
        name: "r",
        meaning: "the congestion parameter r of RANDOM: a message is sent with probability 1/(r guess)",
        accepted: |experiment| {
            let channels = experiment.setting.delivery().zip(experiment.network.leaves());
            let channels = channels.and_then(|(setting, leaves)| leaves.channels(&setting.profile).ok());
            let here =
                channels.map(|channels| format!(", here {:.3}", CongestionParameter::Computed.value_for(&channels)));
            format!(
                "{TERM}, or computed: the value that the paper defines for these capacities{}",
                here.unwrap_or_default()
            )
        },
        example: "computed",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.r = match text {
                CongestionParameter::COMPUTED => CongestionParameter::Computed,
                _ => CongestionParameter::Fixed(number(text, ScheduleConstants::MIN, ScheduleConstants::MAX)?),
            };
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.r.to_string()),
    },
    TextKey {
        name: "schedules",
        meaning: "the number of off-line schedules for each message set, each from the arrival order of another run of the \
                  algorithm; the shortest one counts",
        accepted: |_| "1 to 1000".into(),
        example: "20",
        read: |experiment, text| {
            setting(experiment)?.schedules = whole_number(text, 1, 1000)? as u32;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.schedules.to_string()),
    },
    TextKey {
        name: "loops",
        meaning: "the number of times that the innermost loop of TRY-GUESS is run on each message set, with the load factor as \
                  its guess: the metric unhalved counts those that do not halve the load factor. For RANDOM without dead wires",
        accepted: |_| "0 to 1000".into(),
        example: "100",
        read: |experiment, text| {
            setting(experiment)?.loops = whole_number(text, 0, 1000)? as u32;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.loops.to_string()),
    },
    TextKey {
        name: "undeliverable",
        meaning: "what sources do with messages that dead wires cut off: never send them (known), or keep sending them (sent)",
        accepted: |_| "known or sent".into(),
        example: "sent",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.undeliverable = Undeliverable::parse(text).ok_or(NOT_A_KNOWN_NAME)?;
            Ok(())
        },
        write: |experiment| experiment.setting.delivery().map(|setting| setting.undeliverable.to_string()),
    },
];

fn setting(experiment: &mut Experiment) -> Result<&mut DeliverySetting, ParseError> {
    experiment.setting.delivery_mut().ok_or_else(|| UNSUPPORTED_KEY.into())
}

fn format_setting(experiment: &Experiment, value: impl Fn(&DeliverySetting) -> String) -> Option<String> {
    experiment.setting.delivery().map(value)
}
