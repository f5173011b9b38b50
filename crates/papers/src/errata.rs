//! Errata of the papers: numbers and claims that are not reproduced, misprints, and gaps in proofs
//! and tables.
//!
//! Formulas are enclosed in backticks, as in all texts of [`Item`](super::Item)s. The output code
//! formats them, or removes the backticks.

/// Error of a paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Erratum {
    /// Id of the item that shows the error.
    pub item: &'static str,
    /// Location in the paper.
    pub place: &'static str,
    /// Explanation of the error, with the correction.
    pub about: &'static str,
    /// Text of an experiment that shows the error; `None` if no single experiment does, as for an
    /// error in a formula.
    pub experiment: Option<&'static str>,
    /// Effect of the error: true if numbers or claims of the item are not reproduced because of it,
    /// false if only the wording is wrong.
    pub fails: bool,
}

/// Creates an erratum for a number or a claim that is not reproduced.
const fn fails(item: &'static str, place: &'static str, about: &'static str) -> Erratum {
    Erratum { item, place, about, experiment: None, fails: true }
}

/// Creates an erratum for the wording, or for an error too small to affect a verdict.
const fn words(item: &'static str, place: &'static str, about: &'static str) -> Erratum {
    Erratum { item, place, about, experiment: None, fails: false }
}

impl Erratum {
    /// Adds an experiment that shows the error.
    const fn with_experiment(self, experiment: &'static str) -> Self {
        Self { experiment: Some(experiment), ..self }
    }
}

