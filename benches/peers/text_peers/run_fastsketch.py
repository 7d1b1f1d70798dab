"""FastSketchLSH at its best: sketches, insertion and query in batches, sketches of candidates compared by numpy.

usage: run_fastsketch.py CORPUS PAIRS
"""

import sys

import numpy as np
from documents import batches, shingles, texts, write_pairs
from FastSketchLSH import LSH, FastSimilaritySketch

THRESHOLD, HASHES, BANDS, SEED = 0.8, 128, 16, 42

corpus, out = sys.argv[1:]
sketcher = FastSimilaritySketch(size=HASHES, seed=SEED)
sketches = np.concatenate([
    np.asarray(sketcher.batch([shingles(text) for text in batch], num_threads=1))
    for _, batch in batches(texts(corpus), 2000)
])
lsh = LSH(num_perm=HASHES, num_bands=BANDS)
lsh.insert(sketches)
pairs = []
for row, candidates in enumerate(lsh.query(sketches)):
    candidates = np.unique(np.asarray(candidates, dtype=int))
    candidates = candidates[candidates > row]
    agreeing = (sketches[candidates] == sketches[row]).sum(axis=1)
    pairs += [(row, other) for other in candidates[agreeing >= THRESHOLD * HASHES]]
write_pairs(out, pairs)
