//! Settings from a preset, a file and the command line, the later over the earlier.

use lookalike::dedup::{Config, Mode};
use lookalike::search::Registry;

use super::Args;
use crate::options::set;
use crate::usage::Usage;

impl Args {
    /// What the file says, and over it what the command line says.
    pub(super) fn config(&self, registry: &Registry) -> anyhow::Result<Config> {
        let mut config = self.pair.config(registry)?;
        self.fields.over(&mut config.data);
        if !self.inputs.is_empty() {
            // What is typed is seen from the current folder, whatever a file says of its own inputs.
            if let Some(folder) = config.data.folder.take() {
                for old in &mut config.data.against {
                    *old = folder.join(&*old).to_string_lossy().into_owned();
                }
            }
            config.data.inputs.clone_from(&self.inputs);
        }
        set(&mut config.max_bucket, &self.max_bucket);
        config.copies_only |= self.copies_only;
        config.by = self.by.clone().or(config.by);
        set(&mut config.data.on_error, &self.on_error);
        set(&mut config.data.against, &self.against);
        config.data.within = self.within.clone().or(config.data.within);
        set(&mut config.verify.method, &self.verify);
        set(&mut config.cluster.method, &self.cluster);
        set(&mut config.cluster.keep, &self.keep);
        set(&mut config.output.mode, &self.mode);
        set(&mut config.output.compress, &self.compress);
        set(&mut config.output.tables, &self.tables);
        set(&mut config.output.max_removed, &self.max_removed);
        config.output.allow_mass_removal |= self.allow_mass_removal;
        config.output.overwrite |= self.overwrite;
        let writes = config.output.mode.writes_documents();
        if self.compress.is_some() && !writes {
            let mode = if config.output.mode == Mode::Ids {
                "ids"
            } else {
                "report"
            };
            let message = format!(
                "--compress is for files that mirror the inputs, and --mode {mode} writes none"
            );
            return Err(Usage(message).into());
        }
        if self.stdout && config.output.mode == Mode::Report {
            let message = "--stdout writes documents, and --mode report writes none";
            return Err(Usage(message.into()).into());
        }
        if config.data.inputs.is_empty() {
            let message = "no inputs: name files, folders, globs, or - for stdin";
            return Err(Usage(message.into()).into());
        }
        Ok(config)
    }
}
