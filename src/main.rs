//! The command line of `dealt`.

fn main() {}
