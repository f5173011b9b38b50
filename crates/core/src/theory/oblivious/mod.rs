//! Numeric results of the thesis on deadlock-free randomized routing, evaluated on instances.

mod bounds;
mod claims;
mod dependencies;
mod expected;
mod worst_faults;

pub use bounds::{
    algorithm_b_expected, bit_fixing_worst, congestion_whp, edge_paths, faulty_paths_bound, inactive_of_one_fault,
    lemma_2_faults, load_whp, opposite_at_least, paths_through_node, theorem_3_faults,
};
pub use claims::{BoundSide, Claim, ClaimOutcome, Premise, Statement, oblivious_claims};
pub use dependencies::{
    MAX_OBLIVIOUS_DEPENDENCY_DIMENSION, ObliviousWitness, oblivious_dependencies, oblivious_witnesses,
};
pub use expected::{ExpectedCongestion, MAX_EXPECTED_DIMENSION, smallest_choice};
pub use worst_faults::{WorstFaultSet, WorstPair, worst_faults, worst_pair};
