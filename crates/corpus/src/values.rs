use std::ops::Range;

/// The values of the further fields that were asked for
/// ([`Options::fields`](crate::Options::fields)), by their numbers there.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Values<'a>(Option<&'a Written>);

impl<'a> Values<'a> {
    /// A field's value as JSON, if the record has the field.
    ///
    /// Strings are written one way, whatever escapes the record has; numbers, arrays and
    /// objects are as they stand.
    #[inline]
    pub fn get(&self, field: usize) -> Option<&'a str> {
        self.0?.get(field)
    }

    /// All of them, in the order in which they were asked for; none where a document is
    /// not a record.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Option<&'a str>> {
        let all = *self;
        let fields = self.0.map_or(0, |written| written.ranges.len());
        (0..fields).map(move |field| all.get(field))
    }
}

/// Where the values of a record are written; used again for every record.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Written {
    json: String,
    ranges: Vec<Option<Range<usize>>>,
}

impl Written {
    pub(crate) fn clear(&mut self) {
        self.json.clear();
        self.ranges.clear();
    }

    /// Adds the value of the next field.
    pub(crate) fn push(&mut self, json: Option<&str>) {
        self.ranges.push(json.map(|json| {
            let start = self.json.len();
            self.json.push_str(json);
            start..self.json.len()
        }));
    }

    pub(crate) fn values(&self) -> Values<'_> {
        Values(Some(self))
    }

    fn get(&self, field: usize) -> Option<&str> {
        let range = self.ranges.get(field)?.clone()?;
        self.json.get(range)
    }
}
