//! How near is near: one flag per measure of the registry.
//!
//! The flags are built, not derived: a measure that joins the registry is a flag of `pairs` and `query` at once.

use clap::{Arg, ArgGroup, ArgMatches, Args, Command, FromArgMatches, error::ErrorKind};
use lookalike::output::did_you_mean;
use lookalike::plugin::Measure;

use crate::registry::registry;
use crate::remedy::{Spelling, explained};

/// A measure and the threshold that was given by its flag.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threshold {
    pub(crate) measure: &'static Measure,
    pub(crate) value: f64,
}

/// A measure with a threshold, or by `--measure` without one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(crate) measure: &'static Measure,
    /// `None`: however far.
    pub(crate) threshold: Option<f64>,
}

/// A measure, if one was given.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MaybeNear(pub(crate) Option<Near>);

/// The group of all flags of measures: at most one of them may be given.
const GROUP: &str = "measures";
/// The flag that names a measure without a threshold.
const MEASURE: &str = "measure";
const HEADING: &str = "Search";

/// One flag per measure, in a group.
fn flags(mut command: Command, group: ArgGroup) -> Command {
    let mut group = group.multiple(false);
    for measure in registry().measures() {
        let (value, bound) = match measure.is_similarity {
            true => ("S", "at least S"),
            false => ("N", "at most N"),
        };
        let name = measure.name;
        command = command.arg(
            Arg::new(measure.flag)
                .long(measure.flag)
                .value_name(value)
                .help(format!("{name} of {bound}"))
                .help_heading(HEADING)
                .allow_negative_numbers(true)
                .value_parser(move |text: &str| threshold(text, measure)),
        );
        group = group.arg(measure.flag);
    }
    command.arg(gone("radius", "hamming")).group(group)
}

/// A flag that is gone, which names its successor.
fn gone(flag: &'static str, successor: &'static str) -> Arg {
    Arg::new(flag)
        .long(flag)
        .hide(true)
        .allow_negative_numbers(true)
        .value_parser(move |value: &str| -> Result<f64, String> {
            Err(format!("--{flag} is now --{successor} {value}"))
        })
}

/// The value of a measure's flag.
fn threshold(text: &str, measure: &'static Measure) -> Result<f64, String> {
    let value = text.trim().parse().map_err(|_| "must be a number")?;
    match measure.limit(value) {
        // A zero loses its sign.
        Ok(_) => Ok(value + 0.0),
        Err(error) => Err(explained(&error.into(), Spelling::Flags)),
    }
}

/// The name of a measure.
fn named(name: &str) -> Result<&'static Measure, String> {
    let measures = registry().measures();
    let found = measures.iter().find(|measure| measure.flag == name);
    found.copied().ok_or_else(|| {
        let names: Vec<&str> = measures.iter().map(|measure| measure.flag).collect();
        let (known, meant) = (names.join(", "), did_you_mean(name, &names));
        format!("known measures are {known}{meant}")
    })
}

fn given(matches: &ArgMatches) -> Option<Threshold> {
    let measures = registry().measures().into_iter();
    let mut given = measures.filter_map(|measure| {
        let value = *matches.get_one(measure.flag)?;
        Some(Threshold { measure, value })
    });
    given.next()
}

impl FromArgMatches for Threshold {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        given(matches).ok_or_else(|| clap::Error::new(ErrorKind::MissingRequiredArgument))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = given(matches).unwrap_or(*self);
        Ok(())
    }
}

impl Args for Threshold {
    fn augment_args(command: Command) -> Command {
        flags(command, ArgGroup::new(GROUP).required(true))
    }

    fn augment_args_for_update(command: Command) -> Command {
        flags(command, ArgGroup::new(GROUP))
    }
}

impl FromArgMatches for MaybeNear {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let by_flag = given(matches).map(|Threshold { measure, value }| Near {
            measure,
            threshold: Some(value),
        });
        let by_name = matches.get_one(MEASURE).map(|&measure| Near {
            measure,
            threshold: None,
        });
        Ok(Self(by_flag.or(by_name)))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        let Self(near) = Self::from_arg_matches(matches)?;
        self.0 = near.or(self.0);
        Ok(())
    }
}

impl Args for MaybeNear {
    fn augment_args(command: Command) -> Command {
        let measure = Arg::new(MEASURE)
            .long(MEASURE)
            .value_name("NAME")
            .help("The nearest by this measure, however far they are: needs -k")
            .help_heading(HEADING)
            .value_parser(named);
        let group = ArgGroup::new(GROUP).arg(MEASURE);
        flags(command.arg(measure), group).arg(gone("min", "jaccard"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl From<Threshold> for Near {
    fn from(Threshold { measure, value }: Threshold) -> Self {
        Self {
            measure,
            threshold: Some(value),
        }
    }
}
