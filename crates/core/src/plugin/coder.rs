use std::fmt;

/// Gives items codes of one length, for use elsewhere: a column of a database, another program's index.
///
/// ```
/// use lookalike_core::plugin::Coder;
///
/// // The lengths of texts; an empty text has no code.
/// let coder = Coder::new(1, |text: &str| (!text.is_empty()).then(|| vec![text.len() as u8]));
/// let code = coder.code("rose").unwrap();
/// assert_eq!(coder.written(&code), "04");
/// assert_eq!(coder.code(""), None);
/// ```
pub struct Coder<I: ?Sized> {
    bytes: usize,
    write: fn(&[u8]) -> String,
    field: &'static str,
    code: CodeOf<I>,
}

/// The bytes of an item's code, if it has one.
type CodeOf<I> = Box<dyn Fn(&I) -> Option<Vec<u8>> + Send + Sync>;

impl<I: ?Sized> Coder<I> {
    /// Codes of a number of bytes. An item without anything to hash, such as an empty text, has no code.
    pub fn new(bytes: usize, code: impl Fn(&I) -> Option<Vec<u8>> + Send + Sync + 'static) -> Self {
        Self {
            bytes,
            write: lower_digits,
            field: "hash",
            code: Box::new(code),
        }
    }

    /// The same codes, written as they are published: by a function, in a field of a record.
    #[must_use]
    pub fn published(self, field: &'static str, write: fn(&[u8]) -> String) -> Self {
        Self {
            field,
            write,
            ..self
        }
    }

    /// The bytes of a code.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The field of a record that holds a code, unless the user names another: `hash`.
    #[must_use]
    pub fn field(&self) -> &'static str {
        self.field
    }

    /// An item's code, if it has one.
    #[must_use]
    pub fn code(&self, item: &I) -> Option<Vec<u8>> {
        (self.code)(item)
    }

    /// A code as text: hexadecimal digits, two per byte, unless it is [published](Coder::published) otherwise.
    #[must_use]
    pub fn written(&self, code: &[u8]) -> String {
        (self.write)(code)
    }
}

fn lower_digits(code: &[u8]) -> String {
    code.iter().map(|byte| format!("{byte:02x}")).collect()
}

impl<I: ?Sized> fmt::Debug for Coder<I> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Coder")
            .field("bytes", &self.bytes)
            .field("field", &self.field)
            .finish_non_exhaustive()
    }
}
