//! Traffic between units: how many bytes a node sends over its NICs, and how deep the trees are.

/// Bytes per byte of the message.
#[derive(Debug, Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Load(pub f64);

/// Bytes that the busiest node sends in a double binary tree over `units` nodes, per byte of the message.
///
/// Each of the two trees carries half the message up and down. A node is inside in one tree and a leaf in the other: it
/// sends 1 half up and 2 halves down in the first, 1 half up in the second, two messages in all; on two nodes each sends
/// one half per tree, on three the busiest sends three halves.
pub fn tree_network_load(units: u32) -> Load {
    Load(match units {
        0 | 1 => 0.0,
        2 => 1.0,
        3 => 1.5,
        _ => 2.0,
    })
}

/// Depth of a binary tree over so many nodes: `floor(log2 N)`.
pub fn tree_depth(units: u32) -> u32 {
    units.max(1).ilog2()
}
