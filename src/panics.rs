//! Panics that cost a game and not the run.
//!
//! An agent may have a bug, and a bug may be a panic. [`caught`] turns the panics of what it is given into a text, with the
//! place in the source where it happened, and prints nothing; all other panics are told and end the program as ever. Two
//! things are beyond it: a stack that overflows and memory that runs out end the process, whoever catches what.

use std::cell::{Cell, RefCell};
use std::panic::{self, AssertUnwindSafe, PanicHookInfo};
use std::sync::Once;

thread_local! {
    /// Whether this thread is doing something whose panics are caught.
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
    /// What the last of these said.
    static SAID: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Letters of a panic's message that are kept.
const KEPT: usize = 400;

/// Does something that may panic. What it leaves behind when it does may be broken: it is up to the caller never to look
/// at it again.
///
/// # Errors
/// If it panics: `it panicked at FILE:LINE: MESSAGE`, in one line.
///
/// ```
/// assert_eq!(dealt::panics::caught(|| 7), Ok(7));
/// let cards: &[u8] = &[];
/// let said = dealt::panics::caught(|| cards[3]).unwrap_err();
/// assert!(said.ends_with("index out of bounds: the len is 0 but the index is 3"), "{said}");
/// ```
pub fn caught<T>(act: impl FnOnce() -> T) -> Result<T, String> {
    static HOOK: Once = Once::new();
    HOOK.call_once(hold_back_what_is_caught);
    let outer = IS_CAUGHT.replace(true);
    let done = panic::catch_unwind(AssertUnwindSafe(act));
    IS_CAUGHT.set(outer);
    done.map_err(|_| SAID.take())
}

/// Keeps what panics say that are caught, instead of printing it.
fn hold_back_what_is_caught() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |panic| {
        if IS_CAUGHT.get() {
            SAID.set(said(panic));
        } else {
            usual(panic);
        }
    }));
}

fn said(panic: &PanicHookInfo<'_>) -> String {
    let place =
        panic.location().map_or_else(String::new, |place| format!(" at {}:{}", place.file(), place.line()));
    let message = panic.payload_as_str().unwrap_or("without a message");
    // Nothing that a terminal would obey.
    let plain = |letter: char| if letter.is_control() { '\u{fffd}' } else { letter };
    let mut letters = message.split_whitespace().flat_map(|word| " ".chars().chain(word.chars())).map(plain);
    let mut line: String = letters.by_ref().take(KEPT).collect();
    if letters.next().is_some() {
        line.push('…');
    }
    format!("it panicked{place}:{line}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_told_in_one_line_with_its_place() {
        let line = line!() + 1;
        let said = caught(|| panic!("two\n  lines")).unwrap_err();
        assert_eq!(said, format!("it panicked at src/panics.rs:{line}: two lines"));
        let long = caught(|| panic!("{}", "ä ".repeat(1000))).unwrap_err();
        assert!(long.chars().count() < 450 && long.ends_with('…'), "{long}");
        let strange = caught(|| panic::panic_any(7)).unwrap_err();
        assert!(strange.ends_with(": without a message"), "{strange}");
    }

    #[test]
    fn what_is_done_after_a_panic_is_done_as_ever() {
        for number in 0..3 {
            assert!(
                caught(|| assert_eq!(number, 7)).unwrap_err().ends_with(&format!("left: {number} right: 7"))
            );
            assert_eq!(caught(|| caught(|| number).map(|inner| inner + 1)), Ok(Ok(number + 1)));
        }
        assert!(!IS_CAUGHT.get());
    }
}
