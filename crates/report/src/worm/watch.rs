//! Descriptions of watched meshes with worms: a title, counts side by side, messages over time.

use super::wording;
use crate::chart::figure::Figure;
use crate::chart::over_time::over_time;
use crate::picture::projection::MeshView;
use crate::wording::cut_off::cut_off;
use crate::wording::{count, cyclic_wait_text, join_names};
use faultlab_core::fault::BlockFaults;
use faultlab_core::fault::block::RingCounts;
use faultlab_core::topology::Mesh;
use faultlab_experiment::{WatchedWorms, WormWatch};

/// Facts about the faults of watched networks. Their cost grows with the network, so they are found
/// once.
pub struct FaultFacts {
    rings: RingCounts,
    /// True where the guarantee of a network's algorithm covers the faults.
    proved: Vec<bool>,
    /// Sentences that explain the drawn faults and the guarantees of the networks.
    pub(crate) notes: String,
}

impl FaultFacts {
    /// Finds the facts.
    pub fn new(watch: &WormWatch) -> Self {
        let rings = ringed_faults(watch).ring_counts();
        let proved: Vec<_> =
            watch.networks().iter().map(|network| network.routing().is_proved(&watch.faults)).collect();
        let faults = faults_note(&watch.faults, rings);
        let notes = [onset_note(watch), faults, unproved(watch, &proved), user_routings_note(watch)];
        Self { rings, notes: notes.into_iter().flatten().collect(), proved }
    }
}

/// Returns the faults whose rings all networks follow; the faults themselves if networks follow
/// different ones.
fn ringed_faults(watch: &WormWatch) -> &BlockFaults {
    let mut ringed = watch.networks().iter().map(|network| network.routing().routed_faults(&watch.faults));
    let first = ringed.next().unwrap_or(&watch.faults);
    if ringed.all(|other| std::ptr::eq(first, other)) { first } else { &watch.faults }
}

/// Returns a one-sentence description of the picture.
pub fn title(watch: &WormWatch, facts: &FaultFacts) -> String {
    let dead = watch.networks().iter().find_map(|network| Some((&network.algorithm.name, network.worms().outcome()?)));
    if let Some((name, deadlock)) = dead {
        return format!("Deadlock under {name}: {}", cyclic_wait_text(deadlock.cycle.len()));
    }
    let names: Vec<_> = watch.networks().iter().map(|network| &*network.algorithm.name).collect();
    // The counts of rings are those of all faults.
    let onset =
        watch.networks().first().and_then(|network| network.worms().onsets().iter().find(|&&it| it > watch.now()));
    if let Some(onset) = onset {
        return format!(
            "Worms cross the {} under {}; faults arrive in cycle {onset}",
            network_word(watch),
            join_names(&names)
        );
    }
    let RingCounts { rings, chains, .. } = facts.rings;
    let around = match (rings, chains) {
        (0, 0) => None,
        (rings, 0) => Some(count(rings, "fault ring")),
        (0, chains) => Some(count(chains, "fault chain")),
        (rings, chains) => Some([count(rings, "fault ring"), count(chains, "fault chain")].join(" and ")),
    };
    if names.is_empty() {
        let with = around.map_or_else(String::new, |around| format!(" with {around}"));
        return format!("The {} {}{with}", watch.faults.mesh(), network_word(watch));
    }
    let Some(around) = around else {
        return format!("Worms cross the {} under {}", network_word(watch), join_names(&names));
    };
    // A statement on all networks together has to be true of each.
    let with = |is_proved: bool| {
        let both = watch.networks().iter().zip(&facts.proved).filter(move |both| *both.1 == is_proved);
        both.map(|both| both.0).collect::<Vec<_>>()
    };
    let (proved, unproved) = (with(true), with(false));
    let names_of = |networks: &[&WatchedWorms]| {
        let names: Vec<_> = networks.iter().map(|network| &*network.algorithm.name).collect();
        join_names(&names)
    };
    if unproved.is_empty() {
        return format!("Worms are routed around {around} under {}", join_names(&names));
    }
    let lossy: Vec<_> = watch.networks().iter().filter(|network| network.worms().lost() > 0).collect();
    let lossless: Vec<_> = proved.into_iter().filter(|network| network.worms().lost() == 0).collect();
    let it = if rings + chains == 1 { "it" } else { "them" };
    match (lossless.is_empty(), lossy.is_empty()) {
        (_, true) => format!("Worms meet {around} under {}", join_names(&names)),
        (true, false) => {
            format!("Worms meet {around}; blocked worms are lost under {}", names_of(&lossy))
        }
        (false, false) => {
            let [leads, loses] =
                [("routes", lossless.len()), ("loses", lossy.len())].map(|(word, count)| match count {
                    1 => word,
                    _ => word.trim_end_matches('s'),
                });
            format!(
                "{} {leads} worms around {around}; {} {loses} worms that meet {it}",
                names_of(&lossless),
                names_of(&lossy)
            )
        }
    }
}

