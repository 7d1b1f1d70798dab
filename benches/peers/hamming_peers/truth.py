"""All codes within the radius of the first queries, by faiss's flat index.

usage: truth.py FOLDER BITS RADIUS SAMPLE

Writes rows.bin (u32, the rows of one query after those of another) and limits.bin (u64, where the rows of a query
begin, and the end); prints how many pairs there are at each distance.
"""

import json
import sys
from pathlib import Path

import faiss
import numpy as np

folder = Path(sys.argv[1])
bits, radius, sample = map(int, sys.argv[2:])
codes = np.fromfile(folder / "codes.bin", np.uint8).reshape(-1, bits // 8)
queries = np.fromfile(folder / "queries.bin", np.uint8).reshape(-1, bits // 8)[:sample]
index = faiss.IndexBinaryFlat(bits)
index.add(codes)
limits, distances, rows = index.range_search(queries, radius + 1)
rows.astype("<u4").tofile(folder / "rows.bin")
limits.astype("<u8").tofile(folder / "limits.bin")
json.dump({"distances": np.bincount(distances.astype(int), minlength=radius + 1).tolist()}, sys.stdout)
