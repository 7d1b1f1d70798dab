use lookalike_core::{
    Banding, Drawn, DrawnScratch, KEY_LIMIT, KeySource, LshFamily, LshFunctions, Scheme,
    TooManyKeys, random::Stream,
};

use super::{
    probe_order::{Change, cheapest_sets},
    simulated::Choice,
};
use crate::Error;

/// Families of which it is known how likely a neighbour of a query has another answer than the query.
pub trait Probed: LshFamily<Functions: Perturbed> {
    /// Draws what a function sees of a query, and adds the answers that a neighbour at this distance may have, the
    /// query's own first, then those that [`Perturbed::perturb`] gives, at the same costs.
    fn simulate(&self, distance: f64, most: usize, rng: &mut Stream, choices: &mut Vec<Choice>);

    /// How far what is simulated may be from the functions, as a share of the probability; 0 if they are the same.
    fn model_error(&self) -> f64 {
        0.0
    }
}

/// Functions that know which other answers the neighbours of a vector are likely to have.
pub trait Perturbed: LshFunctions {
    /// Writes the answers of all functions, as [`hash_into`](LshFunctions::hash_into) does, and adds other answers,
    /// function by function; of each function those that matter if `most` keys are asked.
    fn perturb(
        &self,
        item: &Self::Item,
        scratch: &mut Self::Scratch,
        most: usize,
        answers: &mut [Self::Key],
        alternatives: &mut Vec<Alternative<Self::Key>>,
    );
}

/// Another answer of a function than that of a vector.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Alternative<K> {
    /// The number of the function.
    pub function: usize,
    /// How unlikely a neighbour has it: less is likelier. The costs of several functions add up.
    pub cost: f64,
    /// The answer.
    pub answer: K,
}

/// Multi-probe: a vector is stored under one key a table, and a query asks several of each table, in the order of how
/// likely a neighbour has them. It takes fewer tables for the same recall, and more keys a query.
///
/// ```
/// use lookalike_core::{Banding, KeySource};
/// use lookalike_vector::families::{Hyperplanes, Probing};
///
/// let scheme = Banding::new(4, 10)?.scheme();
/// let source = Probing::new(&Hyperplanes::<f32>::new(3), &scheme, 8, 0)?;
/// let mut asked = 0;
/// source.probes(&[1.0, 2.0, 3.0], &mut Default::default(), |_, _, ()| asked += 1)?;
/// assert_eq!(asked, 4 * 8);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Probing<F: LshFamily> {
    drawn: Drawn<F>,
    rows: usize,
    probes: usize,
    description: String,
}

/// Memory that a [`Probing`] uses again from item to item.
#[derive(Debug)]
pub struct ProbingScratch<F: LshFunctions> {
    drawn: DrawnScratch<F>,
    functions: F::Scratch,
    answers: Vec<F::Key>,
    alternatives: Vec<Alternative<F::Key>>,
    changes: Vec<Change>,
    /// The answers behind each further key that is asked, for all tables.
    asked: Vec<Vec<F::Key>>,
}

impl<F: LshFunctions> Default for ProbingScratch<F> {
    fn default() -> Self {
        Self {
            drawn: DrawnScratch::default(),
            functions: F::Scratch::default(),
            answers: Vec::new(),
            alternatives: Vec::new(),
            changes: Vec::new(),
            asked: Vec::new(),
        }
    }
}

impl<F: Probed + Clone> Probing<F> {
    /// Tables drawn from a family under a scheme, each asked for `probes` keys: 1 is a query's own key alone.
    ///
    /// # Errors
    /// If there are no probes or too many, or if the scheme is not bands and rows.
    pub fn new(family: &F, scheme: &Scheme, probes: u32, seed: u64) -> Result<Self, Error> {
        let banding = checked(scheme, probes)?;
        let drawn = family.clone().amplify(scheme.clone()).draw(seed)?;
        let description = match probes {
            1 => drawn.describe(),
            _ => format!("{} · {probes} probes", drawn.describe()),
        };
        Ok(Self {
            drawn,
            rows: banding.map_or(1, |banding| banding.rows() as usize),
            probes: probes as usize,
            description,
        })
    }
}

