use std::{fmt, sync::Arc};

use lookalike_core::{Drawn, DrawnScratch, KeySource, LshFamily, TooManyKeys};
use lookalike_minhash::{Elements, FastSimilarity, Hashes, Shingler, ShinglerScratch, Universal};
use xxhash_rust::xxh3::Xxh3;

use crate::{Error, FAST_SIMILARITY, Settings, TextPlan};

/// How texts become elements, and elements keys: all that settings decide. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Hashing(Arc<Parts>);

struct Parts {
    /// With nothing left open.
    settings: Settings,
    plan: TextPlan,
    shingler: Shingler,
    sketch: Drawings,
}

/// The same functions twice: for elements that are at hand, and for texts too long to list their elements.
enum Drawings {
    Fast(
        Drawn<FastSimilarity<Hashes>>,
        Drawn<FastSimilarity<Shingler>>,
    ),
    Universal(Drawn<Universal<Hashes>>, Drawn<Universal<Shingler>>),
}

/// The other family that an index of texts can have.
pub(crate) const UNIVERSAL: &str = "universal";

/// Texts whose elements are not listed to be hashed: longer than this.
const LONG: usize = 1 << 20;

impl Hashing {
    pub(crate) fn new(settings: &Settings) -> Result<Self, Error> {
        let plan = settings.plan()?;
        let settings = settings.resolved(&plan);
        let shingler = settings.family.shingler();
        fn draw<F: LshFamily>(family: F, plan: &TextPlan, seed: u64) -> Result<Drawn<F>, Error> {
            Ok(family.amplify(plan.scheme.clone()).draw(seed)?)
        }
        let (seed, texts) = (settings.seed, shingler.clone());
        let sketch = match &*settings.family.name {
            FAST_SIMILARITY => Drawings::Fast(
                draw(FastSimilarity::new(Hashes), &plan, seed)?,
                draw(FastSimilarity::new(texts), &plan, seed)?,
            ),
            _ => Drawings::Universal(
                draw(Universal::new(Hashes), &plan, seed)?,
                draw(Universal::new(texts), &plan, seed)?,
            ),
        };
        Ok(Self(Arc::new(Parts {
            settings,
            plan,
            shingler,
            sketch,
        })))
    }

    pub(crate) fn settings(&self) -> &Settings {
        &self.0.settings
    }

    pub(crate) fn plan(&self) -> &TextPlan {
        &self.0.plan
    }

    /// The elements of a text instead of what is in the list.
    pub(crate) fn elements(
        &self,
        text: &str,
        scratch: &mut ShinglerScratch,
        elements: &mut Vec<u64>,
    ) {
        elements.clear();
        self.0.shingler.collect(text, scratch, elements);
    }

    /// Emits the keys of a text; a text without elements has none.
    pub(crate) fn text_keys(
        &self,
        text: &str,
        scratch: &mut TextScratch,
        mut emit: impl FnMut(u32, u64),
    ) -> Result<(), TooManyKeys> {
        if text.len() <= LONG {
            let TextScratch {
                shingler,
                elements,
                keys,
                ..
            } = scratch;
            self.elements(text, shingler, elements);
            return self.keys(elements, keys, |band, key, ()| emit(band, key));
        }
        let emit = |band, key, ()| emit(band, key);
        match &self.0.sketch {
            Drawings::Fast(_, texts) => texts.keys(text, &mut scratch.fast, emit),
            Drawings::Universal(_, texts) => texts.keys(text, &mut scratch.universal, emit),
        }
    }

    /// A hash of what some texts become: two programs that agree on it take texts apart in the same way.
    pub(crate) fn fingerprint(&self) -> u64 {
        const TEXTS: [&str; 3] = [
            "The quick brown fox, aged 7½, doesn't jump over the lazy dog's back: it is 3.14 feet too high for it to do so.",
            "ÉCOLE école e\u{301}cole ẞ ß ﬁn Ⅷ ２０２６ foo_bar https://example.org/?q=1#x a-b \u{200b}\u{feff}\t\r\n",
            "日本語の文章と中文文本 한국어 텍스트 ภาษาไทย हिन्दी पाठ عربي נוסח Ελληνικά Кириллица 🦀🏳️‍🌈",
        ];
        let mut hash = Xxh3::new();
        let mut scratch = TextScratch::default();
        for text in TEXTS {
            // Keys that are too many are an error where they are needed.
            let _ = self.text_keys(text, &mut scratch, |band, key| {
                hash.update(&band.to_le_bytes());
                hash.update(&key.to_le_bytes());
            });
            for element in &scratch.elements {
                hash.update(&element.to_le_bytes());
            }
        }
        hash.digest()
    }
}

