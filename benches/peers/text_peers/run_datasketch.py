"""datasketch at its best: signatures in bulk, insertion in a session, signatures of candidates compared by numpy.

usage: run_datasketch.py CORPUS PAIRS
"""

import sys

import numpy as np
from datasketch import MinHash, MinHashLSH
from documents import batches, byte_shingles, texts, write_pairs

THRESHOLD, HASHES, BANDS, ROWS, SEED = 0.8, 128, 16, 8, 1

corpus, out = sys.argv[1:]
signatures = []
for _, batch in batches(texts(corpus), 1000):
    signatures += MinHash.bulk(map(byte_shingles, batch), num_perm=HASHES, seed=SEED)
lsh = MinHashLSH(num_perm=HASHES, params=(BANDS, ROWS))
with lsh.insertion_session() as session:
    for row, signature in enumerate(signatures):
        session.insert(row, signature, check_duplication=False)
values = np.array([signature.hashvalues for signature in signatures])
pairs = []
for row, signature in enumerate(signatures):
    candidates = np.array([other for other in lsh.query(signature) if other > row], dtype=int)
    if len(candidates):
        agreeing = (values[candidates] == values[row]).sum(axis=1)
        pairs += [(row, other) for other in candidates[agreeing >= THRESHOLD * HASHES]]
write_pairs(out, pairs)
