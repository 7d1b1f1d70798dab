use lookalike_core::random::{self, Stream};

use crate::Scalar;

/// Directions on which vectors are projected: a matrix, laid out for products with many vectors.
///
/// The product of a direction and a vector is summed dimension by dimension, each product rounded before it is added.
/// So it is the same for one vector and for many, and on every processor. Libraries for matrix products fuse the two
/// where the processor can, and sum in an order of their own.
#[derive(Clone)]
pub(super) struct Directions<A> {
    dimensions: usize,
    count: usize,
    /// Panels of as many directions as fill two registers; of a panel, the numbers of all directions dimension by
    /// dimension. Zeros fill the last panel.
    panels: Vec<A>,
}

/// Vectors that are multiplied with a panel at the same time.
const GROUP: usize = 4;
/// Panels that one vector is multiplied with at the same time.
const PANELS: usize = 4;

/// Directions in a panel: two registers of 32 bytes.
const fn lanes<A>() -> usize {
    64 / size_of::<A>()
}

impl<A: Scalar> Directions<A> {
    /// `count` directions, the numbers of direction i from stream i of the seed.
    pub(super) fn draw(
        dimensions: usize,
        count: usize,
        seed: u64,
        mut number: impl FnMut(&mut Stream) -> f64,
    ) -> Self {
        Self::filled(dimensions, count, |direction, numbers| {
            let mut rng = random::stream(seed, direction as u64);
            numbers.fill_with(|| A::nearest(number(&mut rng)));
        })
    }

    /// Directions that are given, each of `dimensions` numbers.
    ///
    /// # Panics
    /// If one has other dimensions.
    pub(super) fn given(dimensions: usize, directions: &[Vec<A>]) -> Self {
        Self::filled(dimensions, directions.len(), |direction, numbers| {
            numbers.copy_from_slice(&directions[direction]);
        })
    }

    fn filled(dimensions: usize, count: usize, mut fill: impl FnMut(usize, &mut [A])) -> Self {
        let lanes = lanes::<A>();
        let mut panels = vec![A::zero(); count.div_ceil(lanes) * lanes * dimensions];
        let mut numbers = vec![A::zero(); dimensions];
        for direction in 0..count {
            fill(direction, &mut numbers);
            let first = direction / lanes * lanes * dimensions + direction % lanes;
            for (dimension, number) in numbers.iter().enumerate() {
                panels[first + dimension * lanes] = *number;
            }
        }
        Self {
            dimensions,
            count,
            panels,
        }
    }

    /// The numbers of each direction.
    pub(super) fn directions(&self) -> Vec<Vec<A>> {
        let lanes = lanes::<A>();
        let numbers = |direction: usize| {
            let first = direction / lanes * lanes * self.dimensions + direction % lanes;
            let number = |dimension| self.panels[first + dimension * lanes];
            (0..self.dimensions).map(number).collect()
        };
        (0..self.count).map(numbers).collect()
    }

    pub(super) fn count(&self) -> usize {
        self.count
    }

    /// The products of every direction with every vector: those of vector j in `products[j · count ..]`.
    ///
    /// # Panics
    /// If a vector has other dimensions.
    pub(super) fn products(&self, vectors: &[&[A]], products: &mut Vec<A>) {
        let is_right = |vector: &&[A]| vector.len() == self.dimensions;
        assert!(vectors.iter().all(is_right), "vectors of one dimension");
        products.clear();
        products.resize(vectors.len() * self.count, A::zero());
        match lanes::<A>() {
            16 => self.multiply::<16>(vectors, products),
            _ => self.multiply::<8>(vectors, products),
        }
    }

