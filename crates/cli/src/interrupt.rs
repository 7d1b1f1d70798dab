//! What is left behind when a run is interrupted: at most empty folders on the way to its own.

use std::{
    fs,
    path::{Path, PathBuf},
    process,
    sync::{Mutex, PoisonError},
};

static FOLDER: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Removes a folder when the program is interrupted or told to end. A kill leaves it to the next run.
pub(crate) fn remove_when_interrupted(folder: &Path) {
    *FOLDER.lock().unwrap_or_else(PoisonError::into_inner) = Some(folder.to_owned());
}

/// Waits for a signal on a thread of its own: from the start, so that no folder is there before somebody waits. Where it
/// cannot, a signal still ends the program.
#[cfg(unix)]
pub(crate) fn watch() {
    use signal_hook::{
        consts::{SIGHUP, SIGINT, SIGTERM},
        iterator::Signals,
    };
    if let Ok(mut signals) = Signals::new([SIGHUP, SIGINT, SIGTERM]) {
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                end(signal);
            }
        });
    }
}

#[cfg(not(unix))]
pub(crate) fn watch() {
    const INTERRUPT: i32 = 2;
    let _ = ctrlc::set_handler(|| end(INTERRUPT));
}

/// Tidies up, and exits as a program that a signal has ended: with 128 and its number.
fn end(signal: i32) -> ! {
    let folder = FOLDER.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(folder) = &*folder {
        // A thread may put a file there in the meantime.
        for _ in 0..3 {
            if fs::remove_dir_all(folder).is_ok() {
                break;
            }
        }
    }
    process::exit(128 + signal)
}
