use std::{
    fs,
    path::{Path, PathBuf},
};

use hashbrown::HashMap;

use crate::Id;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum At {
    /// A line, from 1.
    Line(u64),
    /// A row of an array, from 0.
    Row(u64),
    /// All of it.
    Whole,
}

impl Names {
    /// Whether items have no names, so that they are called by their places.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && self.ids.is_empty()
    }

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

    /// File and line of an item that was read from a file.
    pub(crate) fn origin(&self, id: u32) -> Option<String> {
        self.places.get(id as usize).map(|&spot| self.spot(spot))
    }

    /// A name that says which item of which file it is: the id of its record, or file and line. `None` for a row that has
    /// no other name.
    #[must_use]
    pub fn id(&self, id: u32) -> Option<Id> {
        let own = self.own(id).and_then(Id::from_json);
        own.or_else(|| self.row(id).is_none().then(|| Id::from(self.text(id))))
    }

    /// The item's row, if it has no other name: its place, or its row in the only file.
    pub(crate) fn row(&self, id: u32) -> Option<u64> {
        match self.places.get(id as usize) {
            None => Some(id.into()),
            Some(spot) => match spot.at {
                At::Row(row) if self.files.len() == 1 && spot.part == 0 => Some(row),
                _ => None,
            },
        }
    }

    /// The id that the item's record has, as JSON.
    pub(crate) fn own(&self, id: u32) -> Option<&str> {
        self.ids.get(id as usize)?.as_deref()
    }

    /// For each item the one of `others` that was read from the same place of the same file, if there is one. Empty if
    /// the two have no file in common.
    #[must_use]
    pub fn found_in(&self, others: &Self) -> Vec<Option<u32>> {
        let paths = |names: &Self| names.files.iter().map(path).collect::<Vec<PathBuf>>();
        let (own, theirs) = (paths(self), paths(others));
        let common = |path: &PathBuf| theirs.iter().position(|other| other == path);
        let common: Vec<Option<usize>> = own.iter().map(common).collect();
        if common.iter().all(Option::is_none) {
            return Vec::new();
        }
        let key = |file: usize, spot: &Spot| (file, spot.at, spot.part);
        let places = others.places.iter().zip(0..);
        let places: HashMap<(usize, At, u32), u32> = places
            .map(|(spot, id)| (key(spot.file as usize, spot), id))
            .collect();
        let find = |spot: &Spot| {
            let file = common[spot.file as usize]?;
            places.get(&key(file, spot)).copied()
        };
        self.places.iter().map(find).collect()
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

/// Where a file is, however its name is written.
fn path(name: &String) -> PathBuf {
    fs::canonicalize(name).unwrap_or_else(|_| Path::new(name).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_place_of_the_same_file_is_found() {
        let spot = |file, line| Spot {
            file,
            at: At::Line(line),
            part: 0,
        };
        let items = Names {
            files: vec!["a.txt".into(), "b.txt".into()],
            places: vec![spot(0, 1), spot(1, 1), spot(1, 2)],
            ids: Vec::new(),
        };
        let queries = Names {
            files: vec!["b.txt".into(), "c.txt".into()],
            places: vec![spot(0, 2), spot(0, 3), spot(1, 1)],
            ids: Vec::new(),
        };
        assert_eq!(queries.found_in(&items), [Some(2), None, None]);
        let others = Names {
            files: vec!["d.txt".into()],
            ..queries.clone()
        };
        assert_eq!(items.found_in(&others), Vec::<Option<u32>>::new());
        assert_eq!(Names::default().found_in(&items), Vec::<Option<u32>>::new());
    }

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
