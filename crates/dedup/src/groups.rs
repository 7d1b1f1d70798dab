//! From matches of items to clusters and pairs of documents.

use lookalike_engine::{Id, Match, cluster};

use crate::{Grouping, copies::Copies, documents::Doc};

/// Pairs up to which all are listed.
const ALL: u64 = 2_000_000;
/// Beyond: documents of one text of which every pair is listed; each further one is listed with the first alone. A
/// million copies are a million lines then, not half a billion times a thousand.
const OF_ONE_TEXT: usize = 32;

/// Documents that belong together.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Group {
    /// The document that stays.
    pub(crate) representative: Doc,
    /// The others in the order of the input, with their similarity to the representative where it is known.
    pub(crate) members: Vec<(Doc, Option<f64>)>,
}

/// Two documents, the first in the input first, and their similarity where it is known.
pub(crate) type Listed = (Doc, Doc, Option<f64>);

/// Clusters in the order of their representatives.
///
/// Documents of the older corpus stay whatever they match, so that each can represent others, and none is a member. A copy
/// of one goes with that one, even if another that is nearly the same comes first.
pub(crate) fn groups(
    matches: &[Match],
    copies: &Copies,
    grouping: Grouping,
    similarity: impl Fn(f64) -> Option<f64>,
    of_copies: Option<f64>,
) -> Vec<Group> {
    let rank = |item: Id| copies.ranks()[item as usize];
    let both_stay = |m: &&Match| copies.has_old(m.pair.a()) && copies.has_old(m.pair.b());
    let matches: Vec<Match> = matches.iter().filter(|m| !both_stay(m)).copied().collect();
    let clusters = match grouping {
        Grouping::Star => cluster::star(&matches, rank),
        Grouping::Components => cluster::components(&matches, rank),
    };
    let mut is_grouped = vec![false; copies.ranks().len()];
    let mut groups = Vec::new();
    for cluster in clusters {
        is_grouped[cluster.representative as usize] = true;
        let (mut group, members) = alone(copies.of(cluster.representative), of_copies);
        for member in cluster.members {
            is_grouped[member.id as usize] = true;
            let similarity = member.distance.and_then(&similarity);
            let docs = copies.of(member.id).iter();
            group.members.extend(docs.map(|&doc| (doc, similarity)));
        }
        group.members.extend(members);
        groups.push(group);
    }
    for item in copies.items().filter(|&item| !is_grouped[item as usize]) {
        let (mut group, members) = alone(copies.of(item), of_copies);
        group.members.extend(members);
        groups.push(group);
    }
    for group in &mut groups {
        group.members.retain(|member| !copies.is_old(member.0));
        group.members.sort_unstable_by_key(|member| member.0);
    }
    groups.retain(|group| !group.members.is_empty());
    groups.sort_unstable_by_key(|group| group.representative);
    groups
}

/// A group of one, and the copies that are to join it.
fn alone(
    docs: &[Doc],
    similarity: Option<f64>,
) -> (Group, impl Iterator<Item = (Doc, Option<f64>)>) {
    let (&representative, copies) = docs.split_first().expect("an item has a document");
    let group = Group {
        representative,
        members: Vec::new(),
    };
    (group, copies.iter().map(move |&doc| (doc, similarity)))
}

/// The pairs of documents that are matches, in the order of the input, and how many are not listed. Pairs inside the
/// older corpus are no concern.
pub(crate) fn pairs(
    matches: &[Match],
    copies: &Copies,
    similarity: impl Fn(f64) -> Option<f64>,
    of_copies: Option<f64>,
) -> (Vec<Listed>, u64) {
    let pairs_of = |docs: u64| docs * docs.saturating_sub(1) / 2;
    // All documents of an item, and those of the older corpus among them.
    let count = |item: Id| {
        let all = copies.of(item).len() as u64;
        (all, all - copies.own(item).len() as u64)
    };
    let copied = |item: Id| {
        let (all, old) = count(item);
        pairs_of(all) - pairs_of(old)
    };
    let across = |found: &Match| {
        let ((a, old_a), (b, old_b)) = (count(found.pair.a()), count(found.pair.b()));
        a * b - old_a * old_b
    };
    let copied: u64 = copies.items().map(copied).sum();
    let all = copied + matches.iter().map(across).sum::<u64>();
    let of_one_text = if all <= ALL { usize::MAX } else { OF_ONE_TEXT };
    let mut listed = Vec::new();
    let mut list = |a: Doc, b: Doc, similarity| {
        if !(copies.is_old(a) && copies.is_old(b)) {
            listed.push((a.min(b), a.max(b), similarity));
        }
    };
    for item in copies.items() {
        let docs = copies.of(item);
        let (some, further) = docs.split_at(docs.len().min(of_one_text));
        for (i, &a) in some.iter().enumerate() {
            some[i + 1..].iter().for_each(|&b| list(a, b, of_copies));
        }
        further.iter().for_each(|&b| list(docs[0], b, of_copies));
    }
    // Those of the older corpus come first: however many they are, one of the others is among the listed.
    let some_of = |item: Id| {
        let (docs, own) = (copies.of(item), copies.own(item));
        let old = docs.len() - own.len();
        let first = own.first().filter(|_| old >= of_one_text);
        docs.iter().take(of_one_text).chain(first)
    };
    for found in matches {
        for &a in some_of(found.pair.a()) {
            for &b in some_of(found.pair.b()) {
                list(a, b, similarity(found.distance));
            }
        }
    }
    listed.sort_unstable_by_key(|pair| (pair.0, pair.1));
    let unlisted = all - listed.len() as u64;
    (listed, unlisted)
}
