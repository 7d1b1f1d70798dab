use lookalike_minhash::{Counts, Elements, Shingler, ShinglerScratch};
use rayon::prelude::*;

use crate::Error;

/// Elements of queries that are compared at once: about 80 MB of tables.
const FULL: usize = 4_000_000;
/// What a query counts for beside its elements.
const QUERY: usize = 16;
/// Odd, and without a pattern: the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// Queries as they come.
#[derive(Debug)]
pub(super) struct Queries {
    shingler: Shingler,
    scratch: ShinglerScratch,
    elements: Vec<u64>,
    /// Each element of each query once, spread.
    pairs: Vec<(u64, u32)>,
    /// How many elements a query has.
    sizes: Vec<u32>,
    full: usize,
}

impl Queries {
    pub(super) fn new(shingler: Shingler) -> Self {
        Self {
            shingler,
            scratch: ShinglerScratch::default(),
            elements: Vec::new(),
            pairs: Vec::new(),
            sizes: Vec::new(),
            full: FULL,
        }
    }

    /// Calls itself full from so many elements on.
    #[cfg(test)]
    pub(super) fn full_from(&mut self, elements: usize) {
        self.full = elements;
    }

    /// Takes one more, and says whether it has a shingle.
    pub(super) fn push(&mut self, text: &str) -> Result<bool, Error> {
        let length = u32::try_from(text.len());
        length.map_err(|_| Error::TooLong { bytes: text.len() })?;
        spread(&self.shingler, text, &mut self.scratch, &mut self.elements);
        self.elements.sort_unstable();
        self.elements.dedup();
        let query = u32::try_from(self.sizes.len()).map_err(|_| Error::TooMany)?;
        self.pairs
            .extend(self.elements.iter().map(|&element| (element, query)));
        self.sizes.push(self.elements.len() as u32);
        Ok(!self.elements.is_empty())
    }

    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Whether no more should come before these are compared.
    pub(super) fn is_full(&self) -> bool {
        self.pairs.len() + QUERY * self.sizes.len() >= self.full
    }

    /// The table of all that came; the next ones are counted anew.
    pub(super) fn table(&mut self) -> Table {
        let mut pairs = std::mem::take(&mut self.pairs);
        pairs.par_sort_unstable();
        let sizes = std::mem::take(&mut self.sizes);
        Table::new(&pairs, sizes, self.shingler.clone())
    }
}

/// Which queries have an element: one table for all threads.
///
/// A document asks once for each of its elements, however many queries there are. A table for each query
/// would be asked for each of them.
#[derive(Debug)]
pub(super) struct Table {
    shingler: Shingler,
    sizes: Vec<u32>,
    /// In order, each once.
    elements: Vec<u64>,
    /// Where the queries of an element start, and at last where they end.
    starts: Vec<u32>,
    queries: Vec<u32>,
    /// Where the elements with these high bits start, and at last where they end.
    directory: Vec<u32>,
    shift: u32,
}

/// What one thread uses again from document to document.
#[derive(Debug, Default)]
pub(super) struct Scratch {
    shingler: ShinglerScratch,
    elements: Vec<u64>,
    /// Places of elements that some query has.
    met: Vec<u32>,
    /// Common elements with each query, all 0 between documents.
    common: Vec<u32>,
    /// The queries with common elements.
    touched: Vec<u32>,
}

impl Table {
    /// A table of (element, query), which are in order.
    fn new(pairs: &[(u64, u32)], sizes: Vec<u32>, shingler: Shingler) -> Self {
        let mut elements = Vec::new();
        let mut starts = Vec::new();
        for (place, &(element, _)) in pairs.iter().enumerate() {
            if elements.last() != Some(&element) {
                elements.push(element);
                starts.push(place as u32);
            }
        }
        starts.push(pairs.len() as u32);
        // About an element a slot.
        let bits = elements.len().next_power_of_two().trailing_zeros().max(1);
        let shift = 64 - bits;
        let mut directory = vec![0; (1 << bits) + 1];
        for element in &elements {
            directory[(element >> shift) as usize + 1] += 1;
        }
        let mut before = 0;
        for place in &mut directory {
            before += *place;
            *place = before;
        }
        Self {
            shingler,
            sizes,
            elements,
            starts,
            queries: pairs.iter().map(|&(_, query)| query).collect(),
            directory,
            shift,
        }
    }

