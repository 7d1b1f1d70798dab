//! One run, for one family.

use lookalike_core::{Bounds, Items, Metric, Scheme, plugin::Remedied};
use lookalike_dedup::Verification;
use lookalike_engine::{Id, Pair};
use rayon::prelude::*;

use crate::{
    Data, Error, Estimate, Measure, Meeting, Plugin, Run, Search, Settings,
    bins::Bins,
    data::Group,
    estimate::Ratio,
    keys,
    outcome::{Clusters, GroupFound, TruthFound},
    progress::Steps,
    repetition::{Repeated, Repetition},
    resolved::{Table, table},
    scheme,
    stages::Stages,
    tally::Tallies,
    tree::{Source, Tree},
    truth::{DistanceOf, Truth, apart},
};

/// What a run is asked to do.
#[derive(Clone, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) label: String,
    pub(crate) tree: Tree<'a>,
    pub(crate) settings: Settings,
}

/// Whether all that a file says of a family and of its data is understood.
pub(crate) fn check<P: Plugin>(request: &Request<'_>) -> Result<(), Error> {
    request.table::<P>("family", &["name"])?;
    request.table::<P::Data>("data", &[])?;
    Ok(())
}

/// Runs a family on data as a file says.
pub(crate) fn run<P: Plugin>(request: &Request<'_>, steps: &Steps<'_>) -> Result<Run, Error> {
    let result = attempt::<P>(request, steps);
    result.map_err(|error| {
        let error = match error {
            // Bands and rows are a cascade too, said otherwise.
            Error::Setting {
                key,
                message,
                remedies,
            } if key == "amplify" => Error::Setting {
                key: request.settings.way().unwrap_or("amplify").to_owned(),
                message,
                remedies,
            },
            other => other,
        };
        request.tree.located(request.source, error)
    })
}

fn attempt<P: Plugin>(request: &Request<'_>, steps: &Steps<'_>) -> Result<Run, Error> {
    let Request {
        label, settings, ..
    } = request;
    let plugin: P = request.table("family", &["name"])?;
    let data: P::Data = request.table("data", &[])?;
    let limit = settings.limit(P::MEASURE)?;
    let mut stages = Stages::new();
    let loaded = stages.time("load", || data.load());
    let mut loaded = loaded.map_err(|error| match error {
        Error::Corpus(_) | Error::Search(_) | Error::Prints(_) => Error::Setting {
            key: "data.inputs".into(),
            message: error.to_string(),
            remedies: keys::possible::<P::Data>(error.remedies()),
        },
        other => request.about("data.generate", other),
    })?;
    let problem = settings.problem(loaded.items.count())?;
    for group in &mut loaded.groups {
        let of_problem =
            |pair: &(Id, Id)| Pair::new(pair.0, pair.1).is_some_and(|it| problem.has(it));
        group.pairs.retain(of_problem);
    }
    let items = &loaded.items;
    let search = plugin.search(items);
    let search = search.map_err(|error| request.about("family", error))?;
    let metric = search.metric();
    let scheme = scheme::choose(settings, P::MEASURE, limit, &search)?;

    let (prepared, verifier) = stages.time("prepare", || {
        let places = (0..items.count()).into_par_iter();
        let prepared: Vec<Prepared<P>> = places
            .map(|place| metric.prepare(items.item(place)))
            .collect();
        let verifier = match settings.verify.method {
            Verification::Exact => search.verifier(items),
            Verification::Signature | Verification::None => None,
        };
        (prepared, verifier)
    });
    let comparisons = settings.truth.comparisons;
    let distance: &DistanceOf<'_> = &|pair| {
        apart(
            metric,
            &prepared[pair.a() as usize],
            &prepared[pair.b() as usize],
        )
    };
    let truth = stages.time("truth", || {
        Truth::new(distance, problem, limit, comparisons, settings.seed)
    });
    let distances = truth.rows.iter().flatten().map(|(distance, _)| *distance);
    let mut distances: Vec<f64> = distances.collect();
    distances.sort_unstable_by(f64::total_cmp);
    let bins = Bins::new(P::MEASURE, distances.into_iter());
    steps.step();

    // Where nothing is drawn, once is enough.
    let meeting = search.meeting();
    let is_drawn = !matches!(meeting, Meeting::Presence);
    let seeds = if is_drawn { settings.seeds } else { 1 };
    let mut repeated = Repeated::default();
    for number in 0..u64::from(seeds) {
        let seed = settings.seed.wrapping_add(number);
        let repetition = Repetition::<P> {
            settings,
            loaded: &loaded,
            search: &search,
            scheme: &scheme,
            prepared: &prepared,
            verifier: verifier.as_ref(),
            truth: &truth,
            bins: &bins,
            limit,
        };
        repetition.run(seed, &mut repeated, &mut stages)?;
        steps.step();
    }
    (seeds..settings.seeds).for_each(|_| steps.step());

    let Repeated {
        tallies,
        groups,
        clusters,
        not_compared,
        key_bytes,
        buckets,
        examples,
        signatures,
    } = repeated;
    let tallies = Tallies {
        truth: &truth,
        bins: &bins,
        limit,
        all: tallies,
    };
    let promised: &PromiseOf<'_> = &|distance| search.promise(&scheme, distance);
    let groups = planted(distance, promised, &loaded.groups, &groups);
    let used = match meeting {
        Meeting::Keys => Some(&scheme),
        Meeting::Votes(_) | Meeting::Presence => None,
    };
    let votes = matches!(meeting, Meeting::Votes(_)).then(|| "votes".to_owned());
    let banding = used.and_then(Scheme::banding);
    let of = |counts: fn(&(u64, u64)) -> u64| {
        Estimate::of_counts(
            &clusters
                .iter()
                .map(|it| counts(it) as f64)
                .collect::<Vec<_>>(),
        )
    };
    Ok(Run {
        label: label.clone(),
        family: P::NAME,
        kind: <P::Data as Data>::KIND,
        measure: P::MEASURE,
        threshold: P::MEASURE.shown(limit),
        settings: resolved::<P>(&plugin, &data, &settings.resolved(used)),
        scheme: used.map(Scheme::to_string).or(votes),
        bands: banding.map(|it| it.bands()),
        rows: banding.map(|it| it.rows()),
        functions: used.map_or(0, Scheme::functions),
        distinct: search.distinct(),
        items: loaded.items.count() as u64,
        queries: settings.queries,
        seeds,
        truth: TruthFound {
            sampled_items: truth.sample.as_ref().map(|sample| sample.len() as u64),
            comparisons: truth.comparisons(),
            pairs: problem.pairs(),
            similar: tallies.similar_pairs(),
        },
        candidates: tallies.candidates(),
        matches: tallies.matches(),
        not_compared: Estimate::of_counts(&not_compared),
        key_bytes: Estimate::of_counts(&key_bytes),
        clusters: Clusters {
            count: of(|it| it.0),
            largest: of(|it| it.1),
        },
        curve: tallies.curve(promised),
        caveat: P::CAVEAT,
        promise: promise(P::MEASURE, &truth, promised),
        groups,
        buckets,
        examples,
        signatures,
        stages: stages.finish(),
    })
}

