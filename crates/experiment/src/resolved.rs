//! Settings with what was chosen, to be written down. As JSON, whose whole numbers hold all 64 bits: a `toml::Value` refuses
//! those from 2^63 on, which TOML files can say.

use serde::Serialize;
use serde_json::Value;

/// Settings by their names.
pub(crate) type Table = serde_json::Map<String, Value>;

/// Something with names, as a table; what is nothing is left out.
pub(crate) fn table(settings: &impl Serialize) -> Table {
    fn without_nothing(value: &mut Value) {
        match value {
            Value::Object(table) => {
                table.retain(|_, value| !value.is_null());
                table.values_mut().for_each(without_nothing);
            }
            Value::Array(list) => list.iter_mut().for_each(without_nothing),
            _ => {}
        }
    }
    let mut value = serde_json::to_value(settings).expect("settings have names");
    without_nothing(&mut value);
    match value {
        Value::Object(table) => table,
        _ => Table::new(),
    }
}

/// One file for several runs: what they have in common, and a `[[sweep]]` for each of them with the rest.
pub(crate) fn resolved<'a>(runs: impl Iterator<Item = &'a Table>) -> Table {
    let runs: Vec<Vec<(String, &Value)>> = runs.map(leaves).collect();
    let in_all = |entry: &(String, &Value)| runs.iter().all(|run| run.contains(entry));
    let mut common = Table::new();
    for (path, value) in runs.first().into_iter().flatten().filter(|it| in_all(it)) {
        set(&mut common, path, (*value).clone());
    }
    if runs.len() > 1 {
        let sweep = runs.iter().map(|run| {
            let mut own = Table::new();
            for (path, value) in run.iter().filter(|it| !in_all(it)) {
                // In a sweep a list is one of alternatives.
                let value = match value {
                    Value::Array(_) => Value::Array(vec![(*value).clone()]),
                    _ => (*value).clone(),
                };
                set(&mut own, path, value);
            }
            Value::Object(own)
        });
        common.insert("sweep".into(), Value::Array(sweep.collect()));
    }
    common
}

/// Everything in a table that is no table, with its path.
fn leaves(table: &Table) -> Vec<(String, &Value)> {
    fn walk<'a>(table: &'a Table, above: &str, found: &mut Vec<(String, &'a Value)>) {
        for (key, value) in table {
            let path = format!("{above}{key}");
            match value {
                Value::Object(inner) => walk(inner, &format!("{path}."), found),
                _ => found.push((path, value)),
            }
        }
    }
    let mut found = Vec::new();
    walk(table, "", &mut found);
    found
}

fn set(table: &mut Table, path: &str, value: Value) {
    match path.split_once('.') {
        None => {
            table.insert(path.to_owned(), value);
        }
        Some((key, rest)) => {
            let inner = table.entry(key).or_insert_with(|| Table::new().into());
            if let Value::Object(inner) = inner {
                set(inner, rest, value);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_differs_is_a_sweep() {
        let runs: [Table; 2] = [
            "seed = 1\nbands = 5\n[family]\nname = \"a\"\nnormalize = []",
            "seed = 1\nbands = 7\n[family]\nname = \"a\"\nnormalize = [\"nfc\"]",
        ]
        .map(|text| table(&text.parse::<toml::Table>().unwrap()));
        let both = toml::to_string(&resolved(runs.iter())).unwrap();
        assert_eq!(
            both,
            "seed = 1\n\n[family]\nname = \"a\"\n\n[[sweep]]\nbands = 5\n\n[sweep.family]\nnormalize = [[]]\n\n[[sweep]]\nbands = 7\n\n[sweep.family]\nnormalize = [[\"nfc\"]]\n"
        );
        assert_eq!(resolved(runs[..1].iter()), runs[0]);
    }
}
