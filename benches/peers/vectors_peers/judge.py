"""What was found, counted.

usage: judge.py pairs FILE DIMENSIONS TRUTH FOUND [BITS TABLES KEPT]    recall, and what hyperplanes promise of each pair
       judge.py nearest TRUTH FOUND K                                   the share of equal ids
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


json.dump({"pairs": pairs, "nearest": nearest}[sys.argv[1]](*sys.argv[2:]), sys.stdout)
