//! `dealt games` and `dealt agents`: what there is, with every option and parameter.

use std::io::{self, Write};

use dealt_agents::{AGENTS, AgentInfo, GameVisitor, SearchGame, presets, registry, with_game};
use dealt_engine::rules::plain;
use dealt_engine::{GAMES, GameInfo, Rules};
use serde_json::{Map, Value};

use crate::config::{accepted_games, find_game};
use crate::failure::{Failure, accepted};

/// `dealt games [NAME]`
pub(crate) fn games(name: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(name) = name else {
        for info in GAMES {
            writeln!(out, "{:<20} {:>5} players   {}", info.name, players(info), info.about)?;
            for preset in info.presets {
                writeln!(out, "{:<20} {:>13}   {}", preset.name, "a preset", preset.about)?;
            }
        }
        writeln!(out, "\n`dealt games NAME` lists the options of one.")?;
        return Ok(());
    };
    let chosen = find_game(name)
        .ok_or_else(|| Failure::wrong(format!("no game `{name}`; accepted: {}", accepted_games(name))))?;
    describe_game(chosen.info, out)?;
    Ok(())
}

fn players(info: &GameInfo) -> String {
    match info.players {
        (least, most) if least == most => least.to_string(),
        (least, most) => format!("{least}–{most}"),
    }
}

fn describe_game(info: &GameInfo, out: &mut dyn Write) -> io::Result<()> {
    writeln!(
        out,
        "{}: {}\n{} players\n\nOptions, with their defaults:",
        info.name,
        info.about,
        players(info)
    )?;
    let defaults = defaults(info.name);
    for option in info.options {
        let default = defaults.get(option.key).map_or_else(String::new, shown);
        writeln!(
            out,
            "\n  {} = {default}\n      {}\n      accepts: {}",
            option.key, option.about, option.accepts
        )?;
    }
    if !info.presets.is_empty() {
        writeln!(out, "\nPresets, usable wherever a game is named:")?;
    }
    for preset in info.presets {
        writeln!(out, "\n  {}\n      {}", preset.name, preset.about)?;
        let changes: Map<String, Value> =
            serde_json::from_str(preset.changes).expect("presets are JSON objects");
        let changes = changes.iter().map(|(key, value)| format!("{key} = {}", shown(value)));
        writeln!(out, "      {}", changes.collect::<Vec<_>>().join(", "))?;
    }
    if !info.events.is_empty() {
        writeln!(out, "\nCounted in each deal, for metrics.csv:\n")?;
    }
    let width = info.events.iter().map(|event| event.name.len()).max().unwrap_or(0);
    for event in info.events {
        writeln!(out, "  {:<width$}  {}", event.name, event.about)?;
    }
    Ok(())
}

/// A value as a flag takes it; a missing one by the word that help texts use.
fn shown(value: &Value) -> String {
    if value.is_null() { "unset".to_owned() } else { plain(value) }
}

fn defaults(game: &str) -> Map<String, Value> {
    struct Defaults;
    impl GameVisitor for Defaults {
        type Output = Map<String, Value>;
        fn visit<G: SearchGame>(self) -> Self::Output {
            G::Rules::default().to_map()
        }
    }
    with_game(game, Defaults).unwrap_or_default()
}

/// `dealt agents [NAME]`
pub(crate) fn agents(name: Option<&str>, out: &mut dyn Write) -> Result<(), Failure> {
    let Some(name) = name else {
        for info in AGENTS {
            writeln!(out, "{:<12} {}", info.name, info.about)?;
        }
        for (name, preset) in presets::all() {
            writeln!(
                out,
                "\n{name}, a preset of {} for {}:\n    {}",
                preset.agent, preset.game, preset.about
            )?;
        }
        writeln!(
            out,
            "\nAn agent is written NAME or NAME:KEY=VALUE,KEY=VALUE; `dealt agents NAME` lists the keys."
        )?;
        return Ok(());
    };
    if let Some(info) = AGENTS.iter().find(|info| info.name == name) {
        describe_agent(info, out)?;
    } else if let Some(preset) = presets::preset(name) {
        writeln!(out, "{name}, a preset of {} for {}:\n    {}\n", preset.agent, preset.game, preset.about)?;
        for (key, value) in &preset.parameters {
            writeln!(out, "  {key} = {}", plain(value))?;
        }
    } else {
        let known = AGENTS.iter().map(|info| info.name).chain(presets::names());
        return Err(Failure::wrong(format!("no agent `{name}`; accepted: {}", accepted(name, known))));
    }
    Ok(())
}

fn describe_agent(info: &AgentInfo, out: &mut dyn Write) -> io::Result<()> {
    writeln!(out, "{}: {}", info.name, info.about)?;
    let takes = |game: &GameInfo| registry::parameters(info.name, game.name);
    if GAMES.iter().all(|game| takes(game).is_empty()) {
        return writeln!(out, "\nIt takes no parameters.");
    }
    for game in GAMES {
        let parameters = takes(game);
        if parameters.is_empty() {
            writeln!(out, "\nIn {} it takes no parameters.", game.name)?;
            continue;
        }
        writeln!(out, "\nParameters in {}, with their defaults:", game.name)?;
        for parameter in parameters {
            writeln!(out, "\n  {} = {}", parameter.key, parameter.default)?;
            writeln!(out, "      {}\n      accepts: {}", parameter.about, parameter.kind)?;
        }
    }
    Ok(())
}
