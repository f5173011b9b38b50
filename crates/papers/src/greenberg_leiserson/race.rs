//! Theorem 9 as a comparison of GREEDY and RANDOM on the same bad sets.

use super::{PAPER, cycles_of_usual_guesses};
use crate::{Item, PaperValue, digits, estimate, measured, verdict};
use faultlab_core::theory::fat_tree::theorem_9_bound;
use faultlab_experiment::Sweep;

pub(super) const RACE: Item = Item {
    paper: &PAPER,
    id: "fat-tree-race",
    title: "Theorem 9: GREEDY against RANDOM on bad sets as n grows",
    about: "Bad sets have load factor 48 on the capacities 1, 2, 2, 4, 4, .., for switches that keep the first messages \
            and for switches that keep random ones. If the first survive, GREEDY takes 16 more cycles each time n is \
            multiplied by 4; RANDOM takes 2.2 to 2.5 times the load factor, depending on how well a guess fits. The \
            constant is so small, one in 24 as proved and one in 6 as built, that GREEDY is ahead up to `n = 256` and \
            behind at 1024. At `n = 16,384`, beyond these sweeps, they are level: there `lg n lg lg n` has outgrown \
            the load factor. Random survivors help GREEDY little, by 5 cycles at `n = 1024`.",
    charts: true,
    texts: || {
        ["left", "random"]
            .map(|survive| {
                format!(
                    "switch=delivery&traffic=bad:48&capacity=sibling&survive={survive}&vary=leaves:4,16,64,256,1024\
                     &trials=200&view=measure"
                )
            })
            .to_vec()
    },
    compare: |item, sweeps| {
        let all = (0..2).flat_map(|sweep| [4, 16, 64, 256, 1024].map(move |n| (sweep, n)));
        all.flat_map(|(sweep, n)| cells(item, sweeps, sweep, n)).collect()
    },
};

fn cells(item: &Item, sweeps: &[Sweep], sweep: usize, n: u32) -> [PaperValue; 2] {
    let row = format!("{} survive, n={n}", ["the first", "random ones"][sweep.min(1)]);
    let cell = |series: &str, name: &str| {
        let found = estimate(sweeps, sweep, series, f64::from(n), "cycles");
        (measured(item, sweeps.get(sweep), row.clone(), format!("{name}, delivery cycles"), found), found)
    };
    let (mut greedy, found) = cell("greedy", "GREEDY");
    if sweep == 0 {
        let least = theorem_9_bound(n, 48);
        greedy.publish(&digits(least));
        greedy.verdict = verdict::at_least(found, least);
        greedy.remark = "claimed: at least".into();
    } else {
        greedy.remark = "claimed: Omega(lambda lg n) expected, without a constant".into();
    }
    let (mut random, found) = cell("random-guess", "RANDOM");
    let most = cycles_of_usual_guesses(n, 48.0);
    random.publish(&digits(most));
    random.verdict = verdict::at_most(found, most);
    random.remark = "claimed: at most, the end of the first guess of 48 or more".into();
    [greedy, random]
}
