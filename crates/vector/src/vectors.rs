use std::{
    fmt,
    sync::{Arc, Mutex, OnceLock, PoisonError},
};

use lookalike_core::Items;
use lookalike_memory::Large;
use rayon::prelude::*;

use crate::{
    Error, Scalar,
    error::LARGEST,
    nearest::{Index, Recipe},
    sums,
};

/// Many vectors of one dimension, in one piece of memory, row by row.
///
/// ```
/// use lookalike_vector::Vectors;
///
/// let mut vectors = Vectors::new(2)?;
/// vectors.push(&[3.0f32, 4.0])?;
/// vectors.push(&[0.5, -1.0])?;
/// assert_eq!(vectors.len(), 2);
/// assert_eq!(vectors.get(1), [0.5, -1.0]);
/// assert!(vectors.push(&[f32::NAN, 0.0]).is_err());
/// # Ok::<(), lookalike_vector::Error>(())
/// ```
#[derive(Clone)]
pub struct Vectors<T: Scalar = f32> {
    dimensions: usize,
    numbers: Numbers<T>,
    is_rounded: bool,
    /// The Euclidean length of each vector, once somebody asks.
    lengths: OnceLock<Box<[f64]>>,
    /// The last index that was asked for: a plan is made by measuring one, and then searched by the same.
    index: LastIndex,
}

/// An index, once somebody asks.
#[derive(Default)]
struct LastIndex(Mutex<Option<Arc<Index>>>);

impl Clone for LastIndex {
    fn clone(&self) -> Self {
        let last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Self(Mutex::new(last.clone()))
    }
}

/// The numbers of all rows.
#[derive(Clone)]
enum Numbers<T: Scalar> {
    Own(Large<T>),
    /// Memory that somebody else made, such as a NumPy or an Arrow buffer. Its bytes are numbers that were checked.
    Adopted(Arc<dyn AsRef<[u8]> + Send + Sync>),
}

/// No vectors, of no dimension yet: the first one settles it.
impl<T: Scalar> Default for Vectors<T> {
    fn default() -> Self {
        Self {
            dimensions: 0,
            numbers: Numbers::Own(Large::new()),
            is_rounded: false,
            lengths: OnceLock::new(),
            index: LastIndex::default(),
        }
    }
}

impl<T: Scalar> Vectors<T> {
    /// The most dimensions of a vector.
    pub const MAX_DIMENSIONS: usize = 1 << 16;

    /// No vectors yet; each will have this many dimensions.
    ///
    /// # Errors
    /// If vectors cannot have this many.
    pub fn new(dimensions: usize) -> Result<Self, Error> {
        check_dimensions(dimensions)?;
        Ok(Self {
            dimensions,
            ..Self::default()
        })
    }

    /// Rows that lie one after the other in memory that is kept alive and not copied: a NumPy array, an Arrow buffer, a
    /// mapped file. The bytes are numbers of the machine's own order.
    ///
    /// # Errors
    /// If the bytes are not whole rows at addresses that fit the numbers, or not all numbers are finite.
    pub fn adopt(
        bytes: Arc<dyn AsRef<[u8]> + Send + Sync>,
        dimensions: usize,
    ) -> Result<Self, Error> {
        check_dimensions(dimensions)?;
        let wrong = |expected: &str| Error::parameter("bytes", "a buffer", expected);
        let numbers: &[T] = bytemuck::try_cast_slice((*bytes).as_ref())
            .map_err(|_| wrong("whole numbers at an aligned address"))?;
        if !numbers.len().is_multiple_of(dimensions) {
            return Err(wrong(&format!("whole rows of {dimensions} numbers")));
        }
        numbers.chunks_exact(dimensions).try_for_each(check)?;
        Ok(Self {
            dimensions,
            numbers: Numbers::Adopted(bytes),
            ..Self::default()
        })
    }

    /// Adds a vector.
    ///
    /// # Errors
    /// If it has another number of dimensions than the others, or a number that is not finite.
    pub fn push(&mut self, vector: &[T]) -> Result<(), Error> {
        check(vector)?;
        self.settle(vector.len())?;
        self.own().extend_from_slice(vector);
        Ok(())
    }

    /// Adds a vector, each number rounded to the nearest of this type. [`is_rounded`](Self::is_rounded) tells whether
    /// one has changed.
    ///
    /// # Errors
    /// See [`push`](Self::push).
    pub fn push_rounded(
        &mut self,
        vector: impl ExactSizeIterator<Item = f64>,
    ) -> Result<(), Error> {
        let mut changed = false;
        let rounded: Vec<T> = vector
            .map(|number| {
                let nearest = T::nearest(number);
                changed |= nearest.into() != number;
                nearest
            })
            .collect();
        self.push(&rounded)?;
        self.is_rounded |= changed;
        Ok(())
    }

