use crate::{
    Error, KEY_LIMIT, Key, Scheme, Step, TooManyKeys,
    mix::{START, absorb},
};

/// A scheme made ready to turn the answers of its functions into keys.
///
/// The outermost OR gives the bands. Inside a band, an AND concatenates the
/// keys of its parts and an OR puts the number of the part before the key,
/// both exactly while the bits fit into 64 and by a hash beyond.
#[derive(Clone, Debug)]
pub(crate) struct Fold {
    bands: u32,
    /// The steps inside a band, innermost first, each with the width of the keys that enter it.
    levels: Vec<Level>,
    key_bits: u32,
    multiplies: bool,
}

#[derive(Clone, Copy, Debug)]
struct Level {
    step: Step,
    /// The width of the keys that enter, if what leaves is exact.
    exact: Option<u32>,
}

impl Level {
    /// A key of part `number` of an OR.
    fn tagged(self, number: u64, key: u64) -> u64 {
        match self.exact {
            Some(bits) => number << bits | key,
            None => absorb(absorb(START, number), key),
        }
    }
}

/// Memory for [`Fold::keys`]: the partial sets of keys of the levels under way.
#[derive(Debug, Default)]
pub(crate) struct FoldScratch {
    spare: Vec<Vec<u64>>,
}

impl FoldScratch {
    fn take(&mut self) -> Vec<u64> {
        self.spare.pop().unwrap_or_default()
    }

    fn give(&mut self, mut keys: Vec<u64>) {
        keys.clear();
        self.spare.push(keys);
    }
}

impl Fold {
    /// Refuses a scheme under which every item has more than [`KEY_LIMIT`]
    /// keys; `always` says that every function has a bucket for every item.
    pub(crate) fn new(scheme: &Scheme, answer_bits: u32, always: bool) -> Result<Self, Error> {
        let (bands, inner) = match scheme.steps() {
            [inner @ .., Step::Or(bands)] => (*bands, inner),
            steps => (1, steps),
        };
        let mut levels = Vec::with_capacity(inner.len());
        let (mut bits, mut keys) = (answer_bits, 1u64);
        for &step in inner {
            let wide = match step {
                Step::And(n) => u64::from(n) * u64::from(bits),
                Step::Or(n) => u64::from(bits + u32::BITS - (n - 1).leading_zeros()),
            };
            let exact = (wide <= 64).then_some(bits);
            levels.push(Level { step, exact });
            bits = exact.map_or(64, |_| wide as u32);
            keys = match step {
                Step::And(n) => keys.saturating_pow(n),
                Step::Or(n) => keys.saturating_mul(u64::from(n)),
            };
        }
        let multiplies = inner.iter().any(|step| matches!(step, Step::Or(_)));
        // The outermost OR adds keys, one band each; it is an inner OR that multiplies them.
        let keys = keys.saturating_mul(u64::from(bands));
        if always && multiplies && keys > KEY_LIMIT {
            return Err(Error::KeysMultiply {
                scheme: scheme.clone(),
                keys,
                limit: KEY_LIMIT,
            });
        }
        Ok(Self {
            bands,
            levels,
            key_bits: bits,
            multiplies,
        })
    }

    pub(crate) fn bands(&self) -> u32 {
        self.bands
    }

    pub(crate) fn key_bits(&self) -> u32 {
        self.key_bits
    }

    /// Emits the (band, key) pairs of one item from the answers of all functions.
    pub(crate) fn keys<K: Key>(
        &self,
        answers: &[K],
        scratch: &mut FoldScratch,
        mut emit: impl FnMut(u32, u64),
    ) -> Result<(), TooManyKeys> {
        let bands = answers.chunks_exact(answers.len() / self.bands as usize);
        if self.multiplies {
            let count = bands.clone().map(|band| count(&self.levels, band));
            let count = count.fold(0, u64::saturating_add);
            if count > KEY_LIMIT {
                return Err(TooManyKeys { count });
            }
            let mut keys = scratch.take();
            for (number, band) in (0..).zip(bands) {
                expand(&self.levels, band, scratch, &mut keys);
                keys.drain(..).for_each(|key| emit(number, key));
            }
            scratch.give(keys);
        } else {
            for (number, band) in (0..).zip(bands) {
                if let Some(key) = self.and_of_answers(band) {
                    emit(number, key);
                }
            }
        }
        Ok(())
    }

    /// The one key of a band without an inner OR.
    #[inline]
    fn and_of_answers<K: Key>(&self, band: &[K]) -> Option<u64> {
        match self.levels.first() {
            None => band[0].bits(),
            Some(level) => {
                let mut key = Joined::start(level.exact);
                for answer in band {
                    key = key.join(answer.bits()?, level.exact);
                }
                Some(key.0)
            }
        }
    }
}

/// A key under construction: the AND of parts.
#[derive(Clone, Copy)]
struct Joined(u64);

impl Joined {
    fn start(exact: Option<u32>) -> Self {
        Self(if exact.is_some() { 0 } else { START })
    }

    fn join(self, part: u64, exact: Option<u32>) -> Self {
        Self(match exact {
            Some(bits) => {
                debug_assert!(
                    part.checked_shr(bits).unwrap_or(0) == 0,
                    "a key wider than it says"
                );
                self.0 << bits | part
            }
            None => absorb(self.0, part),
        })
    }
}

/// How many keys the levels make of these answers.
fn count<K: Key>(levels: &[Level], answers: &[K]) -> u64 {
    let Some((level, inner)) = levels.split_last() else {
        return u64::from(answers[0].bits().is_some());
    };
    let parts = parts(level, answers).map(|part| count(inner, part));
    match level.step {
        Step::Or(_) if inner.is_empty() => {
            let answered = answers.iter().filter(|answer| answer.bits().is_some());
            answered.count() as u64
        }
        Step::And(_) => parts.fold(1, u64::saturating_mul),
        Step::Or(_) => parts.fold(0, u64::saturating_add),
    }
}

/// Appends the keys that the levels make of these answers: the definition of AND and OR, as it stands.
fn expand<K: Key>(levels: &[Level], answers: &[K], scratch: &mut FoldScratch, keys: &mut Vec<u64>) {
    let Some((level, inner)) = levels.split_last() else {
        keys.extend(answers[0].bits());
        return;
    };
    let mut part_keys = scratch.take();
    match level.step {
        Step::And(_) => {
            let mut product = scratch.take();
            product.push(Joined::start(level.exact).0);
            for part in parts(level, answers) {
                expand(inner, part, scratch, &mut part_keys);
                let mut longer = scratch.take();
                for &key in &product {
                    let joined = |&part| Joined(key).join(part, level.exact).0;
                    longer.extend(part_keys.iter().map(joined));
                }
                part_keys.clear();
                scratch.give(std::mem::replace(&mut product, longer));
            }
            keys.append(&mut product);
            scratch.give(product);
        }
        // Without a call for each answer, of which there may be thousands and hardly one with a bucket.
        Step::Or(_) if inner.is_empty() => {
            for (number, answer) in (0..).zip(answers) {
                keys.extend(answer.bits().map(|key| level.tagged(number, key)));
            }
        }
        Step::Or(_) => {
            for (number, part) in (0..).zip(parts(level, answers)) {
                expand(inner, part, scratch, &mut part_keys);
                keys.extend(part_keys.drain(..).map(|key| level.tagged(number, key)));
            }
        }
    }
    scratch.give(part_keys);
}

fn parts<'a, K>(level: &Level, answers: &'a [K]) -> std::slice::ChunksExact<'a, K> {
    answers.chunks_exact(answers.len() / level.step.size() as usize)
}
