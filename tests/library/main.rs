//! The library: whole runs and their figures, called from Rust.

#[path = "../fuzzing/mod.rs"]
mod fuzzing;
#[path = "../../engine/tests/kit/mod.rs"]
mod kit;

mod card_power;
mod coverage;
mod protocol;
mod ratings;
mod replay;
mod simulator;
mod study;
mod tiny_run;
