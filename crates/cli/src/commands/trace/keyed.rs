//! Items with keys: under which they are stored, which ones a query asks for, and which items meet.
//!
//! For families whose keys are not the answers of functions: an item has several, or a query asks for others than those
//! under which it would be stored.

use lookalike::Bounds;
use lookalike::report::{Cell, Emphasis, Error, Step, Table, TableColumn};

use super::amplified::{chance, rounded};
use super::pairs;

/// The keys of items, in words: two keys are equal if their words are.
pub(super) struct Keyed {
    /// What items are called.
    pub(super) items: Vec<String>,
    /// Those under which each item is stored.
    pub(super) stored: Vec<Vec<String>>,
    /// Those that a query for each item asks for; `None`: those under which it is stored.
    pub(super) asked: Option<Vec<Vec<String>>>,
}

/// How far two items are from each other, and what a family promises for that.
pub(super) struct Apart<'a> {
    /// The distance in words.
    pub(super) measure: &'static str,
    pub(super) distance: &'a dyn Fn(usize, usize) -> f64,
    /// The probability that they meet, if it is known.
    pub(super) promise: Option<&'a dyn Fn(f64) -> Bounds>,
}

impl Keyed {
    /// The keys of each item.
    pub(super) fn keys(
        &self,
        title: &'static str,
        text: String,
        head: &'static str,
    ) -> Result<Step, Error> {
        let step = Step::new(title).text(text);
        let stored = self.table(head, &self.stored)?;
        Ok(match &self.asked {
            None => step.block(stored),
            Some(asked) => step
                .block(stored.caption("An item is stored under:"))
                .block(self.table(head, asked)?.caption("A query asks for:")),
        })
    }

    fn table(&self, head: &'static str, keys: &[Vec<String>]) -> Result<Table, Error> {
        let cell = |keys: &Vec<String>| match keys.is_empty() {
            true => Cell::new("none").emphasis(Emphasis::Quiet),
            false => Cell::parts(keys.iter().map(Cell::new)),
        };
        let rows = self.items.iter().zip(keys);
        let rows = rows.map(|(name, keys)| vec![Cell::new(name), cell(keys)]);
        Table::new(["", head].map(TableColumn::text), rows)
    }

    /// The pairs of which one asks for a key of the other.
    pub(super) fn candidates(&self, text: String, apart: &Apart<'_>) -> Result<Step, Error> {
        let rows = pairs(self.items.len()).map(|[a, b]| {
            let shared = self.shared(a, b);
            let (candidate, shared) = match shared.is_empty() {
                true => (Cell::new("no").emphasis(Emphasis::Quiet), Cell::new("–")),
                false => (
                    Cell::new("yes").emphasis(Emphasis::Good),
                    Cell::parts(shared.into_iter().map(Cell::new)),
                ),
            };
            let distance = (apart.distance)(a, b);
            let name = format!("{} {}", self.items[a], self.items[b]);
            let mut cells = vec![Cell::new(name), Cell::new(rounded(distance))];
            let promise = apart.promise.iter();
            cells.extend(promise.map(|promise| Cell::new(chance(promise(distance)))));
            cells.extend([candidate, shared]);
            cells
        });
        let mut columns = vec![
            TableColumn::text("pair"),
            TableColumn::number(apart.measure),
        ];
        let promise = apart.promise.iter();
        columns.extend(promise.map(|_| TableColumn::number("probability")));
        columns.extend(["candidate", "shared keys"].map(TableColumn::text));
        Ok(Step::new("Candidates")
            .text(text)
            .block(Table::new(columns, rows)?))
    }

    /// The keys of one item for which the other asks.
    fn shared(&self, a: usize, b: usize) -> Vec<&String> {
        let asked = self.asked.as_ref().unwrap_or(&self.stored);
        let is_asked = |key: &&String| asked[b].contains(key);
        self.stored[a].iter().filter(is_asked).collect()
    }
}

/// A key of a band in words.
pub(super) fn of_band(band: u32, key: &str) -> String {
    format!("{}: {key}", band + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_item_meets_what_is_stored_under_a_key_that_it_asks_for() {
        let words = |words: &str| words.split(' ').map(str::to_owned).collect::<Vec<_>>();
        let mut keyed = Keyed {
            items: words("A B C"),
            stored: [words("x"), words("y z"), words("z")].to_vec(),
            asked: None,
        };
        assert!(keyed.shared(0, 1).is_empty());
        assert_eq!(keyed.shared(1, 2), ["z"]);
        keyed.asked = Some([words("x"), words("y x"), words("q")].to_vec());
        assert_eq!(keyed.shared(0, 1), ["x"]);
        assert!(keyed.shared(1, 2).is_empty());
    }
}
