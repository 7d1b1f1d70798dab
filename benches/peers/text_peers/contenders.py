"""Who runs, and how: the command of each contender, and what its pairs are worth."""

import sys
from dataclasses import dataclass, field as make
from typing import Callable, Optional

from common import process
from common.environment import variables
from common.failure import Failure
from common.process import emptied

from .environment import FASTSKETCH, PEERS

THRESHOLD = 0.8
SEEDS = range(5)
WHITESPACE = ["--tokens", "whitespace", "--shingle", "words:5"]
OURS = ["whitespace", "default", "whitespace-2"]
"""Keys of the runs of lookalike."""


@dataclass
class Contender:
    """A command under test, and what was found about it."""

    key: str
    label: str
    command: Callable
    repeat: int
    threads: int = 1
    pairs: Optional[str] = None
    """The file of matches in the run's folder, to be compared with the truth."""
    environment: dict = make(default_factory=dict)
    failure: Optional[str] = None
    argv: list = make(default_factory=list)
    runs: list = make(default_factory=list)
    found: Optional[str] = None
    seeds: int = 0
    recall: Optional[float] = None
    precision: Optional[float] = None

    @property
    def cpu(self):
        """Seconds of CPU of the best run."""
        return min((run.cpu for run in self.runs), default=None)

    @property
    def wall(self):
        """Seconds of the shortest run."""
        return min((run.wall for run in self.runs), default=None)

    @property
    def rss(self):
        """The largest peak, in bytes."""
        return max((run.rss for run in self.runs), default=None)


def field(options, venv, corpus, missing):
    """The contenders for one corpus, in the order in which they take turns."""
    field = []
    if "wc" not in options.skip:
        field.append(Contender("wc", "wc -w", lambda corpus, _: ["wc", "-w", corpus.path], options.repeat,
                               environment=variables(1) | {"LC_ALL": "C.UTF-8"}))
    if "lookalike" not in options.skip:
        field += ours(options, corpus)
    for key, label, script, arguments, pairs in peers(options):
        command = peer_command(venv, script, arguments)
        field.append(Contender(key, label, command, options.peer_repeat, pairs=pairs, environment=variables(1),
                               failure=missing.get(key.split("-")[0])))
    return field


def ours(options, corpus):
    """`lookalike dedup` as measured: (whitespace, default tokens) on one thread, whitespace on two."""
    kinds = [
        ("whitespace", "lookalike, whitespace", WHITESPACE, 1, "out/pairs.jsonl"),
        # The truth is about whitespace tokens, so the pairs of other tokens are not compared with it.
        ("default", "lookalike, default tokens", [], 1, None),
        ("whitespace-2", "lookalike, whitespace, 2 threads", WHITESPACE, 2, None),
    ]
    if corpus.name == "quarter":
        kinds = kinds[:1]
    return [Contender(key, label, dedup(options.binary, tokens, threads), options.repeat, threads, pairs,
                      variables(threads)) for key, label, tokens, threads, pairs in kinds]


def dedup(binary, tokens, threads, seed=None):
    """The command of a run."""
    def command(corpus, folder):
        fixed = ["--threshold", str(THRESHOLD), "--mode", "report", "--quiet", "--threads", str(threads)]
        drawn = [] if seed is None else ["--seed", str(seed)]
        return [binary, "dedup", corpus.path, "--out", folder / "out", *fixed, *tokens, *drawn]
    return command


def peers(options):
    """(key, label, script, arguments, pairs file) of the peers that run."""
    def name(requirement):
        return requirement.replace("==", " ")

    if "gaoya" not in options.skip:
        yield "gaoya", name(PEERS["gaoya"]), "run_gaoya.py", ["native"], "pairs.tsv"
    if options.with_gaoya_whitespace:
        yield "gaoya-whitespace", f"{name(PEERS['gaoya'])}, whitespace", "run_gaoya.py", ["whitespace"], "pairs.tsv"
    if "rensa" not in options.skip:
        yield "rensa-lsh", f"{name(PEERS['rensa'])}, LSH", "run_rensa.py", ["lsh"], "pairs.tsv"
        yield "rensa-dedup", f"{name(PEERS['rensa'])}, own dedup", "run_rensa.py", ["dedup"], None
    if options.with_fastsketch:
        yield "fastsketch", name(FASTSKETCH), "run_fastsketch.py", [], "pairs.tsv"
    if "datasketch" not in options.skip:
        yield "datasketch", name(PEERS["datasketch"]), "run_datasketch.py", [], "pairs.tsv"


def peer_command(venv, script, arguments):
    """The command that runs a peer in the environment's Python."""
    def command(corpus, folder):
        return venv.command(script, corpus.path, folder / "pairs.tsv", *arguments)
    return command


def score(field, corpus, scratch, venv, options):
    """Recall and precision against the truth, for those that gave pairs."""
    for contender in field:
        folder = scratch / contender.key
        if contender.failure or not contender.runs:
            continue
        try:
            contender.found = found(contender.key, folder)
            if corpus.truth is None or contender.pairs is None:
                continue
            files = [folder / contender.pairs]
            if contender.key == "whitespace" and options.quality:
                files = [seeded(seed, contender, corpus, scratch, options) for seed in SEEDS]
            judged = venv.run("quality.py", corpus.path, corpus.truth, THRESHOLD, *files)
        except (process.Broken, Failure, OSError) as fault:
            contender.failure = str(fault)
            continue
        if "note" in judged:
            print(f"{corpus.name}: {contender.label}: not judged: {judged['note']}", file=sys.stderr)
            continue
        contender.seeds = len(files)
        contender.recall, contender.precision = judged["recall"], judged["precision"]


def seeded(seed, contender, corpus, scratch, options):
    """The pairs of a run with this seed, which is not timed."""
    print(f"{corpus.name}: quality: {contender.label}, seed {seed}", file=sys.stderr)
    folder = emptied(scratch / f"{contender.key}-seed-{seed}")
    command = dedup(options.binary, WHITESPACE, contender.threads, seed)(corpus, folder)
    process.run(command, contender.environment, folder, options.timeout)
    return folder / contender.pairs


def found(key, folder):
    """What the last run found, in words; None for `wc`."""
    if key == "wc":
        return None
    if key in OURS:
        with open(folder / "out" / "pairs.jsonl", "rb") as file:
            return f"{sum(1 for _ in file)} pairs"
    return (folder / "stdout").read_text().strip()
