//! Parameters by name, as flags, TOML and plans hold them.

use lookalike_core::plugin::{Error, Params};
use serde_json::Value;

/// Parameters by name.
pub type Table = serde_json::Map<String, Value>;

/// Parameters as a table; those without any are empty.
pub(crate) fn table_of<P: Params>(parameters: &P) -> Table {
    match serde_json::to_value(parameters) {
        Ok(Value::Object(table)) => table,
        _ => Table::new(),
    }
}

/// The parameters that a table gives, with defaults for what it does not. Names of other parameters are passed over.
pub(crate) fn from_table<P: Params>(table: &Table) -> Result<P, Error> {
    let mut all = table_of(&P::default());
    let own: Vec<(&String, &Value)> = table
        .iter()
        .filter(|(name, _)| all.contains_key(*name))
        .collect();
    for (name, value) in &own {
        all.insert((*name).clone(), (*value).clone());
    }
    if own.is_empty() {
        return Ok(P::default());
    }
    let read = |table: Table| serde_json::from_value::<P>(Value::Object(table));
    read(all).map_err(|error| {
        // One at a time, to tell which of them is wrong.
        let is_wrong = |name: &String, value: &Value| {
            let mut table = table_of(&P::default());
            table.insert(name.clone(), value.clone());
            read(table).err()
        };
        let wrong = own
            .iter()
            .find_map(|(name, value)| Some((name, value, is_wrong(name, value)?)));
        match wrong {
            Some((name, value, error)) => Error::new(format!("{name} is {value}: {error}")),
            None => Error::new(error.to_string()),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::{Deserialize, Serialize};

    #[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
    #[serde(default, deny_unknown_fields)]
    struct Two {
        rows: u32,
        name: Option<String>,
    }

    #[test]
    fn tables_come_back_and_name_what_is_wrong() {
        let two = Two {
            rows: 3,
            name: Some("x".into()),
        };
        assert_eq!(from_table::<Two>(&table_of(&two)).unwrap(), two);
        assert_eq!(table_of(&()), Table::new());
        let mut table = Table::new();
        table.insert("other".into(), 1.into());
        assert_eq!(from_table::<Two>(&table).unwrap(), Two::default());
        table.insert("rows".into(), "many".into());
        let wrong = from_table::<Two>(&table).unwrap_err().to_string();
        assert_eq!(
            wrong,
            "rows is \"many\": invalid type: string \"many\", expected u32"
        );
    }
}
