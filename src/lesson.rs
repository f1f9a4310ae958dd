//! Teaching on the live engine: texts whose numbers are computed when they are shown.
//!
//! [`figure`] is the small language by which a text asks the engine: `{busbw of all-reduce 1GiB on dgx-h100}`.

pub mod figure;
pub mod quiz;
