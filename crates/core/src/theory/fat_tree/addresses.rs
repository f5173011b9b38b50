//! Relative addresses of messages on a fat-tree (Greenberg & Leiserson section 2).

/// Returns the relative address of processor `to` as seen from processor `from`: a bit for each internal
/// node on the path, at most 2 lg n - 1 in all.
///
/// On the way up, true means that the message continues to the parent, and false that it turns to the
/// other child. On the way down, true means the right child. The address is empty if `from` equals
/// `to`.
pub fn relative_address(from: u32, to: u32) -> Vec<bool> {
    let apex = 32 - (from ^ to).leading_zeros();
    let up = (1..=apex).map(|height| height < apex);
    let down = (0..apex.saturating_sub(1)).rev().map(|height| to >> height & 1 == 1);
    up.chain(down).collect()
}

/// Follows a relative address from processor `from`, and returns the processor that it reaches. The
/// function uses only the address and the nodes on the path, as switches do.
pub fn follow_address(from: u32, address: &[bool]) -> u32 {
    let (mut node, mut is_up) = (from, true);
    for &bit in address {
        if is_up && bit {
            node >>= 1;
        } else if is_up {
            // The other child of the parent.
            (node, is_up) = (node ^ 1, false);
        } else {
            node = 2 * node + u32::from(bit);
        }
    }
    node
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_lead_from_every_processor_to_every_other() {
        for (from, to) in (0..32u32).flat_map(|from| (0..32u32).map(move |to| (from, to))) {
            let address = relative_address(from, to);
            assert_eq!(follow_address(from, &address), to);
            assert!(address.len() < 2 * 5);
        }
        assert_eq!(relative_address(0, 31).len(), 9);
    }
}
