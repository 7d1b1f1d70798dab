use crate::Likeness;

/// Distances in groups: each by itself while there are few, else in steps of equal width.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Bins {
    /// These distances, ascending.
    Points(Vec<f64>),
    /// So many steps of one width, from 0.
    Steps { width: f64, count: usize },
}

/// The most distances that are shown one by one.
const POINTS: usize = 64;
/// Steps, where there are more.
const STEPS: f64 = 20.0;

impl Bins {
    /// For distances in ascending order.
    pub(crate) fn new(likeness: Likeness, distances: impl Iterator<Item = f64>) -> Self {
        let mut points: Vec<f64> = Vec::new();
        let mut largest: f64 = 0.0;
        let mut whole = true;
        for distance in distances {
            if points.len() <= POINTS && points.last() != Some(&distance) {
                points.push(distance);
            }
            largest = largest.max(distance);
            whole &= distance.fract() == 0.0;
        }
        if points.len() <= POINTS {
            return Self::Points(points);
        }
        let width = match (likeness.is_share(), whole) {
            (true, _) => 1.0 / STEPS,
            (false, true) => ((largest + 1.0) / STEPS).ceil(),
            (false, false) => largest * (1.0 + 1e-9) / STEPS,
        };
        let count = (largest / width + 1e-9).floor() as usize + 1;
        Self::Steps { width, count }
    }

    pub(crate) fn len(&self) -> usize {
        match self {
            Self::Points(points) => points.len(),
            Self::Steps { count, .. } => *count,
        }
    }

    /// The group of a distance.
    pub(crate) fn of(&self, distance: f64) -> usize {
        match self {
            Self::Points(points) => {
                let after = points.partition_point(|point| *point < distance);
                let nearer = |a: usize, b: usize| {
                    if (points[a] - distance).abs() <= (points[b] - distance).abs() {
                        a
                    } else {
                        b
                    }
                };
                match after {
                    0 => 0,
                    _ if after == points.len() => after - 1,
                    _ => nearer(after, after - 1),
                }
            }
            // What lies on an edge is of the step that begins there, whatever the last digit says.
            Self::Steps { width, count } => {
                ((distance / width + 1e-9).floor() as usize).min(count - 1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use lookalike_core::plugin::Measure;

    use super::*;

    const HAMMING: Likeness = Likeness::Measured(&Measure::distance("hamming", "Hamming distance"));
    const JACCARD: Likeness =
        Likeness::Measured(&Measure::similarity("jaccard", "Jaccard similarity"));

    #[test]
    fn few_distances_stand_alone() {
        let bins = Bins::new(JACCARD, [0.1, 0.2, 0.2, 1.0].into_iter());
        assert_eq!(bins, Bins::Points(vec![0.1, 0.2, 1.0]));
        assert_eq!(
            [0.0, 0.1, 0.2, 0.7, 2.0].map(|d| bins.of(d)),
            [0, 0, 1, 2, 2]
        );
    }

    #[test]
    fn many_distances_are_in_steps() {
        let bins = Bins::new(JACCARD, (0..=1000).map(|d| f64::from(d) / 1000.0));
        assert_eq!(bins.len(), 21, "1 is a step of its own");
        for (distance, bin) in [
            (0.0, 0),
            (0.05, 1),
            (0.15, 3),
            (0.3, 6),
            (0.999, 19),
            (1.0, 20),
        ] {
            assert_eq!(bins.of(distance), bin, "{distance}");
        }
        let bins = Bins::new(HAMMING, (0..100).map(f64::from));
        assert_eq!(
            bins,
            Bins::Steps {
                width: 5.0,
                count: 20
            }
        );
    }
}