/// All errata, in the order of the items of the papers.
pub static ERRATA: &[Erratum] = &[
    words(
        "ratios",
        "Section 2.2, the names of the probabilities",
        "The arguments of `p_A^2(n, f)` and `p_B^1(n, p)` are exchanged: Model A has a fault rate and Model B a \
         number of faults, so they are `p_A^2(n, p)` and `p_B^1(n, f)`, as in equations (2) and (3).",
    ),
    fails(
        "ratios",
        "Section 2.2.2, the rate of convergence",
        "The ratio of equations (7) and (6) is said to converge on the order of `exp(n^5/2^(2n))`. It converges to 1 \
         no faster than `2^(-n)`: at `p = .5` it is 1.0139 for `n = 6` and 1.000247 for `n = 12`. So it does not \
         converge more quickly than under Model 1 by more than a factor of `n^2`.",
    ),
    fails(
        "table3",
        "Table 3, rows .80 to .90",
        "The rows `p = .80` and `.85`, and the deviation at `.90`, are not reproduced under any reading of the \
         algorithm that we tried.",
    )
    .with_experiment("net=cube:20&faults=nodes:0.8&route=backtracking&mpl=20&vary=p:0.8,0.85,0.9&view=measure"),
    words(
        "table4",
        "Table 4, backtracking, `p = .6` to `.8`",
        "From `n = 10` on, most of the printed percentages are slightly high, by up to a percentage point.",
    )
    .with_experiment("net=cube:10&faults=nodes:0.6&route=backtracking&vary=p:0.6,0.7,0.8&view=measure"),
    fails(
        "claims",
        "The text beside Table 2",
        "The claim that tunnelling rarely occurs fails for closed sets of any size from `p = .75` on, and for pairs \
         of nodes from `.80` on.",
    )
    .with_experiment("net=cube:20&faults=nodes:0.75&mpl=20&vary=p:0.7..0.9:5&view=measure&plot=trapped"),
    fails(
        "claims",
        "The text on randomized backtracking",
        "The claim that backtracking finds a path if there is one holds in the 4-cube and fails from the 5-cube on.",
    )
    .with_experiment("net=cube:5&faults=nodes:0.5&route=backtracking,global&sample=585&time=2"),
    fails(
        "chiu-fig6",
        "Section V.B.1, Figure 6",
        "The gain of 17.44% at a rate of 0.4 is too high: it is 11 to 12% over long runs; a single short run may show \
         17.",
    )
    .with_experiment("net=cube:5&switch=circuit&route=e-cube,2f+3f,2r+3r&rate=0.4&vary=rate:0.35,0.4,0.45&view=measure"),
    words(
        "chiu-fig6",
        "Section V.B, the hierarchical strategy",
        "The last bound `n_{0,m-1} = n + 1` should be `n`: dimensions end at `n - 1`, and `n` is the sum of the \
         `n_j`. No route changes.",
    )
    .with_experiment("net=cube:5&switch=circuit&route=2f+3f"),
    fails(
        "chiu-fig8",
        "Section V.B.1, Figure 8",
        "The claim for the whole operational range fails: 2e+2f+2f+3f becomes worse than e-cube before e-cube's range \
         ends.",
    )
    .with_experiment("net=cube:9&switch=circuit&route=e-cube,2e+2f+2f+3f&vary=rate:0.4,0.45,0.475,0.49,0.5&view=measure"),
    fails(
        "chiu-claims",
        "Section V.A, non-sequential links",
        "Restricting UP to one non-sequential link does not help: the mean setup time is longer at every rate.",
    )
    .with_experiment("net=cube:3&switch=circuit&route=up,restricted-up&vary=rate:0.2,0.3,0.4,0.45,0.5&view=measure"),
    fails(
        "chiu-claims",
        "Section V, the AVAIL strategies",
        "The choice among free links is not insignificant: taking any free link, or the highest, makes setup times \
         much longer in the 5-cube.",
    )
    .with_experiment("net=cube:5&switch=circuit&route=e-cube,up&avail=random&vary=rate:0.1,0.2,0.3&view=measure"),
    words(
        "boppana-examples",
        "Section II.C",
        "`(2, 2)` is called the north-east corner of the ring; it is the north-west one.",
    )
    .with_experiment("net=mesh:6x6&switch=wormhole&route=f-cube4&break=3.3,3.4,4.3,4.4,1.1-2.1,1.2-2.2,0.4-0.5"),
    words(
        "boppana-examples",
        "Table I",
        "As printed, the table misses most sides of regions one node wide, because it requires a neighbour on the same side.",
    )
    .with_experiment("net=mesh:6x6&switch=wormhole&route=f-cube4&break=1.2,3.4-4.4&view=check"),
    words(
        "boppana-proofs",
        "The rules for f-rings that overlap",
        "A rule is missing: a message blocked by another region changes to that region's ring and keeps its direction.",
    )
    .with_experiment("net=mesh:8x8&switch=wormhole&route=lh4&break=1.4,3.4,5.4&from=0.4&to=7.4"),
    words(
        "boppana-dimensions",
        "Section VI, blocks",
        "As printed, a single faulty link would not be a block: a link is on the boundary if it lies in a face.",
    )
    .with_experiment("net=mesh:4x4x4&switch=wormhole&route=f-cube4&break=1.1.1-1.1.2&view=check"),
    words("boppana-dimensions", "Section VI, Lemma 4", "\"If and only if\" should be \"only if\"."),
    words(
        "boppana-dimensions",
        "Section VI, Figure 17",
        "With the figure's pairs of planes, a message would have to return to nodes that may be faulty. Pairing \
         each dimension with the next works.",
    )
    .with_experiment("net=mesh:4x4x4&switch=wormhole&route=f-cube4&break=1.1.1,1.1.2&from=1.1.0&to=1.1.3"),
    words(
        "boppana-dimensions",
        "Section VI.A and Figure 16",
        "Procedure Fully-Adaptive-2D is cited as Figure 11, twice; it is Figure 10. Figure 11 is an example of its \
         routes.",
    ),
    fails(
        "boppana-table3",
        "Table III and section I, negative-first",
        "The claim of up to `n - 1` faults in nD meshes holds for `n = 2`. In three dimensions one faulty node can be \
         too many: with the corner (0, 0, 0) of the 4 x 4 x 4 mesh faulty, 216 of 3906 pairs have no path that takes \
         all its negative hops first.",
    )
    .with_experiment("net=mesh:4x4x4&switch=wormhole&route=negative-first&faults=none&break=0.0.0&view=check"),
    fails(
        "boppana-table3",
        "Table III and the conclusions, dimension reversal",
        "The claim of up to `r - 1` blocks in the worst case needs a rule that reserves reversals for faults, and the \
         paper has none. Without it, static dimension reversal with `r = 4` can lose 48 of 552 pairs of the 5 x 5 \
         mesh with one faulty node.",
    )
    .with_experiment("net=mesh:5x5&switch=wormhole&route=dr-static&faults=none&break=2.1&view=check"),
    words(
        "thesis-previous-work",
        "Section 2.2",
        "The fraction in bit-fixing's expected congestion for random destinations is lost in the available text: it \
         is `1/2`.",
    ),
    words(
        "thesis-theorem1",
        "Theorem 1, parts 2 and 4",
        "\"log\" is the natural logarithm inside Chernoff bounds, and the logarithm to base 2 where `log N = n`.",
    ),
    words(
        "thesis-theorem1",
        "Theorem 1, the union bound",
        "The paper counts undirected edges, half as many as channels: the proved bound fails with probability \
         `1/(4N)`, not `1/(8N)`.",
    ),
    words("thesis-lemma2", "The introduction", "The number of faults, `O(N/log N)`, should be `O(N/log^3 N)`."),
    words("thesis-lemma2", "Lemma 2, the proof", "\"N/3n2\" should be `N/(3n^2)`."),
    words(
        "thesis-theorem3",
        "Theorem 3, the proof of part 4",
        "The probability `1 - 1/2n` of the load on `C_00`, printed twice, should be `1 - 1/(2N)`: only this leaves `1 \
         - 1/N` after the union bound.",
    )
    .with_experiment("switch=permutation&net=cube:8&faults=none&route=algorithm-b&view=check"),
    words("thesis-theorem3", "The corollaries", "There are Corollaries 3 and 4, but no Corollaries 1 and 2."),
    words("fat-tree-load", "Section 2", "The root capacity `Theta(n^(2/xi))` should be `n^(2/3)`.")
    .with_experiment("switch=delivery&net=tree:64&capacity=volume&view=check"),
    words("fat-tree-constants", "Section 4", "The congestion parameter \"4 epsilon lg n\" should be `4e lg n`."),
    words("fat-tree-constants", "Lemma 7", "The choice of `q` fails for `r < 8.31`, which occurs in trees with fat \
            leaves.")
    .with_experiment("switch=delivery&net=tree:64&capacity=constant:64&view=check"),
    fails(
        "fat-tree-theorem9",
        "Theorem 9",
        "With the capacities 1, 1, 2, 2, 4, 4, .. the bad set has a load factor of `4/3 lambda`, not `lambda`: the channels of odd height \
         are overlooked.",
    )
    .with_experiment("switch=delivery&net=tree:64&traffic=bad:48&view=check"),
    words("fat-tree-section6", "Section 6", "\"Figure 3 illustrates\" should refer to Figure 8."),
    words("fat-tree-section6", "Figure 7", "Line 1, which sets `z` to 1, is missing in the scan.")
    .with_experiment("switch=delivery&net=tree:64&traffic=random*16&capacity=constant:16&route=random-prime"),
];

