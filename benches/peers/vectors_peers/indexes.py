"""Indexes for the k nearest: Lookalike's sketches beside graphs, inverted lists, trees and quantizers.

Each contender is asked at several settings; the speed at a recall is interpolated between them. A recall counts answers
that are at most as far from the query as the true kth neighbour.
"""

import json
import math

from common.process import Broken
from common.table import digits
from common.targets import Target, quotient

from .data import NEAREST

OURS = "lookalike"
PEERS = {"hnswlib": "hnswlib (M 16)", "faiss-ivf": "faiss IVFFlat", "faiss-ivfpqfs": "faiss IVFPQFastScan, refined",
         "scann": "ScaNN", "faiss-lsh": "faiss IndexLSH, reranked", "faiss-hnsw": "faiss HNSW (M 16)",
         "usearch": "usearch (connectivity 16)", "annoy": "Annoy (50 trees)"}
LEVELS = [0.9, 0.95, 0.99]
K = 10
TARGETS = {
    "glove100": {"speed": {"hnswlib": 3, "faiss-ivf": 3, "scann": 0.9, "faiss-ivfpqfs": 1.1}, "build": 80, "bytes": 45},
    "fashion-mnist": {"speed": {"hnswlib": 2.5, "scann": 1.2, "faiss-ivfpqfs": 1.2}, "build": 30, "bytes": 135},
}


def measure(options, sets, runner, measured):
    """All contenders in turns, each in a process of its own; indexes of peers are built once and kept."""
    folder = options.cache / "indexes"
    folder.mkdir(parents=True, exist_ok=True)
    for name, (kind, dimensions) in NEAREST.items():
        stored, queries = sets.held_out(name)
        truth = runner.out(f"truth-{name}")
        runner.run(runner.venv.command("judge.py", "farthest", stored.path, queries.path, dimensions, kind, K, truth))
        rows = measured.indexes.setdefault(name, {"rows": stored.rows, "measure": kind, "contenders": {}})
        for turn in range(options.rounds):
            for contender in [OURS, *(peer for peer in PEERS if peer in options.peers)]:
                out = runner.out(f"{name}-{contender}")
                files = ["--stored", stored.path, "--queries", queries.path]
                command = ([runner.nearest, *files, "--dimensions", dimensions, "--measure", kind, "-k", K, "--rounds", 2,
                            "--out", out] if contender == OURS else
                           runner.venv.command("run_nearest.py", contender, stored.path, queries.path, dimensions, kind,
                                               K, folder / f"{name}-{stored.rows}-{contender}", out, 2))
                try:
                    said = runner.run(command)
                except Broken as fault:
                    measured.failures.append(f"{contender}, {name}: {fault}")
                    continue
                before = rows["contenders"].get(contender)
                if before is None:
                    for number, one in enumerate(said["speeds"]):
                        judged = runner.venv.run("judge.py", "near", stored.path, queries.path, dimensions, kind, K,
                                                 truth, f"{out}-{number}")
                        one["recall"] = judged["recall"]
                    rows["contenders"][contender] = said
                else:
                    before["build"] = min(before["build"], said["build"])
                    for old, new in zip(before["speeds"], said["speeds"]):
                        old["speed"] = max(old["speed"], new["speed"])


STATED = [0.8, 0.9, 0.95]
SEEDS = 5


def stated(options, sets, runner, measured):
    """What queries find at a stated recall, over seeds."""
    data = {name: (*sets.held_out(name), kind) for name, (kind, _) in NEAREST.items()}
    data["clusters, copies, one direction"] = (*sets.hard(), "euclidean")
    for name, (stored, queries, kind) in data.items():
        runs = []
        for seed in range(SEEDS):
            said = runner.run([runner.nearest, "--stored", stored.path, "--queries", queries.path, "--dimensions",
                               stored.dimensions, "--measure", kind, "-k", K, "--rounds", 1, "--seed", seed,
                               "--recalls", ",".join(map(str, STATED))])
            runs.append(said["speeds"])
        measured.stated[name] = [[{"stated": one["stated"], "recall": one["recall"], "error": one["standard_error"]}
                                  for one in run] for run in runs]


