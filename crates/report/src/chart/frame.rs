//! Where the parts of a chart stand: title, legend, plot, labels.

use super::Chart;
use super::ticks::Tick;
use super::width::{ems, wrap};
use crate::number::place;

/// The room for which a chart is drawn. A page has it in both, so that nothing is scaled until it cannot be read.
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

    fn width(self) -> f64 {
        match self {
            Self::Wide => 720.0,
            Self::Narrow => 358.0,
        }
    }

    fn plot_height(self) -> f64 {
        match self {
            Self::Wide => 300.0,
            Self::Narrow => 240.0,
        }
    }

    fn ticks(self) -> (usize, usize) {
        match self {
            Self::Wide => (10, 5),
            Self::Narrow => (5, 5),
        }
    }
}

/// Pixels of a text, as in `chart.css`.
pub(crate) const TEXT: f64 = 13.0;
const TITLE: f64 = 17.0;
const TITLE_LINE: f64 = 23.0;
const LINE: f64 = 20.0;
/// A sample in the legend, and the gap to its name.
pub(crate) const SAMPLE: f64 = 30.0;
const GAP: f64 = 8.0;
const BETWEEN: f64 = 20.0;
/// Labels of names stand aslant where they do not fit side by side.
const SLANT: f64 = 35.0;

/// All places of one chart in one size.
#[derive(Clone, Debug)]
pub(crate) struct Frame {
    pub(crate) width: f64,
    pub(crate) height: f64,
    pub(crate) title: Vec<(f64, String)>,
    /// Where the sample of each entry begins, in the order of series and areas.
    pub(crate) legend: Vec<(f64, f64)>,
    pub(crate) left: f64,
    pub(crate) right: f64,
    pub(crate) top: f64,
    pub(crate) bottom: f64,
    pub(crate) y_title: f64,
    pub(crate) x_title: f64,
    /// The base line of the label of each marker.
    pub(crate) markers: Vec<f64>,
    pub(crate) x_ticks: Vec<Tick>,
    pub(crate) y_ticks: Vec<Tick>,
    /// Degrees by which the labels along x are turned, if they are.
    pub(crate) slant: Option<f64>,
}

impl Frame {
    pub(crate) fn new(chart: &Chart, size: Size) -> Self {
        let width = size.width();
        let (across, up) = size.ticks();
        let (x_ticks, y_ticks) = (chart.across.ticks(across), chart.up.ticks(up));
        let widest = |ticks: &[Tick]| {
            let widths = ticks.iter().map(|tick| ems(&tick.label) * TEXT);
            widths.fold(0.0, f64::max)
        };
        let left = widest(&y_ticks) + 14.0;
        let right = width - 16.0;

        let mut y = 0.0;
        let mut title = Vec::new();
        for line in wrap(&chart.title, width / TITLE) {
            y += TITLE_LINE;
            title.push((y - 5.0, line));
        }
        y += 4.0;
        let legend = legend(chart, width, &mut y);
        y += LINE;
        let y_title = y - 2.0;
        let markers: Vec<f64> = chart
            .markers
            .iter()
            .map(|_| {
                y += LINE;
                y - 6.0
            })
            .collect();
        let top = y + if markers.is_empty() { 10.0 } else { 4.0 };
        let bottom = top + size.plot_height();

        let slot = (right - left) / x_ticks.len().max(1) as f64;
        let crowded = chart.across.is_names() && widest(&x_ticks) > slot - 6.0;
        let slant = crowded.then_some(SLANT);
        let labels = match slant {
            Some(slant) => widest(&x_ticks) * slant.to_radians().sin() + TEXT,
            None => TEXT,
        };
        let x_title = bottom + 12.0 + labels + LINE;
        Self {
            width,
            height: x_title + 10.0,
            title,
            legend,
            left,
            right,
            top,
            bottom,
            y_title,
            x_title,
            markers,
            x_ticks,
            y_ticks,
            slant,
        }
    }

    /// The edges of the plot: left, right, top, bottom. The script of a page draws by them.
    pub(crate) fn plot(&self) -> String {
        [self.left, self.right, self.top, self.bottom]
            .map(place)
            .join(" ")
    }

    /// The place of a share of the x axis.
    pub(crate) fn x(&self, share: f64) -> f64 {
        self.left + share * (self.right - self.left)
    }

    /// The place of a share of the y axis, which begins at the bottom.
    pub(crate) fn y(&self, share: f64) -> f64 {
        self.bottom - share * (self.bottom - self.top)
    }
}

/// The entries of the legend in lines; one series alone needs none.
fn legend(chart: &Chart, width: f64, y: &mut f64) -> Vec<(f64, f64)> {
    let names: Vec<&String> = chart
        .series
        .iter()
        .map(|one| &one.name)
        .chain(chart.areas.iter().map(|area| &area.name))
        .collect();
    if names.len() < 2 {
        return Vec::new();
    }
    *y += LINE;
    let mut x = 0.0;
    let mut places = Vec::new();
    for name in names {
        let needed = SAMPLE + GAP + ems(name) * TEXT;
        if x > 0.0 && x + needed > width {
            (x, *y) = (0.0, *y + LINE);
        }
        places.push((x, *y - 4.0));
        x += needed + BETWEEN;
    }
    *y += 4.0;
    places
}
