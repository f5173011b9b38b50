//! Use of one link of a mesh: the messages that hold it, and its utilization over time.

use super::wording::{link as link_name, port};
use crate::chart::over_time::curves_over_time;
use crate::picture::scene::Role;
use crate::watch::LinkUse;
use crate::wording;
use faultlab_core::rich;
use faultlab_core::rich_text::RichText;
use faultlab_core::switching::HeldChannel;
use faultlab_core::topology::{Link, NodeId, Port};
use faultlab_experiment::WatchedWorms;

/// Describes both channels of a link at cycle `now`, with a chart up to the cycle `end`.
pub(crate) fn link_use(network: &WatchedWorms, link: Link, now: f64, end: f64) -> Option<LinkUse> {
    let mesh = network.worms().mesh();
    let (up, to) = (Port::along(link.dim, true), mesh.link_end(link)?);
    let channels = [(link.from, up), (to, up.opposite())];
    let live: Vec<_> =
        channels.into_iter().filter(|&(node, port)| network.worms().faults().is_open(node, port)).collect();
    let name = format!("Link {}", link_name(mesh, link));
    if live.is_empty() {
        return Some(LinkUse {
            name,
            uses: vec!["The link is faulty, or it leads to a faulty node.".into()],
            figure: None,
        });
    }
    let names: Vec<_> = live.iter().map(|&(node, out)| port(mesh, node, out).to_string()).collect();
    let curve = |(&(node, port), name): (&(NodeId, Port), &String)| {
        (name.clone(), utilization(network, mesh.channel(node, port)))
    };
    let curves: Vec<_> = live.iter().zip(&names).map(curve).collect();
    let curves: Vec<_> = curves.iter().map(|(name, points)| (name.as_str(), points.clone())).collect();
    let mut figure = curves_over_time(&curves, now, end, ["cycle", "utilization, %"]);
    // The colours of algorithms have another meaning.
    figure.curves.iter_mut().for_each(|curve| curve.role = Role::Ink);
    let uses = live.iter().zip(&names).map(|(&(node, port), name)| channel_use(network, node, port, name));
    Some(LinkUse { name, uses: uses.collect(), figure: Some(figure) })
}

/// Returns the utilization of a channel as steps, in percent.
fn utilization(network: &WatchedWorms, channel: u32) -> Vec<(f64, f64)> {
    let parts = network.utilization_over_time(channel).into_iter();
    parts.flat_map(|(first, last, share)| [(first as f64, share * 100.0), (last as f64, share * 100.0)]).collect()
}

fn channel_use(network: &WatchedWorms, node: NodeId, port: Port, name: &str) -> RichText {
    let worms = network.worms();
    let channel = worms.mesh().channel(node, port);
    let share = worms.carried_by(channel) as f64 / worms.cycle().max(1) as f64 * 100.0;
    let holder = |virtual_channel: u8| {
        let message = worms.holder(HeldChannel { channel, virtual_channel })?;
        Some(rich![wording::message(message.number()), " (virtual channel ", virtual_channel, ")"])
    };
    let holders: Vec<_> = (0..worms.config().virtual_channels).filter_map(holder).collect();
    let held =
        if holders.is_empty() { "free".into() } else { rich!["held by ", RichText::join(holders.into_iter(), ", ")] };
    rich![format!("{name}: a flit crossed it in {share:.1}% of the cycles so far; now "), held, "."]
}
