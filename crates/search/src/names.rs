/// What items are called: by the id of their record, by file and line, or by their row.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The files, by their numbers.
    pub(crate) files: Vec<String>,
    /// Where each item is; empty if items are called by their places.
    pub(crate) places: Vec<Spot>,
    /// The ids of records as JSON; empty if none has one.
    pub(crate) ids: Vec<Option<Box<str>>>,
}

/// Where an item is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) file: u32,
    pub(crate) at: At,
    /// Which of several items of one value this is, from 1; 0 if it is the only one.
    pub(crate) part: u32,
}

/// Where a value is in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum At {
    /// A line, from 1.
    Line(u64),
    /// A row of an array, from 0.
    Row(u64),
    /// All of it.
    Whole,
}

impl Names {
    /// A name as JSON: a number for a row of an only file, and for an id what it is.
    ///
    /// # Panics
    /// If there is no such item.
    #[must_use]
    pub fn json(&self, id: u32) -> String {
        if let Some(Some(own)) = self.ids.get(id as usize) {
            return own.to_string();
        }
        match self.row(id) {
            Some(row) => row.to_string(),
            None => serde_json::Value::from(self.place(id)).to_string(),
        }
    }

    /// A name for people; a text without its quotes.
    ///
    /// # Panics
    /// If there is no such item.
    #[must_use]
    pub fn text(&self, id: u32) -> String {
        match self.ids.get(id as usize) {
            Some(Some(own)) => serde_json::from_str(own).unwrap_or_else(|_| own.to_string()),
            _ => match self.row(id) {
                Some(row) => row.to_string(),
                None => self.place(id),
            },
        }
    }

    /// The item's row, if it has no other name: its place, or its row in the only file.
    fn row(&self, id: u32) -> Option<u64> {
        match self.places.get(id as usize) {
            None => Some(id.into()),
            Some(spot) => match spot.at {
                At::Row(row) if self.files.len() == 1 && spot.part == 0 => Some(row),
                _ => None,
            },
        }
    }

    /// File and line, or file and row.
    fn place(&self, id: u32) -> String {
        self.spot(self.places[id as usize])
    }

    pub(crate) fn spot(&self, spot: Spot) -> String {
        let file = &self.files[spot.file as usize];
        let place = match spot.at {
            At::Line(line) => format!("{file}:{line}"),
            At::Row(row) => format!("{file}[{row}]"),
            At::Whole => file.clone(),
        };
        match spot.part {
            0 => place,
            part => format!("{place}#{part}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_come_before_places() {
        let spot = |at, part| Spot { file: 0, at, part };
        let names = Names {
            files: vec!["a.jsonl".into()],
            places: vec![
                spot(At::Line(1), 0),
                spot(At::Line(2), 0),
                spot(At::Row(7), 0),
                spot(At::Whole, 2),
            ],
            ids: vec![Some("\"x y\"".into()), None, None, None],
        };
        let text: Vec<String> = (0..4).map(|id| names.text(id)).collect();
        assert_eq!(text, ["x y", "a.jsonl:2", "7", "a.jsonl#2"]);
        let json: Vec<String> = (0..4).map(|id| names.json(id)).collect();
        assert_eq!(json, ["\"x y\"", "\"a.jsonl:2\"", "7", "\"a.jsonl#2\""]);
        assert_eq!(Names::default().json(5), "5");
    }
}
