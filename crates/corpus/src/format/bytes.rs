use super::{Cutting, Facts, Layout};
use crate::json::Fields;
use crate::lines::{Lines, Read, Scratch, Span};
use crate::split::Split;
use crate::{Error, File};
use lookalike_core::plugin::Value;

/// One sequence of bytes per file, for digests and prints.
///
/// Nothing in it is taken for a mark or a compressed file. As a document it is text, and refused if it is not UTF-8.
#[derive(Debug)]
pub(super) struct Bytes;

impl Layout for Bytes {
    fn facts(&self) -> Facts {
        Facts {
            stdin_extension: "bin",
            is_whole_file: true,
            has_any_bytes: true,
            ..Facts::new("bytes", &[])
        }
    }

    fn cut(&self, _cutting: &mut Cutting<'_>) -> Result<Option<usize>, Error> {
        Ok(None)
    }

    fn skip(&self, _file: &File, _start: u64, _bytes: &[u8]) -> usize {
        0
    }

    fn start(&self, lines: &Lines<'_>, at: usize, line: u64) -> Option<(usize, u64)> {
        lines.whole(at, line)
    }

    fn read<'a>(
        &self,
        lines: &Lines<'a>,
        at: usize,
        line: u64,
        fields: &Fields,
        _scratch: &'a mut Scratch,
    ) -> Result<Read<'a>, Error> {
        let all = lines.bytes.len();
        if fields.values {
            return Ok(Read::of(
                Value::Bytes(&lines.bytes[at..]),
                Span::line(all, all),
            ));
        }
        Ok(Read::text(lines.utf8(line, at, all)?, Span::line(all, all)))
    }

    fn end(&self, lines: &Lines<'_>, _at: usize) -> Span {
        Span::line(lines.bytes.len(), lines.bytes.len())
    }

    fn split(&self, split: Split<'_, '_>) -> Result<(), Error> {
        split.whole()
    }
}
