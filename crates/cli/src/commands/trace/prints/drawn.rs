//! Prints on their grid, as a picture and in characters.

use lookalike::report::{Drawing, Error, Panel};

use super::Gridded;

impl Gridded<'_> {
    /// One panel per print: squares that hold minutiae are filled, chosen ones have a border.
    pub(super) fn drawing(&self, chosen: &[u32]) -> Result<Drawing, Error> {
        let (columns, rows) = (f64::from(self.columns), f64::from(self.rows));
        let corner = |square: u32| {
            let (row, column) = (square / self.columns, square % self.columns);
            (f64::from(column), f64::from(row))
        };
        let panels = self.names.iter().enumerate().map(|(print, name)| {
            let held = &self.squares[print];
            let words = format!("{name}: {} of {} squares", held.count(), held.total());
            let mut panel = Panel::new(words, (0.0, 0.0), (columns, rows))?.cut(1.0);
            for square in held.elements() {
                panel = panel.square(corner(square as u32), 1.0, print);
            }
            for &square in chosen {
                panel = panel.chosen(corner(square), 1.0);
            }
            let inside =
                |&&(x, y): &&(f64, f64)| (0.0..=columns).contains(&x) && (0.0..=rows).contains(&y);
            for &at in self.minutiae[print].iter().filter(inside) {
                panel = panel.dot(at, "", print);
            }
            Ok(panel)
        });
        let panels = panels.collect::<Result<Vec<_>, Error>>()?;
        Ok(Drawing::new("Squares that hold minutiae", panels)
            .note("Dots are minutiae, filled squares hold some, or have some near their border.")
            .characters(self.characters(chosen)))
    }

    /// The grids side by side: ■ holds minutiae, · does not; ▣ and □ are the same for chosen squares.
    fn characters(&self, chosen: &[u32]) -> String {
        const BETWEEN: &str = "    ";
        let wide = 2 * self.columns as usize - 1;
        let mut lines = Vec::new();
        let heads = self.names.iter().map(|name| {
            let name: String = name.chars().take(wide).collect();
            format!("{name:<wide$}")
        });
        lines.push(
            heads
                .collect::<Vec<_>>()
                .join(BETWEEN)
                .trim_end()
                .to_owned(),
        );
        for row in (0..self.rows).rev() {
            let of_print = |held: &lookalike::fingerprint::Squares| {
                let signs = (0..self.columns).map(|column| {
                    let square = row * self.columns + column;
                    match (held.contains(square), chosen.contains(&square)) {
                        (true, true) => "▣",
                        (true, false) => "■",
                        (false, true) => "□",
                        (false, false) => "·",
                    }
                });
                signs.collect::<Vec<_>>().join(" ")
            };
            let grids: Vec<String> = self.squares.iter().map(of_print).collect();
            lines.push(grids.join(BETWEEN));
        }
        lines.push(String::new());
        let mut key = "■ holds minutiae, · does not".to_owned();
        if !chosen.is_empty() {
            key += "; ▣ and □: the same for the three squares";
        }
        lines.push(key);
        lines.join("\n")
    }
}
