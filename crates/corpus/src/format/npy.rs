use super::rows::{self, Array, Extent, RowFormat};
use super::{Facts, dtype};
use crate::json::Fields;
use crate::split::Split;
use crate::{Error, File};

/// Rows of a NumPy array of two dimensions.
///
/// Rows of `uint8` are bytes, as `np.packbits` makes codes and faiss takes them. Rows of other integers are numbers, with
/// a sign if their type has one; rows of `float16`, `float32` and `float64` are floats. Both orders of bytes are read.
#[derive(Debug)]
pub(super) struct Npy;

const MAGIC: &[u8] = b"\x93NUMPY";

/// The most bytes that a head can take.
const MOST: usize = 1 << 16;

impl RowFormat for Npy {
    fn facts(&self) -> Facts {
        rows::facts("npy", &["npy"])
    }

    fn sniff(&self, head: &[u8]) -> bool {
        head.starts_with(MAGIC)
    }

    fn array(
        &self,
        file: &File,
        bytes: &[u8],
        is_whole: bool,
        _fields: &Fields,
    ) -> Result<Option<Array>, Error> {
        match parse(bytes) {
            Ok(array) => Ok(Some(array)),
            Err(Fault::Cut) if !is_whole => Ok(None),
            Err(fault) => Err(Error::Rows {
                file: file.name().to_owned(),
                reason: match fault {
                    Fault::Cut => "truncated: the file ends in its head".to_owned(),
                    Fault::Wrong(reason) => reason,
                },
            }),
        }
    }

    /// Each output gets a head with its own number of rows.
    fn split(&self, mut split: Split<'_, '_>) -> Result<(), Error> {
        let mut feed = split.feed()?;
        let array = Array::known(split.of.head(), split.of.name())?;
        let records: Vec<_> = split.records.in_order().collect();
        let fates: Vec<usize> = records
            .iter()
            .map(|(document, place)| split.output(*document, place))
            .collect();
        let mut old = Vec::new();
        feed.copy(array.start, &mut old)?;
        for number in 0..3 {
            let rows = fates.iter().filter(|&&fate| fate == number).count();
            let head = match array.extent == Extent::Announced(rows as u64) {
                true => old.clone(),
                false => array.head(rows),
            };
            let written = split.to.output(number).write_all(&head);
            written.map_err(|reason| Error::Write { reason })?;
        }
        for ((_, place), number) in records.into_iter().zip(fates) {
            feed.copy(u64::from(place.bytes), split.to.output(number))?;
        }
        feed.copy_rest(split.to.output(0))
    }
}

impl Array {
    /// The head of an array of the same items with another number of rows, as NumPy writes it.
    fn head(&self, rows: usize) -> Vec<u8> {
        let descr = dtype::name(self.item);
        let columns = self.columns;
        let mut text = format!(
            "{{'descr': '{descr}', 'fortran_order': False, 'shape': ({rows}, {columns}), }}"
        );
        // The head is a multiple of 64 bytes, and its text ends with a newline.
        let end = (text.len() + 11).next_multiple_of(64);
        text.extend(std::iter::repeat_n(' ', end - 11 - text.len()));
        text.push('\n');
        let mut head = [MAGIC, &[1, 0]].concat();
        head.extend((text.len() as u16).to_le_bytes());
        head.extend(text.bytes());
        head
    }
}

/// Why a head cannot be used.
#[derive(Debug)]
enum Fault {
    /// It goes on after these bytes.
    Cut,
    Wrong(String),
}

/// Reads the head from the first bytes of a file.
fn parse(file: &[u8]) -> Result<Array, Fault> {
    let wrong = |what: &str| Fault::Wrong(what.to_owned());
    let shown = &file[..file.len().min(MAGIC.len())];
    if !MAGIC.starts_with(shown) || (shown.is_empty()) {
        return Err(wrong("not a NumPy file: it does not start with \\x93NUMPY"));
    }
    let byte = |at: usize| file.get(at).copied().ok_or(Fault::Cut);
    let (length, head) = match byte(6)? {
        1 => (usize::from(u16::from_le_bytes([byte(8)?, byte(9)?])), 10),
        2 | 3 => {
            let length = u32::from_le_bytes([byte(8)?, byte(9)?, byte(10)?, byte(11)?]);
            (length as usize, 12)
        }
        version => {
            return Err(Fault::Wrong(format!(
                "version {version} of the NumPy format is not known"
            )));
        }
    };
    if length > MOST - head {
        return Err(Fault::Wrong(format!("its head claims {length} bytes")));
    }
    let text = file.get(head..head + length).ok_or(Fault::Cut)?;
    let text = std::str::from_utf8(text).map_err(|_| wrong("its head is not text"))?;
    let fields = fields(text).ok_or_else(|| wrong("its head is not a NumPy dictionary"))?;
    let field = |name: &str| {
        let found = fields.iter().find(|(key, _)| *key == name);
        let missing = || Fault::Wrong(format!("its head lacks {name:?}"));
        found.map(|(_, value)| *value).ok_or_else(missing)
    };
    let name = field("descr")?.trim_matches(['\'', '"']);
    let item = dtype::item(name).map_err(Fault::Wrong)?;
    let shape: Option<Vec<u64>> = field("shape")?
        .trim_matches(['(', ')'])
        .split(',')
        .map(str::trim)
        .filter(|number| !number.is_empty())
        .map(|number| number.parse().ok())
        .collect();
    let shape = shape.ok_or_else(|| wrong("its head has no shape of whole numbers"))?;
    let [rows, columns] = shape[..] else {
        let remedy = match shape[..] {
            [] => "it is a single number",
            [_] => {
                "use array[:, np.newaxis] if each number is a record, array[np.newaxis] if all are one"
            }
            _ => "use array.reshape(len(array), -1)",
        };
        return Err(Fault::Wrong(format!(
            "an array of shape {shape:?}, but records are rows of an array of two dimensions, [rows, columns]: {remedy}"
        )));
    };
    // A single row, or rows of one item, are the same in both orders.
    if field("fortran_order")? != "False" && rows > 1 && columns > 1 {
        return Err(wrong(
            "the array is stored column by column (Fortran order): use np.ascontiguousarray(array)",
        ));
    }
    let bytes = columns.checked_mul(item.bytes() as u64);
    if !bytes.is_some_and(|bytes| (1..=u64::from(u32::MAX)).contains(&bytes)) {
        return Err(Fault::Wrong(format!(
            "rows of {columns} columns: 1 byte to 4 GiB can be used"
        )));
    }
    Ok(Array {
        start: (head + length) as u64,
        extent: Extent::Announced(rows),
        item,
        columns,
    })
}

/// The keys and values of a Python dictionary with strings as keys and no nested ones.
fn fields(text: &str) -> Option<Vec<(&str, &str)>> {
    let inner = text.trim().strip_prefix('{')?.strip_suffix('}')?;
    let mut fields = Vec::new();
    let mut rest = inner.trim();
    while !rest.is_empty() {
        let (key, after) = rest.split_once(':')?;
        let key = key.trim().trim_matches(['\'', '"']);
        // A comma in a tuple or a list ends nothing.
        let mut depth = 0i32;
        let end = after.find(|character| {
            match character {
                '(' | '[' => depth += 1,
                ')' | ']' => depth -= 1,
                _ => {}
            }
            character == ',' && depth == 0
        });
        let (value, next) = match end {
            Some(end) => (&after[..end], &after[end + 1..]),
            None => (after, ""),
        };
        fields.push((key, value.trim()));
        rest = next.trim();
    }
    Some(fields)
}
