//! A stored index, asked.

use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

use lookalike::plugin::{Measure, Recall, Value};
use lookalike::search::{
    Answer, Dataset, Error, Id, Index, IndexAsker, RecallAt, Registry, Wanted,
};
use rayon::prelude::*;

use super::{Args, TOP};
use crate::bar::Spinner;
use crate::commands::index::found;
use crate::number::{plain, probability, seconds};
use crate::options::run::timed;
use crate::reader::Reader;
use crate::usage::Usage;
use crate::verb::{escaped, key, many, name, wrong_use};

/// Queries that are answered before their answers are written.
const BATCH: usize = 4096;

impl Args {
    /// Answers each query with the documents of an index that are near it.
    pub(super) fn ask_stored(
        &self,
        registry: &Registry,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        if let Some(option) = self.without_index() {
            let message = format!(
                "{option} is for items without an index: {} was made with settings of its own, which `lookalike index stats` shows",
                self.target
            );
            return Err(Usage(message).into());
        }
        self.run.start()?;
        let index = Index::open(registry, Path::new(&self.target))?;
        let plan = index.plan();
        let measure = match self.near {
            None => registry.measure_of(plan)?,
            Some(near) => registry
                .measure_for(near.measure.flag, plan)
                .ok_or_else(|| {
                    let (kind, flag) = (&plan.kind, &plan.measure);
                    Usage(format!(
                        "{} is an index of items of the kind {kind}, which have no {}: use --{flag}",
                        self.target, near.measure.name
                    ))
                })?,
        };
        let threshold = self.near.and_then(|near| near.threshold);
        let limit = threshold.map(|it| measure.limit(it)).transpose();
        let limit = limit.map_err(|error| wrong_use(error.into()))?;
        let wanted = Wanted {
            k: match (self.k, limit) {
                (Some(k), _) => k as usize,
                (None, Some(_)) if plan.kind != "text" => usize::MAX,
                (None, _) => TOP as usize,
            },
            limit: limit.unwrap_or(f64::INFINITY),
            compared: self
                .limit
                .map_or(Wanted::default().compared, |limit| limit as usize),
        };
        let asked = Asked {
            index: &index,
            measure,
            limit,
            wanted,
            is_scan: self.search.exact || !index.has_buckets(),
        };
        match plan.kind == "text" && measure.is_similarity {
            true => self.ask_texts(registry, &asked, out),
            false => self.ask_others(registry, &asked, out),
        }
    }

    /// Asks an index of items that are not texts: queries are read as the items were.
    fn ask_others(
        &self,
        registry: &Registry,
        asked: &Asked<'_>,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let spinner = Spinner::new(!self.run.quiet);
        let queries = self.queries_for(registry, asked.index, &spinner)?;
        if !self.run.quiet {
            let _ = write!(io::stderr(), "{}", asked.said());
        }
        let own = self.own(&queries);
        // One more, so that leaving out the query itself leaves enough.
        let k = asked.wanted.k.saturating_add(usize::from(own.is_some()));
        let wanted = Wanted { k, ..asked.wanted };
        let (mut answers, mut took) = (0, 0.0);
        spinner.count("asking", queries.len() as u64);
        for start in (0..queries.len()).step_by(BATCH) {
            let places = start..queries.len().min(start + BATCH);
            let end = places.end as u64;
            let (found, seconds) = timed(|| asked.answers(&queries, places, &wanted));
            took += seconds;
            for (place, mut answer) in (start as u32..).zip(found?) {
                if let Some(own) = &own {
                    let own = own(place);
                    answer.found.retain(|near| Some(&near.id) != own.as_ref());
                    answer.found.truncate(asked.wanted.k);
                }
                answers += answer.found.len() as u64;
                self.write_answer(asked, (&queries, place), &answer, out)?;
            }
            spinner.reach(end);
        }
        spinner.hide();
        if !self.run.quiet {
            out.flush()?;
            let queries = many(queries.len() as u64, "query", "queries");
            let _ = writeln!(
                io::stderr(),
                "{answers} found for {queries}, in {}",
                seconds(took)
            );
        }
        Ok(())
    }

