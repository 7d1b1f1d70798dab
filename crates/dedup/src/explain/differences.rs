use hashbrown::HashSet;
use lookalike_minhash::Shingler;
use serde::Serialize;

/// Shingles as text, each once, in the order of the document.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Differences {
    /// The first that are in both, in the order of A.
    pub shared: Vec<String>,
    /// The first that are in A alone.
    pub only_in_a: Vec<String>,
    /// The first that are in B alone.
    pub only_in_b: Vec<String>,
}

impl Differences {
    /// Up to `show` of each kind, from texts and the hashes of their shingles.
    pub(super) fn new(
        shingler: &Shingler,
        texts: [&str; 2],
        lists: [&[u64]; 2],
        show: usize,
    ) -> Self {
        let sets = lists.map(|list| list.iter().copied().collect::<HashSet<u64>>());
        let (shared, only_in_a) = places(lists[0], &sets[1], show);
        let (_, only_in_b) = places(lists[1], &sets[0], show);
        let [[shared, only_in_a], [only_in_b, _]] = [
            written(shingler, texts[0], [shared, only_in_a]),
            written(shingler, texts[1], [only_in_b, Vec::new()]),
        ];
        Self {
            shared,
            only_in_a,
            only_in_b,
        }
    }
}

/// Where the first elements are that the other set has, and those it has not.
fn places(list: &[u64], other: &HashSet<u64>, show: usize) -> (Vec<usize>, Vec<usize>) {
    let (mut shared, mut alone) = (Vec::new(), Vec::new());
    let mut seen = HashSet::new();
    for (place, element) in list.iter().enumerate() {
        if shared.len() >= show && alone.len() >= show {
            break;
        }
        if seen.insert(element) {
            let places = match other.contains(element) {
                true => &mut shared,
                false => &mut alone,
            };
            if places.len() < show {
                places.push(place);
            }
        }
    }
    (shared, alone)
}

/// The shingles at some places of a text; they come in the order of their hashes.
fn written(shingler: &Shingler, text: &str, places: [Vec<usize>; 2]) -> [Vec<String>; 2] {
    if places.iter().all(Vec::is_empty) {
        return [Vec::new(), Vec::new()];
    }
    let shingles = shingler.shingles(text);
    let at = |places: Vec<usize>| places.iter().map(|&i| shingles[i].clone()).collect();
    places.map(at)
}
