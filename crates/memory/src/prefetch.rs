/// Asks for the memory of one place of a list, without waiting for it; a place that there is not asks for nothing.
///
/// A plain loop of reads keeps as many of them under way as fit the processor's window, with all that is done about each
/// of them. Asked for beforehand, many more are: queries of an index are half as fast again.
#[inline(always)]
pub fn prefetch<T>(list: &[T], place: usize) {
    #[cfg(target_arch = "x86_64")]
    if let Some(number) = list.get(place) {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint changes nothing but the time that things take, and the address is that of a reference.
        #[allow(unsafe_code)]
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(number).cast());
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (list, place);
}
