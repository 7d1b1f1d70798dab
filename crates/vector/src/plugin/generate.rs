use lookalike_core::{
    Pair,
    plugin::{Error, Generated, Generator, Group},
};
use serde::{Deserialize, Serialize};

use super::Vector;
use crate::{Vectors, generate};

/// Random vectors, some of them with a neighbour at a given angle or distance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VectorPairs {
    /// Numbers of a vector.
    pub dimensions: usize,
    /// The angles, in degrees.
    pub angles: Vec<f64>,
    /// The Euclidean distances.
    pub euclidean: Vec<f64>,
    /// The Manhattan distances.
    pub manhattan: Vec<f64>,
    /// Pairs per angle or distance.
    pub each: usize,
    /// Vectors without a neighbour.
    pub others: usize,
    /// What the vectors are drawn from.
    pub seed: u64,
}

impl Default for VectorPairs {
    fn default() -> Self {
        Self {
            dimensions: 100,
            angles: vec![5.0, 10.0, 20.0, 30.0, 45.0, 60.0, 80.0],
            euclidean: Vec::new(),
            manhattan: Vec::new(),
            each: 20,
            others: 500,
            seed: 0,
        }
    }
}

/// How a neighbour is made.
#[derive(Clone, Copy)]
enum Near {
    Angle(f64),
    Euclidean(f64),
    Manhattan(f64),
}

impl Near {
    fn name(self) -> String {
        match self {
            Self::Angle(degrees) => format!("{degrees} degrees"),
            Self::Euclidean(distance) => format!("Euclidean {distance}"),
            Self::Manhattan(distance) => format!("Manhattan {distance}"),
        }
    }

    fn check(self) -> Result<(), Error> {
        let (name, distance) = match self {
            Self::Angle(_) => return Ok(()),
            Self::Euclidean(distance) => ("euclidean", distance),
            Self::Manhattan(distance) => ("manhattan", distance),
        };
        if distance >= 0.0 && distance.is_finite() {
            return Ok(());
        }
        let error = crate::Error::parameter(name, distance, "0 or more");
        Err(error.into())
    }
}

impl VectorPairs {
    fn wanted(&self) -> impl Iterator<Item = Near> + '_ {
        let angles = self.angles.iter().copied().map(Near::Angle);
        let euclidean = self.euclidean.iter().copied().map(Near::Euclidean);
        let manhattan = self.manhattan.iter().copied().map(Near::Manhattan);
        angles.chain(euclidean).chain(manhattan)
    }
}

impl Generator for VectorPairs {
    const NAME: &'static str = "pairs";
    const SUMMARY: &'static str =
        "random vectors, some of them with neighbours at given angles or distances";
    type Kind = Vector;

    fn generate(&self) -> Result<Generated<Vectors>, Error> {
        let near = (2 * self.wanted().count() as u64).saturating_mul(self.each as u64);
        let all = near.saturating_add(self.others as u64);
        Generated::<Vectors>::check_size(all, self.dimensions as u64)?;
        self.wanted().try_for_each(Near::check)?;
        let vectors = Vectors::new(self.dimensions);
        let mut made =
            Generated::new(vectors.map_err(|error| Error::from(error).about("dimensions"))?);
        let mut rng = generate::stream(self.seed, 0);
        let push = |vectors: &mut Vectors, vector: &[f64]| {
            let numbers: Vec<f32> = vector.iter().map(|&number| number as f32).collect();
            vectors.push(&numbers)
        };
        for _ in 0..self.others {
            push(
                &mut made.items,
                &generate::normal(self.dimensions, &mut rng),
            )?;
        }
        for (number, near) in (1..).zip(self.wanted()) {
            let mut rng = generate::stream(self.seed, number);
            let mut pairs = Vec::with_capacity(self.each);
            for _ in 0..self.each {
                let one = generate::normal(self.dimensions, &mut rng);
                let other = match near {
                    Near::Angle(degrees) => generate::at_angle(&one, degrees, &mut rng)?,
                    Near::Euclidean(it) => generate::at_euclidean(&one, it, &mut rng),
                    Near::Manhattan(it) => generate::at_manhattan(&one, it, &mut rng),
                };
                let first = made.items.len() as u32;
                push(&mut made.items, &one)?;
                push(&mut made.items, &other)?;
                pairs.push(Pair::ordered(first, first + 1));
            }
            let name = near.name();
            made.groups.push(Group { name, pairs });
        }
        Ok(made)
    }
}

/// Vectors around centres, as embeddings are. See [`generate::clustered`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct VectorClusters {
    /// Numbers of a vector.
    pub dimensions: usize,
    /// The number of vectors.
    pub count: usize,
    /// The number of centres.
    pub clusters: usize,
    /// The standard deviation of each number around that of the centre; centres have 1.
    pub spread: f64,
    /// What the vectors are drawn from.
    pub seed: u64,
}

