use super::Violation;
use crate::{Bounds, Probability, random};

/// The distances of one test: one distance, or all between two.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Stratum {
    low: f64,
    high: f64,
}

/// What is promised at a distance.
pub(super) type Promise<'a> = dyn Fn(f64) -> Bounds + 'a;

impl Stratum {
    pub(super) fn point(distance: f64) -> Self {
        Self {
            low: distance,
            high: distance,
        }
    }

    /// The distance of a draw.
    pub(super) fn distance(self, seed: u64) -> f64 {
        self.low + (self.high - self.low) * random::stream(seed, 3).unit()
    }

    pub(super) fn is_point(self) -> bool {
        self.low == self.high
    }
}

/// Every distance, in the order given, and then every gap between neighbours: a promise that is wrong only between the
/// distances is wrong in a gap.
pub(super) fn strata(distances: &[f64]) -> Result<Vec<Stratum>, Violation> {
    let ascending = ascending(distances)?;
    let points = distances.iter().copied().map(Stratum::point);
    let gaps = ascending.windows(2).map(|pair| Stratum {
        low: pair[0],
        high: pair[1],
    });
    Ok(points.chain(gaps).collect())
}

fn ascending(distances: &[f64]) -> Result<Vec<f64>, Violation> {
    if distances.is_empty() || !distances.iter().all(|distance| distance.is_finite()) {
        return Err(Violation::NothingTested);
    }
    let mut ascending = distances.to_vec();
    ascending.sort_by(f64::total_cmp);
    ascending.dedup();
    Ok(ascending)
}

/// Distances where a promise is steep: where it passes these probabilities between the first and the last distance, and
/// these two unless it is nearly certain there.
pub(super) fn steep(distances: &[f64], promise: &Promise<'_>) -> Result<Vec<f64>, Violation> {
    const PROBABILITIES: [f64; 6] = [0.97, 0.9, 0.7, 0.5, 0.3, 0.1];
    let ascending = ascending(distances)?;
    let (first, last) = (ascending[0], ascending[ascending.len() - 1]);
    let middle = |distance| middle(promise(distance));
    let is_passed = |p: &f64| middle(first) >= *p && middle(last) <= *p;
    let place = |p: f64| {
        let (mut near, mut far) = (first, last);
        for _ in 0..50 {
            let between = near.midpoint(far);
            match middle(between) >= p {
                true => near = between,
                false => far = between,
            }
        }
        near.midpoint(far)
    };
    let mut places: Vec<f64> = PROBABILITIES
        .into_iter()
        .filter(is_passed)
        .map(place)
        .collect();
    // A promise that does not pass all of them begins or ends between them.
    let is_chance = |distance: &f64| (0.02..=0.98).contains(&middle(*distance));
    places.extend([first, last].into_iter().filter(is_chance));
    places.dedup();
    Ok(places)
}

/// The distance whose promise is nearest to a half; 0 if there are no distances.
pub(super) fn middle_distance(distances: &[f64], promise: &Promise<'_>) -> f64 {
    let from_half = |distance: f64| (middle(promise(distance)) - 0.5).abs();
    let nearer = |a: &&f64, b: &&f64| from_half(**a).total_cmp(&from_half(**b));
    distances.iter().min_by(nearer).copied().unwrap_or(0.0)
}

/// Halfway between two bounds.
pub(super) fn middle(bounds: Bounds) -> f64 {
    let [lower, upper] = [bounds.lower(), bounds.upper()].map(Probability::value);
    lower.midpoint(upper)
}

/// Refuses a promise that grows with the distance, at the distances or at many between them.
pub(super) fn monotone(distances: &[f64], promise: &Promise<'_>) -> Result<(), Violation> {
    /// Steps between the first and the last distance.
    const STEPS: u32 = 256;
    /// Formulas are rounded.
    const ROUNDING: f64 = 1e-9;
    let grows = |distances: &[f64]| {
        let mut pairs = distances.windows(2);
        let pair = pairs.find(|pair| {
            let (near, far) = (promise(pair[0]), promise(pair[1]));
            let grows = |near: Probability, far: Probability| far.value() > near.value() + ROUNDING;
            grows(near.lower(), far.lower()) || grows(near.upper(), far.upper())
        });
        pair.map_or(Ok(()), |pair| Err(Violation::Grows(pair[0], pair[1])))
    };
    let ascending = ascending(distances)?;
    grows(&ascending)?;
    let (first, last) = (ascending[0], ascending[ascending.len() - 1]);
    let step = |number| first + (last - first) * f64::from(number) / f64::from(STEPS);
    grows(&(0..=STEPS).map(step).collect::<Vec<f64>>())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_lie_between_neighbours() {
        let strata = strata(&[0.5, 0.1, 0.9, 0.5]).unwrap();
        assert_eq!(strata.len(), 6);
        assert!(strata[..4].iter().all(|stratum| stratum.is_point()));
        for seed in 0..20 {
            assert!((0.1..0.5).contains(&strata[4].distance(seed)));
            assert_eq!(strata[1].distance(seed), 0.1);
        }
    }

    #[test]
    fn steep_places_have_their_probability() {
        let promise = |d: f64| Bounds::exact(Probability::saturating(1.0 - d).all(8).any(16));
        let places = steep(&[0.1, 0.4], &promise).unwrap();
        // The last distance, too, where the promise is between 0.3 and 0.1.
        assert_eq!((places.len(), places[5]), (6, 0.4));
        for (place, p) in places.iter().zip([0.97, 0.9, 0.7, 0.5, 0.3]) {
            assert!((middle(promise(*place)) - p).abs() < 1e-9);
        }
    }
}
