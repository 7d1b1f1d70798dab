use std::{cmp::Ordering, fmt};

/// A document's id: a string or an integer.
///
/// Integers come before strings, integers by their value, strings by their bytes. `17` and `"17"` are two ids.
///
/// ```
/// use lookalike_search::Id;
///
/// let mut ids = [Id::from("b"), Id::from(10), Id::from("a"), Id::from(9)];
/// ids.sort();
/// assert_eq!(ids.map(|id| id.to_string()), ["9", "10", "a", "b"]);
/// assert_eq!(Id::from("a").as_json(), "\"a\"");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Id(
    /// As JSON, written one way, so that equal ids are equal here.
    Box<str>,
);

impl Id {
    /// The id that JSON says, if it is a string or an integer.
    #[must_use]
    pub fn from_json(json: &str) -> Option<Self> {
        let json = json.trim_ascii();
        if let Some(rest) = json.strip_prefix('"') {
            let is_plain = |byte: u8| byte >= b' ' && byte != b'"' && byte != b'\\';
            if rest
                .strip_suffix('"')
                .is_some_and(|inner| inner.bytes().all(is_plain))
            {
                return Some(Self(json.into()));
            }
            let text: String = serde_json::from_str(json).ok()?;
            return Some(Self::from(text));
        }
        let digits = json.strip_prefix('-').unwrap_or(json);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let is_short = digits == "0" || !digits.starts_with('0');
        (is_number && is_short && json != "-0").then(|| Self(json.into()))
    }

    /// The id as JSON.
    #[must_use]
    pub fn as_json(&self) -> &str {
        &self.0
    }

    fn is_text(&self) -> bool {
        self.0.starts_with('"')
    }

    /// Integers by sign, then by number of digits, then by digits.
    fn by_value(&self, other: &Self) -> Ordering {
        fn of(digits: &str) -> (usize, &str) {
            (digits.len(), digits)
        }
        match (self.0.strip_prefix('-'), other.0.strip_prefix('-')) {
            (None, None) => of(&self.0).cmp(&of(&other.0)),
            (Some(a), Some(b)) => of(b).cmp(&of(a)),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
        }
    }
}

impl Ord for Id {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_text(), other.is_text()) {
            // What JSON escapes would come elsewhere than it should.
            (true, true) if self.0.contains('\\') || other.0.contains('\\') => {
                self.to_string().cmp(&other.to_string())
            }
            // Without the quote at the end, which is greater than a space.
            (true, true) => self.0[..self.0.len() - 1].cmp(&other.0[..other.0.len() - 1]),
            (false, false) => self.by_value(other),
            (text, other) => text.cmp(&other),
        }
    }
}

impl PartialOrd for Id {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl From<&str> for Id {
    fn from(text: &str) -> Self {
        Self(serde_json::Value::from(text).to_string().into())
    }
}

impl From<String> for Id {
    fn from(text: String) -> Self {
        Self::from(text.as_str())
    }
}

macro_rules! integers {
    ($($int:ty)*) => {$(
        impl From<$int> for Id {
            fn from(number: $int) -> Self {
                Self(number.to_string().into())
            }
        }
    )*};
}

integers! { i32 u32 i64 u64 }

/// Without quotes: for people.
impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match serde_json::from_str::<String>(&self.0) {
            Ok(text) => f.pad(&text),
            Err(_) => f.pad(&self.0),
        }
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Id({})", self.0)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_strings_and_integers_are_ids() {
        for json in ["", "-", "-0", "01", "1.0", "1e3", "null", "\"a", "a", "[1]"] {
            assert_eq!(Id::from_json(json), None, "{json}");
        }
        let big = "123456789012345678901234567890";
        assert_eq!(Id::from_json(big).unwrap().as_json(), big);
        assert_eq!(Id::from_json(r#" "é" "#), Some(Id::from("é")));
        assert_eq!(Id::from_json("-7"), Some(Id::from(-7)));
        assert_ne!(Id::from("17"), Id::from(17));
    }

    proptest! {
        #[test]
        fn the_order_is_that_of_values(a: i64, b: i64, near in -3i64..4, s in ".{0,4}", t in ".{0,4}") {
            for b in [b, a.saturating_add(near), -(a.max(i64::MIN + 1)), near] {
                prop_assert_eq!(Id::from(a).cmp(&Id::from(b)), a.cmp(&b));
            }
            prop_assert_eq!(Id::from(&*s).cmp(&Id::from(&*t)), s.cmp(&t));
            let longer = format!("{s} ");
            prop_assert!(Id::from(&*s) < Id::from(longer));
            prop_assert!(Id::from(a) < Id::from(&*s));
            prop_assert_eq!(Id::from_json(Id::from(&*s).as_json()), Some(Id::from(&*s)));
            prop_assert_eq!(Id::from(&*s).to_string(), s);
        }
    }
}
