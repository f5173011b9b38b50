//! Numeric results of the thesis on deadlock-free randomized routing, evaluated on instances.

mod bounds;
mod claims;
mod dependencies;
mod expected;
mod lower_bound;
mod worst_faults;

pub use bounds::{
    algorithm_b_expected, bit_fixing_worst, chernoff_distant_nodes, congestion_whp, distant_nodes, edge_paths,
    faulty_paths_bound, inactive_of_one_fault, intermediate_table_bits, lemma_2_faults, load_whp, opposite_at_least,
    paths_through_node, theorem_3_faults,
};
pub use claims::{BoundSide, Claim, ClaimOutcome, Premise, Statement, oblivious_claims};
pub use dependencies::{
    MAX_OBLIVIOUS_DEPENDENCY_DIMENSION, ObliviousWitness, oblivious_dependencies, oblivious_witnesses,
};
pub use expected::{ExpectedCongestion, MAX_EXPECTED_DIMENSION, smallest_choice};
pub use lower_bound::{
    BadPermutation, MAX_BAD_PERMUTATION_DIMENSION, bad_permutation, borodin_hopcroft, deterministic_congestion,
};
pub use worst_faults::{WorstFaultSet, WorstPair, worst_faults, worst_pair};
