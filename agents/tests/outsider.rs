//! How an agent that is a program of its own is written.

use dealt_agents::AgentSpec;
use dealt_agents::outsider::words;
use serde_json::json;

fn parse(text: &str) -> Result<AgentSpec, String> {
    AgentSpec::parse(text, "two-ten-jack").map_err(|error| error.to_string())
}

#[test]
fn a_command_is_read_with_its_spaces_commas_and_quotation_marks_and_its_label_reads_back() {
    for (text, command) in [
        ("external:command=\"python3 a.py\"", "python3 a.py"),
        ("external:command=python3 a.py", "python3 a.py"),
        ("external:command=\"a --list 1,2:3\",move_ms=50", "a --list 1,2:3"),
        ("external:move_ms=50,command=\"say \\\"one, two\\\"\",on_fault=forfeit", "say \"one, two\""),
        ("external:command=sh -c \"a, b\"", "sh -c \"a, b\""),
        ("external:command=\"back\\\\slash\"", "back\\slash"),
    ] {
        let spec = parse(text).unwrap();
        assert_eq!(spec.parameters()["command"], json!(command), "{text}");
        assert_eq!(parse(spec.label()).unwrap(), spec, "{text}: {}", spec.label());
        assert!(spec.is_external() && !spec.is_clairvoyant());
        assert_eq!(spec.may_forfeit(), text.contains("forfeit"));
    }
    assert!(!parse("greedy").unwrap().is_external());
}

#[test]
fn a_command_that_is_none_is_refused_with_what_is_accepted() {
    for (text, message) in [
        ("external", "external needs a command: external:command=\"python3 agent.py\""),
        ("external:move_ms=5", "external needs a command"),
        ("external:command=", "parameter `command` of external cannot be ``; accepted: a text such as"),
        ("external:command=\" \"", "accepted: a text such as"),
        ("external:command='a", "has a quotation mark ' that is not closed"),
        ("external:command=\"a\u{7f}b\"", "control character U+007F"),
        ("external:command=\"a\\nb\"", "control character U+000A"),
        ("external:command=a,on_fault=panic", "cannot be `panic`; accepted: stop, forfeit"),
        ("external:command=a,move_ms=0", "accepted: a whole number from 1 to 3600000"),
        ("external:comand=a", "did you mean `command`?"),
    ] {
        let error = parse(text).unwrap_err();
        assert!(error.contains(message), "{text}: {error}");
    }
}

#[test]
fn a_command_falls_into_words_as_in_a_shell() {
    for (command, expected) in [
        ("a b  c ", vec!["a", "b", "c"]),
        ("'a b' c\"d e\"f", vec!["a b", "cd ef"]),
        ("a '' \"\"", vec!["a", "", ""]),
        ("a\\ b \"\\\"\" '\\'", vec!["a b", "\"", "\\"]),
        ("é 'ü ö'", vec!["é", "ü ö"]),
    ] {
        assert_eq!(words(command).unwrap(), expected, "{command}");
    }
    assert!(words("  ").is_err() && words("a \"b").is_err());
}