/// Returns the note on networks that are too large to be simulated while they are watched.
pub(crate) fn not_simulated(watch: &WormWatch) -> String {
    format!(
        "{} nodes are too many to simulate while you watch: with all compared algorithms they have {} virtual \
         channels, the maximum is {}. Only the faults are shown; Measure works as usual. ",
        watch.faults.mesh().nodes(),
        watch.virtual_channels(),
        WormWatch::MAX_VIRTUAL_CHANNELS
    )
}

/// Returns the kind of network in one word.
fn network_word(watch: &WormWatch) -> &'static str {
    match watch.faults.mesh() {
        mesh if mesh.is_cube() => "hypercube",
        mesh if mesh.is_torus() => "torus",
        _ => "mesh",
    }
}

/// Returns the explanation of links that do not lead to the next node of the picture.
pub fn view(mesh: Mesh, view: MeshView) -> Option<String> {
    let around = (0..mesh.dimensions()).any(|dim| mesh.wraps(dim));
    let mut text = String::new();
    if mesh.dimensions() > 2 {
        text.push_str(match view {
            MeshView::Slices => "Short lines at the corners of nodes: links to the next panels. ",
            MeshView::Projected { .. } => "Drag the picture to rotate it. ",
        });
    }
    if around {
        text.push_str("Open ends at the borders: wrap-around links. ");
    }
    (!text.is_empty()).then_some(text)
}

/// Returns the explanation of the drawn faults.
fn faults_note(faults: &BlockFaults, counts: RingCounts) -> Option<String> {
    let mut text = String::new();
    let closed: usize = faults.rounds().iter().map(Vec::len).sum();
    if faults.mesh().dimensions() > 2 && !faults.regions().is_empty() {
        text.push_str("Point at a fault to see its rings. ");
    } else if !faults.regions().is_empty() {
        text.push_str(match (counts.rings, counts.chains) {
            (0, 0) => "",
            (_, 0) => "Bands: fault rings. ",
            _ => "Bands: fault rings; dashed: fault chains. ",
        });
    }
    if faults.mesh().is_plane() && faults.has_overlapping_rings() {
        text.push_str("Between bars: links that rings share. ");
    }
    if closed > 0 {
        text.push_str(&format!("Hatched: {} that closure made faulty. ", count(closed as u32, "node")));
    }
    text.push_str(&cut_off(faults).unwrap_or_default());
    (!text.is_empty()).then_some(text)
}

/// Returns the sentence on faults that arrive while messages move.
fn onset_note(watch: &WormWatch) -> Option<String> {
    let onsets: Vec<_> = watch.networks().first()?.worms().onsets().iter().map(u64::to_string).collect();
    let cycles = if onsets.len() == 1 { "cycle" } else { "cycles" };
    let names: Vec<_> = onsets.iter().map(String::as_str).collect();
    (!onsets.is_empty())
        .then(|| format!("Faults arrive in {cycles} {}; until then messages cross them. ", join_names(&names)))
}

/// Returns the sentence on published algorithms without a proof on the faults. User-defined
/// routings are in no paper.
fn unproved(watch: &WormWatch, proved: &[bool]) -> Option<String> {
    let unproved = watch.networks().iter().zip(proved).filter(|both| !both.1).map(|both| both.0);
    let published = unproved.filter(|network| network.routing().user_routing().is_none());
    let names: Vec<_> = published.map(|network| &*network.algorithm.name).collect();
    let is_whole = watch.sampled_faults.nodes.is_empty() && watch.sampled_faults.links.is_empty();
    let on = if is_whole { "" } else { " on these faults" };
    (!names.is_empty()).then(|| format!("Not proved to deliver without deadlock{on}: {}. ", join_names(&names)))
}

