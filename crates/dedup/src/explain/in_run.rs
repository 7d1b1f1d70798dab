use serde::Serialize;
use serde_json::value::RawValue;

use super::find::Found;
use crate::{Error, Mode, finished::Finished};

/// What a finished run did with two documents.
#[derive(Clone, Debug, Serialize)]
pub struct InRun {
    /// The first document.
    pub a: Fate,
    /// The second.
    pub b: Fate,
    /// What became of documents in this run.
    pub mode: Mode,
    /// Why the two are not compared, if they are not.
    pub not_compared: Option<NotCompared>,
    /// Whether both are in one cluster.
    pub same_cluster: bool,
    /// What `pairs.jsonl` says of them, if they are in it.
    pub listed: Option<Listed>,
}

/// What became of one document.
#[derive(Clone, Debug, Serialize)]
pub struct Fate {
    /// Its id.
    pub id: Box<RawValue>,
    /// Whether it is of the older corpus, of which nothing is removed.
    pub is_of_older_corpus: bool,
    /// Documents in its cluster; 1 where it is alone.
    pub cluster_size: usize,
    /// The document that stays instead of it, if there is one.
    pub duplicate_of: Option<Box<RawValue>>,
    /// Whether that one is of the older corpus.
    pub duplicates_older_corpus: bool,
    /// Their similarity, where the run knows it.
    pub similarity: Option<f64>,
}

/// A pair in `pairs.jsonl`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Listed {
    /// The similarity as it is listed; none where nothing was verified.
    pub similarity: Option<f64>,
}

/// Why a run does not compare two documents at all.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum NotCompared {
    /// They have different values in the field that documents are compared within.
    Within {
        /// The field.
        field: String,
        /// The value of the first, if it has one.
        a: Option<Box<RawValue>>,
        /// The value of the second.
        b: Option<Box<RawValue>>,
    },
    /// Both are of the older corpus.
    Against,
}

impl NotCompared {
    /// Why these are not compared, if they are not.
    fn of(finished: &Finished, a: &Found, b: &Found) -> Option<Self> {
        let json = |value: &Option<String>| value.clone().map(raw);
        match &finished.config.data.within {
            _ if a.is_old && b.is_old => Some(Self::Against),
            Some(field) if a.within != b.within => Some(Self::Within {
                field: field.to_string(),
                a: json(&a.within),
                b: json(&b.within),
            }),
            _ => None,
        }
    }
}

impl InRun {
    /// Looks two documents up in the results.
    pub(super) fn new(finished: &Finished, found: [Found; 2]) -> Result<Self, Error> {
        let not_compared = NotCompared::of(finished, &found[0], &found[1]);
        let mut listed = None;
        finished.pairs(|line| {
            let is = |found: &Found, id: &RawValue, is_old| {
                found.is_old == is_old && found.id == id.get()
            };
            for [a, b] in [[0, 1], [1, 0]] {
                if is(&found[a], line.a, false) && is(&found[b], line.b, line.against) {
                    listed = Some(Listed {
                        similarity: line.similarity,
                    });
                }
            }
            Ok(())
        })?;
        let mut fates = found.map(Fate::alone);
        let mut clusters = [None, None];
        let mut number = 0;
        finished.clusters(|line| {
            number += 1;
            let size = line.members.len() + 1;
            for (fate, cluster) in fates.iter_mut().zip(&mut clusters) {
                let is = |id: &RawValue, is_old| {
                    fate.is_of_older_corpus == is_old && fate.id.get() == id.get()
                };
                let member = line.members.iter().find(|member| is(member.id, false));
                if member.is_some() || is(line.representative, line.against) {
                    fate.cluster_size = size;
                    *cluster = Some(number);
                }
                if let Some(member) = member {
                    fate.duplicate_of = Some(line.representative.to_owned());
                    fate.duplicates_older_corpus = line.against;
                    fate.similarity = member.similarity;
                }
            }
        })?;
        let [a, b] = fates;
        Ok(Self {
            a,
            b,
            mode: finished.config.output.mode,
            not_compared,
            same_cluster: clusters[0].is_some() && clusters[0] == clusters[1],
            listed,
        })
    }
}

impl Fate {
    fn alone(found: Found) -> Self {
        Self {
            id: raw(found.id),
            is_of_older_corpus: found.is_old,
            cluster_size: 1,
            duplicate_of: None,
            duplicates_older_corpus: false,
            similarity: None,
        }
    }
}

fn raw(json: String) -> Box<RawValue> {
    RawValue::from_string(json).expect("ids and fields are JSON")
}
