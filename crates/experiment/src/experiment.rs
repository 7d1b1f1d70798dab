use lookalike_output::Progress;

use crate::{
    Error, Outcome, Registry, Request, Settings, Times,
    progress::Steps,
    sweep::{self, Case},
    tree::{Source, Tree},
};

/// An experiment as a file describes it: data, a family, what to measure, and a sweep over any of these.
///
/// ```
/// use lookalike_experiment::{Experiment, Registry};
///
/// let text = r#"
///     seeds = 3
///     bands = 20
///     rows = 5
///     [family]
///     name = "universal"
///     [data]
///     kind = "sets"
///     generate.pairs = { similarities = [0.2, 0.8], each = 5 }
/// "#;
/// let experiment = Experiment::parse("small.toml", text, false)?;
/// let outcome = experiment.run(&Registry::builtin(), &())?;
/// let run = &outcome.runs[0];
/// assert_eq!(run.truth.similar.mean, 5.0);
/// assert!(run.candidates.recall.unwrap().mean > 0.9);
/// # Ok::<(), lookalike_experiment::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Experiment<'a> {
    source: Source<'a>,
    runs: Vec<Request<'a>>,
    /// Those of its other form, which must be right as well.
    other: Vec<Request<'a>>,
}

impl<'a> Experiment<'a> {
    /// Reads what a TOML file says; `name` is for messages. With `small`, its table `[small]` goes over the rest.
    pub fn parse(name: &'a str, text: &'a str, small: bool) -> Result<Self, Error> {
        let source = Source { name, text };
        let requests = |small: bool| -> Result<Vec<Request<'a>>, Error> {
            let mut tree = Tree::parse(source)?;
            sweep::shrink(source, &mut tree, small)?;
            let requests = sweep::cases(source, tree)?.into_iter().map(|case| {
                let Case { label, mut tree } = case;
                let settings = Settings::read(source, &mut tree)?;
                Ok(Request {
                    source,
                    label,
                    tree,
                    settings,
                })
            });
            requests.collect()
        };
        let (runs, other) = (requests(small)?, requests(!small)?);
        Ok(Self {
            source,
            runs,
            other,
        })
    }

    /// What it says of each run beside its data and its family; there is at least one.
    pub fn settings(&self) -> impl Iterator<Item = &Settings> {
        self.runs.iter().map(|run| &run.settings)
    }

    /// Does all runs, one after the other, on the threads of the current rayon pool.
    pub fn run(&self, registry: &Registry, progress: &dyn Progress) -> Result<Outcome, Error> {
        // Whatever is wrong is said before the first run.
        let family = |request: &Request<'a>| {
            let name = self.word(request, "family.name")?;
            let kind = self.word(request, "data.kind")?;
            let found = registry.find(
                name.as_deref().unwrap_or("fast-similarity"),
                kind.as_deref(),
            );
            let family = found.map_err(|error| request.tree.located(self.source, error))?;
            (family.check)(request)?;
            Ok(family)
        };
        let families: Vec<_> = self.runs.iter().map(family).collect::<Result<_, Error>>()?;
        self.other.iter().try_for_each(|it| family(it).map(drop))?;
        let repetitions = |request: &Request<'_>| 1 + u64::from(request.settings.seeds);
        let steps = Steps::new(progress, self.runs.iter().map(repetitions).sum());
        let runs = self.runs.iter().zip(families);
        let runs = runs
            .map(|(request, family)| (family.run)(request, &steps))
            .collect::<Result<Vec<_>, Error>>()?;
        Ok(Outcome {
            version: env!("CARGO_PKG_VERSION"),
            file: self.source.name.to_owned(),
            times: Times {
                threads: rayon::current_num_threads(),
                runs: runs.iter().map(|run| run.stages.clone()).collect(),
            },
            runs,
        })
    }

    fn word(&self, request: &Request<'_>, path: &str) -> Result<Option<String>, Error> {
        let value = request.tree.get(path).cloned();
        value.map(|value| self.source.read(value)).transpose()
    }
}
