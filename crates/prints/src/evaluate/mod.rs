//! How well prints are found, on prints whose fingers are known.
//!
//! The first impression of each finger is enrolled, with other prints if there are any; the others are probes. A *hit* is a
//! probe whose mate is among the candidates, the *penetration* the share of the gallery that are candidates.

mod examples;
mod finders;
mod page;
mod ranks;
mod rates;

use std::collections::BTreeMap;

use lookalike_core::random;
use lookalike_fingerprint::{Matcher, Prepared, Ranked, Template, Work};
use rand::RngExt;
use rayon::prelude::*;
use serde::Serialize;

use crate::{Error, Print};
use finders::Finder;

pub use examples::{Example, ExampleKind};
pub use finders::{Finding, Squares};
pub use page::Picture;
pub use ranks::{Curve, Ranks};
pub use rates::Rates;

/// What is measured, and on what.
#[derive(Clone, Copy, Debug)]
pub struct Evaluate {
    /// How candidates are found.
    pub method: Finding,
    /// The share of the gallery that is verified, from 0 to 1; but at least [`FEWEST`] prints, unless it is 0.
    pub verify: f64,
}

impl Default for Evaluate {
    /// The accurate profile, a twentieth of the gallery verified.
    fn default() -> Self {
        Self {
            method: Finding::default(),
            verify: 0.05,
        }
    }
}

/// Prints that are verified even if the gallery is small.
pub const FEWEST: usize = 10;

/// What was measured.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Evaluation {
    /// How candidates were found, in words.
    pub method: String,
    /// Prints that were enrolled.
    pub gallery: usize,
    /// How many of them have no mate among the probes.
    pub extra: usize,
    /// Bytes of the index a print.
    pub bytes: f64,
    /// Keys or functions' answers that met, a probe.
    pub hits: f64,
    /// Prints that were verified, a probe.
    pub verified: usize,
    /// All probes.
    pub all: Set,
    /// The probes of each folder.
    pub sets: Vec<Set>,
    /// A few pairs to look at.
    pub examples: Vec<Example>,
}

/// What was measured on the probes of one folder, or all.
#[derive(Clone, Debug, Serialize)]
pub struct Set {
    /// The folder.
    pub name: String,
    /// Probes.
    pub probes: usize,
    /// By votes.
    pub found: Ranks,
    /// After verification.
    pub verified: Ranks,
    /// Hits against penetration, by the least score of votes.
    pub penetration: Vec<Curve>,
    /// Errors of the matcher, all pairs of prints within each folder compared.
    pub matcher: Option<Rates>,
}

/// One probe.
pub(crate) struct Probed {
    /// The number of its folder.
    set: usize,
    hits: usize,
    /// The mate's place by votes, from 0, and its score.
    found: Option<(usize, f32)>,
    /// The mate's place after verification.
    verified: Option<usize>,
    /// The scores of all candidates, the best first.
    scores: Vec<f32>,
    /// The print and its mate's number in the gallery, and what the matcher says of the two.
    probe: usize,
    mate: u32,
    score: f32,
    /// The print that came first.
    best: Option<u32>,
}

