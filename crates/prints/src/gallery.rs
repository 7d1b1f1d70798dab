//! A database of prints whose buckets were computed beforehand.

use std::{path::Path, sync::OnceLock};

use lookalike_engine::{BucketIndex, Query};
use lookalike_fingerprint::{
    Comparison, LocalTriples, Matcher, Prepared, Ranked, Selection, Template, Triples, Votes, Work,
};

use crate::{Error, Print, stored};

/// Prints that can be searched: their keys in an engine index, their minutiae for verification.
///
/// ```
/// use lookalike_fingerprint::{Triples, generate::{Finger, Impression}};
/// use lookalike_prints::Gallery;
///
/// let impression = Impression::default();
/// let enrolled = (0..50).map(|finger| (format!("finger {finger}"), impression.of(&Finger::new(finger), 1)));
/// let gallery = Gallery::new(enrolled, Triples::accurate())?;
/// let found = gallery.searcher().search(&impression.of(&Finger::new(17), 2), 3, 10)?;
/// assert_eq!(gallery.name(found[0].id), "finger 17");
/// # Ok::<(), lookalike_prints::Error>(())
/// ```
#[derive(Debug)]
pub struct Gallery {
    pub(crate) index: BucketIndex<LocalTriples>,
    pub(crate) names: Vec<String>,
    pub(crate) templates: Vec<Template>,
    matcher: Matcher,
    /// Made ready when they are first compared.
    prepared: Vec<OnceLock<Box<Prepared>>>,
}

/// A print that was found.
#[derive(Clone, Debug, PartialEq)]
pub struct Candidate {
    /// Its place in the gallery.
    pub id: u32,
    /// How many votes agree on how it lies over the probe, weighted.
    pub votes: f32,
    /// How it lies over the probe, where that was looked at.
    pub comparison: Option<Comparison>,
}

impl Gallery {
    /// Enrols named prints, on the threads of the current rayon pool.
    pub fn new(
        prints: impl IntoIterator<Item = (String, Template)>,
        triples: Triples,
    ) -> Result<Self, Error> {
        let (names, templates): (Vec<String>, Vec<Template>) = prints.into_iter().unzip();
        let index = BucketIndex::build(LocalTriples::new(triples)?, &templates)?;
        Ok(Self::of(index, names, templates))
    }

    /// Enrols prints from files.
    pub fn enroll(prints: Vec<Print>, triples: Triples) -> Result<Self, Error> {
        let named = prints.into_iter().map(|print| (print.name, print.template));
        Self::new(named, triples)
    }

    pub(crate) fn of(
        index: BucketIndex<LocalTriples>,
        names: Vec<String>,
        templates: Vec<Template>,
    ) -> Self {
        let matcher = Matcher::new(index.source().triples().minutiae);
        let prepared = templates.iter().map(|_| OnceLock::new()).collect();
        Self {
            index,
            names,
            templates,
            matcher,
            prepared,
        }
    }

    /// Writes the gallery to one file, whole or not at all: the engine's, with names and minutiae attached.
    pub fn save(&mut self, path: &Path) -> Result<(), Error> {
        let attachment = stored::write(self);
        Ok(self.index.save_with(path, &attachment)?)
    }

    /// Reads what [`save`](Gallery::save) wrote.
    pub fn open(path: &Path) -> Result<Self, Error> {
        stored::read(path)
    }

    /// How many prints are enrolled.
    #[must_use]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// How many prints have no key, having too few good minutiae, so that no search can find them.
    #[must_use]
    pub fn without_keys(&self) -> usize {
        let mut has = vec![false; self.len()];
        for posting in self.index.keys(0) {
            has[posting.id as usize] = true;
        }
        has.iter().filter(|has| !**has).count()
    }

    /// How a print is called.
    #[must_use]
    pub fn name(&self, id: u32) -> &str {
        &self.names[id as usize]
    }

    /// How keys are made.
    #[must_use]
    pub fn triples(&self) -> &Triples {
        self.index.source().triples()
    }

    /// Bytes of memory that the index takes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.index.bytes()
    }

    /// Which minutiae are compared.
    #[must_use]
    pub fn selection(&self) -> Selection {
        self.triples().minutiae
    }

    /// A reader, with memory of its own.
    pub fn searcher(&self) -> Searcher<'_> {
        Searcher {
            gallery: self,
            query: self.index.query(),
            votes: Votes::default(),
            work: Work::default(),
        }
    }

    pub(crate) fn matcher(&self) -> &Matcher {
        &self.matcher
    }

    pub(crate) fn prepared(&self, id: u32) -> &Prepared {
        let id = id as usize;
        self.prepared[id].get_or_init(|| Box::new(self.matcher.prepare(&self.templates[id])))
    }
}

/// Searches a [`Gallery`].
#[derive(Debug)]
pub struct Searcher<'a> {
    gallery: &'a Gallery,
    query: Query<'a, LocalTriples>,
    votes: Votes,
    work: Work,
}

impl Searcher<'_> {
    /// The prints with the most votes that agree, the best first.
    pub fn ranked(&mut self, probe: &Template, top: usize) -> Result<Vec<Ranked>, Error> {
        let votes = &mut self.votes;
        self.query.hits(probe, |hit| {
            votes.add(hit.id, hit.stored, hit.asked, hit.bucket);
        })?;
        Ok(votes.ranked(top))
    }

    /// The best `top` prints: of those with the most votes so many are verified and ordered by how well they lie over the probe;
    /// the others follow by their votes.
    pub fn search(
        &mut self,
        probe: &Template,
        top: usize,
        verified: usize,
    ) -> Result<Vec<Candidate>, Error> {
        let ranked = self.ranked(probe, top.max(verified))?;
        Ok(self.verify(probe, ranked, top, verified))
    }

    /// Verifies the first prints of a ranked list.
    pub(crate) fn verify(
        &mut self,
        probe: &Template,
        ranked: Vec<Ranked>,
        top: usize,
        verified: usize,
    ) -> Vec<Candidate> {
        let gallery = self.gallery;
        let probe = gallery.matcher.prepare(probe);
        let mut candidates: Vec<Candidate> = Vec::with_capacity(ranked.len());
        for (place, Ranked { id, score }) in ranked.into_iter().enumerate() {
            let comparison = (place < verified).then(|| {
                let stored = gallery.prepared(id);
                gallery.matcher.compare_with(&probe, stored, &mut self.work)
            });
            candidates.push(Candidate {
                id,
                votes: score,
                comparison,
            });
        }
        let verified = verified.min(candidates.len());
        // Stable: what is worth the same stays in the order of votes.
        candidates[..verified].sort_by(|a, b| b.score().total_cmp(&a.score()));
        candidates.truncate(top);
        candidates
    }
}

impl Candidate {
    /// How well it lies over the probe; 0 where that was not looked at.
    #[must_use]
    pub fn score(&self) -> f32 {
        self.comparison.as_ref().map_or(0.0, Comparison::score)
    }
}
