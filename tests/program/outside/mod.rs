//! Drives the built program from outside.

pub(crate) mod kinds;

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::{fs, io};

/// What a call of the program came to.
#[derive(Debug)]
pub(crate) struct Done {
    /// The exit status.
    pub(crate) status: i32,
    /// What it wrote to standard output.
    pub(crate) out: String,
    /// What it wrote to standard error.
    pub(crate) err: String,
}

impl Done {
    /// What a program that was not killed came to.
    pub(crate) fn of(output: Output) -> Done {
        let done = Done::of_any(output);
        assert!(done.status >= 0, "the program was killed: {done:?}");
        done
    }

    /// What any program came to; the status of one that was killed is the signal, negative.
    pub(crate) fn of_any(output: Output) -> Done {
        let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
        #[cfg(unix)]
        let signal = std::os::unix::process::ExitStatusExt::signal(&output.status);
        #[cfg(not(unix))]
        let signal = None;
        let status =
            output.status.code().or(signal.map(|signal: i32| -signal)).expect("the program has ended");
        Done { status, out: text(output.stdout), err: text(output.stderr) }
    }

    /// Asserts that all went well, and gives what was printed.
    #[track_caller]
    pub(crate) fn fine(self) -> String {
        assert_eq!(self.status, 0, "{}", self.err);
        self.out
    }

    /// Asserts that the request was refused in one clear message that says all of this.
    #[track_caller]
    pub(crate) fn refused(&self, words: &[&str]) {
        self.failed(2, words);
    }

    /// Asserts an exit status and a message that is no error and says this.
    #[track_caller]
    pub(crate) fn failed_quietly(&self, status: i32, words: &str) {
        assert_eq!(self.status, status, "{self:?}");
        assert!(self.err.contains(words) && !self.err.contains("error: "), "{self:?}");
    }

    /// Asserts an exit status and a message that says all of this.
    #[track_caller]
    pub(crate) fn failed(&self, status: i32, words: &[&str]) {
        assert_eq!(self.status, status, "{self:?}");
        assert!(self.err.starts_with("error: "), "{self:?}");
        assert!(!self.err.contains("panicked"), "{self:?}");
        for word in words {
            assert!(self.err.contains(word), "`{word}` is not in: {}", self.err);
        }
    }
}

/// Calls the program.
pub(crate) fn dealt<A: AsRef<std::ffi::OsStr>>(arguments: &[A]) -> Done {
    Done::of(command(arguments).output().expect("the program runs"))
}

/// Calls the program with a text on standard input.
pub(crate) fn dealt_with<A: AsRef<std::ffi::OsStr>>(arguments: &[A], input: &str) -> Done {
    let mut command = command(arguments);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    let writer = std::thread::spawn(move || {
        // A program that has seen enough closes its end.
        let _: io::Result<()> = stdin.write_all(input.as_bytes());
    });
    let output = child.wait_with_output().unwrap();
    writer.join().unwrap();
    Done::of(output)
}

/// The program with its arguments, to be started in a folder of its own.
pub(crate) fn command<A: AsRef<std::ffi::OsStr>>(arguments: &[A]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dealt"));
    command.args(arguments).current_dir(env!("CARGO_TARGET_TMPDIR")).stdin(Stdio::null());
    command
}

/// A folder for a test, empty.
pub(crate) fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    match fs::remove_dir_all(&path) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => panic!("{}: {error}", path.display()),
        _ => fs::create_dir_all(&path).unwrap(),
    }
    path
}

/// The files of a folder, by name.
pub(crate) type Files = BTreeMap<String, Vec<u8>>;

/// Every file of a results folder but the one that holds times.
pub(crate) fn files(folder: &Path) -> Files {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let files = entries.map(|entry| entry.unwrap().path());
    let named =
        files.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), fs::read(path).unwrap()));
    named.filter(|(name, _)| name != "timings.csv").collect()
}

/// Asserts that two folders hold the same, and names a file that differs.
#[track_caller]
pub(crate) fn assert_same(wanted: &Files, found: &Files, what: &str) {
    let names = |files: &Files| files.keys().cloned().collect::<Vec<_>>();
    assert_eq!(names(wanted), names(found), "{what}");
    for (name, content) in wanted {
        assert!(found[name] == *content, "{what}: {name} differs");
    }
}

/// A path as an argument.
pub(crate) fn path_text(path: &Path) -> String {
    path.to_str().expect("paths of tests are UTF-8").to_owned()
}

/// A file in a folder.
pub(crate) fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}
