"""Codes and queries, the same bytes every time.

usage: generate.py FOLDER random|clustered CODES QUERIES BITS RADIUS

Writes codes.bin and queries.bin: packed codes. `random`: uniform codes; a query is a code with exactly RADIUS bits
flipped, and truth.bin has its row (u32, little-endian). `clustered`: centres with 5% of the bits flipped, each bit for
itself, cluster sizes by Zipf's law with an offset (the largest is 1.3% of the codes); queries are drawn like codes.
"""

import json
import sys
from pathlib import Path

import numpy as np

BATCH = 100_000
CLUSTERS = 20_000
OFFSET = 10
FLIPPED = 0.05


def random_codes(source, count, size):
    """Uniform bytes."""
    return np.frombuffer(source.bytes(count * size), np.uint8).reshape(count, size)


def exactly(source, codes, flips):
    """The codes with that many different bits flipped."""
    bits = codes.shape[1] * 8
    places = np.argpartition(source.random((len(codes), bits), np.float32), flips, axis=1)[:, :flips]
    mask = np.zeros((len(codes), bits), np.uint8)
    np.put_along_axis(mask, places, 1, axis=1)
    return codes ^ np.packbits(mask, axis=1)


def members(source, centres, count):
    """Members of clusters, a batch at a time."""
    weights = 1 / (np.arange(CLUSTERS) + OFFSET)
    share = np.cumsum(weights) / weights.sum()
    bits = centres.shape[1] * 8
    for first in range(0, count, BATCH):
        some = min(BATCH, count - first)
        chosen = np.searchsorted(share, source.random(some))
        yield centres[chosen] ^ np.packbits(source.random((some, bits), np.float32) < FLIPPED, axis=1)


def main():
    """Write the files."""
    folder, kind = Path(sys.argv[1]), sys.argv[2]
    count, queries, bits, radius = map(int, sys.argv[3:])
    source = np.random.Generator(np.random.PCG64([count, bits]))
    size = bits // 8
    if kind == "random":
        codes = random_codes(source, count, size)
        codes.tofile(folder / "codes.bin")
        rows = source.integers(0, count, queries)
        exactly(source, codes[rows], radius).tofile(folder / "queries.bin")
        rows.astype("<u4").tofile(folder / "truth.bin")
    else:
        centres = random_codes(source, CLUSTERS, size)
        for name, number in [("codes.bin", count), ("queries.bin", queries)]:
            with open(folder / name, "wb") as file:
                for batch in members(source, centres, number):
                    batch.tofile(file)
    json.dump({"codes": count}, sys.stdout)


main()
