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
/// What one draw says of any two items.
pub(super) type Ask<'a, I, T> = Box<dyn FnMut(&I, &I) -> Result<T, Violation> + 'a>;
/// Draws from a seed, to ask about items.
pub(super) type Draw<'a, I, T> = dyn Fn(u64) -> Result<Ask<'a, I, T>, Violation> + 'a;
/// Whether two items agree on each of the functions.
pub(super) type Agree<'a, I> = Draw<'a, I, Vec<bool>>;
/// Whether the second item, asked for, meets the first, and the other way round.
pub(super) type Meet<'a, I> = Draw<'a, I, [bool; 2]>;

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
const STEEP_SCHEMES: u64 = 6 << 32;
/// For recalls.
pub(super) const RECALLS: u64 = 5 << 32;

/// What was measured of one function.
pub(super) struct Functions {
    pub(super) functions: Vec<Measurement>,
    pub(super) pairs: Vec<Measurement>,
    pub(super) samples: Vec<Sample>,
}

impl<I: ?Sized> Run<'_, I> {
    /// Calls `take` with the place of a stratum, the distance of a new pair in it, and what a draw says of the pair. All
    /// strata share the draws, since each is a test of its own; so there are `draws` of them, and not that many for each.
    fn new_pairs<T>(
        &self,
        part: u64,
        strata: &[Stratum],
        draws: u32,
        draw: &Draw<'_, I, T>,
        take: &mut dyn FnMut(usize, f64, T),
    ) -> Result<(), Violation> {
        for number in 0..draws {
            let own = random::derive(random::derive(self.seed, part), number.into());
            let mut ask = draw(random::derive(own, 2))?;
            for (place, stratum) in strata.iter().enumerate() {
                let pair = random::derive(own, 3 + place as u64);
                let mut said = Ok(());
                (self.visit)(stratum.distance(pair), pair, &mut |distance, a, b| {
                    said = ask(a, b).map(|said| take(place, distance, said));
                });
                said?;
            }
        }
        Ok(())
    }

    /// Calls `take` with the distance of one pair of a stratum, and what each of many draws says of it.
    fn one_pair<T>(
        &self,
        (part, place): (u64, usize),
        stratum: Stratum,
        draws: u32,
        draw: &Draw<'_, I, T>,
        take: &mut dyn FnMut(f64, T),
    ) -> Result<(), Violation> {
        let seed = random::derive(self.seed, part + place as u64);
        let mut said = Ok(());
        let wanted = stratum.distance(seed);
        (self.visit)(wanted, random::derive(seed, 1), &mut |distance, a, b| {
            said = (0..draws).try_for_each(|number| {
                let own = random::derive(seed, number.into());
                let mut ask = draw(random::derive(own, 2))?;
                take(distance, ask(a, b)?);
                Ok(())
            });
        });
        said
    }

    /// One function, on new pairs and on one pair per distance.
    pub(super) fn functions(
        &self,
        promise: &Promise<'_>,
        agree: &Agree<'_, I>,
    ) -> Result<Functions, Violation> {
        let strata = strata(self.distances)?;
        let level = Level::with_share(self.share, 2 * strata.len());
        let draws = self.effort.draws();
        let add = |rates: &mut Option<Rates>, distance: f64, answers: &[bool]| {
            let agreed = answers.iter().filter(|agrees| **agrees).count();
            let share = agreed as f64 / answers.len().max(1) as f64;
            let rates = rates.get_or_insert_with(|| Rates::new(answers.len()));
            rates.add(distance, promise(distance), share);
        };
        let measured = |rates: Option<Rates>, broken: fn(Measurement) -> Violation| {
            let evidence = rates.ok_or(Violation::NothingTested)?.evidence(level);
            let measurement = Measurement::new(&evidence);
            match evidence.is_kept {
                true => Ok(measurement),
                false => Err(broken(measurement)),
            }
        };
        let mut rates = vec![None; strata.len()];
        self.new_pairs(
            NEW_PAIRS,
            &strata,
            draws,
            agree,
            &mut |place, distance, answers| {
                add(&mut rates[place], distance, &answers);
            },
        )?;
        let new = rates
            .into_iter()
            .map(|rates| measured(rates, Violation::Function));
        let functions = new.collect::<Result<Vec<Measurement>, Violation>>()?;
        self.follows_distances(&strata, &functions)?;
        let (mut pairs, mut samples) = (Vec::new(), Vec::new());
        for (place, &stratum) in strata.iter().enumerate() {
            let (mut rates, mut sample) = (None, Sample::default());
            // Functions of their own: dependence is summed over the strata.
            let part = (ONE_PAIR, place);
            self.one_pair(part, stratum, draws, agree, &mut |distance, answers| {
                add(&mut rates, distance, &answers);
                sample.rows.push(answers);
            })?;
            pairs.push(measured(rates, Violation::Pair)?);
            samples.push(sample);
        }
        Ok(Functions {
            functions,
            pairs,
            samples,
        })
    }

    /// A scheme, asked in both directions: many draws where its promise is steep, some at all distances.
    pub(super) fn scheme(
        &self,
        promise: &Promise<'_>,
        meet: &Meet<'_, I>,
    ) -> Result<Vec<Measurement>, Violation> {
        let strata = strata(self.distances)?;
        let steep = steep(self.distances, promise)?;
        let steep: Vec<Stratum> = steep.into_iter().map(Stratum::point).collect();
        // Two directions; at steep places also one pair that stays.
        let level = Level::with_share(self.share, 2 * strata.len() + 4 * steep.len());
        let add = |rates: &mut [Rates; 2], distance: f64, met: [bool; 2]| {
            let promised = promise(distance);
            for (rates, is_met) in rates.iter_mut().zip(met) {
                rates.add(distance, promised, f64::from(u8::from(is_met)));
            }
        };
        let mut measured = Vec::new();
        for (part, strata, draws) in [
            (SCHEMES, &strata, self.effort.flat()),
            (STEEP_SCHEMES, &steep, self.effort.steep()),
        ] {
            let mut rates = vec![[Rates::new(1), Rates::new(1)]; strata.len()];
            self.new_pairs(part, strata, draws, meet, &mut |place, distance, met| {
                add(&mut rates[place], distance, met);
            })?;
            let start = measured.len();
            for rates in rates {
                for (rates, broken) in rates.iter().zip([Violation::Scheme, Violation::Reverse]) {
                    let evidence = rates.evidence(level);
                    let measurement = Measurement::new(&evidence);
                    if !evidence.is_kept {
                        return Err(broken(measurement));
                    }
                    measured.push(measurement);
                }
            }
            if part == SCHEMES {
                let forth = measured[start..].iter().step_by(2).copied();
                self.follows_distances(strata, &forth.collect::<Vec<Measurement>>())?;
            }
        }
        for (place, &stratum) in steep.iter().enumerate() {
            let mut rates = [Rates::new(1), Rates::new(1)];
            let draws = self.effort.steep() / 2;
            let part = (SCHEME_PAIR, place);
            self.one_pair(part, stratum, draws, meet, &mut |distance, met| {
                add(&mut rates, distance, met);
            })?;
            let evidence = rates.map(|rates| rates.evidence(level));
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
