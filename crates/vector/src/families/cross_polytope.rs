use std::marker::PhantomData;

use lookalike_core::{Bounds, LshFamily, LshFunctions, Probability, random::Stream};

use super::{
    Alternative, Perturbed, Probed,
    agreement::agreement,
    hyperplanes::normal,
    projection::{Directions, Size, enlarged, largest},
    rotation::{Rotation, rotation},
    simulated::Choice,
};
use crate::{Error, Scalar};

/// The nearest of m random directions and their opposites: a vertex of a rotated cross-polytope.
///
/// One function tells as much as many hyperplanes, and tells it better: at the same share of strangers that agree, more
/// neighbours do (Andoni, Indyk, Laarhoven, Razenshteyn and Schmidt, 2015). How likely two vectors agree is an integral
/// over two normal variables, taken once and kept as a table.
///
/// Up to 32 dimensions the directions are drawn from the normal law and the integral is exact. Beyond, they are the
/// coordinates of a fast pseudo-random rotation, whose difference from the model the bounds cover. Several functions
/// share a rotation if it has more coordinates than a function has directions. A vector of zeros is in no bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CrossPolytope<T> {
    dimensions: usize,
    directions: u32,
    numbers: PhantomData<T>,
}

/// Up to so many dimensions, products with normal directions are as fast as a rotation.
const FEW: usize = 32;

impl<T> CrossPolytope<T> {
    /// How many directions a function has, unless another number is given.
    pub const DIRECTIONS: u32 = 128;
    /// The most directions of a function.
    pub const MOST_DIRECTIONS: u32 = 1 << 12;

    /// The fewest directions of a function.
    pub const FEWEST_DIRECTIONS: u32 = 8;

    /// Functions of `directions` directions, a power of two from 8 to 4096, among vectors of so many dimensions.
    ///
    /// # Errors
    /// If there cannot be so many directions.
    pub fn new(dimensions: usize, directions: u32) -> Result<Self, Error> {
        let (fewest, most) = (Self::FEWEST_DIRECTIONS, Self::MOST_DIRECTIONS);
        if !directions.is_power_of_two() || !(fewest..=most).contains(&directions) {
            let expected = format!("a power of two from {fewest} to {most}");
            return Err(Error::parameter("directions", directions, expected));
        }
        Ok(Self {
            dimensions,
            directions,
            numbers: PhantomData,
        })
    }

    /// The length of rotated vectors; `None` if directions are drawn one by one.
    fn rotated(&self) -> Option<usize> {
        let directions = self.directions as usize;
        let length = self.dimensions.next_power_of_two().max(directions);
        (self.dimensions > FEW).then_some(length.max(MIN_LENGTH))
    }

    /// How far a rotation may be from the model.
    fn model_error(&self) -> f64 {
        self.rotated()
            .map_or(0.0, |length| MODEL_ERROR / (length as f64).sqrt())
    }
}

/// The shortest rotated vectors: the longer they are, the closer is the model, and functions share a rotation.
const MIN_LENGTH: usize = 512;
/// The difference of a rotation of n numbers from the model is below this, divided by √n, as a share of the probability.
/// Measured with n = 128 over dense and sparse vectors, the largest was 0.45/√n: of vectors with one number.
const MODEL_ERROR: f64 = 0.7;

impl<T: Scalar> LshFamily for CrossPolytope<T> {
    type Item = [T];
    type Functions = Vertices<T>;

    fn collision(&self, degrees: f64) -> Bounds {
        let p = agreement(self.directions, self.rotated()).at(degrees);
        // Copies agree for certain.
        let slack = if degrees == 0.0 {
            0.0
        } else {
            self.model_error()
        };
        let (lower, upper) = (p * (1.0 - slack), p * (1.0 + slack));
        let bounds = Bounds::new(
            Probability::saturating(lower),
            Probability::saturating(upper),
        );
        bounds.expect("less is below more")
    }

    fn draw(&self, k: usize, seed: u64) -> Vertices<T> {
        let directions = self.directions as usize;
        let turning = match self.rotated() {
            None => {
                let all = k * directions;
                Turning::Products(Directions::draw(self.dimensions, all, seed, normal))
            }
            Some(length) => {
                let rotations = k.div_ceil(length / directions) as u64;
                let drawn = (0..rotations).map(|number| rotation(length, seed, number));
                Turning::Rotations(drawn.collect())
            }
        };
        Vertices {
            functions: k,
            directions,
            turning,
        }
    }
}

/// The nearest direction of each of some functions.
#[derive(Clone)]
pub struct Vertices<T> {
    functions: usize,
    directions: usize,
    turning: Turning<T>,
}

/// What gives the products of a vector with the directions.
#[derive(Clone)]
enum Turning<T> {
    Products(Directions<T>),
    /// Function i takes its coordinates of rotation i modulo their number: functions of one band are next to each other,
    /// and have rotations of their own.
    Rotations(Vec<Rotation<T>>),
}

