//! Two items share a (band, key) if and only if the AND/OR formula over their answers is true.

use std::{collections::HashSet, fmt::Debug, marker::PhantomData, num::NonZeroU32};

use lookalike_core::{
    Bounds, Drawn, DrawnScratch, Error, KEY_LIMIT, Key, KeySource, LshFamily, LshFunctions,
    Probability, Scheme, Step, TooManyKeys,
};
use proptest::{
    collection::vec, prelude::*, sample::select, test_runner::TestCaseError,
    test_runner::TestRunner,
};

/// What an answer of these tests can be.
trait Answer: Key + Default + Debug + PartialEq + Send + Sync + 'static {}
impl<K: Key + Default + Debug + PartialEq + Send + Sync + 'static> Answer for K {}

/// Whether an answer has a bucket: all but the default of an `Option`. Told without `Key::bits`, which is under test.
fn has_bucket<K: Answer>(answer: &K) -> bool {
    K::ALWAYS || *answer != K::default()
}

/// A family whose items are the answers themselves: function i gives the item's place i.
#[derive(Clone, Copy, Debug, Default)]
struct Answers<K>(PhantomData<K>);

struct Copies<K> {
    count: usize,
    answer: PhantomData<K>,
}

impl<K: Answer> LshFamily for Answers<K> {
    type Item = [K];
    type Functions = Copies<K>;

    fn collision(&self, _: f64) -> Bounds {
        Bounds::new(Probability::NEVER, Probability::CERTAIN).expect("ordered")
    }

    fn draw(&self, count: usize, _: u64) -> Copies<K> {
        Copies {
            count,
            answer: PhantomData,
        }
    }
}

impl<K: Answer> LshFunctions for Copies<K> {
    type Item = [K];
    type Key = K;
    type Scratch = ();

    fn len(&self) -> usize {
        self.count
    }

    fn hash_into(&self, item: &[K], (): &mut (), keys: &mut [K]) {
        keys.copy_from_slice(item);
    }
}

/// As [`Answers`] of yes, no or nothing, but with a fused AND: one function packs `rows` places.
#[derive(Clone, Copy, Debug)]
struct Packed {
    rows: u32,
}

struct Packs {
    rows: u32,
    count: usize,
}

impl LshFamily for Packed {
    type Item = [Option<bool>];
    type Functions = Packs;

    fn collision(&self, _: f64) -> Bounds {
        Bounds::new(Probability::NEVER, Probability::CERTAIN).expect("ordered")
    }

    fn draw(&self, count: usize, _: u64) -> Packs {
        let rows = self.rows;
        Packs { rows, count }
    }

    fn fused(&self, rows: u32) -> Option<Self> {
        (self.rows == 1).then_some(Self { rows })
    }
}

impl LshFunctions for Packs {
    type Item = [Option<bool>];
    type Key = Option<u64>;
    type Scratch = ();

    fn len(&self) -> usize {
        self.count
    }

    fn key_bits(&self) -> u32 {
        self.rows
    }

    fn hash_into(&self, item: &[Option<bool>], (): &mut (), keys: &mut [Option<u64>]) {
        for (key, places) in keys.iter_mut().zip(item.chunks_exact(self.rows as usize)) {
            let pack = |packed: u64, &place: &Option<bool>| Some(packed << 1 | u64::from(place?));
            *key = places.iter().try_fold(0, pack);
        }
    }
}

/// The definition: the value of AND and OR over what each function says.
fn formula(steps: &[Step], agree: impl Iterator<Item = bool>) -> bool {
    let level = |agree: Vec<bool>, step: &Step| -> Vec<bool> {
        let parts = agree.chunks_exact(step.size() as usize);
        match step {
            Step::And(_) => parts.map(|part| part.iter().all(|&yes| yes)).collect(),
            Step::Or(_) => parts.map(|part| part.iter().any(|&yes| yes)).collect(),
        }
    };
    steps.iter().fold(agree.collect(), level)[0]
}

/// The definition: how many keys an item with these buckets has.
fn how_many(steps: &[Step], answers: impl Iterator<Item = bool>) -> u64 {
    let level = |counts: Vec<u64>, step: &Step| -> Vec<u64> {
        let parts = counts.chunks_exact(step.size() as usize);
        match step {
            Step::And(_) => parts.map(|part| part.iter().product()).collect(),
            Step::Or(_) => parts.map(|part| part.iter().sum()).collect(),
        }
    };
    steps.iter().fold(answers.map(u64::from).collect(), level)[0]
}

/// What an item is stored under, in order, by memory that other items have used.
fn stored_with<F: LshFamily>(
    drawn: &Drawn<F>,
    item: &F::Item,
    scratch: &mut DrawnScratch<F::Functions>,
) -> Result<Vec<(u32, u64)>, TooManyKeys> {
    let mut keys = Vec::new();
    drawn.keys(item, scratch, |band, key, ()| keys.push((band, key)))?;
    Ok(keys)
}

