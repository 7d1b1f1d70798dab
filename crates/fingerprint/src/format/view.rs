use crate::Template;

/// One print in a file, with what the file says of it.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// Its minutiae.
    pub template: Template,
    /// The finger, where it is known: from 1, the right thumb, to 5, the right little finger, and from 6, the left
    /// thumb, to 10.
    pub finger: Option<u8>,
    /// Which of the prints of that finger, from 0 to 15.
    pub number: u8,
    /// How the print was taken, from 0 to 15: 0 a finger laid on a scanner, 1 rolled on it; 2 and 3 the same on paper;
    /// 8 drawn over it.
    pub impression: u8,
    /// From 1 (worst) to 100 (best), where it was judged.
    pub quality: Option<u8>,
}

impl View {
    /// A print laid on a scanner, of which nothing else is known.
    #[must_use]
    pub fn new(template: Template) -> Self {
        Self {
            template,
            finger: None,
            number: 0,
            impression: 0,
            quality: None,
        }
    }
}