impl Default for VectorClusters {
    fn default() -> Self {
        Self {
            dimensions: 100,
            count: 2000,
            clusters: 400,
            spread: 0.3,
            seed: 0,
        }
    }
}

impl Generator for VectorClusters {
    const NAME: &'static str = "clusters";
    const SUMMARY: &'static str = "vectors around centres, as embeddings are";
    type Kind = Vector;

    fn generate(&self) -> Result<Generated<Vectors>, Error> {
        let dimensions = self.dimensions as u64;
        Generated::<Vectors>::check_size(self.count as u64, dimensions)?;
        // The centres are held too.
        Generated::<Vectors>::check_size(self.clusters.max(1) as u64, dimensions)
            .map_err(|error| error.about("clusters"))?;
        let made = generate::clustered(
            self.dimensions,
            self.count,
            self.clusters,
            self.spread,
            self.seed,
        );
        let (items, labels) = made.map_err(|error| match error {
            crate::Error::Dimensions(_) => Error::from(error).about("dimensions"),
            other => other.into(),
        })?;
        let mut made = Generated::new(items);
        made.labels = labels;
        Ok(made)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Angle, Euclidean, Manhattan};
    use lookalike_core::Metric;

    #[test]
    fn neighbours_are_at_their_distance() {
        for dimensions in [2, 3, 10, 784] {
            let pairs = VectorPairs {
                dimensions,
                angles: vec![0.0, 1.0, 60.0, 180.0],
                euclidean: vec![0.5, 3.0],
                manhattan: vec![0.5, 3.0],
                each: 3,
                others: 2,
                seed: 5,
            };
            let made = pairs.generate().unwrap();
            assert_eq!((made.items.len(), made.groups.len()), (2 + 8 * 2 * 3, 8));
            for group in &made.groups {
                for pair in &group.pairs {
                    let [a, b] = [pair.a(), pair.b()].map(|id| made.items.get(id as usize));
                    fn measured<M: Metric<Item = [f32]>>(m: M, a: &[f32], b: &[f32]) -> f64 {
                        m.distance(&m.prepare(a), &m.prepare(b))
                    }
                    let (found, wanted) = match group.name.split_once(' ').unwrap() {
                        ("Euclidean", d) => (measured(Euclidean::default(), a, b), d),
                        ("Manhattan", d) => (measured(Manhattan::default(), a, b), d),
                        (d, _) => (measured(Angle::default(), a, b), d),
                    };
                    let wanted: f64 = wanted.parse().unwrap();
                    assert!((found - wanted).abs() < 1e-3, "{}: {found}", group.name);
                }
            }
        }
    }

    #[test]
    fn what_is_wrong_is_named() {
        fn wrong(generator: impl Generator) -> Option<String> {
            let error = generator.generate().err().unwrap();
            error.parameter().map(str::to_owned)
        }
        let pairs = |change: fn(&mut VectorPairs)| {
            let mut pairs = VectorPairs::default();
            change(&mut pairs);
            wrong(pairs)
        };
        assert_eq!(pairs(|it| it.dimensions = 0).unwrap(), "dimensions");
        assert_eq!(pairs(|it| it.angles = vec![200.0]).unwrap(), "angles");
        assert_eq!(pairs(|it| it.dimensions = 1).unwrap(), "angles");
        assert_eq!(pairs(|it| it.euclidean = vec![-1.0]).unwrap(), "euclidean");
        assert_eq!(
            pairs(|it| it.manhattan = vec![f64::NAN]).unwrap(),
            "manhattan"
        );
        assert_eq!(pairs(|it| it.others = 4_000_000_000), None);
        let clusters = |change: fn(&mut VectorClusters)| {
            let mut clusters = VectorClusters::default();
            change(&mut clusters);
            wrong(clusters)
        };
        assert_eq!(clusters(|it| it.dimensions = 0).unwrap(), "dimensions");
        assert_eq!(clusters(|it| it.spread = -0.1).unwrap(), "spread");
        assert_eq!(
            clusters(|it| it.clusters = 4_000_000_000).unwrap(),
            "clusters"
        );
    }

    #[test]
    fn value_stability() {
        let pairs = VectorPairs {
            dimensions: 3,
            angles: vec![30.0],
            each: 1,
            others: 1,
            ..VectorPairs::default()
        };
        let made = pairs.generate().unwrap();
        assert_eq!(made.groups[0].pairs, [Pair::ordered(1, 2)]);
        let expected = [
            [0.59312886, 0.70401454, 0.31440642],
            [0.19816582, -1.203465, -0.67047805],
            [0.25230765, -1.3684492, 0.028738305],
        ];
        assert_eq!(made.items.numbers(), expected.as_flattened());
        let clusters = VectorClusters::default().generate().unwrap();
        assert_eq!(clusters.items.len(), 2000);
        assert_eq!(clusters.items.get(1999)[99], -1.517077);
    }
}
