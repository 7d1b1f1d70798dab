//! What must be found and what should be rare, in the user's numbers and as distances under a promise.

use lookalike::plugin::Measure;
use lookalike::search::Registry;
use lookalike::tune;
use lookalike::{Bounds, Probability, Scheme};

use crate::number;
use crate::options::measure::Near;
use crate::options::{Promised, Promising, Refused};
use crate::usage::Usage;

/// A threshold that must be found, and one that should be rare.
pub(super) struct Wanted<'a> {
    /// As the user states it.
    pub(super) threshold: f64,
    pub(super) rare: f64,
    /// The distances of the two.
    pub(super) near: f64,
    pub(super) far: f64,
    /// That one function agrees at the threshold.
    pub(super) p: Probability,
    pub(super) by: Option<By<'a>>,
}

/// A measure, and the family whose promise is tuned.
pub(super) struct By<'a> {
    pub(super) measure: &'static Measure,
    pub(super) promised: Promised<'a>,
}

impl<'a> Wanted<'a> {
    /// The threshold is the probability that one function agrees.
    pub(super) fn probability(threshold: f64, rare: Option<f64>) -> anyhow::Result<Self> {
        let rare = rare.unwrap_or_else(|| tune::rare_below(threshold));
        if !(0.0..=1.0).contains(&rare) {
            return Err(Usage(format!(
                "--rare {rare} must be a number from 0 to 1, such as {}",
                number::plain(threshold * 0.75)
            ))
            .into());
        }
        let (near, far) = (1.0 - threshold, 1.0 - rare);
        if far <= near {
            return Err(Usage(format!(
                "--rare {rare} must be below --threshold {threshold}, such as {}: \
                 what should be rare is less alike than what must be found",
                number::plain(threshold * 0.75)
            ))
            .into());
        }
        Ok(Self {
            threshold,
            rare,
            near,
            far,
            p: Probability::new(threshold)?,
            by: None,
        })
    }

    /// The threshold is that of a measure, and a family of the measure promises the rest.
    pub(super) fn measured(
        near: Near,
        rare: Option<f64>,
        family: Option<&str>,
        promising: &Promising,
        registry: &'a Registry,
    ) -> anyhow::Result<Self> {
        let measure = near.measure;
        let flag = measure.flag;
        let threshold = near.threshold.unwrap_or_default();
        let limit = measure.limit(threshold)?;
        if limit < 0.0 {
            return Err(Usage(format!(
                "--{flag} {threshold} cannot be tuned: the {} is not a distance. Give --threshold, the probability that one function agrees",
                measure.name
            ))
            .into());
        }
        let rare = rare.unwrap_or_else(|| number::plain(measure.shown(measure.far(threshold))));
        let far = match measure.limit(rare) {
            Ok(far) if far > limit => far,
            // Nothing in common is a similarity that can be rare, though not a threshold.
            Err(_) if measure.is_share() && rare == 0.0 => 1.0,
            _ => {
                let (side, what) = match measure.is_similarity {
                    true => ("below", "less alike"),
                    false => ("above", "farther apart"),
                };
                return Err(Usage(format!(
                    "--rare {rare} must be {side} --{flag} {threshold}: \
                     what should be rare is {what} than what must be found"
                ))
                .into());
            }
        };
        let candidates = match family {
            Some(family) => promising.named(registry, family, Some(measure))?,
            None => promising.measured(registry, measure)?,
        };
        let promised = candidates
            .plainest(limit)
            .map_err(|refused| match refused {
                Refused::Wrong(error) => error,
                Refused::Nothing(_) => Usage(format!(
                    "no family promises anything of bands and rows at --{flag} {threshold}: \
                     `lookalike families` lists what each of them promises"
                ))
                .into(),
            })?;
        let schemes = [&Scheme::default(), &"and:2,or:2".parse()?];
        let promised = promised.settled(&schemes, &[limit, far])?;
        if let Some(largest) = promised
            .item_width
            .and_then(|width| promised.entry.largest(width))
            && limit >= largest
        {
            return Err(Usage(format!(
                "--{flag} {threshold} is met by everything: the largest {} of {} is {}",
                measure.name,
                promised.items(),
                measure.shown(largest)
            ))
            .into());
        }
        let one = promised.bounds(&Scheme::default(), limit);
        Ok(Self {
            threshold,
            rare,
            near: limit,
            far,
            p: one.unwrap_or(Bounds::ANYTHING).lower(),
            by: Some(By { measure, promised }),
        })
    }

    /// What is promised under a scheme at a distance.
    pub(super) fn promise(&self, scheme: &Scheme, distance: f64) -> Bounds {
        match &self.by {
            None => tune::one_minus_distance(scheme, distance),
            Some(by) => {
                let bounds = by.promised.bounds(scheme, distance);
                bounds.unwrap_or(Bounds::ANYTHING)
            }
        }
    }

    /// What the threshold is a number of.
    pub(super) fn name(&self) -> &str {
        self.by.as_ref().map_or("similarity", |by| by.measure.name)
    }

    /// How to ask for less.
    pub(super) fn nearer(&self) -> String {
        match &self.by {
            None => "a higher --threshold".into(),
            Some(by) if by.measure.is_similarity => format!("a higher --{}", by.measure.flag),
            Some(by) => format!("a lower --{}", by.measure.flag),
        }
    }

    /// The numbers around the threshold at which the choice is looked at, with their distances.
    pub(super) fn around(&self) -> Vec<(f64, f64)> {
        let is_share = self.by.as_ref().is_none_or(|by| by.measure.is_share());
        if is_share {
            let nearby = |by: f64| number::plain(self.threshold + by).clamp(0.0, 1.0);
            let mut around = vec![nearby(-0.1), self.threshold, nearby(0.1)];
            around.dedup();
            return around.into_iter().map(|t| (t, 1.0 - t)).collect();
        }
        let is_whole = self.by.as_ref().is_some_and(|by| by.measure.is_whole);
        let between = (self.near + self.far) / 2.0;
        let distances = [self.near / 2.0, self.near, between, self.far];
        let mut distances = match is_whole {
            true => distances.map(f64::round).to_vec(),
            false => distances.to_vec(),
        };
        distances.dedup();
        let shown = |distance: f64| match &self.by {
            Some(by) => number::plain(by.measure.shown(distance)),
            None => distance,
        };
        distances.into_iter().map(|d| (shown(d), d)).collect()
    }
}
