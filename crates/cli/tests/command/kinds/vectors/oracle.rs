//! Vectors, files of them, and what a search of them should find.

use std::sync::Arc;

use super::super::scene::{Scene, npy};
use parquet::{
    data_type::FloatType,
    file::{properties::WriterProperties, writer::SerializedFileWriter},
    schema::parser::parse_message_type,
};

pub(super) type Rows = Vec<Vec<f32>>;

/// `count` vectors around a few centres, the same every time. All numbers are multiples of 1/64, so that decimals and
/// floats are the same numbers.
pub(super) fn rows(count: usize, dimensions: usize) -> Rows {
    let mut state = 11u64;
    let mut next = |below: u64| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        ((state >> 33) % below) as f32
    };
    let centres: Rows = (0..count / 6 + 1)
        .map(|_| (0..dimensions).map(|_| next(129) - 64.0).collect())
        .collect();
    (0..count)
        .map(|place| {
            let centre = &centres[place % centres.len()];
            let spread = 8 + 8 * (place as u64 % 4);
            let member = |number: &f32| (number + next(spread + 1) - spread as f32 / 2.0) / 64.0;
            centre.iter().map(member).collect()
        })
        .collect()
}

/// A measure of two vectors by its flag.
pub(super) fn measured(measure: &str, a: &[f32], b: &[f32]) -> f64 {
    let terms = || a.iter().zip(b).map(|(&a, &b)| (f64::from(a), f64::from(b)));
    let dot = |a: &[f32], b: &[f32]| -> f64 {
        let terms = a.iter().zip(b);
        terms.map(|(&a, &b)| f64::from(a) * f64::from(b)).sum()
    };
    let cosine = || (dot(a, b) / (dot(a, a) * dot(b, b)).sqrt()).clamp(-1.0, 1.0);
    match measure {
        "cosine" => cosine(),
        "angle" => cosine().acos().to_degrees(),
        "euclidean" => terms().map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt(),
        "l1" => terms().map(|(a, b)| (a - b).abs()).sum(),
        "dot" => dot(a, b),
        other => panic!("{other}"),
    }
}

/// Whether a value reaches a threshold of a measure.
pub(super) fn reaches(measure: &str, value: f64, threshold: f64) -> bool {
    match measure {
        "cosine" | "dot" => value >= threshold,
        _ => value <= threshold,
    }
}

/// All pairs of rows that reach the threshold: places and value.
pub(super) fn all_pairs(rows: &Rows, measure: &str, threshold: f64) -> Vec<(usize, usize, f64)> {
    let mut pairs = Vec::new();
    for (a, row) in rows.iter().enumerate() {
        for (b, other) in rows.iter().enumerate().skip(a + 1) {
            let value = measured(measure, row, other);
            if reaches(measure, value, threshold) {
                pairs.push((a, b, value));
            }
        }
    }
    pairs
}

/// The pairs that a run prints with `--json`, in the order of places.
pub(super) fn found_pairs(scene: &Scene, args: &str) -> Vec<(usize, usize, f64)> {
    let mut pairs: Vec<_> = scene
        .lines(&format!("pairs {args} --json"))
        .iter()
        .map(|line| {
            let pair: serde_json::Value = serde_json::from_str(line).unwrap();
            // A row of an array has a number; another record is called by its file and line, counted from 1.
            let place = |name: &str| match pair[name].as_str() {
                Some(called) => called.rsplit(':').next().unwrap().parse::<usize>().unwrap() - 1,
                None => pair[name].as_u64().unwrap_or_else(|| panic!("{line}")) as usize,
            };
            let value = pair.get("similarity").or(pair.get("distance"));
            (place("a"), place("b"), value.unwrap().as_f64().unwrap())
        })
        .collect();
    pairs.sort_by_key(|pair| (pair.0, pair.1));
    pairs
}

/// Whether two lists have the same pairs, with values that differ by what is not printed.
pub(super) fn are_equal(found: &[(usize, usize, f64)], wanted: &[(usize, usize, f64)]) -> bool {
    let is_same = |(a, b): (&(usize, usize, f64), &(usize, usize, f64))| {
        (a.0, a.1) == (b.0, b.1) && (a.2 - b.2).abs() < 1e-5 * b.2.abs().max(1.0)
    };
    found.len() == wanted.len() && found.iter().zip(wanted).all(is_same)
}

/// A NumPy file of numbers of one type, each as bytes.
pub(super) fn array<const N: usize>(
    descr: &str,
    rows: &Rows,
    bytes: impl Fn(f32) -> [u8; N],
) -> Vec<u8> {
    let data: Vec<u8> = rows.iter().flatten().flat_map(|&it| bytes(it)).collect();
    let shape = format!("({}, {})", rows.len(), rows[0].len());
    npy(descr, "False", &shape, &data)
}

/// Rows after their dimension.
pub(super) fn vecs<const N: usize>(rows: &Rows, bytes: impl Fn(f32) -> [u8; N]) -> Vec<u8> {
    let row = |row: &Vec<f32>| {
        let numbers = row.iter().flat_map(|&number| bytes(number));
        let mut all = (row.len() as i32).to_le_bytes().to_vec();
        all.extend(numbers);
        all
    };
    rows.iter().flat_map(row).collect()
}

/// Records with a field.
pub(super) fn jsonl(rows: &Rows, field: &str) -> String {
    let line = |(id, row): (usize, &Vec<f32>)| format!("{{\"id\": {id}, \"{field}\": {row:?}}}\n");
    rows.iter().enumerate().map(line).collect()
}

/// A table with a column of lists.
pub(super) fn parquet(rows: &Rows) -> Vec<u8> {
    let schema = "message m {
        optional group vector (LIST) { repeated group list { optional float element; } }
    }";
    let schema = Arc::new(parse_message_type(schema).unwrap());
    let properties = Arc::new(WriterProperties::builder().build());
    let mut writer = SerializedFileWriter::new(Vec::new(), schema, properties).unwrap();
    let mut group = writer.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let values: Vec<f32> = rows.concat();
    let repetition: Vec<i16> = rows
        .iter()
        .flat_map(|row| (0..row.len()).map(|place| i16::from(place > 0)))
        .collect();
    let typed = column.typed::<FloatType>();
    typed
        .write_batch(&values, Some(&vec![3; values.len()]), Some(&repetition))
        .unwrap();
    column.close().unwrap();
    group.close().unwrap();
    writer.into_inner().unwrap()
}
