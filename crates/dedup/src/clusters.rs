//! The clusters of a finished run.

use std::path::Path;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::{
    Error,
    audit::sample,
    finished::{ClusterLine, lines},
};

/// Which clusters are asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Which {
    /// This many, the largest first; of equal ones the first in the input.
    Largest(u64),
    /// This many, drawn at random with this seed, in the order of the input.
    Sample {
        /// How many.
        count: u64,
        /// Where the draws come from.
        seed: u64,
    },
    /// The one that has this document.
    Of(String),
}

/// Some clusters of a run.
#[derive(Clone, Debug, Serialize)]
pub struct Clusters {
    /// How many clusters the run has.
    pub count: u64,
    /// Those that were asked for.
    pub clusters: Vec<Cluster>,
}

/// A document that stays, and its duplicates.
#[derive(Clone, Debug, Serialize)]
pub struct Cluster {
    /// The id of the document that stays.
    pub representative: Box<RawValue>,
    /// Whether it is of the older corpus.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub against: bool,
    /// Documents in the cluster.
    pub size: u64,
    /// Its duplicates, in the order of the input.
    pub members: Vec<Member>,
}

/// A duplicate.
#[derive(Clone, Debug, Serialize)]
pub struct Member {
    /// Its id.
    pub id: Box<RawValue>,
    /// Its similarity to the document that stays, where the run knows it.
    pub similarity: Option<f64>,
}

impl From<&ClusterLine<'_>> for Cluster {
    fn from(line: &ClusterLine<'_>) -> Self {
        let members = line.members.iter().map(|member| Member {
            id: member.id.to_owned(),
            similarity: member.similarity,
        });
        Self {
            representative: line.representative.to_owned(),
            against: line.against,
            size: line.members.len() as u64 + 1,
            members: members.collect(),
        }
    }
}

/// The number of members of a line, without their ids.
#[derive(Deserialize)]
struct Size {
    size: u64,
}

/// Reads clusters of a finished run from its folder. The inputs are not needed.
///
/// # Errors
/// If the folder is not that of a run, or if no cluster has the document that is asked for.
pub fn clusters(folder: &Path, which: &Which) -> Result<Clusters, Error> {
    let path = folder.join("clusters.jsonl");
    if !path.is_file() {
        return Err(Error::Finished {
            path: folder.to_owned(),
            message: "not the folder of a finished run: there is no clusters.jsonl in it".into(),
        });
    }
    let mut sizes = Vec::new();
    lines(&path, |line| {
        sizes.push(serde_json::from_str::<Size>(line)?.size);
        Ok(Ok(()))
    })?;
    let count = sizes.len() as u64;
    let mut wanted = match which {
        Which::Largest(n) => {
            let mut largest: Vec<u64> = (0..count).collect();
            largest.sort_by_key(|&place| std::cmp::Reverse(sizes[place as usize]));
            largest.truncate(usize::try_from(*n).unwrap_or(usize::MAX));
            largest.sort_unstable();
            largest
        }
        Which::Sample { count: n, seed } => sample::draw(*n, count, *seed),
        Which::Of(_) => Vec::new(),
    }
    .into_iter()
    .peekable();
    let mut clusters: Vec<Cluster> = Vec::new();
    let mut place = 0;
    lines(&path, |line| {
        let is_wanted = match which {
            Which::Of(id) => has(&serde_json::from_str(line)?, id),
            _ => wanted.next_if_eq(&place).is_some(),
        };
        if is_wanted {
            clusters.push((&serde_json::from_str::<ClusterLine<'_>>(line)?).into());
        }
        place += 1;
        Ok(Ok(()))
    })?;
    match which {
        Which::Of(id) if clusters.is_empty() => {
            return Err(Error::NotClustered { id: id.clone() });
        }
        Which::Largest(_) => clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.size)),
        _ => {}
    }
    Ok(Clusters { count, clusters })
}

/// Whether a document is in a cluster.
fn has(line: &ClusterLine<'_>, id: &str) -> bool {
    let is_it = |raw: &RawValue| {
        let text = serde_json::from_str::<String>(raw.get());
        text.map_or(raw.get() == id, |text| text == id)
    };
    is_it(line.representative) || line.members.iter().any(|member| is_it(member.id))
}
