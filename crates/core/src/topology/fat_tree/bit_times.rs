//! Delay of the switches of a fat-tree, in bit times (Greenberg & Leiserson sections 2 and 6).

use super::TreeChannels;

/// A circuit that connects the messages at the inputs of a switch to the wires of an output
/// channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Concentrator {
    /// A parallel prefix circuit that counts the messages, and a butterfly that routes them.
    Butterfly,
    /// Batcher's sorting network, which moves messages in front of empty inputs.
    Sorting,
}

impl Concentrator {
    /// Returns the number of levels of two-input elements that a bit passes, for 2^k inputs.
    ///
    /// A butterfly has k levels behind the 2k - 1 of a prefix circuit of linear size; Batcher's
    /// network has k(k+1)/2. The sorting network of logarithmic depth that the paper cites
    /// (Ajtai, Komlos & Szemeredi) is of no practical size.
    pub const fn levels(self, k: u32) -> u32 {
        match self {
            Self::Butterfly => (3 * k).saturating_sub(1),
            Self::Sorting => k * (k + 1) / 2,
        }
    }
}

impl TreeChannels {
    /// Returns the number of levels of two-input elements that the leading bit of a message passes
    /// on a longest path: the delay of the switches of a delivery cycle, in bit times.
    ///
    /// Every output of a switch selects from all inputs but those of its own channel: a channel up
    /// from the children, a channel down from the parent and the siblings. In a fat-tree, each
    /// output channel has a concentrator. The switches of the second network have constant size:
    /// each output wire has a binary tree of selectors, and `concentrator` is ignored. Cost: a step
    /// for each height.
    pub fn switch_delay(&self, concentrator: Concentrator) -> u32 {
        let levels = |inputs: u32| match self.wire_bits() {
            0 => concentrator.levels(log2_ceil(inputs)),
            _ => log2_ceil(inputs),
        };
        let up = (1..self.levels()).map(|height| self.switch_inputs(height)[0]);
        let down = (1..=self.levels()).map(|height| self.switch_inputs(height)[1]);
        up.chain(down).map(levels).sum()
    }

    /// Returns the number of inputs of an output up, and of an output down, of a switch of height
    /// `height`, from 1.
    fn switch_inputs(&self, height: u8) -> [u32; 2] {
        let (children, parent) = match self.wire_bits() {
            0 => ([2, 1].map(|children| children * self.capacity(height - 1)), self.capacity(height)),
            _ => ([self.children(), self.children() - 1], 1 << self.choice_bits()),
        };
        [children[0], children[1] + parent]
    }
}

/// Returns the binary logarithm of a number, rounded up; 0 for 0.
fn log2_ceil(number: u32) -> u32 {
    number.max(1).next_power_of_two().trailing_zeros()
}
