"""The vectors, made once and kept: files of 32-bit floats, row by row."""

import sys
from dataclasses import dataclass
from pathlib import Path

from common.cache import fresh, replacing
from common.failure import Failure

SIZES = [50_000, 100_000, 200_000, 340_000]
"""Vectors of the joins; the largest but one is measured beside the others."""
QUERIES = 1000
NEAREST = {"glove100": ("cosine", 100), "fashion-mnist": ("euclidean", 784)}


@dataclass
class File:
    """Vectors in a file."""

    path: Path
    dimensions: int

    @property
    def rows(self):
        """How many there are."""
        return self.path.stat().st_size // (4 * self.dimensions)


class Sets:
    """What the vectors of a run are made from, and where they are kept."""

    def __init__(self, options, venv):
        self.source, self.venv = options.data, venv
        self.scale = 10 if options.quick else 1
        self.folder = options.cache / "vectors"
        self.sizes = [size // self.scale for size in SIZES]
        self.main = self.sizes[-2]

    def join(self, size):
        """Unit vectors of GloVe, one in twenty a copy of another at a cosine of 0.88 to 0.995."""
        return File(self._made(f"join-{size}.f32", "glove100.npy", "join", size), 100)

    def nearest(self, name):
        """Stored vectors and queries that are not among them."""
        _, dimensions = NEAREST[name]
        if name == "fashion-mnist":
            stored = self._made(f"{name}-{self.scale}.f32", f"{name}.npy", "first", -self.scale)
            queries = self._made(f"{name}-queries.f32", f"{name}-queries.npy", "first", QUERIES)
        else:
            stored = self._made(f"{name}-{self.scale}.f32", f"{name}.npy", "stored", QUERIES, self.scale)
            queries = self._made(f"{name}-queries.f32", f"{name}.npy", "last", QUERIES)
        return File(stored, dimensions), File(queries, dimensions)

    def held_out(self, name):
        """Stored vectors and queries drawn from the same collection, or queries of their own."""
        if name == "fashion-mnist":
            return self.nearest(name)
        _, dimensions = NEAREST[name]
        stored = self._made(f"{name}-others-{self.scale}.f32", f"{name}.npy", "others", QUERIES, self.scale)
        queries = self._made(f"{name}-drawn.f32", f"{name}.npy", "drawn", QUERIES)
        return File(stored, dimensions), File(queries, dimensions)

    def hard(self):
        """Made-up vectors for which cells and signs are hard, and queries of the same kind."""
        rows = 60_000 // self.scale + QUERIES
        return [File(self._made(f"hard-{self.scale}-{side}.f32", "glove100.npy", "hard", rows, side), 100)
                for side in (0, 1)]

    def _made(self, name, source, *how):
        path, source = self.folder / name, self.source / source
        if not source.is_file():
            raise Failure(f"no {source}: --data is a folder with glove100.npy, fashion-mnist.npy and "
                          "fashion-mnist-queries.npy")
        if not (fresh(path, source) and fresh(path, self.venv.scripts / "generate.py")):
            print(f"making {path.name}", file=sys.stderr)
            with replacing(path) as part:
                self.venv.run("generate.py", source, part, *how)
        return path
