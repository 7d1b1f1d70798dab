//! Parameters by name, as flags, TOML and plans hold them.

use lookalike_core::plugin::{Error, Params};
use lookalike_output::{suggestion, without_types};
use serde::Serialize;
use serde_json::Value;

/// Parameters by name.
pub type Table = serde_json::Map<String, Value>;

/// Parameters as a table; those without any are empty.
pub(crate) fn table_of<P: Serialize>(parameters: &P) -> Table {
    match serde_json::to_value(parameters) {
        Ok(Value::Object(table)) => table,
        _ => Table::new(),
    }
}

/// The parameters that a table gives, with defaults for what it does not. Names of other parameters are passed over.
pub(crate) fn from_table<P: Params>(table: &Table) -> Result<P, Error> {
    let mut parameters = P::default();
    let defaults = table_of(&parameters);
    read(table, &defaults, &mut |table| {
        // From the table itself: from a value, the code that reads arrays would be compiled for every type, too.
        parameters = P::deserialize(table)?;
        Ok(())
    })?;
    Ok(parameters)
}

/// Reads the defaults with what a table gives of them, unless it gives nothing. Not generic, so that it is compiled once.
fn read(table: &Table, defaults: &Table, read: &mut Read<'_>) -> Result<(), Error> {
    let Some(all) = completed(table, defaults) else {
        return Ok(());
    };
    read(all).map_err(|error| refused(table, defaults, &error.to_string(), read))
}

/// Reads all parameters of a type.
type Read<'a> = dyn FnMut(Table) -> Result<(), serde_json::Error> + 'a;

/// The defaults with what a table gives of them; `None` if it gives nothing.
fn completed(table: &Table, defaults: &Table) -> Option<Table> {
    let mut all = defaults.clone();
    let own = table
        .iter()
        .filter(|(name, _)| defaults.contains_key(*name));
    all.extend(
        own.clone()
            .map(|(name, value)| (name.clone(), value.clone())),
    );
    own.clone().next().map(|_| all)
}

/// Which parameter is wrong: each is tried alone.
fn refused(table: &Table, defaults: &Table, message: &str, read: &mut Read<'_>) -> Error {
    let own = table
        .iter()
        .filter(|(name, _)| defaults.contains_key(*name));
    let wrong = own.into_iter().find_map(|(name, value)| {
        let mut alone = defaults.clone();
        alone.insert(name.clone(), value.clone());
        Some((name, value, read(alone).err()?.to_string()))
    });
    match wrong {
        Some((name, value, message)) => {
            let (suggestion, message) = (suggestion(&message), without_types(&message));
            // Some messages begin with the value.
            let message = match message.starts_with(&format!("{name} is ")) {
                true => format!("{message}{suggestion}"),
                false => format!("{name} is {value}: {message}{suggestion}"),
            };
            Error::new(message).about(name)
        }
        None => Error::new(message),
    }
}

/// The parameters that a table gives, all of which must be known.
pub(crate) fn from_whole_table<P: Params>(table: &Table) -> Result<P, Error> {
    let read = |table: Table| serde_json::from_value::<P>(Value::Object(table));
    read(table.clone()).map_err(|error| {
        let alone = |(name, value): (&String, &Value)| {
            let alone = Table::from_iter([(name.clone(), value.clone())]);
            Some((name.clone(), read(alone).err()?))
        };
        match table.iter().find_map(alone) {
            Some((name, error)) => {
                let message = error.to_string();
                let (suggestion, message) = (suggestion(&message), without_types(&message));
                Error::new(format!("{name}: {message}{suggestion}")).about(name)
            }
            None => Error::new(without_types(&error.to_string())),
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
            "rows is \"many\": invalid type: string \"many\", expected a whole number from 0 to 4294967295"
        );
    }
}
