use crate::Place;

/// The records of a file, for passes that copy it.
#[derive(Clone, Copy, Debug)]
pub struct Records<'a> {
    /// The file's number in [`Corpus::files`](crate::Corpus::files).
    pub file: u32,
    /// The places of its documents, in their order.
    pub documents: &'a [Place],
    /// The places of what was [passed over](crate::Skipped), in their order.
    pub skipped: &'a [Place],
}

impl<'a> Records<'a> {
    /// All of them in the order of the file; documents have numbers.
    pub(crate) fn in_order(self) -> impl Iterator<Item = (Option<usize>, &'a Place)> {
        let mut documents = self.documents.iter().enumerate().peekable();
        let mut skipped = self.skipped.iter().peekable();
        std::iter::from_fn(move || {
            let is_skipped = match (documents.peek(), skipped.peek()) {
                (Some((_, document)), Some(skipped)) => skipped.start < document.start,
                (document, _) => document.is_none(),
            };
            if is_skipped {
                return skipped.next().map(|place| (None, place));
            }
            documents.next().map(|(i, place)| (Some(i), place))
        })
    }
}
