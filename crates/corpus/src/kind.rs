use crate::Error;

/// What sort of trouble an [`Error`] is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum ErrorKind {
    /// What was asked for cannot be: other options or inputs would do.
    Request,
    /// What a file holds cannot be read as documents.
    Content,
    /// The system refused to read or write.
    System,
    /// An input is no longer what it was.
    Changed,
}

impl Error {
    /// What sort of trouble this is.
    pub fn kind(&self) -> ErrorKind {
        match self {
            Self::Parameter { .. }
            | Self::NoInput
            | Self::Missing { .. }
            | Self::Url { .. }
            | Self::Pattern { .. }
            | Self::NoFiles { .. }
            | Self::NoneChosen { .. }
            | Self::Twice { .. }
            | Self::ReadOnce { .. }
            | Self::NoParquet { .. }
            | Self::NotText { .. }
            | Self::NotTextValue { .. }
            | Self::NoRecordBytes { .. }
            | Self::NotRecords { .. } => ErrorKind::Request,
            Self::Read { .. } | Self::Write { .. } | Self::Spool { .. } => ErrorKind::System,
            Self::Changed { .. } => ErrorKind::Changed,
            Self::Foreign { .. }
            | Self::Window { .. }
            | Self::Truncated { .. }
            | Self::Damaged { .. }
            | Self::Expansion { .. }
            | Self::Parquet { .. }
            | Self::NoColumn { .. }
            | Self::ColumnType { .. }
            | Self::TwoColumns { .. }
            | Self::Array { .. }
            | Self::ElementType { .. }
            | Self::Rows { .. }
            | Self::Cell { .. }
            | Self::Utf8 { .. }
            | Self::HasField { .. }
            | Self::Json { .. }
            | Self::NotAnObject { .. }
            | Self::NoField { .. }
            | Self::TextType { .. }
            | Self::IdType { .. }
            | Self::Columns { .. }
            | Self::OpenQuote { .. }
            | Self::TooLong { .. } => ErrorKind::Content,
        }
    }

    /// Whether this is the fault of one record, and others may be read without it.
    pub(crate) fn is_of_record(&self) -> bool {
        matches!(
            self,
            Self::Utf8 { .. }
                | Self::Json { .. }
                | Self::NotAnObject { .. }
                | Self::Array { .. }
                | Self::ElementType { .. }
                | Self::Cell { .. }
                | Self::NoField { .. }
                | Self::TextType { .. }
                | Self::IdType { .. }
                | Self::Columns { .. }
                | Self::OpenQuote { .. }
        )
    }
}
