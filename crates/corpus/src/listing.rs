//! Small tables of results, written as CSV or Parquet.

use crate::{Error, Format, csv};
use std::io::Write;

/// A row: two names and a number that may be missing.
pub type Row = (String, String, Option<f64>);

/// A table of two columns of text and one of numbers.
#[derive(Clone, Copy, Debug)]
pub struct Listing<'a> {
    /// The names of the columns.
    pub columns: [&'a str; 3],
}

impl Listing<'_> {
    /// Writes rows in a format: [`Format::Csv`] or [`Format::Parquet`].
    ///
    /// # Errors
    ///
    /// If another format is asked for, or one that is not part of this build, or if writing fails.
    pub fn write(
        &self,
        format: Format,
        rows: impl Iterator<Item = Row>,
        out: &mut (dyn Write + Send),
    ) -> Result<(), Error> {
        match format {
            Format::Csv => self.write_csv(rows, out),
            #[cfg(feature = "parquet")]
            Format::Parquet => crate::parquet::write_listing(self.columns, rows, out),
            _ => Err(Error::Parameter {
                name: "format",
                value: format.to_string(),
                expected: "csv or parquet",
            }),
        }
    }

    fn write_csv(&self, rows: impl Iterator<Item = Row>, out: &mut dyn Write) -> Result<(), Error> {
        let failed = |reason| Error::Write { reason };
        writeln!(out, "{}", self.columns.join(",")).map_err(failed)?;
        for (a, b, number) in rows {
            let [a, b] = [a, b].map(|name| csv::field(&name, b','));
            let number = number.map_or(String::new(), |number| number.to_string());
            writeln!(out, "{a},{b},{number}").map_err(failed)?;
        }
        Ok(())
    }
}
