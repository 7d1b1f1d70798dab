"""Vectors of a NumPy file as plain 32-bit floats.

usage: generate.py SOURCE OUT join COUNT        unit vectors, one in twenty a copy of another at a cosine of 0.88 to 0.995
       generate.py SOURCE OUT first COUNT       the first rows; a negative COUNT divides their number
       generate.py SOURCE OUT last COUNT        unit vectors of the last rows
       generate.py SOURCE OUT stored COUNT N    unit vectors of the others, every Nth
       generate.py SOURCE OUT drawn COUNT       unit vectors of random rows
       generate.py SOURCE OUT others COUNT N    unit vectors of the rows that are not drawn, every Nth
       generate.py SOURCE OUT hard COUNT SIDE   made up: clusters, a tenth copies, one direction that outweighs all others;
                                                SIDE 0: all but the last 1000, 1: those
"""

import sys

import numpy as np

COSINES = (0.88, 0.995)
SEED = 1


def units(vectors):
    """The directions of vectors; those without one are left out."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.maximum(lengths, 1e-30))[lengths[:, 0] > 0]


def planted(vectors, count):
    """Random rows, and copies of some in random directions from them, in random order."""
    rng = np.random.default_rng(SEED)
    own = count * 19 // 20
    base = vectors[rng.choice(len(vectors), own, replace=False)]
    copied = base[rng.choice(own, count - own, replace=False)]
    cosines = rng.uniform(*COSINES, size=(len(copied), 1))
    aside = rng.standard_normal(copied.shape)
    aside -= (aside * copied).sum(axis=1, keepdims=True) * copied
    aside /= np.linalg.norm(aside, axis=1, keepdims=True)
    copies = cosines * copied + np.sqrt(1 - cosines**2) * aside
    return rng.permutation(np.concatenate([base, copies]))


def is_drawn(rows, count):
    """Which rows are drawn."""
    chosen = np.zeros(rows, bool)
    chosen[np.random.default_rng(SEED).choice(rows, count, replace=False)] = True
    return chosen


def hard(count):
    """Vectors for which cells and signs are hard."""
    rng = np.random.default_rng(SEED)
    centres = 3 * rng.standard_normal((200, 100))
    vectors = centres[rng.integers(0, len(centres), count)] + 0.3 * rng.standard_normal((count, 100))
    vectors[:, 0] += 30 * rng.standard_normal(count)
    copies = rng.choice(count, count // 10, replace=False)
    vectors[copies] = vectors[rng.integers(0, count, len(copies))]
    return vectors


source, out, how, count = sys.argv[1:5]
vectors, count = np.load(source, mmap_mode="r"), int(count)
if how == "join":
    vectors = planted(units(vectors), count)
elif how == "first":
    vectors = vectors[:count if count > 0 else len(vectors) // -count]
elif how == "hard":
    vectors = hard(count)
    vectors = vectors[-1000:] if int(sys.argv[5]) else vectors[:-1000]
elif how == "drawn":
    vectors = units(vectors)
    vectors = vectors[is_drawn(len(vectors), count)]
elif how == "others":
    vectors = units(vectors)
    vectors = vectors[~is_drawn(len(vectors), count)][::int(sys.argv[5])]
elif how == "last":
    vectors = units(vectors[-count:])
else:
    vectors = units(vectors[:-count])[::int(sys.argv[5])]
vectors.astype("<f4").tofile(out)
print("{}")
