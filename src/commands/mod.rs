//! What the commands do, one file each.

pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod list;
pub(crate) mod meld;
pub(crate) mod merge;
pub(crate) mod play;
pub(crate) mod rate;
pub(crate) mod records;
pub(crate) mod report;
pub(crate) mod run;
pub(crate) mod search_speed;
pub(crate) mod worlds;
