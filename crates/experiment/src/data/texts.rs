use std::path::PathBuf;

use lookalike_corpus::{Corpus, FieldPath, Format, Limits, OnError};
use lookalike_minhash::generate::{self, Vocabulary, ZipfText};
use serde::{Deserialize, Serialize};

use super::{Data, Group, Loaded, few_enough, one_place};
use crate::Error;

/// Texts. The keys about files are those of `lookalike dedup --config`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Texts {
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<Format>,
    text: FieldPath,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<FieldPath>,
    on_error: OnError,
    #[serde(skip_serializing_if = "Option::is_none")]
    folder: Option<PathBuf>,
    max_expansion: u64,
    max_record: u64,
    max_window: u64,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    ignore_ids: bool,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    against: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    within: Option<FieldPath>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    items: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    generate: Option<Generate>,
}

impl Default for Texts {
    fn default() -> Self {
        let lookalike_dedup::Data {
            inputs,
            format,
            text,
            id,
            on_error,
            folder,
            max_expansion,
            max_record,
            max_window,
            against,
            within,
            ignore_ids,
            ..
        } = lookalike_dedup::Data::default();
        Self {
            kind: None,
            inputs,
            format,
            text,
            id,
            on_error,
            folder,
            max_expansion,
            max_record,
            max_window,
            ignore_ids,
            against,
            within,
            items: Vec::new(),
            generate: None,
        }
    }
}

/// Texts that are made up.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Generate {
    /// Words by Zipf's law, with planted near-duplicates.
    Corpus(Planted),
    /// Pages of news sites.
    News(News),
}

/// See [`generate::Corpus`].
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Planted {
    documents: u64,
    words: usize,
    width: usize,
    copies: f64,
    similarities: (f64, f64),
    vocabulary: u32,
    exponent: f64,
    seed: u64,
}

impl Default for Planted {
    fn default() -> Self {
        Self {
            documents: 1000,
            words: 200,
            width: 5,
            copies: 0.2,
            similarities: (0.3, 1.0),
            vocabulary: 50_000,
            exponent: 1.0,
            seed: 0,
        }
    }
}

/// See [`generate::News`].
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct News {
    articles: u32,
    seed: u64,
}

impl Default for News {
    fn default() -> Self {
        Self {
            articles: 40,
            seed: 0,
        }
    }
}

impl Data for Texts {
    const KIND: &'static str = "text";
    type Item = str;
    type Items = Vec<String>;

    fn load(&self) -> Result<Loaded<Vec<String>>, Error> {
        one_place(
            !self.inputs.is_empty(),
            !self.items.is_empty(),
            self.generate.is_some(),
        )?;
        match &self.generate {
            Some(Generate::Corpus(corpus)) => corpus.make(),
            Some(Generate::News(news)) => news.make(),
            None if self.inputs.is_empty() => Ok(Loaded::new(self.items.clone())),
            None => self.read(),
        }
    }

    /// The first 300 characters.
    fn show(item: &str) -> String {
        match item.char_indices().nth(300) {
            Some((end, _)) => format!("{}…", &item[..end]),
            None => item.to_owned(),
        }
    }
}

impl Texts {
    fn read(&self) -> Result<Loaded<Vec<String>>, Error> {
        let dedup_only = [
            ("against", !self.against.is_empty()),
            ("within", self.within.is_some()),
        ];
        if let Some((key, _)) = dedup_only.iter().find(|(_, given)| *given) {
            let message = format!("{key} is for dedup: a run compares all pairs of its items");
            return Err(Error::setting(format!("data.{key}"), message));
        }
        let options = lookalike_corpus::Options {
            format: self.format,
            text: self.text.clone(),
            id: self.id.clone(),
            on_error: self.on_error,
            limits: Limits {
                max_expansion: self.max_expansion,
                max_record: self.max_record,
                max_window: self.max_window,
            },
            folder: self.folder.clone(),
            ..Default::default()
        };
        documents(&self.inputs, options, self.ignore_ids, |_, text| {
            Ok(text.to_owned())
        })
    }
}

