//! Why two documents are a pair, or are none: every step of the way, for two texts.
//!
//! [`explain`] takes two texts; [`explain_run`] finds two documents of a finished run again, and also says what the
//! run did with them.

mod differences;
mod document;
mod find;
mod in_run;
mod signatures;

use std::path::Path;

use lookalike_core::{Probability, Step};
use lookalike_minhash::{BagScratch, Counts, Elements, Short};
use serde::Serialize;

use self::signatures::Signatures;
pub use self::{
    differences::Differences,
    document::{Text, read_document},
    in_run::{Fate, InRun, Listed, NotCompared},
    signatures::{Estimate, SharedKey},
};
use lookalike_search::{Registry, TextFamily, TextPlan};

use crate::{
    Config, Error, Verification, finished::Finished, hashing::Promised, identity, verify::reaches,
};

/// What two texts have in common, and what a scheme makes of it.
#[derive(Clone, Debug, Serialize)]
pub struct Explanation {
    /// The settings.
    pub settings: Settings,
    /// The first text.
    pub a: Text,
    /// The second text.
    pub b: Text,
    /// Whether they are the same, byte for byte.
    pub same_text: bool,
    /// How many shingles are in both, in A alone and in B alone.
    pub rows: Rows,
    /// a/(a+b+c), exactly; none where neither has a shingle.
    pub similarity: Option<f64>,
    /// Whether it reaches the threshold.
    pub reaches_threshold: bool,
    /// Shingles as text.
    pub shingles: Differences,
    /// The similarity by the signatures; none where a text has no shingle, hence no signature.
    pub estimate: Option<Estimate>,
    /// For each band a digit a function: 1 where the two agree.
    pub agreements: Vec<String>,
    /// The bands in which they meet, from 1.
    pub met: Vec<u32>,
    /// The keys they share.
    pub shared_keys: Vec<SharedKey>,
    /// The probability, at this similarity, that a given band meets; none where it is not the S-curve that tells.
    pub one_band: Option<f64>,
    /// The probability that at least one does; by the promise of the family, where the S-curve does not tell, at least this.
    pub one_or_more_bands: Option<f64>,
    /// The probability that none does, which 1 − p would forget where it is tiny.
    pub no_band: Option<f64>,
    /// Whether they share a bucket.
    pub candidate: bool,
    /// What becomes of them.
    pub verdict: Verdict,
    /// What a finished run did with them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub run: Option<InRun>,
}

/// The settings that decide about a pair.
#[derive(Clone, Debug, Serialize)]
pub struct Settings {
    /// The similarity from which on documents are duplicates.
    pub threshold: f64,
    /// Where the functions come from.
    pub seed: u64,
    /// How texts become sets.
    pub family: TextFamily,
    /// How candidates are judged.
    pub verify: Verification,
    /// The scheme.
    #[serde(flatten)]
    pub plan: TextPlan,
}

/// The textbook's types of rows: a is (1,1), b is (1,0), c is (0,1).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Rows {
    /// Shingles of both.
    pub a: usize,
    /// Shingles of A alone.
    pub b: usize,
    /// Shingles of B alone.
    pub c: usize,
}

/// What becomes of two documents.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// One has no shingle: it meets nobody but its copies.
    Empty,
    /// The same text: a pair without any bucket.
    SameText,
    /// A candidate that is accepted, and alike enough.
    Match,
    /// A candidate that is accepted, though it is not alike enough: it was not compared exactly.
    FalseMatch,
    /// A candidate that is not alike enough.
    Rejected,
    /// A candidate that is alike enough, though its signatures say no.
    FalselyRejected,
    /// Alike enough, but without a common bucket.
    Missed,
    /// Neither.
    Apart,
    /// The run does not compare them: [`InRun::not_compared`] says why.
    NotCompared,
}

impl Verdict {
    /// Whether the two are a pair in the results.
    #[must_use]
    pub fn is_pair(self) -> bool {
        matches!(self, Self::SameText | Self::Match | Self::FalseMatch)
    }
}