    fn multiply<const LANES: usize>(&self, vectors: &[&[A]], products: &mut [A]) {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "half the time of the plain loop, measured")]
            // SAFETY: the processor has AVX2.
            return unsafe { self.multiply_with_avx2::<LANES>(vectors, products) };
        }
        self.multiply_plainly::<LANES>(vectors, products);
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn multiply_with_avx2<const LANES: usize>(&self, vectors: &[&[A]], products: &mut [A]) {
        self.multiply_plainly::<LANES>(vectors, products);
    }

    #[inline(always)]
    fn multiply_plainly<const LANES: usize>(&self, vectors: &[&[A]], products: &mut [A]) {
        let (groups, rest) = vectors.as_chunks::<GROUP>();
        let (numbers, _) = self.panels.as_chunks::<LANES>();
        let panels = || numbers.chunks_exact(self.dimensions.max(1));
        let mut store = |vector: usize, panel: usize, sums: &[A; LANES]| {
            let first = panel * LANES;
            let kept = LANES.min(self.count - first);
            products[vector * self.count + first..][..kept].copy_from_slice(&sums[..kept]);
        };
        // A panel stays in the nearest caches while all vectors pass.
        for (panel, numbers) in panels().enumerate() {
            for (group, vectors) in groups.iter().enumerate() {
                let sums = with_one_panel(numbers, vectors);
                for (place, sums) in sums.iter().enumerate() {
                    store(group * GROUP + place, panel, sums);
                }
            }
        }
        for (place, vector) in rest.iter().enumerate() {
            let place = groups.len() * GROUP + place;
            let all: Vec<&[[A; LANES]]> = panels().collect();
            let (several, rest) = all.as_chunks::<PANELS>();
            for (first, panels) in several.iter().enumerate() {
                for (panel, sums) in with_one_vector(panels, vector).iter().enumerate() {
                    store(place, first * PANELS + panel, sums);
                }
            }
            for (panel, numbers) in rest.iter().enumerate() {
                let [sums] = with_one_vector(&[*numbers], vector);
                store(place, several.len() * PANELS + panel, &sums);
            }
        }
    }
}

#[inline(always)]
fn with_one_panel<A: Scalar, const LANES: usize, const N: usize>(
    panel: &[[A; LANES]],
    vectors: &[&[A]; N],
) -> [[A; LANES]; N] {
    let vectors = vectors.map(|vector| &vector[..panel.len()]);
    let mut sums = [[A::zero(); LANES]; N];
    for (dimension, numbers) in panel.iter().enumerate() {
        for (sums, vector) in sums.iter_mut().zip(&vectors) {
            add(sums, numbers, vector[dimension]);
        }
    }
    sums
}

#[inline(always)]
fn with_one_vector<A: Scalar, const LANES: usize, const N: usize>(
    panels: &[&[[A; LANES]]; N],
    vector: &[A],
) -> [[A; LANES]; N] {
    let panels = panels.map(|panel| &panel[..vector.len()]);
    let mut sums = [[A::zero(); LANES]; N];
    for (dimension, &number) in vector.iter().enumerate() {
        for (sums, panel) in sums.iter_mut().zip(&panels) {
            add(sums, &panel[dimension], number);
        }
    }
    sums
}

#[inline(always)]
fn add<A: Scalar, const LANES: usize>(sums: &mut [A; LANES], numbers: &[A; LANES], times: A) {
    for (sum, &number) in sums.iter_mut().zip(numbers) {
        *sum = *sum + number * times;
    }
}

/// How the numbers of a vector stand to what a type can tell apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Size {
    /// All are 0: there is no direction.
    Nothing,
    /// So small that products would lose digits.
    Tiny,
    Usual,
}

/// Below this, the largest number of a vector is [`Tiny`](Size::Tiny): 2^-60.
const TINY: f64 = 1.0 / (1u64 << 60) as f64;

impl Size {
    pub(super) fn of<A: Scalar>(vector: &[A]) -> Self {
        let largest: f64 = largest(vector).into();
        match largest {
            0.0 => Self::Nothing,
            tiny if tiny < TINY => Self::Tiny,
            _ => Self::Usual,
        }
    }
}

