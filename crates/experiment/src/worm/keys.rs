//! Keys of experiment texts that only wormhole experiments have.

use super::setting::FlitEnergy;
use super::{Traffic, WormSetting};
use crate::message_file::{MESSAGE_FILE_ACCEPTED, read_messages};
use crate::text::key::{NOT_A_KNOWN_NAME, TextKey, UNSUPPORTED_KEY, number, whole_number};
use crate::text::tolerance;
use crate::{Experiment, later_faults};
use faultlab_core::ParseError;
use faultlab_core::fault::block::RegionForm;
use faultlab_core::switching::{Arbitration, FlowControl, InjectionPolicy};
use faultlab_core::topology::Network;
use faultlab_core::traffic::{ArrivalProcess, MessageLengths, MessageSchedule, Pattern};

/// Keys, in the order in which they are written.
pub(super) static KEYS: &[TextKey] = &[
    TextKey {
        name: "traffic",
        meaning: "the destinations of messages",
        accepted: |_| {
            [
                Pattern::ACCEPTED,
                "; or a list of messages FROM-TO such as 1.1-2.6,3.4-0.0 (in hypercubes 3-12,0-7), which all start in cycle 0, \
                 without other messages",
            ]
            .concat()
        },
        example: "transpose",
        read: |experiment, text| {
            setting(experiment)?.traffic = Traffic::parse(experiment.network, text)?;
            Ok(())
        },
        write: |experiment| experiment.setting.worm().and_then(|setting| setting.traffic.text(experiment.network)),
    },
    TextKey {
        name: "messages",
        meaning: "messages with their cycles, lengths and dependencies, without other messages: traffic, load and length have \
                  no effect. faultlab run --messages FILE reads them from a file",
        accepted: |_| [MessageSchedule::ACCEPTED, "; on several lines, ", MESSAGE_FILE_ACCEPTED, "; or none"].concat(),
        example: "0.0-0.1:16,5:0.1-1.1:8@1",
        read: |experiment, text| {
            let network = experiment.network;
            set_messages(setting(experiment)?, network, text)
        },
        write: |experiment| {
            let setting = experiment.setting.worm()?;
            Some(setting.traffic.schedule().map_or_else(|| "none".into(), |it| it.to_text(experiment.network)))
        },
    },
    tolerance::key(
        |experiment, text| {
            setting(experiment)?.tolerance = tolerance::parse(text)?;
            Ok(())
        },
        |experiment| format_setting(experiment, |setting| tolerance::text(setting.tolerance)),
    ),
    TextKey {
        name: "regions",
        meaning: "the shape of fault regions on a plane mesh: rectangles (block closure), regions without gaps in any row or \
                  column such as L, T and + (solid faults), or any shape",
        accepted: |_| "blocks, solid or any".into(),
        example: "solid",
        read: |experiment, text| {
            setting(experiment)?.regions = RegionForm::parse(text).ok_or(NOT_A_KNOWN_NAME)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.regions.id().to_owned()),
    },
    TextKey {
        name: "component",
        meaning: "the component of live nodes that sends and receives, if faults cut the network: 1 is the largest, 2 the next",
        accepted: |_| "a whole number from 1 to 1000".into(),
        example: "2",
        read: |experiment, text| {
            setting(experiment)?.component = whole_number(text, 1, 1000)? as u16;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.component.to_string()),
    },
    TextKey {
        name: "onset",
        meaning: "the cycle in which the faults arrive while messages move; with 0 they exist before the first message",
        accepted: |_| "a whole number from 0 to 10000000; only on meshes and tori".into(),
        example: "5000",
        read: |experiment, text| {
            setting(experiment)?.onset = whole_number(text, 0, WormSetting::LONGEST_WARM_UP.into())? as u32;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.onset.to_string()),
    },
    TextKey {
        name: "later",
        meaning: "nodes and links that break while messages move, each in a cycle, in addition to the other faults",
        accepted: |_| {
            "elements CYCLE:NODE or CYCLE:LINK such as 500:3.3-3.4,800:5.5, at most 64; cycles are whole numbers from 1 to \
             10000000; only on meshes and tori".into()
        },
        example: "500:3.3-3.4",
        read: |experiment, text| {
            setting(experiment)?.later = later_faults::parse(experiment.network, text, cycle)?;
            Ok(())
        },
        write: |experiment| later_faults::format(experiment.network, experiment.setting.later()),
    },
    TextKey {
        name: "load",
        meaning: "the offered load, as a share of the load that saturates the bisection of the network without faults",
        accepted: |_| "a number from 0 to 4".into(),
        example: "0.9",
        read: |experiment, text| {
            let flits = text.strip_suffix("flits").filter(|rate| rate.parse::<f64>().is_ok());
            if let Some(rate) = flits {
                return Err(format!("a load is a share; for flits per node and cycle use flit-rate={rate}").into());
            }
            setting(experiment)?.set_load(number(text, 0.0, 4.0)?);
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.load.to_string()),
    },
    TextKey {
        name: "flit-rate",
        meaning: "the offered load in flits per node and cycle, instead of load",
        accepted: |_| {
            "a number from 0 to 12, at most 4 times the load that saturates the bisection; or none: the key load".into()
        },
        example: "0.12",
        read: |experiment, text| {
            let rate = (text != "none").then(|| number(text, 0.0, WormSetting::MAX_FLIT_RATE)).transpose()?;
            setting(experiment)?.flit_rate = rate;
            Ok(())
        },
        write: |experiment| {
            format_setting(experiment, |setting| {
                setting.flit_rate.map_or_else(|| "none".into(), |rate| rate.to_string())
            })
        },
    },
    TextKey {
        name: "arrivals",
        meaning: "when each node generates messages, always with the same mean, that of the load",
        accepted: |_| ArrivalProcess::ACCEPTED.into(),
        example: "bursts:50:150",
        read: |experiment, text| {
            setting(experiment)?.arrivals = ArrivalProcess::parse(text)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.arrivals.to_string()),
    },
    TextKey {
        name: "vc",
        meaning: "virtual channels per physical channel: one per class of the routing, the rest shared",
        accepted: |_| {
            "a whole number from 1 to 32, at least the classes of the routing (on hypercubes 1; on meshes e-cube and f-cube1 1, \
             f-cube2 2, the others more), or own: exactly the classes of each routing".into()
        },
        example: "4",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            let own = text == "own";
            setting.virtual_channels = if own { WormSetting::OWN } else { whole_number(text, 1, 32)? as u8 };
            Ok(())
        },
        write: |experiment| {
            format_setting(experiment, |setting| match setting.virtual_channels {
                WormSetting::OWN => "own".into(),
                channels => channels.to_string(),
            })
        },
    },
    TextKey {
        name: "buffer",
        meaning: "the buffer size of a virtual channel, in flits, with flow=wormhole; otherwise it has no effect",
        accepted: |_| "a whole number from 1 to 16".into(),
        example: "4",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.buffer = whole_number(text, 1, 16)? as u8;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.buffer.to_string()),
    },
    TextKey {
        name: "length",
        meaning: "the length of a message, in flits, or several lengths with weights",
        accepted: |_| MessageLengths::ACCEPTED.into(),
        example: "64",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.length = MessageLengths::parse(text)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.length.to_string()),
    },
    TextKey {
        name: "flow",
        meaning: "the flow control: when a header enters its next channel, and how much a buffer holds (a whole message \
                  except with wormhole)",
        accepted: |_| "wormhole, cut-through or store-and-forward".into(),
        example: "store-and-forward",
        read: |experiment, text| {
            setting(experiment)?.flow = FlowControl::parse(text).ok_or(NOT_A_KNOWN_NAME)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.flow.id().to_owned()),
    },
    TextKey {
        name: "inject",
        meaning: "the injection limit: messages per source whose tails have not left the source",
        accepted: |_| "a whole number from 1 to 64".into(),
        example: "5",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.injection.limit = whole_number(text, 1, 64)? as u16;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.injection.limit.to_string()),
    },
    TextKey {
        name: "policy",
        meaning: "the treatment of a message generated above the injection limit: it is discarded, or queues at its source",
        accepted: |_| "discard or queue".into(),
        example: "queue",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.injection.policy = InjectionPolicy::parse(text).ok_or(NOT_A_KNOWN_NAME)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.injection.policy.to_string()),
    },
    TextKey {
        name: "arbitrate",
        meaning: "the virtual channel that sends a flit if several could: each in turn, that of the oldest message, or a random one",
        accepted: |_| "round-robin, oldest or random".into(),
        example: "oldest",
        read: |experiment, text| {
            let setting = setting(experiment)?;
            setting.arbitration = Arbitration::parse(text).ok_or(NOT_A_KNOWN_NAME)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.arbitration.to_string()),
    },
    TextKey {
        name: "energy",
        meaning: "the energy of a flit for each router, each write into a buffer and each link, for the metric energy",
        accepted: |_| "three numbers ROUTER,WRITE,LINK from 0 to 1000000, in any unit".into(),
        example: "0.5,1.2,2",
        read: |experiment, text| {
            setting(experiment)?.energy = FlitEnergy::parse(text)?;
            Ok(())
        },
        write: |experiment| format_setting(experiment, |setting| setting.energy.to_string()),
    },
    TextKey {
        name: "warmup",
        meaning: "warm-up cycles of a run, which do not count; at least as many counted cycles follow",
        accepted: |_| "a whole number from 0 to 10000000, or auto: as many as the network needs (docs/runs.md)".into(),
        example: "5000",
        read: |experiment, text| {
            let cycles =
                (text != "auto").then(|| whole_number(text, 0, WormSetting::LONGEST_WARM_UP.into())).transpose()?;
            setting(experiment)?.warm_up = cycles.map(|cycles| cycles as u32);
            Ok(())
        },
        write: |experiment| {
            format_setting(experiment, |setting| {
                setting.warm_up.map_or_else(|| "auto".into(), |cycles| cycles.to_string())
            })
        },
    },
];

