"""rapidfuzz at its best: `cdist` with a cut-off over blocks of rows, each pair of strings once.

usage: run_rapidfuzz.py STRINGS EDITS PAIRS
"""

import sys

import numpy as np
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

ROWS = 500

path, edits, out = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with open(path, encoding="utf-8", newline="\n") as file:
    strings = file.read().splitlines()
with open(out, "w") as file:
    for start in range(0, len(strings), ROWS):
        rows = strings[start:start + ROWS]
        distances = cdist(rows, strings[start:], scorer=Levenshtein.distance, score_cutoff=edits, workers=1,
                          dtype=np.uint16)
        for row, column in zip(*np.nonzero(distances <= edits)):
            if row < column:
                file.write(f"{start + row}\t{start + column}\n")
