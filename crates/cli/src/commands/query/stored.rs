//! A stored index, asked.

use std::io::{self, Write};
use std::path::Path;

use lookalike::plugin::{Measure, Recall, Value};
use lookalike::search::{Dataset, Id, Index, IndexAnswer, Registry, Wanted};
use rayon::prelude::*;

use super::{Args, TOP};
use crate::bar::Spinner;
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
                (None, Some(_)) => usize::MAX,
                (None, None) => TOP as usize,
            },
            limit: limit.unwrap_or(f64::INFINITY),
            compared: self
                .limit
                .map_or(Wanted::default().compared, |limit| limit as usize),
        };
        let spinner = Spinner::new(!self.run.quiet);
        let queries = self.queries_for(registry, &index, &spinner)?;
        let is_scan = self.search.exact || !index.has_buckets();
        if !self.run.quiet {
            let _ = write!(io::stderr(), "{}", said(&index, measure, limit, is_scan));
        }
        let (mut answers, mut took) = (0, 0.0);
        spinner.count("asking", queries.len() as u64);
        for start in (0..queries.len()).step_by(BATCH) {
            let places = start..queries.len().min(start + BATCH);
            let end = places.end as u64;
            let own = self.own(&queries);
            // One more, so that leaving out the query itself leaves enough.
            let wanted = Wanted {
                k: wanted.k.saturating_add(usize::from(own.is_some())),
                ..wanted
            };
            let (found, seconds) = timed(|| match is_scan {
                true => index.scan(&queries, places.clone(), &wanted),
                false => places
                    .clone()
                    .into_par_iter()
                    .map_init(
                        || index.asker(),
                        |asker, place| match asker {
                            Ok(asker) => asker.ask(&queries, place, &wanted),
                            Err(_) => index.asker()?.ask(&queries, place, &wanted),
                        },
                    )
                    .collect(),
            });
            took += seconds;
            for (place, mut answer) in (start as u32..).zip(found?) {
                if let Some(own) = &own {
                    let own = own(place);
                    answer.found.retain(|near| Some(&near.id) != own.as_ref());
                    answer.found.truncate(wanted.k - 1);
                }
                answers += answer.found.len() as u64;
                self.write_answer(&index, measure, (&queries, place), &answer, out)?;
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
        index: &Index,
        measure: &Measure,
        (queries, place): (&Dataset, u32),
        answer: &IndexAnswer,
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
        let IndexAnswer {
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

/// How the index is asked, and what it finds.
fn said(index: &Index, measure: &Measure, limit: Option<f64>, is_scan: bool) -> String {
    let plan = index.plan();
    let items = many(index.len(), "item", "items");
    let mut said = format!("{items} of the kind {}, by {}\n", plan.kind, plan.family);
    if is_scan {
        return said + "compared with all of them; finds everything\n";
    }
    let Some(limit) = limit.or(plan.limit) else {
        return said;
    };
    let (name, at) = (measure.name, plain(measure.shown(limit)));
    let lower = index.promise(limit).map(|bounds| bounds.lower().value());
    said += &match (lower, plan.recall) {
        (Some(lower), _) if lower >= 1.0 => {
            format!("finds all items at {name} {at}, and all nearer ones\n")
        }
        (Some(lower), _) => {
            let recall = probability(lower, 1.0 - lower);
            format!(
                "finds at least {recall} of the items at {name} {at}, and more of nearer ones\n"
            )
        }
        (
            None,
            Recall::Calibrated {
                recall,
                standard_error,
            },
        ) if plan.limit == Some(limit) => {
            let recall = probability(recall, 1.0 - recall);
            format!(
                "finds {recall} ± {standard_error:.4} of the items up to {name} {at} (measured on a sample when the index was made)\n"
            )
        }
        (None, _) => format!("how many of the items at {name} {at} are found is not known\n"),
    };
    said
}