/// How documents of numbers are read, from what a table says.
pub(super) fn options(
    format: Option<Format>,
    text: Option<&FieldPath>,
    id: Option<&FieldPath>,
) -> lookalike_corpus::Options {
    let defaults = lookalike_corpus::Options::default();
    lookalike_corpus::Options {
        format,
        line_records: true,
        text: text.cloned().unwrap_or(defaults.text),
        id: id.cloned(),
        ..Default::default()
    }
}

/// The documents of files, each as something, on the threads of the current rayon pool.
pub(super) fn documents<T: Send>(
    inputs: &[String],
    options: lookalike_corpus::Options,
    ignore_ids: bool,
    item: impl Fn(&dyn Fn() -> String, &str) -> Result<T, Error> + Sync,
) -> Result<Loaded<Vec<T>>, Error> {
    let corpus = Corpus::open(inputs, options)?;
    let mut loaded = Loaded::new(Vec::new());
    corpus.scan(
        || (),
        |(), documents| {
            let mut read = Vec::new();
            while let Some(document) = documents.next()? {
                let place = document.place;
                let file = corpus.files()[place.file as usize].name();
                let name = || format!("{file}:{}", place.line);
                let id = document.id.filter(|_| !ignore_ids);
                let id = id.map(|id| serde_json::from_str(id).unwrap_or_else(|_| id.to_owned()));
                read.push((id.unwrap_or_else(name), item(&name, document.text)?));
            }
            Ok::<_, Error>(read)
        },
        |_, read| {
            for (name, item) in read {
                loaded.names.push(name);
                loaded.items.push(item);
            }
            Ok(())
        },
    )?;
    Ok(loaded)
}

impl Planted {
    fn make(&self) -> Result<Loaded<Vec<String>>, Error> {
        few_enough("data.generate.corpus", self.documents, self.words as u64)?;
        let vocabulary = Vocabulary::new(self.vocabulary, self.seed)?;
        let text = ZipfText::new(vocabulary, self.exponent)?;
        let (least, most) = self.similarities;
        let corpus = generate::Corpus::new(text, self.seed)
            .words(self.words, self.width)?
            .copies(self.copies)?
            .similarities(least, most)?;
        let mut planted = Group {
            name: "copies".into(),
            pairs: Vec::new(),
        };
        let texts = corpus.documents(self.documents).map(|document| {
            let pair = document.planted;
            let pair = pair.map(|pair| (pair.original as u32, pair.copy as u32));
            planted.pairs.extend(pair);
            document.text
        });
        let mut loaded = Loaded::new(texts.collect());
        loaded.groups.push(planted);
        Ok(loaded)
    }
}

impl News {
    fn make(&self) -> Result<Loaded<Vec<String>>, Error> {
        // An article is on some four pages of a few hundred words.
        few_enough("data.generate.news", 4 * u64::from(self.articles), 300)?;
        let news = generate::News::new(self.articles, self.seed)?;
        let mut loaded = Loaded::new(Vec::new());
        for page in news.pages() {
            loaded.names.push(page.name);
            loaded.items.push(page.text);
        }
        loaded.groups = news
            .groups()
            .map(|(name, pairs)| Group {
                name: name.into(),
                pairs,
            })
            .collect();
        Ok(loaded)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `dedup` can say of its data, a run understands.
    #[test]
    fn the_keys_of_dedup_are_known() {
        let all = lookalike_dedup::Data {
            inputs: vec!["pages".into()],
            format: Some(Format::Jsonl),
            id: Some("key".parse().unwrap()),
            against: vec!["old".into()],
            within: Some("lang".parse().unwrap()),
            ignore_ids: true,
            ..Default::default()
        };
        let text = toml::to_string(&all).unwrap();
        let texts: Texts = toml::from_str(&text).unwrap();
        let again = toml::to_string(&texts).unwrap();
        assert_eq!(
            toml::from_str::<lookalike_dedup::Data>(&again).unwrap(),
            all
        );
    }
}
