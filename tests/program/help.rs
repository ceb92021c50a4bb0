//! Help texts, from outside: they list what there is, and nothing else.

use crate::outside::dealt;
use dealt_agents::{AGENTS, presets, registry};
use dealt_engine::GAMES;

/// The names under a heading of a help text.
fn listed<'t>(text: &'t str, heading: &str) -> Vec<&'t str> {
    let (_, list) = text.split_once(heading).unwrap_or_else(|| panic!("no `{heading}` in {text}"));
    let lines = list.lines().skip(1).take_while(|line| !line.is_empty());
    lines.filter(|line| !line.starts_with("    ")).filter_map(|line| line.split_whitespace().next()).collect()
}

#[test]
fn the_commands_are_those_that_work() {
    let help = dealt(&["--help"]).fine();
    let commands = listed(&help, "Commands:");
    assert_eq!(
        commands,
        [
            "run", "match", "play", "rate", "merge", "missing", "report", "games", "agents", "records",
            "meld", "bench"
        ]
    );
    for command in commands {
        let help = dealt(&[command, "--help"]).fine();
        assert!(help.contains("Usage: dealt "), "{help}");
    }
    assert_eq!(listed(&dealt(&["records", "--help"]).fine(), "Commands:"), ["verify", "show", "worlds"]);
    assert_eq!(dealt(&["--version"]).fine(), format!("dealt {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn every_game_and_preset_is_listed_with_all_its_options() {
    let list = dealt(&["games"]).fine();
    for info in GAMES {
        assert!(list.contains(info.name) && list.contains(info.about), "{list}");
        let text = dealt(&["games", info.name]).fine();
        for option in info.options {
            assert!(text.contains(&format!("\n  {} = ", option.key)), "{}: {text}", option.key);
            assert!(text.contains(option.about) && text.contains(option.accepts), "{}: {text}", option.key);
        }
        for event in info.events {
            assert!(text.contains(event.name) && text.contains(event.about), "{}: {text}", event.name);
        }
        for preset in info.presets {
            assert!(list.contains(preset.name) && text.contains(preset.about));
            assert_eq!(dealt(&["games", preset.name]).fine(), text);
        }
    }
    let two_ten_jack = dealt(&["games", "two-ten-jack"]).fine();
    assert!(two_ten_jack.contains("\n  target = 31\n"), "{two_ten_jack}");
}

#[test]
fn every_agent_is_listed_with_all_its_parameters() {
    let list = dealt(&["agents"]).fine();
    for info in AGENTS {
        assert!(list.contains(info.name) && list.contains(info.about), "{list}");
        let text = dealt(&["agents", info.name]).fine();
        for game in GAMES {
            for parameter in registry::parameters(info.name, game.name) {
                let line = format!("\n  {} = {}\n", parameter.key, parameter.default);
                assert!(text.contains(&line) && text.contains(parameter.about), "{line}{text}");
            }
        }
    }
    for preset in presets::names() {
        assert!(list.contains(preset));
        dealt(&["agents", preset]).fine();
    }
}

#[test]
fn the_signature_is_one_number_and_stays_the_same() {
    let signature = dealt(&["bench", "--signature"]).fine();
    assert_eq!(signature.trim().len(), 16);
    assert!(u64::from_str_radix(signature.trim(), 16).is_ok(), "{signature}");
    assert_eq!(dealt(&["bench", "--signature"]).fine(), signature);
}
