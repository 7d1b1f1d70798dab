"""The data sets: codes, queries and what is to be found, made once and kept."""

import array
import json
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from common.cache import fresh

RADIUS = {256: 25, 64: 6}
KINDS = ["random", "clustered"]
QUERIES = 20_000
SAMPLE = 1000
"""Queries of clustered data whose true answers are computed."""


@dataclass
class DataSet:
    """A folder with codes.bin, queries.bin, and truth.bin (random) or sample.bin, rows.bin, limits.bin (clustered)."""

    kind: str
    bits: int
    codes: int
    folder: Path
    distances: list
    """How many true answers are known at each distance."""

    @property
    def name(self):
        """As it is called in the report."""
        return f"{self.kind} {self.bits}"

    @property
    def radius(self):
        """The largest distance that is searched for."""
        return RADIUS[self.bits]

    def answers_of_first(self, queries):
        """How many true answers the first queries of the sample have."""
        limits = array.array("Q", (self.folder / "limits.bin").read_bytes())
        if sys.byteorder == "big":
            limits.byteswap()
        return limits[queries]


def collect(options, venv):
    """The data sets of a run, one at a time."""
    for kind in options.data:
        for bits in options.bits:
            folder = options.cache / "hamming" / f"{kind}-{options.codes}x{bits}"
            done = folder / "facts.json"
            if not all(fresh(done, venv.scripts / script) for script in ("generate.py", "truth.py")):
                make(folder, kind, bits, options.codes, venv)
            yield DataSet(kind, bits, options.codes, folder, json.loads(done.read_text())["distances"])


def make(folder, kind, bits, codes, venv):
    """Fill the folder; its facts.json comes last, when all else is there."""
    print(f"generating {codes} {kind} codes of {bits} bits", file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    radius = RADIUS[bits]
    venv.run("generate.py", folder, kind, codes, QUERIES, bits, radius)
    if kind == "random":
        facts = {"distances": [0] * radius + [QUERIES]}
    else:
        facts = venv.run("truth.py", folder, bits, radius, SAMPLE)
        with open(folder / "queries.bin", "rb") as queries:
            (folder / "sample.bin").write_bytes(queries.read(SAMPLE * bits // 8))
    (folder / "facts.json").write_text(json.dumps(facts))
