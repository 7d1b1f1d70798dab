use std::marker::PhantomData;

use lookalike_core::{Bounds, LshFamily, LshFunctions, Probability, random::Stream};
use rand::RngExt;
use rand_distr::StandardNormal;

use super::{
    Alternative, Perturbed, Probed,
    projection::{Directions, Size, enlarged},
    simulated::Choice,
};
use crate::{Error, Scalar, Vectors};

/// Random hyperplanes through the origin: two vectors agree on a function if they lie on the same side.
///
/// The normal of a hyperplane has independent standard normal coordinates, so its direction is uniform, and vectors at an
/// angle of θ degrees agree with the probability 1 − θ/180, in any dimension (*Mining of Massive Datasets*, §3.7.2;
/// M. Charikar, 2002). A vector of zeros has no direction, and is in no bucket.
///
/// ```
/// use lookalike_core::LshFamily;
/// use lookalike_vector::families::Hyperplanes;
///
/// let one = Hyperplanes::<f32>::new(100).sensitivity(60.0, 120.0)?;
/// assert!((one.p1().value() - 2.0 / 3.0).abs() < 1e-12);
/// assert!((one.p2().value() - 1.0 / 3.0).abs() < 1e-12);
/// # Ok::<(), lookalike_core::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hyperplanes<T> {
    dimensions: usize,
    numbers: PhantomData<T>,
}

/// On which side of each of some hyperplanes a vector lies.
#[derive(Clone)]
pub struct Sides<T>(Directions<T>);

/// A number from the standard normal distribution.
pub(super) fn normal(rng: &mut Stream) -> f64 {
    rng.sample(StandardNormal)
}

impl<T> Hyperplanes<T> {
    /// Hyperplanes among vectors of so many dimensions.
    #[must_use]
    pub fn new(dimensions: usize) -> Self {
        Self {
            dimensions,
            numbers: PhantomData,
        }
    }
}

impl<T: Scalar> LshFamily for Hyperplanes<T> {
    type Item = [T];
    type Functions = Sides<T>;

    fn collision(&self, degrees: f64) -> Bounds {
        Bounds::exact(Probability::saturating(1.0 - degrees / 180.0))
    }

    fn draw(&self, k: usize, seed: u64) -> Sides<T> {
        Sides(Directions::draw(self.dimensions, k, seed, normal))
    }
}

impl<T: Scalar> Sides<T> {
    /// Hyperplanes that are given by their normals.
    ///
    /// # Errors
    /// If there are none, if they have different dimensions, or if one is a vector of zeros.
    ///
    /// ```
    /// use lookalike_core::LshFunctions;
    /// use lookalike_vector::families::Sides;
    ///
    /// let sides = Sides::of_normals(&[vec![1.0, -1.0, 1.0], vec![-1.0, 1.0, 1.0]])?;
    /// assert_eq!(sides.products_with(&[3.0, 4.0, 5.0]), Some(vec![4.0, 6.0]));
    /// let mut keys = [None; 2];
    /// sides.hash_into(&[3.0, 4.0, -5.0], &mut Vec::new(), &mut keys);
    /// assert_eq!(keys, [Some(false), Some(false)]);
    /// # Ok::<(), lookalike_vector::Error>(())
    /// ```
    pub fn of_normals(normals: &[Vec<T>]) -> Result<Self, Error> {
        let dimensions = given(normals)?;
        Ok(Self(Directions::given(dimensions, normals)))
    }

    /// The normal of each hyperplane.
    #[must_use]
    pub fn normals(&self) -> Vec<Vec<T>> {
        self.0.directions()
    }

    /// The products of all normals with a vector, of which the answers are the signs; `None` for a vector of zeros.
    ///
    /// # Panics
    /// If the vector has other dimensions.
    #[must_use]
    pub fn products_with(&self, vector: &[T]) -> Option<Vec<T>> {
        let mut products = Vec::new();
        let products = self.products(&[vector], &mut products).next();
        products.flatten().map(<[T]>::to_vec)
    }

    /// The products of all normals with the vectors, none for a vector without a direction.
    pub(super) fn products<'a>(
        &self,
        vectors: &[&[T]],
        products: &'a mut Vec<T>,
    ) -> impl Iterator<Item = Option<&'a [T]>> + use<'a, T> {
        let sizes: Vec<Size> = vectors.iter().map(|vector| Size::of(vector)).collect();
        let count = self.0.count();
        self.0.products(vectors, products);
        let of_size = |wanted| (0..).zip(&sizes).filter(move |(_, size)| **size == wanted);
        for (place, _) in of_size(Size::Tiny) {
            let mut own = Vec::new();
            self.0.products(&[&enlarged(vectors[place])], &mut own);
            products[place * count..][..count].copy_from_slice(&own);
        }
        let of_all = products.chunks(count.max(1)).zip(sizes);
        of_all.map(|(products, size)| (size != Size::Nothing).then_some(products))
    }
}

impl<T: Scalar> LshFunctions for Sides<T> {
    type Item = [T];
    type Key = Option<bool>;
    type Scratch = Vec<T>;

    fn len(&self) -> usize {
        self.0.count()
    }

