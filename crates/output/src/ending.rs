//! The order between results that take their name and a process that ends.
//!
//! A handler of signals removes temporary folders while the run goes on. Without an order, results could take their name
//! in the middle of that: half of them removed, and with them the results that they replace.

use std::sync::{Mutex, MutexGuard, PoisonError};

static ORDER: Mutex<()> = Mutex::new(());

fn lock() -> MutexGuard<'static, ()> {
    ORDER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Does what gives results their name. A process that is ending waits for it; once it has begun to end, nothing takes a
/// name any more, and this call does not return.
pub(crate) fn take_name<T>(rename: impl FnOnce() -> T) -> T {
    let _order = lock();
    rename()
}

/// Waits for results that take their name at this moment, and keeps all others from it. For a handler that ends the
/// process: call it before temporary folders are removed, and then exit.
pub fn end_publishing() {
    std::mem::forget(lock());
}
