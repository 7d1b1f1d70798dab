/// What codes are called: by the id of their record, by file and line, or by their row.
#[derive(Clone, Debug, Default)]
pub struct Names {
    /// The files of records; none: codes are rows of an array.
    pub(crate) files: Vec<String>,
    /// File and line of each record.
    pub(crate) places: Vec<(u32, u64)>,
    /// The ids of records as JSON, those that have one; empty if none has.
    pub(crate) ids: Vec<Option<Box<str>>>,
}

impl Names {
    /// A name as JSON: a number for a row, and for an id what it is.
    ///
    /// # Panics
    /// If there is no such code.
    #[must_use]
    pub fn json(&self, code: u32) -> String {
        if self.files.is_empty() {
            return code.to_string();
        }
        match self.ids.get(code as usize) {
            Some(Some(id)) => id.to_string(),
            _ => serde_json::Value::from(self.place(code)).to_string(),
        }
    }

    /// A name to be read; a text without its quotes.
    ///
    /// # Panics
    /// If there is no such code.
    #[must_use]
    pub fn text(&self, code: u32) -> String {
        if self.files.is_empty() {
            return code.to_string();
        }
        match self.ids.get(code as usize) {
            Some(Some(id)) => serde_json::from_str(id).unwrap_or_else(|_| id.to_string()),
            _ => self.place(code),
        }
    }

    fn place(&self, code: u32) -> String {
        let (file, line) = self.places[code as usize];
        format!("{}:{line}", self.files[file as usize])
    }
}
