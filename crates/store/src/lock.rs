//! The lock of a file, and the note that says who holds it.

use std::{
    fs::{self, File, TryLockError},
    io,
    path::Path,
    process, thread,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

use lookalike_core::plugin::printable;

use crate::{
    Error,
    layout::{CHECKSUM, NOTE, SECTOR, content, sector},
};

/// How long to wait before a lock is tried again.
const PAUSE: Duration = Duration::from_millis(10);

/// Opens a file and takes its lock; waits for it if another process holds it.
pub(crate) fn open(path: &Path, wait: Duration) -> Result<File, Error> {
    let start = Instant::now();
    loop {
        let file = File::options().read(true).write(true).open(path);
        let file = file.map_err(Error::io(path))?;
        if !acquire(&file, path, start, wait)? {
            continue;
        }
        return Ok(file);
    }
}

/// Takes the lock of a file. `false` if another file has taken its name meanwhile.
fn acquire(file: &File, path: &Path, start: Instant, wait: Duration) -> Result<bool, Error> {
    loop {
        match file.try_lock() {
            Ok(()) => return is_still(file, path).map_err(Error::io(path)),
            Err(TryLockError::Error(reason)) => return Err(Error::io(path)(reason)),
            Err(TryLockError::WouldBlock) => {}
        }
        if start.elapsed() >= wait {
            return Err(Error::Busy {
                path: path.to_owned(),
                holder: holder(file),
                waited: wait,
            });
        }
        thread::sleep(PAUSE.min(wait));
        // The holder may have put a new file in its place.
        if !is_still(file, path).map_err(Error::io(path))? {
            return Ok(false);
        }
    }
}

/// Whether a path still names this file.
pub(crate) fn is_still(file: &File, path: &Path) -> io::Result<bool> {
    Ok(identity(&file.metadata()?) == identity(&fs::metadata(path)?))
}

/// What tells a file from another one that has taken its name.
#[cfg(unix)]
pub(crate) fn identity(file: &fs::Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (file.dev(), file.ino())
}

/// What tells a file from another one: an open file keeps its name here.
#[cfg(not(unix))]
pub(crate) fn identity(_: &fs::Metadata) -> (u64, u64) {
    (0, 0)
}

/// The sector that says that this process holds the lock: process, time, then text.
pub(crate) fn note() -> [u8; SECTOR] {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let seconds = now.unwrap_or_default().as_secs();
    let mut note = Vec::from(process::id().to_le_bytes());
    note.extend(seconds.to_le_bytes());
    let command = std::env::args().collect::<Vec<_>>().join(" ");
    let host = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let text = format!("{}\n{command}", host.trim());
    note.extend_from_slice(text.as_bytes());
    note.truncate(SECTOR - CHECKSUM);
    sector(NOTE, &note)
}

/// The sector that says that nobody holds it. So equal content makes equal files.
pub(crate) fn no_note() -> [u8; SECTOR] {
    sector(NOTE, &[])
}

/// Who holds the lock, as the note says.
fn holder(file: &File) -> Option<String> {
    let source = crate::source::Source::of_file(file.try_clone().ok()?, Path::new(""));
    let mut note = [0; SECTOR];
    let is_read = source.read((NOTE * SECTOR) as u64, &mut note).ok()?;
    let note = content(NOTE, &note).filter(|_| is_read)?;
    let (process, rest) = note.split_first_chunk()?;
    let (seconds, text) = rest.split_first_chunk()?;
    let process = u32::from_le_bytes(*process);
    if process == 0 {
        return None;
    }
    let since = UNIX_EPOCH + Duration::from_secs(u64::from_le_bytes(*seconds));
    let seconds = since.elapsed().unwrap_or_default().as_secs();
    let text = String::from_utf8_lossy(text);
    let text = text.trim_end_matches(['\0', '\u{fffd}']);
    let (host, command) = text.split_once('\n')?;
    let host = match host {
        "" => String::new(),
        host => format!(" on {}", printable(host)),
    };
    Some(format!(
        "process {process}{host} for {seconds} s ({})",
        printable(command)
    ))
}
