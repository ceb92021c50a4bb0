//! The games there are. A new one is its file and one line here.

use crate::GameInfo;

/// Calls a macro with the types of all games: `for_each_game!(callback)` becomes `callback!(TwoTenJack, …)`.
#[macro_export]
macro_rules! for_each_game {
    ($callback:ident) => {
        $callback!(TwoTenJack, CancellationHearts, ThreeThirteen);
    };
}

macro_rules! list_games {
    ($($game:ident),* $(,)?) => {
        /// Every game, in the order of `dealt games`.
        pub const GAMES: &[GameInfo] = &[$(GameInfo::of::<$crate::$game>()),*];
    };
}

for_each_game!(list_games);
