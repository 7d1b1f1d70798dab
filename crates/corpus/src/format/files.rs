use super::{Cutting, Facts, Layout};
use crate::Error;
use crate::json::Fields;
use crate::lines::{Lines, Read, Scratch, Span};
use crate::split::Split;

/// One text per file, even if the file is empty.
#[derive(Debug)]
pub(super) struct Files;

impl Layout for Files {
    fn facts(&self) -> Facts {
        Facts {
            stdin_extension: "txt",
            is_whole_file: true,
            is_text: true,
            ..Facts::new("files", &[])
        }
    }

    fn cut(&self, _cutting: &mut Cutting<'_>) -> Result<Option<usize>, Error> {
        Ok(None)
    }

    fn start(&self, lines: &Lines<'_>, at: usize, line: u64) -> Option<(usize, u64)> {
        lines.whole(at, line)
    }

    fn read<'a>(
        &self,
        lines: &Lines<'a>,
        at: usize,
        line: u64,
        _fields: &Fields,
        _scratch: &'a mut Scratch,
    ) -> Result<Read<'a>, Error> {
        let all = lines.bytes.len();
        Ok(Read::text(lines.utf8(line, at, all)?, Span::line(all, all)))
    }

    fn end(&self, lines: &Lines<'_>, _at: usize) -> Span {
        Span::line(lines.bytes.len(), lines.bytes.len())
    }

    fn split(&self, split: Split<'_, '_>) -> Result<(), Error> {
        split.whole()
    }
}
