//! The command `lookalike` as a library: a program with plugins of its own is [`main`] over its registry.
//!
//! ```no_run
//! fn main() -> std::process::ExitCode {
//!     // A plugin joins here: lookalike::builtin().with::<Mine>()
//!     lookalike_cli::main(&lookalike::builtin())
//! }
//! ```
//!
//! The measures of the registry are flags in the verbs that take one, in their help, in shell completions and in manual
//! pages. `run` and `compare` say how much memory families take if the program has
//! [`Counting`](lookalike::experiment::Counting) as its global allocator.
//!
//! Every command first makes a report, a plain value, and then writes it: as
//! text, or with `--json` as one document. So both forms always have the same
//! numbers. Exit codes: 0 done, 1 error, 2 wrong use, 3 mass removal.

mod bar;
mod chart;
mod commands;
mod drawn_curves;
mod gone;
mod help;
mod inputs;
mod interrupt;
mod inventory;
mod number;
mod options;
mod output;
mod reader;
mod registry;
mod remedy;
mod s_curve;
mod table;
mod usage;
mod verb;

use std::env;
use std::io::{self, BufWriter, Write};
use std::panic;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches, Parser, Subcommand, error::ErrorKind};
use lookalike::plugin::printable;
use lookalike::search::Registry;

use crate::registry::searched;
use crate::remedy::{Spelling, explained};
use crate::usage::Usage;

const AFTER_HELP: &str = "\
Words:
  candidate  a pair that shares a bucket in at least one band
  match      a candidate that has been verified
  recall     the share of the similar pairs that become candidates

Examples:
  lookalike dedup corpus.jsonl --out clean
  lookalike explain --run clean page-17 page-40
  lookalike audit clean
  lookalike index build corpus.jsonl --out corpus.idx
  lookalike query corpus.idx page.txt
  lookalike pairs hashes.txt --hamming 6
  lookalike pairs downloads --tlsh 30
  lookalike query codes.npy new.npy --hamming 25 -k 10
  lookalike fingerprint search prints.idx scene.xyt
  lookalike run configs/s-curve.toml --out measured
  lookalike tune --threshold 0.8
  lookalike curve --bands 20 --rows 5
  lookalike sensitivity universal --d1 0.2 --d2 0.6 --amplify and:5,or:20
  lookalike trace --set 0,3 --set 2 --set 0,2,3

Exit codes:
  0  done
  1  an error, or a goal that cannot be reached
  2  wrong use
  3  stopped, because almost everything would be removed or skipped";

/// Find similar texts, codes, vectors, files and prints without comparing all pairs
///
/// A locality-sensitive function sends an item to a bucket, and similar items
/// to the same bucket more often than others. Many functions, combined into
/// bands of rows, make the difference as sharp as wanted.
#[derive(Debug, Parser)]
#[command(name = "lookalike", version, after_help = AFTER_HELP)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Dedup(Box<commands::dedup::Args>),
    Explain(Box<commands::explain::Args>),
    Audit(commands::audit::Args),
    Clusters(commands::clusters::Args),
    Pairs(Box<commands::pairs::Args>),
    Query(Box<commands::query::Args>),
    Codes(Box<commands::codes::Args>),
    Index(Box<commands::index::Args>),
    Fingerprint(Box<commands::fingerprint::Args>),
    Run(Box<commands::run::Args>),
    Compare(commands::compare::Args),
    Families(commands::families::Args),
    Sensitivity(Box<commands::sensitivity::Args>),
    Curve(commands::curve::Args),
    Tune(Box<commands::tune::Args>),
    Trace(Box<commands::trace::Args>),
    Completions(commands::completions::Args),
    Man(commands::man::Args),
}

