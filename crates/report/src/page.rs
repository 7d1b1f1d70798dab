use std::fmt::{self, Write};

use crate::sheet::Size;
use crate::{
    Block, chart,
    escape::Escaped,
    figure, palette,
    policy::{POLICY, SCRIPT},
};

const STYLE: &str = include_str!("page.css");

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
    is_folded: bool,
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
        let title = Escaped(&self.title);
        writeln!(
            page.out,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
             <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
             <meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <title>{title}</title>\n<style>\n{}{}{}{STYLE}</style>\n</head>\n<body>\n<main>\n<header class=\"top\">\n<h1>{title}</h1>",
            palette::variables(),
            chart::STYLE,
            figure::STYLE
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
            let (before, after, end) = match section.is_folded {
                true => ("<details>\n<summary>", "</summary>", "</details>\n"),
                false => ("", "", ""),
            };
            writeln!(
                page.out,
                "<section id=\"section-{id}\" aria-labelledby=\"heading-{id}\">\n{before}<h2 id=\"heading-{id}\">{title}</h2>{after}"
            )?;
            page.paragraphs(&section.text)?;
            for block in &section.blocks {
                block.write(page)?;
            }
            writeln!(page.out, "{end}</section>")?;
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
            is_folded: false,
        }
    }

    /// Shows its title alone until a reader unfolds it; what is folded is not printed.
    #[must_use]
    pub fn folded(mut self) -> Self {
        self.is_folded = true;
        self
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

    /// A drawing in both sizes, of which the style shows one; `inline` is given the size and a name of its own.
    pub(crate) fn drawn(&mut self, inline: impl Fn(Size, &str) -> String) -> fmt::Result {
        writeln!(self.out, "<figure class=\"drawn\">")?;
        self.charts += 1;
        for size in Size::BOTH {
            let id = format!("chart-{}-{}", self.charts, size.name());
            self.out.push_str(&inline(size, &id));
        }
        writeln!(self.out, "</figure>")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Area, Axis, BandingControl, Cell, Chart, Drawing, Facts, Flow, Marker, Overlay, Pair,
        Pairs, Panel, Series, Step, Steps, Table, TableColumn,
    };

    const HOSTILE: &str = "</script><x onload='a' b=\"c\">&lt;]]>--></style></svg></title>\0";

    /// A page with the text everywhere where a text can be.
    fn hostile(text: &str) -> Page {
        let series = Series::intervals(text, [(0.0, 1.0, 0.5, 1.5), (1.0, 2.0, 1.5, 2.5)]);
        let line = Series::line("line", [(0.0, 1.0), (1.0, 2.0)]).unwrap();
        let x = Axis::names(text, [text, "b"]);
        let series = [series.unwrap(), line];
        let chart = Chart::new(text, x, Axis::linear(text), series)
            .and_then(|chart| chart.area(Area::under(text, "line")))
            .and_then(|chart| chart.marker(Marker::new(text, 0.5)))
            .unwrap();
        let described = chart.clone().description(text);
        let cell = Cell::new(text).emphasis(crate::Emphasis::Bad);
        let table = Table::new([TableColumn::text(text)], [vec![cell]]).unwrap();
        let facts = Facts::new().fact(text, text).noted(text, text, text);
        let pairs = Pairs::new()
            .pair(
                Pair::texts((text, text), (text, "else"), 0.5)
                    .unwrap()
                    .verdict(text),
            )
            .pair(
                Pair::lists((text, [text]), (text, [text]), 1.0)
                    .unwrap()
                    .fact(text, text),
            );
        let overlay =
            Overlay::new(text, (text, vec![(0.0, 0.0, 0.0)]), (text, Vec::new())).unwrap();
        let overlay = overlay.note(text);
        let items = [(text, text, vec![Some(1)]), (text, text, vec![Some(1)])];
        let flow = Flow::new(text, 1, items, 0.5, |_, _| 0.5).unwrap();
        let flow = flow.note(text);
        let panel = Panel::new(text, (0.0, 0.0), (1.0, 1.0)).unwrap();
        let panel = panel.dot((0.5, 0.5), text, 0).words((0.1, 0.1), text);
        let drawing = Drawing::new(text, [panel]).note(text);
        let steps = Steps::new().step(Step::new(text).text(text).block(table.clone()));
        let control = BandingControl::new(20, 5).unwrap().title(text).axis(text);
        let section = Section::new(text)
            .text(text)
            .block(facts)
            .block(table.caption(text))
            .block(chart)
            .block(described)
            .block(control)
            .block(overlay)
            .block(flow)
            .block(drawing)
            .block(pairs)
            .block(steps);
        Page::new(text).lead(text).note(text).section(section)
    }

    #[test]
    fn no_text_becomes_markup() {
        let html = hostile(HOSTILE).html();
        assert!(!html.contains("<x") && !html.contains('\0'));
        // As wide, so that its lines break at the same places.
        let tame = HOSTILE
            .replace('\'', "l")
            .replace(['<', '>', '&'], "+")
            .replace(['"', '\0'], "x");
        let tame = hostile(&tame).html();
        for tag in ["<", ">", "</script>", "</style>", "</svg>", "</title>"] {
            assert_eq!(
                html.matches(tag).count(),
                tame.matches(tag).count(),
                "{tag}"
            );
        }
        assert_eq!(html.matches("<script>").count(), 1);
    }

    #[test]
    fn nothing_is_fetched() {
        let html = hostile("tame").html();
        for fetching in [
            " src=", "url(http", "@import", "<link", "://", "<iframe", "<img",
        ] {
            assert!(!html.contains(fetching), "{fetching}");
        }
        assert!(html.contains("content=\"default-src 'none';"));
    }

    #[test]
    fn the_same_page_is_the_same_bytes() {
        assert_eq!(hostile(HOSTILE).html(), hostile(HOSTILE).html());
    }

    #[test]
    fn nothing_has_the_name_of_another() {
        let html = hostile("tame").html();
        let mut names: Vec<&str> = html
            .split(" id=\"")
            .skip(1)
            .map(|rest| rest.split('"').next().unwrap())
            .collect();
        let all = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), all);
        assert!(all > 20);
    }
}
