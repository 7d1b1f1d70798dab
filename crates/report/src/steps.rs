use std::fmt::{self, Write};

use crate::{Block, Error, escape::Escaped, figure::board};

/// A calculation one step after another, numbered: shingles, then signatures, then bands, then buckets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Steps {
    steps: Vec<Step>,
}

/// One step: what is done, and what comes of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    title: String,
    text: Vec<String>,
    blocks: Vec<Block>,
}

impl Steps {
    /// No step yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// One step more.
    #[must_use]
    pub fn step(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }

    /// The steps so far.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// All steps below each other in one picture, as a file of its own: their texts, tables and drawings.
    ///
    /// # Errors
    /// If a step has a block that is neither a table nor a drawing, or a table has more than 40 rows: then it is not one
    /// picture any more.
    pub fn svg(&self, title: &str, note: &str) -> Result<String, Error> {
        board(self, title, note)
    }

    pub(crate) fn write(&self, page: &mut crate::page::Writer) -> fmt::Result {
        writeln!(page.out, "<ol class=\"steps\">")?;
        for step in &self.steps {
            writeln!(page.out, "<li><h3>{}</h3>", Escaped(&step.title))?;
            page.paragraphs(&step.text)?;
            for block in &step.blocks {
                block.write(page)?;
            }
            writeln!(page.out, "</li>")?;
        }
        writeln!(page.out, "</ol>")
    }
}

impl Step {
    /// A step with nothing in it yet.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            text: Vec::new(),
            blocks: Vec::new(),
        }
    }

    /// What is done.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.title
    }

    /// Its paragraphs.
    #[must_use]
    pub fn paragraphs(&self) -> &[String] {
        &self.text
    }

    /// What it shows.
    #[must_use]
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// A paragraph more, above the blocks.
    #[must_use]
    pub fn text(mut self, paragraph: impl Into<String>) -> Self {
        self.text.push(paragraph.into());
        self
    }

    /// A block more.
    #[must_use]
    pub fn block(mut self, block: impl Into<Block>) -> Self {
        self.blocks.push(block.into());
        self
    }
}
