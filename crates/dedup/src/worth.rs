use std::cmp::Ordering;

/// What a field says a document is worth: numbers by size, then strings by their characters.
#[derive(Clone, Debug, PartialEq, PartialOrd)]
pub(crate) enum Worth {
    /// A number. Integers are told apart beyond the digits that a float has.
    Number(f64, i128),
    Text(String),
}

impl Worth {
    /// The worth that a JSON value says; a list, an object or nothing says none.
    pub(crate) fn parse(json: &str) -> Option<Self> {
        match json {
            "true" => Some(Self::Number(1.0, 1)),
            "false" => Some(Self::Number(0.0, 0)),
            _ if json.starts_with('"') => Some(Self::Text(serde_json::from_str(json).ok()?)),
            _ => match json.parse::<i128>() {
                Ok(integer) => Some(Self::Number(integer as f64, integer)),
                Err(_) => {
                    let number: f64 = json.parse().ok()?;
                    Some(Self::Number(number, number as i128)).filter(|_| number.is_finite())
                }
            },
        }
    }
}

/// The better one first; what has no worth comes last, whichever way is better.
pub(crate) fn better(a: Option<&Worth>, b: Option<&Worth>, is_max: bool) -> Ordering {
    match (a, b) {
        (Some(a), Some(b)) => {
            let order = a.partial_cmp(b).expect("numbers are finite");
            if is_max { order.reverse() } else { order }
        }
        _ => a.is_none().cmp(&b.is_none()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_before_strings_and_nothing_last() {
        let values = [
            "[1]",
            "\"b\"",
            "9007199254740993",
            "\"a\"",
            "true",
            "-2.5e0",
            "null",
            "9007199254740992",
            "1e400",
            "0.5",
        ];
        let sorted = |is_max| {
            let mut sorted = values;
            sorted
                .sort_by(|a, b| better(Worth::parse(a).as_ref(), Worth::parse(b).as_ref(), is_max));
            sorted
        };
        let nothing = ["[1]", "null", "1e400"];
        let ascending = [
            "-2.5e0",
            "0.5",
            "true",
            "9007199254740992",
            "9007199254740993",
            "\"a\"",
            "\"b\"",
        ];
        assert_eq!(sorted(false)[..7], ascending);
        assert_eq!(sorted(false)[7..], nothing);
        let descending: Vec<_> = ascending.into_iter().rev().collect();
        assert_eq!(sorted(true)[..7], descending);
        assert_eq!(sorted(true)[7..], nothing);
    }
}