    /// Adds all of `others`, of the same dimensions.
    ///
    /// # Errors
    /// If they have other dimensions.
    pub fn append(&mut self, others: Self) -> Result<(), Error> {
        if others.is_empty() {
            return Ok(());
        }
        let is_rounded = self.is_rounded || others.is_rounded;
        if self.is_empty() && [0, others.dimensions].contains(&self.dimensions) {
            *self = others;
        } else {
            self.settle(others.dimensions)?;
            self.own().extend_from_slice(others.numbers());
        }
        self.is_rounded = is_rounded;
        Ok(())
    }

    /// Makes room for `vectors` more.
    pub fn reserve(&mut self, vectors: usize) {
        let numbers = vectors.saturating_mul(self.dimensions);
        self.own().reserve(numbers);
    }

    /// Numbers of a vector; 0 before the first.
    #[must_use]
    pub fn dimensions(&self) -> usize {
        self.dimensions
    }

    /// How many vectors there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.numbers().len() / self.dimensions.max(1)
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.numbers().is_empty()
    }

    /// Whether a number was rounded on its way here.
    #[must_use]
    pub fn is_rounded(&self) -> bool {
        self.is_rounded
    }

    /// A vector.
    ///
    /// # Panics
    /// If there is no such vector.
    #[must_use]
    #[inline]
    pub fn get(&self, place: usize) -> &[T] {
        &self.numbers()[place * self.dimensions..][..self.dimensions]
    }

    /// All vectors, in their order.
    pub fn rows(&self) -> impl ExactSizeIterator<Item = &[T]> {
        self.numbers().chunks_exact(self.dimensions.max(1))
    }

    /// The numbers of all vectors, row by row.
    #[must_use]
    #[inline]
    pub fn numbers(&self) -> &[T] {
        match &self.numbers {
            Numbers::Own(numbers) => numbers,
            Numbers::Adopted(bytes) => bytemuck::cast_slice((**bytes).as_ref()),
        }
    }

    /// The Euclidean length of each vector, computed at the first call.
    pub(crate) fn lengths(&self) -> &[f64] {
        match self.lengths.get() {
            Some(lengths) => lengths,
            None => {
                // Not within `get_or_init`: a thread that waits for others there may be given work that waits for it. Two
                // threads may both compute the same.
                let rows = self.numbers().par_chunks_exact(self.dimensions.max(1));
                let lengths: Vec<f64> = rows.map(sums::length).collect();
                self.lengths.get_or_init(|| lengths.into())
            }
        }
    }

    /// The dimensions of the first vector settle those of all others.
    fn settle(&mut self, dimensions: usize) -> Result<(), Error> {
        if self.dimensions == 0 {
            check_dimensions(dimensions)?;
            self.dimensions = dimensions;
        }
        match self.dimensions == dimensions {
            true => Ok(()),
            false => Err(Error::Length {
                found: dimensions,
                expected: self.dimensions,
            }),
        }
    }

    /// Memory that can grow; an adopted buffer is copied first.
    fn own(&mut self) -> &mut Large<T> {
        self.lengths = OnceLock::new();
        self.index = LastIndex::default();
        if let Numbers::Adopted(_) = self.numbers {
            let mut copy = Large::with_capacity(self.numbers().len());
            copy.extend_from_slice(self.numbers());
            self.numbers = Numbers::Own(copy);
        }
        match &mut self.numbers {
            Numbers::Own(numbers) => numbers,
            Numbers::Adopted(_) => unreachable!("an adopted buffer was copied"),
        }
    }
}

impl Vectors {
    /// The index of a recipe: the one that was asked for last, or one that is made now.
    pub(crate) fn index(&self, recipe: Recipe) -> Arc<Index> {
        let last = || self.index.0.lock().unwrap_or_else(PoisonError::into_inner);
        let known = last().clone().filter(|known| known.recipe() == recipe);
        known.unwrap_or_else(|| {
            // Not under the lock: a thread that waits for it may be given work that this one waits for.
            let index = Arc::new(Index::new(self, recipe));
            *last() = Some(Arc::clone(&index));
            index
        })
    }
}

fn check_dimensions(dimensions: usize) -> Result<(), Error> {
    match (1..=Vectors::<f32>::MAX_DIMENSIONS).contains(&dimensions) {
        true => Ok(()),
        false => Err(Error::Dimensions(dimensions)),
    }
}

