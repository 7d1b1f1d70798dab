//! One run, for one family.

use lookalike_core::{Bounds, Items, Metric, Probability, Scheme, tune};
use lookalike_dedup::{Grouping, Keep, Method};
use lookalike_engine::{Id, Match, Pair, cluster};
use rayon::prelude::*;
use toml::Table;

use crate::{
    Data, Error, Estimate, Loaded, Measure, Meeting, Plugin, Run, Search, Settings,
    bins::Bins,
    estimate::Ratio,
    examples,
    meeting::{Met, meet},
    outcome::{Clusters, GroupFound, TruthFound},
    progress::Steps,
    stages::Stages,
    tally::{Tallies, Tally},
    tree::{Source, Tree},
    truth::Truth,
};

/// What a run is asked to do.
#[derive(Clone, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) label: String,
    pub(crate) tree: Tree<'a>,
    pub(crate) settings: Settings,
}

/// Runs a family on data as a file says.
pub(crate) fn run<P: Plugin>(request: &Request<'_>, steps: &Steps<'_>) -> Result<Run, Error> {
    let result = attempt::<P>(request, steps);
    result.map_err(|error| request.tree.located(request.source, error))
}

fn attempt<P: Plugin>(request: &Request<'_>, steps: &Steps<'_>) -> Result<Run, Error> {
    let Request {
        label, settings, ..
    } = request;
    let plugin: P = request.table("family", &["name"])?;
    let data: P::Data = request.table("data", &[])?;
    let limit = settings.limit(P::MEASURE)?;
    let mut stages = Stages::default();
    let loaded = stages.time("load", || data.load());
    let loaded = loaded.map_err(|error| error.about("data.generate"))?;
    let items = &loaded.items;
    let search = plugin.search(items);
    let search = search.map_err(|error| error.about("family"))?;
    let metric = search.metric();
    let scheme = scheme(settings, P::MEASURE, limit, &search)?;

    let prepared: Vec<Prepared<P>> = stages.time("prepare", || {
        let places = (0..items.count()).into_par_iter();
        places
            .map(|place| metric.prepare(items.item(place)))
            .collect()
    });
    let comparisons = settings.truth.comparisons;
    let truth = stages.time("truth", || {
        Truth::new(metric, &prepared, limit, comparisons, settings.seed)
    });
    let distances = truth.rows.iter().flatten().map(|(distance, _)| *distance);
    let mut distances: Vec<f64> = distances.collect();
    distances.sort_unstable_by(f64::total_cmp);
    let bins = Bins::new(P::MEASURE, distances.into_iter());
    steps.step();

    let mut repeated = Repeated::default();
    for number in 0..u64::from(settings.seeds) {
        let seed = settings.seed.wrapping_add(number);
        let repetition = Repetition::<P> {
            settings,
            loaded: &loaded,
            search: &search,
            scheme: &scheme,
            prepared: &prepared,
            truth: &truth,
            bins: &bins,
            limit,
        };
        repetition.run(seed, &mut repeated, &mut stages)?;
        steps.step();
    }

    let Repeated {
        tallies,
        groups,
        clusters,
        not_compared,
        key_bytes,
        buckets,
        examples,
    } = repeated;
    let tallies = Tallies {
        truth: &truth,
        bins: &bins,
        limit,
        all: tallies,
    };
    let distance =
        |&(a, b): &(Id, Id)| metric.distance(&prepared[a as usize], &prepared[b as usize]);
    let groups = loaded
        .groups
        .iter()
        .zip(&groups)
        .filter_map(|(group, hits)| {
            let distances: Vec<f64> = group.pairs.iter().map(distance).collect();
            let pairs = distances.len() as u64;
            let candidates = Ratio {
                sampled: 1.0,
                all: vec![vec![pairs]; hits.len()],
                some: hits.iter().map(|hits| vec![*hits]).collect(),
            };
            Some(GroupFound {
                name: group.name.clone(),
                pairs,
                distance: distances.iter().sum::<f64>() / pairs as f64,
                least_distance: distances.iter().copied().fold(f64::INFINITY, f64::min),
                most_distance: distances.iter().copied().fold(0.0, f64::max),
                candidates: candidates.estimate()?,
            })
        });
    let used = (!matches!(search.meeting(), Meeting::Presence)).then_some(&scheme);
    let banding = used.and_then(Scheme::banding);
    let n = truth.items as u64;
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
        measure: P::MEASURE.name(),
        is_similarity: matches!(P::MEASURE, Measure::Similarity(_)),
        threshold: P::MEASURE.shown(limit),
        settings: resolved::<P>(&plugin, &data, &settings.resolved(used)),
        scheme: used.map(Scheme::to_string),
        bands: banding.map(|it| it.bands()),
        rows: banding.map(|it| it.rows()),
        functions: used.map_or(0, Scheme::functions),
        items: n,
        seeds: settings.seeds,
        truth: TruthFound {
            sampled_items: truth.sample.as_ref().map(|sample| sample.len() as u64),
            comparisons: truth.comparisons(),
            pairs: n * n.saturating_sub(1) / 2,
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
        curve: tallies.curve(|distance| search.promise(&scheme, distance)),
        groups: groups.collect(),
        buckets,
        examples,
        stages: stages.finish(),
    })
}

