//! `lookalike man`: the manual pages.

use std::{
    fs,
    io::Write,
    path::{Path, PathBuf},
};

use anyhow::Context;

const EXAMPLES: &str = "\
Examples:
  Read it:
    lookalike man > lookalike.1 && man ./lookalike.1
  Install a page for every command:
    lookalike man --out ~/.local/share/man/man1";

/// Print the manual page, or write one for every command
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// Folder for lookalike.1, lookalike-dedup.1 and so on
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

impl Args {
    /// Writes the pages of a command.
    pub(crate) fn run(&self, command: clap::Command, out: &mut impl Write) -> anyhow::Result<()> {
        let Some(folder) = &self.out else {
            let (_, page) = page(command)?;
            return Ok(out.write_all(page.as_bytes())?);
        };
        let failed = |path: &Path| path.display().to_string();
        fs::create_dir_all(folder).with_context(|| failed(folder))?;
        let mut command = command.disable_help_subcommand(true);
        command.build();
        pages(command, folder).with_context(|| failed(folder))
    }
}

/// Writes the page of a command and those of the commands below it.
fn pages(command: clap::Command, folder: &Path) -> anyhow::Result<()> {
    for inner in command
        .get_subcommands()
        .filter(|inner| !inner.is_hide_set())
    {
        pages(inner.clone(), folder)?;
    }
    let (name, page) = page(command)?;
    Ok(fs::write(folder.join(name), page)?)
}

/// The name and the text of a page.
///
/// What follows the options in the help has sections of its own: left to itself it would be filled like a paragraph.
fn page(command: clap::Command) -> anyhow::Result<(String, String)> {
    let after = command.get_after_help().map(ToString::to_string);
    let page = clap_mangen::Man::new(command.after_help(None::<&'static str>));
    let mut text = Vec::new();
    page.render(&mut text)?;
    let mut text = String::from_utf8(text)?;
    for block in after.iter().flat_map(|after| after.split("\n\n")) {
        match block.split_once('\n') {
            Some((head, lines)) if head.ends_with(':') => {
                let head = head.trim_end_matches(':').to_uppercase();
                text += &format!(".SH \"{head}\"\n.nf\n{}\n.fi\n", escaped(lines));
            }
            _ => text += &format!(".PP\n{}\n", escaped(block)),
        }
    }
    Ok((page.get_filename(), ascii(&text)))
}

/// Text in which nothing is a command of troff.
fn escaped(text: &str) -> String {
    let text = text.replace('\\', "\\e").replace('-', "\\-");
    let line = |line: &str| match line.starts_with(['.', '\'']) {
        true => format!("\\&{line}"),
        false => line.to_owned(),
    };
    let lines: Vec<String> = text.lines().map(line).collect();
    lines.join("\n")
}

/// Characters beyond ASCII by their numbers: not every troff reads UTF-8.
fn ascii(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '…' => out += "...",
            c if c.is_ascii() => out.push(c),
            c => out += &format!("\\[u{:04X}]", u32::from(c)),
        }
    }
    out
}