def deviations(runs):
    """By how many standard errors the worst run is above what was stated."""
    return min((run["recall"] - run["stated"]) / max(run["error"], 1e-9) for run in runs)


def speed_at(contender, level):
    """Queries per second at a recall: between the two settings around it, by the logarithm of the speed. A faster setting
    with a better recall replaces a slower one. None where no setting reaches the recall."""
    points = sorted((one["recall"], one["speed"]) for one in contender["speeds"])
    front = [point for number, point in enumerate(points) if all(point[1] > later[1] for later in points[number + 1:])]
    above = [point for point in front if point[0] >= level]
    below = [point for point in front if point[0] < level]
    if not above or not below:
        return above[0][1] if above else None
    (low, fast), (high, slow) = below[-1], above[0]
    share = (level - low) / (high - low)
    return math.exp((1 - share) * math.log(fast) + share * math.log(slow))


def blocks(measured):
    """One table per data set."""
    for name, rows in measured.indexes.items():
        head = [f"{name}: {rows['rows']} vectors, {rows['measure']}, k = {K}"]
        head += [f"q/s at {level}" for level in LEVELS] + ["build s", "bytes per vector", ""]
        yield [head, *([OURS if key == OURS else PEERS[key], *(digits(speed_at(one, level)) or "-" for level in LEVELS),
                        digits(one["build"]), digits(one["bytes"] / rows["rows"]), ""]
                       for key, one in rows["contenders"].items())]
        yield [["stated recall", "measured", "q/s", ""],
               *([str(one["stated"]), f"{one['recall']:.4f}", digits(one["speed"]), ""]
                 for one in rows["contenders"].get(OURS, {"speeds": []})["speeds"])]


def stated_blocks(measured):
    """A row per data set and stated recall."""
    if measured.stated:
        yield [["stated recall", "stated", "mean of seeds", "least", "worst, std. errors", ""],
               *([name, str(runs[0]["stated"]), f"{sum(run['recall'] for run in runs) / len(runs):.4f}",
                  f"{min(run['recall'] for run in runs):.4f}", f"{deviations(runs):.1f}", ""]
                 for name, seeds in measured.stated.items() for runs in zip(*seeds))]


def judge(measured):
    """The targets of what was measured."""
    for name, seeds in measured.stated.items():
        for runs in zip(*seeds):
            mean = sum(run["recall"] for run in runs) / len(runs)
            level = runs[0]["stated"]
            yield Target(name, f"stated recall {level}: points above it, the mean of {SEEDS} seeds", 0, 100 * (mean - level))
            yield Target(name, f"stated recall {level}: the same, at most", 1.5, 100 * (mean - level), at_most=True)
            yield Target(name, f"stated recall {level}: standard errors above it, the worst seed", -3, deviations(runs))
    for name, rows in measured.indexes.items():
        contenders, wanted = rows["contenders"], TARGETS[name]
        if OURS not in contenders:
            continue
        ours = contenders[OURS]
        for peer, least in wanted["speed"].items():
            for level in LEVELS[:2]:
                times = quotient(speed_at(ours, level), speed_at(contenders[peer], level)) if peer in contenders else None
                yield Target(name, f"recall {level}: times as fast as {PEERS[peer]}", least, times)
        built = quotient(contenders["hnswlib"]["build"], ours["build"]) if "hnswlib" in contenders else None
        yield Target(name, "build and calibration, times as fast as hnswlib", wanted["build"], built)
        yield Target(name, "bytes per vector next to the vectors", wanted["bytes"], ours["bytes"] / rows["rows"],
                     at_most=True)


def as_json(measured):
    """The same for programs."""
    return json.loads(json.dumps({"indexes": measured.indexes, "stated": measured.stated}))
