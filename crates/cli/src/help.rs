//! The help: verbs by job on one screen, and defaults printed from where they are defined.
//!
//! Options are layers over a file and a preset, so that clap does not know their defaults. They are added to the help
//! here. Typed into the help they were repeated 43 times, and nothing kept them true.

use clap::Command;
use lookalike::dedup::Config;
use lookalike::fingerprint::plugin::GridTable;
use lookalike::search::{Request, Wanted};
use lookalike::strings::Variant;
use lookalike::tune;
use serde::Serialize;

use crate::commands::{query, trace};

/// The commands by job, in the order of the overview.
const JOBS: [(&str, &[&str]); 4] = [
    (
        "Clean a text corpus",
        &["dedup", "clusters", "explain", "audit"],
    ),
    (
        "Search for similar items",
        &["pairs", "query", "index", "codes", "fingerprint"],
    ),
    (
        "Measure and learn",
        &[
            "run",
            "compare",
            "families",
            "sensitivity",
            "tune",
            "curve",
            "trace",
        ],
    ),
    ("Set up a shell", &["completions", "man"]),
];

const END: &str = "\
Exit codes: 0 done, 1 error, 2 wrong use, 3 almost everything would be removed.
";

/// The command line with its help complete.
pub(crate) fn finished(command: Command) -> Command {
    let command = with_defaults(command, "");
    let overview = overview(&command);
    command.help_template(overview)
}

/// What `lookalike --help` prints.
fn overview(command: &Command) -> String {
    let about = command.get_about().map(ToString::to_string);
    let about = about.unwrap_or_default();
    let mut text =
        format!("{about}\n{{usage-heading}} {{usage}}; `lookalike COMMAND --help` has examples\n");
    for (job, names) in JOBS {
        text += &format!("{job}:\n");
        for name in names {
            let about = command.find_subcommand(name).and_then(Command::get_about);
            let about = about.map(ToString::to_string).unwrap_or_default();
            text += &format!("  {name:12} {about}\n");
        }
    }
    text + END
}

/// Adds defaults to the help of the options of a command and of those below it.
fn with_defaults(mut command: Command, path: &str) -> Command {
    let ids = command.get_arguments().map(|arg| arg.get_id().to_string());
    for id in ids.collect::<Vec<_>>() {
        if let Some(default) = default(path, &id) {
            command = command.mut_arg(id, |arg| {
                let help = arg.get_help().map(ToString::to_string);
                let help = help.unwrap_or_default();
                arg.help(format!("{help} [default: {default}]"))
            });
        }
    }
    let names = command
        .get_subcommands()
        .map(|inner| inner.get_name().to_owned());
    for name in names.collect::<Vec<_>>() {
        let below = format!("{path} {name}").trim_start().to_owned();
        command = command.mut_subcommand(name, |inner| with_defaults(inner, &below));
    }
    command
}

/// The default of an option, if it is a constant.
fn default(path: &str, id: &str) -> Option<String> {
    let config = Config::default();
    let megabytes = |bytes: u64| (bytes / 1_000_000).to_string();
    match path {
        "dedup" | "explain" => Some(match id {
            "threshold" => config.threshold.to_string(),
            "max_bucket" => config.max_bucket.to_string(),
            "on_error" => word(&config.data.on_error),
            "verify" => word(&config.verify.method),
            "cluster" => word(&config.cluster.method),
            "keep" => word(&config.cluster.keep),
            "mode" => word(&config.output.mode),
            "compress" => word(&config.output.compress),
            "tables" => word(&config.output.tables),
            "max_removed" => config.output.max_removed.to_string(),
            _ => return shared(&config, id),
        }),
        "query" if id == "limit" => Some(Wanted::default().compared.to_string()),
        "query" if id == "k" => Some(format!(
            "all within the threshold; {} for an index or a corpus",
            query::TOP
        )),
        "trace" => of_trace(&config, id),
        "pairs" | "query" if id == "memory" => Some(megabytes(Request::default().memory)),
        "tune" | "curve" | "sensitivity" | "run" | "compare" | "audit" | "clusters" => None,
        path if path.starts_with("fingerprint") => None,
        _ => shared(&config, id),
    }
}

/// The defaults of `trace`.
fn of_trace(config: &Config, id: &str) -> Option<String> {
    let grid = GridTable::default();
    Some(match id {
        "bands" => format!("{}; with given functions, one for each", trace::BANDS),
        "rows" => format!("{}; with given functions, 1", trace::ROWS),
        "bucket_width" => trace::BUCKET_WIDTH.to_string(),
        "variant" => word(&Variant::default()),
        "reach" => trace::REACH.to_string(),
        "gram" => trace::GRAM.to_string(),
        "blocks" => trace::BLOCKS.to_string(),
        "flips" => format!("{}; for blocks 0", trace::FLIPS),
        "directions" => trace::DIRECTIONS.to_string(),
        "grid" => format!("{}x{}", grid.columns, grid.rows),
        "cell" => grid.cell.to_string(),
        "tolerance" => grid.tolerance.to_string(),
        "position" => word(&trace::POSITION),
        "orientation" => word(&grid.orientation),
        // Has one of its own.
        "seed" => return None,
        _ => return shared(config, id),
    })
}

