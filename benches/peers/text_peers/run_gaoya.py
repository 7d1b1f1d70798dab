"""gaoya at its best: bulk insertion, then bulk query; it compares signatures with the threshold itself.

usage: run_gaoya.py CORPUS PAIRS native|whitespace

`native` shingles in Rust, where a word ends at white space and ASCII punctuation. `whitespace` is given the shingles
of `documents.py`: the same sets as the other peers, but slower. A query hashes its documents anew: the interface has
no other way.
"""

import sys

from documents import batches, shingles, texts, write_pairs
from gaoya.minhash import MinHashStringIndex

corpus, out, mode = sys.argv[1:]
index = MinHashStringIndex(
    hash_size=32,
    jaccard_threshold=0.8,
    num_bands=16,
    band_size=8,
    num_hashes=128,
    analyzer="word" if mode == "native" else shingles,
    lowercase=False,
    ngram_range=(5, 5),
    id_container="vec",
)
documents = texts(corpus)
for first, batch in batches(documents, 5000):
    index.par_bulk_insert_docs(list(range(first, first + len(batch))), batch)
pairs = []
for first, batch in batches(documents, 5000):
    for row, near in enumerate(index.par_bulk_query(batch), first):
        pairs += [(row, other) for other in near if other > row]
write_pairs(out, pairs)
