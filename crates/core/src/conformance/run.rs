//! Draws of functions and schemes, on pairs that change and on pairs that stay.

use super::{
    Effort, Measurement, Violation,
    dependence::Sample,
    evidence::{Level, Rates},
    measurement::steepest,
    strata::{Promise, Stratum, steep, strata},
};
use crate::random;

/// Takes a pair with the distance that was measured.
pub(super) type Take<'a, I> = dyn FnMut(f64, &I, &I) + 'a;
/// Hands a pair at about a distance, made from a seed, to a function.
pub(super) type Visit<'a, I> = dyn Fn(f64, u64, &mut Take<'_, I>) + 'a;
/// Takes the distance of a pair, the seed of a draw, and the pair.
type TakeDraw<'a, I> = dyn FnMut(f64, u64, &I, &I) -> Result<(), Violation> + 'a;
/// Whether two items agree on each of the functions that a seed gives.
pub(super) type Agree<'a, I> = dyn Fn(u64, &I, &I, &mut Vec<bool>) -> Result<(), Violation> + 'a;
/// Whether the second item, asked for, meets the first under the keys that a seed gives, and the other way round.
pub(super) type Meet<'a, I> = dyn Fn(u64, &I, &I) -> Result<[bool; 2], Violation> + 'a;

/// A run: pairs, distances, how much to draw, and the seed that everything comes from.
pub(super) struct Run<'a, I: ?Sized> {
    pub(super) visit: &'a Visit<'a, I>,
    pub(super) distances: &'a [f64],
    pub(super) effort: Effort,
    pub(super) seed: u64,
    /// The share of the budget of false alarms that each part has.
    pub(super) share: f64,
}

/// Streams of a run's seed, one for each part.
const NEW_PAIRS: u64 = 1 << 32;
const ONE_PAIR: u64 = 2 << 32;
const SCHEMES: u64 = 3 << 32;
const SCHEME_PAIR: u64 = 4 << 32;

/// What was measured of one function.
pub(super) struct Functions {
    pub(super) functions: Vec<Measurement>,
    pub(super) pairs: Vec<Measurement>,
    pub(super) samples: Vec<Sample>,
}

