//! What stops a run that would remove almost everything: more often a wrong setting than a wish.

use std::collections::BTreeMap;

use lookalike_corpus::Corpus;

use crate::{
    Config, Error, Mode, SOURCE,
    documents::{Doc, Documents},
    skipped::PassedOver,
};

/// Documents of a source, and those of them that would be removed.
#[derive(Clone, Copy, Debug, Default)]
struct Count {
    documents: u64,
    removed: u64,
}

impl Count {
    fn add(&mut self, is_removed: bool) {
        self.documents += 1;
        self.removed += u64::from(is_removed);
    }
}

/// Refuses a run that can read almost nothing: a record that is passed over is not kept either.
pub(crate) fn check_skipped(
    config: &Config,
    corpus: &Corpus,
    documents: &Documents,
    passed_over: &PassedOver,
) -> Result<(), Error> {
    if config.output.allow_mass_removal || config.output.mode == Mode::Report {
        return Ok(());
    }
    let skipped = passed_over.within(corpus.own_files().len());
    let records = documents.own as u64 + skipped;
    let share = config.output.max_removed;
    match passed_over.most() {
        Some(kind) if skipped as f64 > share * records as f64 => Err(Error::MassSkipping {
            records,
            skipped,
            share,
            alike: kind.count,
            reason: kind.reason.clone(),
            remedies: kind.remedies.clone(),
        }),
        _ => Ok(()),
    }
}

/// Refuses a run that finds more duplicates than the settings allow, in the input or in one source.
pub(crate) fn check(
    config: &Config,
    corpus: &Corpus,
    documents: &Documents,
    is_removed: impl Fn(Doc) -> bool,
) -> Result<(), Error> {
    if config.output.allow_mass_removal || config.output.mode == Mode::Report {
        return Ok(());
    }
    let mut input = Count::default();
    let mut files = vec![Count::default(); corpus.own_files().len()];
    let mut groups: BTreeMap<Option<&str>, Count> = BTreeMap::new();
    for doc in 0..documents.own as Doc {
        let is_removed = is_removed(doc);
        input.add(is_removed);
        files[documents.places[doc as usize].file as usize].add(is_removed);
        if config.data.within.is_some() {
            groups
                .entry(documents.groups.get(doc))
                .or_default()
                .add(is_removed);
        }
    }
    let share = config.output.max_removed;
    let refuse = |name: String, count: Count| {
        let is_mass = count.removed as f64 > share * count.documents as f64;
        let refused = Error::MassRemoval {
            source_name: name,
            documents: count.documents,
            removed: count.removed,
            share,
        };
        if is_mass { Err(refused) } else { Ok(()) }
    };
    refuse("the input".into(), input)?;
    for (file, count) in corpus.own_files().iter().zip(files) {
        if count.documents >= SOURCE {
            refuse(file.name().to_owned(), count)?;
        }
    }
    for (value, count) in groups {
        if let (Some(field), true) = (&config.data.within, count.documents >= SOURCE) {
            refuse(
                match value {
                    Some(value) => format!("`{field}` {value}"),
                    None => format!("no `{field}`"),
                },
                count,
            )?;
        }
    }
    Ok(())
}
