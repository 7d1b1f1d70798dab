//! A family, a cascade and two distances that make sense together.

use lookalike::Scheme;
use lookalike::plugin::Measure;
use lookalike::search::Registry;

use crate::options::{Candidates, Promised, Refused};
use crate::usage::Usage;

/// What is asked: a promise, a cascade, two distances.
pub(super) struct Asked<'a> {
    pub(super) promised: Promised<'a>,
    pub(super) scheme: Scheme,
    pub(super) d1: f64,
    pub(super) d2: f64,
    /// What the distance is called.
    pub(super) distance: String,
    pub(super) is_whole: bool,
    /// The largest distance, if there is one.
    pub(super) largest: Option<f64>,
}

/// The first of the families that promises something.
pub(super) fn promising<'a>(
    found: Candidates<'a>,
    name: &str,
    registry: &Registry,
) -> anyhow::Result<Promised<'a>> {
    found.first().map_err(|refused| match refused {
        Refused::Wrong(error) => error,
        Refused::Nothing(entry) => {
            let mut message = match entry {
                Some(entry) if entry.is_method => {
                    format!("{name} is a method: it has no functions, so that it promises nothing of them")
                }
                _ => format!("{name} promises nothing, so that it has no (d1, d2, p1, p2)"),
            };
            if let Some(entry) = entry.filter(|entry| !entry.caveat.is_empty()) {
                message += &format!(". {}", entry.caveat);
            }
            let mut others: Vec<&str> = Vec::new();
            let promising = registry.entries().iter().filter(|entry| {
                let promise = entry.promise(&Default::default(), 64);
                promise.is_ok_and(|promise| promise(&Scheme::default(), 0.0).is_some())
            });
            for entry in promising {
                if !others.contains(&entry.name) {
                    others.push(entry.name);
                }
            }
            message = message.trim_end_matches('.').to_owned();
            Usage(format!("{message}. Families that promise something are {}", others.join(", "))).into()
        }
    })
}

impl<'a> Asked<'a> {
    pub(super) fn new(
        promised: Promised<'a>,
        scheme: Scheme,
        d1: f64,
        d2: f64,
    ) -> anyhow::Result<Self> {
        let name = promised.entry.name;
        let Some((measure, distance)) = stated(promised.entry.measures) else {
            let first = &promised.entry.measures[0];
            let mut message = format!(
                "{name} promises by the {}, which is not a distance: there is no (d1, d2, p1, p2)",
                first.name
            );
            if !promised.entry.caveat.is_empty() {
                message += &format!(". {}", promised.entry.caveat);
            }
            return Err(Usage(message).into());
        };
        for (flag, d) in [("--d1", d1), ("--d2", d2)] {
            if d < 0.0 {
                return Err(Usage(format!(
                    "{flag} {d} is not a distance: a {distance} is 0 or more"
                ))
                .into());
            }
            if measure.is_whole && d.fract() != 0.0 {
                return Err(Usage(format!(
                    "{flag} {d} is not a whole number, but every {distance} is"
                ))
                .into());
            }
        }
        if d1 >= d2 {
            return Err(Usage(format!(
                "--d1 {d1} must be below --d2 {d2}: close items are nearer than far ones"
            ))
            .into());
        }
        let promised = promised.settled(&[&Scheme::default(), &scheme], &[d1, d2])?;
        let width = promised.item_width.unwrap_or_default();
        let largest = promised.entry.largest(width);
        if let Some(largest) = largest.filter(|largest| d2 > *largest) {
            let items = promised.items();
            return Err(Usage(format!(
                "--d2 {d2} is beyond {largest}, the largest {distance} of {items}"
            ))
            .into());
        }
        Ok(Self {
            is_whole: measure.is_whole,
            promised,
            scheme,
            d1,
            d2,
            distance,
            largest,
        })
    }
}

/// The measure that states the distance itself, or a share whose complement it is.
fn stated(measures: &'static [Measure]) -> Option<(&'static Measure, String)> {
    let named = |measure: &'static Measure| Some((measure, measure.distance_name()?));
    let distances = measures.iter().filter(|measure| !measure.is_similarity);
    distances.chain(measures).find_map(named)
}
