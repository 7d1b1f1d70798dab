"""Who takes part, and what is measured of them."""

import json
import math
import sys
from dataclasses import dataclass, field

from common.environment import variables
from common.process import Broken, emptied, run

from . import indexes
from .data import NEAREST

COSINES = [0.9, 0.95]
JOINS = {"cross-polytope-join": "lookalike, calibrated", "hyperplane-join": "lookalike, proved"}
EXACT = {"gemm": "exact product (gemm)", "gemm-avx512": "exact product (gemm with AVX-512)",
         "brute-force": "lookalike, brute force", "faiss": "faiss Flat, range search"}
SEEDS = 5
KEPT = 0.99865
"""The share of pairs that sketches keep at least: three standard deviations of the normal law."""
K = 10


@dataclass
class Row:
    """The best of the rounds of one contender, in seconds, and what it found."""

    label: str
    seconds: float = math.inf
    recall: float = None
    stated: float = None
    parameters: str = ""
    failure: str = None


@dataclass
class Measured:
    """Everything that was measured."""

    size: int
    joins: dict = field(default_factory=dict)
    """{cosine: {contender: Row}}"""
    growth: dict = field(default_factory=dict)
    """{(contender, cosine): [(vectors, seconds)]}"""
    threads: dict = field(default_factory=dict)
    """{(contender, cosine): [wall seconds on one thread, on two]}"""
    proof: dict = field(default_factory=dict)
    """{cosine: [what judge.py says, a seed each]}"""
    nearest: dict = field(default_factory=dict)
    """{data: {contender: queries per second, batch and single, and recall}}"""
    indexes: dict = field(default_factory=dict)
    """{data: what indexes.py measures}"""
    stated: dict = field(default_factory=dict)
    """{data: [a list per seed, of what was stated and found]}"""
    failures: list = field(default_factory=list)


class Runner:
    """Runs one contender at a time."""

    def __init__(self, options, venv, compiled, scratch):
        self.binary, self.nearest, self.timeout = options.binary, options.nearest, options.timeout
        self.venv, self.compiled, self.scratch = venv, compiled, scratch

    def run(self, command, threads=1):
        """What a command says, as JSON."""
        folder = emptied(self.scratch / "run")
        run([str(word) for word in command], variables(threads), folder, self.timeout)
        return json.loads((folder / "stdout").read_text())

    def join(self, contender, file, cosine, out, threads=1, seed=0, rounds=1):
        """All pairs by one contender."""
        if contender in self.compiled:
            return self.run([self.compiled[contender], file.path, file.dimensions, cosine, out])
        if contender == "faiss":
            return self.run(self.venv.command("run_faiss.py", "join", file.path, file.dimensions, cosine, out))
        return self.run([self.binary, "--vectors", file.path, "--dimensions", file.dimensions, "--join", contender,
                         "--cosine", cosine, "--seed", seed, "--threads", threads, "--rounds", rounds,
                         "--out", out], threads)

    def out(self, name):
        """A place for what is found."""
        return self.scratch / name


def everything(options, sets, runner):
    """All parts of a run."""
    measured = Measured(sets.main)
    parts = {"joins": joins, "growth": growth, "threads": threads, "proof": proof, "nearest": nearest,
             "indexes": indexes.measure, "stated": indexes.stated}
    for name, part in parts.items():
        if name in options.only:
            print(f"measuring: {name}", file=sys.stderr)
            try:
                part(options, sets, runner, measured)
            except Broken as fault:
                measured.failures.append(f"{name}: {fault}")
    return measured


