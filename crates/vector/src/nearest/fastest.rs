//! Loops that are compiled for what the processor has.

/// A loop over numbers. `run` must be `#[inline(always)]`, and so must be what it calls.
pub(super) trait Loop {
    /// What it gives.
    type Answer;

    /// Runs it.
    fn run(self) -> Self::Answer;
}

/// What loops are compiled for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Any processor.
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    #[cfg(target_arch = "x86_64")]
    Avx512,
}

impl Level {
    /// The best that this processor can run.
    #[cfg(target_arch = "x86_64")]
    fn of_processor() -> Self {
        if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl") {
            return Self::Avx512;
        }
        if is_x86_feature_detected!("avx2") {
            return Self::Avx2;
        }
        Self::Plain
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn of_processor() -> Self {
        Self::Plain
    }

    /// What is used: the best, unless a test wants less.
    pub(super) fn used() -> Self {
        #[cfg(test)]
        if is_plain::wanted() {
            return Self::Plain;
        }
        Self::of_processor()
    }
}

/// Runs a loop, compiled for the best instructions that the processor has. Nothing is fused or reordered, so all of them
/// give the same answer.
pub(super) fn fastest<L: Loop>(it: L) -> L::Answer {
    match Level::used() {
        Level::Plain => it.run(),
        #[cfg(target_arch = "x86_64")]
        #[expect(unsafe_code, reason = "two to four times as fast, measured")]
        // SAFETY: the processor has AVX2.
        Level::Avx2 => unsafe { with_avx2(it) },
        #[cfg(target_arch = "x86_64")]
        #[expect(unsafe_code, reason = "two to four times as fast, measured")]
        // SAFETY: the processor has AVX-512.
        Level::Avx512 => unsafe { with_avx512(it) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn with_avx2<L: Loop>(it: L) -> L::Answer {
    it.run()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw,avx512vl,avx2")]
fn with_avx512<L: Loop>(it: L) -> L::Answer {
    it.run()
}

/// Lets a test run everything without special instructions, on all threads.
#[cfg(test)]
pub(super) mod is_plain {
    use std::sync::atomic::{AtomicUsize, Ordering};

    static WANTED: AtomicUsize = AtomicUsize::new(0);

    pub(super) fn wanted() -> bool {
        WANTED.load(Ordering::Relaxed) > 0
    }

    /// Does some work on plain loops. Other tests that run meanwhile may do so, too, and get the same answers.
    pub(in super::super) fn during<T>(work: impl FnOnce() -> T) -> T {
        WANTED.fetch_add(1, Ordering::SeqCst);
        let answer = work();
        WANTED.fetch_sub(1, Ordering::SeqCst);
        answer
    }
}