impl Evaluate {
    /// Enrols the first impression of each finger and all of `extra`, and looks for the mates of the other impressions.
    pub fn run(&self, prints: &[Print], extra: &[Print]) -> Result<Evaluation, Error> {
        if !(0.0..=1.0).contains(&self.verify) {
            let message = format!(
                "the share to verify is {}, but must be from 0 to 1",
                self.verify
            );
            return Err(Error::Unusable(message));
        }
        let fingers = fingers(prints)?;
        let mut enrolled: Vec<(Option<u32>, &Print)> = Vec::new();
        let mut probes = Vec::new();
        for (finger, impressions) in (0u32..).zip(fingers.values()) {
            enrolled.push((Some(finger), &prints[impressions[0]]));
            probes.extend(impressions[1..].iter().map(|&probe| (finger, probe)));
        }
        if probes.is_empty() {
            let message = "every finger has one impression: there is nothing to look for".into();
            return Err(Error::Unusable(message));
        }
        enrolled.extend(extra.iter().map(|print| (None, print)));
        shuffle(&mut enrolled);
        let mut mates = vec![0; fingers.len()];
        for (id, (finger, _)) in (0u32..).zip(&enrolled) {
            finger
                .iter()
                .for_each(|&finger| mates[finger as usize] = id);
        }
        let enrolled: Vec<&Print> = enrolled.into_iter().map(|(_, print)| print).collect();
        let gallery: Vec<&Template> = enrolled.iter().map(|print| &print.template).collect();
        let finder = Finder::new(self.method, &gallery)?;
        let matcher = Matcher::new(self.method.selection());
        let prepare = |template: &&Template| matcher.prepare(template);
        let prepared: Vec<Prepared> = gallery.par_iter().map(prepare).collect();
        let share = (gallery.len() as f64 * self.verify).ceil() as usize;
        let verified = if share == 0 { 0 } else { share.max(FEWEST) };
        let verified = verified.min(gallery.len());
        let with_mates = fingers.values().filter(|of| of.len() > 1).count();

        let mut names: Vec<&str> = prints.iter().map(|print| &print.set[..]).collect();
        names.sort_unstable();
        names.dedup();
        let look = |asking: &mut (finders::Asking<'_>, Work), &(finger, probe): &(u32, usize)| {
            let (print, mate) = (&prints[probe], mates[finger as usize]);
            let (ranked, hits) = asking.0.ranked(&print.template)?;
            let found = ranked.iter().position(|ranked| ranked.id == mate);
            let ready = matcher.prepare(&print.template);
            let again = verify(
                &matcher,
                &ready,
                &prepared,
                &ranked,
                verified,
                &mut asking.1,
            );
            Ok(Probed {
                set: names.binary_search(&&print.set[..]).expect("its own set"),
                hits,
                found: found.map(|place| (place, ranked[place].score)),
                verified: again.iter().position(|&id| id == mate),
                scores: ranked.iter().map(|ranked| ranked.score).collect(),
                probe,
                mate,
                score: matcher
                    .compare_with(&ready, &prepared[mate as usize], &mut asking.1)
                    .score(),
                best: again.first().copied(),
            })
        };
        let probed = probes
            .par_iter()
            .map_init(|| (finder.asking(), Work::default()), look)
            .collect::<Result<Vec<Probed>, Error>>()?;

        let rates = rates::measure(&matcher, prints, &names);
        let count = gallery.len();
        let set = |name: &str, of: Vec<&Probed>, matcher| Set {
            name: name.into(),
            probes: of.len(),
            found: Ranks::new(of.iter().map(|one| one.found.map(|found| found.0)), count),
            verified: Ranks::new(of.iter().map(|one| one.verified), count),
            penetration: ranks::penetration(&of, count),
            matcher,
        };
        let sets = names.iter().enumerate().map(|(number, name)| {
            let of = probed.iter().filter(|one| one.set == number).collect();
            set(name, of, Rates::new(&rates.of(number)))
        });
        let sets: Vec<Set> = sets.filter(|set| set.probes > 0).collect();
        let total: usize = probed.iter().map(|one| one.hits).sum();
        Ok(Evaluation {
            method: finder.describe(),
            gallery: count,
            extra: count - with_mates,
            bytes: finder.bytes() as f64 / count as f64,
            hits: total as f64 / probed.len() as f64,
            verified,
            all: set("all", probed.iter().collect(), Rates::new(&rates.all())),
            sets,
            examples: examples::choose(&probed, prints, &enrolled, &matcher),
        })
    }
}

/// Puts prints into an order drawn at random. Equal scores go by it, and must not favour mates.
fn shuffle<T>(prints: &mut [T]) {
    let mut rng = random::stream(0, 0);
    for last in (1..prints.len()).rev() {
        prints.swap(last, rng.random_range(0..=last));
    }
}

/// The prints of each finger of each folder, in the order of impressions.
fn fingers(prints: &[Print]) -> Result<BTreeMap<(&str, &str), Vec<usize>>, Error> {
    let mut fingers: BTreeMap<(&str, &str), Vec<(u32, usize)>> = BTreeMap::new();
    for (place, print) in prints.iter().enumerate() {
        let Some(label) = &print.label else {
            let name = print.name.clone();
            return Err(Error::Unlabelled { name });
        };
        let of = fingers.entry((&print.set, &label.finger)).or_default();
        of.push((label.impression, place));
    }
    let ordered = fingers.into_iter().map(|(finger, mut impressions)| {
        impressions.sort_unstable();
        let places = impressions.into_iter().map(|(_, place)| place);
        (finger, places.collect())
    });
    Ok(ordered.collect())
}

/// The ids of a ranked list, its first prints ordered by how well they lie over the probe.
fn verify(
    matcher: &Matcher,
    probe: &Prepared,
    prepared: &[Prepared],
    ranked: &[Ranked],
    verified: usize,
    work: &mut Work,
) -> Vec<u32> {
    let verified = verified.min(ranked.len());
    let mut first: Vec<(f32, u32)> = ranked[..verified]
        .iter()
        .map(|ranked| {
            let stored = &prepared[ranked.id as usize];
            (matcher.compare_with(probe, stored, work).score(), ranked.id)
        })
        .collect();
    first.sort_by(|a, b| b.0.total_cmp(&a.0));
    let rest = ranked[verified..].iter().map(|ranked| ranked.id);
    first.into_iter().map(|(_, id)| id).chain(rest).collect()
}
