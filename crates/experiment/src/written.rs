//! The folder of results: `result.json`, `result.csv`, `run.toml`, `report.html`.

use std::path::Path;

use lookalike_output::{Progress, ResultFolder};

use crate::{Error, Experiment, Outcome, page, resolved, summary};

/// What is written; nothing else may be in a folder that is replaced.
const ENTRIES: [&str; 4] = ["report.html", "result.csv", "result.json", "run.toml"];

impl Experiment<'_> {
    /// Does all runs, and writes the results to a folder, which is there complete or not at all.
    ///
    /// What is there already is refused, unless it is an empty folder, or the results of an earlier run and `overwrite` says
    /// that they may be replaced.
    pub fn run_into(
        &self,
        folder: &Path,
        overwrite: bool,
        progress: &dyn Progress,
    ) -> Result<Outcome, Error> {
        let announce = |folder: &Path| progress.temporary(folder);
        let mut folder = ResultFolder::new(folder, overwrite, &ENTRIES, &announce)?;
        let outcome = self.run(progress)?;
        let html = page::page(&outcome)?.html();
        let settings = resolved::resolved(outcome.runs.iter().map(|run| &run.settings));
        let settings = toml::to_string(&settings).expect("settings are a table");
        folder.write("run.toml", |out| out.write_all(settings.as_bytes()))?;
        folder.write("result.json", |out| {
            serde_json::to_writer_pretty(&mut *out, &outcome)?;
            out.write_all(b"\n")
        })?;
        let table = summary::csv(&outcome);
        folder.write("result.csv", |out| out.write_all(table.as_bytes()))?;
        folder.write("report.html", |out| out.write_all(html.as_bytes()))?;
        folder.publish()?;
        Ok(outcome)
    }
}
