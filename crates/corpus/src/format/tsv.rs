use super::csv::Csv;

/// Rows with tabs between their cells.
///
/// Quotes mean what they mean in CSV, as in what spreadsheets and most libraries write: a cell in quotes may hold tabs
/// and line ends. Some tools write TSV without any quoting; their cells that start with a quote are read differently.
pub(super) static TSV: Csv = Csv {
    name: "tsv",
    extensions: &["tsv"],
    delimiter: Some(b'\t'),
};
