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
    pub kind: ExampleKind,
    /// The probe.
    pub probe: String,
    /// The enrolled print.
    pub enrolled: String,
    /// At which place it came, from 1; `None` where it was no candidate.
    pub rank: Option<usize>,
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
pub enum ExampleKind {
    /// Of the mates that came first the one with the middle score.
    Found,
    /// Of the mates that came first the one with the lowest score.
    JustFound,
    /// Of the mates that did not come first the one with the lowest score.
    Missed,
    /// The print of another finger that came first instead.
    Instead,
}

impl ExampleKind {
    /// Its name, as in files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Found => "found",
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
    let example = |kind: ExampleKind, probe: &Probed, id: u32, rank: Option<usize>| {
        let (first, second) = (&prints[probe.probe], gallery[id as usize]);
        let select = |print: &Print| matcher.selection().of(&print.template);
        let [a, b] = [first, second].map(|print| matcher.prepare(&print.template));
        let comparison = matcher.compare(&a, &b);
        Example {
            kind,
            probe: first.name.clone(),
            enrolled: second.name.clone(),
            rank,
            score: comparison.score(),
            explanation: comparison.to_string(),
            minutiae: [select(first), select(second)],
            comparison,
        }
    };
    let mut by_score: Vec<&Probed> = probed.iter().collect();
    by_score.sort_by(|a, b| a.score.total_cmp(&b.score));
    let (found, missed): (Vec<&Probed>, Vec<&Probed>) = by_score
        .into_iter()
        .partition(|one| one.best == Some(one.mate));
    let middle = (found.len() > 1).then(|| found[found.len() / 2]);
    let mut examples = Vec::new();
    examples.extend(middle.map(|one| example(ExampleKind::Found, one, one.mate, Some(1))));
    examples.extend(
        found
            .first()
            .map(|one| example(ExampleKind::JustFound, one, one.mate, Some(1))),
    );
    if let Some(one) = missed.first() {
        let rank = one.verified.map(|place| place + 1);
        examples.push(example(ExampleKind::Missed, one, one.mate, rank));
        examples.extend(
            one.best
                .map(|id| example(ExampleKind::Instead, one, id, Some(1))),
        );
    }
    examples
}

impl Example {
    /// The two prints laid over each other.
    pub fn overlay(&self) -> Result<Overlay, Error> {
        let title: String = match self.kind {
            ExampleKind::Found => "One finger, found: the middle score".into(),
            ExampleKind::JustFound => "One finger, found: the lowest score".into(),
            ExampleKind::Missed => match self.rank {
                Some(rank) => format!("One finger, missed: the mate came at place {rank}"),
                None => "One finger, missed: the mate was no candidate".into(),
            },
            ExampleKind::Instead => "Two fingers: what came first instead".into(),
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
