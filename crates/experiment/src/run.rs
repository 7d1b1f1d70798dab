//! One run.

use lookalike_core::{Bounds, Scheme, plugin::Group};
use lookalike_search::Registry;

use crate::{
    Error, Estimate, Likeness, Run, Settings, TruthBy,
    bins::Bins,
    chosen::{Chosen, Said},
    data::{Data, Loaded},
    estimate::Ratio,
    outcome::{Clusters, GroupFound, TruthFound},
    progress::Steps,
    repetition::{Repeated, Repetition},
    resolved::{Table, table},
    sensitivity::RunSensitivity,
    stages::Stages,
    tally::Tallies,
    tree::{Source, Tree},
    truth::{DistanceOf, Truth},
};

/// What a run is asked to do.
#[derive(Clone, Debug)]
pub(crate) struct Request<'a> {
    pub(crate) source: Source<'a>,
    pub(crate) label: String,
    pub(crate) tree: Tree<'a>,
    pub(crate) settings: Settings,
    pub(crate) said: Said,
}

/// A run that was understood: all that can be known before there are items.
#[derive(Clone, Debug)]
pub(crate) struct Understood<'a> {
    request: &'a Request<'a>,
    chosen: Chosen<'a>,
    data: Data,
}

impl<'a> Request<'a> {
    /// Refuses what the registry does not know, before the first run.
    pub(crate) fn understood(&'a self, registry: &'a Registry) -> Result<Understood<'a>, Error> {
        let understood = || {
            let chosen = Chosen::new(registry, &self.said, &self.settings)?;
            let data = Data::read(self.source, &self.tree, registry, chosen.entry.kind)?;
            Ok(Understood {
                request: self,
                chosen,
                data,
            })
        };
        understood().map_err(|error| self.tree.located(self.source, error))
    }
}

