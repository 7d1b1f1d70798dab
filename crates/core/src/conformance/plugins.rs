//! A whole plugin, by the specimens of its distance.

use super::{
    Effort, Measurement, Report, Violation, dependence,
    evidence::{PART, RECALL},
    kinds, recalls,
    run::{Functions, Run, Visit, enough},
    seeds::{Answers, sensitive},
    sources::{self, Sources},
    strata::{Promise, middle_distance, monotone},
};
use crate::{
    Banding, Bounds, Items, Metric, Probability, Scheme, Step,
    plugin::{
        Distance, Family, ItemOf, ItemsOf, KeyFamily, Kind, KindOf, Proposal, Recall, Specimens,
        Task,
    },
    random,
};

/// The places between 0 and the farthest distance at which a promise is noted.
const PLACES: u32 = 100;
/// Functions that are drawn at once, one band each.
const FUNCTIONS: u32 = 64;

/// What was checked of a plugin, and what was measured.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// What was measured; empty if nothing is promised.
    pub report: Report,
    /// The scheme that was measured; `None` if nothing is promised for any.
    pub scheme: Option<Scheme>,
    /// The largest distance that was tested.
    pub farthest: f64,
    /// What is promised for the scheme, at equal steps from distance 0 to the farthest; empty if nothing is.
    pub promise: Vec<Bounds>,
    /// What a plan whose recall was measured on a sample finds of all pairs within its limit, compared with what it
    /// states; `None` if the family makes no such plan.
    pub recall: Option<Measurement>,
}

/// Checks a plugin [quickly](Effort::QUICK): its kind, its distance and its family, with their default parameters.
///
/// Items come from [`Distance::specimens`]. The kind must read back what it shows and encodes, and give equal items
/// equal bytes. The metric must keep the axioms that it claims. The family must keep its promise: one function (if it can
/// be drawn in bands of one function), 16 bands of 8 rows (or the scheme that it proposes), and the recall that it
/// proposes, proved or measured on a sample. A family that promises nothing is checked for keys and bands within bounds,
/// for seeds that repeat and of which either all bits matter or none does, and for the recall that it proposes.
///
/// # Errors
/// The first thing that is wrong.
pub fn plugin<F: Family>() -> Result<Checked, Violation> {
    plugin_with::<F>(Effort::QUICK, 0)
}

/// [`plugin`] with another effort and seed.
///
/// # Errors
/// The first thing that is wrong.
pub fn plugin_with<F: Family>(effort: Effort, seed: u64) -> Result<Checked, Violation> {
    let specimens = specimens::<F::Distance>(seed)?;
    let distance = F::Distance::default();
    let metric = distance.metric()?;
    let items = kinds::items::<F::Distance>(specimens, seed)?;
    let width = KindOf::<F::Distance>::width(&items);
    let task = task::<F::Distance>(specimens.farthest());
    // Most families for teaching, and those that promise nothing, propose nothing. Some want a scheme to be given.
    let proposal = F::default()
        .propose(&distance, &items, &task)
        .ok()
        .flatten();
    let parameters = proposal
        .as_ref()
        .map_or_else(F::default, |it| it.parameters.clone());
    let keys = parameters.keys(&distance, width)?;
    let scheme = scheme_for(&keys, &parameters, proposal.as_ref());
    let sources_under =
        |scheme: &Scheme, seed: u64, items: [&ItemOf<F::Distance>; 2], all: bool| {
            sources::keyed(&keys.source(scheme, seed)?, items, all)
        };
    let subject = Subject {
        effort,
        seed,
        distances: distances(specimens.farthest(), F::Distance::MEASURES[0].is_whole),
        visit: &|wanted, seed, take| {
            let pair = specimens.pair(wanted, seed);
            let [a, b] = [0, 1].map(|place| metric.prepare(pair.item(place)));
            take(metric.distance(&a, &b), pair.item(0), pair.item(1));
        },
        sources: &sources_under,
        promise: &|scheme, distance| keys.promise(scheme, distance),
    };
    let mut checked = Checked {
        farthest: specimens.farthest(),
        ..Checked::default()
    };
    checked.recall = calibrated::<F>(specimens, &task, (effort, seed))?;
    if subject.promise_of(&scheme).is_none() {
        subject.without_promise(&scheme)?;
        return Ok(checked);
    }
    let step = |place| specimens.farthest() * f64::from(place) / f64::from(PLACES);
    let promised = |place| {
        keys.promise(&scheme, step(place))
            .unwrap_or(Bounds::ANYTHING)
    };
    checked.promise = (0..=PLACES).map(promised).collect();
    let functions = subject.functions(&scheme)?;
    checked.report = subject.scheme(&scheme)?;
    if let Some(functions) = functions {
        checked.report.functions = functions.functions;
        checked.report.pairs = functions.pairs;
    }
    if let Some(Proposal {
        scheme: proposed,
        recall: Recall::Proved(stated),
        ..
    }) = &proposal
    {
        subject.recall(proposed, task.limit, *stated)?;
    }
    checked.scheme = Some(scheme);
    Ok(checked)
}

