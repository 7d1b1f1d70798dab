//! How near is near: one flag per measure of the registry.
//!
//! The flags are built, not derived: a measure that joins the registry is a flag of `pairs` and `query` at once. Each
//! flag's value is a whole [`Near`], so that the one that was given needs no registry to be understood.

use clap::{Arg, ArgGroup, ArgMatches, Args, Command, FromArgMatches, Id, error::ErrorKind};
use lookalike::output::did_you_mean;
use lookalike::plugin::Measure;

use crate::remedy::{Spelling, explained};

/// A measure with a threshold, or by `--measure` without one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Near {
    pub(crate) measure: &'static Measure,
    /// `None`: however far.
    pub(crate) threshold: Option<f64>,
}

/// The group of all flags of measures: at most one of them may be given.
pub(crate) const GROUP: &str = "measures";
/// The flag that names a measure without a threshold.
const MEASURE: &str = "measure";
const HEADING: &str = "Search";

/// The command with one flag per measure, one of which must be given.
pub(crate) fn required(command: Command, measures: &[&'static Measure]) -> Command {
    flags(command, measures, ArgGroup::new(GROUP).required(true))
}

/// The command with one flag per measure, and one that names a measure without a threshold.
pub(crate) fn optional(command: Command, measures: &[&'static Measure]) -> Command {
    let known = measures.to_vec();
    let help = "The nearest by this measure, however far they are: needs -k";
    let measure = by_name(help, HEADING, known);
    let group = ArgGroup::new(GROUP).arg(MEASURE);
    flags(command.arg(measure), measures, group).arg(gone("min", "jaccard"))
}

/// The command with one flag per measure, of which at most one may be given.
pub(crate) fn possible(command: Command, measures: &[&'static Measure]) -> Command {
    flags(command, measures, ArgGroup::new(GROUP))
}

/// The command with one flag per measure next to a flag of its own: all of them are in a group that it has.
pub(crate) fn alternatives(
    command: Command,
    measures: &[&'static Measure],
    group: &'static str,
) -> Command {
    let flags = measures.iter().map(|measure| {
        let (value, _) = written(measure);
        let help = format!("The {} that must be found", measure.name);
        flag(measure, value, help, "By a measure").groups([GROUP, group])
    });
    command.args(flags)
}

/// The flag of a measure.
fn flag(
    measure: &'static Measure,
    value: &'static str,
    help: String,
    heading: &'static str,
) -> Arg {
    Arg::new(measure.flag)
        .long(measure.flag)
        .value_name(value)
        .help(help)
        .help_heading(heading)
        .display_order(0)
        .allow_negative_numbers(true)
        .value_parser(move |text: &str| threshold(text, measure))
}

fn flags(mut command: Command, measures: &[&'static Measure], group: ArgGroup) -> Command {
    let mut group = group.multiple(false);
    for &measure in measures {
        let (value, bound) = written(measure);
        let name = measure.name;
        let help = format!("{name} of {bound} {value}");
        command = command.arg(flag(measure, value, help, HEADING));
        group = group.arg(measure.flag);
    }
    let command = command.arg(gone("radius", "hamming"));
    command.arg(gone("threshold", "jaccard")).group(group)
}

/// The command with a flag that names a measure.
pub(crate) fn name(command: Command, measures: &[&'static Measure], help: &'static str) -> Command {
    let measure = by_name(help, "Family", measures.to_vec());
    command.arg(measure.group(GROUP))
}

fn by_name(help: &'static str, heading: &'static str, known: Vec<&'static Measure>) -> Arg {
    Arg::new(MEASURE)
        .long(MEASURE)
        .value_name("NAME")
        .help(help)
        .help_heading(heading)
        .display_order(0)
        .value_parser(move |name: &str| named(name, &known))
}

/// What a threshold is called, and what it bounds.
fn written(measure: &Measure) -> (&'static str, &'static str) {
    match measure.is_similarity {
        true => ("S", "at least"),
        false => ("N", "at most"),
    }
}

/// The flags as alternatives: `--jaccard S|--hamming N`.
pub(crate) fn usage(measures: &[&'static Measure]) -> String {
    let flag = |measure: &&Measure| format!("--{} {}", measure.flag, written(measure).0);
    measures.iter().map(flag).collect::<Vec<_>>().join("|")
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
fn threshold(text: &str, measure: &'static Measure) -> Result<Near, String> {
    let value: f64 = text.trim().parse().map_err(|_| "must be a number")?;
    match measure.limit(value) {
        Ok(_) => Ok(Near {
            measure,
            // A zero loses its sign.
            threshold: Some(value + 0.0),
        }),
        Err(error) => Err(explained(&error.into(), Spelling::Flags)),
    }
}

/// The name of a measure.
fn named(name: &str, measures: &[&'static Measure]) -> Result<Near, String> {
    match measures.iter().find(|measure| measure.flag == name) {
        Some(measure) => Ok(Near {
            measure,
            threshold: None,
        }),
        None => {
            let names: Vec<&str> = measures.iter().map(|measure| measure.flag).collect();
            let (known, meant) = (names.join(", "), did_you_mean(name, &names));
            Err(format!("known measures are {known}{meant}"))
        }
    }
}

impl FromArgMatches for Near {
    /// The value of the only flag of the group that was given.
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let flag = matches.get_one::<Id>(GROUP);
        let near = flag.and_then(|flag| matches.get_one::<Self>(flag.as_str()));
        near.copied()
            .ok_or_else(|| clap::Error::new(ErrorKind::MissingRequiredArgument))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The flags join later, by [`required`], [`optional`] and [`alternatives`]: derived arguments do not know the registry.
impl Args for Near {
    fn group_id() -> Option<Id> {
        Some(GROUP.into())
    }

    fn augment_args(command: Command) -> Command {
        command
    }

    fn augment_args_for_update(command: Command) -> Command {
        command
    }
}
