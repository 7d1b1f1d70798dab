"""Who takes part, with which settings: a few are tried, the fastest that finds enough is kept."""

import sys
from dataclasses import dataclass, field as make
from typing import Optional

from common.process import Broken

from . import settings
from .worker import Worker

ENOUGH = 0.95
"""The recall that is asked of an index that may miss something."""
EXPANSIONS = {"random": [64, 256, 512, 1024], "clustered": [256, 1024, 4096]}


@dataclass
class Contender:
    """A way to search, and what was found about it."""

    key: str
    label: str
    kind: str = "peer"
    wanted: float = ENOUGH
    failure: Optional[str] = None
    queries: int = 0
    seconds: Optional[float] = None
    """CPU time of the queries, the best of the rounds."""
    rounds: int = 0
    recall: Optional[float] = None
    build_seconds: Optional[float] = None
    index_bytes: Optional[int] = None
    peak_bytes: Optional[int] = None
    codes: Optional[int] = None
    """How many codes it has, where that is not all."""
    note: str = ""
    worker: Optional[Worker] = None
    search: dict = make(default_factory=dict)
    tried: list = make(default_factory=list)

    @property
    def speed(self):
        """Queries a second."""
        return self.queries / self.seconds if self.seconds and not self.failure else None

    @property
    def suffices(self):
        """Whether the recall is as wanted."""
        return self.recall is not None and self.recall >= self.wanted

    def heard(self, queries, seconds):
        """Take in a round."""
        if self.seconds is None or seconds / queries < self.seconds / self.queries:
            self.queries, self.seconds = queries, seconds
        self.rounds += 1


def peers(options, venv, data, missing, scratch):
    """The peers for a data set, built and tuned, one after the other."""
    tune = Tuner(options, venv, data, scratch)
    if "flat" not in options.skip:
        yield tune(Contender("flat", "faiss BinaryFlat", wanted=1), [({"index": "flat"}, {}, "")], judged=64)
    if "hash" not in options.skip:
        found = settings.single(data.bits, data.codes, data.distances, ENOUGH, options.tries)
        yield tune(Contender("hash", "faiss BinaryHash"), [hashed("hash", one) for one in found])
    if "multihash" not in options.skip:
        found = settings.several(data.bits, data.codes, data.distances, ENOUGH, options.tries)
        yield tune(Contender("multihash", "faiss BinaryMultiHash"), [hashed("multihash", one) for one in found])
        found = settings.exact(data.bits, data.codes, data.radius, options.tries)
        yield tune(Contender("multihash-exact", "faiss BinaryMultiHash, exact", wanted=1),
                   [hashed("multihash", one) for one in found])
    if "usearch" not in options.skip:
        yield tune(Contender("usearch", "usearch", failure=missing.get("usearch")), graphs(options, data))


def hashed(index, setting):
    """(how to build, how to search, in words) of a hash index."""
    build = {"index": index, "hashes": setting.hashes, "bits_of_hash": setting.bits_of_hash}
    count = f"{setting.hashes} × " if index == "multihash" else ""
    return build, {"flips": setting.flips}, f"{count}{setting.bits_of_hash} bits, {setting.flips} flipped"


def graphs(options, data):
    """The same for usearch: one graph, searched more or less thoroughly."""
    build = {"first": min(options.usearch_codes, data.codes), "threads": options.build_threads}
    ways = []
    for expansion in EXPANSIONS[data.kind]:
        # The one planted neighbour is the nearest; how many are near in a cluster is not known, so all in view.
        nearest = 1 if data.kind == "random" else expansion
        ways.append((build, {"k": nearest, "expansion": expansion}, f"k {nearest}, expansion {expansion}"))
    return ways


class Tuner:
    """Tries settings on a data set."""

    def __init__(self, options, venv, data, scratch):
        self.options, self.venv, self.data, self.scratch = options, venv, data, scratch

    def __call__(self, contender, ways, judged=None):
        """The contender with the best of the ways: the fastest of enough recall, or else that of most recall."""
        best = None
        label = contender.label
        worker, built = None, None
        try:
            for build, search, words in [] if contender.failure else ways:
                if build != built:
                    self.drop(worker, contender)
                    worker, built = self.start(contender.key, build), build
                said = worker.ask(search=search, recall=True, judged=judged)
                speed = said["queries"] / said["seconds"]
                print(f"{self.data.name}: {label}{words and ' '}{words}: {speed:.0f} queries/s, "
                      f"recall {said['recall']:.4f}, build {worker.built['build_seconds']:.1f} s", file=sys.stderr)
                contender.tried.append({"setting": words, "queries_per_s": speed, "recall": said["recall"],
                                        "build_seconds": worker.built["build_seconds"]})
                rank = (said["recall"] >= contender.wanted, speed if said["recall"] >= contender.wanted
                        else said["recall"])
                if best is None or rank > best:
                    best = rank
                    self.keep(contender, worker, search, said)
                    contender.label = f"{label} {words}".strip()
            self.drop(worker, contender)
        except Broken as fault:
            contender.failure = str(fault)
            self.drop(worker, contender)
            print(f"{self.data.name}: {label}: failed", file=sys.stderr)
        return contender

    def start(self, key, build):
        """A worker that has built its index."""
        arguments = {"folder": str(self.data.folder), "bits": self.data.bits, "radius": self.data.radius} | build
        script = "run_usearch.py" if key == "usearch" else "run_faiss.py"
        return Worker(self.venv, script, arguments, self.scratch / f"{key}.stderr", self.options.timeout)

    def keep(self, contender, worker, search, said):
        """The best so far."""
        if contender.worker not in (None, worker):
            contender.worker.close()
        contender.worker, contender.search = worker, search
        contender.queries, contender.seconds, contender.recall = said["queries"], said["seconds"], said["recall"]
        contender.peak_bytes, contender.rounds = said["peak_bytes"], 1
        for name in ("build_seconds", "index_bytes"):
            setattr(contender, name, worker.built[name])
        contender.codes = worker.built["codes"] if worker.built["codes"] != self.data.codes else None

    @staticmethod
    def drop(worker, contender):
        """End a worker that is not the best one."""
        if worker is not None and worker is not contender.worker:
            worker.close()


def take_turns(field, ours, data, rounds):
    """Every contender once a round, so that noise hits all alike."""
    for turn in range(rounds):
        for contender in field:
            if contender.failure or contender.worker is None:
                continue
            try:
                said = contender.worker.ask(search=contender.search, queries=contender.queries)
            except Broken as fault:
                contender.failure = str(fault)
                continue
            contender.heard(said["queries"], said["seconds"])
        if ours:
            ours.round(data)
        print(f"{data.name}: round {turn + 1} of {rounds}", file=sys.stderr)
