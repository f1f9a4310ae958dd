//! What several test programs share.

#[cfg(unix)]
#[allow(dead_code, reason = "each test program uses a part of it")]
pub mod pty;