fn stored<F: LshFamily>(drawn: &Drawn<F>, item: &F::Item) -> Result<Vec<(u32, u64)>, TooManyKeys> {
    stored_with(drawn, item, &mut DrawnScratch::default())
}

/// Up to four steps of sizes 1 to 4 over at most 64 functions.
fn cascades() -> impl Strategy<Value = Vec<Step>> {
    let step = (any::<bool>(), 1u32..=4);
    let step = step.prop_map(|(and, n)| if and { Step::And(n) } else { Step::Or(n) });
    vec(step, 0..=4).prop_filter("at most 64 functions", |steps| functions(steps) <= 64)
}

fn functions(steps: &[Step]) -> usize {
    steps.iter().map(|step| step.size() as usize).product()
}

/// A cascade and two items, the second a copy of the first but for about one answer in four.
fn cases<K: Answer>(alphabet: &[K]) -> impl Strategy<Value = (Vec<Step>, Vec<K>, Vec<K>)> + use<K> {
    let letter = select(alphabet.to_vec());
    cascades().prop_flat_map(move |steps| {
        let copied = prop::bool::weighted(0.75);
        let answer = (letter.clone(), copied, letter.clone());
        let answer = answer.prop_map(|(a, copied, other)| (a, if copied { a } else { other }));
        let items = vec(answer, functions(&steps));
        items.prop_map(move |items| {
            let (a, b) = items.into_iter().unzip();
            (steps.clone(), a, b)
        })
    })
}

/// Runs `check` on cases over an alphabet of answers.
fn for_cases<K: Answer>(
    alphabet: &[K],
    check: impl Fn(&[Step], &[K], &[K]) -> Result<(), TestCaseError>,
) {
    TestRunner::default()
        .run(&cases(alphabet), |(steps, a, b)| check(&steps, &a, &b))
        .unwrap_or_else(|failure| panic!("{failure}"));
}

/// Draws the scheme over `family` and compares what it does to two items with the definition.
fn as_defined<K: Answer, F: LshFamily<Item = [K]>>(
    family: F,
    steps: &[Step],
    items: [&[K]; 2],
) -> Result<(), TestCaseError> {
    let scheme = Scheme::new(steps.iter().copied()).unwrap();
    let drawn = match family.amplify(scheme).draw(0) {
        Ok(drawn) => drawn,
        Err(Error::KeysMultiply { keys, .. }) => {
            let all = how_many(steps, items[0].iter().map(|_| true));
            prop_assert!(K::ALWAYS && keys == all && keys > KEY_LIMIT);
            return Ok(());
        }
        Err(other) => return Err(TestCaseError::fail(other.to_string())),
    };
    let mut scratch = DrawnScratch::default();
    let mut sets = Vec::new();
    for item in items {
        let count = how_many(steps, item.iter().map(has_bucket));
        match stored_with(&drawn, item, &mut scratch) {
            Ok(keys) => {
                let set: HashSet<_> = keys.iter().copied().collect();
                prop_assert_eq!(keys.len(), set.len(), "a key twice");
                prop_assert_eq!(keys.len() as u64, count);
                for (band, key) in keys {
                    prop_assert!((band as usize) < drawn.bands());
                    prop_assert!(64 - key.leading_zeros() <= drawn.key_bits());
                }
                sets.push(set);
            }
            Err(error) => {
                prop_assert_eq!(error, TooManyKeys { count });
                prop_assert!(count > KEY_LIMIT);
                return Ok(());
            }
        }
    }
    let agree = |(a, b): (&K, &K)| has_bucket(a) && a == b;
    let expected = formula(steps, items[0].iter().zip(items[1]).map(agree));
    prop_assert_eq!(!sets[0].is_disjoint(&sets[1]), expected);
    Ok(())
}

/// The definition holds for plain answers from this alphabet.
fn folds_as_defined<K: Answer>(alphabet: &[K]) {
    for_cases(alphabet, |steps, a, b| {
        as_defined(Answers::<K>(PhantomData), steps, [a, b])
    });
}

#[test]
fn bits_fold_as_defined() {
    folds_as_defined(&[false, true]);
}

#[test]
fn bytes_fold_as_defined() {
    folds_as_defined(&[0u8, 1, u8::MAX]);
}

#[test]
fn words_fold_as_defined() {
    folds_as_defined(&[0u32, 1, u32::MAX]);
}

#[test]
fn long_words_fold_as_defined() {
    folds_as_defined(&[0u64, 1, u64::MAX]);
}

#[test]
fn one_bucket_or_none_folds_as_defined() {
    folds_as_defined(&[None, Some(())]);
}

#[test]
fn words_or_none_fold_as_defined() {
    folds_as_defined(&[None, NonZeroU32::new(1), NonZeroU32::new(2)]);
}

