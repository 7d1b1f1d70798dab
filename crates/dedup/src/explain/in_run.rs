use serde::Serialize;
use serde_json::value::RawValue;

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
    /// Documents in its cluster; 1 where it is alone.
    pub cluster_size: usize,
    /// The document that stays instead of it, if there is one.
    pub duplicate_of: Option<Box<RawValue>>,
    /// Their similarity, where the run knows it.
    pub similarity: Option<f64>,
}

/// A pair in `pairs.jsonl`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Listed {
    /// The similarity as it is listed; none where nothing was verified.
    pub similarity: Option<f64>,
}

impl InRun {
    /// Looks two ids, as JSON, up in the results.
    pub(super) fn new(finished: &Finished, ids: [String; 2]) -> Result<Self, Error> {
        let mut listed = None;
        finished.pairs(|line| {
            let pair = [line.a.get(), line.b.get()];
            if pair == [&*ids[0], &*ids[1]] || pair == [&*ids[1], &*ids[0]] {
                listed = Some(Listed {
                    similarity: line.similarity,
                });
            }
            Ok(())
        })?;
        let mut fates = ids.map(Fate::alone);
        let mut clusters = [None, None];
        let mut number = 0;
        finished.clusters(|line| {
            number += 1;
            let size = line.members.len() + 1;
            for (fate, cluster) in fates.iter_mut().zip(&mut clusters) {
                let member = line.members.iter().find(|m| m.id.get() == fate.id.get());
                if let Some(member) = member {
                    fate.duplicate_of = Some(line.representative.to_owned());
                    fate.similarity = member.similarity;
                }
                if member.is_some() || line.representative.get() == fate.id.get() {
                    fate.cluster_size = size;
                    *cluster = Some(number);
                }
            }
        })?;
        let [a, b] = fates;
        Ok(Self {
            a,
            b,
            mode: finished.config.output.mode,
            same_cluster: clusters[0].is_some() && clusters[0] == clusters[1],
            listed,
        })
    }
}

impl Fate {
    fn alone(id: String) -> Self {
        Self {
            id: RawValue::from_string(id).expect("ids are JSON"),
            cluster_size: 1,
            duplicate_of: None,
            similarity: None,
        }
    }
}
