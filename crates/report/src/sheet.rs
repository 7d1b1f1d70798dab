//! What all drawings share: an SVG for one of two rooms, inside a page or as a file of its own.

use std::fmt::{self, Write};

use crate::escape::Escaped;
use crate::number::place;

/// The room for which something is drawn. A page has it in both, so that nothing is scaled until it cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Size {
    /// A desk, a sheet of paper, a file of its own.
    Wide,
    /// A telephone held upright.
    Narrow,
}

impl Size {
    pub(crate) const BOTH: [Self; 2] = [Self::Wide, Self::Narrow];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Wide => "wide",
            Self::Narrow => "narrow",
        }
    }

    pub(crate) fn width(self) -> f64 {
        match self {
            Self::Wide => 720.0,
            Self::Narrow => 358.0,
        }
    }
}

/// Pixels of a text, as in `chart.css`.
pub(crate) const TEXT: f64 = 13.0;
pub(crate) const TITLE: f64 = 17.0;
/// How much wider bold text is.
pub(crate) const BOLD: f64 = 1.15;
pub(crate) const TITLE_LINE: f64 = 23.0;
pub(crate) const LINE: f64 = 20.0;
/// A file of its own has a border of paper, as wide and as high.
const BORDER: (f64, f64) = (20.0, 14.0);

/// What is drawn on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sheet<'a> {
    /// A name that nothing else on the page has.
    pub(crate) id: &'a str,
    pub(crate) size: Size,
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) title: &'a str,
    /// What it shows, for those who do not see it.
    pub(crate) text: &'a str,
    /// Further attributes, each after a space.
    pub(crate) attributes: &'a str,
}

impl Sheet<'_> {
    /// Begins the drawing; with a style it is a file of its own.
    pub(crate) fn open(&self, out: &mut String, style: Option<&str>) -> fmt::Result {
        let (across, up) = style.map_or((0.0, 0.0), |_| BORDER);
        let [x, y, width, height] = [
            -across,
            -up,
            self.width + 2.0 * across,
            self.height + 2.0 * up,
        ]
        .map(place);
        let alone = style.map_or("", |_| " xmlns=\"http://www.w3.org/2000/svg\"");
        let (id, attributes) = (self.id, self.attributes);
        writeln!(
            out,
            "<svg{alone} class=\"chart {}\" viewBox=\"{x} {y} {width} {height}\" width=\"{width}\" height=\"{height}\"{attributes} \
             role=\"img\" aria-labelledby=\"{id}-title {id}-text\">\n\
             <title id=\"{id}-title\">{}</title>\n<desc id=\"{id}-text\">{}</desc>",
            self.size.name(),
            Escaped(self.title),
            Escaped(self.text)
        )?;
        if let Some(style) = style {
            writeln!(
                out,
                "<style>\n{style}</style>\n\
                 <rect class=\"paper\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/>"
            )?;
        }
        Ok(())
    }
}

/// Words with their base line at a place.
pub(crate) fn text(out: &mut String, class: &str, x: f64, y: f64, words: &str) -> fmt::Result {
    let (x, y, words) = (place(x), place(y), Escaped(words));
    let class = match class {
        "" => String::new(),
        class => format!(" class=\"{class}\""),
    };
    writeln!(out, "<text{class} x=\"{x}\" y=\"{y}\">{words}</text>")
}
