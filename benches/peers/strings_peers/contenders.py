"""Who runs: the command of each contender, and what it found."""

import json
from dataclasses import dataclass, field as make
from typing import Optional

from common.environment import variables
from common.process import Broken, emptied, run

SEEDS = range(5)
RECALL = 0.95
SYMSPELLS = ("symspell", "symspell-ascii", "fast_symspell", "fast_symspell-ascii", "symspell_rs")


@dataclass
class Contender:
    """A command under test: all pairs of a file within some edits, or look-ups."""

    key: str
    label: str
    command: list
    repeat: int = 1
    runs: list = make(default_factory=list)
    pairs: Optional[int] = None
    recalls: list = make(default_factory=list)
    same: Optional[bool] = None
    """Whether the pairs are those of rapidfuzz."""
    per_second: Optional[float] = None
    failure: Optional[str] = None

    @property
    def cpu(self):
        """Seconds of CPU of the best run."""
        return min((run.cpu for run in self.runs), default=None)


def joins(options, venv, path, edits, missing):
    """The contenders for all pairs of a file."""
    ours = [options.binary, "pairs", path, "--edits", str(edits), "--threads", "1", "--quiet"]
    field = []
    if "lookalike" not in options.skip:
        field.append(Contender("exact", "lookalike --exact", [*ours, "--exact"], options.repeat))
        drawn = [*ours, "--recall", str(RECALL), "--family", "cgk"]
        field.append(Contender("recall", f"lookalike --recall {RECALL} --family cgk", drawn, options.repeat))
    if "rapidfuzz" not in options.skip:
        field.append(Contender("rapidfuzz", "rapidfuzz cdist", venv.command("run_rapidfuzz.py", path, edits, "PAIRS"),
                               failure=missing.get("rapidfuzz")))
    if "passjoin" not in options.skip:
        field.append(Contender("passjoin", "plain PassJoin", [options.compiled, "passjoin", path, str(edits), "PAIRS"]))
    return field


def measure(field, scratch, timeout):
    """Runs the contenders of a join in turn, and compares what they found with rapidfuzz's pairs."""
    found = {}
    for turn in range(max((contender.repeat for contender in field), default=0)):
        for contender in field:
            if contender.failure or turn >= contender.repeat:
                continue
            folder = emptied(scratch / contender.key)
            command = [folder / "pairs" if part == "PAIRS" else part for part in contender.command]
            try:
                contender.runs.append(run(command, variables(1), folder, timeout))
            except Broken as fault:
                contender.failure = str(fault)
                continue
            found[contender.key] = pairs_of(folder)
            contender.pairs = len(found[contender.key])
    truth = found.get("rapidfuzz", found.get("exact"))
    for contender in field:
        if truth is None or contender.key not in found:
            continue
        contender.same = found[contender.key] == truth if contender.key != "recall" else None
        if contender.key != "recall" or not truth:
            continue
        for seed in SEEDS:
            folder = emptied(scratch / f"seed-{seed}")
            run([*contender.command, "--seed", str(seed)], variables(1), folder, timeout)
            contender.recalls.append(len(pairs_of(folder) & truth) / len(truth))


def pairs_of(folder):
    """The pairs of places that a run found; ours name lines, from 1."""
    if (folder / "pairs").is_file():
        lines = (folder / "pairs").read_text().splitlines()
        return {tuple(map(int, line.split())) for line in lines}
    pairs = set()
    with open(folder / "stdout") as file:
        for line in file:
            _, *names = line.rstrip("\n").split("\t")
            a, b = (int(name.rsplit(":", 1)[1]) - 1 for name in names)
            pairs.add((min(a, b), max(a, b)))
    return pairs


def look_ups(options, venv, words, queries, edits, missing):
    """The contenders for look-ups."""
    field = []
    if "symspellpy" not in options.skip:
        field.append(Contender("symspellpy", "symspellpy", venv.command("run_symspellpy.py", words, queries, edits),
                               failure=missing.get("symspellpy")))
    if "symspell" not in options.skip:
        for name in SYMSPELLS:
            field.append(Contender(name, f"{name} (Rust)", [options.compiled, name, words, queries, str(edits)]))
    if "lookalike" not in options.skip:
        command = [options.binary, "query", words, "QUERIES", "--edits", str(edits), "--exact", "--family", "deletions", "--set",
                   "prefix=8", "--threads", "1",
                   "--quiet"]
        field.append(Contender("lookalike", "lookalike query --exact", command, options.repeat))
    return field


def measure_look_ups(field, queries, scratch, timeout):
    """Look-ups per second of CPU; of ours, what more of the same queries take."""
    for contender in field:
        if contender.failure:
            continue
        folder = emptied(scratch / contender.key)
        try:
            if contender.key == "lookalike":
                contender.per_second = ours_per_second(contender, queries, folder, timeout)
                continue
            contender.runs.append(run(contender.command, variables(1), folder, timeout))
            said = json.loads((folder / "stdout").read_text())
            count = sum(1 for _ in open(queries))
            contender.per_second, contender.pairs = count / said["seconds"], said["found"]
        except Broken as fault:
            contender.failure = str(fault)


def ours_per_second(contender, queries, folder, timeout):
    """Queries that run 1 and 21 times over: the difference is without reading, planning and building."""
    once = queries.read_text()
    seconds = {}
    for times in (1, 21):
        asked = folder / f"queries-{times}.txt"
        asked.write_text(once * times)
        command = [asked if part == "QUERIES" else part for part in contender.command]
        runs = [run(command, variables(1), folder, timeout) for _ in range(contender.repeat)]
        contender.runs += runs
        seconds[times] = min(one.cpu for one in runs)
    return 20 * len(once.splitlines()) / max(seconds[21] - seconds[1], 1e-9)
