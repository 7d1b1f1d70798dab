//! Which format a file has.

use super::{Format, TABLE};
use crate::blocks::BOM;

/// The formats that an extension means: the first one that the content shows, or else the first.
pub(crate) fn by_name<E>(
    extension: &str,
    head: impl FnOnce() -> Result<Vec<u8>, E>,
) -> Result<Option<Format>, E> {
    let claims = |format: &Format| {
        let mut extensions = format.extensions().iter();
        extensions.any(|of| of.eq_ignore_ascii_case(extension))
    };
    let claimed: Vec<Format> = Format::all().filter(claims).collect();
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
pub(crate) fn by_content(head: &[u8]) -> Format {
    let shown = TABLE.iter().find(|(_, layout)| layout.sniff(head, false));
    shown.map_or(Format::Lines, |(format, _)| *format)
}

/// The first byte of a text that is not blank.
pub(super) fn first_byte(head: &[u8]) -> Option<u8> {
    let text = head.strip_prefix(BOM).unwrap_or(head);
    text.iter().copied().find(|b| !b.is_ascii_whitespace())
}
