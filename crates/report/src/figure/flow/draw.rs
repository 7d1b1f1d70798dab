//! How a [`Flow`] looks: in columns side by side, or one below the other.

use std::fmt::{self, Write};

use super::super::{head, style};
use super::{Bucket, Candidate, Flow, Item};
use crate::number::{place, short};
use crate::sheet::{BOLD, Sheet, Size, TEXT, text};
use crate::width::{ems, fitted, wrap};

/// How many colours there are for buckets.
const COLOURS: usize = 6;
/// A value of a signature, and the gap between bands.
const CELL: f64 = 23.0;
const HIGH: f64 = 24.0;
const BAND: f64 = 8.0;
/// The columns of buckets, candidates and matches, and what lies before each.
const BUCKET: f64 = 80.0;
const PAIR: f64 = 78.0;
const MATCH: f64 = 112.0;
const GAPS: [f64; 4] = [16.0, 44.0, 40.0, 18.0];
/// Lines are drawn on both sides of an edge, so that nothing begins at the very left.
const EDGE: f64 = 1.0;
/// The widest name of an item.
const NAME: f64 = 64.0;
/// From item to item, from bucket to bucket, from candidate to candidate.
const ITEM_ROW: f64 = 64.0;
const BUCKET_ROW: f64 = 54.0;
const PAIR_ROW: f64 = 50.0;

impl Flow {
    /// The figure alone, as a file of its own.
    #[must_use]
    pub fn svg(&self) -> String {
        self.draw(Size::Wide, "flow", Some(&style()))
    }

    /// The figure for a page that has the styles, under a name that nothing else on the page has.
    pub(crate) fn inline(&self, size: Size, id: &str) -> String {
        self.draw(size, id, None)
    }

    fn draw(&self, size: Size, id: &str, style: Option<&str>) -> String {
        const TAKEN: &str = "a string takes whatever is written";
        let (mut inner, mut out) = (String::new(), String::new());
        let y = head(&mut inner, size.width(), &self.title, &self.note).expect(TAKEN);
        let height = match size {
            Size::Wide => self.wide(&mut inner, y),
            Size::Narrow => self.narrow(&mut inner, y),
        }
        .expect(TAKEN);
        let sheet = Sheet {
            id,
            size,
            width: size.width(),
            height,
            title: &self.title,
            text: &self.spoken(),
            attributes: "",
        };
        sheet.open(&mut out, style).expect(TAKEN);
        out + &inner + "</svg>\n"
    }

    fn all_pairs(&self) -> usize {
        self.items.len() * (self.items.len() - 1) / 2
    }

    fn bands(&self) -> usize {
        self.items[0].signature.len() / self.rows
    }

    fn name(&self, pair: [usize; 2]) -> String {
        pair.map(|one| self.items[one].name.as_str()).join(", ")
    }

    fn spoken(&self) -> String {
        let pairs = self.candidates.iter().map(|one| {
            let kind = if one.similarity >= self.threshold {
                "a match"
            } else {
                "no match"
            };
            let similarity = short(one.similarity);
            format!("{}: similarity {similarity}, {kind}", self.name(one.pair))
        });
        format!(
            "{} items, {} pairs; {} share a bucket and are compared. {}.",
            self.items.len(),
            self.all_pairs(),
            self.candidates.len(),
            pairs.collect::<Vec<_>>().join("; ")
        )
    }

