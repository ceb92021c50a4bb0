//! An agent that is a program of its own, in Rust: any legal move, by the dice of the question.
//!
//! ```console
//! $ cargo build --release -p dealt-agents --example external_random
//! $ dealt match hearts external:command=target/release/examples/external_random greedy
//! ```
//!
//! docs/external-agents.md describes the protocol. The rules and the view are not looked at here; a stronger agent
//! would begin with them.

use std::io::{self, BufRead, Write};

use serde_json::{Value, json};

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let message: Value = serde_json::from_str(&line?)?;
        let Some(answer) = answer(&message) else { continue };
        writeln!(out, "{answer}")?;
        out.flush()?;
    }
    Ok(())
}

/// The answer to a message that wants one.
fn answer(message: &Value) -> Option<Value> {
    match message["type"].as_str()? {
        "hello" => Some(json!({ "protocol": 1, "name": "external random" })),
        "move" => {
            let legal = message["legal"].as_array()?;
            let place = message["dice"].as_u64()? as usize % legal.len();
            Some(json!({ "id": message["id"], "move": legal[place] }))
        }
        _ => None,
    }
}
