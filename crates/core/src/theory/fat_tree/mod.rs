//! Numeric results of Greenberg & Leiserson on fat-trees: load factors, the congestion parameter,
//! Lemma 6, Figure 4 and Theorem 9.
//!
//! The fraction of messages that dead wires leave deliverable is an addition to the paper.
//!
//! Errata of the text: the choice of q in Lemma 7 fails for r < 8.31, the value for fat leaves; the
//! root capacity "Theta(n^(2/xi))" is n^(2/3); "4 epsilon lg n" is 4e lg n; "Figure 3 illustrates"
//! in section 6 is Figure 8; and see [`bad_set`] for property 1 of Theorem 9.

mod addresses;
mod bad_set;
mod buffered;
mod congestion;
mod dead_wires;
mod embedded;
mod figure_4;
mod halving_loop;
mod lemma_6;
mod lemma_7;
mod load_factor;
mod mesh_of_trees;
mod tails;
mod theorem_8;

pub use addresses::{follow_address, relative_address};
pub use bad_set::{BadChoice, BadSet, BadSetError, bad_set, bad_set_cycles, check_bad_set, theorem_9_bound};
pub use buffered::{BufferedNetwork, BufferedSimulation, buffered_steps};
pub use congestion::{congestion_parameter, congestion_parameter_of_channels};
pub use dead_wires::deliverable_fraction;
pub use embedded::{Detour, EmbeddedStep, detour_cycles, embedded_steps};
pub use figure_4::{Figure4Row, Growth, figure_4, figure_4_cycles};
pub use halving_loop::{HalvingLoop, HalvingResult};
pub use lemma_6::{Lemma6, lemma_6, lemma_6_bound};
pub use lemma_7::{BadCycles, bad_cycles, subsets_until_halved};
pub use load_factor::LoadFactor;
pub use mesh_of_trees::{TreesEmbedding, TreesPlacement};
pub use tails::{
    bad_cycle_bound, binomial_tail, congestion_probability, lemma_3_bound, lemma_4_bound, lemma_5_bound,
    random_constant_k2, random_failure_bound,
};
pub use theorem_8::random_schedule_cycles;