#[test]
fn a_fused_and_folds_as_defined() {
    for_cases(&[None, Some(false), Some(true)], |steps, a, b| {
        as_defined(Packed { rows: 1 }, steps, [a, b])
    });
}

fn scheme(text: &str) -> Scheme {
    text.parse().unwrap()
}

fn draw<K: Answer>(text: &str) -> Result<Drawn<Answers<K>>, Error> {
    Answers::<K>::default().amplify(scheme(text)).draw(0)
}

#[test]
fn the_innermost_and_is_fused() {
    let drawn = Packed { rows: 1 }.and(3).or(2).draw(0).unwrap();
    assert_eq!((drawn.functions().len(), drawn.key_bits()), (2, 3));
    let item = [true, false, true, true, true, false].map(Some);
    assert_eq!(stored(&drawn, &item), Ok(vec![(0, 0b101), (1, 0b110)]));
    // An OR comes first: nothing to fuse.
    let drawn = Packed { rows: 1 }.or(3).and(2).draw(0).unwrap();
    assert_eq!(drawn.functions().len(), 6);
}

#[test]
fn a_scheme_that_multiplies_the_keys_of_every_item_is_refused() {
    for (text, keys) in [
        ("or:17,and:4", 17u64.pow(4)),
        ("or:16,and:4,or:2", 2 * KEY_LIMIT),
        ("or:2,and:64", u64::MAX),
    ] {
        let refused = Error::KeysMultiply {
            scheme: scheme(text),
            keys,
            limit: KEY_LIMIT,
        };
        assert_eq!(draw::<u8>(text).unwrap_err(), refused);
    }
}

#[test]
fn a_scheme_at_the_limit_is_not_refused() {
    let drawn = draw::<u8>("or:16,and:4").unwrap();
    assert_eq!(stored(&drawn, &[0; 64]).unwrap().len() as u64, KEY_LIMIT);
    // Bands add keys; only an OR inside an AND multiplies them.
    let drawn = draw::<u8>("or:70000").unwrap();
    assert_eq!(stored(&drawn, &[0; 70_000]).unwrap().len(), 70_000);
}

#[test]
fn where_functions_may_stay_away_the_item_is_refused_and_not_the_scheme() {
    let drawn = draw::<Option<()>>("or:17,and:4").unwrap();
    let mut item = [Some(()); 68];
    let count = 17u64.pow(4);
    assert_eq!(stored(&drawn, &item), Err(TooManyKeys { count }));
    item[0] = None;
    let count = 16 * 17u64.pow(3);
    assert_eq!(stored(&drawn, &item), Err(TooManyKeys { count }));
    // Part numbers 16, 0, 16 and 16, five bits each.
    let mut sparse = [None; 68];
    for place in [16, 17, 50, 67] {
        sparse[place] = Some(());
    }
    let key = 0b10000_00000_10000_10000;
    assert_eq!(stored(&drawn, &sparse), Ok(vec![(0, key)]));
    // One part of the AND has no key: none at all.
    sparse[50] = None;
    assert_eq!(stored(&drawn, &sparse), Ok(vec![]));
}

#[test]
fn value_stability() {
    // Exact: one key after the other.
    let drawn = draw::<u8>("and:2,or:2").unwrap();
    let keys = vec![(0, 0x0102), (1, 0x0304)];
    assert_eq!((drawn.bands(), drawn.key_bits()), (2, 16));
    assert_eq!(stored(&drawn, &[1, 2, 3, 4]), Ok(keys));

    // Exact: a bit for the part, then its key.
    let drawn = draw::<u8>("or:2,and:2").unwrap();
    let keys = [
        0x001 << 9 | 0x003,
        0x001 << 9 | 0x104,
        0x102 << 9 | 0x003,
        0x102 << 9 | 0x104,
    ];
    assert_eq!((drawn.bands(), drawn.key_bits()), (1, 18));
    assert_eq!(
        stored(&drawn, &[1, 2, 3, 4]),
        Ok(keys.map(|key| (0, key)).to_vec())
    );

    // Hashed: the AND is wider than 64 bits.
    let drawn = draw::<u32>("and:3,or:2").unwrap();
    let keys = vec![(0, 5013445578483118600), (1, 11543453809811913001)];
    assert_eq!((drawn.bands(), drawn.key_bits()), (2, 64));
    assert_eq!(stored(&drawn, &[1, 2, 3, 4, 5, 6]), Ok(keys));

    // Hashed: tag and key do not fit, nor does their AND.
    let drawn = draw::<u64>("or:2,and:2").unwrap();
    let keys = [
        9328536689798098726,
        15320840490949404306,
        3063261814638655631,
        8776953071733494060,
    ];
    assert_eq!((drawn.bands(), drawn.key_bits()), (1, 64));
    let stored = stored(&drawn, &[1, 2, 3, 4]).unwrap();
    assert_eq!(stored, keys.map(|key| (0, key)));
}
