mod draw;

use crate::{Error, error};

/// All of it in one picture: items, their signatures, the buckets that they share, candidates, matches.
///
/// An item is its name, a text and its signature, where `None` is the minimum of an empty set and agrees with nothing. The
/// similarity is asked of candidates alone.
///
/// ```
/// use lookalike_report::Flow;
///
/// let items = [("A", [1, 2]), ("B", [1, 2]), ("C", [1, 5])];
/// let items = items.map(|(name, signature)| (name, "a text", signature.map(Some).to_vec()));
/// let flow = Flow::new("Three texts", 2, items, 0.5, |_, _| 0.8)?;
/// assert_eq!((flow.candidates(), flow.matches()), (1, 1));
/// assert!(flow.svg().starts_with("<svg "));
/// # Ok::<(), lookalike_report::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Flow {
    title: String,
    note: String,
    rows: usize,
    threshold: f64,
    items: Vec<Item>,
    buckets: Vec<Bucket>,
    candidates: Vec<Candidate>,
}

#[derive(Clone, Debug, PartialEq)]
struct Item {
    name: String,
    text: String,
    signature: Vec<Option<u64>>,
}

/// A bucket with several items.
#[derive(Clone, Debug, PartialEq)]
struct Bucket {
    band: usize,
    values: String,
    items: Vec<usize>,
}

#[derive(Clone, Debug, PartialEq)]
struct Candidate {
    pair: [usize; 2],
    buckets: Vec<usize>,
    similarity: f64,
}

impl Flow {
    /// The most items that can be shown.
    pub const ITEMS: usize = 8;
    /// The longest signature.
    pub const FUNCTIONS: usize = 8;

    /// Items whose signatures are cut into bands of so many rows; candidates with this similarity or more are matches.
    pub fn new<N: Into<String>, T: Into<String>>(
        title: impl Into<String>,
        rows: usize,
        items: impl IntoIterator<Item = (N, T, Vec<Option<u64>>)>,
        threshold: f64,
        similarity: impl Fn(usize, usize) -> f64,
    ) -> Result<Self, Error> {
        let items: Vec<Item> = items
            .into_iter()
            .map(|(name, text, signature)| Item {
                name: name.into(),
                text: text.into(),
                signature,
            })
            .collect();
        if items.is_empty() || items.len() > Self::ITEMS {
            return Err(Error::parameter("items", items.len(), "from 1 to 8"));
        }
        let functions = items[0].signature.len();
        let uneven = items.iter().any(|item| item.signature.len() != functions);
        let whole = functions.is_multiple_of(rows);
        if functions == 0 || functions > Self::FUNCTIONS || uneven || !whole {
            let expected = "as long for each item, from 1 to 8 values in whole bands";
            return Err(Error::parameter("a signature", functions, expected));
        }
        let threshold = error::unit("threshold", threshold)?;
        let buckets = buckets(&items, rows);
        let mut candidates = Vec::new();
        for b in 0..items.len() {
            for a in 0..b {
                let shared = |bucket: &&Bucket| [a, b].iter().all(|one| bucket.items.contains(one));
                let of: Vec<usize> = (0..buckets.len())
                    .filter(|place| shared(&&buckets[*place]))
                    .collect();
                if !of.is_empty() {
                    candidates.push(Candidate {
                        pair: [a, b],
                        buckets: of,
                        similarity: error::unit("similarity", similarity(a, b))?,
                    });
                }
            }
        }
        Ok(Self {
            title: title.into(),
            note: String::new(),
            rows,
            threshold,
            items,
            buckets,
            candidates,
        })
    }

    /// The figure with a few words below its title.
    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.note = text.into();
        self
    }

    /// Pairs that share a bucket.
    #[must_use]
    pub fn candidates(&self) -> usize {
        self.candidates.len()
    }

    /// Candidates from the threshold on.
    #[must_use]
    pub fn matches(&self) -> usize {
        let is = |one: &&Candidate| one.similarity >= self.threshold;
        self.candidates.iter().filter(is).count()
    }
}

fn buckets(items: &[Item], rows: usize) -> Vec<Bucket> {
    let mut buckets: Vec<(usize, Vec<u64>, Vec<usize>)> = Vec::new();
    for (place, item) in items.iter().enumerate() {
        for (band, values) in item.signature.chunks(rows).enumerate() {
            let values: Option<Vec<u64>> = values.iter().copied().collect();
            let Some(values) = values else { continue };
            match buckets
                .iter_mut()
                .find(|one| one.0 == band && one.1 == values)
            {
                Some(one) => one.2.push(place),
                None => buckets.push((band, values, vec![place])),
            }
        }
    }
    let shared = buckets.into_iter().filter(|one| one.2.len() > 1);
    shared
        .map(|(band, values, items)| Bucket {
            band,
            values: values
                .iter()
                .map(u64::to_string)
                .collect::<Vec<_>>()
                .join(" "),
            items,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flow(signatures: &[&[u64]], rows: usize) -> Result<Flow, Error> {
        let items = signatures.iter().enumerate().map(|(i, signature)| {
            let signature = signature.iter().map(|value| (*value > 0).then_some(*value));
            (format!("S{i}"), "some words of a text", signature.collect())
        });
        Flow::new("Flow", rows, items.collect::<Vec<_>>(), 0.5, |a, b| {
            1.0 / (a + b) as f64
        })
    }

    #[test]
    fn candidates_share_a_bucket_and_matches_reach_the_threshold() {
        let flow = flow(&[&[1, 2, 3, 4], &[1, 2, 5, 6], &[7, 8, 3, 4]], 2).unwrap();
        // 0 and 1 in the first band, similarity 1; 0 and 2 in the second, 1/2.
        assert_eq!((flow.candidates(), flow.matches()), (2, 2));
        assert_eq!(flow.buckets[1].band, 1);
        assert_eq!(flow.buckets[1].items, [0, 2]);
        let alone = self::flow(&[&[1, 2], &[2, 1], &[3, 3]], 2).unwrap();
        assert_eq!(alone.candidates(), 0);
        assert!(alone.svg().contains("only 0"));
    }

    #[test]
    fn what_is_empty_meets_nobody() {
        let flow = flow(&[&[0, 0], &[0, 0], &[1, 1]], 1).unwrap();
        assert_eq!(flow.candidates(), 0);
        assert!(flow.svg().contains(">∞</text>"));
    }

    #[test]
    fn what_cannot_be_shown_is_refused() {
        let refused = |signatures: &[&[u64]], rows| flow(signatures, rows).unwrap_err().to_string();
        assert_eq!(
            refused(&[&[1][..]; 9], 1),
            "items is 9, but must be from 1 to 8"
        );
        let signature = "but must be as long for each item, from 1 to 8 values in whole bands";
        for (signatures, rows) in [
            (&[&[1; 9][..]][..], 1),
            (&[&[1, 2][..], &[1]], 1),
            (&[&[1, 2, 3]], 2),
            (&[&[1, 2]], 0),
            (&[&[]], 1),
        ] {
            assert!(refused(signatures, rows).ends_with(signature));
        }
        let item = [("a", "", vec![Some(1)]), ("b", "", vec![Some(1)])];
        assert!(Flow::new("", 1, item.clone(), 1.5, |_, _| 0.5).is_err());
        assert!(Flow::new("", 1, item, 0.5, |_, _| f64::NAN).is_err());
    }
}
