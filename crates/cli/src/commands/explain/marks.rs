//! The functions of every band, drawn: which agree, and which bands meet.

use std::fmt;

const AGREES: char = '●';
const DIFFERS: char = '○';
const MEETS: char = '▶';
/// Lines of a picture that nobody scrolls past.
const LINES: usize = 16;

/// A picture of the bands.
#[derive(Debug)]
pub(super) struct Marks<'a> {
    /// For each band a digit a function.
    pub(super) agreements: &'a [String],
    /// The bands that meet, from 1.
    pub(super) met: &'a [u32],
    /// How many functions stand together, level by level, inside a band.
    pub(super) groups: &'a [usize],
    pub(super) width: usize,
}

impl Marks<'_> {
    fn band(&self, number: u32, digits: &str) -> String {
        let mut marks = String::new();
        for (place, digit) in digits.chars().enumerate() {
            let is_border = |size: &&usize| place > 0 && place.is_multiple_of(**size);
            match self.groups.iter().filter(is_border).count() {
                0 => {}
                1 => marks.push(' '),
                _ => marks.push_str(" | "),
            }
            marks.push(if digit == '1' { AGREES } else { DIFFERS });
        }
        let meets = match self.met.contains(&number) {
            true => MEETS,
            false => ' ',
        };
        let digits = self.agreements.len().to_string().len();
        format!("{meets}{number:>digits$} {marks}")
    }
}

impl fmt::Display for Marks<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bands = (1..).zip(self.agreements);
        let mut cells: Vec<String> = bands.clone().map(|(i, band)| self.band(i, band)).collect();
        let cell = cells.first().map_or(0, |cell| cell.chars().count()) + 2;
        let across = (self.width / cell).max(1);
        if cells.len().div_ceil(across) > LINES {
            let met = bands.filter(|(i, _)| self.met.contains(i));
            cells = met.map(|(i, band)| self.band(i, band)).collect();
            writeln!(f, "  (only those that meet)")?;
        }
        let rest = cells.len().saturating_sub(across * LINES);
        for line in cells.chunks(across).take(LINES) {
            writeln!(f, "{}", line.join("  "))?;
        }
        if rest > 0 {
            writeln!(f, "  … and {rest} more that meet")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn marks(agreements: &[&str], met: &[u32], groups: &[usize], width: usize) -> String {
        let agreements: Vec<String> = agreements.iter().map(|&band| band.into()).collect();
        Marks {
            agreements: &agreements,
            met,
            groups,
            width,
        }
        .to_string()
    }

    #[test]
    fn bands_stand_side_by_side() {
        assert_eq!(
            marks(&["10", "11", "00"], &[2], &[2], 16),
            " 1 ●○  ▶2 ●●\n 3 ○○\n"
        );
    }

    #[test]
    fn the_parts_of_a_cascade_stand_apart() {
        assert_eq!(
            marks(&["11001100"], &[1], &[2, 4], 80),
            "▶1 ●● ○○ | ●● ○○\n"
        );
    }

    #[test]
    fn of_very_many_bands_only_those_that_meet_are_drawn() {
        let mut bands = vec!["0"; 500];
        bands[41] = "1";
        assert_eq!(
            marks(&bands, &[42], &[1], 40),
            "  (only those that meet)\n▶ 42 ●\n"
        );
        let all: Vec<u32> = (1..=500).collect();
        let drawn = marks(&vec!["1"; 500], &all, &[1], 40);
        assert_eq!(drawn.lines().count(), 2 + LINES);
        assert!(drawn.ends_with("  … and 420 more that meet\n"), "{drawn}");
    }
}
