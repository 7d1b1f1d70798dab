use super::Error;

/// One value as a file, a column or a caller hands it over, before a [`Kind`](super::Kind) parses it.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub enum Value<'a> {
    /// A line, a string field, a cell of a table.
    Text(&'a str),
    /// Any other JSON value as it is written: an array, an object, a number.
    Json(&'a str),
    /// A row of an array of bytes, a binary cell, a whole file.
    Bytes(&'a [u8]),
    /// A row of an array or a list column of unsigned integers.
    Integers(&'a [u64]),
    /// A row of an array or a list column of signed integers, whether or not some are negative.
    Signed(&'a [i64]),
    /// A row of an array or a list column of 32-bit floats.
    Floats(&'a [f32]),
    /// A row of an array or a list column of 64-bit floats.
    Doubles(&'a [f64]),
}

impl<'a> Value<'a> {
    /// The value as text. Bytes count as text if they are UTF-8.
    ///
    /// # Errors
    /// If the value is not text; the message names what was given.
    pub fn text(self) -> Result<&'a str, Error> {
        match self {
            Self::Text(text) => Ok(text),
            Self::Bytes(bytes) => std::str::from_utf8(bytes)
                .map_err(|error| Error::new(format!("the bytes are not UTF-8 text: {error}"))),
            other => Err(other.unexpected("text")),
        }
    }

    /// The value for a kind that has no negative numbers: signed integers become [`Integers`](Value::Integers), which
    /// `buffer` holds, and every other value stays what it is.
    ///
    /// ```
    /// use lookalike_core::plugin::Value;
    ///
    /// let mut buffer = Vec::new();
    /// let value = Value::Signed(&[3, 7]).naturals(&mut buffer)?;
    /// assert_eq!(value, Value::Integers(&[3, 7]));
    /// assert!(Value::Signed(&[3, -7]).naturals(&mut buffer).is_err());
    /// # Ok::<(), lookalike_core::plugin::Error>(())
    /// ```
    ///
    /// # Errors
    /// If an integer is negative; the message names it.
    pub fn naturals(self, buffer: &'a mut Vec<u64>) -> Result<Self, Error> {
        let Self::Signed(row) = self else {
            return Ok(self);
        };
        buffer.clear();
        for &number in row {
            let natural = u64::try_from(number).map_err(|_| {
                Error::new(format!(
                    "a row with the negative number {number}; only 0 and above can be used"
                ))
            })?;
            buffer.push(natural);
        }
        Ok(Self::Integers(buffer))
    }

    /// The error of a kind that expected something else.
    #[must_use]
    pub fn unexpected(self, expected: &str) -> Error {
        Error::new(format!("expected {expected}, found {}", self.described()))
    }

    /// What the value is, in words, with its start if it is text.
    #[must_use]
    pub fn described(self) -> String {
        match self {
            Self::Text(text) => format!("the text `{}`", shortened(text)),
            Self::Json(json) => format!("{} `{}`", json_type(json), shortened(json)),
            Self::Bytes(bytes) => format!("{} bytes", bytes.len()),
            Self::Integers(row) => format!("a row of {} integers", row.len()),
            Self::Signed(row) => format!("a row of {} signed integers", row.len()),
            Self::Floats(row) => format!("a row of {} floats", row.len()),
            Self::Doubles(row) => format!("a row of {} doubles", row.len()),
        }
    }
}

fn json_type(json: &str) -> &'static str {
    match json.trim_start().as_bytes().first() {
        Some(b'[') => "the array",
        Some(b'{') => "the object",
        _ => "the value",
    }
}

/// The first characters of a text, without control characters.
fn shortened(text: &str) -> String {
    const MOST: usize = 40;
    let mut start: String = text
        .chars()
        .take(MOST)
        .map(|c| if c.is_control() { ' ' } else { c })
        .collect();
    if text.chars().nth(MOST).is_some() {
        start.push('…');
    }
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_text_is_named() {
        assert_eq!(Value::Bytes(b"rose").text().unwrap(), "rose");
        let wrong = |value: Value<'_>| value.text().unwrap_err().to_string();
        assert_eq!(
            wrong(Value::Json("[1, 2]")),
            "expected text, found the array `[1, 2]`"
        );
        assert_eq!(
            wrong(Value::Floats(&[1.0, 2.0])),
            "expected text, found a row of 2 floats"
        );
        assert!(wrong(Value::Bytes(b"\xff")).contains("not UTF-8"));
        let long = Value::Text(&"x\n".repeat(100)).described();
        assert_eq!(long, format!("the text `{}…`", "x ".repeat(20)));
    }
}
