//! A whole plugin, by the specimens of its distance.

use std::fmt;

use super::{
    Effort, Measurement, Report, Violation, dependence,
    evidence::PART,
    kinds, recalls,
    run::{Ask, Functions, RECALLS, Run, Visit, enough},
    seeds::{Answers, sensitive},
    sources::{self, Keyed, Sources},
    strata::{Promise, middle_distance, monotone},
};
use crate::{
    Banding, Bounds, Items, Metric, Scheme, Step,
    plugin::{
        Distance, Family, ItemsOf, KeyFamily, Kind, KindOf, Proposal, Recall, Specimens, Task,
    },
    random,
};

/// The steps from the nearest to the farthest distance at which a promise is noted.
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
    /// The distances between which pairs were made: the nearest is 0 for most.
    pub nearest: f64,
    /// The farthest.
    pub farthest: f64,
    /// What is promised for the scheme, at equal steps from the nearest distance to the farthest; empty if nothing is.
    pub promise: Vec<Bounds>,
    /// What the plan that is proposed finds of the pairs within its limit, compared with the recall that it states; `None`
    /// if it states none.
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
    let task = task::<F::Distance>(specimens);
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
    let sources_under = |scheme: &Scheme, seed: u64, ask_all: bool| {
        Ok(sources::asked(keys.source(scheme, seed)?, ask_all))
    };
    let subject = Subject {
        effort,
        seed,
        distances: distances::<F::Distance>(specimens),
        visit: &|wanted, seed, take| {
            let pair = specimens.pair(wanted, seed);
            let [a, b] = [0, 1].map(|place| metric.prepare(pair.item(place)));
            take(metric.distance(&a, &b), pair.item(0), pair.item(1));
        },
        sources: &sources_under,
        promise: &|scheme, distance| keys.promise(scheme, distance),
    };
    let mut checked = Checked::between(specimens);
    match subject.promise_of(&scheme) {
        None => subject.without_promise(&scheme)?,
        Some(_) => {
            let promised = |place| {
                let distance = specimens.at(f64::from(place) / f64::from(PLACES));
                subject.promised(&scheme, distance)
            };
            checked.promise = (0..=PLACES).map(promised).collect();
            let functions = subject.functions(&scheme)?;
            checked.report = subject.scheme(&scheme)?;
            if let Some(functions) = functions {
                checked.report.functions = functions.functions;
                checked.report.pairs = functions.pairs;
            }
            checked.scheme = Some(scheme);
        }
    }
    let limits = (specimens.nearest(), task.limit);
    let calibrated = calibrated::<F>(specimens, &task, (effort, seed))?;
    checked.recall = match (calibrated, &proposal) {
        (None, Some(it)) => subject.recall(&it.scheme, limits, it.recall)?,
        (calibrated, _) => calibrated,
    };
    Ok(checked)
}

impl Checked {
    /// Nothing yet, of a distance with these specimens.
    pub(super) fn between<I>(specimens: Specimens<I>) -> Self {
        Self {
            nearest: specimens.nearest(),
            farthest: specimens.farthest(),
            ..Self::default()
        }
    }
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.report)?;
        match self.recall {
            Some(recall) => writeln!(f, "{:>12} {recall}", "recall"),
            None => Ok(()),
        }
    }
}

/// Pairs that a plan is made for and measured on.
const PAIRS: u64 = 128;

/// What a plan that was calibrated on items finds among them, compared with what it states; `None` if the family does
/// not calibrate.
fn calibrated<F: Family>(
    specimens: Specimens<ItemsOf<F::Distance>>,
    task: &Task,
    (effort, seed): (Effort, u64),
) -> Result<Option<Measurement>, Violation> {
    let distance = F::Distance::default();
    // Half of the pairs lie within the limit.
    let (nearest, limit) = (specimens.nearest(), task.limit);
    let items = kinds::items_at::<F::Distance>(specimens, PAIRS, seed, &|share| {
        nearest + 2.0 * share * (limit - nearest)
    })?;
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
    let mut found = recalls::Found::new(limit);
    for draw in 0..effort.draws() {
        let source = keys.source(&scheme, random::derive(seed, draw.into()))?;
        let mut ask = sources::asked(source, false);
        let mut count = [0; 2];
        for &[a, b] in &near {
            let [a, b] = [items.item(a), items.item(b)];
            count_met(&mut count, ask(a, b)?.meets());
        }
        found.add(recall, near.len(), count);
    }
    found.compared(effort)
}

/// Adds a pair to those that are met, asked in either direction.
fn count_met(count: &mut [usize; 2], met: [bool; 2]) {
    for (count, is_met) in count.iter_mut().zip(met) {
        *count += usize::from(is_met);
    }
}

