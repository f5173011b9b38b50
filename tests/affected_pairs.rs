//! Chiu, Chalasani & Raghavendra section IV: the pairs that faults cut off, relabellings, disjoint paths, deadlock, against
//! plain enumeration of all paths by the words of the paper's criteria.

#[path = "affected_pairs/closed_forms.rs"]
mod closed_forms;
#[path = "affected_pairs/deadlock.rs"]
mod deadlock;
#[path = "affected_pairs/disjoint.rs"]
mod disjoint;
#[path = "affected_pairs/enumeration.rs"]
mod enumeration;
#[path = "affected_pairs/faults.rs"]
mod faults;
