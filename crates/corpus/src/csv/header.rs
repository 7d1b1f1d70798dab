//! The first row, which names the columns.

use super::Unclosed;
use super::row::walk;
use crate::blocks::BOM;
use crate::json::Fields;
use crate::lines;
use crate::{Error, FieldPath};
use memchr::memchr_iter;

/// What may separate fields, the likeliest first.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// The header of a file.
#[derive(Debug)]
pub(crate) struct Header {
    /// The names of the columns.
    pub(crate) columns: Vec<String>,
    pub(crate) delimiter: u8,
    pub(super) wanted: Wanted,
    /// Its line, from 1.
    pub(crate) line: u64,
    /// Its end in the file, without what ends the line.
    pub(crate) end: u64,
    /// The start of what follows it.
    pub(crate) next: u64,
}

/// The columns of the fields that are asked for.
#[derive(Debug)]
pub(super) struct Wanted {
    pub(super) text: usize,
    pub(super) id: Option<usize>,
    pub(super) id_required: bool,
    pub(super) more: Vec<Option<usize>>,
}

impl Header {
    /// The header of a file that starts with these bytes; none if it is not all there, or
    /// if there is none in a whole file.
    pub(crate) fn read(
        bytes: &[u8],
        is_whole: bool,
        delimiter: Option<u8>,
        fields: &Fields,
        file: &str,
    ) -> Result<Option<Self>, Error> {
        let mark = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let blank = |b: &u8| matches!(b, b'\n' | b'\r');
        let Some(blanks) = bytes[mark..].iter().position(|b| !blank(b)) else {
            return Ok(None);
        };
        let start = mark + blanks;
        let line = 1 + memchr_iter(b'\n', &bytes[..start]).count() as u64;
        let Some(delimiter) = find(&bytes[start..], is_whole, delimiter) else {
            return Ok(None);
        };
        let mut cells = Vec::new();
        let extent = match walk(&bytes[start..], delimiter, |cell| cells.push(cell)) {
            Ok(extent) => extent,
            Err(Unclosed) if !is_whole => return Ok(None),
            Err(Unclosed) => {
                let file = file.to_owned();
                return Err(Error::OpenQuote { file, line });
            }
        };
        let (end, next) = (start + extent.end, start + extent.next);
        // What follows may be the other half of its line end.
        if next == bytes.len() && !is_whole && !bytes.ends_with(b"\n") {
            return Ok(None);
        }
        let row = lines::utf8(&bytes[start..end], file, line)?;
        let mut said = String::new();
        let columns: Vec<String> = cells
            .iter()
            .map(|cell| cell.read(row, &mut said).to_owned())
            .collect();
        let wanted = Wanted::new(&columns, fields, file, line)?;
        Ok(Some(Self {
            columns,
            delimiter,
            wanted,
            line,
            end: end as u64,
            next: next as u64,
        }))
    }
}

impl Wanted {
    /// Which of two columns of one name is wanted nobody knows.
    fn new(columns: &[String], fields: &Fields, file: &str, line: u64) -> Result<Self, Error> {
        let find = |path: &FieldPath| {
            let is_it = |name: &String| name == path.as_str();
            let first = columns.iter().position(is_it);
            match first == columns.iter().rposition(is_it) {
                true => Ok(first),
                false => Err(Error::TwoColumns {
                    file: file.to_owned(),
                    line,
                    field: path.to_string(),
                }),
            }
        };
        let missing = |path: &FieldPath, option| Error::NoField {
            file: file.to_owned(),
            line,
            field: path.to_string(),
            present: columns.to_vec(),
            option,
        };
        let text = find(&fields.text)?.ok_or_else(|| missing(&fields.text, fields.text_option))?;
        let id = find(&fields.id)?;
        if id.is_none() && fields.id_required {
            return Err(missing(&fields.id, crate::ID_FIELD));
        }
        Ok(Self {
            text,
            id,
            id_required: fields.id_required,
            more: fields.more.iter().map(find).collect::<Result<_, _>>()?,
        })
    }
}

/// The delimiter of a header: the likeliest of those that are in it outside of quotes.
/// Unknown while the end of the header is.
fn find(header: &[u8], is_whole: bool, known: Option<u8>) -> Option<u8> {
    if known.is_some() {
        return known;
    }
    let mut seen = [false; DELIMITERS.len()];
    let mut is_quoted = false;
    let mut starts = true;
    let mut ended = is_whole;
    for &b in header {
        let delimiter = DELIMITERS.iter().position(|&d| d == b);
        if is_quoted {
            is_quoted = b != b'"';
            // A doubled quote closes and opens again.
            starts = true;
        } else if b == b'"' {
            is_quoted = starts;
        } else if matches!(b, b'\n' | b'\r') {
            ended = true;
            break;
        } else if let Some(number) = delimiter {
            seen[number] = true;
            starts = true;
        } else {
            starts = false;
        }
    }
    let likeliest = seen.iter().position(|&seen| seen).unwrap_or_default();
    ended.then_some(DELIMITERS[likeliest])
}
