//! An index of texts, asked by documents: each record is a query, any other file is one.

use std::io::Write;

use lookalike::corpus::Options;
use lookalike::plugin::Value;
use lookalike::search::{Answer, Id, Registry, Source};

use super::Args;
use super::answers::{self, Found, Shown, Style, Why};
use super::asked;
use super::stored::Asked;
use crate::usage::Usage;

/// Queries that are answered before their answers are written, and their bytes.
const BATCH: usize = 4096;
const BYTES: usize = 64 << 20;

/// Queries that wait for their answers.
struct Batch<'a> {
    args: &'a Args,
    registry: &'a Registry,
    asked: &'a Asked<'a>,
    queries: Vec<(Option<Id>, String)>,
    bytes: usize,
    shown: Shown,
}

impl Args {
    /// Answers each document with the texts of an index that are like it.
    pub(super) fn ask_texts(
        &self,
        registry: &Registry,
        asked: &Asked<'_>,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        if self.items.has_format() {
            let message = "--format is for items without an index: --queries says what the files with queries are";
            return Err(Usage(message.into()).into());
        }
        let why = match asked.is_scan {
            true => Why::Corpus,
            false => {
                let finds = (!asked.index.is_empty()).then(|| asked.finds());
                let threshold = self.near.and_then(|near| near.threshold);
                let flag = asked.measure.flag;
                let min = threshold.map(|least| format!("--{flag} {least}"));
                Why::Index(finds, min)
            }
        };
        let mut batch = Batch {
            args: self,
            registry,
            asked,
            queries: Vec::new(),
            bytes: 0,
            shown: Shown::new(self.style(), self.text.is_some(), why),
        };
        match &self.text {
            Some(text) => batch.push(None, text, out)?,
            None => asked::each(&self.inputs, self.queries, &self.items, |id, text| {
                batch.push(Some(id), text, out)
            })?,
        }
        batch.answer(out)?;
        batch.shown.end(out)
    }
}

impl Batch<'_> {
    fn push(&mut self, id: Option<Id>, text: &str, out: &mut impl Write) -> anyhow::Result<()> {
        self.bytes += text.len();
        self.queries.push((id, text.to_owned()));
        match self.queries.len() >= BATCH || self.bytes >= BYTES {
            true => self.answer(out),
            false => Ok(()),
        }
    }

    /// Answers the queries that wait.
    fn answer(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        if self.queries.is_empty() {
            return Ok(());
        }
        let source = Source::new(&[], Options::default(), &["text"]);
        let texts = self.queries.iter().map(|(_, text)| Value::Text(text));
        let data = self.registry.parse(&source, texts)?;
        let asked = self.asked;
        let answers = asked.answers(&data, 0..data.len(), &asked.wanted)?;
        self.bytes = 0;
        for ((id, _), answer) in std::mem::take(&mut self.queries).into_iter().zip(answers) {
            let answer = self.found(answer)?;
            self.shown.answer(id.as_ref(), &answer, out)?;
        }
        Ok(())
    }

    fn found(&self, answer: Answer) -> anyhow::Result<answers::Answer> {
        let Asked {
            index,
            measure,
            is_scan,
            ..
        } = self.asked;
        let mut found = Vec::new();
        for near in answer.found {
            let similarity = measure.shown(near.distance);
            // What has nothing in common is not like the query, however few others there are.
            if similarity <= 0.0 {
                continue;
            }
            let text = match self.args.style() {
                Style::Json => None,
                _ => index.show(&near.id)?.map(Into::into),
            };
            found.push(Found {
                id: near.id,
                similarity,
                text,
            });
        }
        Ok(answers::Answer {
            found,
            has_shingles: answer.has_keys,
            candidates: (!is_scan).then_some((answer.candidates, answer.compared)),
        })
    }
}