impl<T: Scalar> Vertices<T> {
    /// The directions of all functions, one function after the other; `None` if they are those of a rotation.
    #[must_use]
    pub fn directions(&self) -> Option<Vec<Vec<T>>> {
        match &self.turning {
            Turning::Products(directions) => Some(directions.directions()),
            Turning::Rotations(_) => None,
        }
    }

    /// The products of a vector with the directions of each function: the answer is the direction whose product is the
    /// largest, or its opposite. Nothing for a vector without a direction.
    ///
    /// ```
    /// use lookalike_core::LshFamily;
    /// use lookalike_vector::families::CrossPolytope;
    ///
    /// let vertices = CrossPolytope::<f64>::new(2, 8)?.draw(3, 0);
    /// let products = vertices.products_with(&[3.0, 4.0]);
    /// assert_eq!((products.len(), products[0].len()), (3, 8));
    /// let directions = vertices.directions().unwrap();
    /// let (first, product) = (&directions[0], products[0][0]);
    /// assert!((3.0 * first[0] + 4.0 * first[1] - product).abs() < 1e-12);
    /// # Ok::<(), lookalike_vector::Error>(())
    /// ```
    #[must_use]
    pub fn products_with(&self, vector: &[T]) -> Vec<Vec<T>> {
        let mut all = Vec::new();
        self.see(vector, &mut Vec::new(), |function, products| {
            all.push((function, products.to_vec()));
        });
        all.sort_by_key(|(function, _)| *function);
        all.into_iter().map(|(_, products)| products).collect()
    }

    /// Calls `see` with each function and its products with the vector, in no particular order; not at all for a vector
    /// without a direction.
    fn see(&self, vector: &[T], scratch: &mut Vec<T>, mut see: impl FnMut(usize, &[T])) {
        let large;
        let vector = match Size::of(vector) {
            Size::Nothing => return,
            Size::Usual => vector,
            Size::Tiny => {
                large = enlarged(vector);
                &large
            }
        };
        match &self.turning {
            Turning::Products(directions) => {
                directions.products(&[vector], scratch);
                let of_functions = scratch.chunks_exact(self.directions).enumerate();
                of_functions.for_each(|(function, products)| see(function, products));
            }
            Turning::Rotations(rotations) => {
                for (number, rotation) in rotations.iter().enumerate() {
                    rotation.turn(vector, scratch);
                    let functions = (number..self.functions).step_by(rotations.len());
                    for (function, products) in functions.zip(scratch.chunks_exact(self.directions))
                    {
                        see(function, products);
                    }
                }
            }
        }
    }
}

/// The place of the largest product, and how large it is. The first of equals.
fn nearest<T: Scalar>(products: &[T]) -> (usize, T) {
    let most = largest(products);
    let place = products.iter().position(|product| product.abs() == most);
    (place.unwrap_or_default(), most)
}

/// A direction, or its opposite.
fn vertex<T: Scalar>(place: usize, product: T) -> Option<u32> {
    Some((place as u32) << 1 | u32::from(product < T::zero()))
}

impl<T: Scalar> LshFunctions for Vertices<T> {
    type Item = [T];
    type Key = Option<u32>;
    type Scratch = Vec<T>;

    fn len(&self) -> usize {
        self.functions
    }

    fn key_bits(&self) -> u32 {
        self.directions.ilog2() + 1
    }

    fn hash_into(&self, vector: &[T], scratch: &mut Vec<T>, keys: &mut [Option<u32>]) {
        keys.fill(None);
        self.see(vector, scratch, |function, products| {
            let (place, _) = nearest(products);
            keys[function] = vertex(place, products[place]);
        });
    }
}

impl<T: Scalar> Perturbed for Vertices<T> {
    /// The next directions: the less nearer the nearest is, the likelier.
    fn perturb(
        &self,
        vector: &[T],
        scratch: &mut Vec<T>,
        most: usize,
        answers: &mut [Option<u32>],
        alternatives: &mut Vec<Alternative<Option<u32>>>,
    ) {
        answers.fill(None);
        self.see(vector, scratch, |function, products| {
            let place = others(products, most, |place, cost| {
                alternatives.push(Alternative {
                    function,
                    cost,
                    answer: vertex(place, products[place]),
                });
            });
            answers[function] = vertex(place, products[place]);
        });
        alternatives.sort_by_key(|alternative| alternative.function);
    }
}

/// The place of the nearest direction; visits the next ones, fewer than `most`, the cheapest first.
fn others<T: Scalar>(products: &[T], most: usize, mut visit: impl FnMut(usize, f64)) -> usize {
    let (own, largest) = nearest(products);
    let cost = |place: usize| {
        let less: f64 = (largest - products[place].abs()).into();
        less * less
    };
    let mut next: Vec<(f64, usize)> = (0..products.len())
        .filter(|&place| place != own)
        .map(|place| (cost(place), place))
        .collect();
    let order = |a: &(f64, usize), b: &(f64, usize)| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1));
    let kept = next.len().min(most.saturating_sub(1));
    if kept < next.len() {
        next.select_nth_unstable_by(kept, order);
        next.truncate(kept);
    }
    next.sort_unstable_by(order);
    next.iter().for_each(|&(cost, place)| visit(place, cost));
    own
}