/// Refuses NaN, infinite numbers, and numbers whose squares would be.
fn check<T: Scalar>(vector: &[T]) -> Result<(), Error> {
    let bound = T::nearest(LARGEST);
    #[expect(
        clippy::neg_cmp_op_on_partial_ord,
        reason = "what is not a number is wrong, too"
    )]
    let is_wrong = |number: &T| !(number.abs() < bound);
    // Without an early end the loop is a few vector instructions.
    let wrong = vector
        .iter()
        .fold(false, |wrong, number| wrong | is_wrong(number));
    if !wrong {
        return Ok(());
    }
    let dimension = vector.iter().position(is_wrong).unwrap_or_default();
    Err(Error::NotFinite {
        value: vector[dimension].into(),
        dimension,
    })
}

impl<T: Scalar> Items<[T]> for Vectors<T> {
    fn count(&self) -> usize {
        self.len()
    }

    fn item(&self, place: usize) -> &[T] {
        self.get(place)
    }
}

impl<T: Scalar> PartialEq for Vectors<T> {
    fn eq(&self, other: &Self) -> bool {
        self.dimensions == other.dimensions && self.numbers() == other.numbers()
    }
}

impl<T: Scalar> fmt::Debug for Vectors<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Vectors")
            .field("len", &self.len())
            .field("dimensions", &self.dimensions)
            .finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn buffer(numbers: &[f32]) -> Arc<dyn AsRef<[u8]> + Send + Sync> {
        struct Buffer(Vec<f32>);
        impl AsRef<[u8]> for Buffer {
            fn as_ref(&self) -> &[u8] {
                bytemuck::cast_slice(&self.0)
            }
        }
        Arc::new(Buffer(numbers.to_vec()))
    }

    #[test]
    fn a_buffer_is_adopted_without_a_copy() {
        let bytes = buffer(&[1.0, 2.0, 3.0, 4.0]);
        let address = (*bytes).as_ref().as_ptr();
        let mut vectors = Vectors::<f32>::adopt(Arc::clone(&bytes), 2).unwrap();
        assert_eq!(vectors.numbers().as_ptr().cast(), address);
        assert_eq!(vectors.rows().collect::<Vec<_>>(), [[1.0, 2.0], [3.0, 4.0]]);
        vectors.push(&[5.0, 6.0]).unwrap();
        assert_eq!(vectors.get(2), [5.0, 6.0]);
        assert_eq!(vectors.get(0), [1.0, 2.0]);
        assert!(Vectors::<f32>::adopt(Arc::clone(&bytes), 3).is_err());
        assert!(Vectors::<f32>::adopt(Arc::clone(&bytes), 0).is_err());
        assert!(Vectors::<f32>::adopt(buffer(&[f32::NAN]), 1).is_err());
        let odd: Arc<dyn AsRef<[u8]> + Send + Sync> = Arc::new(vec![0u8; 7]);
        assert!(Vectors::<f32>::adopt(odd, 1).is_err());
    }

    #[test]
    fn wrong_vectors_are_refused_and_nothing_is_added() {
        let mut vectors = Vectors::default();
        vectors.push(&[1.0f32, 2.0]).unwrap();
        for wrong in [
            &[1.0f32][..],
            &[],
            &[1.0, f32::INFINITY],
            &[f32::NAN, 0.0],
            &[2e15, 0.0],
        ] {
            assert!(vectors.push(wrong).is_err(), "{wrong:?}");
        }
        assert_eq!(vectors.len(), 1);
        let error = vectors.push(&[0.0, f32::NEG_INFINITY]).unwrap_err();
        assert_eq!(
            error.to_string(),
            "-inf at dimension 1: all numbers of a vector must be finite, and below 1e15"
        );
        assert!(Vectors::<f64>::new(0).is_err());
        assert!(Vectors::<f64>::new(Vectors::<f64>::MAX_DIMENSIONS + 1).is_err());
    }

    #[test]
    fn rounding_is_noted() {
        let mut vectors = Vectors::<f32>::default();
        vectors.push_rounded([0.5, 0.25].into_iter()).unwrap();
        assert!(!vectors.is_rounded());
        let mut more = Vectors::<f32>::default();
        more.push_rounded([0.1, 0.25].into_iter()).unwrap();
        assert!(more.is_rounded());
        vectors.append(more).unwrap();
        assert!(vectors.is_rounded() && vectors.len() == 2);
        let other = Vectors::new(3).unwrap();
        vectors.append(other).unwrap();
        let mut other = Vectors::new(3).unwrap();
        other.push(&[1.0, 2.0, 3.0]).unwrap();
        assert!(vectors.append(other).is_err());
    }
}
