use lookalike_core::plugin::Measure;
use lookalike_output::Progress;
use lookalike_search::Registry;

use crate::{
    Error, Outcome, Settings, Times,
    chosen::Said,
    progress::Steps,
    run::{Request, Understood},
    sweep::{self, Case},
    tree::{Source, Tree},
};

/// An experiment as a file describes it: data, a family, what to measure, and a sweep over any of these.
///
/// ```
/// use lookalike_experiment::Experiment;
/// use lookalike_minhash::plugin::{Over, SetJaccard, SetPairs, Universal};
/// use lookalike_search::Registry;
///
/// let text = r#"
///     seeds = 3
///     bands = 20
///     rows = 5
///     jaccard = 0.8
///     [family]
///     name = "universal"
///     [data]
///     kind = "set"
///     generate.pairs = { similarities = [0.2, 0.8], each = 5 }
/// "#;
/// let registry = Registry::default()
///     .with::<Over<Universal, SetJaccard>>()
///     .with_generator::<SetPairs>();
/// let experiment = Experiment::parse(&registry, "small.toml", text, false)?;
/// let outcome = experiment.run(&())?;
/// let run = &outcome.runs[0];
/// assert_eq!(run.truth.similar.mean, 5.0);
/// assert!(run.candidates.recall.unwrap().mean > 0.9);
/// # Ok::<(), lookalike_experiment::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Experiment<'a> {
    registry: &'a Registry,
    source: Source<'a>,
    runs: Vec<Request<'a>>,
    /// Those of its other form, which must be right as well.
    other: Vec<Request<'a>>,
}

impl<'a> Experiment<'a> {
    /// Reads what a TOML file says, in the words of a registry; `name` is for messages. With `small`, its table `[small]`
    /// goes over the rest.
    ///
    /// # Errors
    /// If the file is not TOML, or a key at its top is not known or wrong.
    pub fn parse(
        registry: &'a Registry,
        name: &'a str,
        text: &'a str,
        small: bool,
    ) -> Result<Self, Error> {
        let source = Source { name, text };
        let requests = |small: bool| -> Result<Vec<Request<'a>>, Error> {
            let mut tree = Tree::parse(source)?;
            sweep::shrink(source, &mut tree, small)?;
            let requests = sweep::cases(source, tree)?.into_iter().map(|case| {
                let Case { label, mut tree } = case;
                let stated = stated(registry, source, &mut tree)?;
                let settings = Settings::read(source, &mut tree)?;
                let said = Said {
                    stated,
                    ..said(source, &tree)?
                };
                Ok(Request {
                    source,
                    label,
                    tree,
                    settings,
                    said,
                })
            });
            requests.collect()
        };
        let (runs, other) = (requests(small)?, requests(!small)?);
        Ok(Self {
            registry,
            source,
            runs,
            other,
        })
    }

    /// What it says of each run next to its data and its family; there is at least one.
    pub fn settings(&self) -> impl Iterator<Item = &Settings> {
        self.runs.iter().map(|run| &run.settings)
    }

    /// Does all runs, one after the other, on the threads of the current rayon pool.
    ///
    /// # Errors
    /// If the file names what the registry does not have, or items cannot be read or searched as it says. Whatever can be
    /// known in advance is refused before the first run.
    pub fn run(&self, progress: &dyn Progress) -> Result<Outcome, Error> {
        let runs = self.understood(&self.runs)?;
        self.understood(&self.other)?;
        let repetitions = |request: &Request<'_>| 1 + u64::from(request.settings.seeds);
        let steps = Steps::new(progress, self.runs.iter().map(repetitions).sum());
        let runs = runs.iter().map(|run| run.run(self.registry, &steps));
        let runs = runs.collect::<Result<Vec<_>, Error>>()?;
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

    fn understood<'r>(&'r self, requests: &'r [Request<'a>]) -> Result<Vec<Understood<'r>>, Error> {
        let understood = requests.iter().map(|it| it.understood(self.registry));
        understood.collect()
    }
}

/// Takes a threshold out of a file that states it by the name of its measure: `jaccard = 0.8`.
fn stated(
    registry: &Registry,
    source: Source<'_>,
    tree: &mut Tree<'_>,
) -> Result<Option<(&'static Measure, f64)>, Error> {
    let mut stated = None;
    for measure in registry.measures() {
        let Some(value) = tree.remove(measure.flag) else {
            continue;
        };
        let span = value.span();
        if let Some((first, _)) = stated.replace((measure, source.read(value)?)) {
            let first: &Measure = first;
            let message = format!(
                "{} and {} contradict each other: choose one measure",
                first.flag, measure.flag
            );
            return Err(source.wrong(span, message));
        }
    }
    Ok(stated)
}

/// What a file says of the family and of the kind of items.
fn said(source: Source<'_>, tree: &Tree<'_>) -> Result<Said, Error> {
    let mut family = source.table(tree, "family")?;
    let name = family.remove("name").map(|name| source.read(name));
    let kind = tree.get("data.kind").cloned();
    Ok(Said {
        family: name.transpose()?,
        kind: kind.map(|kind| source.read(kind)).transpose()?,
        stated: None,
        parameters: source.read(family.value())?,
    })
}