/// Returns the sentence that refers to *Check* for user-defined routings.
pub fn user_routings_note(watch: &WormWatch) -> Option<String> {
    let own = watch.networks().iter().filter(|network| network.routing().user_routing().is_some());
    let names: Vec<_> = own.map(|network| &*network.algorithm.name).collect();
    (!names.is_empty()).then(|| format!("Check shows the properties of {}. ", join_names(&names)))
}

/// Returns the instructions for reading a heat map.
pub fn heat(watch: &WormWatch) -> String {
    let mut text = String::from(
        "The broader and stronger a channel, the more flits have crossed it since cycle 0. Busiest channel: ",
    );
    for (place, network) in watch.networks().iter().enumerate() {
        let most = network.max_utilization() * 100.0;
        text.push_str(if place > 0 { ", " } else { "" });
        text.push_str(&format!("{most:.0}% of the cycles under {}", network.algorithm.name));
    }
    text.push_str(". ");
    text
}

/// Returns the counts as rows: a name, and a value for each network.
pub fn counts(watch: &WormWatch) -> Vec<(&'static str, Vec<String>)> {
    let row = |name, value: fn(&WatchedWorms) -> String| (name, watch.networks().iter().map(value).collect());
    let mut rows = vec![
        row("Messages in the network", |network| network.journeys().len().to_string()),
        row("Delivered", |network| network.worms().delivered().to_string()),
        row("Mean latency", |network| network.mean_latency().map_or("–".to_owned(), |mean| format!("{mean:.1}"))),
        row("Bisection utilization", |network| format!("{:.1}%", network.utilization() * 100.0)),
        row("Discarded", |network| network.worms().discarded().to_string()),
        row("Lost", |network| network.worms().lost().to_string()),
    ];
    if watch.networks().iter().any(|network| !network.worms().onsets().is_empty()) {
        rows.push(row("Dropped by new faults", |network| {
            let found = network.worms().transition().unwrap_or_default();
            (found.cut + found.undrained).to_string()
        }));
        rows.push(row("Sent again", |network| network.worms().transition().unwrap_or_default().resent.to_string()));
    }
    rows
}

/// Returns whether all networks come to an end; generated traffic continues without limit.
pub(crate) fn all_end(watch: &WormWatch) -> bool {
    watch.networks().iter().all(|network| network.timeline.end().is_some())
}

/// Returns the time up to which the slider reaches: the end if there is one, otherwise a time
/// beyond the current one.
pub(crate) fn reach(watch: &WormWatch) -> f64 {
    let (now, end) = (watch.now(), watch.end());
    let ahead = if all_end(watch) { end } else { (500 * (now / 400 + 1)).next_power_of_two().max(1024) };
    ahead.min(end) as f64
}

/// Returns the number of messages in each network over time, with the current cycle.
pub fn history(watch: &WormWatch) -> Figure {
    let histories: Vec<_> =
        watch.networks().iter().map(|network| (&*network.algorithm.name, network.timeline.history())).collect();
    over_time(&histories, watch.now() as f64, reach(watch), ["cycle", "messages"])
}

