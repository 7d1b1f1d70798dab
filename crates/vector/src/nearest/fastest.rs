//! Loops that are compiled for what the processor has.

/// A loop over numbers. `run` must be `#[inline(always)]`, and so must be what it calls.
pub(super) trait Loop {
    /// What it gives.
    type Answer;

    /// Runs it.
    fn run(self) -> Self::Answer;
}

/// Runs a loop, compiled for the best instructions that the processor has. Nothing is fused or reordered, so all of them
/// give the same answer.
pub(super) fn fastest<L: Loop>(it: L) -> L::Answer {
    #[cfg(target_arch = "x86_64")]
    #[expect(unsafe_code, reason = "two to four times as fast, measured")]
    {
        if is_x86_feature_detected!("avx512bw") && is_x86_feature_detected!("avx512vl") {
            // SAFETY: the processor has AVX-512.
            return unsafe { with_avx512(it) };
        }
        if is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { with_avx2(it) };
        }
    }
    it.run()
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
