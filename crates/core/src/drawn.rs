use crate::{
    Error, Key, KeySource, LshFamily, LshFunctions, Scheme, TooManyKeys,
    fold::{Fold, FoldScratch},
    plugin::SignatureOf,
};

/// Functions drawn from a family, and the scheme that folds their answers into keys.
///
/// Made by [`Amplified::draw`](crate::Amplified::draw).
pub struct Drawn<F: LshFamily> {
    functions: F::Functions,
    fold: Fold,
    description: String,
}

/// Memory that a [`Drawn`] uses again from item to item.
pub struct DrawnScratch<F: LshFunctions> {
    functions: F::Scratch,
    answers: Vec<F::Key>,
    /// The answers for a whole batch.
    batch: Vec<F::Key>,
    fold: FoldScratch,
}

impl<F: LshFunctions> DrawnScratch<F> {
    /// What the functions answered for the last item: its signature.
    pub fn answers(&self) -> &[F::Key] {
        &self.answers
    }
}

impl<F: LshFunctions> std::fmt::Debug for DrawnScratch<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("DrawnScratch").finish_non_exhaustive()
    }
}

impl<F: LshFunctions> Default for DrawnScratch<F> {
    fn default() -> Self {
        Self {
            functions: F::Scratch::default(),
            answers: Vec::new(),
            batch: Vec::new(),
            fold: FoldScratch::default(),
        }
    }
}

impl<F: LshFamily> Drawn<F> {
    pub(crate) fn new(family: &F, scheme: &Scheme, seed: u64) -> Result<Self, Error> {
        let description = format!("{} · {scheme} · seed {seed}", family.describe());
        let draw = |family: &F, scheme: &Scheme| {
            let k = scheme.functions() as usize;
            let functions = family.draw(k, seed);
            assert_eq!(
                functions.len(),
                k,
                "{family:?} draws as many functions as asked"
            );
            let always = <F::Functions as LshFunctions>::Key::ALWAYS;
            let fold = Fold::new(scheme, functions.key_bits(), always)?;
            Ok((functions, fold))
        };
        let (functions, fold) = match family.fuse(scheme) {
            Some((fused, rest)) => draw(&fused, &rest)?,
            None => draw(family, scheme)?,
        };
        Ok(Self {
            functions,
            fold,
            description,
        })
    }

    /// The functions, fused where the family can.
    pub fn functions(&self) -> &F::Functions {
        &self.functions
    }

    /// Emits the keys of these answers, as if the functions had given them. A source with probes changes some answers of
    /// an item and asks for the keys that follow.
    ///
    /// # Errors
    /// If there are too many keys.
    ///
    /// # Panics
    /// If there is not one answer for each function.
    pub fn keys_of_answers(
        &self,
        answers: &[<F::Functions as LshFunctions>::Key],
        scratch: &mut DrawnScratch<F::Functions>,
        emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        assert_eq!(answers.len(), self.functions.len(), "one answer a function");
        let fold = &mut scratch.fold;
        self.fold.keys(answers, fold, without_payload(emit))
    }

    /// What gives an item its signature: the answers of the functions, by their bits.
    pub fn into_signatures(self) -> SignatureOf<F::Item>
    where
        F::Functions: 'static,
    {
        let functions = self.functions;
        Box::new(move |item| {
            let mut answers = vec![<F::Functions as LshFunctions>::Key::default(); functions.len()];
            functions.hash_into(item, &mut Default::default(), &mut answers);
            answers.into_iter().map(Key::bits).collect()
        })
    }
}

impl<F: LshFamily<Functions: Clone>> Clone for Drawn<F> {
    fn clone(&self) -> Self {
        Self {
            functions: self.functions.clone(),
            fold: self.fold.clone(),
            description: self.description.clone(),
        }
    }
}

impl<F: LshFamily> std::fmt::Debug for Drawn<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Drawn").field(&self.description).finish()
    }
}

impl<F: LshFamily> KeySource for Drawn<F> {
    type Item = F::Item;
    type Payload = ();
    type Scratch = DrawnScratch<F::Functions>;

    fn bands(&self) -> usize {
        self.fold.bands() as usize
    }

    fn key_bits(&self) -> u32 {
        self.fold.key_bits()
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
        let DrawnScratch {
            functions,
            answers,
            fold,
            ..
        } = scratch;
        answers.resize(self.functions.len(), Default::default());
        self.functions.hash_into(item, functions, answers);
        self.fold.keys(answers, fold, without_payload(emit))
    }

    fn keys_of_all(
        &self,
        items: &[&F::Item],
        scratch: &mut Self::Scratch,
        mut emit: impl FnMut(usize, u32, u64, ()),
    ) -> Result<(), (usize, TooManyKeys)> {
        let DrawnScratch {
            functions,
            batch,
            fold,
            ..
        } = scratch;
        let functions_of_one = self.functions.len();
        batch.clear();
        batch.resize(functions_of_one * items.len(), Default::default());
        self.functions.hash_all_into(items, functions, batch);
        for (place, answers) in batch.chunks(functions_of_one.max(1)).enumerate() {
            let emit = |band, key| emit(place, band, key, ());
            let keys = self.fold.keys(answers, fold, emit);
            keys.map_err(|error| (place, error))?;
        }
        Ok(())
    }
}

/// A function of its own, so that the closure, and with it the fold, has a type that does not depend on the family.
fn without_payload(mut emit: impl FnMut(u32, u64, ())) -> impl FnMut(u32, u64) {
    move |band, key| emit(band, key, ())
}