    fn hash_into(&self, vector: &[T], scratch: &mut Vec<T>, keys: &mut [Option<bool>]) {
        self.hash_all_into(&[vector], scratch, keys);
    }

    fn hash_all_into(&self, vectors: &[&[T]], scratch: &mut Vec<T>, keys: &mut [Option<bool>]) {
        let all = keys.chunks_mut(self.len().max(1));
        for (keys, products) in all.zip(self.products(vectors, scratch)) {
            match products {
                None => keys.fill(None),
                Some(products) => {
                    for (key, product) in keys.iter_mut().zip(products) {
                        *key = Some(*product >= T::zero());
                    }
                }
            }
        }
    }
}

impl<T: Scalar> Perturbed for Sides<T> {
    /// The other side: the nearer the hyperplane, the likelier.
    fn perturb(
        &self,
        vector: &[T],
        scratch: &mut Vec<T>,
        _: usize,
        answers: &mut [Option<bool>],
        alternatives: &mut Vec<Alternative<Option<bool>>>,
    ) {
        answers.fill(None);
        let products = self.products(&[vector], scratch).next().flatten();
        let products = products.into_iter().flatten();
        for (function, (answer, &product)) in answers.iter_mut().zip(products).enumerate() {
            let product: f64 = product.into();
            *answer = Some(product >= 0.0);
            alternatives.push(Alternative {
                function,
                cost: product * product,
                answer: Some(product < 0.0),
            });
        }
    }
}

impl<T: Scalar> Probed for Hyperplanes<T> {
    /// A query's product y is standard normal; its neighbour's is y·cos θ + z·sin θ.
    fn simulate(&self, degrees: f64, _: usize, rng: &mut Stream, choices: &mut Vec<Choice>) {
        let y = normal(rng);
        let other = crossing(y, degrees);
        choices.push(Choice::own(1.0 - other));
        choices.push(Choice::new(y * y, other));
    }
}

/// The dimensions of directions that are given.
pub(super) fn given<T: Scalar>(directions: &[Vec<T>]) -> Result<usize, Error> {
    let dimensions = directions.first().map_or(0, Vec::len);
    let mut checked = Vectors::<T>::new(dimensions)?;
    for direction in directions {
        checked.push(direction)?;
        if direction.iter().all(|number| *number == T::zero()) {
            return Err(Error::parameter("a direction", "0 everywhere", "not 0"));
        }
    }
    Ok(dimensions)
}

/// How likely the neighbour of a query at an angle lies on the other side of a hyperplane with the product y of the
/// query: Φ(−|y|·cot θ).
pub(super) fn crossing(y: f64, degrees: f64) -> f64 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    crate::normal::below(-y.abs() * cos / sin.max(f64::MIN_POSITIVE))
}

impl<T> std::fmt::Debug for Sides<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Sides").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_vector_of_zeros_is_in_no_bucket_and_a_tiny_one_is() {
        let sides = Hyperplanes::<f32>::new(3).draw(70, 1);
        let vectors: [&[f32]; 4] = [
            &[1.0, -2.0, 0.5],
            &[0.0; 3],
            &[1e-40, -2e-40, 0.5e-40],
            &[1e14, -2e14, 0.5e14],
        ];
        let mut keys = vec![None; 4 * 70];
        sides.hash_all_into(&vectors, &mut Vec::new(), &mut keys);
        let of = |place: usize| &keys[place * 70..][..70];
        assert!(of(0).iter().all(Option::is_some) && of(1).iter().all(Option::is_none));
        assert_eq!(of(0), of(3));
        // A denormal number has few digits: a hyperplane may lie between.
        let same = of(0).iter().zip(of(2)).filter(|(a, b)| a == b).count();
        assert!(same >= 69, "{same}");
    }

    #[test]
    fn hyperplanes_that_are_drawn_can_be_given() {
        let drawn = Hyperplanes::<f32>::new(3).draw(20, 5);
        let given = Sides::of_normals(&drawn.normals()).unwrap();
        let vector = [1.0, -2.0, 0.25];
        assert_eq!(drawn.products_with(&vector), given.products_with(&vector));
        assert_eq!(given.products_with(&[0.0; 3]), None);
        assert!(Sides::<f32>::of_normals(&[]).is_err());
        assert!(Sides::<f32>::of_normals(&[vec![0.0, 0.0]]).is_err());
        assert!(Sides::<f32>::of_normals(&[vec![1.0], vec![1.0, 2.0]]).is_err());
    }

    #[test]
    fn value_stability() {
        fn bits<T: Scalar>() -> String {
            let sides = Hyperplanes::<T>::new(5).draw(24, 7);
            let vector = [0.3, -1.0, 2.5, 0.01, -0.7].map(T::nearest);
            let mut keys = [None; 24];
            sides.hash_into(&vector, &mut Vec::new(), &mut keys);
            let digit = |key: &Option<bool>| if *key == Some(true) { '1' } else { '0' };
            keys.iter().map(digit).collect()
        }
        assert_eq!(bits::<f32>(), "110111110000101101010101");
        assert_eq!(bits::<f64>(), bits::<f32>());
    }
}
