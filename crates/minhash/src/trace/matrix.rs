use std::collections::BTreeMap;

use serde::Serialize;

use super::{ROWS, SETS, limit};
use crate::Error;

/// The characteristic matrix: a row for each element, a column for each set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Matrix {
    names: Vec<String>,
    rows: Vec<Row>,
    /// For each set the places of its rows, ascending, from 0.
    columns: Vec<Vec<u64>>,
}

/// A row of the matrix.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Row {
    /// What functions of the row take.
    pub number: u64,
    /// The shingle, if the element is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shingle: Option<String>,
    /// The element, if it is a word or a letter.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub element: Option<String>,
    /// Which occurrence of the element it is, from 2, in bags; `None` for the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub occurrence: Option<u64>,
}

impl Row {
    fn number(number: u64) -> Self {
        Self {
            number,
            shingle: None,
            element: None,
            occurrence: None,
        }
    }

    /// The shingle or the element in words, if it has some.
    #[must_use]
    pub fn word(&self) -> Option<&str> {
        self.shingle.as_deref().or(self.element.as_deref())
    }
}

/// What a matrix is made of, for its words.
#[derive(Clone, Copy, Debug)]
enum Kind {
    Sets,
    Columns,
    Texts,
}

impl Matrix {
    /// Of sets of numbers: a row for each number that occurs, ascending. The sets are S1, S2, …
    pub fn of_sets(sets: &[Vec<u64>]) -> Result<Self, Error> {
        let mut numbers: Vec<u64> = sets.iter().flatten().copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        let place = |number: &u64| numbers.binary_search(number).expect("it is among them") as u64;
        let columns = sets.iter().map(|set| set.iter().map(place).collect());
        let columns = columns.collect();
        let row = |number: &u64| Row::number(*number);
        Self::new(Kind::Sets, numbers.iter().map(row).collect(), columns)
    }

    /// Of sets of words, or bags if `is_bag`: a row for each word that occurs, in their order and counted from 0, and in
    /// bags one for each further occurrence. The sets are S1, S2, …
    ///
    /// ```
    /// use lookalike_minhash::trace::Matrix;
    ///
    /// let sets = ["ad", "c", "bde", "acd"].map(|set| set.chars().map(String::from).collect());
    /// let matrix = Matrix::of_words(&sets, false)?;
    /// assert_eq!((matrix.rows().len(), matrix.rows()[3].word()), (5, Some("d")));
    /// assert_eq!(matrix.columns()[2], [1, 3, 4]);
    /// # Ok::<(), lookalike_minhash::Error>(())
    /// ```
    pub fn of_words(sets: &[Vec<String>], is_bag: bool) -> Result<Self, Error> {
        let sets: Vec<Vec<(String, u64)>> = sets.iter().map(|set| counted(set, is_bag)).collect();
        let mut all: Vec<&(String, u64)> = sets.iter().flatten().collect();
        // Numbers in their order, as a set of numbers has them.
        all.sort_by_key(|(word, occurrence)| {
            let number = word.parse::<u64>();
            (number.is_err(), number.unwrap_or(0), word, *occurrence)
        });
        all.dedup();
        let place = |element: &(String, u64)| all.iter().position(|known| *known == element);
        let places = |set: &Vec<(String, u64)>| {
            let places = set.iter().filter_map(place);
            places.map(|place| place as u64).collect()
        };
        let columns = sets.iter().map(places).collect();
        let rows = (0..).zip(&all).map(|(number, (word, occurrence))| Row {
            element: Some(word.clone()),
            occurrence: (*occurrence > 1).then_some(*occurrence),
            ..Row::number(number)
        });
        Self::new(Kind::Sets, rows.collect(), columns)
    }

    /// Of columns of bits, such as 1100111, all as long: their rows are counted from 1. The sets are S1, S2, …
    ///
    /// Unlike numbers of sets, bits tell of rows that no set has, which count for a permutation.
    pub fn of_columns(columns: &[&str]) -> Result<Self, Error> {
        let long = columns.first().map_or(0, |column| column.len());
        for column in columns {
            if column.len() != long || !column.bytes().all(|bit| matches!(bit, b'0' | b'1')) {
                let expected = format!("{long} digits 0 or 1, as many as the first has");
                return Err(Error::parameter("column", column, expected));
            }
        }
        let ones = |column: &&str| {
            let bits = (0..).zip(column.bytes());
            bits.filter(|(_, bit)| *bit == b'1')
                .map(|(row, _)| row)
                .collect()
        };
        let rows = (1..=long as u64).map(Row::number);
        Self::new(
            Kind::Columns,
            rows.collect(),
            columns.iter().map(ones).collect(),
        )
    }

