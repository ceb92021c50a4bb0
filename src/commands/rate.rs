//! `dealt rate`: one scale for all agents of some results folders.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use dealt::figures::visible;
use dealt::rating::{RATINGS, Rated, Request, ratings};
use dealt::results::write_whole;

use crate::cli::Rate;
use crate::failure::Failure;

/// Does it.
pub(crate) fn rate(given: Rate, out: &mut dyn Write) -> Result<(), Failure> {
    let Rate { folders, anchor, out: target, samples, seed, confidence } = given;
    let target = target.or_else(|| match &folders[..] {
        [folder] => Some(folder.join(RATINGS)),
        _ => None,
    });
    let request = Request { folders, anchor, samples, seed, confidence };
    let rated = ratings(&request).map_err(|error| Failure::wrong(error.to_string()))?;
    if let Some(path) = &target {
        check_target(path)?;
        write_whole(path, &rated.table()).map_err(|error| Failure::file("write", path, &error))?;
    }
    write!(out, "{}", visible(&rated.text()))?;
    match &target {
        Some(path) => writeln!(out, "\nratings in {}", path.display())?,
        None => writeln!(out, "\n(--out FILE writes these ratings of several runs to a file)")?,
    }
    Ok(())
}

/// Refuses to replace what is no such table.
fn check_target(path: &Path) -> Result<(), Failure> {
    match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Failure::file("write", path, &error)),
        Ok(text) if text.is_empty() || text.starts_with(&Rated::header()) => Ok(()),
        Ok(_) => Err(Failure::wrong(format!(
            "{} exists and is no table of `dealt rate`, so it is not replaced; --out FILE writes elsewhere",
            path.display()
        ))),
    }
}
