use crate::{Error, Minutia, Normalize, Squares, Template};

/// A grid of squares over normalised prints, with a tolerance at their borders.
///
/// A minutia at (x, y) counts for the square of column i and row j if it lies in the square grown by the tolerance t
/// on every side: i·s − t ≤ x < (i+1)·s + t with squares of s pixels, and the same for y. So one near a border also
/// counts next door, near a corner for three neighbours. Squares are numbered from the bottom left, row by row:
/// j·columns + i. What lies outside of the grid counts for nothing.
///
/// ```
/// use lookalike_fingerprint::{Grid, Minutia, Template};
///
/// // 16 × 16 squares of 40 pixels; 10 pixels are near a border.
/// let grid = Grid::new(16, 16, 40.0)?.tolerance(10.0)?;
/// let print = Template::new(vec![Minutia::new(20.0, 20.0, 0.0), Minutia::new(100.0, 75.0, 0.0)], 500.0)?;
/// assert!(grid.squares(&print).elements().eq([0, 18, 34]));
/// # Ok::<(), lookalike_fingerprint::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Grid {
    columns: u32,
    rows: u32,
    cell: f32,
    tolerance: f32,
    normalize: Normalize,
}

impl Grid {
    /// So many columns and rows of squares of so many pixels a side, at 500 dpi; without tolerance, in the frame of
    /// the image.
    pub fn new(columns: u32, rows: u32, cell: f32) -> Result<Self, Error> {
        let most = u64::from(Squares::MAX);
        if !(1..=most).contains(&(u64::from(columns) * u64::from(rows))) {
            let given = format!("{columns} × {rows}");
            let expected = format!("from 1 to {most} in all");
            return Err(Error::parameter("the number of squares", given, expected));
        }
        if !(1.0..=65536.0).contains(&cell) {
            let expected = "from 1 to 65536 pixels";
            return Err(Error::parameter("the side of a square", cell, expected));
        }
        Ok(Self {
            columns,
            rows,
            cell,
            tolerance: 0.0,
            normalize: Normalize::default(),
        })
    }

    /// A minutia within so many pixels of a border also counts next door; at most the side of a square.
    pub fn tolerance(self, tolerance: f32) -> Result<Self, Error> {
        if !(0.0..=self.cell).contains(&tolerance) {
            let expected = format!("from 0 to {}, the side of a square", self.cell);
            return Err(Error::parameter("the tolerance", tolerance, expected));
        }
        Ok(Self { tolerance, ..self })
    }

    /// Prints are brought into place so.
    #[must_use]
    pub fn normalize(self, normalize: Normalize) -> Self {
        Self { normalize, ..self }
    }

    /// All squares, N.
    #[must_use]
    pub fn total(&self) -> u32 {
        self.columns * self.rows
    }

    /// Columns of squares.
    #[must_use]
    pub fn columns(&self) -> u32 {
        self.columns
    }

    /// Rows of squares.
    #[must_use]
    pub fn rows(&self) -> u32 {
        self.rows
    }

    /// The side of a square, in pixels.
    #[must_use]
    pub fn cell(&self) -> f32 {
        self.cell
    }

    /// The minutiae of a print where they lie on the grid, once size, position and orientation are normalised.
    #[must_use]
    pub fn minutiae(&self, template: &Template) -> Vec<Minutia> {
        self.normalize.minutiae(template, self.middle())
    }

    /// The middle of the grid, in pixels.
    #[must_use]
    pub fn middle(&self) -> (f32, f32) {
        let half = self.cell / 2.0;
        (self.columns as f32 * half, self.rows as f32 * half)
    }

    /// The squares that hold minutiae of a print.
    #[must_use]
    pub fn squares(&self, template: &Template) -> Squares {
        let mut squares =
            Squares::none(self.total()).expect("a number of squares that was checked");
        for minutia in self.minutiae(template) {
            self.place(&minutia, |square| squares.insert(square));
        }
        squares
    }

