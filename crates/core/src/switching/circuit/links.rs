//! Link holders, and first-come first-served queues of waiting messages.

/// Sentinel slot for the absence of a message.
pub(super) const NONE: u32 = u32::MAX;

/// Links out of every node, with their queues. Messages are identified by slot.
#[derive(Clone, Debug)]
pub(super) struct LinkTable {
    /// Dimension of the cube.
    dims: usize,
    /// Mask of the dimensions with reserved links, for each node.
    busy: Vec<u16>,
    /// Slot of the message that holds each link. Entries of free links are stale.
    holders: Vec<u32>,
    /// Queue of waiting messages of each link.
    queues: Vec<LinkQueue>,
    /// Queue neighbors of each slot in each dimension: a doubly linked list per link.
    queue_entries: Vec<QueueEntry>,
}

#[derive(Clone, Copy, Debug)]
struct LinkQueue {
    first: u32,
    last: u32,
    count: u32,
}

#[derive(Clone, Copy, Debug)]
struct QueueEntry {
    before: u32,
    after: u32,
}

impl LinkTable {
    /// Creates the links of a cube of `dims` dimensions, all free.
    pub(super) fn new(dims: u8) -> Self {
        let links = usize::from(dims) << dims;
        Self {
            dims: usize::from(dims),
            busy: vec![0; 1 << dims],
            holders: vec![NONE; links],
            queues: vec![LinkQueue { first: NONE, last: NONE, count: 0 }; links],
            queue_entries: Vec::new(),
        }
    }

    /// Allocates queue entries for one more slot.
    pub(super) fn add_slot(&mut self) {
        self.queue_entries.resize(self.queue_entries.len() + self.dims, QueueEntry { before: NONE, after: NONE });
    }

    #[inline(always)]
    fn index(&self, node: u16, dim: u8) -> usize {
        usize::from(node) * self.dims + usize::from(dim)
    }

    #[inline(always)]
    fn entry_index(&self, slot: u32, dim: u8) -> usize {
        slot as usize * self.dims + usize::from(dim)
    }

    /// Returns the mask of the dimensions whose links out of `node` are reserved.
    #[inline(always)]
    pub(super) fn busy(&self, node: u16) -> u64 {
        u64::from(self.busy[usize::from(node)])
    }

    /// Reserves a link for the message in `slot`.
    #[inline(always)]
    pub(super) fn take(&mut self, node: u16, dim: u8, slot: u32) {
        self.busy[usize::from(node)] |= 1 << dim;
        let index = self.index(node, dim);
        self.holders[index] = slot;
    }

    /// Releases a link.
    #[inline(always)]
    pub(super) fn free(&mut self, node: u16, dim: u8) {
        self.busy[usize::from(node)] &= !(1 << dim);
    }

    /// Returns the slot of the message that holds a link, [`NONE`] if it is free.
    pub(super) fn holder(&self, node: u16, dim: u8) -> u32 {
        if self.busy(node) >> dim & 1 == 1 { self.holders[self.index(node, dim)] } else { NONE }
    }

    /// Returns the first waiter for a link, [`NONE`] if there is none.
    #[inline(always)]
    pub(super) fn first_waiter(&self, node: u16, dim: u8) -> u32 {
        self.queues[self.index(node, dim)].first
    }

    /// Returns the waiter after `slot` in the queue of the link across `dim` out of the waiter's
    /// node.
    pub(super) fn next_waiter(&self, slot: u32, dim: u8) -> u32 {
        self.queue_entries[self.entry_index(slot, dim)].after
    }

    /// Returns the number of waiters for a link.
    pub(super) fn queue_len(&self, node: u16, dim: u8) -> u32 {
        self.queues[self.index(node, dim)].count
    }

    /// Appends the message in `slot` to the queues of the links `mask` out of `node`.
    #[inline]
    pub(super) fn enqueue(&mut self, slot: u32, node: u16, mask: u16) {
        let mut rest = mask;
        while rest != 0 {
            let dim = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            let (index, place) = (self.index(node, dim), self.entry_index(slot, dim));
            let last = self.queues[index].last;
            self.queue_entries[place] = QueueEntry { before: last, after: NONE };
            if last == NONE {
                self.queues[index].first = slot;
            } else {
                let place = self.entry_index(last, dim);
                self.queue_entries[place].after = slot;
            }
            self.queues[index].last = slot;
            self.queues[index].count += 1;
        }
    }

    /// Removes the message in `slot` from the queues of the links `mask` out of `node`.
    #[inline]
    pub(super) fn dequeue(&mut self, slot: u32, node: u16, mask: u16) {
        let mut rest = mask;
        while rest != 0 {
            let dim = rest.trailing_zeros() as u8;
            rest &= rest - 1;
            let index = self.index(node, dim);
            let QueueEntry { before, after } = self.queue_entries[self.entry_index(slot, dim)];
            if before == NONE {
                self.queues[index].first = after;
            } else {
                let place = self.entry_index(before, dim);
                self.queue_entries[place].after = after;
            }
            if after == NONE {
                self.queues[index].last = before;
            } else {
                let place = self.entry_index(after, dim);
                self.queue_entries[place].before = before;
            }
            self.queues[index].count -= 1;
        }
    }
}
