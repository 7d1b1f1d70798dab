use lookalike_fingerprint::{Comparison, Matcher, Minutia};
use lookalike_report::Overlay;
use serde::Serialize;

use super::Probed;
use crate::{Error, Print};

/// Two prints to look at, and what the matcher says of them.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct Example {
    /// What it is an example of.
    pub kind: Kind,
    /// The probe.
    pub probe: String,
    /// The enrolled print.
    pub enrolled: String,
    /// The matcher's score.
    pub score: f32,
    /// What it is made of, in words.
    pub explanation: String,
    #[serde(skip)]
    comparison: Comparison,
    #[serde(skip)]
    minutiae: [Vec<Minutia>; 2],
}

/// What a pair is an example of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Kind {
    /// The mate with the highest score.
    Best,
    /// The mate with the lowest score that came first all the same.
    JustFound,
    /// The mate with the lowest score, which did not come first.
    Missed,
    /// The print of another finger that came first instead.
    Instead,
}

impl Kind {
    /// Its name, as in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::JustFound => "just-found",
            Self::Missed => "missed",
            Self::Instead => "instead",
        }
    }
}

/// A pair of each kind that there is. Of equal scores the first counts.
pub(super) fn choose(
    probed: &[Probed],
    prints: &[Print],
    gallery: &[&Print],
    matcher: &Matcher,
) -> Vec<Example> {
    let example = |kind: Kind, probe: &Probed, id: u32| {
        let (first, second) = (&prints[probe.probe], gallery[id as usize]);
        let select = |print: &Print| matcher.selection().of(&print.template);
        let [a, b] = [first, second].map(|print| matcher.prepare(&print.template));
        let comparison = matcher.compare(&a, &b);
        Example {
            kind,
            probe: first.name.clone(),
            enrolled: second.name.clone(),
            score: comparison.score(),
            explanation: comparison.to_string(),
            minutiae: [select(first), select(second)],
            comparison,
        }
    };
    let by_score = |a: &&Probed, b: &&Probed| a.score.total_cmp(&b.score);
    let first = |one: &&Probed| one.best == Some(one.mate);
    let best = probed.iter().rev().max_by(by_score);
    let found = probed.iter().filter(first).min_by(by_score);
    let missed = probed.iter().filter(|one| !first(one)).min_by(by_score);
    let instead = missed.and_then(|one| one.best.map(|id| (one, id)));
    let mut examples: Vec<Example> = Vec::new();
    examples.extend(best.map(|one| example(Kind::Best, one, one.mate)));
    examples.extend(found.map(|one| example(Kind::JustFound, one, one.mate)));
    examples.extend(missed.map(|one| example(Kind::Missed, one, one.mate)));
    examples.extend(instead.map(|(one, id)| example(Kind::Instead, one, id)));
    examples
}

impl Example {
    /// The two prints laid over each other.
    pub fn overlay(&self) -> Result<Overlay, Error> {
        let title = match self.kind {
            Kind::Best => "One finger: the best score",
            Kind::JustFound => "One finger: the lowest score that came first",
            Kind::Missed => "One finger, missed: the lowest score",
            Kind::Instead => "Two fingers: what came first instead",
        };
        let points = |minutiae: &[Minutia]| {
            let point = |one: &Minutia| [one.x, one.y, one.direction].map(f64::from).into();
            minutiae.iter().map(point).collect()
        };
        let [first, second] = &self.minutiae;
        let shift = self.comparison.shift;
        let pairs = self.comparison.pairs.iter();
        let overlay = Overlay::new(
            title,
            (&self.probe, points(first)),
            (&self.enrolled, points(second)),
        )?
        .laid(
            self.comparison.rotation.into(),
            (shift.0.into(), shift.1.into()),
        )?
        .paired(pairs.map(|&(a, b)| (a.into(), b.into())))?;
        let mut note = self.explanation.clone();
        if let Some(letter) = note.get_mut(..1) {
            letter.make_ascii_uppercase();
        }
        Ok(overlay.note(note + "."))
    }
}