impl Command {
    fn name(&self) -> &'static str {
        match self {
            Self::Dedup(_) => "dedup",
            Self::Explain(_) => "explain",
            Self::Audit(_) => "audit",
            Self::Clusters(_) => "clusters",
            Self::Pairs(_) => "pairs",
            Self::Query(_) => "query",
            Self::Codes(_) => "codes",
            Self::Index(args) => args.name(),
            Self::Fingerprint(args) => args.name(),
            Self::Run(_) => "run",
            Self::Compare(_) => "compare",
            Self::Families(_) => "families",
            Self::Sensitivity(_) => "sensitivity",
            Self::Curve(_) => "curve",
            Self::Tune(_) => "tune",
            Self::Trace(_) => "trace",
            Self::Completions(_) => "completions",
            Self::Man(_) => "man",
        }
    }

    /// Where its settings are written.
    fn spelling(&self) -> Spelling {
        match self {
            Self::Run(_) | Self::Compare(_) => Spelling::File,
            _ => Spelling::Flags,
        }
    }

    fn run(&self, registry: &Registry, out: &mut impl Write) -> anyhow::Result<()> {
        match self {
            Self::Dedup(args) => args.run(registry, out)?,
            Self::Explain(args) => args.run(registry, out)?,
            Self::Audit(args) => args.run(registry, out)?,
            Self::Clusters(args) => args.run(out)?,
            Self::Pairs(args) => args.run(&searched(registry), out)?,
            Self::Query(args) => args.run(&searched(registry), out)?,
            Self::Codes(args) => args.run(&searched(registry), out)?,
            Self::Index(args) => args.run(&searched(registry), out)?,
            Self::Fingerprint(args) => args.run(out)?,
            Self::Run(args) => args.run(registry, out)?,
            Self::Compare(args) => args.run(registry, out)?,
            Self::Families(args) => args.run(registry, out)?,
            Self::Sensitivity(args) => args.run(registry, out)?,
            Self::Curve(args) => args.run(out)?,
            Self::Tune(args) => args.run(registry, out)?,
            Self::Trace(args) => args.run(out)?,
            Self::Completions(args) => args.run(command(registry), out)?,
            Self::Man(args) => args.run(command(registry), out)?,
        }
        Ok(out.flush()?)
    }
}

/// All commands, with one flag per measure of the registry in those that take one.
fn command(registry: &Registry) -> clap::Command {
    let measures = searched(registry).measures();
    let complete = Cli::command()
        .bin_name(program())
        .mut_subcommand("pairs", |pairs| {
            options::measure::required(pairs, &measures)
        })
        .mut_subcommand("query", |query| {
            let query = options::measure::optional(query, &measures);
            commands::query::with_usage(query, &measures, &program())
        })
        .mut_subcommand("index", |index| {
            index.mut_subcommand("build", |build| {
                options::measure::possible(build, &measures)
            })
        })
        .mut_subcommand("tune", |tune| {
            commands::tune::with_measures(tune, &registry.measures())
        })
        .mut_subcommand("sensitivity", |sensitivity| {
            commands::sensitivity::with_measures(sensitivity, &registry.measures())
        });
    help::finished(complete)
}

/// What the program is called: a third party's has a name of its own.
fn program() -> String {
    let path = env::args_os().next().map(PathBuf::from);
    let name = path.as_deref().and_then(Path::file_stem);
    name.map_or("lookalike".into(), |name| {
        name.to_string_lossy().into_owned()
    })
}