/// Pairs that a plan is made for and measured on, per draw of functions.
const PAIRS_PER_DRAW: f64 = 1.6;

/// What a plan that was calibrated on items finds among them, compared with what it states; `None` if the family does
/// not calibrate.
fn calibrated<F: Family>(
    specimens: Specimens<ItemsOf<F::Distance>>,
    task: &Task,
    (effort, seed): (Effort, u64),
) -> Result<Option<Measurement>, Violation> {
    let distance = F::Distance::default();
    let pairs = (PAIRS_PER_DRAW * f64::from(effort.draws())) as u64;
    // Half of the pairs lie within the limit.
    let items =
        kinds::items_within::<F::Distance>(specimens, 2.0 * task.limit, pairs.max(2), seed)?;
    let proposed = F::default().propose(&distance, &items, task).ok().flatten();
    let Some(Proposal {
        parameters,
        scheme,
        recall: recall @ Recall::Calibrated { .. },
        ..
    }) = proposed
    else {
        return Ok(None);
    };
    let keys = parameters.keys(&distance, KindOf::<F::Distance>::width(&items))?;
    let near = recalls::near::<F::Distance>(&distance.metric()?, &items, task.limit);
    let meet = |seed: u64| {
        let source = keys.source(&scheme, seed)?;
        let met = |&[a, b]: &[usize; 2]| {
            let pair = [items.item(a), items.item(b)];
            Ok(sources::keyed(&source, pair, false)?.meets())
        };
        near.iter().map(met).collect()
    };
    let measured = recalls::check(recall, (task.limit, near.len()), (effort, seed), &meet)?;
    Ok(Some(measured))
}

/// The specimens of a distance whose kind and axioms are right.
pub(super) fn specimens<D: Distance>(seed: u64) -> Result<Specimens<ItemsOf<D>>, Violation> {
    let none = Violation::NoSpecimens(KindOf::<D>::NAME);
    let specimens = D::specimens().ok_or(none)?;
    kinds::check::<D>(specimens, seed)?;
    kinds::axioms_of::<D>(specimens, seed)?;
    Ok(specimens)
}

/// What families and methods are asked to do: items at a fifth of the farthest distance must be found, by name.
pub(super) fn task<D: Distance>(farthest: f64) -> Task {
    let limit = farthest / 5.0;
    let limit = if D::MEASURES[0].is_whole {
        limit.floor()
    } else {
        limit
    };
    let mut task = Task::new(limit, (2.5 * limit).max(limit + 1e-9));
    task.is_named = true;
    task.recall = 0.9;
    task
}

/// The distances to test: near 0, near the farthest, and between.
fn distances(farthest: f64, is_whole: bool) -> Vec<f64> {
    let shares = super::DISTANCES.iter().map(|share| share * farthest);
    let distances = shares.map(|distance| if is_whole { distance.round() } else { distance });
    let mut distances: Vec<f64> = distances.collect();
    distances.dedup();
    distances
}

/// 16 bands of 8 rows if the family promises something for them, or else what the parameters imply or it proposes.
fn scheme_for<F: Family>(keys: &F::Keys, parameters: &F, proposal: Option<&Proposal<F>>) -> Scheme {
    let usual = Banding::new(16, 8).expect("16 × 8").scheme();
    let is_taken = keys.source(&usual, 0).is_ok() && keys.promise(&usual, 0.0).is_some();
    let proposed = proposal.map(|it| it.scheme.clone());
    match is_taken {
        true => usual,
        false => parameters.scheme().or(proposed).unwrap_or(usual),
    }
}

/// Bounds on the probability that items at a distance meet under a scheme.
type Promised<'a> = dyn Fn(&Scheme, f64) -> Option<Bounds> + 'a;
/// The keys of two items under a scheme and a seed.
type Under<'a, I> = dyn Fn(&Scheme, u64, [&I; 2], bool) -> Result<sources::Keyed, Violation> + 'a;

/// A family without its type, so that its checks are compiled once per kind of item.
struct Subject<'a, I: ?Sized> {
    effort: Effort,
    seed: u64,
    distances: Vec<f64>,
    visit: &'a Visit<'a, I>,
    sources: &'a Under<'a, I>,
    promise: &'a Promised<'a>,
}