    fn place(&self, minutia: &Minutia, mut take: impl FnMut(u32)) {
        let span = |place: f32, squares: u32| {
            let (place, tolerance) = (f64::from(place), f64::from(self.tolerance));
            let square = |place: f64| (place / f64::from(self.cell)).floor();
            // A cast cuts off below 0, so that what lies left of the grid must not come to its first square.
            let last = square(place + tolerance);
            let end = if last < 0.0 { 0 } else { last as u32 + 1 };
            square(place - tolerance) as u32..end.min(squares)
        };
        for row in span(minutia.y, self.rows) {
            for column in span(minutia.x, self.columns) {
                take(row * self.columns + column);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Orientation, Position};
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn squares_are_those_of_the_plain_definition(
            columns in 1u32..12, rows in 1u32..12, cell in 1u16..60, tolerance in 0.0f32..=1.0,
            // In eighths of a pixel, on both sides of the grid, so that borders are met exactly.
            places in prop::collection::vec((-400i16..6400, -400i16..6400), 0..12),
        ) {
            let (cell, eighth) = (f32::from(cell), |place: i16| f32::from(place) / 8.0);
            let tolerance = (tolerance * cell * 8.0).floor() / 8.0;
            let grid = Grid::new(columns, rows, cell).unwrap().tolerance(tolerance).unwrap();
            let minutiae = places.iter().map(|&(x, y)| Minutia::new(eighth(x), eighth(y), 0.0));
            let print = Template::new(minutiae.collect(), 500.0).unwrap();
            let squares = grid.squares(&print);
            let within = |place: f32, square: u32| {
                let (from, to) = (square as f32 * cell, (square + 1) as f32 * cell);
                from - tolerance <= place && place < to + tolerance
            };
            for row in 0..rows {
                for column in 0..columns {
                    let holds = print.minutiae().iter().any(|m| within(m.x, column) && within(m.y, row));
                    prop_assert_eq!(squares.contains(row * columns + column), holds, "{} {}", column, row);
                }
            }
        }

        #[test]
        fn a_tolerance_covers_small_moves(
            places in prop::collection::vec((50.0f32..590.0, 50.0f32..590.0), 1..40),
            moves in prop::collection::vec((-4.9f32..4.9, -4.9f32..4.9), 40),
        ) {
            // Where one print has minutiae by itself, the other has them at least by tolerance.
            let plain = Grid::new(16, 16, 40.0).unwrap();
            let tolerant = plain.tolerance(5.0).unwrap();
            let print = |minutiae: Vec<Minutia>| Template::new(minutiae, 500.0).unwrap();
            let one = places.iter().map(|&(x, y)| Minutia::new(x, y, 0.0));
            let moved = places.iter().zip(&moves);
            let other = moved.map(|(&(x, y), &(dx, dy))| Minutia::new(x + dx, y + dy, 0.0));
            let one = plain.squares(&print(one.collect()));
            let other = tolerant.squares(&print(other.collect()));
            prop_assert_eq!(one.common(&other), one.count());
        }
    }

    #[test]
    fn the_centroid_is_the_middle() {
        let centred = Normalize {
            position: Position::Centroid,
            orientation: Orientation::AsIs,
        };
        let grid = Grid::new(3, 5, 10.0).unwrap().normalize(centred);
        assert_eq!(grid.middle(), (15.0, 25.0));
        let far = Template::new(vec![Minutia::new(9000.0, -800.0, 1.0)], 300.0).unwrap();
        assert!(grid.squares(&far).elements().eq([7]));
        let nothing = Template::new(vec![], 500.0).unwrap();
        assert_eq!(grid.squares(&nothing).count(), 0);
    }

    #[test]
    fn what_is_no_grid_is_refused() {
        for (columns, rows, cell) in [
            (0, 4, 9.0),
            (4, 0, 9.0),
            (5000, 5000, 9.0),
            (4, 4, 0.5),
            (4, 4, f32::NAN),
        ] {
            assert!(Grid::new(columns, rows, cell).is_err());
        }
        let grid = Grid::new(4, 4, 40.0).unwrap();
        let refused = [-1.0, 41.0, f32::NAN].map(|tolerance| grid.tolerance(tolerance));
        assert!(refused.iter().all(Result::is_err));
        let message = grid.tolerance(41.0).unwrap_err().to_string();
        assert_eq!(
            message,
            "the tolerance is 41, but must be from 0 to 40, the side of a square"
        );
    }

    #[test]
    fn value_stability() {
        let minutiae = (0..20u8).map(|i| {
            let at = |factor: f32| (f32::from(i) * factor) % 400.0;
            Minutia::new(at(57.0), at(91.0), at(1.3))
        });
        let print = Template::new(minutiae.collect(), 569.0).unwrap();
        let all = Normalize {
            position: Position::Centroid,
            orientation: Orientation::MeanDirection,
        };
        let grid = Grid::new(8, 8, 60.0).unwrap().tolerance(8.0).unwrap();
        assert_eq!(grid.squares(&print).words(), [66061667611963]);
        assert_eq!(
            grid.normalize(all).squares(&print).words(),
            [2309320167068014594]
        );
    }
}
