//! The trace of a family as a value, and how it is written as a page, as a picture and as JSON.

use lookalike::report::{BandingControl, Block, Error, Flow, Page, Section, Step, Steps, Table};
use lookalike::{Banding, report::Cell};
use serde_json::{Value, json};

use crate::drawn_curves::AGREEMENT;

/// What a trace shows.
#[derive(Clone, Debug)]
pub(super) struct Lesson {
    /// What is shown, as a title.
    pub(super) title: String,
    /// What it is shown of, in one line without a full stop.
    pub(super) summary: String,
    /// The calculation.
    pub(super) steps: Steps,
    /// All of it in one picture, where there is a better one than the steps below each other.
    pub(super) flow: Option<Result<Flow, Error>>,
    /// Words above that picture.
    pub(super) flow_text: String,
    /// Bands and rows, for those who want to move them.
    pub(super) banding: Option<Banding>,
    /// All numbers, where they have a form of their own.
    pub(super) json: Option<Value>,
}

impl Lesson {
    /// Steps under a title.
    pub(super) fn new(title: impl Into<String>, summary: String, steps: Steps) -> Self {
        Self {
            title: title.into(),
            summary,
            steps,
            flow: None,
            flow_text: String::new(),
            banding: None,
            json: None,
        }
    }

    /// The page; all of it in one picture first, where that can be drawn.
    pub(super) fn page(&self) -> Result<Page, Error> {
        let mut page = Page::new(&self.title).lead(format!("{}.", self.summary));
        if let Some(Ok(flow)) = &self.flow {
            let section = Section::new("In one picture").text(&self.flow_text);
            page = page.section(section.block(flow.clone()));
        }
        let steps = Section::new("The calculation").block(self.steps.clone());
        page = page.section(steps);
        if let Some(banding) = self.banding {
            let control = BandingControl::new(banding.bands(), banding.rows())?;
            let text = "Another draw of functions gives other answers and other buckets. For each probability that one \
                        function agrees, the curve shows how often a pair shares at least one bucket.";
            let section = Section::new("Other bands and rows").text(text);
            let control = control.title(banding.to_string()).axis(AGREEMENT);
            page = page.section(section.block(control));
        }
        Ok(page)
    }

    /// One picture.
    pub(super) fn picture(&self) -> Result<String, Error> {
        match &self.flow {
            Some(flow) => Ok(flow.clone()?.svg()),
            None => self.steps.svg(&self.title, &format!("{}.", self.summary)),
        }
    }

    pub(super) fn json(&self) -> Value {
        if let Some(json) = &self.json {
            return json.clone();
        }
        let step = |step: &Step| {
            let tables = step.blocks().iter().filter_map(|block| match block {
                Block::Table(table) => Some(as_json(table)),
                _ => None,
            });
            json!({
                "title": step.title(),
                "text": step.paragraphs(),
                "tables": tables.collect::<Vec<_>>(),
            })
        };
        let steps: Vec<Value> = self.steps.steps().iter().map(step).collect();
        json!({ "title": self.title, "summary": self.summary, "steps": steps })
    }
}

fn as_json(table: &Table) -> Value {
    let cell = |cell: &Cell| match &cell.pieces()[..] {
        [(one, _)] => json!(one),
        several => json!(several.iter().map(|piece| piece.0).collect::<Vec<_>>()),
    };
    let rows = table.rows().iter();
    let rows: Vec<Vec<Value>> = rows.map(|row| row.iter().map(cell).collect()).collect();
    let columns: Vec<&str> = table.columns().iter().map(|column| column.head()).collect();
    json!({ "caption": table.caption_text(), "columns": columns, "rows": rows })
}