    /// The heading of each column, and a few words below.
    fn headings(&self) -> [(&'static str, String); 5] {
        let (bands, rows) = (self.bands(), self.rows);
        let s = |n: usize| if n == 1 { "" } else { "s" };
        [
            ("Items", format!("{} pairs to compare", self.all_pairs())),
            (
                "Functions",
                format!("{bands} band{} × {rows} row{}", s(bands), s(rows)),
            ),
            ("Buckets", "same values".into()),
            ("Candidates", format!("only {}", self.candidates.len())),
            ("Matches", format!("from {} on", short(self.threshold))),
        ]
    }

    fn wide(&self, out: &mut String, y: f64) -> Result<f64, fmt::Error> {
        let cells = self.signature_width();
        let end = Size::Wide.width() - MATCH;
        let pair = end - GAPS[3] - PAIR;
        let bucket = pair - GAPS[2] - BUCKET;
        let signature = bucket - GAPS[1] - cells;
        let items = signature - GAPS[0];
        let y = y + 30.0;
        for (x, (heading, words)) in [0.0, signature, bucket, pair, end]
            .into_iter()
            .zip(self.headings())
        {
            text(out, "strong", x, y, heading)?;
            text(out, "note", x, y + 18.0, &words)?;
        }
        let top = y + 34.0;
        let heights = [
            ITEM_ROW * self.items.len() as f64,
            BUCKET_ROW * self.buckets.len() as f64,
            PAIR_ROW * self.candidates.len() as f64,
        ];
        let height = heights.into_iter().fold(0.0, f64::max);
        let each = height / self.items.len() as f64;
        let rows: Vec<f64> = (0..self.items.len())
            .map(|i| top + each * (i as f64 + 0.5))
            .collect();
        let mean = |places: &mut dyn Iterator<Item = f64>| {
            let places: Vec<f64> = places.collect();
            places.iter().sum::<f64>() / places.len() as f64
        };
        let wanted = self
            .buckets
            .iter()
            .map(|bucket| mean(&mut bucket.items.iter().map(|item| rows[*item])));
        let of_buckets = spread(wanted.collect(), BUCKET_ROW, top, top + height);
        let wanted = self
            .candidates
            .iter()
            .map(|one| mean(&mut one.buckets.iter().map(|bucket| of_buckets[*bucket])));
        let of_pairs = spread(wanted.collect(), PAIR_ROW, top, top + height);

        for (place, one) in self.buckets.iter().enumerate() {
            for &item in &one.items {
                let from = (signature + cells + 3.0, rows[item]);
                edge(out, place, from, (bucket, of_buckets[place]))?;
            }
        }
        for (one, y) in self.candidates.iter().zip(&of_pairs) {
            for &of in &one.buckets {
                edge(out, of, (bucket + BUCKET, of_buckets[of]), (pair, *y))?;
            }
            self.candidate(out, one, (pair, *y), (end, MATCH))?;
        }
        for (item, y) in self.items.iter().zip(&rows) {
            self.item(out, item, items, *y)?;
        }
        for (place, y) in rows.iter().enumerate() {
            self.signature(out, place, signature, *y)?;
        }
        for (place, y) in of_buckets.iter().enumerate() {
            self.bucket(out, place, bucket, *y)?;
        }
        Ok(top + height + 4.0)
    }

    /// The same columns one below the other, colours instead of lines.
    fn narrow(&self, out: &mut String, y: f64) -> Result<f64, fmt::Error> {
        let width = Size::Narrow.width();
        let [items, functions, buckets, candidates, matches] = self.headings();
        let mut y = y;
        let heading = |out: &mut String, y: &mut f64, name: &str, words: &str| {
            *y += 34.0;
            text(out, "strong", 0.0, *y, name)?;
            text(out, "note", 0.0, *y + 18.0, words)?;
            *y += 36.0;
            fmt::Result::Ok(())
        };
        let of = format!("{}, {}", items.1, functions.1);
        heading(out, &mut y, "Items and their functions", &of)?;
        for (place, item) in self.items.iter().enumerate() {
            let lines = self.lines(item, width).len() as f64;
            let words = (lines * 17.0).max(17.0);
            self.item(out, item, width, y + words / 2.0)?;
            let indent = self.indent();
            self.signature(out, place, indent, y + words + 4.0 + HIGH / 2.0)?;
            y += words + HIGH + 22.0;
        }
        y -= 12.0;
        heading(out, &mut y, buckets.0, &buckets.1)?;
        for (place, one) in self.buckets.iter().enumerate() {
            self.bucket(out, place, EDGE, y + BUCKET_ROW / 2.0)?;
            let names: Vec<&str> = one.items.iter().map(|i| &self.items[*i].name[..]).collect();
            let (x, middle) = (BUCKET + 18.0, y + BUCKET_ROW / 2.0 + TEXT / 3.0);
            text(out, "", x, middle, &names.join(", "))?;
            y += BUCKET_ROW;
        }
        let of = format!(
            "{} of {}; a match {}",
            candidates.1,
            self.all_pairs(),
            matches.1
        );
        heading(out, &mut y, "Candidates and matches", &of)?;
        for one in &self.candidates {
            let at = (EDGE, y + PAIR_ROW / 2.0);
            self.candidate(out, one, at, (PAIR + 24.0, width - PAIR - 30.0))?;
            y += PAIR_ROW;
        }
        Ok(y + 4.0)
    }

    fn signature_width(&self) -> f64 {
        CELL * self.items[0].signature.len() as f64 + BAND * (self.bands() - 1) as f64
    }

    /// Where texts begin, after the names.
    fn indent(&self) -> f64 {
        let widths = self.items.iter().map(|item| ems(&item.name) * TEXT * BOLD);
        widths.fold(0.0, f64::max).min(NAME) + 9.0
    }

    /// An item's text in at most three lines.
    fn lines(&self, item: &Item, width: f64) -> Vec<String> {
        const MOST: usize = 3;
        let room = (width - self.indent()) / TEXT;
        let mut lines = wrap(&item.text, room);
        if lines.len() > MOST {
            lines.truncate(MOST);
            lines[MOST - 1].push('…');
            lines[MOST - 1] = fitted(&lines[MOST - 1], room);
        }
        lines
    }

    fn item(&self, out: &mut String, item: &Item, width: f64, y: f64) -> fmt::Result {
        let lines = self.lines(item, width);
        let first = y + TEXT / 3.0 - 17.0 * (lines.len().max(1) - 1) as f64 / 2.0;
        let name = fitted(&item.name, NAME / (TEXT * BOLD));
        text(out, "strong", 0.0, first, &name)?;
        for (i, line) in lines.iter().enumerate() {
            text(out, "", self.indent(), first + 17.0 * i as f64, line)?;
        }
        Ok(())
    }

    fn signature(&self, out: &mut String, place: usize, x: f64, y: f64) -> fmt::Result {
        let wide = CELL * self.rows as f64;
        for (band, values) in self.items[place].signature.chunks(self.rows).enumerate() {
            let left = x + (wide + BAND) * band as f64;
            let shared = |one: &Bucket| one.band == band && one.items.contains(&place);
            let class = match self.buckets.iter().position(shared) {
                Some(bucket) => format!("box c{}", bucket % COLOURS),
                None => "cell".into(),
            };
            rounded(out, &class, [left, y - HIGH / 2.0, wide, HIGH])?;
            for (i, value) in values.iter().enumerate() {
                let said = value.map_or("∞".into(), |value| value.to_string());
                let middle = left + CELL * (i as f64 + 0.5);
                text(out, "middle value", middle, y + TEXT / 3.0, &said)?;
            }
        }
        Ok(())
    }

    fn bucket(&self, out: &mut String, place: usize, x: f64, y: f64) -> fmt::Result {
        let one = &self.buckets[place];
        let rect = [x, y - 21.0, BUCKET, 42.0];
        // Paper below, so that no line is seen through it.
        rounded(out, "paper", rect)?;
        rounded(out, &format!("box c{}", place % COLOURS), rect)?;
        let middle = x + BUCKET / 2.0;
        let values = fitted(&one.values, (BUCKET - 6.0) / (TEXT * BOLD));
        text(out, "middle strong value", middle, y - 3.0, &values)?;
        text(
            out,
            "middle",
            middle,
            y + 14.0,
            &format!("band {}", one.band + 1),
        )
    }

    /// A pair in a box at the first place, and how similar it is at the second, of some width.
    fn candidate(
        &self,
        out: &mut String,
        one: &Candidate,
        (x, y): (f64, f64),
        (bar, width): (f64, f64),
    ) -> fmt::Result {
        rounded(out, "paper", [x, y - 15.0, PAIR, 30.0])?;
        rounded(out, "cell", [x, y - 15.0, PAIR, 30.0])?;
        let (middle, base) = (x + PAIR / 2.0, y + TEXT / 3.0);
        let room = (PAIR - 8.0) / (TEXT * BOLD);
        let name = fitted(&self.name(one.pair), room);
        text(out, "middle strong", middle, base, &name)?;
        let matched = one.similarity >= self.threshold;
        let (class, said, short_of) = match matched {
            true => ("good strong", "match", ""),
            false => ("bad", "no match", " short"),
        };
        let words = format!("{:.2}: {said}", one.similarity);
        text(out, class, bar, y - 5.0, &words)?;
        let (from, length) = (bar + 3.0, width - 6.0);
        let at = |share: f64| place(from + share * length);
        let (line, top, bottom) = (place(y + 8.0), place(y + 2.0), place(y + 14.0));
        let (start, end) = (at(0.0), at(1.0));
        writeln!(
            out,
            "<path class=\"track\" d=\"M{start} {line}H{end}\"/>\
             <path class=\"fill{short_of}\" d=\"M{start} {line}H{}\"/>\
             <path class=\"limit\" d=\"M{} {top}V{bottom}\"/>",
            at(one.similarity),
            at(self.threshold)
        )
    }
}

/// Places as near as can be to those that are wanted, so far apart, between two limits that have room for all.
fn spread(wanted: Vec<f64>, apart: f64, from: f64, to: f64) -> Vec<f64> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by(|a, b| wanted[*a].total_cmp(&wanted[*b]));
    let mut places = wanted;
    let mut least = from + apart / 2.0;
    for &one in &order {
        places[one] = places[one].max(least);
        least = places[one] + apart;
    }
    let mut most = to - apart / 2.0;
    for &one in order.iter().rev() {
        places[one] = places[one].min(most);
        most = places[one] - apart;
    }
    places
}

