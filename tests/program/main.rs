//! The program from outside: what somebody at a terminal types, and what it writes.

#[path = "../../engine/tests/kit/mod.rs"]
mod kit;
mod outside;

mod agents_check;
mod external;
mod faults;
mod help;
mod kinds;
mod meld;
mod play;
mod rate;
mod readme;
mod records;
mod report;
mod requests;
mod resume;
mod runs;
mod shards;
mod sweep;
mod tune;
mod worlds;
