use super::overlay::REACH;

/// Square cells over a print, each with the minutiae within [reach](REACH) of it: those that a minutia laid into the cell
/// could be paired with.
///
/// A place has hardly more than one of them, where comparing it with all minutiae takes forty.
#[derive(Clone, Debug, Default)]
pub(super) struct Cells {
    low: (f32, f32),
    /// Cells a pixel.
    scale: f32,
    columns: usize,
    rows: usize,
    /// Where the minutiae of each cell start, row by row.
    starts: Vec<u16>,
    near: Vec<u8>,
}

/// The smallest side of a cell, in pixels.
const SIDE: f32 = 16.0;
/// The most cells a side: those of a print that is far larger than a finger grow instead.
const MOST: f32 = 64.0;

impl Cells {
    pub(super) fn new(x: &[f32], y: &[f32]) -> Self {
        if x.is_empty() {
            return Self::default();
        }
        let span = |list: &[f32]| {
            let low = list.iter().copied().fold(f32::MAX, f32::min) - REACH.0;
            let high = list.iter().copied().fold(f32::MIN, f32::max) + REACH.0;
            (low, high - low)
        };
        let ((low_x, width), (low_y, height)) = (span(x), span(y));
        let side = SIDE.max(width.max(height) / MOST);
        let columns = (width / side) as usize + 1;
        let rows = (height / side) as usize + 1;
        // Grown a little, so that rounding loses nothing.
        let reach = REACH.0 + 0.01 * side;
        let around = |x: f32, y: f32| {
            let (x, y) = (x - low_x, y - low_y);
            let cells = |place: f32, count: usize| {
                let first = ((place - reach) / side).max(0.0) as usize;
                first..(((place + reach) / side) as usize + 1).min(count)
            };
            // How far a cell's nearest border is, 0 from within.
            let away = move |place: f32, cell: usize| {
                let low = cell as f32 * side;
                (low - place).max(place - low - side).max(0.0)
            };
            let across = cells(x, columns);
            cells(y, rows).flat_map(move |row| {
                let near = move |&column: &usize| {
                    let (right, up) = (away(x, column), away(y, row));
                    right * right + up * up < reach * reach
                };
                let near = across.clone().filter(near);
                near.map(move |column| row * columns + column)
            })
        };
        let mut starts = vec![0; columns * rows + 1];
        for (&x, &y) in x.iter().zip(y) {
            around(x, y).for_each(|cell| starts[cell + 1] += 1);
        }
        for cell in 1..starts.len() {
            starts[cell] += starts[cell - 1];
        }
        let mut next = starts.clone();
        let mut near = vec![0; starts[columns * rows] as usize];
        for (minutia, (&x, &y)) in (0u8..=255).zip(x.iter().zip(y)) {
            for cell in around(x, y) {
                near[next[cell] as usize] = minutia;
                next[cell] += 1;
            }
        }
        Self {
            low: (low_x, low_y),
            scale: 1.0 / side,
            columns,
            rows,
            starts,
            near,
        }
    }

    /// All minutiae within reach of a place, and few others.
    #[inline]
    pub(super) fn near(&self, x: f32, y: f32) -> &[u8] {
        let (right, up) = ((x - self.low.0) * self.scale, (y - self.low.1) * self.scale);
        // Nothing is within reach of what lies outside; a cast would bring it in.
        if !(right >= 0.0 && up >= 0.0) {
            return &[];
        }
        let (column, row) = (right as usize, up as usize);
        if column >= self.columns || row >= self.rows {
            return &[];
        }
        let cell = row * self.columns + column;
        &self.near[self.starts[cell] as usize..self.starts[cell + 1] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn all_within_reach_are_there(
            places in prop::collection::vec((-300.0f32..300.0, -300.0f32..300.0), 0..60),
            scale in prop::sample::select(vec![0.1f32, 1.0, 3.0, 400.0]),
            at in (-400.0f32..400.0, -400.0f32..400.0),
        ) {
            let list = |of: fn(&(f32, f32)) -> f32| -> Vec<f32> { places.iter().map(|place| of(place) * scale).collect() };
            let (x, y) = (list(|place| place.0), list(|place| place.1));
            let cells = Cells::new(&x, &y);
            // Somewhere, and beside each minutia.
            let beside = x.iter().zip(&y).map(|(x, y)| (x + at.0 / 30.0, y + at.1 / 30.0));
            for (at_x, at_y) in beside.chain([at]) {
                let near = cells.near(at_x, at_y);
                for (minutia, (x, y)) in (0u8..).zip(x.iter().zip(&y)) {
                    let listed = near.iter().filter(|&&other| other == minutia).count();
                    let within = (x - at_x).hypot(y - at_y) < REACH.0;
                    prop_assert!(listed <= 1 && (listed == 1 || !within));
                }
            }
        }
    }
}
