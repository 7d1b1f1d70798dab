//! The splits next to the one that was chosen: what would be gained and lost.

use lookalike::Banding;
use lookalike::report::{Cell, Emphasis, Error, Table, TableColumn};
use lookalike::tune::Tuned;
use serde::Serialize;

use crate::number;
use crate::table::{Align, Column};

/// How many splits are shown on each side.
const EACH_SIDE: usize = 2;

/// A split of all functions, and what to expect of it.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Split {
    #[serde(flatten)]
    expected: Tuned,
    rule_threshold: f64,
    is_chosen: bool,
}

impl Split {
    /// The chosen split and those next to it.
    pub(super) fn neighbours(
        all: &[Banding],
        chosen: Banding,
        expected: impl Fn(Banding) -> Tuned,
    ) -> Vec<Self> {
        let place = all.iter().position(|split| *split == chosen).unwrap_or(0);
        let shown = place.saturating_sub(EACH_SIDE)..(place + EACH_SIDE + 1).min(all.len());
        let split = |split: &Banding| Self {
            expected: expected(*split),
            rule_threshold: split.threshold(),
            is_chosen: *split == chosen,
        };
        all[shown].iter().map(split).collect()
    }

    /// The splits as a table: what each finds at the threshold, and what it costs at the rare one.
    pub(super) fn columns(splits: &[Self], threshold: f64, rare: f64) -> Vec<Column> {
        let names = splits.iter().map(|split| {
            let mark = if split.is_chosen { '●' } else { ' ' };
            format!("{mark} {}", split.expected.banding)
        });
        let rules = splits
            .iter()
            .map(|split| number::place(split.rule_threshold));
        let found = splits.iter().map(|split| share(split.expected.recall));
        let cost = splits
            .iter()
            .map(|split| share(split.expected.false_candidates));
        vec![
            Column::new("  split", Align::Left, names),
            Column::new("rule threshold", Align::Right, rules),
            Column::new(&format!("recall\nat {threshold}"), Align::Left, found),
            Column::new(&format!("cost: candidates\nat {rare}"), Align::Left, cost),
        ]
    }

    /// The same for a page.
    pub(super) fn table(splits: &[Self], threshold: f64, rare: f64) -> Result<Table, Error> {
        let columns = [
            TableColumn::text("split"),
            TableColumn::number("rule threshold"),
            TableColumn::number(format!("recall at {threshold}")),
            TableColumn::number(format!("candidates at {rare}")),
        ];
        let rows = splits.iter().map(|split| {
            let name = Cell::new(split.expected.banding);
            vec![
                match split.is_chosen {
                    true => name.emphasis(Emphasis::Strong),
                    false => name,
                },
                Cell::new(number::place(split.rule_threshold)),
                Cell::new(share(split.expected.recall)),
                Cell::new(share(split.expected.false_candidates)),
            ]
        });
        let caption = "The splits next to the chosen one: what they find, and what they cost";
        Ok(Table::new(columns, rows)?.caption(caption))
    }
}

fn share(p: lookalike::Probability) -> String {
    number::probability(p.value(), p.complement().value())
}