    /// How many queries there are.
    pub(super) fn len(&self) -> usize {
        self.sizes.len()
    }

    /// Compares a text with all: emits those with a common element, in no order.
    pub(super) fn compare(
        &self,
        text: &str,
        scratch: &mut Scratch,
        mut emit: impl FnMut(usize, Counts),
    ) {
        let Scratch {
            shingler,
            elements,
            met,
            common,
            touched,
        } = scratch;
        spread(&self.shingler, text, shingler, elements);
        met.clear();
        met.extend(elements.iter().filter_map(|&element| self.find(element)));
        if met.is_empty() {
            return;
        }
        met.sort_unstable();
        met.dedup();
        elements.sort_unstable();
        elements.dedup();
        common.resize(self.len(), 0);
        for &place in &*met {
            let [from, to] = [0, 1].map(|after| self.starts[place as usize + after] as usize);
            for &query in &self.queries[from..to] {
                let common = &mut common[query as usize];
                if *common == 0 {
                    touched.push(query);
                }
                *common += 1;
            }
        }
        for query in touched.drain(..) {
            let query = query as usize;
            let a = std::mem::take(&mut common[query]) as usize;
            let counts = Counts {
                a,
                b: self.sizes[query] as usize - a,
                c: elements.len() - a,
            };
            emit(query, counts);
        }
    }

    /// The place of an element that some query has.
    fn find(&self, element: u64) -> Option<u32> {
        let slot = (element >> self.shift) as usize;
        let [from, to] = [self.directory[slot], self.directory[slot + 1]];
        let near = &self.elements[from as usize..to as usize];
        let place = near.partition_point(|&other| other < element);
        (near.get(place) == Some(&element)).then(|| from + place as u32)
    }
}

/// The elements of a text, with high bits that tell them apart.
fn spread(shingler: &Shingler, text: &str, scratch: &mut ShinglerScratch, elements: &mut Vec<u64>) {
    elements.clear();
    shingler.collect(text, scratch, elements);
    for element in elements {
        *element = element.wrapping_mul(SPREAD);
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use crate::TextFamily;
    use lookalike_minhash::{Overlap, Shingle};
    use proptest::prelude::*;

    use super::*;

    /// Few different words, so that texts have some in common; some without any, some equal.
    fn texts() -> impl Strategy<Value = Vec<String>> {
        let text = prop::collection::vec(0u8..9, 0..12).prop_map(|words| {
            let words: Vec<String> = words.iter().map(|word| format!("w{word}")).collect();
            words.join(" ")
        });
        prop::collection::vec(text, 0..20)
    }

    proptest! {
        #[test]
        fn counts_are_those_of_one_query_at_a_time(
            first in texts(), second in texts(), documents in texts(), k in 1u32..3,
        ) {
            let shingle: Shingle = format!("words:{k}").parse().unwrap();
            let family = TextFamily { shingle, ..TextFamily::default() };
            let shingler = family.shingler();
            let elements = |text: &str| {
                let mut elements = Vec::new();
                shingler.collect(text, &mut Default::default(), &mut elements);
                elements
            };
            let mut queries = Queries::new(shingler.clone());
            // A batch leaves nothing to the next.
            for batch in [first, second] {
                for query in &batch {
                    prop_assert_eq!(queries.push(query).unwrap(), !elements(query).is_empty());
                }
                prop_assert_eq!(queries.len(), batch.len());
                let table = queries.table();
                let mut scratch = Scratch::default();
                for document in &documents {
                    let mut by_table = BTreeMap::new();
                    table.compare(document, &mut scratch, |query, counts| {
                        assert!(by_table.insert(query, counts).is_none(), "each once");
                    });
                    let mut one_by_one = BTreeMap::new();
                    for (place, query) in batch.iter().enumerate() {
                        let mut overlap = Overlap::default();
                        overlap.hold(elements(query));
                        let counts = overlap.compare(&elements(document));
                        if counts.a > 0 {
                            one_by_one.insert(place, counts);
                        }
                    }
                    prop_assert_eq!(by_table, one_by_one);
                }
            }
        }
    }
}