/// The bands and rows of a scheme that is asked for several keys a table.
///
/// # Errors
/// If there are no probes or too many, or if the scheme is not bands and rows.
pub(crate) fn checked(scheme: &Scheme, probes: u32) -> Result<Option<Banding>, Error> {
    let banding = scheme.banding();
    if probes == 0 {
        return Err(Error::parameter("probes", 0, "1 or more"));
    }
    if probes > 1 && banding.is_none() {
        let expected = format!("1 under {scheme}: several need bands and rows");
        return Err(Error::parameter("probes", probes, expected));
    }
    let bands = banding.map_or(1, |banding| banding.bands().into());
    if u64::from(probes) * bands > KEY_LIMIT {
        let expected = format!("at most {} with {bands} bands", KEY_LIMIT / bands);
        return Err(Error::parameter("probes", probes, expected));
    }
    Ok(banding)
}

impl<F> KeySource for Probing<F>
where
    F: Probed,
    F::Functions: LshFunctions<Key: Default>,
{
    type Item = F::Item;
    type Payload = ();
    type Scratch = ProbingScratch<F::Functions>;

    fn bands(&self) -> usize {
        self.drawn.bands()
    }

    fn key_bits(&self) -> u32 {
        self.drawn.key_bits()
    }

    fn describe(&self) -> String {
        self.description.clone()
    }

    fn keys(
        &self,
        item: &F::Item,
        scratch: &mut Self::Scratch,
        emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        self.drawn.keys(item, &mut scratch.drawn, emit)
    }

    fn keys_of_all(
        &self,
        items: &[&F::Item],
        scratch: &mut Self::Scratch,
        emit: impl FnMut(usize, u32, u64, ()),
    ) -> Result<(), (usize, TooManyKeys)> {
        self.drawn.keys_of_all(items, &mut scratch.drawn, emit)
    }

    fn has_probes(&self) -> bool {
        self.probes > 1
    }

    fn probes(
        &self,
        item: &F::Item,
        scratch: &mut Self::Scratch,
        mut emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        if self.probes == 1 {
            return self.keys(item, scratch, emit);
        }
        self.choose(item, scratch);
        let ProbingScratch {
            drawn,
            answers,
            asked,
            ..
        } = scratch;
        self.drawn.keys_of_answers(answers, drawn, &mut emit)?;
        for answers in asked {
            self.drawn.keys_of_answers(answers, drawn, &mut emit)?;
        }
        Ok(())
    }
}

impl<F: Probed> Probing<F> {
    /// The answers behind all keys that a query asks. A table that has fewer keys than others answers "no bucket" for
    /// the rest, which is what the default of a key is.
    fn choose(&self, item: &F::Item, scratch: &mut ProbingScratch<F::Functions>) {
        let ProbingScratch {
            functions,
            answers,
            alternatives,
            changes,
            asked,
            ..
        } = scratch;
        let of_all = self.drawn.functions();
        answers.resize(of_all.len(), Default::default());
        alternatives.clear();
        of_all.perturb(item, functions, self.probes, answers, alternatives);
        asked.resize_with(self.probes - 1, Vec::new);
        for asked in &mut *asked {
            asked.clear();
            asked.resize(answers.len(), Default::default());
        }
        let table = |alternative: &Alternative<_>| alternative.function / self.rows;
        let mut before = 0;
        for of_table in alternatives.chunk_by(|a, b| table(a) == table(b)) {
            let first = table(&of_table[0]) * self.rows;
            let own = &answers[first..][..self.rows];
            changes.clear();
            changes.extend(
                (before..)
                    .zip(of_table)
                    .map(|(answer, alternative)| Change {
                        row: alternative.function - first,
                        cost: alternative.cost,
                        answer,
                    }),
            );
            before += of_table.len();
            let mut place = 0;
            cheapest_sets(changes, self.probes, |set| {
                if let (true, Some(asked)) = (place > 0, asked.get_mut(place.max(1) - 1)) {
                    asked[first..][..self.rows].copy_from_slice(own);
                    for change in set {
                        asked[first + change.row] = alternatives[change.answer].answer;
                    }
                }
                place += 1;
            });
        }
    }
}