/// Returns a one-sentence description for users who do not see the network.
pub fn mirror(network: &WatchedWorms) -> String {
    let worms = network.worms();
    let mut text = format!(
        "{}: {} in the network, {} delivered, {} discarded.",
        network.algorithm.name,
        count(network.journeys().len() as u32, "message"),
        worms.delivered(),
        worms.discarded()
    );
    if let Some(deadlock) = worms.outcome() {
        text.push(' ');
        text.push_str(&wording::detected_deadlock(worms.mesh(), deadlock, worms.cycle()).to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watch(rest: &str, cycle: u64) -> WormWatch {
        let mut watch = WormWatch::new(&["net=mesh:8x8&switch=wormhole&", rest].concat().parse().unwrap()).unwrap();
        while watch.work(1 << 20) {}
        watch.seek(cycle);
        while !watch.is_at_target() {
            watch.work(1 << 12);
        }
        watch
    }

    fn title_of(watch: &WormWatch) -> String {
        title(watch, &FaultFacts::new(watch))
    }

    fn unproved_of(watch: &WormWatch) -> Option<String> {
        unproved(watch, &FaultFacts::new(watch).proved)
    }

    #[test]
    fn titles_describe_network_faults_and_deadlock() {
        let own = watch("faults=none&rules=routing mine on mesh 2 always take minimal", 9);
        assert_eq!(
            (unproved_of(&own), self::user_routings_note(&own).unwrap().as_str()),
            (None, "Check shows the properties of mine. ")
        );
        let whole = watch("faults=none&route=f-cube2-either,f-cube1", 9);
        assert!(unproved_of(&whole).is_none_or(|said| !said.contains("faults")));
        assert_eq!(title_of(&watch("faults=none", 9)), "Worms cross the mesh under f-cube2 and LH2");
        let chains = watch("faults=none&break=2.2,0.6,5.5&route=f-cube4", 9);
        assert_eq!(title_of(&chains), "Worms are routed around 2 fault rings and 1 fault chain under f-cube4");
        // The border cuts the ring around a whole row into two chains.
        let row: Vec<_> = (0..8).map(|column| format!("2.{column}")).collect();
        let cut = watch(&format!("faults=none&break={}&route=f-cube4", row.join(",")), 9);
        assert_eq!(title_of(&cut), "Worms are routed around 2 fault chains under f-cube4");
        // Rings are counted once all faults have arrived.
        let [before, after] = [5, 7].map(|cycle| watch("faults=none&break=2.2&later=6:5.5&route=f-cube4", cycle));
        assert_eq!(title_of(&before), "Worms cross the mesh under f-cube4; faults arrive in cycle 6");
        assert_eq!(title_of(&after), "Worms are routed around 2 fault rings under f-cube4");
        let torus = "net=torus:8x8&switch=wormhole&faults=none&route=e-cube".parse().unwrap();
        let torus = WormWatch::new(&torus).unwrap();
        assert_eq!(title_of(&torus), "Worms cross the torus under e-cube");
        let dead = watch("faults=none&break=3.3&route=f-cube1&load=1&vc=1", u64::MAX);
        let said = title_of(&dead);
        assert!(
            said.starts_with("Deadlock under f-cube, one class: ")
                && said.ends_with(" wait for each other in a circle")
        );
        assert!(mirror(&dead.networks()[0]).contains(" Deadlock since cycle "));
        assert!(history(&dead).curves[0].points.len() > 20);
    }

    #[test]
    fn notes_explain_rings_disconnection_and_closure() {
        let isolated = watch("faults=none&break=2.2", 9);
        assert_eq!(faults_note(&isolated.faults, isolated.faults.ring_counts()).unwrap(), "Bands: fault rings. ");
        assert_eq!(unproved_of(&isolated), None);
        let all: Vec<_> = (0..8).map(|row| format!("{row}.2-{row}.3")).collect();
        let divided = watch(&format!("faults=none&break={}", all.join(",")), 9);
        assert!(
            faults_note(&divided.faults, divided.faults.ring_counts())
                .unwrap()
                .ends_with("Cut off: 24 nodes do not take part. ")
        );
        assert!(unproved_of(&divided).unwrap().ends_with(": f-cube2 and LH2. "));
        let closed = watch("faults=none&break=2.2,3.3&route=lh2", 9);
        assert!(
            faults_note(&closed.faults, closed.faults.ring_counts())
                .unwrap()
                .contains("Hatched: 2 nodes that closure made faulty. ")
        );
    }

    #[test]
    fn wraparound_links_are_explained() {
        let plain = Mesh::from_radices(&[4, 4]).unwrap();
        assert_eq!(view(plain, MeshView::SOLID), None);
        assert!(view(plain.to_torus(), MeshView::Slices).unwrap().starts_with("Open ends"));
        let torus = Mesh::from_radices(&[4, 4, 4]).unwrap().to_torus();
        assert_eq!(view(torus, MeshView::SOLID).unwrap().matches(". ").count(), 2);
    }

    #[test]
    fn counts_are_listed_per_algorithm() {
        let watch = watch("faults=none&break=2.2", 600);
        let rows = counts(&watch);
        assert!(rows.iter().all(|(_, values)| values.len() == 2) && rows[1].1[0].parse::<u64>().unwrap() > 100);
        assert!(rows[3].1[1].ends_with('%') && heat(&watch).contains("% of the cycles under LH2"));
    }
}
