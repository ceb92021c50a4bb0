//! `dealt report`: a page that shows a results folder to a person.

use std::fs;
use std::io::{ErrorKind, Write};
use std::path::Path;

use dealt::report;
use dealt::results::{REPORT, write_whole};

use crate::cli::Report;
use crate::failure::Failure;

/// What a page of ours begins with, by which it is known when it is to be replaced.
const BEGINS: &[u8] = b"<!DOCTYPE html>\n<html lang=\"en\">";

/// Does it.
pub(crate) fn report(given: &Report, out: &mut dyn Write) -> Result<(), Failure> {
    let page = report::page(&given.folder).map_err(|error| Failure::wrong(error.to_string()))?;
    let path = given.out.clone().unwrap_or_else(|| given.folder.join(REPORT));
    check_target(&path)?;
    write_whole(&path, page.as_bytes()).map_err(|error| Failure::file("write", &path, &error))?;
    writeln!(out, "{}, {} kB", path.display(), page.len().div_ceil(1000))?;
    Ok(())
}

/// Refuses to replace what is no such page.
fn check_target(path: &Path) -> Result<(), Failure> {
    match fs::read(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(()),
        Err(error) => Err(Failure::file("write", path, &error)),
        Ok(text) if text.is_empty() || text.starts_with(BEGINS) => Ok(()),
        Ok(_) => Err(Failure::wrong(format!(
            "{} exists and is no page of `dealt report`, so it is not replaced; --out FILE writes elsewhere",
            path.display()
        ))),
    }
}