fn rounded(out: &mut String, class: &str, rect: [f64; 4]) -> fmt::Result {
    let [x, y, width, height] = rect.map(place);
    writeln!(
        out,
        "<rect class=\"{class}\" x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"5\"/>"
    )
}

fn edge(out: &mut String, bucket: usize, from: (f64, f64), to: (f64, f64)) -> fmt::Result {
    let middle = place((from.0 + to.0) / 2.0);
    let [x, y, end, level] = [from.0, from.1, to.0, to.1].map(place);
    let colour = bucket % COLOURS;
    writeln!(
        out,
        "<path class=\"edge c{colour}\" d=\"M{x} {y}C{middle} {y} {middle} {level} {end} {level}\"/>"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_keep_their_distance_and_their_order() {
        let places = spread(vec![50.0, 10.0, 12.0, 50.0], 20.0, 0.0, 100.0);
        assert_eq!(places, [50.0, 10.0, 30.0, 70.0]);
        let places = spread(vec![95.0, 95.0], 20.0, 0.0, 100.0);
        assert_eq!(places, [70.0, 90.0]);
        assert!(spread(Vec::new(), 1.0, 0.0, 1.0).is_empty());
    }

    #[test]
    fn long_texts_end_in_dots() {
        let words = "word ".repeat(100);
        let items = [("A", words, vec![Some(1)])];
        let flow = Flow::new("", 1, items, 0.5, |_, _| 0.0).unwrap();
        let lines = flow.lines(&flow.items[0], 150.0);
        assert_eq!(lines.len(), 3);
        assert!(lines[2].ends_with('…'));
    }
}