impl fmt::Debug for Hashing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Hashing").field(&self.0.settings).finish()
    }
}

/// Memory for the keys of elements.
#[derive(Debug, Default)]
pub(crate) struct KeyScratch {
    fast: DrawnScratch<<FastSimilarity<Hashes> as LshFamily>::Functions>,
    universal: DrawnScratch<<Universal<Hashes> as LshFamily>::Functions>,
}

/// Memory for the keys of texts.
#[derive(Debug, Default)]
pub(crate) struct TextScratch {
    shingler: ShinglerScratch,
    elements: Vec<u64>,
    keys: KeyScratch,
    fast: DrawnScratch<<FastSimilarity<Shingler> as LshFamily>::Functions>,
    universal: DrawnScratch<<Universal<Shingler> as LshFamily>::Functions>,
}

impl KeySource for Hashing {
    type Item = [u64];
    type Payload = ();
    type Scratch = KeyScratch;

    fn bands(&self) -> usize {
        match &self.0.sketch {
            Drawings::Fast(drawn, _) => drawn.bands(),
            Drawings::Universal(drawn, _) => drawn.bands(),
        }
    }

    fn key_bits(&self) -> u32 {
        match &self.0.sketch {
            Drawings::Fast(drawn, _) => drawn.key_bits(),
            Drawings::Universal(drawn, _) => drawn.key_bits(),
        }
    }

    fn describe(&self) -> String {
        self.0.settings.to_json()
    }

    fn keys(
        &self,
        elements: &[u64],
        scratch: &mut KeyScratch,
        emit: impl FnMut(u32, u64, ()),
    ) -> Result<(), TooManyKeys> {
        match &self.0.sketch {
            Drawings::Fast(drawn, _) => drawn.keys(elements, &mut scratch.fast, emit),
            Drawings::Universal(drawn, _) => drawn.keys(elements, &mut scratch.universal, emit),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_has_the_keys_of_its_elements() {
        for name in [FAST_SIMILARITY, UNIVERSAL] {
            let mut settings = Settings::default();
            settings.family.name = name.into();
            let hashing = Hashing::new(&settings).unwrap();
            let words = (0..LONG / 4).map(|i| format!("w{} ", i % 5000));
            let text: String = words.collect();
            assert!(text.len() > LONG);
            let (mut of_text, mut of_elements) = (Vec::new(), Vec::new());
            let mut scratch = TextScratch::default();
            let keys =
                hashing.text_keys(&text, &mut scratch, |band, key| of_text.push((band, key)));
            keys.unwrap();
            let mut elements = Vec::new();
            hashing.elements(&text, &mut Default::default(), &mut elements);
            let keys = hashing.keys(&elements, &mut Default::default(), |band, key, ()| {
                of_elements.push((band, key))
            });
            keys.unwrap();
            assert_eq!(of_text, of_elements);
            assert_eq!(of_text.len(), hashing.bands());
        }
    }

    #[test]
    fn every_setting_changes_the_fingerprint() {
        let with = |change: fn(&mut Settings)| {
            let mut settings = Settings::default();
            change(&mut settings);
            Hashing::new(&settings).unwrap().fingerprint()
        };
        let all = [
            with(|_| ()),
            with(|settings| settings.seed = 1),
            with(|settings| (settings.bands, settings.rows) = (Some(4), Some(2))),
            with(|settings| settings.family.name = UNIVERSAL.into()),
            with(|settings| settings.family.tokens = lookalike_minhash::Tokens::Whitespace),
            with(|settings| settings.family.shingle = "words:4".parse().unwrap()),
            with(|settings| settings.family.shingle = "stopwords".parse().unwrap()),
            with(|settings| settings.family.normalize = vec!["accents".parse().unwrap()]),
            with(|settings| settings.family.hash = crate::HashWidth::Bits32),
        ];
        let different: std::collections::HashSet<u64> = all.into_iter().collect();
        assert_eq!(different.len(), 9);
    }

    #[test]
    fn value_stability() {
        let hashing = Hashing::new(&Settings::default()).unwrap();
        assert_eq!(hashing.fingerprint(), 2571246862603761673);
    }
}
