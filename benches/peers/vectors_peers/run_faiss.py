"""faiss Flat on one thread.

usage: run_faiss.py join FILE DIMENSIONS COSINE OUT              range search with all unit vectors as queries
       run_faiss.py nearest FILE QUERIES DIMENSIONS MEASURE K ROUNDS OUT

Prints CPU seconds or queries per second as JSON. OUT gets pairs, or the ids of each query, as 32-bit integers.
"""

import json
import sys
import time

import faiss
import numpy as np

LEAST = 0.3
"""CPU seconds of single queries that are timed."""
BATCH = 4096
"""Queries of a range search, so that its answers fit in memory."""


def read(path, dimensions):
    """The vectors of a file."""
    return np.fromfile(path, "<f4").reshape(-1, dimensions)


def timed(work):
    """CPU seconds of some work, and what it gives."""
    start = time.process_time()
    answer = work()
    return time.process_time() - start, answer


def join(path, dimensions, cosine, out):
    """All pairs, each found from both of its sides and kept once."""
    vectors = read(path, int(dimensions))
    index = faiss.IndexFlatIP(vectors.shape[1])
    index.add(vectors)

    def pairs():
        found = []
        for first in range(0, len(vectors), BATCH):
            limits, _, ids = index.range_search(vectors[first:first + BATCH], float(cosine))
            queries = first + np.repeat(np.arange(len(limits) - 1), np.diff(limits).astype(np.int64))
            found.append(np.stack([queries, ids], axis=1)[queries < ids])
        return np.concatenate(found)

    seconds, found = timed(pairs)
    found.astype("<u4").tofile(out)
    return {"seconds": seconds, "pairs": len(found)}


def nearest(path, queries, dimensions, measure, k, rounds, out):
    """The k nearest of all queries at a time, and of one at a time."""
    vectors, queries = read(path, int(dimensions)), read(queries, int(dimensions))
    index = (faiss.IndexFlatIP if measure == "cosine" else faiss.IndexFlatL2)(vectors.shape[1])
    index.add(vectors)
    batch, single = [], []
    for _ in range(int(rounds)):
        seconds, (_, ids) = timed(lambda: index.search(queries, int(k)))
        batch.append(len(queries) / seconds)
        asked, spent = 0, 0.0
        while spent < LEAST:
            row = asked % len(queries)
            spent += timed(lambda: index.search(queries[row:row + 1], int(k)))[0]
            asked += 1
        single.append(asked / spent)
    ids.astype("<u4").tofile(out)
    return {"batch": max(batch), "single": max(single)}


faiss.omp_set_num_threads(1)
json.dump({"join": join, "nearest": nearest}[sys.argv[1]](*sys.argv[2:]), sys.stdout)
