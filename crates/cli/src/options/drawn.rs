//! Files to look at: a page, a picture.

use std::{
    fs,
    path::{Path, PathBuf},
};

use anyhow::Context;
use clap::Args;
use lookalike::output::Replacement;
use lookalike::report::Page;

use crate::interrupt::remove_when_interrupted;
use crate::usage::Usage;

/// Where a page and a picture go.
#[derive(Clone, Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Drawn {
    /// Also write a page to look at, in place of what is there: one HTML file that needs no network
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Also write a picture, in place of what is there: one SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Drawn {
    /// Writes what was asked for.
    pub(crate) fn write(
        &self,
        page: impl FnOnce() -> anyhow::Result<Page>,
        picture: impl FnOnce() -> anyhow::Result<String>,
    ) -> anyhow::Result<()> {
        if self.html.is_some() && self.html == self.svg {
            let message = "--html and --svg name one file, but a page and a picture are two";
            return Err(Usage(message.into()).into());
        }
        // Both are made before one is written: what cannot be drawn leaves all files as they were.
        let page = self.html.as_ref().map(|path| Ok((path, page()?.html())));
        let picture = self.svg.as_ref().map(|path| Ok((path, picture()?)));
        let texts: anyhow::Result<Vec<_>> = page.into_iter().chain(picture).collect();
        for (path, text) in texts? {
            replace(path, &text)?;
        }
        Ok(())
    }

    /// The first option that was given.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let html = self.html.as_ref().map(|_| "--html");
        html.or(self.svg.as_ref().map(|_| "--svg"))
    }
}

/// Writes a text file in place of what is there, once it is complete. A pipe or a device takes the text as it comes.
fn replace(path: &Path, text: &str) -> anyhow::Result<()> {
    if fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir()) {
        return fs::write(path, text).with_context(|| path.display().to_string());
    }
    let file = Replacement::new(path, &remove_when_interrupted)?;
    fs::write(file.temporary(), text).with_context(|| path.display().to_string())?;
    Ok(file.publish()?)
}
