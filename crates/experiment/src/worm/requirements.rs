//! Requirements of wormhole experiments on virtual channels and meshes.

use std::sync::Arc;

use super::setting::{Traffic, WormSetting};
use crate::limits::network_name;
use crate::{Experiment, Problem, later_faults};
use faultlab_core::fault::block::RegionForm;
use faultlab_core::routing::Algorithm;
use faultlab_core::switching::{FlowControl, WormholeConfig};
use faultlab_core::topology::Mesh;
use faultlab_core::traffic::{ArrivalProcess, Bisection};

/// Checks the traffic pattern and the number of virtual channels.
pub(super) fn check(experiment: &Experiment) -> Result<(), Problem> {
    let Some(setting) = experiment.setting.worm() else { return Ok(()) };
    if let Traffic::Pattern(pattern) = &setting.traffic {
        experiment.check_pattern(pattern)?;
    }
    let shape = setting.regions;
    if shape != RegionForm::Blocks && experiment.network.mesh().is_none_or(|mesh| !shape.fits(mesh)) {
        let why =
            "regions that are not boxes need a mesh of two dimensions without wraparound links; use regions=blocks";
        return Err(Problem::new("regions", why));
    }
    if setting.onset > 0 && experiment.network.mesh().is_none() {
        return Err(Problem::new("onset", "faults arrive while messages move on meshes and tori only; use onset=0"));
    }
    if !setting.later.is_empty() && experiment.network.mesh().is_none() {
        return Err(Problem::new("later", "faults arrive while messages move on meshes and tori only; omit later"));
    }
    later_faults::check(experiment)?;
    if setting.flow != FlowControl::Wormhole && setting.longest() == WormholeConfig::MAX_LENGTH {
        let key = if setting.traffic.schedule().is_some() { "messages" } else { "length" };
        return Err(Problem::new(key, "a buffer holds the longest message, at most 255 flits, unless flow=wormhole"));
    }
    let varied = experiment.vary.as_ref().map(|vary| vary.parameter.id);
    if setting.traffic.schedule().is_some()
        && let Some(id @ ("load" | "length")) = varied
    {
        let why =
            format!("messages have their own cycles and lengths, so that {id} has no effect; vary another parameter");
        return Err(Problem::new("vary", why));
    }
    // Check the unvaried experiment too, even if every point has another number of channels: Watch
    // shows the unvaried experiment, which remains when the variation is removed.
    check_point(experiment, experiment)?;
    experiment.points().iter().try_for_each(|point| check_point(experiment, point))
}

/// Checks the experiment itself, or one of its points.
fn check_point(experiment: &Experiment, point: &Experiment) -> Result<(), Problem> {
    check_channels(experiment, point)?;
    check_flit_rate(experiment, point)?;
    check_bursts(experiment, point)
}

/// Checks that the load in flits is in the range of loads, and that the load is given once.
fn check_flit_rate(experiment: &Experiment, point: &Experiment) -> Result<(), Problem> {
    let (Some(setting), Some(mesh)) = (point.setting.worm(), point.network.wormhole_mesh()) else { return Ok(()) };
    let Some(rate) = setting.flit_rate else { return Ok(()) };
    if setting.load != WormSetting::PAPER.load {
        return Err(Problem::new("flit-rate", "load and flit-rate both give the offered load; omit one of them"));
    }
    let most = WormholeConfig::MAX_LOAD * Bisection::new(mesh).saturation_load();
    if setting.load_on(mesh) <= WormholeConfig::MAX_LOAD {
        return Ok(());
    }
    let network = network_name(point.network);
    let why = format!(
        "{rate} flits per node and cycle are more than {} times the load that saturates the bisection of {network}; use at \
         most {most}",
        WormholeConfig::MAX_LOAD
    );
    Err(Problem::new(if point == experiment { "flit-rate" } else { "vary" }, why))
}

/// Checks that bursts have at most one message in a cycle.
fn check_bursts(experiment: &Experiment, point: &Experiment) -> Result<(), Problem> {
    let (Some(setting), Some(mesh)) = (point.setting.worm(), point.network.wormhole_mesh()) else { return Ok(()) };
    let ArrivalProcess::Bursts { on, off } = setting.arrivals else { return Ok(()) };
    let mean = setting.flit_rate_on(mesh) / setting.length.mean();
    let (messages, share) = (mean * setting.arrivals.peak_to_mean(), on / (on + off));
    // The product may exceed 1 by rounding.
    if setting.traffic.is_finite() || messages <= 1.0 + 1e-9 {
        return Ok(());
    }
    let why = format!(
        "bursts need {messages:.3} messages from a node in a cycle, but at most 1 is generated; use a load of at most {:.3} \
         ({:.3} flits per node and cycle), a larger share of bursts than {share:.3}, or longer messages",
        setting.load_on(mesh) / messages,
        setting.flit_rate_on(mesh) / messages
    );
    Err(Problem::new(if point == experiment { "arrivals" } else { "vary" }, why))
}

/// Checks the virtual channels of the experiment itself, or of one of its points.
fn check_channels(experiment: &Experiment, point: &Experiment) -> Result<(), Problem> {
    let (Some(setting), Some(own)) = (point.setting.worm(), experiment.setting.worm()) else { return Ok(()) };
    let as_written = point.network == experiment.network && setting.virtual_channels == own.virtual_channels;
    let key = if as_written { "vc" } else { "vary" };
    let mesh = point.network.wormhole_mesh();
    let classes = |algorithm: &Arc<Algorithm>| Some(algorithm.worm.as_deref()?.vc_classes(mesh?));
    let most = match setting.virtual_channels {
        WormSetting::OWN => experiment.routing.iter().filter_map(classes).max().unwrap_or(0),
        channels => channels,
    };
    let lanes = u64::from(mesh.map_or(0, Mesh::channel_table_size)) * u64::from(most.next_power_of_two());
    if lanes > WormholeConfig::MAX_TOTAL_VCS {
        let (network, most) = (network_name(point.network), WormholeConfig::MAX_TOTAL_VCS);
        let why = format!(
            "{network} has more than {most} virtual channels in total: use fewer per channel, or a smaller network"
        );
        return Err(Problem::new(key, why));
    }
    let channels = match setting.virtual_channels {
        WormSetting::OWN => WormholeConfig::MAX_VIRTUAL_CHANNELS,
        channels => channels,
    };
    let mut needed = experiment.routing.iter().filter_map(|algorithm| Some((algorithm, classes(algorithm)?)));
    needed.find(|(_, classes)| *classes > channels).map_or(Ok(()), |(algorithm, classes)| {
        Err(Problem::new(key, format!("{} has {classes} classes of virtual channels", algorithm.id)))
    })
}
