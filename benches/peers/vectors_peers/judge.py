"""What was found, counted.

usage: judge.py pairs FILE DIMENSIONS TRUTH FOUND [BITS TABLES KEPT]    recall, and what hyperplanes promise of each pair
       judge.py nearest TRUTH FOUND K                                   the share of equal ids
       judge.py farthest STORED QUERIES DIMENSIONS MEASURE K OUT        how far the kth neighbour of each query is
       judge.py near STORED QUERIES DIMENSIONS MEASURE K TRUTH FOUND    the share of answers that are at most so far
"""

import json
import sys

import numpy as np


def keys(path):
    """Each pair as one number, sorted."""
    pairs = np.sort(np.fromfile(path, "<u4").reshape(-1, 2).astype(np.uint64), axis=1)
    return np.unique(pairs[:, 0] << np.uint64(32) | pairs[:, 1])


def pairs(path, dimensions, truth, found, *scheme):
    """Recall; with the size and the number of tables also what the formula expects, and by how many standard errors
    more was found."""
    truth, found = keys(truth), keys(found)
    is_found = np.isin(truth, found)
    said = {"true": len(truth), "recall": float(is_found.mean()) if len(truth) else 1.0}
    if scheme:
        bits, tables, kept = int(scheme[0]), int(scheme[1]), float(scheme[2])
        vectors = np.fromfile(path, "<f4").reshape(-1, int(dimensions)).astype(np.float64)
        a, b = vectors[truth >> np.uint64(32)], vectors[truth & np.uint64(0xFFFFFFFF)]
        cosines = (a * b).sum(axis=1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
        side = 1 - np.arccos(np.clip(cosines, -1, 1)) / np.pi
        likely = kept * (1 - (1 - side**bits) ** tables)
        said["formula"] = float(likely.mean())
        spread = np.sqrt((likely * (1 - likely)).sum())
        said["deviations"] = float((is_found.sum() - likely.sum()) / max(spread, 1e-9))
    return said


def nearest(truth, found, k):
    """How many ids of each query are the same."""
    truth, found = (np.fromfile(path, "<u4").reshape(-1, int(k)) for path in (truth, found))
    same = sum(len(np.intersect1d(a, b)) for a, b in zip(truth, found))
    return {"recall": same / truth.size}


def read(path, dimensions):
    """Vectors of a file, for exact distances."""
    return np.fromfile(path, "<f4").reshape(-1, int(dimensions))


def farness(stored, query, measure):
    """A number for each vector that grows with its distance, in 64 bits."""
    stored, query = stored.astype(np.float64), query.astype(np.float64)
    if measure == "cosine":
        return -(stored @ query) / np.linalg.norm(stored, axis=1) / np.linalg.norm(query)
    return ((stored - query) ** 2).sum(axis=1)


def farthest(stored, queries, dimensions, measure, k, out):
    """Exact: scores in 32 bits choose a few more than k, which are compared in 64."""
    stored, queries, k = read(stored, dimensions), read(queries, dimensions), int(k)
    lengths = np.linalg.norm(stored, axis=1)
    found = []
    for first in range(0, len(queries), 100):
        products = queries[first:first + 100] @ stored.T
        scores = products / lengths if measure == "cosine" else products - lengths**2 / 2
        for query, score in zip(queries[first:], scores):
            few = np.argpartition(-score, 3 * k)[:3 * k]
            found.append(np.sort(farness(stored[few], query, measure))[k - 1])
    np.array(found).tofile(out)
    return {}


def near(stored, queries, dimensions, measure, k, truth, found):
    """The share of answers within the distance of the kth, with room for rounding alone."""
    stored, queries, k = read(stored, dimensions), read(queries, dimensions), int(k)
    truth, found = np.fromfile(truth), np.fromfile(found, "<u4").reshape(-1, k)
    hits = 0
    for query, limit, ids in zip(queries, truth, found):
        ids = np.unique(ids[ids < len(stored)])
        hits += (farness(stored[ids], query, measure) <= limit + 1e-12 * abs(limit)).sum()
    return {"recall": float(hits / found.size)}


json.dump({"farthest": farthest, "near": near, "pairs": pairs, "nearest": nearest}[sys.argv[1]](*sys.argv[2:]), sys.stdout)