/// Runs the command that the arguments of the process name, with the plugins of a registry.
///
/// The exit code is 0 if it is done, 1 for an error, 3 if almost everything would be removed or skipped. Wrong use ends
/// the process with code 2, help with 0.
pub fn main(registry: &Registry) -> ExitCode {
    let words: Vec<String> = env::args_os()
        .skip(1)
        .map(|word| word.to_string_lossy().into_owned())
        .collect();
    if let Some(message) = gone::successor(&words) {
        let error = command(registry).error(ErrorKind::InvalidSubcommand, message);
        error.exit()
    }
    let matches = command(registry).try_get_matches();
    let matches = matches.unwrap_or_else(|error| usage::without_far_tip(error).exit());
    let parsed = Cli::from_arg_matches(&matches);
    let parsed = parsed.map_err(|error| error.format(&mut command(registry)));
    let Cli { command } = parsed.unwrap_or_else(|error| error.exit());
    say_nothing_of_caught_panics();
    interrupt::watch();
    let mut out = BufWriter::new(Stdout(io::stdout().lock()));
    let done = command.run(registry, &mut out);
    interrupt::wait_if_ending();
    let Err(error) = done else {
        return ExitCode::SUCCESS;
    };
    if reader_left(&error) {
        return ExitCode::SUCCESS;
    }
    if let Some(Usage(message)) = error.downcast_ref() {
        refuse(registry, command.name(), &printed(message));
    }
    // Not `eprintln!`, which panics where stderr is closed; the exit code remains.
    let said = printed(&explained(&error, command.spelling()));
    let _ = writeln!(io::stderr(), "error: {said}");
    use lookalike::dedup::Error::{MassRemoval, MassSkipping};
    let is_mass = matches!(
        error.downcast_ref(),
        Some(MassRemoval { .. } | MassSkipping { .. })
    );
    let is_mass = is_mass || error.is::<commands::fingerprint::NearlyAllSkipped>();
    ExitCode::from(if is_mass { 3 } else { 1 })
}

/// A panic that the library catches is reported as an error, once. Other panics are reported as before.
fn say_nothing_of_caught_panics() {
    let before = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if !lookalike::corpus::catches_panics() {
            before(info);
        }
    }));
}

/// Stdout, with errors that say so.
struct Stdout<'a>(io::StdoutLock<'a>);

impl Stdout<'_> {
    fn named(error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("cannot write to stdout: {error}"))
    }
}

impl Write for Stdout<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes).map_err(Self::named)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush().map_err(Self::named)
    }
}

/// A message as a terminal may have it: names of files in it are not obeyed.
fn printed(message: &str) -> String {
    let lines: Vec<_> = message.split('\n').map(printable).collect();
    lines.join("\n")
}

/// A reader such as `head` has what it wants.
pub(crate) fn reader_left(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        let kind = match cause.downcast_ref::<serde_json::Error>() {
            Some(json) => json.io_error_kind(),
            None => cause.downcast_ref().map(io::Error::kind),
        };
        kind == Some(io::ErrorKind::BrokenPipe)
    })
}

/// Reports wrong use in the way clap reports its own, with the usage of the command.
fn refuse(registry: &Registry, name: &str, message: &str) -> ! {
    let mut cli = command(registry);
    cli.build();
    let command = name.split(' ').fold(&mut cli, |command, name| {
        let inner = command.find_subcommand_mut(name);
        inner.expect("the command was parsed from this tree")
    });
    command.error(ErrorKind::ValueValidation, message).exit()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        command(&lookalike::builtin()).debug_assert();
    }

    /// The names of all arguments of a command and of those below it.
    fn names(command: &clap::Command, names: &mut Vec<String>) {
        for arg in command.get_arguments() {
            names.push(arg.get_id().to_string());
            let longs = arg.get_long().into_iter();
            let aliases = arg.get_all_aliases().into_iter().flatten();
            names.extend(longs.chain(aliases).map(str::to_owned));
        }
        let groups = command.get_groups().map(|group| group.get_id().to_string());
        // Groups of derived arguments are called like their types.
        names.extend(groups.filter(|group| !group.starts_with(char::is_uppercase)));
        command
            .get_subcommands()
            .for_each(|inner| self::names(inner, names));
    }

    #[test]
    fn no_measure_can_be_called_like_a_flag_of_the_verbs() {
        let mut cli = command(&Registry::default());
        cli.build();
        let mut taken = Vec::new();
        for verb in ["pairs", "query", "index", "run", "compare", "dedup", "tune"] {
            names(cli.find_subcommand(verb).unwrap(), &mut taken);
        }
        assert!(taken.len() > 100, "{taken:?}");
        taken
            .iter_mut()
            .for_each(|name| *name = name.replace('_', "-"));
        taken.retain(|name| !lookalike::search::RESERVED.contains(&name.as_str()));
        taken.sort_unstable();
        taken.dedup();
        assert!(taken.is_empty(), "not in RESERVED: {taken:?}");
    }
}
