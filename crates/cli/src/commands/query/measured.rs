//! Items of any kind, asked by a measure.

use std::io::{self, Write};

use lookalike::Near as Hit;
use lookalike::search::{Dataset, Registry};

use super::{Args, verdict::Verdict};
use crate::bar::Spinner;
use crate::number::seconds;
use crate::options::measure::Near;
use crate::options::run::timed;
use crate::usage::Usage;
use crate::verb::{Verb, many, name};

/// Queries that are answered before their answers are written.
const BATCH: usize = 4096;

/// Items, queries and how they are shown.
struct Asked<'a> {
    verb: &'a Verb<'a>,
    data: &'a Dataset,
    queries: &'a Dataset,
    /// For each query the item that it is, which is left out; empty if none is.
    own: Vec<Option<u32>>,
    /// How neighbours are summed up, if they are not listed.
    verdict: Option<Verdict>,
    args: &'a Args,
}

impl Args {
    /// Answers each query with the items that are near it.
    pub(super) fn ask_items(
        &self,
        registry: &Registry,
        near: Near,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let flag = near.measure.flag;
        if near.threshold.is_none() && self.k.is_none() {
            let message = format!(
                "--measure {flag} has no threshold: add -k N, or give a threshold with --{flag}"
            );
            return Err(Usage(message).into());
        }
        if self.limit.is_some() {
            let message = "--limit is for an index: without one, -k limits the answers";
            return Err(Usage(message.into()).into());
        }
        let verb = Verb::new(
            registry,
            near,
            &self.items,
            &self.search,
            &self.how,
            self.bag,
        )?
        .labelled(self.predict.field());
        self.run.start()?;
        let spinner = Spinner::new(!self.run.quiet);
        let data = verb.read(std::slice::from_ref(&self.target), &spinner)?;
        let queries = match &self.text {
            Some(text) => verb.parse_query(&data, text)?,
            None => verb.read_queries(&data, &self.inputs, self.queries, &spinner)?,
        };
        let k = self.k.map(|k| k as usize);
        let planned = verb.plan(&data, Some(&queries), k, self.run.quiet)?;
        let own = match self.with_self || self.text.is_some() {
            true => Vec::new(),
            false => queries.names().found_in(data.names()),
        };
        let asked = Asked {
            verb: &verb,
            data: &data,
            queries: &queries,
            own,
            verdict: self.predict.verdict(&data)?,
            args: self,
        };
        let search = verb.registry().search(&data, &planned.plan)?;
        spinner.say("indexing");
        let (asker, build) = timed(|| search.asker());
        let asker = asker?;
        // One more, so that leaving out the query itself leaves enough.
        let extra = usize::from(!asked.own.is_empty());
        let k = k.unwrap_or(usize::MAX);
        let (mut answers, mut took) = (0, 0.0);
        spinner.count("asking", queries.len() as u64);
        for start in (0..queries.len()).step_by(BATCH) {
            let places = start..queries.len().min(start + BATCH);
            let end = places.end as u64;
            let (found, seconds) = timed(|| asker.ask(&queries, places, k.saturating_add(extra)));
            took += seconds;
            for (query, hits) in (start as u32..).zip(found?) {
                answers += asked.answer(query, hits, k, out)?;
            }
            spinner.reach(end);
        }
        spinner.hide();
        if !self.run.quiet {
            out.flush()?;
            let queries = many(queries.len() as u64, "query", "queries");
            let (took, build) = (seconds(took), seconds(build));
            let _ = writeln!(
                io::stderr(),
                "{answers} found for {queries}, in {took} and {build} for the index"
            );
        }
        Ok(())
    }
}

impl Asked<'_> {
    /// Writes the answer to a query; how many items it has.
    fn answer(
        &self,
        query: u32,
        mut hits: Vec<Hit>,
        k: usize,
        out: &mut impl Write,
    ) -> io::Result<u64> {
        if let Some(Some(own)) = self.own.get(query as usize) {
            hits.retain(|hit| hit.id != *own);
        }
        hits.truncate(k);
        let is_json = self.args.run.json;
        let asked = match (&self.args.text, is_json) {
            (None, _) => name(self.queries.names(), query, is_json),
            (Some(_), true) => "null".into(),
            (Some(_), false) => "text".into(),
        };
        if let Some(verdict) = &self.verdict {
            verdict.write(&asked, self.data, &hits, is_json, out)?;
            return Ok(hits.len() as u64);
        }
        let hit = |hit: &Hit| {
            let id = name(self.data.names(), hit.id, is_json);
            (id, self.verb.shown(hit.distance))
        };
        if !is_json {
            for (id, value) in hits.iter().map(hit) {
                writeln!(out, "{asked}\t{value}\t{id}")?;
            }
            return Ok(hits.len() as u64);
        }
        write!(out, r#"{{"query": {asked}, "hits": ["#)?;
        let key = self.verb.key();
        for (place, found) in hits.iter().enumerate() {
            let (id, value) = hit(found);
            let comma = if place > 0 { ", " } else { "" };
            write!(out, r#"{comma}{{"id": {id}, "{key}": {value}"#)?;
            if self.args.texts {
                let text = serde_json::Value::from(self.data.show(found.id));
                write!(out, r#", "text": {text}"#)?;
            }
            write!(out, "}}")?;
        }
        writeln!(out, "]}}")?;
        Ok(hits.len() as u64)
    }
}
