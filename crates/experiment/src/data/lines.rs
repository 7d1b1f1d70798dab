use std::{
    fmt::{Debug, Display},
    str::FromStr,
};

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use super::{Data, Loaded, one_place, texts::documents};
use crate::Error;

/// Items of any type that can be read from text: a line each in files, or one by one in the file of settings.
///
/// For families that are not of this project: `type Data = Lines<f64>`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields, bound(deserialize = "T: DeserializeOwned"))]
pub struct Lines<T> {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kind: Option<String>,
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    inputs: Vec<String>,
    #[serde(default = "Vec::new", skip_serializing_if = "Vec::is_empty")]
    items: Vec<T>,
}

impl<T> Data for Lines<T>
where
    T: FromStr<Err: Display> + Serialize + DeserializeOwned + Clone + Debug + Send + Sync,
{
    const KIND: &'static str = "lines";
    type Item = T;
    type Items = Vec<T>;

    fn load(&self) -> Result<Loaded<Vec<T>>, Error> {
        one_place(!self.inputs.is_empty(), !self.items.is_empty(), false)?;
        if self.inputs.is_empty() {
            return Ok(Loaded::new(self.items.clone()));
        }
        let options = lookalike_corpus::Options {
            format: Some(lookalike_corpus::Format::Lines),
            ..Default::default()
        };
        documents(&self.inputs, options, true, |name, line| {
            let parsed = line.trim().parse();
            parsed.map_err(|error| Error::config(name(), format!("`{line}`: {error}")))
        })
    }

    fn show(item: &T) -> String {
        format!("{item:?}")
    }
}
