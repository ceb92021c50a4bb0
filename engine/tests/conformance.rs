//! Every registered game passes the kit.

mod kit;

macro_rules! conformance {
    ($($game:ident),* $(,)?) => {
        $(
            #[allow(non_snake_case)]
            mod $game {
                #[test]
                fn laws_hold_over_random_games() {
                    super::kit::laws_hold_over_random_games::<dealt_engine::$game>(150);
                }
            }
        )*
    };
}

dealt_engine::for_each_game!(conformance);
