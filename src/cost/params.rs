//! The library's own constants: few, physical, each with the rows it was fitted on or the source it was read in.

use std::sync::LazyLock;

use crate::parts::{Figure, Origin};
use crate::units::{Bytes, Share, Time};

/// Constants of the collectives library and its kernels that belong to no single part.
#[derive(Debug, Clone, PartialEq)]
pub struct Params {
    /// Kernel launch and first flag of one call, us.
    pub launch: Figure<Time>,
    /// Host launch per further GPU that one process drives, us.
    pub launch_per_gpu: Figure<Time>,
    /// The same per peer of a grouped send/receive, us.
    pub launch_per_peer: Figure<Time>,
    /// Added to a network step by ll128, us.
    pub network_ll128: Figure<Time>,
    /// Added to twice the network step by simple (flush and ready flag), us.
    pub network_simple: Figure<Time>,
    /// Bytes of ll in flight per channel over the network: its ceiling is this over the latency of a network step.
    pub network_ll_window: Figure<Bytes>,
    /// The same of ll128.
    pub network_ll128_window: Figure<Bytes>,
    /// Share of a link's bytes that are data in ll.
    pub ll_efficiency: Figure<Share>,
    /// Share of a link's bytes that are data in ll128.
    pub ll128_efficiency: Figure<Share>,
    /// Fixed cost of in-switch reduction, us.
    pub reduce_latency: Figure<Time>,
    /// Synchronisation of in-switch reduction per GPU above eight, us.
    pub reduce_per_rank: Figure<Time>,
    /// Fixed cost of in-network reduction in the fabric, us.
    pub collnet_latency: Figure<Time>,
    /// Cost per peer of all-to-all, us.
    pub peer: Figure<Time>,
    /// Share of the link rate that the tree's kernel reaches, where the architecture has no figure of its own.
    pub tree_share: Figure<Share>,
    /// Share of the NICs' rate that a tree reaches where units have two children, from four units on: they take from two and
    /// feed two at once.
    pub tree_fan: Figure<Share>,
    /// Share of the in-switch reduction rate that is left while it also feeds NICs.
    pub reduce_with_network: Figure<Share>,
    /// Share of the link rate that a pair's send/receive reaches.
    pub pair_share: Figure<Share>,
    /// One slot of the simple protocol's buffer, per channel and hop in flight.
    pub slot: Figure<Bytes>,
}

fn fit<T: Copy>(is: T, rows: &str) -> Figure<T> {
    Figure::new(is, Origin::Fit(rows.to_owned()))
}

fn library<T: Copy>(is: T, place: &str) -> Figure<T> {
    Figure::new(is, Origin::Library(place.to_owned()))
}

impl Default for Params {
    fn default() -> Self {
        let multi = "all rows of more than one node in data/measured.csv";
        Self {
            launch: fit(Time::from_us(7.47), "rows up to 64 KiB with one GPU per process"),
            launch_per_gpu: fit(
                Time::from_us(3.3),
                "superbench-a100-*, v100-hcm-8gpu, dgx2-12gpu, v100pcie-4gpu, 4090x8-shm, 4090x4-p2p (one process for all GPUs)",
            ),
            launch_per_peer: fit(Time::from_us(0.96), "superbench-a100-1n-alltoall (one system)"),
            network_ll128: fit(Time::from_us(8.84), multi),
            network_simple: fit(Time::from_us(12.9), multi),
            network_ll_window: fit(Bytes::new(3_300.0), multi),
            network_ll128_window: fit(Bytes::new(58_700.0), multi),
            ll_efficiency: library(Share::new(0.5), "NCCL 2.30 tuning.cc: 4 of 8 bytes are flags"),
            ll128_efficiency: library(Share::new(0.92), "NCCL 2.30 tuning.cc"),
            reduce_latency: fit(Time::from_us(33.9), "azure-nd-h100-v5-1n, vultr-b200-1n, h100-dell-2n, aws-p5-*"),
            reduce_per_rank: fit(Time::from_us(6.92), "cw-gb200-72, cw-gb200-144 (one rack type)"),
            collnet_latency: library(Time::from_us(31.0), "NCCL 2.30 tuning.cc: network hop of collnet direct"),
            peer: fit(Time::from_us(0.82), "vultr-b200-1n-a2a, superbench-a100-1n-alltoall"),
            tree_share: library(Share::new(0.92), "NCCL 2.30 tuning.cc"),
            tree_fan: fit(
                Share::new(0.85),
                "two published runs outside the table: tree 150 GB/s at 1 GiB on 5 nodes of 8 H100 with four NICs \
                 (github.com/NVIDIA/nccl/issues/1368), and second-hand nvls-tree 310 GB/s at 4 GiB on 4 nodes of 8 H200 \
                 with EFA",
            ),
            reduce_with_network: fit(Share::new(0.917), "h100-dell-2n, aws-p5-2n-*"),
            pair_share: fit(Share::new(0.81), "a100-1n-sendrecv (one system)"),
            slot: library(Bytes::from_u64(512 << 10), "NCCL: 4 MiB buffer in 8 steps; the free fit gives 518-540 kB"),
        }
    }
}

/// The constants in use.
pub(super) static PARAMS: LazyLock<Params> = LazyLock::new(Params::default);
