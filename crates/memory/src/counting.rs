use std::{
    alloc::{GlobalAlloc, Layout, System},
    hint,
    sync::atomic::{AtomicBool, AtomicI64, Ordering::Relaxed},
};

/// Whether anything is counted: what nobody asks for costs a look at this.
static COUNTS: AtomicBool = AtomicBool::new(false);
/// Bytes that were taken since counting began, less those that were given back.
static HELD: AtomicI64 = AtomicI64::new(0);
/// The most of them at once, since it was last forgotten.
static MOST: AtomicI64 = AtomicI64::new(0);

/// The system's allocator, which counts what it gives as soon as a [`Meter`] asks for it.
///
/// ```
/// use lookalike_memory::{Counting, Meter};
///
/// #[global_allocator]
/// static MEMORY: Counting = Counting;
///
/// let meter = Meter::start().expect("the allocator counts");
/// drop(vec![0u8; 1 << 20]);
/// assert!(meter.most() >= 1 << 20);
/// ```
///
/// What the system says of a process is no measure of a part of its work: memory that was given back to the allocator, but
/// not by it, still counts there.
#[derive(Clone, Copy, Debug, Default)]
pub struct Counting;

/// What is held beyond what was held when it started: of all threads, as they do one thing together.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    before: i64,
}

impl Meter {
    /// Starts; `None` where the program has no [`Counting`] allocator.
    #[must_use]
    pub fn start() -> Option<Self> {
        COUNTS.store(true, Relaxed);
        let before = HELD.load(Relaxed);
        MOST.store(before, Relaxed);
        drop(hint::black_box(Box::new(0u64)));
        (MOST.load(Relaxed) > before).then_some(Self { before })
    }

    /// The most bytes at once, since the start or since this was last forgotten.
    #[must_use]
    pub fn most(self) -> u64 {
        u64::try_from(MOST.load(Relaxed) - self.before).unwrap_or(0)
    }

    /// Forgets what was held and is no more.
    pub fn forget(self) {
        MOST.store(HELD.load(Relaxed), Relaxed);
    }
}

/// So many bytes more.
pub(crate) fn took(bytes: usize) {
    if COUNTS.load(Relaxed) {
        let bytes = bytes as i64;
        let held = HELD.fetch_add(bytes, Relaxed) + bytes;
        if held > MOST.load(Relaxed) {
            MOST.fetch_max(held, Relaxed);
        }
    }
}

/// So many bytes less.
pub(crate) fn gave(bytes: usize) {
    if COUNTS.load(Relaxed) {
        HELD.fetch_sub(bytes as i64, Relaxed);
    }
}

#[expect(
    unsafe_code,
    reason = "an allocator that counts wraps the system's; nothing else knows what work holds at once"
)]
// SAFETY: every call is passed on to `System` as it came.
unsafe impl GlobalAlloc for Counting {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc`.
        unsafe { System.alloc(layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc::alloc_zeroed`.
        unsafe { System.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, place: *mut u8, layout: Layout) {
        gave(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc::dealloc`.
        unsafe { System.dealloc(place, layout) }
    }

    #[inline]
    unsafe fn realloc(&self, place: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        took(size);
        gave(layout.size());
        // SAFETY: the caller keeps the contract of `GlobalAlloc::realloc`.
        unsafe { System.realloc(place, layout, size) }
    }
}
