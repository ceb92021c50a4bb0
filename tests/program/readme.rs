//! README.md shows what the program prints.

use std::fs;
use std::path::Path;
use std::process::Command;

const PREFIX: &str = "cargo run --release -- ";

/// The commands of the console blocks, each with the lines that the text shows below it.
fn commands(text: &str) -> Vec<(String, String)> {
    let mut commands: Vec<(String, String)> = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```console";
        } else if !inside {
            continue;
        } else if let Some(command) = line.strip_prefix("$ ") {
            commands.push((command.to_owned(), String::new()));
        } else if let Some((_, shown)) = commands.last_mut() {
            shown.push_str(line);
            shown.push('\n');
        }
    }
    commands
}

/// Whether the shown text is the printed one, `…` standing for anything.
fn matches(shown: &str, printed: &str) -> bool {
    let mut pieces = shown.split('…');
    let Some(mut rest) = pieces.next().and_then(|first| printed.strip_prefix(first)) else { return false };
    let mut open = false;
    for piece in pieces {
        let Some(place) = rest.find(piece) else { return false };
        rest = &rest[place + piece.len()..];
        open = piece.trim().is_empty();
    }
    open || rest.is_empty()
}

#[test]
fn every_command_of_the_readme_prints_what_it_shows() {
    let project = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("readme");
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(folder.join("experiments")).unwrap();
    for file in fs::read_dir(project.join("experiments")).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), folder.join("experiments").join(file.file_name())).unwrap();
    }
    let commands = commands(&fs::read_to_string(project.join("README.md")).unwrap());
    let ours: Vec<_> = commands.iter().filter(|(command, _)| command.starts_with(PREFIX)).collect();
    assert!(ours.len() >= 8, "README.md shows {} commands only", ours.len());
    for (command, shown) in ours {
        let words = command[PREFIX.len()..].split_whitespace().map(|word| word.trim_matches('\''));
        let output =
            Command::new(env!("CARGO_BIN_EXE_dealt")).args(words).current_dir(&folder).output().unwrap();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{command}\n{errors}");
        let printed = String::from_utf8(output.stdout).unwrap();
        assert!(matches(shown, &printed), "{command}\nshown:\n{shown}\nprinted:\n{printed}\n{errors}");
    }
}

#[test]
fn an_ellipsis_stands_for_anything_and_the_rest_is_exact() {
    assert!(matches("a\n… b\n", "a\n12 b\n"));
    assert!(matches("a\n…\n", "a\nb\nc\n"));
    assert!(!matches("a\n", "a\nb\n"));
    assert!(!matches("a … c\n", "a b d\n"));
    assert!(!matches("a\n", "b\na\n"));
}
