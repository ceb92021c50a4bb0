//! Match equity: the chance to win a game from where it stands between two deals.

pub mod two_ten_jack;
