//! Queries that are compared with a corpus at once.

use std::io::Write;

use anyhow::Context;
use lookalike::corpus::ErrorKind;
use lookalike::search::{Error, Found as Compared, Id, Scan};

use super::answers::{Answer, Found, Shown};
use crate::bar::Bar;

/// Asks when there are many, and writes the answers.
pub(super) struct Batch<'a> {
    pub(super) scan: Scan<'a>,
    /// The queries that wait, and whether they have a shingle.
    pub(super) asked: Vec<(Option<Id>, bool)>,
    pub(super) target: &'a str,
    pub(super) shown: Shown,
    pub(super) bar: Bar,
}

impl Batch<'_> {
    /// Takes one more query.
    pub(super) fn push(
        &mut self,
        id: Option<Id>,
        text: &str,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        if self.scan.is_full() {
            let answers = self.scan.answers(&self.bar);
            self.bar.finish();
            let answers = meant(answers, self.target)?;
            write(&mut self.shown, self.asked.drain(..), answers, out)?;
        }
        let has_shingles = self.scan.push(text)?;
        self.asked.push((id, has_shingles));
        Ok(())
    }

    /// Answers those that still wait.
    pub(super) fn finish(mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let answers = self.scan.finish(&self.bar);
        self.bar.finish();
        let answers = meant(answers, self.target)?;
        write(&mut self.shown, self.asked.drain(..), answers, out)?;
        self.shown.end(out)
    }
}

/// Perhaps it was meant to be an index.
fn meant<T>(answers: Result<T, Error>, name: &str) -> anyhow::Result<T> {
    match answers {
        Err(Error::Corpus(error)) if error.kind() == ErrorKind::Content => {
            Err(error).with_context(|| format!("{name} is no index, so it was read as documents"))
        }
        answers => Ok(answers?),
    }
}

fn write(
    shown: &mut Shown,
    asked: impl Iterator<Item = (Option<Id>, bool)>,
    answers: Vec<Vec<Compared>>,
    out: &mut impl Write,
) -> anyhow::Result<()> {
    for ((id, has_shingles), found) in asked.zip(answers) {
        let found = found.into_iter().map(|found| Found {
            id: found.id,
            similarity: found.similarity,
            text: Some(found.text),
        });
        let answer = Answer {
            found: found.collect(),
            has_shingles,
            candidates: None,
        };
        shown.answer(id.as_ref(), &answer, out)?;
    }
    Ok(())
}
