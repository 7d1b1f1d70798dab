"""faiss's IndexBinaryHash: range search, one query at a time, on one thread. Arguments: folder, codes, bits of the hash, flips, radius."""

import json
import os
import sys
import tempfile
import time

import faiss
import numpy

FOLDER, COUNT, BITS, FLIPS, RADIUS = sys.argv[1], *map(int, sys.argv[2:6])
faiss.omp_set_num_threads(1)


def codes(name):
    """An array of packed codes."""
    return numpy.load(f"{FOLDER}/codes-{COUNT}{name}.npy")


stored, queries = codes(""), codes("-queries")
start = time.perf_counter()
index = faiss.IndexBinaryHash(stored.shape[1] * 8, BITS)
index.add(stored)
build = time.perf_counter() - start
index.nflip = FLIPS
best = numpy.full(len(queries), numpy.inf)
found = 0
for round in range(5):
    for place in range(len(queries)):
        query = queries[place:place + 1]
        start = time.perf_counter()
        limits, _, _ = index.range_search(query, RADIUS + 1)
        best[place] = min(best[place], time.perf_counter() - start)
        # Random codes: whatever is within the radius of a near query is its planted neighbour.
        found += round == 0 and place < len(queries) // 2 and limits[1] > 0
adds = []
for batch in range(5):
    more = codes(f"-more-{batch}")
    start = time.perf_counter()
    index.add(more)
    adds.append(time.perf_counter() - start)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "index")
    faiss.write_index_binary(index, path)
    size = os.path.getsize(path)
    start = time.perf_counter()
    faiss.read_index_binary(path)
    opened = time.perf_counter() - start
p50, p99 = numpy.percentile(best, [50, 99]) * 1e6
print(json.dumps({
    "items": COUNT, "build_s": build, "bytes_per_item": size / COUNT, "open_us": opened * 1e6, "warm_p50_us": p50,
    "warm_p99_us": p99, "queries_per_s": len(best) / best.sum(), "add_1000_ms": sorted(adds)[2] * 1e3,
    "found": float(found) / (len(queries) // 2)}))