type Prepared<P> = <<<P as Plugin>::Search as Search>::Metric as Metric>::Prepared;

impl Request<'_> {
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
    let table = |value: Result<Table, toml::ser::Error>| value.expect("settings are a table");
    let mut all = table(Table::try_from(settings));
    let mut family = table(Table::try_from(plugin));
    family.insert("name".into(), P::NAME.into());
    let mut data = table(Table::try_from(data));
    data.insert("kind".into(), <P::Data as Data>::KIND.into());
    all.insert("family".into(), family.into());
    all.insert("data".into(), data.into());
    all
}

/// The scheme that is said, or the family's own, or one that is chosen for a recall.
fn scheme(
    settings: &Settings,
    measure: Measure,
    limit: f64,
    search: &impl Search,
) -> Result<Scheme, Error> {
    if let Some(scheme) = settings.scheme()? {
        return Ok(scheme);
    }
    if let Some(scheme) = search.scheme().filter(|_| !settings.is_tuned()) {
        return Ok(scheme);
    }
    if search.promise(&Scheme::default(), limit).is_none() {
        let message = "this family promises nothing that bands and rows could be chosen by: say bands and rows";
        return Err(Error::setting("recall", message));
    }
    let far = match measure {
        Measure::Similarity(_) => 1.0 - tune::rare_below(1.0 - limit),
        Measure::Distance(_) => (2.0 * limit).max(limit + 1.0),
    };
    let nothing = Bounds::new(Probability::NEVER, Probability::CERTAIN).expect("in order");
    let plan = tune::Goal::new(limit, far)
        .and_then(|goal| goal.recall(settings.wanted_recall()))
        .and_then(|goal| goal.budget(settings.functions.unwrap_or(tune::BUDGET)))
        .and_then(|goal| {
            goal.plan_with(|scheme, distance| search.promise(scheme, distance).unwrap_or(nothing))
        });
    let plan = plan.map_err(|error| Error::setting("recall", error.to_string()))?;
    Ok(plan.banding.scheme())
}

/// What every repetition adds to.
#[derive(Debug, Default)]
struct Repeated {
    tallies: Vec<Tally>,
    /// For each group, how many of its pairs were candidates in each repetition.
    groups: Vec<Vec<u64>>,
    /// Clusters, and items of the largest.
    clusters: Vec<(u64, u64)>,
    not_compared: Vec<f64>,
    key_bytes: Vec<f64>,
    buckets: Option<crate::Buckets>,
    examples: Vec<crate::Example>,
}

/// All that repetitions share.
struct Repetition<'a, P: Plugin> {
    settings: &'a Settings,
    loaded: &'a Loaded<<P::Data as Data>::Items>,
    search: &'a P::Search,
    scheme: &'a Scheme,
    prepared: &'a [Prepared<P>],
    truth: &'a Truth,
    bins: &'a Bins,
    limit: f64,
}