/// The largest absolute value.
#[inline]
pub(super) fn largest<A: Scalar>(numbers: &[A]) -> A {
    // A largest number for each of 16 places: a single one would make each number wait for the one before.
    fn larger<A: Scalar>(most: A, number: A) -> A {
        if number.abs() > most {
            number.abs()
        } else {
            most
        }
    }
    let (rows, rest) = numbers.as_chunks::<16>();
    let mut lanes = [A::zero(); 16];
    for row in rows {
        for (lane, &number) in lanes.iter_mut().zip(row) {
            *lane = larger(*lane, number);
        }
    }
    rest.iter().chain(&lanes).copied().fold(A::zero(), larger)
}

/// The same direction with numbers that are not tiny: a power of two times the vector, without rounding.
pub(super) fn enlarged<A: Scalar>(vector: &[A]) -> Vec<A> {
    let mut vector = vector.to_vec();
    while Size::of(&vector) == Size::Tiny {
        let times = A::nearest(TINY.recip());
        vector
            .iter_mut()
            .for_each(|number| *number = *number * times);
    }
    vector
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn one_by_one<A: Scalar>(directions: &Directions<A>, direction: usize, vector: &[A]) -> A {
        let lanes = lanes::<A>();
        let panel = &directions.panels[direction / lanes * lanes * vector.len()..];
        let numbers = panel.iter().skip(direction % lanes).step_by(lanes);
        let products = numbers.zip(vector).map(|(&a, &b)| a * b);
        products.fold(A::zero(), |sum, product| sum + product)
    }

    fn check<A: Scalar>(dimensions: usize, count: usize, rows: usize, seed: u64) {
        let directions = Directions::<A>::draw(dimensions, count, seed, |rng| rng.unit() - 0.3);
        let mut rng = random::stream(seed, 1 << 40);
        let vectors: Vec<Vec<A>> = (0..rows)
            .map(|_| {
                (0..dimensions)
                    .map(|_| A::nearest(rng.unit() - 0.5))
                    .collect()
            })
            .collect();
        let all: Vec<&[A]> = vectors.iter().map(|vector| &vector[..]).collect();
        let (mut together, mut alone) = (Vec::new(), Vec::new());
        directions.products(&all, &mut together);
        for (row, vector) in all.iter().enumerate() {
            directions.products(&[vector], &mut alone);
            let plain: Vec<A> = (0..count)
                .map(|direction| one_by_one(&directions, direction, vector))
                .collect();
            let bits = |it: &[A]| {
                it.iter()
                    .map(|&it| it.into().to_bits())
                    .collect::<Vec<u64>>()
            };
            assert_eq!(bits(&alone), bits(&plain));
            assert_eq!(bits(&together[row * count..][..count]), bits(&plain));
        }
        let mut plainly = vec![A::zero(); rows * count];
        match lanes::<A>() {
            16 => directions.multiply_plainly::<16>(&all, &mut plainly),
            _ => directions.multiply_plainly::<8>(&all, &mut plainly),
        }
        assert!(plainly == together);
    }

    proptest! {
        #[test]
        fn one_and_many_vectors_have_the_same_products(
            dimensions in 1usize..40, count in 1usize..90, rows in 0usize..11, seed: u64,
        ) {
            check::<f32>(dimensions, count, rows, seed);
            check::<f64>(dimensions, count, rows, seed);
        }
    }

    #[test]
    fn tiny_vectors_keep_their_direction() {
        assert_eq!(Size::of(&[0.0f32, -0.0]), Size::Nothing);
        assert_eq!(Size::of(&[1.0f32, 0.0]), Size::Usual);
        let tiny = [1e-44f32, -3e-44, 0.0];
        assert_eq!(Size::of(&tiny), Size::Tiny);
        let large = enlarged(&tiny);
        assert!(large[0] > 1e-20);
        assert_eq!(large[1] / large[0], tiny[1] / tiny[0]);
        let large = enlarged(&[f64::MIN_POSITIVE / 8.0]);
        assert!(large[0] > 1e-20);
    }
}
