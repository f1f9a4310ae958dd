//! Which ways the library said it takes, where the log was made with `NCCL_DEBUG=INFO`: they rule causes out.

use std::fmt;

/// What was said about the ways between GPUs.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "each says whether a kind of line was there")]
pub struct Ways {
    /// The network as the library names it: `IB`, `Socket`, `AWS Libfabric`.
    pub network: Option<String>,
    /// A connection over the network that reaches GPU memory directly was listed.
    pub gdr: bool,
    /// A connection over the network that does not was listed.
    pub staged_net: bool,
    /// A connection between GPUs of one host by peer-to-peer was listed.
    pub p2p: bool,
    /// One through host memory was listed.
    pub shm: bool,
}

impl Ways {
    /// Takes up one message of the library: `... NCCL INFO Using network IB`, `... NCCL INFO Channel 00/1 : 3[3] -> 4[0]
    /// [send] via NET/IB/1/GDRDMA/Shared`.
    pub(super) fn said(&mut self, body: &str) {
        let Some((_, message)) = body.split_once("NCCL INFO ") else { return };
        if let Some(name) = message.strip_prefix("Using network ") {
            self.network = Some(super::super::excerpt(name));
        }
        let Some((_, way)) = message.split_once(" via ") else { return };
        match way.split_once('/').map_or(way, |(first, _)| first).trim() {
            "NET" => {
                let name = way.split('/').nth(1).unwrap_or_default();
                self.network.get_or_insert_with(|| super::super::excerpt(name));
                *if way.contains("GDRDMA") { &mut self.gdr } else { &mut self.staged_net } = true;
            }
            "P2P" => self.p2p = true,
            "SHM" => self.shm = true,
            _ => {}
        }
    }

    /// Whether the network is sockets; `None` when nothing was said.
    pub fn tcp(&self) -> Option<bool> {
        self.network.as_deref().map(|n| n.to_lowercase().starts_with("socket"))
    }

    /// Whether anything was said.
    pub fn is_known(&self) -> bool {
        *self != Self::default()
    }
}

impl fmt::Display for Ways {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        if let Some(name) = &self.network {
            parts.push(format!("network {name}"));
        }
        for (holds, what) in [
            (self.gdr && !self.staged_net, "with GPUDirect RDMA where it lists a connection"),
            (self.gdr && self.staged_net, "with GPUDirect RDMA on some connections and without on others"),
            (self.staged_net && !self.gdr, "without GPUDirect RDMA where it lists a connection"),
            (self.p2p && !self.shm, "peer-to-peer inside a host"),
            (self.p2p && self.shm, "peer-to-peer for some pairs of a host, host memory for others"),
            (self.shm && !self.p2p, "host memory between the GPUs of a host"),
        ] {
            if holds {
                parts.push(what.to_owned());
            }
        }
        f.write_str(&parts.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(messages: &[&str]) -> Ways {
        let mut ways = Ways::default();
        for m in messages {
            ways.said(&format!("host1:12:34 [0] NCCL INFO {m}"));
        }
        ways
    }

    #[test]
    fn networks_and_connections_are_read() {
        let ways = of(&["Using network IB", "Channel 01/1 : 3[3] -> 4[0] [send] via NET/IB/1(2)/GDRDMA/Shared"]);
        assert_eq!(ways.to_string(), "network IB, with GPUDirect RDMA where it lists a connection");
        assert_eq!(ways.tcp(), Some(false));
        let ways = of(&["Channel 00/0 : 0[0] -> 1[1] via SHM/direct/direct", "Channel 00 : 1 -> 2 via NET/Socket/0"]);
        assert_eq!((ways.tcp(), ways.shm, ways.p2p, ways.gdr), (Some(true), true, false, false));
        assert!(ways.to_string().contains("host memory between the GPUs"), "{ways}");
    }

    #[test]
    fn other_lines_say_nothing() {
        let mut ways = Ways::default();
        ways.said("the road via NET/IB is closed");
        ways.said("x NCCL INFO Bootstrap: Using eno7np0:10.0.0.1<0>");
        assert!(!ways.is_known() && ways.tcp().is_none());
    }
}
