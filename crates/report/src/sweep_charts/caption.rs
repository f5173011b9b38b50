//! Captions of charts: the measured quantity, its axis, the network, and instructions for reading
//! the chart.

use super::figure::is_map;
use crate::chart::distribution;
use crate::kinds::reports;
use crate::wording::cut_off::fixed_cut_off;
use crate::wording::offered_load::offered_load;
use faultlab_experiment::{DistributionKind, Experiment, ParameterRole as Varies, Plot};

/// Caption of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Caption {
    /// Title: the content, in a few words.
    pub title: String,
    /// Text: the network, the meaning of the quantity, and instructions for reading.
    pub text: String,
}

impl Caption {
    /// Returns the caption of the question `asked`, with the view of `experiment`.
    pub fn new(experiment: &Experiment, asked: &Experiment) -> Self {
        let heading = (reports(asked).heading)(asked);
        match experiment.plot() {
            Plot::Metric(metric) => {
                let cut_off = fixed_cut_off(asked).map_or(String::new(), |cut| format!(" {cut}"));
                let load = offered_load(asked).map_or(String::new(), |load| format!(" {load}"));
                let below = experiment.view.second_metric;
                let what =
                    below.map_or_else(|| metric.axis.to_owned(), |below| format!("{} and {}", metric.axis, below.axis));
                let second = below.map_or(String::new(), |below| format!("; below, {}", below.meaning));
                let text = format!("{heading}: {}{second}{}{load}{cut_off}", metric.meaning, legend(asked));
                Self { title: format!("{} {}", capital(&what), against(asked)), text }
            }
            Plot::Spread(spread) => {
                let of = shown_algorithm(experiment, asked, spread.shape);
                let of = of.map_or("each algorithm", |index| &*asked.routing[index].name);
                let text = format!("{heading}: {}.", spread.meaning);
                Self { title: format!("{}, {of}", capital(spread.name)), text }
            }
        }
    }
}

/// Returns the index of the algorithm whose distribution is shown; `None` for every algorithm. Shares
/// of a whole along a sweep are shown for one algorithm at a time.
fn shown_algorithm(experiment: &Experiment, asked: &Experiment, shape: DistributionKind) -> Option<usize> {
    let chosen = distribution::only_algorithm(asked, &experiment.view.chart);
    match shape {
        DistributionKind::Dimensions(_) | DistributionKind::TradeOff => None,
        DistributionKind::Stack(_) if asked.vary.is_some() && !asked.routing.is_empty() => Some(chosen.unwrap_or(0)),
        _ => chosen,
    }
}

/// Returns the end of the title, which names the x axis.
fn against(asked: &Experiment) -> String {
    match &asked.vary {
        None => "for each algorithm".to_owned(),
        Some(vary) if vary.parameter.role == Varies::FaultyNode => format!("by the {}", vary.parameter.axis),
        Some(vary) => format!("against {}", vary.parameter.axis),
    }
}

/// Returns the instructions for reading the chart.
fn legend(asked: &Experiment) -> &'static str {
    match is_map(asked) {
        true => {
            ". A square for each node shows the value if that node fails too; the more opaque it is, the lower the value; \
             a dash means no value; the table gives the reason. A frame marks a node that is already faulty."
        }
        false => reports(asked).legend,
    }
}

fn capital(text: &str) -> String {
    text[..1].to_ascii_uppercase() + &text[1..]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn caption(text: &str) -> Caption {
        let experiment: Experiment = text.parse().unwrap();
        Caption::new(&experiment, &experiment)
    }

    #[test]
    fn captions_name_network_and_quantity_of_every_kind() {
        let found = caption("net=cube:6&faults=nodes:0.3&vary=p:0..0.9:10");
        assert_eq!(found.title, "Success probability against fault rate p");
        assert_eq!(
            found.text,
            "6-cube, paths of at most 5n hops: the share of messages that reach their destination within the path limit, \
             S(n, p). Bars are 95% intervals, thin lines closed forms, rings published values."
        );
        let starts = [
            ("switch=circuit&vary=n:2..5:4", "Hypercubes, circuits: the mean time"),
            ("switch=pairs&net=cube:4", "4-cube: the share of ordered pairs"),
            ("switch=wormhole&net=mesh:8x8", "8x8 mesh, worms: flits that"),
            ("switch=wormhole&net=cube:4", "4-cube, worms: flits that"),
            ("switch=permutation&net=cube:5", "5-cube, whole permutations: the largest number"),
            ("switch=batch&net=cube:5", "5-cube, messages of 8 flits, all at once, wormhole: the share"),
            ("switch=batch&net=cube:5&vary=length:1,2", "5-cube, messages, all at once, wormhole: the share"),
            ("switch=delivery&net=tree:16", "fat-tree of 16 processors, standard capacities: the delivery cycle"),
        ];
        for (text, start) in starts {
            assert!(caption(text).text.starts_with(start), "{text}: {}", caption(text).text);
        }
    }

    #[test]
    fn captions_name_both_metrics() {
        let found = caption("net=cube:6&faults=nodes:0.3&vary=p:0..0.9:10&plot=length,success");
        assert_eq!(found.title, "Mean path length, hops and success probability against fault rate p");
        assert!(found.text.contains("; below, the share of messages that reach"), "{}", found.text);
    }

    #[test]
    fn distribution_captions_name_the_algorithm() {
        assert_eq!(caption("plot=lengths&route=random,global").title, "Distribution of path lengths, each algorithm");
        let varied = "plot=lengths&route=random,global&faults=nodes:0.1&vary=p:0.1,0.2";
        assert_eq!(caption(varied).title, "Distribution of path lengths, each algorithm");
        assert_eq!(caption(&format!("{varied}&chart=of:1")).title, "Distribution of path lengths, random, local");
        let ends = varied.replace("lengths", "ends");
        assert!(
            caption(&ends).title.ends_with(", random, local")
                && caption(&format!("{ends}&chart=of:2")).title.ends_with(", global information")
        );
        let ways = "switch=circuit&plot=dimensions&vary=rate:0.1,0.2";
        assert_eq!(caption(ways).title, "Utilization by dimension and direction, each algorithm");
    }

    #[test]
    fn map_captions_explain_how_to_read_them() {
        let map = caption("switch=wormhole&net=mesh:4x4&faults=none&vary=at:0..15:16");
        assert!(map.title.ends_with("by the position of one more faulty node"), "{}", map.title);
        assert!(map.text.contains("A square for each node"), "{}", map.text);
    }
}