    /// Of the shingles of texts: a row for each, in the order in which they first occur, counted from 0. The sets are T1,
    /// T2, …
    ///
    /// In bags each further occurrence in a text is a row of its own.
    pub fn of_shingles(texts: &[Vec<String>], is_bag: bool) -> Result<Self, Error> {
        let mut places = BTreeMap::new();
        let mut rows = Vec::new();
        let mut columns = Vec::new();
        for text in texts {
            let place = |(shingle, occurrence): (String, u64)| {
                let known = places.entry((shingle.clone(), occurrence));
                *known.or_insert_with(|| {
                    let number = rows.len() as u64;
                    rows.push(Row {
                        shingle: Some(shingle),
                        occurrence: (occurrence > 1).then_some(occurrence),
                        ..Row::number(number)
                    });
                    number
                })
            };
            columns.push(counted(text, is_bag).into_iter().map(place).collect());
        }
        Self::new(Kind::Texts, rows, columns)
    }

    fn new(kind: Kind, rows: Vec<Row>, mut columns: Vec<Vec<u64>>) -> Result<Self, Error> {
        let (letter, sets, elements) = match kind {
            Kind::Sets => ("S", "sets", "different elements"),
            Kind::Columns => ("S", "columns", "rows"),
            Kind::Texts => ("T", "texts", "different shingles"),
        };
        limit(sets, columns.len(), SETS)?;
        limit(elements, rows.len(), ROWS)?;
        if rows.is_empty() {
            return Err(Error::Nothing { what: elements });
        }
        for column in &mut columns {
            column.sort_unstable();
            column.dedup();
        }
        let names = (1..=columns.len()).map(|i| format!("{letter}{i}"));
        Ok(Self {
            names: names.collect(),
            rows,
            columns,
        })
    }

    /// What the sets are called.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The rows.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// For each set the places of its rows, ascending, from 0.
    #[must_use]
    pub fn columns(&self) -> &[Vec<u64>] {
        &self.columns
    }

    /// Whether there is a 1, by the place of the row and of the set.
    #[must_use]
    pub fn holds(&self, row: usize, set: usize) -> bool {
        self.columns[set].binary_search(&(row as u64)).is_ok()
    }
}

/// Elements with which occurrence of them it is, from 1; in sets always the first.
fn counted(elements: &[String], is_bag: bool) -> Vec<(String, u64)> {
    let mut times = BTreeMap::new();
    let occurrence = |element: &String| {
        let times = times.entry(element.clone()).or_insert(0);
        *times += 1;
        (element.clone(), if is_bag { *times } else { 1 })
    };
    elements.iter().map(occurrence).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn in_bags_every_occurrence_is_a_row() {
        let words = |words: &str| words.split(' ').map(str::to_owned).collect();
        let texts = [words("ab bc ca ab"), words("ab bc")];
        let set = Matrix::of_shingles(&texts, false).unwrap();
        assert_eq!(set.columns(), [vec![0, 1, 2], vec![0, 1]]);
        let bag = Matrix::of_shingles(&texts, true).unwrap();
        assert_eq!(bag.columns(), [vec![0, 1, 2, 3], vec![0, 1]]);
        let last = &bag.rows()[3];
        assert_eq!((last.word(), last.occurrence), (Some("ab"), Some(2)));
        let bags = Matrix::of_words(&[words("10 9 9"), words("9 x")], true).unwrap();
        let rows: Vec<_> = bags
            .rows()
            .iter()
            .map(|row| (row.word(), row.occurrence))
            .collect();
        let expected = [("9", None), ("9", Some(2)), ("10", None), ("x", None)];
        assert_eq!(rows, expected.map(|(word, times)| (Some(word), times)));
        assert_eq!(bags.columns(), [vec![0, 1, 2], vec![0, 3]]);
    }

    #[test]
    fn three_ways_to_say_it() {
        let sets = Matrix::of_sets(&[vec![3, 0, 3], vec![2]]).unwrap();
        assert_eq!(sets.columns(), [vec![0, 2], vec![1]]);
        let numbers: Vec<u64> = sets.rows().iter().map(|row| row.number).collect();
        assert_eq!(numbers, [0, 2, 3]);

        let bits = Matrix::of_columns(&["1010", "0100"]).unwrap();
        assert_eq!(bits.columns(), sets.columns());
        assert_eq!((bits.rows().len(), bits.rows()[0].number), (4, 1));
        assert!(bits.holds(2, 0) && !bits.holds(3, 0));

        let texts = [vec!["a b", "b c", "a b"], vec!["b c", "c d"]];
        let texts = texts.map(|text| text.into_iter().map(str::to_owned).collect());
        let texts = Matrix::of_shingles(&texts, false).unwrap();
        assert_eq!(texts.columns(), [vec![0, 1], vec![1, 2]]);
        assert_eq!(texts.names(), ["T1", "T2"]);
        assert_eq!(texts.rows()[2].shingle.as_deref(), Some("c d"));
    }

    #[test]
    fn columns_are_bits_of_one_length() {
        for wrong in ["10", "1012", "", "10x0"] {
            let refused = Matrix::of_columns(&["1010", wrong]).unwrap_err();
            assert_eq!(
                refused.to_string(),
                format!("column is {wrong}, but must be 4 digits 0 or 1, as many as the first has")
            );
        }
    }
}
