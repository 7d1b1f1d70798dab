"""rensa at its best: whole token sets in batches.

usage: run_rensa.py CORPUS PAIRS lsh|dedup

`lsh` gives pairs: candidates of its LSH whose signatures agree. `dedup` is its own deduplicator, which only says of
each document whether it is new. The sampled mode (`rho`) looks at a few tokens of a long document and is another job.
"""

import sys

import rensa
from documents import batches, shingles, texts, write_pairs

THRESHOLD, HASHES, BANDS, SEED, BATCH = 0.8, 128, 16, 42, 2000

corpus, out, mode = sys.argv[1:]
documents = texts(corpus)
if mode == "lsh":
    signatures = []
    for _, batch in batches(documents, BATCH):
        signatures += rensa.RMinHash.from_token_sets([shingles(text) for text in batch], HASHES, SEED)
    lsh = rensa.RMinHashLSH(THRESHOLD, HASHES, BANDS)
    lsh.insert_many(signatures)
    pairs = []
    for row, candidates in enumerate(lsh.query_all(signatures)):
        own = signatures[row]
        pairs += [(row, other) for other in candidates if other > row and own.jaccard(signatures[other]) >= THRESHOLD]
    write_pairs(out, pairs)
else:
    deduplicator = rensa.RMinHashDeduplicator(
        threshold=THRESHOLD, num_perm=HASHES, use_lsh=True, num_bands=BANDS, seed=SEED)
    new = 0
    for first, batch in batches(documents, BATCH):
        new += sum(deduplicator.add_pairs([(str(row), shingles(text)) for row, text in enumerate(batch, first)]))
    print(len(documents) - new, "removed")
