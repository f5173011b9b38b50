//! Analytic results of the papers: closed forms, exact probabilities, connectivity, disconnected
//! pairs, relabellings, disjoint paths and dependency graphs.
//!
//! All results are exact, for comparison with simulations.

mod affected_pairs;
mod all_fault_sets;
mod blocking_faults;
mod channel_loads;
mod circuit_dependencies;
mod closed_form;
mod connectivity;
mod cut_off_pairs;
mod deadlock;
mod decision;
mod dependency;
mod disjoint_paths;
mod duato;
mod ecube_circuits;
mod embedding;
mod enumerate;
pub mod fat_tree;
mod fault_sets;
mod live_paths;
mod load_factor;
mod message_arrivals;
mod model_ratio;
pub mod oblivious;
mod relabel;
mod state_space;
mod turns;
mod undelivered;
mod unreachable_cycle;
mod wait_graph;
mod worm_dependencies;

pub use affected_pairs::{
    AffectedPairs, FreeLinks, affected_by_link, affected_by_node, down_link_under_up, link_under_dp, link_under_ecube,
    node_under_dp, node_under_ecube, node_under_up, transit_under_dp, transit_under_ecube, transit_under_up,
    up_link_under_up, with_ends,
};
pub use all_fault_sets::{
    AveragesByFaultCount, FaultAverageQuery, FaultDistribution, FaultSetEnumeration, MAX_ALL_SETS_DIMENSION,
};
pub use blocking_faults::{BlockingFault, blocking_faults};
pub use channel_loads::{MAX_LOAD_NODES, expected_channel_loads};
pub use circuit_dependencies::circuit_dependencies;
pub use closed_form::{
    blind_bernoulli, blind_counted, inversions, inversions_exact, local_bernoulli, local_bernoulli_by_inversions,
    local_counted, local_limit,
};
pub use connectivity::{Connectivity, MAX_CONNECTIVITY_DIMENSION, connection_by_faults, connectivity};
pub use cut_off_pairs::{CutOff, MAX_COUNTED_DIMENSION, MAX_CUT_OFF_DIMENSION, PairCounter, PairCounts, cut_off};
pub use deadlock::{DeadlockAnalysis, DeadlockProof, UndecidedReason, circuit_deadlocks, worm_deadlocks};
pub use dependency::{
    ChannelCycle, ChannelId, DependencyGraph, MAX_DEPENDENCY_DIMENSION, hypercube_channel, hypercube_dependencies,
    hypercube_link, hypercube_witnesses,
};
pub use disjoint_paths::{disjoint_count, disjoint_paths, is_permitted};
pub use duato::{
    EscapeViolation, ExtendedDependencies, MAX_DUATO_NODES, MAX_ESCAPE_SEARCH_CLASSES, MAX_ESCAPE_SEARCH_NODES,
};
pub use ecube_circuits::{MAX_ECUBE_CIRCUIT_NODES, ecube_circuit_dependencies, ecube_circuit_witnesses};
pub use embedding::{Embedding, EmbeddingMethod, MAX_EMBEDDING_DIMENSION, least_dilation, least_load};
pub use enumerate::{
    ArrivalDistribution, MAX_EXACT_DIMENSION, MAX_MARKS_DIMENSION, exact_arrivals, exact_success, success_by_faults,
};
pub use fault_sets::{FaultSet, MAX_ENUMERATED_DIMENSION, bernoulli_mixture};
pub use live_paths::LivePaths;
pub use load_factor::{LoadProblem, MAX_ALL_CUTS_NODES, MeshLoadFactor, NetworkLoadFactor};
pub use message_arrivals::message_arrivals;
pub use model_ratio::{blind_model_log_ratio, local_model_ratio_excess, local_model_ratio_limit};
pub use relabel::{Relabelled, Relabelling, SearchMethod, Suggestion, relabelled_cut_off, suggest_relabelling};
pub use turns::{TURNS, Turn, toggle_turn, turns};
pub use undelivered::{route_into_livelock, route_to_loss};
pub use unreachable_cycle::{ReachableStates, SharedSource};
pub use wait_graph::{DeadlockSet, MAX_WAIT_STATES, SetSearchResult, WaitGraph, WaitingMessage};
pub use worm_dependencies::{
    DeliveryOutcomes, MAX_DEPENDENCY_NODES, MeshDependencies, mesh_channel, mesh_channel_ends, mesh_witnesses,
};