impl<I: ?Sized> Run<'_, I> {
    /// Calls `take` with the distance and the seed of each draw, and a pair: a new one for every draw, or one for all of
    /// them.
    fn draws(
        &self,
        (part, place): (u64, usize),
        stratum: Stratum,
        draws: u32,
        take: &mut TakeDraw<'_, I>,
    ) -> Result<(), Violation> {
        let seed = random::derive(self.seed, part + place as u64);
        let own = |draw: u32| random::derive(seed, draw.into());
        let function = |draw| random::derive(own(draw), 2);
        let mut taken = Ok(());
        if matches!(part, ONE_PAIR | SCHEME_PAIR) {
            let wanted = stratum.distance(seed);
            (self.visit)(wanted, random::derive(seed, 1), &mut |distance, a, b| {
                taken = (0..draws).try_for_each(|draw| take(distance, function(draw), a, b));
            });
            return taken;
        }
        for draw in 0..draws {
            let wanted = stratum.distance(own(draw));
            let pair = random::derive(own(draw), 1);
            (self.visit)(wanted, pair, &mut |distance, a, b| {
                taken = take(distance, function(draw), a, b);
            });
            if taken.is_err() {
                break;
            }
        }
        taken
    }

    /// One function, on new pairs and on one pair per distance.
    pub(super) fn functions(
        &self,
        promise: &Promise<'_>,
        agree: &Agree<'_, I>,
    ) -> Result<Functions, Violation> {
        let strata = strata(self.distances)?;
        let level = Level::with_share(self.share, 2 * strata.len());
        let mut measured = Functions {
            functions: Vec::new(),
            pairs: Vec::new(),
            samples: Vec::new(),
        };
        let draws = self.effort.draws();
        let mut answers = Vec::new();
        let mut rate = |place, part, stratum, sample: &mut Option<Sample>| {
            let mut rates = None;
            self.draws(
                (part, place),
                stratum,
                draws,
                &mut |distance, seed, a, b| {
                    answers.clear();
                    agree(seed, a, b, &mut answers)?;
                    let agreed = answers.iter().filter(|agrees| **agrees).count();
                    let rates = rates.get_or_insert_with(|| Rates::new(answers.len()));
                    let share = agreed as f64 / answers.len().max(1) as f64;
                    rates.add(distance, promise(distance), share);
                    if let Some(sample) = sample {
                        sample.rows.push(answers.clone());
                    }
                    Ok(())
                },
            )?;
            let evidence = rates.ok_or(Violation::NothingTested)?.evidence(level);
            Ok::<_, Violation>((Measurement::new(&evidence), evidence.is_kept))
        };
        for (place, &stratum) in strata.iter().enumerate() {
            let (measurement, is_kept) = rate(place, NEW_PAIRS, stratum, &mut None)?;
            if !is_kept {
                return Err(Violation::Function(measurement));
            }
            measured.functions.push(measurement);
        }
        self.follows_distances(&strata, &measured.functions)?;
        for (place, &stratum) in strata.iter().enumerate() {
            let mut sample = Some(Sample::default());
            let (measurement, is_kept) = rate(place, ONE_PAIR, stratum, &mut sample)?;
            if !is_kept {
                return Err(Violation::Pair(measurement));
            }
            measured.pairs.push(measurement);
            measured.samples.extend(sample);
        }
        Ok(measured)
    }

    /// A scheme, asked in both directions: many draws where its promise is steep, some at all distances.
    pub(super) fn scheme(
        &self,
        promise: &Promise<'_>,
        meet: &Meet<'_, I>,
    ) -> Result<Vec<Measurement>, Violation> {
        let strata = strata(self.distances)?;
        let steep = steep(self.distances, promise)?;
        // Two directions; at steep places also one pair that stays.
        let level = Level::with_share(self.share, 2 * strata.len() + 4 * steep.len());
        let flat = strata.iter().map(|&stratum| (stratum, self.effort.flat()));
        let steep_strata: Vec<Stratum> = steep.into_iter().map(Stratum::point).collect();
        let steep = steep_strata
            .iter()
            .map(|&stratum| (stratum, self.effort.steep()));
        let mut measured = Vec::new();
        let rate = |place, part, stratum, draws| {
            let mut rates = [Rates::new(1), Rates::new(1)];
            self.draws(
                (part, place),
                stratum,
                draws,
                &mut |distance, seed, a, b| {
                    let promised = promise(distance);
                    for (rates, is_met) in rates.iter_mut().zip(meet(seed, a, b)?) {
                        rates.add(distance, promised, f64::from(u8::from(is_met)));
                    }
                    Ok(())
                },
            )?;
            Ok::<_, Violation>(rates.map(|rates| rates.evidence(level)))
        };
        for (place, (stratum, draws)) in flat.chain(steep).enumerate() {
            let evidence = rate(place, SCHEMES, stratum, draws)?;
            let violations = [Violation::Scheme, Violation::Reverse];
            for (evidence, violation) in evidence.iter().zip(violations) {
                let measurement = Measurement::new(evidence);
                if !evidence.is_kept {
                    return Err(violation(measurement));
                }
                measured.push(measurement);
            }
            if place + 1 == strata.len() {
                let forth: Vec<Measurement> = measured.iter().step_by(2).copied().collect();
                self.follows_distances(&strata, &forth)?;
            }
        }
        for (place, &stratum) in steep_strata.iter().enumerate() {
            let evidence = rate(place, SCHEME_PAIR, stratum, self.effort.steep() / 2)?;
            if let Some(broken) = evidence.iter().find(|evidence| !evidence.is_kept) {
                return Err(Violation::SchemePair(Measurement::new(broken)));
            }
        }
        Ok(measured)
    }

    /// Refuses pairs that lie at one distance although several were asked for.
    fn follows_distances(
        &self,
        strata: &[Stratum],
        measured: &[Measurement],
    ) -> Result<(), Violation> {
        let all_at = |at: &[f64]| at.windows(2).all(|pair| pair[0] == pair[1]);
        let points = strata.iter().zip(measured);
        let points = points.filter(|(stratum, _)| stratum.is_point());
        let lie_at: Vec<f64> = points
            .map(|(_, measurement)| measurement.distance)
            .collect();
        match all_at(&lie_at) && !all_at(self.distances) {
            true => Err(Violation::OneDistance(lie_at[0])),
            false => Ok(()),
        }
    }
}

/// Refuses measurements that would not have seen an error of `needed` where the promise is steep, or of 0.3 if it is steep
/// nowhere.
pub(super) fn enough(measured: &[Measurement], needed: f64) -> Result<(), Violation> {
    const FLAT: f64 = 0.3;
    let Some(at) = steepest(measured) else {
        return Ok(());
    };
    let needed = if at.is_steep() {
        needed
    } else {
        needed.max(FLAT)
    };
    match at.detectable > needed {
        true => Err(Violation::TooFew {
            detectable: at.detectable,
            needed,
            at: *at,
        }),
        false => Ok(()),
    }
}