/// The specimens of a distance whose kind and axioms are right.
pub(super) fn specimens<D: Distance>(seed: u64) -> Result<Specimens<ItemsOf<D>>, Violation> {
    let none = Violation::NoSpecimens(KindOf::<D>::NAME);
    let specimens = D::specimens().ok_or(none)?;
    kinds::check::<D>(specimens, seed)?;
    kinds::axioms_of::<D>(specimens, seed)?;
    Ok(specimens)
}

/// What families and methods are asked to do: items at a fifth of the way to the farthest distance must be found, by name.
pub(super) fn task<D: Distance>(specimens: Specimens<ItemsOf<D>>) -> Task {
    let limit = match D::MEASURES[0].is_whole {
        true => specimens.at(0.2).floor(),
        false => specimens.at(0.2),
    };
    let far = specimens.nearest() + 2.5 * (limit - specimens.nearest());
    let mut task = Task::new(limit, far.max(limit + 1e-9));
    task.is_named = true;
    task.recall = 0.9;
    task
}

/// The distances to test: near 0, near the farthest, and between.
fn distances<D: Distance>(specimens: Specimens<ItemsOf<D>>) -> Vec<f64> {
    let shares = super::DISTANCES.iter();
    let distances = shares.map(|&share| match D::MEASURES[0].is_whole {
        true => specimens.at(share).round(),
        false => specimens.at(share),
    });
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
/// The keys of items under a scheme and a seed.
type Under<'a, I> = dyn Fn(&Scheme, u64, bool) -> Result<Ask<'a, I, Keyed>, Violation> + 'a;

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
        let sources: &Sources<'_, I> = &|seed, ask_all| (self.sources)(scheme, seed, ask_all);
        sources::seeds(&self.run(&self.distances), sources, None)
    }

    fn scheme(&self, scheme: &Scheme) -> Result<Report, Violation> {
        let sources: &Sources<'_, I> = &|seed, ask_all| (self.sources)(scheme, seed, ask_all);
        let promise = |distance| self.promised(scheme, distance);
        sources::check(&self.run(&self.distances), sources, &promise)
    }

    /// One function in each band, if the family can be drawn so.
    fn functions(&self, scheme: &Scheme) -> Result<Option<Functions>, Violation> {
        let one = Scheme::default();
        let each = Scheme::new([Step::Or(FUNCTIONS)]).expect("an OR");
        let is_drawn = {
            let mut bands = 0;
            if let Ok(mut ask) = (self.sources)(&each, self.seed, false) {
                (self.visit)(self.distances[0], self.seed, &mut |_, a, b| {
                    bands = ask(a, b).map_or(0, |keyed| keyed.shared().len());
                });
            }
            bands == FUNCTIONS as usize
        };
        if !is_drawn || self.promise_of(&one).is_none() {
            return Ok(None);
        }
        let promise = |distance| self.promised(&one, distance);
        let promise: &Promise<'_> = &promise;
        monotone(&self.distances, promise)?;
        let agree = |seed: u64| {
            let ask = (self.sources)(&each, seed, false)?;
            Ok(sources::then(ask, Keyed::shared))
        };
        let middle = middle_distance(&self.distances, promise);
        if (0.01..0.99).contains(&super::strata::middle(promise(middle))) {
            sensitive(self.visit, middle, self.seed, &|seed| {
                let ask = (self.sources)(&each, seed, false)?;
                let print = |keyed: &Keyed| Answers::of_agreements(&keyed.shared());
                Ok(sources::then(ask, print))
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

    /// What a proposal finds of pairs within the limit, most of them near it, is at least what it states.
    fn recall(
        &self,
        scheme: &Scheme,
        (nearest, limit): (f64, f64),
        stated: Recall,
    ) -> Result<Option<Measurement>, Violation> {
        if !matches!(stated, Recall::Proved(_)) {
            return Ok(None);
        }
        let wanted = recalls::within(self.visit, (nearest, limit), self.seed);
        let mut found = recalls::Found::new(limit);
        for draw in 0..self.effort.steep() {
            let own = random::derive(self.seed, RECALLS + u64::from(draw));
            let mut ask = (self.sources)(scheme, random::derive(own, 2), false)?;
            let mut met = Ok([false; 2]);
            let mut is_within = false;
            (self.visit)(wanted, random::derive(own, 1), &mut |distance, a, b| {
                is_within = distance <= limit;
                if is_within {
                    met = ask(a, b).map(|keyed| keyed.meets());
                }
            });
            let mut count = [0; 2];
            count_met(&mut count, met?);
            found.add(stated, is_within.into(), count);
        }
        found.compared(self.effort)
    }
}
