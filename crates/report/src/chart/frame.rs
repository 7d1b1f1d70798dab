//! Where the parts of a chart stand: title, legend, plot, labels.

use super::Chart;
use super::ticks::Tick;
use crate::number::place;
use crate::sheet::{BOLD, LINE, Size, TEXT, TITLE, TITLE_LINE};
use crate::width::{ems, wrap};

/// How high the plot is.
fn plot_height(size: Size) -> f64 {
    match size {
        Size::Wide => 300.0,
        Size::Narrow => 240.0,
    }
}

/// How many ticks there may be across and up.
fn ticks(size: Size) -> (usize, usize) {
    match size {
        Size::Wide => (10, 5),
        Size::Narrow => (5, 5),
    }
}

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
        let (across, up) = ticks(size);
        let (mut x_ticks, y_ticks) = (chart.across.ticks(across), chart.up.ticks(up));
        for tick in &mut x_ticks {
            tick.label = short(&tick.label);
        }
        let widest = |ticks: &[Tick]| {
            let widths = ticks.iter().map(|tick| ems(&tick.label) * TEXT);
            widths.fold(0.0, f64::max)
        };
        // Whole pixels, so that the script of a page, which reads them, draws the same.
        let mut left = (widest(&y_ticks) + 14.0).ceil();
        // Half of the last label may lie beyond the plot.
        let last = x_ticks.last().filter(|_| !chart.across.is_names());
        let beyond = last.map_or(0.0, |tick| (ems(&tick.label) * TEXT / 2.0).ceil() + 1.0);
        let right = width - beyond.max(16.0);
        let slot = (right - left) / x_ticks.len().max(1) as f64;
        let crowded = chart.across.is_names() && widest(&x_ticks) > slot - 6.0;
        let slant = crowded.then_some(SLANT);
        if slant.is_some() {
            // Labels aslant end below their bar, and begin to the left of it.
            let reach = x_ticks.iter().zip(0..).map(|(tick, i)| {
                let middle = slot * (f64::from(i) + 0.5);
                ems(&tick.label) * TEXT * SLANT.to_radians().cos() - middle
            });
            left = reach.fold(left, f64::max).ceil();
        }

        let mut y = 0.0;
        let mut title = Vec::new();
        for line in wrap(&chart.title, width / (TITLE * BOLD)) {
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
        let top = y + if markers.is_empty() { 14.0 } else { 6.0 };
        let bottom = top + plot_height(size);

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

    /// The markers within the plot: which, where, and the base line of their labels.
    pub(crate) fn marked(&self, chart: &Chart) -> Vec<(usize, f64, f64)> {
        let places = chart.markers.iter().zip(&self.markers).enumerate();
        places
            .map(|(i, (marker, base))| (i, self.x(chart.across.share(marker.x)), *base))
            .filter(|(_, x, _)| (self.left - 0.5..=self.right + 0.5).contains(x))
            .collect()
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

/// A name cut to what has room on an axis.
fn short(name: &str) -> String {
    const MOST: f64 = 12.0;
    if ems(name) <= MOST {
        return name.into();
    }
    let mut kept = String::new();
    for c in name.chars() {
        if ems(&kept) >= MOST - 1.5 {
            break;
        }
        kept.push(c);
    }
    kept.trim_end().to_owned() + "…"
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