    /// The first option that an index does not take.
    fn without_index(&self) -> Option<&'static str> {
        let given = self.search.given().filter(|option| *option != "--exact");
        let kind = self.items.kind.is_some().then_some("--kind");
        let given = given.or(self.how.given()).or(self.bag.given());
        given.or(kind).or(self.predict.given())
    }

    fn queries_for(
        &self,
        registry: &Registry,
        index: &Index,
        spinner: &Spinner,
    ) -> anyhow::Result<Dataset> {
        let kind = registry.kind_named(&index.plan().kind)?;
        let (reader, _) = Reader::new(registry, &self.items, vec![kind], &[])?;
        let mut source = reader.source(&self.inputs, self.queries, &[kind])?;
        source.reading.clone_from(index.reading());
        source.width = Some(index.plan().width);
        match &self.text {
            Some(text) => {
                let query = registry.parse(&source, [Value::Text(text)]);
                query.map_err(|error| anyhow::Error::from(error).context("--text"))
            }
            None => reader.read_source(&source, spinner),
        }
    }

    /// The document that a query is itself, if it has an id of its own; `None` if it is to be found, too.
    fn own<'a>(&self, queries: &'a Dataset) -> Option<impl Fn(u32) -> Option<Id> + 'a> {
        let is_left_out = !self.with_self && self.text.is_none();
        is_left_out.then_some(move |place| queries.names().id(place))
    }

    fn write_answer(
        &self,
        &Asked { index, measure, .. }: &Asked<'_>,
        (queries, place): (&Dataset, u32),
        answer: &Answer,
        out: &mut impl Write,
    ) -> anyhow::Result<()> {
        let is_json = self.run.json;
        let asked = match (&self.text, is_json) {
            (None, _) => name(queries.names(), place, is_json),
            (Some(_), true) => "null".into(),
            (Some(_), false) => "text".into(),
        };
        let shown = |distance| plain(measure.shown(distance));
        if !is_json {
            for near in &answer.found {
                let id = escaped(near.id.to_string());
                writeln!(out, "{asked}\t{}\t{id}", shown(near.distance))?;
            }
            return Ok(());
        }
        write!(out, r#"{{"query": {asked}, "hits": ["#)?;
        for (number, near) in answer.found.iter().enumerate() {
            let comma = if number > 0 { ", " } else { "" };
            let (id, key, value) = (near.id.as_json(), key(measure), shown(near.distance));
            write!(out, r#"{comma}{{"id": {id}, "{key}": {value}"#)?;
            if self.texts {
                let text = serde_json::Value::from(index.show(&near.id)?);
                write!(out, r#", "text": {text}"#)?;
            }
            write!(out, "}}")?;
        }
        let Answer {
            candidates,
            compared,
            ..
        } = answer;
        Ok(writeln!(
            out,
            r#"], "candidates": {candidates}, "compared": {compared}}}"#
        )?)
    }
}

/// An index, and what it is asked for.
pub(super) struct Asked<'a> {
    pub(super) index: &'a Index,
    pub(super) measure: &'static Measure,
    pub(super) limit: Option<f64>,
    pub(super) wanted: Wanted,
    /// Whether queries are compared with everything.
    pub(super) is_scan: bool,
}

impl Asked<'_> {
    /// Answers some queries, on all threads.
    pub(super) fn answers(
        &self,
        queries: &Dataset,
        places: Range<usize>,
        wanted: &Wanted,
    ) -> Result<Vec<Answer>, Error> {
        if self.is_scan {
            return self.index.scan(queries, places, wanted);
        }
        let places = places.into_par_iter();
        let answer = |asker: &mut Result<IndexAsker<'_>, Error>, place| match asker {
            Ok(asker) => asker.ask(queries, place, wanted),
            Err(_) => self.index.asker()?.ask(queries, place, wanted),
        };
        places.map_init(|| self.index.asker(), answer).collect()
    }

    /// How the index is asked, and what it finds.
    fn said(&self) -> String {
        let plan = self.index.plan();
        let items = many(self.index.len(), "item", "items");
        let how = match self.is_scan {
            true => "compared with all of them; finds everything".into(),
            false => self.finds(),
        };
        format!(
            "{items} of the kind {}, by {}\n{how}\n",
            plan.kind, plan.family
        )
    }

    /// Which share of the items is found: within the limit of the query or, if it has none, at several distances.
    pub(super) fn finds(&self) -> String {
        let at = self.limit.or(self.index.plan().limit);
        let recall = at.and_then(|at| self.index.promise(at));
        let recall = recall.map(|bounds| bounds.lower().value());
        let finds = match (recall, self.calibrated(at)) {
            (None, Some(calibrated)) => calibrated,
            (recall, _) => found(self.measure, at, recall),
        };
        let others = self.index.stats().recalls;
        if self.limit.is_some() || others.len() < 2 {
            return finds;
        }
        let at = |recall: &RecallAt| {
            let share = probability(recall.found, 1.0 - recall.found);
            format!("{share} at {}", plain(self.measure.shown(recall.distance)))
        };
        let others: Vec<String> = others.iter().map(at).collect();
        format!("{finds}: {}", others.join(", "))
    }

    /// What was measured on a sample when the plan was made, if a distance is the limit of the plan.
    fn calibrated(&self, limit: Option<f64>) -> Option<String> {
        let plan = self.index.plan();
        let Recall::Calibrated {
            recall,
            standard_error,
        } = plan.recall
        else {
            return None;
        };
        let limit = limit.filter(|_| limit == plan.limit)?;
        Some(format!(
            "finds {} ± {standard_error:.4} of the items up to {} {} (measured on a sample when the index was made)",
            probability(recall, 1.0 - recall),
            self.measure.name,
            plain(self.measure.shown(limit)),
        ))
    }
}
