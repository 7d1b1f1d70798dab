use super::{Facts, Layout};
use crate::Error;
use crate::json::Fields;
use crate::lines::{self, Read, Scratch};

/// Lines of text; those that are blank are passed over.
#[derive(Debug)]
pub(super) struct Lines;

impl Layout for Lines {
    fn facts(&self) -> Facts {
        Facts {
            stdin_extension: "txt",
            is_text: true,
            ..Facts::new("lines", &["txt"])
        }
    }

    fn read<'a>(
        &self,
        lines: &lines::Lines<'a>,
        at: usize,
        line: u64,
        _fields: &Fields,
        _scratch: &'a mut Scratch,
    ) -> Result<Read<'a>, Error> {
        let span = lines.line_end(at);
        Ok(Read::text(lines.utf8(line, at, span.end)?, span))
    }
}