impl<T: Scalar> Probed for CrossPolytope<T> {
    /// The products of a query are normal numbers y, those of its neighbour y·cos θ + z·sin θ.
    fn simulate(&self, degrees: f64, most: usize, rng: &mut Stream, choices: &mut Vec<Choice>) {
        let (sin, cos) = degrees.to_radians().sin_cos();
        let query: Vec<f64> = (0..self.directions).map(|_| normal(rng)).collect();
        let neighbour: Vec<f64> = query.iter().map(|y| cos * y + sin * normal(rng)).collect();
        let (place, _) = nearest(&neighbour);
        let answer = vertex(place, neighbour[place]);
        let is_met = |place: usize| f64::from(u8::from(vertex(place, query[place]) == answer));
        let first = choices.len();
        choices.push(Choice::own(0.0));
        let own = others(&query, most, |place, cost| {
            choices.push(Choice::new(cost, is_met(place)));
        });
        choices[first] = Choice::own(is_met(own));
    }

    fn model_error(&self) -> f64 {
        Self::model_error(self)
    }
}

impl<T> std::fmt::Debug for Vertices<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Vertices").finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directions_are_powers_of_two() {
        for wrong in [0, 1, 4, 9, 100, 8192] {
            assert!(CrossPolytope::<f32>::new(10, wrong).is_err(), "{wrong}");
        }
        let family = CrossPolytope::<f32>::new(10, 8).unwrap();
        assert_eq!(family.draw(3, 0).key_bits(), 4);
        // More dimensions than directions, and the other way round.
        for (dimensions, rotated) in [(2, None), (32, None), (33, Some(512)), (784, Some(1024))] {
            let family = CrossPolytope::<f32>::new(dimensions, 64).unwrap();
            assert_eq!(family.rotated(), rotated);
        }
    }

    /// An answer is the direction with the largest product, and 1 more for its opposite.
    #[test]
    fn products_explain_answers() {
        for dimensions in [3, 100] {
            let vertices = CrossPolytope::<f64>::new(dimensions, 16)
                .unwrap()
                .draw(9, 1);
            let vector: Vec<f64> = (0..dimensions).map(|it| (it as f64).sin() - 0.3).collect();
            let mut keys = [None; 9];
            vertices.hash_into(&vector, &mut Vec::new(), &mut keys);
            let explained = vertices.products_with(&vector).into_iter().map(|products| {
                let largest = products.iter().map(|it| it.abs()).fold(0.0, f64::max);
                let place = products.iter().position(|it| it.abs() == largest)?;
                Some(2 * place as u32 + u32::from(products[place] < 0.0))
            });
            assert_eq!(explained.collect::<Vec<_>>(), keys);
            assert!(vertices.products_with(&vec![0.0; dimensions]).is_empty());
        }
    }

    #[test]
    fn zeros_are_in_no_bucket_and_tiny_vectors_are() {
        for dimensions in [3, 100] {
            let vertices = CrossPolytope::<f32>::new(dimensions, 16)
                .unwrap()
                .draw(9, 1);
            let hash = |vector: &[f32]| {
                let mut keys = [None; 9];
                vertices.hash_into(vector, &mut Vec::new(), &mut keys);
                keys
            };
            assert_eq!(hash(&vec![0.0; dimensions]), [None; 9]);
            let mut usual = vec![0.0; dimensions];
            usual[..3].copy_from_slice(&[1.0, -2.0, 0.25]);
            let scaled = |by: f32| usual.iter().map(|it| it * by).collect::<Vec<f32>>();
            assert_eq!(hash(&usual), hash(&scaled(2f32.powi(-130))));
            assert_eq!(hash(&usual), hash(&scaled(2f32.powi(40))));
            let opposite = hash(&scaled(-1.0)).map(|key| key.map(|key| key ^ 1));
            assert_eq!(hash(&usual), opposite);
        }
    }

    #[test]
    fn value_stability() {
        fn keys<T: Scalar>(dimensions: usize) -> [u32; 5] {
            let vertices = CrossPolytope::<T>::new(dimensions, 64).unwrap().draw(5, 7);
            let vector: Vec<T> = (0..dimensions)
                .map(|it| T::nearest((it * it % 7) as f64 - 2.5))
                .collect();
            let mut keys = [None; 5];
            vertices.hash_into(&vector, &mut Vec::new(), &mut keys);
            keys.map(Option::unwrap)
        }
        assert_eq!(keys::<f32>(5), [107, 122, 64, 113, 40]);
        assert_eq!(keys::<f32>(200), [3, 25, 68, 49, 23]);
        assert_eq!(keys::<f64>(5), keys::<f32>(5));
        assert_eq!(keys::<f64>(200), keys::<f32>(200));
    }
}
