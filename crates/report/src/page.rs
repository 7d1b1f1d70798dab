use std::fmt::{self, Write};

use crate::chart::Size;
use crate::{Block, Chart, escape::Escaped, policy::policy};

const STYLE: &str = concat!(
    include_str!("chart/colours.css"),
    include_str!("chart/chart.css"),
    include_str!("page.css")
);
const SCRIPT: &str = include_str!("page.js");

/// A page: a title, what it is about, and sections.
#[derive(Clone, Debug, PartialEq)]
pub struct Page {
    title: String,
    lead: Vec<String>,
    sections: Vec<Section>,
    notes: Vec<String>,
}

/// A part of a page with a title.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    title: String,
    text: Vec<String>,
    blocks: Vec<Block>,
}

impl Page {
    /// A page with nothing on it yet.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            lead: Vec::new(),
            sections: Vec::new(),
            notes: Vec::new(),
        }
    }

    /// A paragraph more below the title.
    #[must_use]
    pub fn lead(mut self, paragraph: impl Into<String>) -> Self {
        self.lead.push(paragraph.into());
        self
    }

    /// A section more.
    #[must_use]
    pub fn section(mut self, section: Section) -> Self {
        self.sections.push(section);
        self
    }

    /// A line more at the foot, such as how the page was made.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// The page as one file of HTML.
    #[must_use]
    pub fn html(&self) -> String {
        let mut writer = Writer {
            out: String::new(),
            charts: 0,
        };
        self.write(&mut writer)
            .expect("a string takes whatever is written");
        writer.out
    }

    fn write(&self, page: &mut Writer) -> fmt::Result {
        let (title, policy) = (Escaped(&self.title), policy(SCRIPT));
        writeln!(
            page.out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <title>{title}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n<header class=\"top\">\n<h1>{title}</h1>"
        )?;
        page.paragraphs(&self.lead)?;
        writeln!(page.out, "</header>")?;
        if self.sections.len() > 2 {
            writeln!(page.out, "<nav aria-label=\"Sections\"><ol>")?;
            for (i, section) in self.sections.iter().enumerate() {
                let title = Escaped(&section.title);
                writeln!(
                    page.out,
                    "<li><a href=\"#section-{}\">{title}</a></li>",
                    i + 1
                )?;
            }
            writeln!(page.out, "</ol></nav>")?;
        }
        for (i, section) in self.sections.iter().enumerate() {
            let (id, title) = (i + 1, Escaped(&section.title));
            writeln!(
                page.out,
                "<section id=\"section-{id}\" aria-labelledby=\"heading-{id}\">\n<h2 id=\"heading-{id}\">{title}</h2>"
            )?;
            page.paragraphs(&section.text)?;
            for block in &section.blocks {
                block.write(page)?;
            }
            writeln!(page.out, "</section>")?;
        }
        if !self.notes.is_empty() {
            writeln!(page.out, "<footer>")?;
            page.paragraphs(&self.notes)?;
            writeln!(page.out, "</footer>")?;
        }
        writeln!(
            page.out,
            "</main>\n<script>{SCRIPT}</script>\n</body>\n</html>"
        )
    }
}

impl Section {
    /// A section with nothing in it yet.
    #[must_use]
    pub fn new(title: impl Into<String>) -> Self {
        Self {
            title: title.into(),
            text: Vec::new(),
            blocks: Vec::new(),
        }
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

/// The page so far, and what its parts must agree on.
#[derive(Debug)]
pub(crate) struct Writer {
    pub(crate) out: String,
    charts: usize,
}

impl Writer {
    pub(crate) fn paragraphs(&mut self, paragraphs: &[String]) -> fmt::Result {
        paragraphs
            .iter()
            .try_for_each(|text| writeln!(self.out, "<p>{}</p>", Escaped(text)))
    }

    /// A chart in both sizes, of which the style shows one.
    pub(crate) fn chart(&mut self, chart: &Chart) -> fmt::Result {
        writeln!(self.out, "<figure class=\"drawn\">")?;
        self.charts += 1;
        for size in Size::BOTH {
            let id = format!("chart-{}-{}", self.charts, size.name());
            self.out.push_str(&chart.inline(size, &id));
        }
        writeln!(self.out, "</figure>")
    }
}