/// What is promised at a distance, if something is.
type PromiseOf<'a> = dyn Fn(f64) -> Option<Bounds> + 'a;

/// What became of planted pairs, and what was promised to them.
fn planted(
    distance: &DistanceOf<'_>,
    promised: &PromiseOf<'_>,
    groups: &[Group],
    hits: &[Vec<u64>],
) -> Vec<GroupFound> {
    let found = groups.iter().zip(hits).filter_map(|(group, hits)| {
        let pairs = group.pairs.iter();
        let pairs = pairs.filter_map(|&(a, b)| Pair::new(a, b));
        let distances: Vec<f64> = pairs.map(distance).collect();
        let promised: Option<Vec<Bounds>> = distances.iter().copied().map(promised).collect();
        let pairs = distances.len() as u64;
        let candidates = Ratio {
            sampled: 1.0,
            all: vec![vec![pairs]; hits.len()],
            some: hits.iter().map(|hits| vec![*hits]).collect(),
        };
        let mean = |sum: f64| sum / pairs as f64;
        Some(GroupFound {
            name: group.name.clone(),
            pairs,
            distance: mean(distances.iter().sum()),
            least_distance: distances.iter().copied().fold(f64::INFINITY, f64::min),
            most_distance: distances.iter().copied().fold(0.0, f64::max),
            predicted: promised.map(|promised| {
                let bounds = [Bounds::lower, Bounds::upper];
                bounds.map(|of| mean(promised.iter().map(|it| of(*it).value()).sum()))
            }),
            candidates: candidates.estimate()?,
        })
    });
    found.collect()
}

/// An item made ready for comparisons.
pub(crate) type Prepared<P> = <<<P as Plugin>::Search as Search>::Metric as Metric>::Prepared;

impl Request<'_> {
    /// What is refused is about a table, or about the value in it that has the name of the parameter.
    fn about(&self, table: &str, error: Error) -> Error {
        let value = error
            .parameter()
            .and_then(|name| self.tree.below(table, name));
        error.about(value.as_deref().unwrap_or(table))
    }

    /// Reads a table as what it should be; without one, an empty one.
    fn table<T: serde::de::DeserializeOwned>(
        &self,
        key: &str,
        without: &[&str],
    ) -> Result<T, Error> {
        let none = || toml::Spanned::new(0..0, toml::de::DeValue::Table(Default::default()));
        let value = self.tree.get(key).cloned().unwrap_or_else(none);
        let span = value.span();
        let Some(mut table) = Tree::of(value) else {
            let message = format!("{key} is a table: [{key}]");
            return Err(self.source.wrong(span, message));
        };
        for key in without {
            table.remove(key);
        }
        self.source.read(table.value())
    }
}

/// All that decides what a run gives, as a file would say it.
fn resolved<P: Plugin>(plugin: &P, data: &P::Data, settings: &Settings) -> Table {
    let mut all = table(settings);
    let mut family = table(plugin);
    family.insert("name".into(), P::NAME.into());
    let mut data = table(data);
    data.insert("kind".into(), <P::Data as Data>::KIND.into());
    all.insert("family".into(), family.into());
    all.insert("data".into(), data.into());
    all
}

/// What is promised at distances from 0 to the largest there is; nothing where something is not promised.
fn promise(measure: Measure, truth: &Truth, promise: &PromiseOf<'_>) -> Vec<[f64; 3]> {
    const STEPS: u32 = 100;
    let last = |row: &Vec<(f64, u64)>| row.last().map_or(0.0, |run| run.0);
    let largest = match measure {
        Measure::Similarity(_) | Measure::Same(_) => 1.0,
        Measure::Distance(_) => truth.rows.iter().map(last).fold(0.0, f64::max),
    };
    let at = |step: u32| {
        let distance = largest * f64::from(step) / f64::from(STEPS);
        let bounds = promise(distance)?;
        Some([distance, bounds.lower().value(), bounds.upper().value()])
    };
    let all: Option<Vec<[f64; 3]>> = (0..=STEPS).map(at).collect();
    all.unwrap_or_default()
}