impl<P: Plugin> Repetition<'_, P> {
    fn run(&self, seed: u64, all: &mut Repeated, stages: &mut Stages) -> Result<(), Error> {
        let (items, limit) = (&self.loaded.items, self.limit);
        let is_first = all.tallies.is_empty();
        let source = self.search.source(self.scheme, seed);
        let source = source.map_err(|error| error.about("family"))?;
        let met = meet(
            source,
            items,
            self.search.meeting(),
            self.settings.max_bucket,
            is_first,
            stages,
        )?;
        let metric = self.search.metric();
        let distance = |pair: &Pair| {
            metric.distance(
                &self.prepared[pair.a as usize],
                &self.prepared[pair.b as usize],
            )
        };
        let matches: Vec<Match> = match &met.pairs {
            Some(pairs) => {
                let compare = || pairs.par_iter().map(distance).collect();
                let distances: Vec<f64> = stages.time("compare", compare);
                let judged = self.judge(seed, pairs, &distances, stages)?;
                let both = pairs.iter().zip(&distances).zip(&judged);
                let candidates = both
                    .clone()
                    .map(|((pair, distance), is_match)| (*pair, *distance, *is_match));
                all.tallies
                    .push(Tally::new(self.truth, self.bins, limit, candidates));
                let matched = both.filter(|(_, is_match)| **is_match);
                matched
                    .map(|((&pair, &distance), _)| Match { pair, distance })
                    .collect()
            }
            None => {
                let matches = stages.time("compare", || self.near_pairs());
                let count = match self.settings.verify.method {
                    Method::None => self.pairs(),
                    _ => matches.len() as u64,
                };
                all.tallies
                    .push(Tally::of_all(self.truth, self.bins, limit, count));
                matches
            }
        };
        let clusters = stages.time("cluster", || self.clusters(&matches));
        all.clusters.push(clusters);
        self.groups(&met, &mut all.groups);
        all.not_compared.push(met.not_compared as f64);
        all.key_bytes.push(met.key_bytes as f64);
        if is_first {
            all.examples =
                examples::choose::<P::Data>(self.loaded, self.truth, limit, &met, distance);
            all.buckets = met.buckets;
        }
        Ok(())
    }

    fn pairs(&self) -> u64 {
        let n = self.truth.items as u64;
        n * n.saturating_sub(1) / 2
    }

    /// Whether each candidate is a match.
    fn judge(
        &self,
        seed: u64,
        pairs: &[Pair],
        distances: &[f64],
        stages: &mut Stages,
    ) -> Result<Vec<bool>, Error> {
        match self.settings.verify.method {
            Method::None => Ok(vec![true; pairs.len()]),
            Method::Exact => Ok(distances.iter().map(|d| *d <= self.limit).collect()),
            Method::Signature => {
                let source = self.search.source(self.scheme, seed)?;
                let items = &self.loaded.items;
                let agreement = self.search.agreement(&source, items);
                let Some(agreement) = agreement else {
                    let message = format!(
                        "{} has no signatures that estimate the {}: use exact or none",
                        P::NAME,
                        P::MEASURE.name()
                    );
                    return Err(Error::setting("verify.method", message));
                };
                let alike = |pair: &Pair| 1.0 - agreement(*pair) <= self.limit + 1e-9;
                Ok(stages.time("signatures", || pairs.par_iter().map(alike).collect()))
            }
        }
    }

    /// Compares everything.
    fn near_pairs(&self) -> Vec<Match> {
        let metric = self.search.metric();
        let n = self.prepared.len() as Id;
        let rows = (0..n).into_par_iter().flat_map_iter(|a| {
            (a + 1..n).filter_map(move |b| {
                let [x, y] = [a, b].map(|id| &self.prepared[id as usize]);
                let distance = metric.within(x, y, self.limit)?;
                let pair = Pair { a, b };
                Some(Match { pair, distance })
            })
        });
        rows.collect()
    }

    /// How many clusters, and how many items the largest has.
    fn clusters(&self, matches: &[Match]) -> (u64, u64) {
        let last = self.settings.cluster.keep == Keep::Last;
        let rank = |id: Id| if last { Id::MAX - id } else { id };
        let clusters = match self.settings.cluster.method {
            Grouping::Star => cluster::star(matches, rank),
            Grouping::Components => cluster::components(matches, rank),
        };
        let largest = clusters.iter().map(|it| it.members.len() as u64 + 1).max();
        (clusters.len() as u64, largest.unwrap_or(0))
    }

    /// Counts the planted pairs among the candidates.
    fn groups(&self, met: &Met, counts: &mut Vec<Vec<u64>>) {
        counts.resize(self.loaded.groups.len(), Vec::new());
        for (group, counts) in self.loaded.groups.iter().zip(counts) {
            let is_candidate = |&&(a, b): &&(Id, Id)| match (&met.pairs, Pair::new(a, b)) {
                (Some(pairs), Some(pair)) => pairs.binary_search(&pair).is_ok(),
                (None, Some(_)) => true,
                (_, None) => false,
            };
            counts.push(group.pairs.iter().filter(is_candidate).count() as u64);
        }
    }
}