def joins(options, sets, runner, measured):
    """Joins beside what compares everything, in turns."""
    file = sets.join(sets.main)
    for cosine in COSINES:
        rows = {name: Row(label) for name, label in (EXACT | JOINS).items()}
        measured.joins[cosine] = rows
        for turn in range(options.rounds):
            for name, row in rows.items():
                if row.failure or name in EXACT and turn >= options.exact_rounds:
                    continue
                try:
                    said = runner.join(name, file, cosine, runner.out(f"{name}-{cosine}"))
                except Broken as fault:
                    row.failure = str(fault)
                    measured.failures.append(f"{row.label}: {fault}")
                    continue
                row.seconds = min(row.seconds, said["seconds"])
                row.stated = said.get("recall")
                row.parameters = shown(said.get("parameters", {}))
            print(f"cosine {cosine}: round {turn + 1} of {options.rounds}", file=sys.stderr)
        for name, row in rows.items():
            if not row.failure and not rows["gemm"].failure:
                row.recall = recall(runner, file, cosine, name)["recall"]


def recall(runner, file, cosine, name, *scheme):
    """The share of the pairs of the exact product that a contender found."""
    return runner.venv.run("judge.py", "pairs", file.path, file.dimensions, runner.out(f"gemm-{cosine}"),
                           runner.out(f"{name}-{cosine}"), *scheme)


def shown(parameters):
    """Parameters in words."""
    return ", ".join(f"{name} {value}" for name, value in parameters.items() if value is not None)


def growth(options, sets, runner, measured):
    """From few vectors to many."""
    for cosine in COSINES:
        for name in JOINS:
            times = []
            for size in sets.sizes:
                said = [runner.join(name, sets.join(size), cosine, runner.out("growth"))
                        for _ in range(options.rounds)]
                times.append((size, min(one["seconds"] for one in said)))
            measured.growth[name, cosine] = times


def threads(options, sets, runner, measured):
    """One thread and two, in turns, by the clock."""
    file = sets.join(sets.main)
    for cosine in COSINES:
        for name in JOINS:
            best = [math.inf, math.inf]
            for _ in range(options.rounds):
                for number in (1, 2):
                    said = runner.join(name, file, cosine, runner.out("threads"), threads=number, rounds=2)
                    best[number - 1] = min(best[number - 1], said["wall"])
            measured.threads[name, cosine] = best


def proof(options, sets, runner, measured):
    """The proved join beside its formula, pair by pair."""
    file, name = sets.join(sets.main), "hyperplane-join"
    for cosine in COSINES:
        if not runner.out(f"gemm-{cosine}").is_file():
            runner.join("gemm", file, cosine, runner.out(f"gemm-{cosine}"))
        measured.proof[cosine] = []
        for seed in range(SEEDS):
            said = runner.join(name, file, cosine, runner.out(f"{name}-{cosine}"), seed=seed)
            tables, bits = said["parameters"]["tables"], said["parameters"]["bits"]
            judged = recall(runner, file, cosine, name, bits, tables, KEPT)
            measured.proof[cosine].append(judged | {"stated": said["recall"], "tables": tables, "bits": bits})


def nearest(options, sets, runner, measured):
    """Brute force beside faiss Flat, in turns."""
    for name, (measure, dimensions) in NEAREST.items():
        stored, queries = sets.nearest(name)
        best = {"faiss Flat": {"batch": 0, "single": 0}, "lookalike, brute force": {"batch": 0, "single": 0}}
        for _ in range(options.rounds):
            for contender, speeds in best.items():
                out = runner.out(contender.split()[0].strip(","))
                if contender.startswith("faiss"):
                    command = runner.venv.command("run_faiss.py", "nearest", stored.path, queries.path, dimensions,
                                                  measure, K, 2, out)
                else:
                    command = [runner.binary, "--vectors", stored.path, "--queries", queries.path, "--dimensions",
                               dimensions, "--measure", measure, "-k", K, "--rounds", 2, "--out", out]
                said = runner.run(command)
                speeds.update({how: max(speeds[how], said[how]) for how in ("batch", "single")})
        agreed = runner.venv.run("judge.py", "nearest", runner.out("faiss"), runner.out("lookalike"), K)
        best["lookalike, brute force"]["recall"] = agreed["recall"]
        measured.nearest[name] = best | {"rows": stored.rows, "measure": measure}
