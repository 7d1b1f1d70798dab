//! Plugins with wrong names are refused when they join.

use std::panic::catch_unwind;

use lookalike_core::{
    Bounds, DistanceFn, LshFamily, LshFunctions,
    plugin::{Distance, Error, Family, Kind, Measure, Value},
};
use lookalike_search::{RESERVED, Registry, Request};
use serde::{Deserialize, Serialize};

const KINDS: [&str; 4] = ["number", "number", "other", "a kind"];
const MEASURES: [Measure; 5] = [
    Measure::distance("gap", "gap"),
    Measure::distance("gap", "gap"),
    Measure::similarity("gap", "gap"),
    Measure::distance("recall", "recall"),
    Measure::distance("Gap", "gap"),
];
const FAMILIES: [&str; 3] = ["cells", "brute-force", ""];

/// Numbers under a name.
struct Number<const KIND: usize>;

/// Their difference, stated by a measure.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Gap<const KIND: usize, const MEASURE: usize>;

/// A family over it, under a name.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Cells<const KIND: usize, const MEASURE: usize, const FAMILY: usize>;

impl<const KIND: usize> Kind for Number<KIND> {
    const NAME: &'static str = KINDS[KIND];
    type Item = i64;
    type Items = Vec<i64>;
    type Reading = ();

    fn parse(_: Value<'_>, (): &(), _: &mut Vec<i64>) -> Result<(), Error> {
        Ok(())
    }

    fn show(item: &i64, _: usize) -> String {
        item.to_string()
    }
}

impl<const KIND: usize, const MEASURE: usize> Distance for Gap<KIND, MEASURE> {
    const MEASURES: &'static [Measure] = &[MEASURES[MEASURE]];
    type Kind = Number<KIND>;
    type Metric = DistanceFn<i64>;

    fn metric(&self) -> Result<DistanceFn<i64>, Error> {
        Ok(DistanceFn(|a, b| (a - b).abs() as f64))
    }
}

impl<const KIND: usize, const MEASURE: usize, const FAMILY: usize> Family
    for Cells<KIND, MEASURE, FAMILY>
{
    const NAME: &'static str = FAMILIES[FAMILY];
    type Distance = Gap<KIND, MEASURE>;
    type Keys = Same;

    fn keys(&self, _: &Self::Distance, _: usize) -> Result<Same, Error> {
        Ok(Same(0))
    }
}

/// Functions whose key is the number itself.
#[derive(Clone, Debug)]
struct Same(usize);

impl LshFamily for Same {
    type Item = i64;
    type Functions = Self;

    fn collision(&self, _: f64) -> Bounds {
        Bounds::ANYTHING
    }

    fn draw(&self, k: usize, _: u64) -> Self {
        Self(k)
    }
}

impl LshFunctions for Same {
    type Item = i64;
    type Key = u64;
    type Scratch = ();

    fn len(&self) -> usize {
        self.0
    }

    fn hash_into(&self, item: &i64, (): &mut (), keys: &mut [u64]) {
        keys.fill(*item as u64);
    }
}

/// What is said when a plugin joins one that is right.
fn refused<F: Family>() -> String {
    let join = || Registry::default().with::<Cells<0, 0, 0>>().with::<F>();
    let said = catch_unwind(join).expect_err("refused");
    said.downcast_ref::<String>().unwrap().clone()
}

#[test]
fn a_plugin_with_a_wrong_name_is_refused_when_it_joins() {
    for (said, expected) in [
        (
            refused::<Cells<2, 3, 0>>(),
            "measure `recall`, but that is the name of a setting",
        ),
        (
            refused::<Cells<2, 4, 0>>(),
            "the measure `Gap` must be called by lower-case letters",
        ),
        (
            refused::<Cells<3, 0, 0>>(),
            "the kind `a kind` must be called by",
        ),
        (
            refused::<Cells<2, 0, 2>>(),
            "the family or method `` must be called by",
        ),
        (
            refused::<Cells<0, 1, 0>>(),
            "two distances over the kind `number` have the measure `gap`",
        ),
        (refused::<Cells<1, 0, 0>>(), "two kinds are called `number`"),
        (
            refused::<Cells<2, 2, 0>>(),
            "the measure `gap` means something else",
        ),
        (refused::<Cells<0, 0, 0>>(), "are called `cells`"),
        (refused::<Cells<0, 0, 1>>(), "are called `brute-force`"),
    ] {
        assert!(said.contains(expected), "{said}");
    }
}

#[test]
fn the_same_measure_of_another_kind_may_join() {
    let registry = Registry::default()
        .with::<Cells<0, 0, 0>>()
        .with::<Cells<2, 1, 0>>();
    assert_eq!(registry.kinds_with("gap").unwrap(), ["number", "other"]);
}

#[test]
fn the_keys_of_a_request_are_reserved() {
    assert!(RESERVED.is_sorted());
    let request = serde_json::to_value(Request::default()).unwrap();
    for key in request.as_object().unwrap().keys() {
        assert!(RESERVED.contains(&key.as_str()), "{key}");
    }
}