impl<I: ?Sized> Subject<'_, I> {
    fn run<'b>(&'b self, distances: &'b [f64]) -> Run<'b, I> {
        Run {
            visit: self.visit,
            distances,
            effort: self.effort,
            seed: self.seed,
            share: PART,
        }
    }

    fn promise_of(&self, scheme: &Scheme) -> Option<Bounds> {
        (self.promise)(scheme, self.distances[0])
    }

    fn promised(&self, scheme: &Scheme, distance: f64) -> Bounds {
        (self.promise)(scheme, distance).unwrap_or(Bounds::ANYTHING)
    }

    /// Keys within bounds, and a seed that repeats, if the scheme can be drawn at all.
    fn without_promise(&self, scheme: &Scheme) -> Result<(), Violation> {
        let sources: &Sources<'_, I> = &|seed, items, all| (self.sources)(scheme, seed, items, all);
        sources::seeds(&self.run(&self.distances), sources, None)
    }

    fn scheme(&self, scheme: &Scheme) -> Result<Report, Violation> {
        let sources: &Sources<'_, I> = &|seed, items, all| (self.sources)(scheme, seed, items, all);
        let promise = |distance| self.promised(scheme, distance);
        sources::check(&self.run(&self.distances), sources, &promise)
    }

    /// One function in each band, if the family can be drawn so.
    fn functions(&self, scheme: &Scheme) -> Result<Option<Functions>, Violation> {
        let one = Scheme::default();
        let each = Scheme::new([Step::Or(FUNCTIONS)]).expect("an OR");
        let is_drawn = {
            let mut is_drawn = false;
            (self.visit)(self.distances[0], self.seed, &mut |_, a, b| {
                let mut bands = Vec::new();
                let drawn = (self.sources)(&each, self.seed, [a, b], false);
                let shared = drawn.map(|keyed| keyed.shared(&mut bands));
                is_drawn = shared.is_ok() && bands.len() == FUNCTIONS as usize;
            });
            is_drawn
        };
        if !is_drawn || self.promise_of(&one).is_none() {
            return Ok(None);
        }
        let promise = |distance| self.promised(&one, distance);
        let promise: &Promise<'_> = &promise;
        monotone(&self.distances, promise)?;
        let agree = |seed: u64, a: &I, b: &I, agreements: &mut Vec<bool>| {
            (self.sources)(&each, seed, [a, b], false)?.shared(agreements);
            Ok(())
        };
        let middle = middle_distance(&self.distances, promise);
        if (0.01..0.99).contains(&super::strata::middle(promise(middle))) {
            sensitive(self.visit, middle, self.seed, &|seed, a, b| {
                let mut agreements = Vec::new();
                agree(seed, a, b, &mut agreements)?;
                Ok(Answers::of_agreements(&agreements))
            })?;
        }
        let measured = self.run(&self.distances).functions(promise, &agree)?;
        let claims_independence = self.distances.iter().all(|&distance| {
            let independent = scheme.bounds(self.promised(&one, distance));
            self.promised(scheme, distance) == independent
        });
        if claims_independence {
            dependence::check(&measured.samples)?;
        }
        enough(&measured.functions, self.effort.needed_of_functions())?;
        Ok(Some(measured))
    }

    /// What a proposal finds within the limit, but near it, is at least what it states.
    fn recall(&self, scheme: &Scheme, limit: f64, stated: f64) -> Result<(), Violation> {
        let stated_of = Probability::saturating(stated);
        let promised = Bounds::new(stated_of, Probability::CERTAIN)?;
        let promise = |distance| {
            if distance <= limit {
                promised
            } else {
                Bounds::ANYTHING
            }
        };
        let distances = [self.within(limit)];
        let sources: &Sources<'_, I> = &|seed, items, all| (self.sources)(scheme, seed, items, all);
        let run = Run {
            share: RECALL,
            ..self.run(&distances)
        };
        match sources::measured(&run, sources, &promise) {
            Err(
                Violation::Scheme(measured)
                | Violation::Reverse(measured)
                | Violation::SchemePair(measured),
            ) => Err(Violation::Recall { stated, measured }),
            other => other.map(drop),
        }
    }

    /// The largest distance to ask for if most pairs should lie within a limit: some lie farther apart than asked for.
    fn within(&self, limit: f64) -> f64 {
        const PAIRS: u64 = 32;
        let is_within = |&wanted: &f64| {
            let mut within = 0;
            for pair in 0..PAIRS {
                let seed = random::derive(self.seed, pair);
                (self.visit)(wanted, seed, &mut |distance, _, _| {
                    within += u64::from(distance <= limit);
                });
            }
            within > PAIRS / 2
        };
        let shares = (1..=20)
            .rev()
            .map(|twentieths| limit * f64::from(twentieths) / 20.0);
        shares.into_iter().find(is_within).unwrap_or(0.0)
    }
}
