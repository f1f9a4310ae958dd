//! `icx-tui`: how fast can these GPUs talk to each other, why, and what if I change something?

pub mod cli;
pub mod collective;
pub mod cost;
pub mod export;
pub mod import;
pub mod lesson;
pub mod measure;
pub mod parts;
pub mod preset;
pub mod question;
pub mod scenario;
pub mod shell;
pub mod system;
pub mod tui;
pub mod units;
