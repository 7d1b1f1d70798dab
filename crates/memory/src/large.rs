use std::{
    fmt,
    ops::{Deref, DerefMut},
};

use bytemuck::Pod;
use memmap2::MmapMut;

use crate::counting::{gave, took};

/// A list of plain numbers, in large pages if it is long.
///
/// ```
/// use lookalike_memory::Large;
///
/// let mut list = Large::zeroed(3);
/// list[1] = 7u32;
/// list.extend_from_slice(&[8, 9]);
/// assert_eq!(list[..], [0, 7, 0, 8, 9]);
/// ```
pub struct Large<T>(Memory<T>);

enum Memory<T> {
    Short(Vec<T>),
    Long(Mapped, usize),
}

/// Bytes of a large page.
const PAGE: usize = 2 << 20;

impl<T: Pod> Large<T> {
    /// An empty list.
    #[must_use]
    pub fn new() -> Self {
        Self(Memory::Short(Vec::new()))
    }

    /// An empty list with room for so many.
    #[must_use]
    pub fn with_capacity(capacity: usize) -> Self {
        match map::<T>(capacity) {
            Some(map) => Self(Memory::Long(map, 0)),
            None => Self(Memory::Short(Vec::with_capacity(capacity))),
        }
    }

    /// So many zeros.
    #[must_use]
    pub fn zeroed(len: usize) -> Self {
        match map::<T>(len) {
            // What is mapped is zero.
            Some(map) => Self(Memory::Long(map, len)),
            None => Self(Memory::Short(vec![T::zeroed(); len])),
        }
    }

    /// Adds numbers at the end.
    pub fn extend_from_slice(&mut self, more: &[T]) {
        let len = self.len();
        self.reserve(more.len());
        match &mut self.0 {
            Memory::Short(list) => list.extend_from_slice(more),
            Memory::Long(map, filled) => {
                map.numbers_mut()[len..][..more.len()].copy_from_slice(more);
                *filled += more.len();
            }
        }
    }

    /// Adds a number at the end.
    #[inline]
    pub fn push(&mut self, number: T) {
        match &mut self.0 {
            Memory::Short(list) if list.len() < list.capacity() => list.push(number),
            _ => self.extend_from_slice(&[number]),
        }
    }

    /// Forgets all numbers from the place `len` on.
    pub fn truncate(&mut self, len: usize) {
        match &mut self.0 {
            Memory::Short(list) => list.truncate(len),
            Memory::Long(_, filled) => *filled = len.min(*filled),
        }
    }

    /// Makes room for so many more, and at least for half as many again as there are.
    pub fn reserve(&mut self, more: usize) {
        let (len, capacity) = match &self.0 {
            Memory::Short(list) => (list.len(), list.capacity()),
            Memory::Long(map, len) => (*len, map.bytes / size_of::<T>()),
        };
        let wanted = len
            .checked_add(more)
            .expect("a length that memory can have");
        if wanted <= capacity {
            return;
        }
        // What is empty takes what it is told.
        let room = if len == 0 {
            wanted
        } else {
            wanted.max(len + len / 2)
        };
        match map::<T>(room) {
            Some(mut map) => {
                map.numbers_mut()[..len].copy_from_slice(self);
                self.0 = Memory::Long(map, len);
            }
            None => match &mut self.0 {
                Memory::Short(list) => list.reserve_exact(room - len),
                // No map to be had: the allocator decides.
                Memory::Long(..) => {
                    let mut list = Vec::with_capacity(room);
                    list.extend_from_slice(self);
                    self.0 = Memory::Short(list);
                }
            },
        }
    }
}

/// A piece of memory that starts where a large page may.
struct Mapped {
    map: MmapMut,
    start: usize,
    bytes: usize,
}

