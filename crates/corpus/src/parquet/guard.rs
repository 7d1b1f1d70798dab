//! The one place where panics of the parquet crate end.
//!
//! Sizes and places are checked before the crate sees them, but its decoders assert, index
//! and unwrap in the middle of damaged pages. A damaged file must be an error, and one file
//! of a thousand must not take the process with it.

use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};

thread_local! {
    /// Whether a panic of this thread is about to be caught here.
    static CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Whether a panic of the current thread will become an [`Error`](crate::Error) of this crate.
///
/// What is said of a panic is up to the program, whose hook is one for the whole process. A hook that asks this
/// can say nothing of a panic that is reported as an error anyway.
#[must_use]
pub fn catches_panics() -> bool {
    CAUGHT.get()
}

/// What the work gives, or what it said when it panicked.
///
/// Whatever the work had in hand must not be used again after a panic.
pub(super) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let outer = CAUGHT.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(work));
    CAUGHT.set(outer);
    result.map_err(|panic| said(&*panic))
}

fn said(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("the decoder gave up").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_what_it_says() {
        assert_eq!(guarded(|| 7), Ok(7));
        assert_eq!(guarded(catches_panics), Ok(true));
        assert_eq!(
            guarded(|| panic!("a page")),
            Err::<(), _>("a page".to_owned())
        );
        let index = 3;
        assert_eq!(
            guarded(|| [1, 2][..][index]),
            Err("index out of bounds: the len is 2 but the index is 3".to_owned())
        );
        assert!(!catches_panics());
    }
}
