//! From exact sums to estimates with error bars.
//!
//! The block is the observation: games of a block share their cards, so only blocks are independent. What is counted is
//! kept as integers until the last moment; the floats made of them here use the functions of `libm`, which give the
//! same bits on every machine.
//!
//! - [`quantile`]: of the normal and Student's distribution
//! - [`wilson`]: an interval for a share of independent games
//! - [`moments`]: sums and products of block totals, and what can be estimated from them
//! - [`judge`]: from a value and its variance to an interval
//! - [`sequence`]: intervals that hold however often one looks
//! - [`histogram`]: counts of values in constant memory

pub mod histogram;
pub mod judge;
pub mod moments;
pub mod quantile;
pub mod sequence;
pub mod wilson;
