use super::table::first_byte;
use super::{Facts, Layout};
use crate::Error;
use crate::annotate::Annotation;
use crate::json::{self, Fields};
use crate::lines::{Lines, Read, Scratch};

/// One JSON object per line.
#[derive(Debug)]
pub(super) struct Jsonl;

impl Layout for Jsonl {
    fn facts(&self) -> Facts {
        Facts {
            has_fields: true,
            ..Facts::new("jsonl", &["jsonl", "ndjson", "json"])
        }
    }

    fn sniff(&self, head: &[u8], _is_named: bool) -> bool {
        first_byte(head) == Some(b'{')
    }

    #[inline]
    fn read<'a>(
        &self,
        lines: &Lines<'a>,
        at: usize,
        line: u64,
        fields: &Fields,
        scratch: &'a mut Scratch,
    ) -> Result<Read<'a>, Error> {
        json::record(lines.bytes, at, fields, &mut scratch.json, lines.at(line))
    }

    fn annotate(&self, annotation: Annotation<'_, '_>) -> Result<(), Error> {
        annotation.by_line()
    }
}