/// Replaces the traffic by messages in the form of a text, or of a file if there are several lines.
fn set_messages(setting: &mut WormSetting, network: Network, text: &str) -> Result<(), ParseError> {
    let is_scheduled = setting.traffic.schedule().is_some();
    if text == "none" {
        if is_scheduled {
            setting.traffic = Traffic::Pattern(Pattern::Uniform);
        }
        return Ok(());
    }
    if !is_scheduled && setting.traffic != Traffic::Pattern(Pattern::Uniform) {
        let traffic = setting.traffic.text(network).unwrap_or_default();
        return Err(format!("there is no other traffic beside messages; omit traffic={traffic}").into());
    }
    let schedule =
        if text.contains('\n') { read_messages(network, text)? } else { MessageSchedule::parse(network, text)? };
    let bytes = schedule.to_text(network).len();
    if bytes > MAX_MESSAGES_TEXT {
        let problem = format!(
            "the messages take {bytes} bytes; accepted: at most {MAX_MESSAGES_TEXT}, so that they fit in a text"
        );
        return Err(problem.into());
    }
    setting.traffic = Traffic::Schedule(schedule.into());
    Ok(())
}

/// Maximum number of bytes of the messages in a text.
const MAX_MESSAGES_TEXT: usize = 180_000;

/// Parses the cycle of a later fault.
fn cycle(text: &str) -> Result<f64, ParseError> {
    Ok(whole_number(text, 1, WormSetting::LONGEST_WARM_UP.into())? as f64)
}

fn setting(experiment: &mut Experiment) -> Result<&mut WormSetting, ParseError> {
    experiment.setting.worm_mut().ok_or_else(|| UNSUPPORTED_KEY.into())
}

fn format_setting(experiment: &Experiment, value: impl Fn(&WormSetting) -> String) -> Option<String> {
    experiment.setting.worm().map(value)
}
