//! Tests of Chiu, Chalasani & Raghavendra, section IV: pairs that faults cut off, relabelling,
//! disjoint paths, deadlock. Results are compared with an enumeration of all paths by the paper's
//! definitions.

mod closed_forms;
mod connectivity;
mod deadlock;
mod disjoint;
mod enumeration;
mod faults;
