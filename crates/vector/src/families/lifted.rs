use lookalike_core::{Bounds, KeySource, LshFamily, Probability, Scheme, TooManyKeys};

use super::{Hyperplanes, Probing, ProbingScratch, Sides, checked, simulated::Simulated};
use crate::{Error, Scalar, sums};

/// Hyperplanes for inner products: stored vectors and queries are lifted to unit vectors of one more dimension, whose
/// angle falls with the inner product.
///
/// With M the length of the longest stored vector, x becomes (x/M, √(1 − ‖x‖²/M²)) and a query q becomes (q/‖q‖, 0). The
/// cosine of the two is x·q / (M·‖q‖) (B. Neyshabur and N. Srebro, 2015). A query is not stored that way, so this is for
/// queries alone.
///
/// The promise at an inner product s > 0 is at least 1 − acos(s/(M·Q))/180°, if queries are no longer than Q: a shorter
/// query with the same inner product is at a smaller angle. At s ≤ 0 it is at a larger one, so that the formula is an upper
/// bound there. Of longer queries nothing is promised.
#[derive(Clone, Debug, PartialEq)]
pub struct LiftedHyperplanes<T> {
    hyperplanes: Hyperplanes<T>,
    longest: f64,
    query: f64,
    probes: u32,
}

/// The keys of lifted vectors.
#[derive(Debug)]
pub struct LiftedSource<T: Scalar> {
    tables: Probing<Hyperplanes<T>>,
    longest: f64,
}

/// Memory for lifted vectors.
#[derive(Debug)]
pub struct LiftedScratch<T: Scalar> {
    tables: ProbingScratch<Sides<T>>,
    numbers: Vec<T>,
}

impl<T: Scalar> Default for LiftedScratch<T> {
    fn default() -> Self {
        Self {
            tables: ProbingScratch::default(),
            numbers: Vec::new(),
        }
    }
}

impl<T: Scalar> LiftedHyperplanes<T> {
    /// Hyperplanes for stored vectors of length up to `longest` and queries of length up to `query`, which ask `probes`
    /// keys a table.
    ///
    /// # Errors
    /// If a length is not a positive number, or there are no probes.
    pub fn new(dimensions: usize, longest: f64, query: f64, probes: u32) -> Result<Self, Error> {
        for (name, length) in [("longest", longest), ("query_length", query)] {
            if !(length > 0.0 && length.is_finite()) {
                return Err(Error::parameter(name, length, "a number above 0"));
            }
        }
        checked(&Scheme::default(), probes)?;
        Ok(Self {
            hyperplanes: Hyperplanes::new(dimensions + 1),
            longest,
            query,
            probes,
        })
    }

    /// The hyperplanes among lifted vectors.
    #[must_use]
    pub fn hyperplanes(&self) -> &Hyperplanes<T> {
        &self.hyperplanes
    }

    /// Keys that a query asks of a table.
    #[must_use]
    pub fn probes(&self) -> u32 {
        self.probes
    }

    /// Keys under a scheme, drawn from a seed.
    ///
    /// # Errors
    /// See [`Probing::new`].
    pub fn source(&self, scheme: &Scheme, seed: u64) -> Result<LiftedSource<T>, Error> {
        Ok(LiftedSource {
            tables: Probing::new(&self.hyperplanes, scheme, self.probes, seed)?,
            longest: self.longest,
        })
    }

    /// The angle in degrees of a stored vector and the longest query with this inner product.
    #[must_use]
    pub fn angle(&self, product: f64) -> f64 {
        let cosine = product / (self.longest * self.query);
        cosine.clamp(-1.0, 1.0).acos().to_degrees()
    }

    /// Bounds on the probability that a query meets a vector with this inner product.
    #[must_use]
    pub fn promise(&self, scheme: &Scheme, product: f64) -> Bounds {
        let at_most = self.at_angle(scheme, self.angle(product));
        let bounds = match product > 0.0 {
            true => Bounds::new(at_most.lower(), Probability::CERTAIN),
            false => Bounds::new(Probability::NEVER, at_most.upper()),
        };
        bounds.expect("a probability")
    }

    /// The same at an angle of the lifted vectors.
    #[must_use]
    pub fn at_angle(&self, scheme: &Scheme, degrees: f64) -> Bounds {
        match (self.probes, scheme.banding()) {
            (2.., Some(banding)) => {
                let one =
                    Simulated::of_promise(&self.hyperplanes, banding.rows(), self.probes, degrees);
                one.bounds(banding.bands())
            }
            _ => LshFamily::promise(&self.hyperplanes, scheme, degrees),
        }
    }
}

impl<T: Scalar> LiftedSource<T> {
    /// Appends a stored vector, lifted.
    fn lift(&self, vector: &[T], numbers: &mut Vec<T>) {
        let share = sums::length(vector) / self.longest;
        let up = (1.0 - share * share).max(0.0).sqrt();
        numbers.extend(
            vector
                .iter()
                .map(|&number| T::nearest(number.into() / self.longest)),
        );
        numbers.push(T::nearest(up));
    }
}

impl<T: Scalar> KeySource for LiftedSource<T> {
    type Item = [T];
    type Payload = ();
    type Scratch = LiftedScratch<T>;

    fn bands(&self) -> usize {
        self.tables.bands()
    }

    fn key_bits(&self) -> u32 {
        self.tables.key_bits()
    }

    fn describe(&self) -> String {
        format!("{} · lifted to {}", self.tables.describe(), self.longest)
    }

    fn keys(
        &self,
        vector: &[T],
        scratch: &mut LiftedScratch<T>,
        emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        let LiftedScratch { tables, numbers } = scratch;
        numbers.clear();
        self.lift(vector, numbers);
        self.tables.keys(numbers, tables, emit)
    }

    fn keys_of_all(
        &self,
        vectors: &[&[T]],
        scratch: &mut LiftedScratch<T>,
        emit: impl FnMut(usize, u32, u64, ()),
    ) -> Result<(), (usize, TooManyKeys)> {
        let LiftedScratch { tables, numbers } = scratch;
        numbers.clear();
        vectors.iter().for_each(|vector| self.lift(vector, numbers));
        let length = vectors.first().map_or(1, |vector| vector.len() + 1);
        let lifted: Vec<&[T]> = numbers.chunks(length).collect();
        self.tables.keys_of_all(&lifted, tables, emit)
    }

    fn has_probes(&self) -> bool {
        true
    }

    fn probes(
        &self,
        query: &[T],
        scratch: &mut LiftedScratch<T>,
        emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        let LiftedScratch { tables, numbers } = scratch;
        numbers.clear();
        // Hyperplanes see the direction alone.
        numbers.extend_from_slice(query);
        numbers.push(T::zero());
        self.tables.probes(numbers, tables, emit)
    }
}
