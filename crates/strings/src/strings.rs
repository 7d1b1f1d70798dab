use lookalike_core::{
    Items,
    plugin::{Container, Error},
};

/// Many strings in one piece of memory.
///
/// ```
/// use lookalike_core::Items;
/// use lookalike_strings::Strings;
///
/// let strings: Strings = ["rose", "", "nose"].into_iter().collect();
/// assert_eq!(strings.count(), 3);
/// assert_eq!(strings.item(2), "nose");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Strings {
    text: String,
    ends: Vec<usize>,
}

impl Strings {
    /// Adds a string.
    pub fn push(&mut self, string: &str) {
        self.text.push_str(string);
        self.ends.push(self.text.len());
    }
}

impl<'a> FromIterator<&'a str> for Strings {
    fn from_iter<I: IntoIterator<Item = &'a str>>(all: I) -> Self {
        let mut strings = Self::default();
        all.into_iter().for_each(|string| strings.push(string));
        strings
    }
}

impl Items<str> for Strings {
    fn count(&self) -> usize {
        self.ends.len()
    }

    fn item(&self, place: usize) -> &str {
        let start = place.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.text[start..self.ends[place]]
    }
}

impl Container<str> for Strings {
    fn append(&mut self, more: Self) -> Result<(), Error> {
        if self.ends.is_empty() {
            *self = more;
            return Ok(());
        }
        let start = self.text.len();
        self.text.push_str(&more.text);
        self.ends.extend(more.ends.iter().map(|end| start + end));
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_appended_in_order() {
        let [a, b, none] = [&["rose", ""][..], &["é", "nose"], &[]]
            .map(|some| some.iter().copied().collect::<Strings>());
        let mut all = Strings::default();
        for more in [a, none, b] {
            all.append(more).unwrap();
        }
        let items: Vec<&str> = (0..all.count()).map(|place| all.item(place)).collect();
        assert_eq!(items, ["rose", "", "é", "nose"]);
    }
}
