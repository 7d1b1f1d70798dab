//! What is left behind when a run is interrupted: at most empty folders on the way to its own.

use std::{
    path::{Path, PathBuf},
    process,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
};

use lookalike::output::{end_publishing, remove_temporary};

static FOLDERS: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());
/// Whether a signal is ending the program.
static IS_ENDING: AtomicBool = AtomicBool::new(false);

/// Does not return if a signal is ending the program: its thread tidies up and exits. What fails in the meantime, because
/// folders are removed, is not worth a message.
pub(crate) fn wait_if_ending() {
    while IS_ENDING.load(Ordering::Acquire) {
        thread::park();
    }
}

/// Removes a folder when the program is interrupted or told to end. A kill leaves it to the next run.
pub(crate) fn remove_when_interrupted(folder: &Path) {
    let mut folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    folders.push(folder.to_owned());
}

/// Waits for a signal on a thread of its own: from the start, so that no folder is there before somebody waits. Where it
/// cannot, a signal still ends the program.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM, SIGXFSZ},
        flag,
        iterator::Signals,
    };
    // A file that reaches its limit is an error of its writing, and does not end the program.
    let _ = flag::register(SIGXFSZ, Arc::default());
    if let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) {
        // A system without a thread to spare must not keep a run from its work.
        let waits = std::thread::Builder::new().spawn(move || {
            if let Some(signal) = signals.forever().next() {
                end(signal);
            }
        });
        drop(waits);
    }
}

#[cfg(not(unix))]
pub(crate) fn watch() {
    const INTERRUPT: i32 = 2;
    let _ = ctrlc::set_handler(|| end(INTERRUPT));
}

/// Tidies up, and exits as a program that a signal has ended: with 128 and its number.
fn end(signal: i32) -> ! {
    IS_ENDING.store(true, Ordering::Release);
    // Results that are about to take their name do so whole, or not at all.
    end_publishing();
    let folders = FOLDERS.lock().unwrap_or_else(PoisonError::into_inner);
    // The inner ones of nested folders were announced last.
    for folder in folders.iter().rev() {
        // A thread may put a file there in the meantime.
        for _ in 0..3 {
            if remove_temporary(folder).is_ok() {
                break;
            }
        }
    }
    process::exit(128 + signal)
}
