//! Tells the program which commit it was built from, for the manifests of its runs.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output =
        Command::new("git").args(arguments).output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}

fn main() {
    for path in ["src", "engine/src", "agents", "Cargo.toml", "Cargo.lock"] {
        println!("cargo::rerun-if-changed={path}");
    }
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    // Outside a repository there is no commit, and manifests say so.
    if let Some(commit) = git(&["rev-parse", "HEAD"]) {
        let changed =
            git(&["status", "--porcelain", "--", "src", "engine/src", "agents", "Cargo.toml", "Cargo.lock"]);
        let mark = if changed.is_none_or(|files| files.is_empty()) { "" } else { " with changes" };
        println!("cargo::rustc-env=DEALT_COMMIT={commit}{mark}");
    }
}