/// Memory for so many, if it is much and the system gives it.
fn map<T: Pod>(len: usize) -> Option<Mapped> {
    let bytes = len.checked_mul(size_of::<T>())?;
    if bytes < PAGE {
        return None;
    }
    // What lies before the start and after the end is never touched, and takes no memory.
    let map = MmapMut::map_anon(bytes.checked_add(PAGE)?).ok()?;
    let start = map.as_ptr().align_offset(PAGE);
    let start = if start < PAGE { start } else { 0 };
    // Advice: if it is not taken, pages are small. A last page that would be mostly empty is small in any case.
    #[cfg(target_os = "linux")]
    let _ = map.advise_range(
        memmap2::Advice::HugePage,
        start,
        (bytes + PAGE / 2) / PAGE * PAGE,
    );
    took(bytes);
    Some(Mapped { map, start, bytes })
}

impl Drop for Mapped {
    fn drop(&mut self) {
        gave(self.bytes);
    }
}

impl Mapped {
    #[inline]
    fn numbers<T: Pod>(&self, len: usize) -> &[T] {
        bytemuck::cast_slice(&self.map[self.start..][..len * size_of::<T>()])
    }

    #[inline]
    fn numbers_mut<T: Pod>(&mut self) -> &mut [T] {
        let whole = self.bytes / size_of::<T>() * size_of::<T>();
        bytemuck::cast_slice_mut(&mut self.map[self.start..][..whole])
    }
}

impl<T: Pod> Deref for Large<T> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        match &self.0 {
            Memory::Short(list) => list,
            Memory::Long(map, len) => map.numbers(*len),
        }
    }
}

impl<T: Pod> DerefMut for Large<T> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        match &mut self.0 {
            Memory::Short(list) => list,
            Memory::Long(map, len) => &mut map.numbers_mut()[..*len],
        }
    }
}

impl<T: Pod> Default for Large<T> {
    fn default() -> Self {
        Self::new()
    }
}

impl<T: Pod> Clone for Large<T> {
    fn clone(&self) -> Self {
        let mut list = Self::with_capacity(self.len());
        list.extend_from_slice(self);
        list
    }
}

impl<T: Pod> FromIterator<T> for Large<T> {
    fn from_iter<I: IntoIterator<Item = T>>(numbers: I) -> Self {
        let numbers = numbers.into_iter();
        let mut list = Self::with_capacity(numbers.size_hint().0);
        let mut block = Vec::with_capacity(1 << 10);
        for number in numbers {
            block.push(number);
            if block.len() == block.capacity() {
                list.extend_from_slice(&block);
                block.clear();
            }
        }
        list.extend_from_slice(&block);
        list
    }
}

impl<T: Pod + PartialEq> PartialEq for Large<T> {
    fn eq(&self, other: &Self) -> bool {
        self[..] == other[..]
    }
}

impl<T: Pod + Eq> Eq for Large<T> {}

impl<T: Pod + fmt::Debug> fmt::Debug for Large<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self[..].fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20))]
        #[test]
        fn it_is_a_list_however_long(
            pieces in prop::collection::vec(0usize..1_500_000, 0..8), cut in 0usize..3_000_000,
        ) {
            let (mut list, mut plain) = (Large::new(), Vec::new());
            for (number, piece) in (0u64..).zip(pieces) {
                let more = vec![number; piece];
                list.extend_from_slice(&more);
                plain.extend_from_slice(&more);
                list.push(number + 1);
                plain.push(number + 1);
                prop_assert!(list[..] == plain[..]);
            }
            list.truncate(cut);
            plain.truncate(cut);
            prop_assert!(list[..] == plain[..]);
            prop_assert!(list.clone()[..] == plain[..]);
            prop_assert!(plain.iter().copied().collect::<Large<u64>>()[..] == plain[..]);
        }
    }

    #[test]
    fn long_lists_are_mapped_and_start_with_zeros() {
        let list = Large::<u32>::zeroed(PAGE / 4);
        assert!(matches!(list.0, Memory::Long(..)));
        assert_eq!(list.as_ptr() as usize % PAGE, 0);
        assert!(list.iter().all(|&number| number == 0));
        let short = Large::<u32>::zeroed(PAGE / 4 - 1);
        assert!(matches!(short.0, Memory::Short(_)));
    }
}
