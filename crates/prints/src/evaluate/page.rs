use lookalike_report::{Axis, Cell, Chart, Facts, Page, Section, Series, Table, TableColumn};

use super::{Evaluation, Set};
use crate::Error;

/// A chart and the name of its file.
#[derive(Debug)]
pub struct Picture {
    /// The name, without an ending.
    pub name: &'static str,
    /// The chart.
    pub chart: Chart,
}

impl Evaluation {
    /// The sets, and all of them if there are several.
    fn lines(&self) -> Vec<&Set> {
        let all = (self.sets.len() > 1).then_some(&self.all);
        self.sets.iter().chain(all).collect()
    }

    /// The cumulative match characteristic, hits against penetration, and the matcher's errors.
    pub fn pictures(&self) -> Result<Vec<Picture>, Error> {
        let lines = self.lines();
        let series = |points: &dyn Fn(&Set) -> Vec<(f64, f64)>| {
            let some = lines.iter().map(|set| (set, points(set)));
            let some = some.filter(|(_, points)| !points.is_empty());
            some.map(|(set, points)| Series::line(&set.name, points))
                .collect::<Result<Vec<_>, _>>()
        };
        let share = |title: &str| Axis::linear(title).between(0.0, 1.0);
        let cmc = |set: &Set| {
            set.verified
                .cmc
                .iter()
                .map(|&(r, p)| (r as f64, p))
                .collect()
        };
        let curve = |set: &Set| {
            let points = set.penetration.iter().filter(|at| at.penetration > 0.0);
            points.map(|at| (at.penetration, at.hit)).collect()
        };
        let det = |set: &Set| {
            let rates = set.matcher.iter().flat_map(|rates| &rates.det);
            let both = rates.filter(|at| at.1 > 0.0 && at.2 > 0.0);
            both.map(|&(_, fmr, fnmr)| (fmr, fnmr)).collect()
        };
        let mut pictures = vec![Picture {
            name: "cmc",
            chart: Chart::new(
                "Where the mate stands",
                Axis::log("rank"),
                share("share of probes whose mate is among the best")?,
                series(&cmc)?,
            )?,
        }];
        if !series(&curve)?.is_empty() {
            pictures.push(Picture {
                name: "penetration",
                chart: Chart::new(
                    "Hits against penetration",
                    Axis::log("penetration: share of the gallery that are candidates"),
                    share("hits: share of probes whose mate is one")?,
                    series(&curve)?,
                )?,
            });
        }
        if !series(&det)?.is_empty() {
            pictures.push(Picture {
                name: "det",
                chart: Chart::new(
                    "Errors of the matcher",
                    Axis::log("false match rate"),
                    Axis::log("false non-match rate"),
                    series(&det)?,
                )?,
            });
        }
        Ok(pictures)
    }

    /// All of it as one page.
    pub fn page(&self) -> Result<Page, Error> {
        let percent = |share: f64| format!("{:.1}%", 100.0 * share);
        let facts = Facts::new()
            .fact("enrolled", self.gallery)
            .fact("without a mate", self.extra)
            .fact("probes", self.all.probes)
            .fact("verified a probe", self.verified)
            .fact("bytes of the index a print", format!("{:.0}", self.bytes))
            .fact("hits a probe", format!("{:.0}", self.hits))
            .fact("method", &self.method);
        let columns = [
            TableColumn::text("set"),
            TableColumn::number("probes"),
            TableColumn::number("first"),
            TableColumn::number("best 1%"),
            TableColumn::number("best 5%"),
            TableColumn::number("first, verified"),
            TableColumn::number("EER"),
        ];
        let rows = self.lines().into_iter().map(|set| {
            let eer = set
                .matcher
                .as_ref()
                .map_or_else(String::new, |rates| percent(rates.eer));
            [
                set.name.clone(),
                set.probes.to_string(),
                percent(set.found.first),
                percent(set.found.within_1_percent),
                percent(set.found.within_5_percent),
                percent(set.verified.first),
                eer,
            ]
            .map(Cell::new)
            .to_vec()
        });
        let mut section = Section::new("How well prints are found")
            .text("The first impression of each finger is enrolled, the others are probes. A hit is a probe whose mate is among the candidates; votes rank them, and the matcher orders the best again.")
            .block(Table::new(columns, rows)?);
        for picture in self.pictures()? {
            section = section.block(picture.chart);
        }
        let page = Page::new("Fingerprints, evaluated")
            .lead(format!(
                "{} probes against {} enrolled prints: the mate comes first for {}, after verification for {}.",
                self.all.probes,
                self.gallery,
                percent(self.all.found.first),
                percent(self.all.verified.first),
            ))
            .section(Section::new("What was measured").block(facts))
            .section(section);
        if self.examples.is_empty() {
            return Ok(page);
        }
        let mut section = Section::new("Pairs to look at").text(
            "The probe as it lay, the enrolled print as it lay, and the second laid over the first. What is paired is joined; \
             the score grows with the pairs, how close they are, and the edges between neighbours that agree, against the minutiae \
             that each print has where the other one is.",
        );
        for example in &self.examples {
            section = section.block(example.overlay()?);
        }
        Ok(page.section(section))
    }
}
