use super::{Error, Kind, Params};
use crate::Pair;

/// Makes up items whose distances or labels are known. The value holds its parameters: in the file of an experiment,
/// `data.generate.NAME = { … }`.
///
/// ```
/// use lookalike_core::plugin::{Error, Generated, Generator, Kind, Value};
/// use serde::{Deserialize, Serialize};
/// # struct Number;
/// # impl Kind for Number {
/// #     const NAME: &'static str = "number";
/// #     type Item = i64;
/// #     type Items = Vec<i64>;
/// #     type Reading = ();
/// #     fn parse(_: Value<'_>, _: &(), _: &mut Vec<i64>) -> Result<(), Error> { Ok(()) }
/// #     fn show(item: &i64, _: usize) -> String { item.to_string() }
/// # }
///
/// /// The numbers from 1.
/// #[derive(Clone, Debug, Default, Serialize, Deserialize)]
/// #[serde(default, deny_unknown_fields)]
/// struct Counted {
///     count: u32,
/// }
///
/// impl Generator for Counted {
///     const NAME: &'static str = "counted";
///     type Kind = Number;
///
///     fn generate(&self) -> Result<Generated<Vec<i64>>, Error> {
///         Ok(Generated::new((1..=self.count.into()).collect()))
///     }
/// }
///
/// assert_eq!(Counted { count: 3 }.generate()?.items, [1, 2, 3]);
/// # Ok::<(), Error>(())
/// ```
pub trait Generator: Params {
    /// The name in files: `pairs`.
    const NAME: &'static str;
    /// What it makes, in one line.
    const SUMMARY: &'static str = "";
    /// What it makes items of.
    type Kind: Kind;

    /// Makes the items. Equal parameters give equal items.
    ///
    /// # Errors
    /// If a parameter is wrong.
    fn generate(&self) -> Result<Generated<<Self::Kind as Kind>::Items>, Error>;
}

/// Items that were made up, and what is known about them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Generated<I> {
    /// The items.
    pub items: I,
    /// What they are called; empty: each goes by its place.
    pub names: Vec<String>,
    /// Pairs that were planted.
    pub groups: Vec<Group>,
    /// What each item belongs to, such as the finger of a print; empty: unknown.
    pub labels: Vec<u32>,
}

/// Pairs that were planted for one reason: copies at one similarity, prints of one finger.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// The reason.
    pub name: String,
    /// The pairs.
    pub pairs: Vec<Pair>,
}

impl<I> Generated<I> {
    /// Items of which nothing is known.
    pub fn new(items: I) -> Self {
        Self {
            items,
            names: Vec::new(),
            groups: Vec::new(),
            labels: Vec::new(),
        }
    }

    /// Refuses to make no items, or more than memory is likely to hold: `each` is the number of words or numbers in one.
    ///
    /// # Errors
    /// If there would be none or too many.
    pub fn check_size(items: u64, each: u64) -> Result<(), Error> {
        /// The most items, and the most that all of them may hold.
        const MOST: u64 = 1_000_000;
        const MOST_IN_ALL: u64 = 1 << 27;
        if items == 0 {
            return Err(Error::new("nothing would be generated: at least 1 item"));
        }
        let all = items.saturating_mul(each.max(1));
        let is_few = items <= MOST && all <= MOST_IN_ALL;
        is_few.then_some(()).ok_or_else(|| {
            Error::new(format!(
                "{items} items of {each} are too many: at most {MOST} can be generated, which hold at most {MOST_IN_ALL} in all"
            ))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_bounded() {
        type Made = Generated<Vec<u64>>;
        assert!(Made::check_size(1_000_000, 100).is_ok());
        for (items, each) in [(0, 1), (1_000_001, 1), (1_000_000, 200), (u64::MAX, 2)] {
            assert!(Made::check_size(items, each).is_err(), "{items} × {each}");
        }
    }
}
