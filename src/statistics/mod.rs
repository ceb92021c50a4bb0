//! From exact sums to estimates with error bars.
//!
//! The block is the observation: games of a block share their cards, so only blocks are independent. What is counted is
//! kept as integers until the last moment; the floats made of them here use the functions of `libm`, which give the
//! same bits on every machine.
//!
//! - [`quantile`]: of the normal and Student's distribution
//! - [`wilson`]: an interval for a share of independent games
//! - [`moments`]: sums and products of block totals, and what can be estimated from them
//! - [`components`]: what scores vary by: who plays, where, with which cards
//! - [`judge`]: from a value and its variance to an interval
//! - [`sequence`]: intervals that hold however often one looks
//! - [`histogram`]: counts of values in constant memory
//! - [`tail`]: probabilities of Student's distribution, for p-values
//! - [`holm`]: p-values of many comparisons at once
//! - [`equivalence`]: showing that there is no difference
//! - [`planner`]: how many blocks a difference needs
//! - [`ratings`]: how strong each agent is, by the order in which games ended
//! - [`sprt`] and [`pentanomial`]: tests that end when it is clear

pub mod components;
pub mod equivalence;
pub mod histogram;
pub mod holm;
pub mod judge;
pub mod moments;
pub mod pentanomial;
pub mod planner;
pub mod quantile;
pub mod ratings;
pub mod sequence;
pub mod sprt;
pub mod tail;
pub mod wilson;