impl Understood<'_> {
    /// Does the run.
    pub(crate) fn run(&self, registry: &Registry, steps: &Steps<'_>) -> Result<Run, Error> {
        self.attempt(registry, steps).map_err(|error| {
            let error = match error {
                // Bands and rows are a cascade too, stated otherwise.
                Error::Setting {
                    key,
                    message,
                    remedies,
                } if key == "amplify" => Error::Setting {
                    key: self.request.settings.way().unwrap_or("amplify").to_owned(),
                    message,
                    remedies,
                },
                other => other,
            };
            self.request.tree.located(self.request.source, error)
        })
    }

    /// What makes two of these items alike.
    fn likeness(&self, loaded: &Loaded) -> Result<Likeness, Error> {
        let has_labels = !loaded.data.labels().is_empty();
        let by_labels = match self.request.settings.truth.by {
            None => has_labels,
            Some(TruthBy::Labels) if !has_labels => {
                let message =
                    "the data has no labels: name the field that holds them with data.label";
                return Err(Error::setting("truth", message));
            }
            Some(by) => by == TruthBy::Labels,
        };
        Ok(match by_labels {
            true => Likeness::Labelled(self.chosen.entry.label),
            false => Likeness::Measured(self.chosen.measure),
        })
    }

    fn attempt(&self, registry: &Registry, steps: &Steps<'_>) -> Result<Run, Error> {
        let Self {
            request,
            chosen,
            data,
        } = self;
        let Request {
            label, settings, ..
        } = request;
        let entry = chosen.entry;
        let mut stages = Stages::new();
        let mut loaded = stages.time("load", || data.load(registry, entry.kind))?;
        let likeness = self.likeness(&loaded)?;
        // Labels are the same or not, and the measure verifies.
        let limit = match likeness {
            Likeness::Measured(_) => chosen.limit,
            Likeness::Labelled(_) => 0.0,
        };
        let problem = settings.problem(loaded.data.len())?;
        for group in &mut loaded.groups {
            group.pairs.retain(|pair| problem.has(*pair));
        }
        let width = loaded.data.width();
        let scheme = chosen.scheme(settings, width)?;
        let plan = chosen.plan(registry, &loaded.data, scheme, settings)?;
        let search = registry.search(&loaded.data, &plan);
        let search = search.map_err(|error| Error::about_table("family", error))?;
        let comparer = stages.time("prepare", || search.comparer());
        let labels = loaded.data.labels();
        let distance: &DistanceOf<'_> = &|pair| match likeness {
            Likeness::Labelled(_) => {
                let [a, b] = [pair.a(), pair.b()].map(|id| labels[id as usize]);
                if a == b { 0.0 } else { 1.0 }
            }
            // Two items with nothing to compare are as far apart as can be.
            Likeness::Measured(_) => comparer.distance(pair).unwrap_or(1.0),
        };
        let comparisons = settings.truth.comparisons;
        let truth = stages.time("truth", || {
            Truth::new(distance, problem, limit, comparisons, settings.seed)
        });
        let distances = truth.rows.iter().flatten().map(|(distance, _)| *distance);
        let mut distances: Vec<f64> = distances.collect();
        distances.sort_unstable_by(f64::total_cmp);
        let bins = Bins::new(likeness, distances.into_iter());
        steps.step();

        // If nothing is drawn, once is enough.
        let seeds = if entry.is_method { 1 } else { settings.seeds };
        let mut repeated = Repeated::default();
        for number in 0..u64::from(seeds) {
            let seed = settings.seed.wrapping_add(number);
            let repetition = Repetition {
                settings,
                loaded: &loaded,
                search: &*search,
                plan: &plan,
                is_method: entry.is_method,
                comparer: &*comparer,
                likeness,
                distance,
                truth: &truth,
                bins: &bins,
                limit,
                match_limit: chosen.limit,
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
        // A family promises something about distances, not about labels; what compares everything is certain of both.
        let promises = entry.is_method || !likeness.is_labelled();
        let promised: &PromiseOf<'_> = &|distance| search.promise(distance).filter(|_| promises);
        let groups = planted(distance, promised, &loaded.groups, &groups);
        let is_ranked = search.verified().is_some();
        let used = Some(&plan.scheme).filter(|_| !entry.is_method && !is_ranked);
        let banding = used.and_then(Scheme::banding);
        let of = |counts: fn(&(u64, u64)) -> u64| {
            let counts: Vec<f64> = clusters.iter().map(|it| counts(it) as f64).collect();
            Estimate::of_counts(&counts)
        };
        Ok(Run {
            label: label.clone(),
            family: entry.name,
            kind: chosen.kind.clone(),
            likeness,
            threshold: likeness.shown(limit),
            settings: self.resolved(&loaded, &plan.parameters, used),
            scheme: match is_ranked {
                true => Some("votes".to_owned()),
                false => used.map(Scheme::to_string),
            },
            bands: banding.map(|it| it.bands()),
            rows: banding.map(|it| it.rows()),
            functions: used.map_or(0, Scheme::functions),
            distinct: entry.distinct_functions(width),
            items: loaded.data.len() as u64,
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
            caveat: entry.caveat,
            promise: promise(likeness, &truth, promised),
            sensitivity: match (likeness, used) {
                (Likeness::Measured(measure), Some(scheme)) => {
                    let of = entry.promise(&plan.parameters, width);
                    let of = of.map_err(|error| Error::about_table("family", error))?;
                    let between = (chosen.limit, measure.far(chosen.threshold));
                    let largest = largest(likeness, &truth);
                    RunSensitivity::new(scheme, measure, between, largest, &of)
                }
                _ => None,
            },
            groups,
            buckets,
            examples,
            signatures,
            stages: stages.finish(),
        })
    }

    /// All that decides what a run gives, as a file would state it.
    fn resolved(&self, loaded: &Loaded, parameters: &Table, scheme: Option<&Scheme>) -> Table {
        let mut all = table(&self.request.settings.resolved(scheme));
        if let Some((measure, threshold)) = self.request.said.stated {
            all.insert(measure.flag.into(), threshold.into());
        }
        let mut family = table(parameters);
        family.insert("name".into(), self.chosen.entry.name.into());
        let data = self.data.resolved(&self.chosen.kind, loaded);
        all.insert("family".into(), family.into());
        all.insert("data".into(), data.into());
        all
    }
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
        let distances: Vec<f64> = group.pairs.iter().map(|pair| distance(*pair)).collect();
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

/// What is promised at distances from 0 to the largest there is; nothing where something is not promised.
fn promise(likeness: Likeness, truth: &Truth, promise: &PromiseOf<'_>) -> Vec<[f64; 3]> {
    const STEPS: u32 = 100;
    let largest = largest(likeness, truth);
    let at = |step: u32| {
        let distance = largest * f64::from(step) / f64::from(STEPS);
        let bounds = promise(distance)?;
        Some([distance, bounds.lower().value(), bounds.upper().value()])
    };
    let all: Option<Vec<[f64; 3]>> = (0..=STEPS).map(at).collect();
    all.unwrap_or_default()
}

/// The largest distance that there is.
fn largest(likeness: Likeness, truth: &Truth) -> f64 {
    let last = |row: &Vec<(f64, u64)>| row.last().map_or(0.0, |run| run.0);
    match likeness.is_share() {
        true => 1.0,
        false => truth.rows.iter().map(last).fold(0.0, f64::max),
    }
}
