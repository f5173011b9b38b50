//! Chiu, Chalasani & Raghavendra section IV: the pairs that faults cut off, relabellings, disjoint paths, deadlock, against
//! plain enumeration of all paths by the words of the paper's criteria.

mod closed_forms;
mod deadlock;
mod disjoint;
mod enumeration;
mod faults;