/// The default of an option that several commands have.
fn shared(config: &Config, id: &str) -> Option<String> {
    Some(match id {
        "recall" => tune::RECALL.to_string(),
        "functions" => tune::BUDGET.to_string(),
        "seed" => config.seed.to_string(),
        "shingle" => config.family.shingle.to_string(),
        "tokens" => word(&config.family.tokens),
        "short" => word(&config.family.short),
        "text_field" => config.data.text.to_string(),
        "max_expansion" => config.data.max_expansion.to_string(),
        "max_record" => binary_size(config.data.max_record),
        "max_window" => binary_size(config.data.max_window),
        _ => return None,
    })
}

/// A number of bytes as `--max-record` takes it, in the largest unit that divides it.
fn binary_size(bytes: u64) -> String {
    const UNITS: [&str; 4] = ["", "KiB", "MiB", "GiB"];
    let power = (bytes.trailing_zeros() / 10).min(3);
    format!("{}{}", bytes >> (10 * power), UNITS[power as usize])
}

/// A setting as files spell it.
fn word(setting: &impl Serialize) -> String {
    match serde_json::to_value(setting) {
        Ok(serde_json::Value::String(word)) => word,
        Ok(value) => value.to_string(),
        Err(error) => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;
    use crate::Cli;

    /// All commands with their paths, without those that hold others.
    fn verbs(command: &Command, path: &str, found: &mut Vec<(String, Command)>) {
        for inner in command.get_subcommands() {
            let path = format!("{path} {}", inner.get_name());
            match inner.has_subcommands() {
                true => verbs(inner, &path, found),
                false => found.push((path, inner.clone())),
            }
        }
    }

    #[test]
    fn the_overview_fits_a_screen_and_has_every_command_once() {
        let mut command = finished(Cli::command());
        let help = command.render_help().to_string();
        assert!(
            help.lines().count() <= 25,
            "{}\n{help}",
            help.lines().count()
        );
        for line in help.lines() {
            assert!(line.chars().count() <= 80, "{line}");
        }
        let names = command.get_subcommands().map(Command::get_name);
        for name in names.filter(|name| *name != "help") {
            let line = format!("\n  {name:12} ");
            assert_eq!(help.matches(&line).count(), 1, "{line}\n{help}");
        }
        assert_eq!(command.render_long_help().to_string(), help);
    }

    /// At least two examples for each verb, and all of them can be parsed.
    #[test]
    fn every_verb_has_two_examples_that_parse() {
        let mut found = Vec::new();
        let command = crate::command(&lookalike::builtin()).bin_name("lookalike");
        verbs(&command, "lookalike", &mut found);
        assert!(found.len() > 20, "{}", found.len());
        for (path, verb) in found {
            let after = verb.get_after_help().map(ToString::to_string);
            let after = after.unwrap_or_default().replace("\\\n", " ");
            let examples: Vec<&str> = after
                .lines()
                .filter_map(|line| line.find("lookalike ").map(|at| &line[at..]))
                .filter(|example| example.starts_with(&path))
                .collect();
            assert!(examples.len() >= 2, "{path}: {examples:?}");
            for example in examples {
                let words = shell_words(example);
                let parsed = command.clone().try_get_matches_from(&words);
                assert!(parsed.is_ok(), "{example}: {}", parsed.unwrap_err());
            }
        }
    }

    /// The words of a command up to what a shell takes for itself.
    fn shell_words(line: &str) -> Vec<String> {
        let mut words = vec![String::new()];
        let mut quote = None;
        for c in line.chars() {
            match (quote, c) {
                (None, '|' | '>' | '<' | ';') => break,
                (None, '\'' | '"') => quote = Some(c),
                (Some(open), c) if c == open => quote = None,
                (None, ' ') => words.push(String::new()),
                (_, c) => words.last_mut().unwrap().push(c),
            }
        }
        words.retain(|word| !word.is_empty());
        words
    }

    /// A default in the help is a constant, or in words.
    #[test]
    fn no_default_is_typed_again() {
        fn check(folder: &std::path::Path) {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    check(&path);
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap();
                for typed in text.split("[default: ").skip(1) {
                    let typed = typed.split(']').next().unwrap();
                    let in_words = typed.contains(' ') && !typed.starts_with(char::is_numeric);
                    let ok = in_words || typed == "all" || typed.starts_with('{');
                    let is_this = path.ends_with("help.rs");
                    assert!(ok || is_this, "{}: {typed}", path.display());
                }
            }
        }
        check(concat!(env!("CARGO_MANIFEST_DIR"), "/src").as_ref());
        let command = finished(Cli::command());
        let dedup = command.find_subcommand("dedup").unwrap().clone();
        let help = dedup.clone().render_help().to_string();
        for (id, default) in [
            ("threshold", Config::default().threshold.to_string()),
            ("recall", tune::RECALL.to_string()),
            ("mode", "remove".into()),
            ("keep", "first".into()),
            ("shingle", "words:5".into()),
            ("max_record", "1GiB".into()),
            ("max_window", "1GiB".into()),
        ] {
            let arg = dedup
                .get_arguments()
                .find(|arg| arg.get_id() == id)
                .unwrap();
            let said = arg.get_help().unwrap().to_string();
            assert!(said.ends_with(&format!("[default: {default}]")), "{said}");
        }
        assert!(help.contains("[default: 0.8]"), "{help}");
    }
}
