//! Which format a file has.

use super::{Format, TABLE};
use crate::blocks::BOM;
use crate::names;
use lookalike_core::plugin::PlainFile;
use std::path::Path;

/// The format of a file by its name, or else by its first decompressed bytes, for which `head` is asked if need be.
pub(crate) fn detect<E>(
    path: Option<&Path>,
    mut head: impl FnMut() -> Result<Vec<u8>, E>,
) -> Result<Format, E> {
    let plain = path.map(names::uncompressed);
    let extension = plain.as_deref().and_then(Path::extension);
    let by_name = match extension.and_then(|extension| extension.to_str()) {
        Some(extension) => by_name(extension, &mut head)?,
        None => None,
    };
    match by_name {
        Some(format) => Ok(format),
        None => Ok(by_content(&head()?)),
    }
}

/// The format of a file that is one record unless its name says that it holds records: bytes, if it does not.
pub(crate) fn by_name_alone(path: &Path, plain: PlainFile) -> Option<Format> {
    let plain_name = names::uncompressed(path);
    let extension = plain_name
        .extension()
        .and_then(|extension| extension.to_str());
    let has_records = |format: &Format| format.has_fields() || *format == Format::Lines;
    let mut claimed = extension.into_iter().flat_map(claiming);
    (plain == PlainFile::Bytes && !claimed.any(|format| has_records(&format)))
        .then_some(Format::Bytes)
}

/// The formats that an extension means.
fn claiming(extension: &str) -> impl Iterator<Item = Format> {
    Format::all().filter(move |format| {
        let mut extensions = format.extensions().iter();
        extensions.any(|of| of.eq_ignore_ascii_case(extension))
    })
}

/// The formats that an extension means: the first one that the content shows, or else the first.
fn by_name<E>(
    extension: &str,
    head: impl FnOnce() -> Result<Vec<u8>, E>,
) -> Result<Option<Format>, E> {
    let claimed: Vec<Format> = claiming(extension).collect();
    match claimed[..] {
        [] | [_] => Ok(claimed.first().copied()),
        [first, ..] => {
            let head = head()?;
            let shown = |format: &&Format| format.layout().sniff(&head, true);
            Ok(Some(*claimed.iter().find(shown).unwrap_or(&first)))
        }
    }
}

/// The format that the first decompressed bytes show; else lines.
fn by_content(head: &[u8]) -> Format {
    let shown = TABLE.iter().find(|(_, layout)| layout.sniff(head, false));
    shown.map_or(Format::Lines, |(format, _)| *format)
}

/// The first byte of a text that is not blank.
pub(super) fn first_byte(head: &[u8]) -> Option<u8> {
    let text = head.strip_prefix(BOM).unwrap_or(head);
    text.iter().copied().find(|b| !b.is_ascii_whitespace())
}
