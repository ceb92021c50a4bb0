//! What was typed, to be typed again: the command that goes on with a run, ready for a shell.

/// The flags that hold for one process and not for the run, each with whether it has a value.
const OF_A_PROCESS: [(&str, bool); 4] =
    [("--force", false), ("--resume", false), ("--quiet", false), ("--threads", true)];
/// Those that hold for a part of a run and not for the whole.
const OF_A_PART: [(&str, bool); 3] = [("--shard", true), ("--after", true), ("--out", true)];

/// The command as it was typed, without the flags that hold for this process alone.
pub(crate) fn command() -> Vec<String> {
    without(&OF_A_PROCESS, std::env::args_os().map(|word| word.to_string_lossy().into_owned()).collect())
}

/// The same without those that hold for this part of a run alone.
pub(crate) fn command_of_the_run() -> Vec<String> {
    without(&OF_A_PART, command())
}

fn without(flags: &[(&str, bool)], words: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        if word == "--" {
            kept.push(word);
            kept.extend(words);
            return kept;
        }
        let (flag, value) =
            word.split_once('=').map_or((word.as_str(), None), |(flag, value)| (flag, Some(value)));
        match flags.iter().find(|(left_out, _)| *left_out == flag) {
            None => kept.push(word),
            Some((_, has_value)) if *has_value && value.is_none() => drop(words.next()),
            Some(_) => {}
        }
    }
    kept
}

/// A command with one more flag, as a shell takes it.
pub(crate) fn with(command: &[String], flag: &str) -> String {
    let mut words: Vec<String> = command.iter().map(|word| quoted(word)).collect();
    // Behind `--` flags are none.
    let at = command.iter().position(|word| word == "--").unwrap_or(words.len());
    words.insert(at, flag.to_owned());
    words.join(" ")
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |letter: char| letter.is_ascii_alphanumeric() || "-_./=:,+@%".contains(letter);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn again(typed: &[&str]) -> String {
        with(&without(&OF_A_PROCESS, typed.iter().map(|&word| word.to_owned()).collect()), "--resume")
    }

    #[test]
    fn flags_of_one_process_are_left_out_and_the_rest_is_quoted_for_a_shell() {
        assert_eq!(
            again(&[
                "dealt",
                "run",
                "a file.toml",
                "--threads",
                "2",
                "--force",
                "--set",
                "rules={ace=\"low\"}"
            ]),
            "dealt run 'a file.toml' --set 'rules={ace=\"low\"}' --resume"
        );
        assert_eq!(
            again(&["dealt", "run", "it's.toml", "--threads=3"]),
            "dealt run 'it'\\''s.toml' --resume"
        );
        assert_eq!(
            again(&["dealt", "match", "--resume", "--", "hearts", "--force"]),
            "dealt match --resume -- hearts --force"
        );
    }
}
