//! What is left behind when a run is interrupted: at most empty folders on the way to its own.

use std::{
    fs,
    path::{Path, PathBuf},
    process,
    sync::{Mutex, Once, PoisonError},
};

/// The exit code of a program that was interrupted: 128 and the number of the signal.
const INTERRUPTED: i32 = 130;

static FOLDER: Mutex<Option<PathBuf>> = Mutex::new(None);
static WATCHES: Once = Once::new();

/// Removes a folder when the program is interrupted or told to end. A kill leaves it to the next run.
pub(crate) fn remove_when_interrupted(folder: &Path) {
    *FOLDER.lock().unwrap_or_else(PoisonError::into_inner) = Some(folder.to_owned());
    WATCHES.call_once(|| {
        // Without a handler an interrupt still ends the program.
        let _ = ctrlc::set_handler(|| {
            let folder = FOLDER.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(folder) = &*folder {
                // A thread may put a file there in the meantime.
                for _ in 0..3 {
                    if fs::remove_dir_all(folder).is_ok() {
                        break;
                    }
                }
            }
            process::exit(INTERRUPTED);
        });
    });
}