/// Returns the errata that the item called `id` shows.
pub fn errata_of(id: &str) -> impl Iterator<Item = &'static Erratum> {
    ERRATA.iter().filter(move |erratum| erratum.item == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::items;

    #[test]
    fn experiments_are_valid_and_match_the_paper() {
        for erratum in ERRATA {
            let Some(text) = erratum.experiment else {
                // The numbers of `ratios` are formulas, which no experiment shows.
                let is_shown = !erratum.fails || erratum.item == "ratios";
                assert!(is_shown, "{}: a failed claim needs an experiment", erratum.place);
                continue;
            };
            let experiment =
                text.parse::<faultlab_experiment::Experiment>().unwrap_or_else(|error| panic!("{text}: {error}"));
            // Experiments with a chart are sweeps, and all have a kind of their paper.
            assert_eq!(experiment.vary.is_some(), experiment.view.tab == faultlab_experiment::Tab::Measure, "{text}");
            assert!(
                crate::item(erratum.item).is_some_and(|item| item.paper.kinds.contains(&experiment.kind())),
                "{text}"
            );
        }
    }

    #[test]
    fn errata_refer_to_items_in_item_order() {
        let place = |erratum: &Erratum| items().position(|item| item.id == erratum.item);
        assert!(ERRATA.iter().all(|erratum| place(erratum).is_some()));
        assert!(ERRATA.is_sorted_by_key(place));
    }
}
