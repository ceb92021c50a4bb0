//! Why the program stops before it is done, and what it then says and returns.

use std::io;

/// Why the program stops.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The answer is no: a record that differs. Exit status 1.
    No(String),
    /// The request is wrong, or cannot be met on this machine. Exit status 2.
    Wrong(String),
    /// The user stopped a run. What was finished is written. Exit status 130.
    Stopped(String),
    /// Parts were merged, and more is to be played. Exit status 3.
    GoesOn(String),
    /// Whoever reads the output has had enough (`dealt … | head -1`), which is no error.
    Closed,
}

impl Failure {
    /// A request that is wrong; the message says what was given and what is accepted.
    pub(crate) fn wrong(message: impl Into<String>) -> Failure {
        Failure::Wrong(message.into())
    }

    /// What the user is told.
    pub(crate) fn message(self) -> String {
        match self {
            Failure::No(message)
            | Failure::Wrong(message)
            | Failure::Stopped(message)
            | Failure::GoesOn(message) => message,
            Failure::Closed => String::new(),
        }
    }

    /// Something that could not be read or written.
    pub(crate) fn file(doing: &str, path: &std::path::Path, error: &io::Error) -> Failure {
        Failure::Wrong(format!("cannot {doing} {}: {error}", path.display()))
    }
}

/// Errors of writing to standard output; those of files are made by [`Failure::file`], which names them.
impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Wrong(format!("cannot write to standard output: {error}")),
        }
    }
}

/// A list of names for a message, with the nearest to what was given.
pub(crate) fn accepted<'n>(given: &str, known: impl IntoIterator<Item = &'n str>) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    let hint = dealt_engine::rules::nearest(given, known.iter().copied())
        .map_or_else(String::new, |near| format!("; did you mean `{near}`?"));
    format!("{}{hint}", known.join(", "))
}