/// Explains two texts, with up to `show` shingles of each kind.
///
/// ```
/// use lookalike_dedup::{Config, explain::{Verdict, explain}};
/// use lookalike_minhash::plugin::{FastSimilarity, HashedJaccard, Over, TextJaccard};
/// use lookalike_search::Registry;
///
/// let registry = Registry::default()
///     .with::<Over<FastSimilarity, TextJaccard>>()
///     .with::<Over<FastSimilarity, HashedJaccard>>();
///
/// let config = Config::parse("threshold = 0.4\nbands = 50\nrows = 2\n[family]\nshingle = \"words:3\"", "mine")?;
/// let texts = ["A rose is red, a rose is white.", "A rose is white, a rose is red."];
/// let explanation = explain(&registry, &config, &config.plan(&registry)?, texts, 10)?;
/// assert_eq!(explanation.similarity, Some(3.0 / 7.0));
/// assert_eq!(explanation.shingles.only_in_a, ["is red a", "red a rose"]);
/// assert_eq!(explanation.verdict, Verdict::Match);
/// # Ok::<(), lookalike_dedup::Error>(())
/// ```
///
/// Shingles as text take some 20 times the memory of the document; with `show` 0 none are made.
///
/// # Errors
/// If a setting is wrong, or the registry does not have the family.
pub fn explain(
    registry: &Registry,
    config: &Config,
    plan: &TextPlan,
    texts: [&str; 2],
    show: usize,
) -> Result<Explanation, Error> {
    let shingler = config.family.shingler();
    let counted = config.family.elements();
    let lists = texts.map(|text| {
        let mut list = Vec::new();
        counted.collect(text, &mut BagScratch::default(), &mut list);
        list
    });
    let lists = [&lists[0][..], &lists[1]];
    let counts = counts(lists);
    let exact = (counts.union() > 0).then(|| counts.similarity());
    let is_empty = lists.iter().any(|list| list.is_empty());
    let reaches_threshold = !is_empty && reaches(counts, config.threshold);
    let signatures = Signatures::new(config, plan, registry, texts)?;
    let estimate = exact.filter(|_| !is_empty);
    let estimate = estimate.and_then(|exact| signatures.estimate(config.verify.method, exact));
    let shared_keys = signatures.shared_keys();
    let mut met: Vec<u32> = shared_keys.iter().map(|shared| shared.band).collect();
    met.dedup();
    let candidate = !met.is_empty();
    let is_accepted = match config.verify.method {
        Verification::Exact => reaches_threshold,
        Verification::Signature => estimate.is_some_and(|e| e.similarity >= config.threshold),
        Verification::None => true,
    };
    let same_text = texts[0] == texts[1];
    let skips_short = config.family.short == Short::Skip;
    let has_copies = identity::has_copies(texts[0], !is_empty, &shingler, skips_short);
    let verdict = match (candidate, is_accepted, reaches_threshold) {
        _ if same_text && has_copies => Verdict::SameText,
        _ if is_empty => Verdict::Empty,
        (true, true, true) => Verdict::Match,
        (true, true, false) => Verdict::FalseMatch,
        (true, false, true) => Verdict::FalselyRejected,
        (true, false, false) => Verdict::Rejected,
        (false, _, true) => Verdict::Missed,
        (false, _, false) => Verdict::Apart,
    };
    let text = |i: usize| Text::new(&shingler, texts[i], lists[i]);
    let steps = plan.scheme.steps();
    let probability = |steps: &[Step]| {
        let apply = |p, step: &Step| step.apply(p);
        let p = |exact: f64| steps.iter().fold(Probability::saturating(exact), apply);
        let exact = exact.filter(|_| plan.is_s_curve);
        exact.map(|exact| p(exact).value())
    };
    let promised = Promised::new(&config.family, registry)?;
    Ok(Explanation {
        settings: Settings {
            threshold: config.threshold,
            seed: config.seed,
            family: config.family.clone(),
            verify: config.verify.method,
            plan: plan.clone(),
        },
        a: text(0),
        b: text(1),
        same_text,
        rows: Rows {
            a: counts.a,
            b: counts.b,
            c: counts.c,
        },
        similarity: exact,
        reaches_threshold,
        shingles: Differences::new(&shingler, texts, lists, show),
        estimate,
        agreements: signatures.agreements(),
        met,
        shared_keys,
        one_band: probability(inside_a_band(steps)),
        one_or_more_bands: exact.map(|exact| promised.candidate(plan, exact)),
        no_band: exact.map(|exact| match plan.is_s_curve {
            true => nothing_meets(steps, exact),
            false => 1.0 - promised.candidate(plan, exact),
        }),
        candidate,
        verdict,
        run: None,
    })
}

/// Explains two documents of a finished run, which are called by their ids as `pairs.jsonl` has them.
///
/// An id may be written as JSON (`"a"`, `17`) or as it is (`a`); a document can also be called by its file and line.
/// The inputs of the run are searched, on the threads of the current rayon pool.
pub fn explain_run(
    registry: &Registry,
    folder: &Path,
    ids: [&str; 2],
    show: usize,
) -> Result<Explanation, Error> {
    let finished = Finished::open(folder, registry)?;
    let [a, b] = find::find(&finished, ids)?;
    let texts = [&*a.text, &b.text];
    let mut explanation = explain(registry, &finished.config, &finished.plan, texts, show)?;
    let run = InRun::new(&finished, [a, b])?;
    if run.not_compared.is_some() {
        explanation.verdict = Verdict::NotCompared;
    }
    explanation.run = Some(run);
    Ok(explanation)
}

fn counts(lists: [&[u64]; 2]) -> Counts {
    let [a, b] = lists.map(|list| {
        let mut set = list.to_vec();
        set.sort_unstable();
        set.dedup();
        set
    });
    Counts::of(&a, &b)
}

/// The probability that a scheme does not agree, by De Morgan: "not all agree" is "some disagrees".
fn nothing_meets(steps: &[Step], exact: f64) -> f64 {
    let disagrees = Probability::saturating(exact).complement();
    let apply = |q: Probability, step: &Step| match step {
        Step::And(n) => q.any(*n),
        Step::Or(n) => q.all(*n),
    };
    steps.iter().fold(disagrees, apply).value()
}

/// The steps inside the outermost OR, which makes the bands.
fn inside_a_band(steps: &[Step]) -> &[Step] {
    match steps {
        [inside @ .., Step::Or(_)] => inside,
        all => all,
    }
}
