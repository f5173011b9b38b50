//! Tests of the errors for invalid input.

#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::wasm_bindgen_test as test;

use faultlab::fault::LiveWires;
use faultlab::random::Key;
use faultlab::routing::fat_tree::{Greedy, ScheduleConstants};
use faultlab::switching::delivery::{DeliveryConfig, DeliveryError, DeliveryRun, SurvivorPolicy};
use faultlab::topology::fat_tree::{FatTree, FatTreeError, Profile, SecondNetwork};
use faultlab::traffic::{MessagePattern, MessageSet, MessageSetError, Permutation};

use super::{list, tree};

#[test]
fn rejects_invalid_trees() {
    for n in [0, 1, 3, 6, 100, 1 << 21, 1 << 40, u64::MAX] {
        let error = FatTree::new(n, &Profile::Standard).expect_err("not a fat-tree");
        assert_eq!(error, FatTreeError::Processors(n));
        assert_eq!(error.to_string(), format!("a fat-tree has n = 2 to 1048576 processors, a power of two, not {n}"));
    }
    for n in [0, 1, 2, 8, 32, 5, 1 << 21, 1 << 22, u64::MAX] {
        assert_eq!(SecondNetwork::new(n), Err(FatTreeError::SecondProcessors(n)));
    }
    let custom =
        |capacities: &[u32]| FatTree::new(8, &Profile::Custom(capacities.to_vec())).expect_err("not a fat-tree");
    assert_eq!(custom(&[1, 0, 2]), FatTreeError::Capacity { height: 1, capacity: 0 });
    assert_eq!(custom(&[1, 0, 2]).to_string(), "a channel has 1 to 16777216 wires, not 0 as at height 1");
    assert_eq!(custom(&[1, 2]), FatTreeError::WrongCapacityCount { given: 2, levels: 3 });
    assert_eq!(custom(&[1; 5]), FatTreeError::WrongCapacityCount { given: 5, levels: 3 });
    assert_eq!(custom(&[]), FatTreeError::WrongCapacityCount { given: 0, levels: 3 });
    assert!(FatTree::new(8, &Profile::Constant(0)).is_err() && FatTree::new(8, &Profile::Constant(u32::MAX)).is_err());
}

#[test]
fn rejects_invalid_message_sets() {
    let key = Key::from_seed(1);
    for n in [0, 1, 3, 1 << 21, u64::MAX] {
        assert_eq!(MessageSet::new(n, MessagePattern::Cross, key), Err(MessageSetError::Processors(n)));
        assert_eq!(MessageSet::from_pairs(n, &[]), Err(MessageSetError::Processors(n)));
    }
    let many = MessagePattern::Permutation(Permutation::Random, u32::MAX);
    assert_eq!(MessageSet::new(1 << 20, many, key), Err(MessageSetError::TooMany((u64::from(u32::MAX)) << 20)));
    assert_eq!(MessageSet::new(8, MessagePattern::AllToOne(8), key), Err(MessageSetError::NoProcessor(8)));
    let error = MessageSet::new(8, MessagePattern::CubeStep(Some(3)), key).expect_err("no such dimension");
    assert_eq!(error.to_string(), "the hypercube on these processors has dimensions 0 to 2, not 3");
    for pair in [(4, 0), (0, 4), (u32::MAX, 0)] {
        assert!(matches!(MessageSet::from_pairs(4, &[(0, 1), pair]), Err(MessageSetError::NoProcessor(_))));
    }
}

#[test]
fn rejects_invalid_constants() {
    for (k1, k2, r, name) in
        [(0.0, 1.0, 1.0, "k1"), (1.0, -1.0, 1.0, "k2"), (1.0, 1.0, f64::NAN, "r"), (1.0, f64::INFINITY, 1.0, "k2")]
    {
        let error = ScheduleConstants::new(k1, k2, r).expect_err("out of range");
        assert_eq!(error.name, name);
        assert!(
            error.to_string().starts_with(&format!("{name} must be a number from 0.001 to 10000000, not")),
            "{error}"
        );
    }
    // The constants of the paper's proof: k1 is about 4*10^5.
    let proof = ScheduleConstants::from_proof(24.218).unwrap();
    assert!((4.0e5..4.2e5).contains(&proof.k1()) && (871.0..872.0).contains(&proof.k2()), "{proof:?}");
    assert!(ScheduleConstants::from_proof(1.0).is_err() && ScheduleConstants::from_proof(f64::NAN).is_err());
}

#[test]
fn rejects_mismatched_runs() {
    let config = || DeliveryConfig::new(tree(8, "standard").channels(), SurvivorPolicy::Left);
    let start = |config, n| DeliveryRun::new(config, list(n, &[(0, 1)]), Box::new(Greedy), Key::from_seed(1)).err();
    assert_eq!(start(config(), 4), Some(DeliveryError::Processors { network: 8, messages: 4 }));
    let wires = LiveWires::with_dead(tree(8, "skinny").channels(), &[]);
    assert_eq!(start(DeliveryConfig { live: wires, ..config() }, 8), Some(DeliveryError::Wires));
    for error in
        [DeliveryError::Processors { network: 8, messages: 4 }, DeliveryError::Wires, DeliveryError::NoExternal]
    {
        assert!(!error.to_string().is_empty());
    }
}

#[test]
fn policy_names_round_trip() {
    for policy in SurvivorPolicy::ALL {
        assert_eq!(SurvivorPolicy::parse(&policy.to_string()), Some(policy));
        assert!(SurvivorPolicy::ACCEPTED.contains(policy.id()));
    }
    assert_eq!(SurvivorPolicy::parse("right"), None);
}
