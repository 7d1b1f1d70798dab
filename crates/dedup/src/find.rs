//! From keys to matches: candidates are found, and each is judged.

use std::sync::{
    Mutex,
    atomic::{AtomicU64, Ordering},
};

use lookalike_corpus::Corpus;
use lookalike_engine::{Id, Join, Joined, Match, Pair};
use lookalike_minhash::{SetOrBag, Shingler, estimate_from_bytes};
use lookalike_output::Progress;

use crate::{
    Error, Verification,
    sketch::Sketched,
    verify::{self, Exact},
};

/// Candidates between two reports of progress.
const STEP: u64 = 1 << 10;

/// Counts the candidates that all threads have compared, and reports them.
pub(crate) struct Compared<'a> {
    progress: &'a dyn Progress,
    count: AtomicU64,
}

impl<'a> Compared<'a> {
    fn new(progress: &'a dyn Progress) -> Self {
        Self {
            progress,
            count: AtomicU64::new(0),
        }
    }

    pub(crate) fn add(&self, candidates: u64) {
        let before = self.count.fetch_add(candidates, Ordering::Relaxed);
        let now = before + candidates;
        if before / STEP != now / STEP {
            self.progress.reach(now);
        }
    }
}

/// What judges candidates.
pub(crate) struct Finder<'a> {
    pub(crate) corpus: &'a Corpus,
    pub(crate) sketched: &'a Sketched,
    pub(crate) counted: &'a SetOrBag<Shingler>,
    pub(crate) threshold: f64,
}

impl Finder<'_> {
    /// The pairs of items that are matches, by the method that is asked for.
    pub(crate) fn run(
        &self,
        method: Verification,
        join: Join<'_>,
        progress: &dyn Progress,
    ) -> Result<Joined<Match>, Error> {
        let inside_old = AtomicU64::new(0);
        let judged = Compared::new(progress);
        let concerns = |pair: Pair| {
            let is_inside = self.is_old(pair.a()) && self.is_old(pair.b());
            inside_old.fetch_add(is_inside.into(), Ordering::Relaxed);
            !is_inside
        };
        let mut joined = match method {
            Verification::None => join.matches(&|pair: Pair| {
                judged.add(1);
                concerns(pair).then_some(0.0)
            }),
            Verification::Signature => {
                let by_signature = |pair| {
                    judged.add(1);
                    self.by_signature(pair)
                };
                join.matches(&|pair: Pair| concerns(pair).then(|| by_signature(pair)).flatten())
            }
            Verification::Exact => self.exactly(join, concerns, progress)?,
        };
        let inside_old = inside_old.into_inner();
        joined.summary.candidates -= inside_old;
        // What was not compared may also be inside the older corpus.
        joined.summary.not_compared_is_exact &= inside_old == 0;
        Ok(joined)
    }

    /// Whether all documents of an item are of the older corpus, which comes last.
    fn is_old(&self, item: Id) -> bool {
        let first = self.sketched.firsts[item as usize];
        self.sketched.documents.is_old(first)
    }

    fn by_signature(&self, pair: Pair) -> Option<f64> {
        let signatures = &self.sketched.signatures;
        let functions = signatures.len() / self.sketched.columns.items();
        let signature = |item: Id| &signatures[item as usize * functions..][..functions];
        let estimate = estimate_from_bytes(signature(pair.a()), signature(pair.b())).ok()?;
        let similarity = estimate.similarity();
        (similarity >= self.threshold).then_some(1.0 - similarity)
    }

    /// Compares candidates in batches, so that they are never held all together.
    fn exactly(
        &self,
        join: Join<'_>,
        concerns: impl Fn(Pair) -> bool + Sync,
        progress: &dyn Progress,
    ) -> Result<Joined<Match>, Error> {
        let place = |item: Id| {
            let first = self.sketched.firsts[item as usize];
            self.sketched.documents.places[first as usize]
        };
        let held = &self.sketched.held;
        let compared = Compared::new(progress);
        let exact = Exact {
            corpus: self.corpus,
            counted: self.counted,
            held,
            places: &place,
            threshold: self.threshold,
            compared: &compared,
            idle: Mutex::default(),
        };
        let mut waiting = Vec::new();
        let mut matches = Vec::new();
        let mut result = Ok(());
        let summary = join.run(
            |pair| concerns(pair).then_some(()),
            |pair, ()| {
                waiting.push(pair);
                if waiting.len() == verify::BATCH {
                    if result.is_ok() {
                        result = exact.run(&mut waiting, &mut matches);
                    }
                    waiting.clear();
                }
            },
        );
        result?;
        exact.run(&mut waiting, &mut matches)?;
        matches.sort_unstable_by_key(|found| found.pair);
        Ok(Joined {
            found: matches,
            summary,
        })
    }
}
